//! The two engines, and empty databases of each.

use std::{
    path::{Path, PathBuf},
    str::FromStr,
    sync::atomic::{AtomicU32, Ordering},
};

use anyhow::Context;
use clap::ValueEnum;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, postgres::PgConnectOptions};

const URL: &str = "TOOLGATE_TEST_POSTGRES_URL";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// An empty place to keep rows in.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) engine: Engine,
    /// A directory of its own, on either engine.
    pub(crate) directory: PathBuf,
    /// A database of its own, on PostgreSQL.
    pub(crate) url: Option<String>,
}

/// Makes empty databases, and takes them away again.
pub(crate) struct Databases {
    directory: PathBuf,
    pub(crate) engines: Vec<Engine>,
    server: Option<PgConnectOptions>,
    made: AtomicU32,
}

impl Databases {
    pub(crate) async fn new(directory: &Path, engines: Vec<Engine>) -> anyhow::Result<Self> {
        let server = if engines.contains(&Engine::Postgres) {
            let url = std::env::var(URL).context(format!(
                "{URL} is not set: run through scripts/with-services, or with --engine sqlite"
            ))?;
            Some(PgConnectOptions::from_str(&url)?)
        } else {
            None
        };
        Ok(Self { directory: directory.to_owned(), engines, server, made: AtomicU32::new(0) })
    }

    pub(crate) async fn fresh(&self, engine: Engine, purpose: &str) -> anyhow::Result<Place> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let directory = self.directory.join(format!("{number}-{purpose}"));
        std::fs::create_dir(&directory)?;
        let url = match (engine, &self.server) {
            (Engine::Postgres, Some(server)) => {
                let name = database_name(number);
                execute(server, format!("CREATE DATABASE {name}")).await?;
                Some(server.clone().database(&name).to_url_lossy().to_string())
            }
            _ => None,
        };
        Ok(Place { engine, directory, url })
    }

    pub(crate) async fn drop_all(&self) -> anyhow::Result<()> {
        if let Some(server) = &self.server {
            for number in 0..self.made.load(Ordering::Relaxed) {
                let name = database_name(number);
                execute(server, format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await?;
            }
        }
        Ok(())
    }
}

fn database_name(number: u32) -> String {
    format!("toolgate_bench_{}_{number}", std::process::id())
}

async fn execute(server: &PgConnectOptions, sql: String) -> anyhow::Result<()> {
    let mut connection: PgConnection = server.connect().await.context("PostgreSQL cannot be reached")?;
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}
