//! A secret as it is kept: its scope and name are the record's name, its value is sealed.

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolgate_domain::{SecretId, TenantId, Timestamp};
use toolgate_store::Record;

use super::{SealedSecret, SecretError, SecretName, SecretPlace, SecretScope};

/// The body of the record.
#[derive(Clone, Serialize, Deserialize)]
struct Body {
    /// Grows with each value, from 1; the record's own revision also grows with each note of use.
    revision: u64,
    nonce: String,
    ciphertext: String,
    set_by: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_used_at: Option<Timestamp>,
}

/// A kept secret, still sealed.
#[derive(Clone)]
pub(crate) struct KeptSecret {
    pub(super) record: Record,
    pub(super) name: SecretName,
    pub(crate) scope: SecretScope,
    body: Body,
}

/// What anybody may see of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretInfo {
    pub id: SecretId,
    pub name: String,
    pub scope: SecretScope,
    /// Grows with each value, from 1.
    pub revision: u64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// To the minute.
    pub last_used_at: Option<Timestamp>,
}

/// The name of a secret's record.
pub(super) fn record_name(scope: SecretScope, name: &str) -> String {
    format!("{scope}/{name}")
}

pub(super) fn body_of(
    sealed: &SealedSecret,
    old: Option<&KeptSecret>,
    set_by: String,
) -> Result<Value, SecretError> {
    encode(&Body {
        revision: old.map_or(1, |old| old.revision() + 1),
        nonce: BASE64.encode(&sealed.nonce),
        ciphertext: BASE64.encode(&sealed.ciphertext),
        set_by,
        last_used_at: old.and_then(KeptSecret::last_used_at),
    })
}

fn encode(body: &Body) -> Result<Value, SecretError> {
    serde_json::to_value(body).map_err(|_| SecretError::corrupt("a secret"))
}

impl KeptSecret {
    pub(super) fn read(record: Record) -> Result<Self, SecretError> {
        let corrupt = || SecretError::corrupt(format!("the secret {}", record.id));
        let (scope, name) = record.name.split_once('/').ok_or_else(corrupt)?;
        let scope = SecretScope::parse(scope).ok_or_else(corrupt)?;
        let name = name.parse().map_err(|_| corrupt())?;
        let body = Body::deserialize(&record.body).map_err(|_| corrupt())?;
        Ok(Self { record, name, scope, body })
    }

    pub(super) fn revision(&self) -> u64 {
        self.body.revision
    }

    pub(super) fn last_used_at(&self) -> Option<Timestamp> {
        self.body.last_used_at
    }

    pub(super) fn place(&self, tenant: TenantId) -> SecretPlace<'_> {
        SecretPlace { tenant, scope: self.scope, name: &self.name }
    }

    pub(super) fn sealed(&self) -> Result<SealedSecret, SecretError> {
        let corrupt = || SecretError::corrupt(format!("the secret {}", self.record.id));
        let bytes = |text: &str| BASE64.decode(text.as_bytes()).map_err(|_| corrupt());
        let nonce = bytes(&self.body.nonce)?.try_into().map_err(|_| corrupt())?;
        Ok(SealedSecret { nonce, ciphertext: bytes(&self.body.ciphertext)? })
    }

    /// The same value sealed anew; neither its revision nor its dates change.
    pub(super) fn resealed(&self, sealed: &SealedSecret) -> Result<Record, SecretError> {
        let (nonce, ciphertext) = (BASE64.encode(&sealed.nonce), BASE64.encode(&sealed.ciphertext));
        self.with(Body { nonce, ciphertext, ..self.body.clone() })
    }

    pub(super) fn used_at(&self, moment: Timestamp) -> Result<Record, SecretError> {
        self.with(Body { last_used_at: Some(moment), ..self.body.clone() })
    }

    fn with(&self, body: Body) -> Result<Record, SecretError> {
        let body = encode(&body)?;
        Ok(Record { body, revision: self.record.revision + 1, ..self.record.clone() })
    }

    pub(crate) fn info(&self) -> SecretInfo {
        SecretInfo {
            id: SecretId::from_uuid(self.record.id),
            name: self.name.to_string(),
            scope: self.scope,
            revision: self.body.revision,
            created_at: self.record.created_at,
            updated_at: self.record.updated_at,
            last_used_at: self.body.last_used_at,
        }
    }
}
