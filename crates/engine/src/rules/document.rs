//! Reading and writing one document with its audit event.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use toolgate_domain::{AuditEvent, Caller, TenantId, ids::Uuid};
use toolgate_store::{Kind, Record, RecordWrite, StoreError};

use super::{RuleError, Rules};

/// A document as it is kept, and as it is meant.
pub(super) struct Document<T> {
    pub(super) record: Record,
    pub(super) value: T,
}

pub(super) fn decode<T: DeserializeOwned>(record: &Record) -> Result<T, StoreError> {
    T::deserialize(&record.body)
        .map_err(|e| StoreError::Corrupt(format!("{:?} {}: {e}", record.kind, record.id)))
}

pub(super) fn encode(value: &impl Serialize) -> Result<Value, RuleError> {
    serde_json::to_value(value).map_err(|e| RuleError::Invalid(e.to_string()))
}

/// The names under which a change is told: `agent.create`, `agt_…`.
pub(super) struct Told<'a> {
    pub(super) action: &'a str,
    pub(super) target: String,
}

impl Rules {
    pub(super) async fn read<T: DeserializeOwned>(
        &self,
        tenant: TenantId,
        kind: Kind,
        id: Uuid,
    ) -> Result<Option<Document<T>>, StoreError> {
        let found = self.stores.records.get(tenant, kind, id).await?;
        found.map(|record| Ok(Document { value: decode(&record)?, record })).transpose()
    }

    pub(super) async fn read_named<T: DeserializeOwned>(
        &self,
        tenant: TenantId,
        kind: Kind,
        name: &str,
    ) -> Result<Option<Document<T>>, StoreError> {
        let found = self.stores.records.by_name(tenant, kind, name).await?;
        found.map(|record| Ok(Document { value: decode(&record)?, record })).transpose()
    }

    pub(super) async fn read_all<T: DeserializeOwned>(
        &self,
        tenant: TenantId,
        kind: Kind,
    ) -> Result<Vec<T>, StoreError> {
        self.stores.records.all(tenant, kind).await?.iter().map(decode).collect()
    }

    pub(super) fn event(&self, caller: &Caller, told: &Told<'_>) -> AuditEvent {
        AuditEvent::by(caller, &*self.ids, &*self.clock, told.action, &told.target)
    }

    fn fresh(&self, caller: &Caller, kind: Kind, id: Uuid, name: &str, body: Value) -> Record {
        let now = self.clock.now();
        Record {
            tenant_id: caller.tenant_id,
            kind,
            id,
            name: name.to_owned(),
            body,
            revision: 1,
            created_at: now,
            updated_at: now,
        }
    }

    /// Adds a document. `taken` is what the caller is told when the name is somebody else's.
    pub(super) async fn add(
        &self,
        caller: &Caller,
        kind: Kind,
        (id, name): (Uuid, &str),
        value: &impl Serialize,
        told: Told<'_>,
        taken: impl FnOnce() -> String,
    ) -> Result<(), RuleError> {
        let known = self.stores.records.all(caller.tenant_id, kind).await?.len() as u64;
        if known >= self.limits.max_documents {
            return Err(RuleError::Conflict(format!(
                "this tenant has {known} of them, the most it may have"
            )));
        }
        let body = encode(value)?;
        let event = self.event(caller, &told).to(without_secrets(&body));
        let write = RecordWrite::Insert(self.fresh(caller, kind, id, name, body));
        match self.commit(caller, vec![write], vec![event]).await {
            Err(RuleError::Conflict(_)) => Err(RuleError::Conflict(taken())),
            other => other,
        }
    }

    /// Replaces a document by `value`, under its old name or another.
    pub(super) async fn replace<T>(
        &self,
        caller: &Caller,
        old: Document<T>,
        name: &str,
        value: &impl Serialize,
        told: Told<'_>,
    ) -> Result<(), RuleError> {
        let (write, event) = self.replacing(caller, old, name, value, &told)?;
        self.commit(caller, vec![write], vec![event]).await
    }

    /// What it takes to replace a document, for several in one commit.
    pub(super) fn replacing<T>(
        &self,
        caller: &Caller,
        old: Document<T>,
        name: &str,
        value: &impl Serialize,
        told: &Told<'_>,
    ) -> Result<(RecordWrite, AuditEvent), RuleError> {
        let body = encode(value)?;
        let event =
            self.event(caller, told).from(without_secrets(&old.record.body)).to(without_secrets(&body));
        let record = Record {
            name: name.to_owned(),
            body,
            revision: old.record.revision + 1,
            updated_at: self.clock.now(),
            ..old.record
        };
        Ok((RecordWrite::Update(record), event))
    }

    pub(super) async fn remove<T>(
        &self,
        caller: &Caller,
        old: Document<T>,
        told: Told<'_>,
    ) -> Result<(), RuleError> {
        let (write, event) = self.removing(caller, &old, &told);
        self.commit(caller, vec![write], vec![event]).await
    }

    /// What it takes to remove a document, for several in one commit.
    pub(super) fn removing<T>(
        &self,
        caller: &Caller,
        old: &Document<T>,
        told: &Told<'_>,
    ) -> (RecordWrite, AuditEvent) {
        let event = self.event(caller, told).from(without_secrets(&old.record.body));
        let Record { kind, id, revision, .. } = old.record;
        (RecordWrite::Delete { kind, id, revision }, event)
    }

    /// What it takes to put a document under a name, or to take it away; nothing when it is so already. For several documents in one
    /// commit.
    pub(super) async fn change(
        &self,
        caller: &Caller,
        (kind, name): (Kind, &str),
        value: Option<Value>,
        told: Told<'_>,
    ) -> Result<Option<(RecordWrite, AuditEvent)>, RuleError> {
        let old = self.stores.records.by_name(caller.tenant_id, kind, name).await?;
        let event = self.event(caller, &told);
        Ok(match (old, value) {
            (None, None) => None,
            (Some(old), Some(value)) if old.body == value => None,
            (None, Some(value)) => {
                let write = self.fresh(caller, kind, self.ids.uuid(), name, value.clone());
                Some((RecordWrite::Insert(write), event.to(value)))
            }
            (Some(old), None) => {
                let write = RecordWrite::Delete { kind, id: old.id, revision: old.revision };
                Some((write, event.from(old.body)))
            }
            (Some(old), Some(value)) => {
                let event = event.from(&old.body).to(&value);
                let (revision, updated_at) = (old.revision + 1, self.clock.now());
                Some((RecordWrite::Update(Record { body: value, revision, updated_at, ..old }), event))
            }
        })
    }

    /// Adds a document under a name, or replaces the one that has it.
    pub(super) async fn put(
        &self,
        caller: &Caller,
        kind: Kind,
        name: &str,
        value: &impl Serialize,
        told: Told<'_>,
    ) -> Result<(), RuleError> {
        match self.read_named::<Value>(caller.tenant_id, kind, name).await? {
            Some(old) => self.replace(caller, old, name, value, told).await,
            None => {
                let id = self.ids.uuid();
                let taken = || "somebody else set it at the same moment: look at it again".to_owned();
                self.add(caller, kind, (id, name), value, told, taken).await
            }
        }
    }
}

/// What an audit event may show of a document.
fn without_secrets(body: &Value) -> Value {
    let mut shown = body.clone();
    if let Some(fields) = shown.as_object_mut() {
        for hidden in ["password_hash", "sealed", "secret"] {
            fields.remove(hidden);
        }
    }
    shown
}
