use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use object_store::{
    MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload, aws::AmazonS3Builder, local::LocalFileSystem,
    path::Path as Key,
};
use toolgate_domain::{BlobId, TenantId};
use toolgate_store::{BlobRead, BlobWriter, Blobs, StoreError};

/// S3 wants parts of at least 5 MiB.
const PART_BYTES: usize = 5 * 1024 * 1024;

/// Blobs behind the `object_store` trait.
#[derive(Clone)]
pub struct ObjectBlobs {
    objects: Arc<dyn ObjectStore>,
    prefix: String,
}

impl ObjectBlobs {
    /// Blobs as files below `directory`, which is made when it is missing.
    pub fn local(directory: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(directory)
            .map_err(|e| StoreError::Unavailable(format!("{}: {e}", directory.display())))?;
        let objects =
            LocalFileSystem::new_with_prefix(directory).map_err(unavailable)?.with_automatic_cleanup(true);
        Ok(Self::with_store(Arc::new(objects), ""))
    }

    /// `s3://bucket/prefix`, with endpoint, region and credentials from the usual `AWS_…` variables.
    pub fn s3(url: &str) -> Result<Self, StoreError> {
        let rest = url.strip_prefix("s3://").unwrap_or(url);
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let plain =
            std::env::var("AWS_ENDPOINT_URL").or_else(|_| std::env::var("AWS_ENDPOINT")).unwrap_or_default();
        let objects = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_allow_http(plain.starts_with("http://"))
            .build()
            .map_err(unavailable)?;
        Ok(Self::with_store(Arc::new(objects), prefix))
    }

    /// Blobs in any store of objects, below `prefix`.
    pub fn with_store(objects: Arc<dyn ObjectStore>, prefix: &str) -> Self {
        Self { objects, prefix: prefix.trim_matches('/').to_owned() }
    }

    fn key(&self, tenant: TenantId, id: BlobId) -> Key {
        let parts =
            [self.prefix.as_str(), &tenant.uuid().to_string(), &id.uuid().to_string()].map(str::to_owned);
        Key::from_iter(parts.into_iter().filter(|part| !part.is_empty()))
    }
}

fn unavailable(error: object_store::Error) -> StoreError {
    StoreError::Unavailable(error.to_string())
}

struct Upload {
    upload: Box<dyn MultipartUpload>,
    part: Vec<u8>,
    bytes: u64,
}

impl Upload {
    async fn send_part(&mut self) -> Result<(), StoreError> {
        let part = std::mem::take(&mut self.part);
        self.upload.put_part(PutPayload::from(part)).await.map_err(unavailable)
    }
}

#[async_trait]
impl BlobWriter for Upload {
    async fn write(&mut self, chunk: Bytes) -> Result<(), StoreError> {
        self.bytes += chunk.len() as u64;
        self.part.extend_from_slice(&chunk);
        if self.part.len() >= PART_BYTES { self.send_part().await } else { Ok(()) }
    }

    async fn finish(mut self: Box<Self>) -> Result<u64, StoreError> {
        if !self.part.is_empty() || self.bytes == 0 {
            self.send_part().await?;
        }
        self.upload.complete().await.map_err(unavailable)?;
        Ok(self.bytes)
    }

    async fn abort(mut self: Box<Self>) -> Result<(), StoreError> {
        self.upload.abort().await.map_err(unavailable)
    }
}

#[async_trait]
impl Blobs for ObjectBlobs {
    async fn create(&self, tenant: TenantId, id: BlobId) -> Result<Box<dyn BlobWriter>, StoreError> {
        let upload = self.objects.put_multipart(&self.key(tenant, id)).await.map_err(unavailable)?;
        Ok(Box::new(Upload { upload, part: Vec::new(), bytes: 0 }))
    }

    async fn read(&self, tenant: TenantId, id: BlobId) -> Result<Option<BlobRead>, StoreError> {
        match self.objects.get(&self.key(tenant, id)).await {
            Ok(found) => {
                let bytes = found.meta.size;
                Ok(Some(BlobRead { bytes, stream: found.into_stream().map_err(unavailable).boxed() }))
            }
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(unavailable(error)),
        }
    }
}
