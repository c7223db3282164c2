use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Digest, Item, ItemKind};
use crate::{
    caller::Caller,
    hash::sha256,
    ids::{AuditId, IdGen, TenantId},
    time::{Clock, Timestamp},
};

/// Who changed what, and how it was before. Secrets and password hashes are never in `before` or `after`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditEvent {
    pub id: AuditId,
    pub tenant_id: TenantId,
    pub at: Timestamp,
    /// The principal, as text.
    pub actor: String,
    /// `thing.verb`: `agent.update`, `approval.approve`, `key.revoke`.
    pub action: String,
    /// The id or name of the thing.
    pub target: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
}

impl AuditEvent {
    /// Something the caller does now, in their own tenant.
    pub fn by(
        caller: &Caller,
        ids: &dyn IdGen,
        clock: &dyn Clock,
        action: &str,
        target: impl ToString,
    ) -> Self {
        Self {
            id: AuditId::generate(ids),
            tenant_id: caller.tenant_id,
            at: clock.now(),
            actor: caller.principal.to_string(),
            action: action.to_owned(),
            target: target.to_string(),
            before: None,
            after: None,
        }
    }

    pub fn from(mut self, before: impl Serialize) -> Self {
        self.before = serde_json::to_value(before).ok();
        self
    }

    pub fn to(mut self, after: impl Serialize) -> Self {
        self.after = serde_json::to_value(after).ok();
        self
    }

    /// SHA-256 of the event as compact JSON with sorted keys.
    pub fn digest(&self) -> Digest {
        // An event always encodes: its keys are strings and its numbers finite.
        let value = serde_json::to_value(self).unwrap_or_default();
        sha256(value.to_string().as_bytes())
    }

    pub fn item(&self) -> Item {
        Item { kind: ItemKind::Event, id: self.id.uuid(), digest: self.digest() }
    }
}
