use async_trait::async_trait;
use rusqlite::params;
use toolgate_store::{Settings, StoreError};

use super::{Sqlite, database::refused};

#[async_trait]
impl Settings for Sqlite {
    async fn get_or_init(&self, name: &str, fallback: &[u8]) -> Result<Vec<u8>, StoreError> {
        let (name, fallback) = (name.to_owned(), fallback.to_vec());
        let value = self
            .writer
            .run(move |connection| {
                connection
                    .execute(
                        "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                        params![name, fallback],
                    )
                    .map_err(refused)?;
                connection
                    .query_row("SELECT value FROM settings WHERE name = ?1", [name], |row| row.get(0))
                    .map_err(refused)
            })
            .await?;
        Ok(value)
    }

    async fn ready(&self) -> Result<(), StoreError> {
        // Through the writer: a server that can read and not write is not ready.
        self.writer
            .run(|connection| {
                connection
                    .query_row("SELECT count(*) FROM schema_migrations", [], |_| Ok(()))
                    .map_err(refused)
            })
            .await?;
        Ok(())
    }
}
