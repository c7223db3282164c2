//! A fresh database for each test, on the PostgreSQL that scripts/with-services started.

use std::{str::FromStr, sync::Arc};

use async_trait::async_trait;
use sqlx::{AssertSqlSafe, ConnectOptions, Row, postgres::PgConnectOptions};
use toolgate_domain::ids::Uuid;
use toolgate_store::{
    Stores,
    conformance::{Fixture, RawSql},
};
use toolgate_store_sql::{
    local::{MemoryCache, MemoryLimits},
    objects::ObjectBlobs,
    postgres::{Postgres, PostgresOptions},
};

/// A database of its own for one test. It goes with the server.
pub struct Database {
    pub url: String,
}

impl Database {
    /// Without a schema.
    pub async fn empty() -> Self {
        Self { url: toolgate_test_databases::empty().await }
    }

    pub async fn create() -> Self {
        Self { url: toolgate_test_databases::create().await }
    }

    pub fn options(&self) -> PostgresOptions {
        PostgresOptions { max_connections: 6, ..PostgresOptions::new(&self.url) }
    }

    /// The stores of one process on this database.
    pub async fn stores(&self) -> Stores {
        let (postgres, _) = Postgres::connect(&self.options()).await.unwrap();
        let directory = tempfile::tempdir().unwrap();
        postgres.stores(
            Arc::new(ObjectBlobs::local(directory.path()).unwrap()),
            Arc::new(MemoryCache::new(1 << 20)),
            Arc::new(MemoryLimits::default()),
        )
    }

    pub async fn fixture(self) -> Fixture {
        let stores = self.stores().await;
        let shell = Arc::new(Shell(PgConnectOptions::from_str(&self.url).unwrap()));
        Fixture::new(stores, shell, Box::new(self))
    }
}

struct Shell(PgConnectOptions);

#[async_trait]
impl RawSql for Shell {
    async fn execute(&self, sql: &str) -> Result<u64, String> {
        let mut connection = self.0.connect().await.unwrap();
        sqlx::query(AssertSqlSafe(sql))
            .execute(&mut connection)
            .await
            .map(|done| done.rows_affected())
            .map_err(|e| e.to_string())
    }

    async fn query_text(&self, sql: &str) -> Result<Option<String>, String> {
        let mut connection = self.0.connect().await.unwrap();
        let row = sqlx::query(AssertSqlSafe(format!("SELECT ({sql})::text")))
            .fetch_optional(&mut connection)
            .await
            .map_err(|e| e.to_string())?;
        Ok(row.and_then(|row| row.get(0)))
    }

    fn literal(&self, id: Uuid) -> String {
        format!("'{id}'")
    }
}
