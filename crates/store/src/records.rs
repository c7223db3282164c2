//! The rules as documents: each kind has its own table of one shape, so a new kind is a name and a migration.

use async_trait::async_trait;
use serde_json::Value;
use toolgate_domain::{AuditEvent, TenantId, Timestamp, ids::Uuid};

use crate::StoreError;

macro_rules! kinds {
    ($($variant:ident = $table:literal, $doc:literal;)*) => {
        /// What a document is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Kind {
            $(#[doc = $doc] $variant,)*
        }

        impl Kind {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub fn table(self) -> &'static str {
                match self { $(Self::$variant => $table,)* }
            }
        }
    };
}

kinds! {
    Workspace = "workspaces", "A team inside a tenant, by slug.";
    User = "users", "A person, by e-mail address.";
    Role = "roles", "A tenant's own set of permissions, by name.";
    Login = "logins", "A browser's session, by the hash of its token.";
    Agent = "agents", "An AI persona, by handle.";
    Profile = "tool_profiles", "A bundle of overrides, by name.";
    Assignment = "tool_assignments", "Agent × tool, by `agent/tool`.";
    Permission = "agent_tools", "The three-tier permissions of one agent, by the agent's id.";
    Switch = "tool_switches", "Whether a tool is enabled for the tenant, by the tool's name.";
    Policy = "policies", "A version of the tenant's policy, by version; the newest is in force.";
    Secret = "secrets", "A sealed value, by scope and name.";
    TenantKey = "tenant_keys", "The key that seals a tenant's secrets, itself wrapped.";
    Webhook = "webhooks", "Where questions are sent, by name.";
    Delivery = "webhook_deliveries", "A question on its way to a webhook.";
    Vote = "approval_votes", "A yes to a call that several people must agree to, by `invocation/person`.";
    Setting = "tenant_settings", "What a tenant decides for itself: limits, guard, budgets.";
    Override = "tool_overrides", "What a tenant changes of a tool that ships with the program, by the tool's name.";
    Pack = "packs", "A pack that the tenant installed, by name.";
    Skill = "skills", "Instructions that a prompt tool runs against an agent, by name.";
    Task = "tasks", "Work that a tool handed to somebody, by id.";
    Provider = "providers", "A provider of models that a tenant brings, by name.";
    Upstream = "mcp_servers", "An MCP server of somebody else, by name.";
    UpstreamLock = "mcp_tool_locks", "What was accepted of a tool that an upstream offers, by `server id/tool`.";
}

/// One document.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub tenant_id: TenantId,
    pub kind: Kind,
    pub id: Uuid,
    /// Unique within tenant and kind.
    pub name: String,
    pub body: Value,
    /// Grows by one with each change, from 1.
    pub revision: u64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RecordWrite {
    /// A new document; a conflict when its id or name is taken.
    Insert(Record),
    /// The document as it shall be; a conflict unless the kept one has the revision before.
    Update(Record),
    /// A conflict unless it is there in this revision.
    Delete { kind: Kind, id: Uuid, revision: u64 },
}

#[async_trait]
pub trait Records: Send + Sync {
    async fn get(&self, tenant: TenantId, kind: Kind, id: Uuid) -> Result<Option<Record>, StoreError>;

    async fn by_name(&self, tenant: TenantId, kind: Kind, name: &str) -> Result<Option<Record>, StoreError>;

    /// All documents of a kind, by id, which is the order in which they were made.
    async fn all(&self, tenant: TenantId, kind: Kind) -> Result<Vec<Record>, StoreError>;

    /// Documents whose name begins with `prefix`, by name.
    async fn named(&self, tenant: TenantId, kind: Kind, prefix: &str) -> Result<Vec<Record>, StoreError>;

    /// At most `limit` documents whose name begins with `prefix`, the last name first: those before the name `before`, if there is one.
    async fn last_named(
        &self,
        tenant: TenantId,
        kind: Kind,
        prefix: &str,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError>;

    /// How many documents have a name that begins with `prefix`.
    async fn count_named(&self, tenant: TenantId, kind: Kind, prefix: &str) -> Result<u64, StoreError>;

    /// Writes everything, with its audit events, or nothing.
    async fn commit(
        &self,
        tenant: TenantId,
        writes: Vec<RecordWrite>,
        audit: Vec<AuditEvent>,
    ) -> Result<(), StoreError>;
}
