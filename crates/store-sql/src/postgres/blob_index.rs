use async_trait::async_trait;
use sqlx::postgres::PgRow;
use toolgate_domain::{BlobId, InvocationId, TenantId};
use toolgate_store::{BlobIndex, BlobRecord, StoreError};

use super::{
    Postgres,
    database::refused,
    rows::{get, get_count, get_time},
};

#[async_trait]
impl BlobIndex for Postgres {
    async fn find(&self, id: BlobId) -> Result<Option<BlobRecord>, StoreError> {
        let found = sqlx::query("SELECT * FROM toolgate_blob($1)")
            .bind(id.uuid())
            .fetch_optional(&self.pool)
            .await
            .map_err(refused)?;
        found.as_ref().map(read_blob).transpose()
    }
}

fn read_blob(row: &PgRow) -> Result<BlobRecord, StoreError> {
    Ok(BlobRecord {
        id: BlobId::from_uuid(get(row, "id")?),
        tenant_id: TenantId::from_uuid(get(row, "tenant_id")?),
        invocation_id: InvocationId::from_uuid(get(row, "invocation_id")?),
        content_type: get(row, "content_type")?,
        bytes: get_count(row, "bytes")?,
        created_at: get_time(row, "created_at")?,
    })
}
