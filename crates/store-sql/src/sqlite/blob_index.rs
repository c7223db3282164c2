use async_trait::async_trait;
use rusqlite::Row;
use toolgate_domain::{BlobId, InvocationId, TenantId};
use toolgate_store::{BlobIndex, BlobRecord, StoreError};

use super::{
    Sqlite,
    database::refused,
    rows::{get_text, get_time, get_uuid, query},
};

#[async_trait]
impl BlobIndex for Sqlite {
    async fn find(&self, id: BlobId) -> Result<Option<BlobRecord>, StoreError> {
        self.readers
            .run(move |connection| {
                Ok(query(
                    connection,
                    "SELECT * FROM blobs WHERE id = ?1",
                    [id.uuid().into_bytes()],
                    read_blob,
                )?
                .pop())
            })
            .await
    }
}

fn read_blob(row: &Row<'_>) -> Result<BlobRecord, StoreError> {
    Ok(BlobRecord {
        id: BlobId::from_uuid(get_uuid(row, "id")?),
        tenant_id: TenantId::from_uuid(get_uuid(row, "tenant_id")?),
        invocation_id: InvocationId::from_uuid(get_uuid(row, "invocation_id")?),
        content_type: get_text(row, "content_type")?,
        bytes: u64::try_from(row.get::<_, i64>("bytes").map_err(refused)?).unwrap_or(0),
        created_at: get_time(row, "created_at")?,
    })
}
