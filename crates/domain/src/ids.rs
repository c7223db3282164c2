//! A newtype per id: UUIDv7 inside, a prefix on the wire (`inv_…`). A bare UUID is accepted wherever an id is read.

use std::{fmt, str::FromStr, sync::Mutex};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
pub use uuid::Uuid;
use uuid::fmt::Hyphenated;

use crate::time::Clock;

#[derive(Debug, thiserror::Error)]
#[error("`{given}` is not {article} {kind} id: expected `{prefix}_` and a UUID, or a bare UUID")]
pub struct IdError {
    given: String,
    article: &'static str,
    kind: &'static str,
    prefix: &'static str,
}

/// An id as it stands on the wire, without the machinery of formatting: a call writes a dozen of them.
struct Written {
    bytes: [u8; Self::ROOM],
    len: usize,
}

impl Written {
    const ROOM: usize = 48;

    fn new(prefix: &str, uuid: Uuid) -> Self {
        let (mut bytes, start) = ([b'_'; Self::ROOM], prefix.len() + 1);
        let len = start + Hyphenated::LENGTH;
        bytes[..prefix.len()].copy_from_slice(prefix.as_bytes());
        uuid.hyphenated().encode_lower(&mut bytes[start..len]);
        Self { bytes, len }
    }

    fn as_str(&self) -> &str {
        // Nothing but ASCII was put there.
        str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident, $prefix:literal, $article:literal $kind:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "openapi", schema(value_type = String, example = json!(concat!($prefix, "_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11"))))]
        pub struct $name(Uuid);

        impl $name {
            pub const PREFIX: &'static str = $prefix;

            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            pub const fn uuid(self) -> Uuid {
                self.0
            }

            pub fn generate(ids: &dyn IdGen) -> Self {
                Self(ids.uuid())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(Written::new(Self::PREFIX, self.0).as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let bare = text.strip_prefix(concat!($prefix, "_")).unwrap_or(text);
                Uuid::try_parse(bare).map(Self).map_err(|_| IdError {
                    given: text.chars().take(64).collect(),
                    article: $article,
                    kind: $kind,
                    prefix: $prefix,
                })
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(Written::new(Self::PREFIX, self.0).as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

ids! {
    /// The outermost wall.
    TenantId, "ten", "a" "tenant";
    UserId, "usr", "a" "user";
    /// A group of users within a tenant.
    WorkspaceId, "wsp", "a" "workspace";
    AgentId, "agt", "an" "agent";
    /// One version of one tool in one tenant.
    ToolId, "tool", "a" "tool";
    InvocationId, "inv", "an" "invocation";
    SessionId, "ses", "a" "session";
    /// A browser's session: one person who signed in.
    LoginId, "lgn", "a" "session of a browser";
    RunId, "run", "a" "run";
    StepId, "stp", "a" "step";
    KeyId, "key", "an" "API key";
    BlobId, "blb", "a" "blob";
    SchemaVersionId, "sch", "a" "schema version";
    /// A reusable bundle of overrides.
    ProfileId, "prf", "a" "profile";
    AssignmentId, "asg", "an" "assignment";
    AuditId, "aud", "an" "audit event";
    PolicyId, "pol", "a" "policy";
    SecretId, "sec", "a" "secret";
    WebhookId, "whk", "a" "webhook";
    /// One question on its way to one webhook.
    DeliveryId, "dlv", "a" "delivery";
    /// Work that a tool handed to somebody.
    TaskId, "tsk", "a" "task";
    SkillId, "skl", "a" "skill";
    /// A provider of models.
    ProviderId, "prv", "a" "provider";
    /// An MCP server of somebody else.
    UpstreamId, "ups", "an" "upstream";
    PackId, "pck", "a" "pack";
    OverrideId, "ovr", "an" "override";
    /// A conversation with an agent.
    ThreadId, "thr", "a" "thread";
    MessageId, "msg", "a" "message";
    /// One running process.
    NodeId, "nod", "a" "node";
}

impl TenantId {
    /// The tenant of a fresh installation, and the one whose rows apply to all.
    pub const DEFAULT: Self = Self(Uuid::nil());
}

impl SessionId {
    /// A call made outside any session is a session of its own.
    pub fn of_lone_call(invocation: InvocationId) -> Self {
        Self(invocation.uuid())
    }
}

/// Where new ids come from.
pub trait IdGen: Send + Sync {
    fn uuid(&self) -> Uuid;
}

/// UUIDv7 that never goes backwards within a process, so that ids sort in the order they were made.
pub struct OrderedIds<C> {
    clock: C,
    context: Mutex<uuid::ContextV7>,
}

impl<C: Clock> OrderedIds<C> {
    pub fn new(clock: C) -> Self {
        Self { clock, context: Mutex::new(uuid::ContextV7::new()) }
    }
}

impl<C: Clock> IdGen for OrderedIds<C> {
    fn uuid(&self) -> Uuid {
        let millis = u64::try_from(self.clock.now().as_millis()).unwrap_or(0);
        let context = self.context.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let nanos = u32::try_from(millis % 1_000).unwrap_or(0) * 1_000_000;
        Uuid::new_v7(uuid::Timestamp::from_unix(&*context, millis / 1_000, nanos))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::SystemClock;

    #[test]
    fn an_id_reads_with_and_without_its_prefix_and_writes_with_it() {
        let id: InvocationId = "019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11".parse().unwrap();
        assert_eq!(id.to_string(), "inv_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11");
        assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{id}\""));
        assert_eq!(id, id.to_string().parse().unwrap());
    }

    #[test]
    fn the_prefix_of_another_kind_is_refused_by_name() {
        let error = "agt_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11".parse::<InvocationId>().unwrap_err();
        assert!(error.to_string().contains("an invocation id"), "{error}");
    }

    #[test]
    fn ids_sort_in_the_order_they_were_made() {
        let ids = OrderedIds::new(SystemClock);
        let made: Vec<_> = (0..10_000).map(|_| ids.uuid()).collect();
        assert!(made.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
