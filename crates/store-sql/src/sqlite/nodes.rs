use async_trait::async_trait;
use rusqlite::params;
use toolgate_domain::{NodeId, Timestamp};
use toolgate_store::{Nodes, StoreError};

use super::{Sqlite, database::refused};

#[async_trait]
impl Nodes for Sqlite {
    async fn renew(&self, node: NodeId, now: Timestamp, lease_ms: i64) -> Result<(), StoreError> {
        self.writer
            .run(move |connection| {
                connection
                    .execute(
                        "INSERT INTO nodes (id, expires_at) VALUES (?1, ?2)
                         ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at",
                        params![node.uuid().into_bytes(), now.plus_ms(lease_ms).as_micros()],
                    )
                    .map(drop)
                    .map_err(refused)
            })
            .await?;
        Ok(())
    }

    async fn retire(&self, node: NodeId) -> Result<(), StoreError> {
        self.writer
            .run(move |connection| {
                connection
                    .execute("DELETE FROM nodes WHERE id = ?1", [node.uuid().into_bytes()])
                    .map(drop)
                    .map_err(refused)
            })
            .await?;
        Ok(())
    }
}
