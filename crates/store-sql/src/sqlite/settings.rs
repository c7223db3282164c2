use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

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
        if self.wrote_lately.get() {
            return Ok(());
        }
        // A server that can read and not write is not ready, and whether it can only a write tells.
        let mark = "INSERT INTO settings (name, value) VALUES ('ready', zeroblob(8))
                    ON CONFLICT (name) DO UPDATE SET value = randomblob(8)";
        self.writer.run(move |connection| connection.execute(mark, []).map(drop).map_err(refused)).await?;
        self.wrote_lately.set();
        Ok(())
    }
}

/// That a write was tried and went well a moment ago. Anybody may ask whether we are ready, and the answer costs a commit.
#[derive(Default)]
pub(super) struct WroteLately(Mutex<Option<Instant>>);

/// How long that holds.
const LATELY: Duration = Duration::from_secs(1);

impl WroteLately {
    fn get(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|at| at.elapsed() < LATELY)
    }

    fn set(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::SqliteOptions;

    #[tokio::test]
    async fn who_can_read_and_not_write_is_not_ready() {
        let directory = tempfile::tempdir().unwrap();
        let (sqlite, _) = Sqlite::open(&SqliteOptions::new(directory.path().join("toolgate.db"))).unwrap();
        let run = |sql: &'static str| {
            sqlite.writer.run(move |connection| connection.execute_batch(sql).map_err(refused))
        };
        run("CREATE TRIGGER no_room BEFORE INSERT ON settings BEGIN SELECT RAISE(ABORT, 'no room'); END")
            .await
            .unwrap();
        assert!(sqlite.ready().await.is_err());
        run("DROP TRIGGER no_room").await.unwrap();
        sqlite.ready().await.unwrap();
    }
}
