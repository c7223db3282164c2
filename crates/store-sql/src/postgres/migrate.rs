//! Bringing the schema up to date, one process at a time.

use sqlx::{ConnectOptions, Connection, PgConnection, postgres::PgConnectOptions};
use toolgate_store::StoreError;

use super::database::refused;
use crate::{
    Applied,
    migrations::{self, Migration},
};

/// "tgmigrat", so that nobody else's advisory lock is it.
const MIGRATION_LOCK: i64 = 0x7467_6d69_6772_6174;

pub(super) async fn migrate(server: &PgConnectOptions) -> Result<Vec<Applied>, StoreError> {
    let mut connection = server.connect().await.map_err(refused)?;
    // The lock is the connection's: it ends with it, also when this process dies halfway.
    sqlx::query("SELECT pg_advisory_lock($1)")
        .bind(MIGRATION_LOCK)
        .execute(&mut connection)
        .await
        .map_err(refused)?;
    let applied = apply_pending(&mut connection).await?;
    connection.close().await.map_err(refused)?;
    Ok(applied)
}

async fn apply_pending(connection: &mut PgConnection) -> Result<Vec<Applied>, StoreError> {
    // Asked for first, because a login that owns nothing may start the server once somebody else has migrated.
    let is_there: bool = sqlx::query_scalar("SELECT to_regclass('schema_migrations') IS NOT NULL")
        .fetch_one(&mut *connection)
        .await
        .map_err(refused)?;
    if !is_there {
        sqlx::raw_sql(
            "CREATE TABLE schema_migrations (version bigint PRIMARY KEY, name text NOT NULL, checksum text NOT NULL)",
        )
        .execute(&mut *connection)
        .await
        .map_err(refused)?;
    }
    let known: Vec<(i64, String)> =
        sqlx::query_as("SELECT version, checksum FROM schema_migrations ORDER BY version")
            .fetch_all(&mut *connection)
            .await
            .map_err(refused)?;
    let mut applied = Vec::new();
    for migration in migrations::pending(migrations::POSTGRES, &known).map_err(StoreError::Refused)? {
        apply(connection, migration).await.map_err(refused)?;
        applied.push(Applied { version: migration.version, name: migration.name.to_owned() });
    }
    Ok(applied)
}

async fn apply(connection: &mut PgConnection, migration: &Migration) -> Result<(), sqlx::Error> {
    let mut transaction = connection.begin().await?;
    sqlx::raw_sql(migration.sql).execute(&mut *transaction).await?;
    sqlx::query("INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)")
        .bind(migration.version)
        .bind(migration.name)
        .bind(migration.checksum())
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await
}
