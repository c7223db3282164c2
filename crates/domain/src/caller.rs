//! Who calls: the tenant, the principal and the scopes come from a verified credential, never from tool input.

use std::{collections::BTreeSet, fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{
    governance::PermissionSet,
    ids::{AgentId, KeyId, TenantId, UserId, WebhookId, WorkspaceId},
};

macro_rules! scopes {
    ($($variant:ident = $wire:tt, $doc:literal;)*) => {
        /// What an API key may do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum Scope {
            $(#[doc = $doc] #[serde(rename = $wire)] $variant,)*
        }

        impl Scope {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)* }
            }
        }
    };
}

scopes! {
    ToolsRead = "tools:read", "List tools and read their definitions.";
    ToolsExecute = "tools:execute", "Call tools, and cancel one's own calls.";
    ToolsWrite = "tools:write", "Register tools and change their lifecycle.";
    InvocationsRead = "invocations:read", "Read invocations, receipts, events and blobs.";
    InvocationsCancel = "invocations:cancel", "Cancel calls and runs of others, besides one's own.";
    ApprovalsDecide = "approvals:decide", "Approve or reject calls that wait for a person.";
    TasksWork = "tasks:work", "List tasks; start, complete and cancel them.";
    MetricsRead = "metrics:read", "Read the metrics.";
    AgentsRead = "agents:read", "Read agents, skills, profiles, assignments and permissions.";
    AgentsWrite = "agents:write", "Make and change agents, skills and profiles, assign tools, set permissions.";
    PoliciesRead = "policies:read", "Read the policy, and judge past calls by another one.";
    PoliciesWrite = "policies:write", "Put a policy in force, and change the tenant's own limits.";
    SecretsWrite = "secrets:write", "Set, list, rotate and delete secrets.";
    PeopleRead = "people:read", "List users, roles and workspaces.";
    PeopleWrite = "people:write", "Make and change users, roles and workspaces.";
    AuditRead = "audit:read", "Read, verify and export the audit trail.";
    WebhooksWrite = "webhooks:write", "Say where questions are sent, and see whether they arrive.";
    Admin = "admin", "Everything, including keys and people.";
}

impl Scope {
    /// The permissions that the scope stands for; `admin` stands for all.
    pub fn permissions(self) -> &'static [&'static str] {
        match self {
            Self::ToolsRead => &["tools.tenant.read"],
            Self::ToolsExecute => &["tools.tenant.execute"],
            Self::ToolsWrite => &["tools.tenant.create", "tools.tenant.update"],
            Self::InvocationsRead => &["invocations.tenant.read"],
            Self::InvocationsCancel => &["invocations.tenant.cancel"],
            Self::ApprovalsDecide => &["approvals.tenant.decide"],
            Self::TasksWork => &["tasks.tenant.work"],
            Self::MetricsRead => &["metrics.tenant.read"],
            Self::AgentsRead => &["agents.tenant.read"],
            Self::AgentsWrite => &[
                "agents.tenant.read",
                "agents.tenant.create",
                "agents.tenant.update",
                "agents.tenant.archive",
            ],
            Self::PoliciesRead => &["policies.tenant.read"],
            Self::PoliciesWrite => &["policies.tenant.read", "policies.tenant.update"],
            Self::SecretsWrite => {
                &["secrets.user.update", "secrets.workspace.update", "secrets.tenant.update"]
            }
            Self::PeopleRead => &["people.tenant.read"],
            Self::PeopleWrite => &["people.tenant.read", "people.tenant.update"],
            Self::AuditRead => &["audit.tenant.read"],
            Self::WebhooksWrite => &["webhooks.tenant.update"],
            Self::Admin => &[],
        }
    }

    /// Everything that a key with these scopes may do.
    pub fn granted<'a>(scopes: impl IntoIterator<Item = &'a Self>) -> PermissionSet {
        let mut granted = PermissionSet::default();
        for scope in scopes {
            granted.extend(&match scope {
                Self::Admin => PermissionSet::all(),
                other => PermissionSet::of(other.permissions().iter().copied()),
            });
        }
        granted
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, thiserror::Error)]
#[error("unknown scope `{0}`; the scopes are {names}", names = Scope::ALL.iter().map(|s| s.as_str()).collect::<Vec<_>>().join(", "))]
pub struct UnknownScope(String);

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        Self::ALL
            .iter()
            .copied()
            .find(|scope| scope.as_str() == text)
            .ok_or_else(|| UnknownScope(text.chars().take(64).collect()))
    }
}

/// The one who is answerable for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Principal {
    Key(KeyId),
    User(UserId),
    Agent(AgentId),
    /// Somebody outside who follows a link that was sent to a webhook. It can answer, and nothing else.
    Webhook(WebhookId),
    /// Toolgate itself: recovery, offline checks.
    System,
}

impl Principal {
    /// Reads what `Display` wrote; nothing when it names nobody.
    pub fn parse(text: &str) -> Option<Self> {
        let (prefix, _) = text.split_once('_').unwrap_or((text, ""));
        match prefix {
            "system" => Some(Self::System),
            KeyId::PREFIX => text.parse().ok().map(Self::Key),
            UserId::PREFIX => text.parse().ok().map(Self::User),
            AgentId::PREFIX => text.parse().ok().map(Self::Agent),
            WebhookId::PREFIX => text.parse().ok().map(Self::Webhook),
            _ => None,
        }
    }
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(id) => id.fmt(f),
            Self::User(id) => id.fmt(f),
            Self::Agent(id) => id.fmt(f),
            Self::Webhook(id) => id.fmt(f),
            Self::System => f.write_str("system"),
        }
    }
}

/// With what a caller proved who they are; a browser's session is none that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Credential {
    Key(KeyId),
    /// An access token of an issuer that the operator trusts. A client renews it, so one counts as any other of the same person.
    AccessToken,
    /// The program itself, started on the machine in a person's name: an MCP client behind a pipe.
    Local,
}

const ACCESS_TOKEN: &str = "access_token";
const LOCAL: &str = "local";

impl fmt::Display for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(id) => id.fmt(f),
            Self::AccessToken => f.write_str(ACCESS_TOKEN),
            Self::Local => f.write_str(LOCAL),
        }
    }
}

impl Serialize for Credential {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Credential {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        match &*text {
            ACCESS_TOKEN => Ok(Self::AccessToken),
            LOCAL => Ok(Self::Local),
            key => key.parse().map(Self::Key).map_err(serde::de::Error::custom),
        }
    }
}

/// A verified caller. Without one there is no data.
#[derive(Clone, Debug)]
pub struct Caller {
    pub tenant_id: TenantId,
    pub tenant_slug: Arc<str>,
    pub principal: Principal,
    /// The scopes of the key; empty for a person who signed in.
    pub scopes: Arc<[Scope]>,
    pub roles: Arc<[String]>,
    /// What the credential may do, all told: the scopes of a key, the roles of a person, what both allow for a person's key.
    pub permissions: Arc<PermissionSet>,
    /// The agent that calls, when the credential is an agent's.
    pub agent_id: Option<AgentId>,
    /// The teams the caller belongs to; absent means every team of the tenant.
    pub workspaces: Option<Arc<BTreeSet<WorkspaceId>>>,
    /// A key for stdio and background work.
    pub service_role: bool,
    /// Absent for a browser's session, and for what Toolgate calls by itself.
    pub credential: Option<Credential>,
    /// The person who agreed to the very call that the caller makes, where somebody was asked.
    pub agreed_by: Option<Principal>,
}

impl Caller {
    /// A caller with the permissions that the scopes stand for.
    pub fn with_scopes(
        tenant_id: TenantId,
        tenant_slug: &str,
        principal: Principal,
        scopes: &[Scope],
    ) -> Self {
        let agent_id = match principal {
            Principal::Agent(id) => Some(id),
            _ => None,
        };
        Self {
            tenant_id,
            tenant_slug: tenant_slug.into(),
            principal,
            scopes: scopes.into(),
            roles: Arc::default(),
            permissions: Arc::new(Scope::granted(scopes)),
            agent_id,
            workspaces: None,
            service_role: false,
            credential: None,
            agreed_by: None,
        }
    }

    /// Whether the caller may do everything that the scope stands for.
    pub fn may(&self, scope: Scope) -> bool {
        match scope {
            Scope::Admin => self.permissions.is_all(),
            other => self.permissions.contains_all(other.permissions()),
        }
    }

    pub fn has(&self, permission: &str) -> bool {
        self.permissions.contains(permission)
    }

    /// Whether the caller may change what somebody may do: tools, agents, rules, keys, people. An agent proposes such a change by a call
    /// that waits for a person, whatever its scopes are.
    pub fn may_change_powers(&self) -> bool {
        self.agent_id.is_none() || matches!(self.agreed_by, Some(Principal::User(_)))
    }

    /// Whether the caller belongs to the team; what has no team is everybody's.
    pub fn is_in(&self, workspace: Option<WorkspaceId>) -> bool {
        match (workspace, &self.workspaces) {
            (None, _) | (_, None) => true,
            (Some(id), Some(own)) => own.contains(&id),
        }
    }

    pub fn user_id(&self) -> Option<UserId> {
        match self.principal {
            Principal::User(id) => Some(id),
            _ => None,
        }
    }

    /// Toolgate's own caller inside a tenant.
    pub fn system(tenant_id: TenantId, tenant_slug: &str) -> Self {
        Self::with_scopes(tenant_id, tenant_slug, Principal::System, &[Scope::Admin])
    }
}
