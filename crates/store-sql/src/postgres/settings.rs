use async_trait::async_trait;
use toolgate_store::{Settings, StoreError};

use super::{Postgres, database::refused};
use crate::migrations::POSTGRES;

#[async_trait]
impl Settings for Postgres {
    async fn get_or_init(&self, name: &str, fallback: &[u8]) -> Result<Vec<u8>, StoreError> {
        // Two statements: the second sees what another process may have kept while the first waited for it.
        sqlx::query("INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(name)
            .bind(fallback)
            .execute(&self.pool)
            .await
            .map_err(refused)?;
        sqlx::query_scalar("SELECT value FROM settings WHERE name = $1")
            .bind(name)
            .fetch_one(&self.pool)
            .await
            .map_err(refused)
    }

    async fn ready(&self) -> Result<(), StoreError> {
        let (newest, read_only): (Option<i64>, bool) = sqlx::query_as(
            "SELECT max(version), pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean
             FROM schema_migrations",
        )
        .fetch_one(&self.pool)
        .await
        .map_err(refused)?;
        // A server that can read and not write is not ready.
        if read_only {
            return Err(StoreError::Unavailable("PostgreSQL is read-only".to_owned()));
        }
        let expected = POSTGRES.last().map(|migration| migration.version);
        if newest == expected {
            Ok(())
        } else {
            Err(StoreError::Refused(format!(
                "the schema is at migration {newest:?}, and this program at {expected:?}"
            )))
        }
    }
}
