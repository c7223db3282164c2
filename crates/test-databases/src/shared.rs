//! PostgreSQL: the server that scripts/with-services started has one migrated database per program of tests, and copies it.

use std::{env, time::SystemTime};

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use toolgate_store_sql::postgres::{Postgres, PostgresOptions};

/// "tgtestdb": who makes the template keeps the others waiting.
const TEMPLATE_LOCK: i64 = 0x7467_7465_7374_6462;

/// The server's address. Without it the test fails: a store that was not tried is not known to work.
fn server() -> String {
    env::var("TOOLGATE_TEST_POSTGRES_URL")
        .expect("TOOLGATE_TEST_POSTGRES_URL is not set: run through scripts/with-services")
}

/// The address of a new database that has its schema. It goes with the server.
pub async fn create() -> String {
    let server = server();
    let mut shell = PgConnection::connect(&server).await.unwrap();
    let template = template(&server, &mut shell).await;
    copy_of(&template, &server, &mut shell).await
}

/// The address of a new database with nothing in it.
pub async fn empty() -> String {
    let server = server();
    let mut shell = PgConnection::connect(&server).await.unwrap();
    copy_of("template1", &server, &mut shell).await
}

async fn copy_of(template: &str, server: &str, shell: &mut PgConnection) -> String {
    let name: String = sqlx::query_scalar("SELECT 'tg_' || replace(gen_random_uuid()::text, '-', '')")
        .fetch_one(&mut *shell)
        .await
        .unwrap();
    run(shell, format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
    beside(server, &name)
}

async fn template(server: &str, shell: &mut PgConnection) -> String {
    let name = template_name();
    // The lock ends with its connection, also when this process dies halfway.
    let mut lock = PgConnection::connect(server).await.unwrap();
    run(&mut lock, format!("SELECT pg_advisory_lock({TEMPLATE_LOCK})")).await;
    let is_there: bool =
        sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND NOT datallowconn)")
            .bind(&name)
            .fetch_one(&mut *shell)
            .await
            .unwrap();
    if !is_there {
        run(shell, format!("DROP DATABASE IF EXISTS {name}")).await;
        run(shell, format!("CREATE DATABASE {name}")).await;
        drop(Postgres::connect(&PostgresOptions::new(beside(server, &name))).await.unwrap());
        // Nobody may be in it while it is copied.
        run(shell, format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false")).await;
        let left = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = ";
        run(shell, format!("{left}'{name}'")).await;
    }
    lock.close().await.unwrap();
    name
}

/// One for each build of each program: what its migrations say may have changed.
fn template_name() -> String {
    let program = env::current_exe().unwrap();
    let built = program.metadata().unwrap().modified().unwrap();
    let built = built.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos();
    let name =
        program.file_name().unwrap().to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    format!("template_{name}_{built}").to_lowercase()
}

fn beside(server: &str, name: &str) -> String {
    format!("{}/{name}", server.rsplit_once('/').unwrap().0)
}

async fn run(shell: &mut PgConnection, sql: String) {
    sqlx::query(AssertSqlSafe(sql)).execute(shell).await.unwrap();
}
