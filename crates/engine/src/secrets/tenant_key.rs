//! A tenant's data key as it is kept: one record per tenant, wrapped by the master key.

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};
use toolgate_domain::{IdGen, TenantId, Timestamp};
use toolgate_store::{Kind, Record, RecordWrite, Stores};

use super::{SecretError, WrappedKey};

/// There is one, and its name says so: of two processes that make it at once, one is refused.
const NAME: &str = "data";

#[derive(Serialize, Deserialize)]
struct Body {
    master_key_id: String,
    nonce: String,
    ciphertext: String,
}

pub(super) struct TenantKey {
    pub(super) wrapped: WrappedKey,
    record: Record,
    is_new: bool,
}

impl TenantKey {
    pub(super) async fn read(stores: &Stores, tenant: TenantId) -> Result<Option<Self>, SecretError> {
        let Some(record) = stores.records.by_name(tenant, Kind::TenantKey, NAME).await? else {
            return Ok(None);
        };
        let corrupt = || SecretError::corrupt(format!("the key of {tenant}"));
        let body = Body::deserialize(&record.body).map_err(|_| corrupt())?;
        let bytes = |text: &str| BASE64.decode(text.as_bytes()).map_err(|_| corrupt());
        let nonce = bytes(&body.nonce)?.try_into().map_err(|_| corrupt())?;
        let wrapped =
            WrappedKey { master_key_id: body.master_key_id, nonce, ciphertext: bytes(&body.ciphertext)? };
        Ok(Some(Self { wrapped, record, is_new: false }))
    }

    pub(super) fn new(
        tenant: TenantId,
        wrapped: WrappedKey,
        ids: &dyn IdGen,
        now: Timestamp,
    ) -> Result<Self, SecretError> {
        let record = Record {
            tenant_id: tenant,
            kind: Kind::TenantKey,
            id: ids.uuid(),
            name: NAME.to_owned(),
            body: encode(&wrapped)?,
            revision: 1,
            created_at: now,
            updated_at: now,
        };
        Ok(Self { wrapped, record, is_new: true })
    }

    /// Goes with everything that is sealed with this key: a value sealed while the key was being replaced would never open
    /// again, so whoever comes second is told to start over.
    pub(super) fn held(self) -> RecordWrite {
        if self.is_new {
            return RecordWrite::Insert(self.record);
        }
        RecordWrite::Update(Record { revision: self.record.revision + 1, ..self.record })
    }

    pub(super) fn replaced(self, wrapped: &WrappedKey, now: Timestamp) -> Result<RecordWrite, SecretError> {
        let (body, revision) = (encode(wrapped)?, self.record.revision + 1);
        Ok(RecordWrite::Update(Record { body, revision, updated_at: now, ..self.record }))
    }
}

fn encode(wrapped: &WrappedKey) -> Result<serde_json::Value, SecretError> {
    let body = Body {
        master_key_id: wrapped.master_key_id.clone(),
        nonce: BASE64.encode(&wrapped.nonce),
        ciphertext: BASE64.encode(&wrapped.ciphertext),
    };
    serde_json::to_value(body).map_err(|_| SecretError::corrupt("a tenant's key"))
}
