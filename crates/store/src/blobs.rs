use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use toolgate_domain::{BlobId, InvocationId, TenantId, Timestamp};

use crate::StoreError;

/// What the ledger knows of a blob; the bytes lie in the object store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobRecord {
    pub id: BlobId,
    pub tenant_id: TenantId,
    pub invocation_id: InvocationId,
    pub content_type: String,
    pub bytes: u64,
    pub created_at: Timestamp,
}

/// A blob on its way in. Nothing of it can be read before `finish`.
#[async_trait]
pub trait BlobWriter: Send {
    async fn write(&mut self, chunk: Bytes) -> Result<(), StoreError>;

    /// The number of bytes written.
    async fn finish(self: Box<Self>) -> Result<u64, StoreError>;

    async fn abort(self: Box<Self>) -> Result<(), StoreError>;
}

pub struct BlobRead {
    pub bytes: u64,
    pub stream: BoxStream<'static, Result<Bytes, StoreError>>,
}

/// The bytes of blobs: a directory or a bucket.
#[async_trait]
pub trait Blobs: Send + Sync {
    async fn create(&self, tenant: TenantId, id: BlobId) -> Result<Box<dyn BlobWriter>, StoreError>;

    async fn read(&self, tenant: TenantId, id: BlobId) -> Result<Option<BlobRead>, StoreError>;
}

#[async_trait]
pub trait BlobIndex: Send + Sync {
    /// The record that the ledger committed for a blob. Blobs are reached by signed address, so no tenant is asked for:
    /// the record tells it.
    async fn find(&self, id: BlobId) -> Result<Option<BlobRecord>, StoreError>;
}
