//! Who calls: the tenant, the principal and the scopes come from a verified credential, never from tool input.

use std::{collections::BTreeSet, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::ids::{AgentId, KeyId, TenantId, UserId};

macro_rules! scopes {
    ($($variant:ident = $wire:literal, $doc:literal;)*) => {
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
    ApprovalsDecide = "approvals:decide", "Approve or reject calls that wait for a person.";
    MetricsRead = "metrics:read", "Read the metrics.";
    Admin = "admin", "Everything, including keys.";
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, thiserror::Error)]
#[error(
    "unknown scope `{0}`; the scopes are tools:read, tools:execute, tools:write, invocations:read, approvals:decide, metrics:read, admin"
)]
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
    /// Toolgate itself: recovery, offline checks.
    System,
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(id) => id.fmt(f),
            Self::User(id) => id.fmt(f),
            Self::Agent(id) => id.fmt(f),
            Self::System => f.write_str("system"),
        }
    }
}

/// A verified caller. Without one there is no data.
#[derive(Clone, Debug)]
pub struct Caller {
    pub tenant_id: TenantId,
    pub tenant_slug: String,
    pub principal: Principal,
    pub scopes: BTreeSet<Scope>,
}

impl Caller {
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&Scope::Admin) || self.scopes.contains(&scope)
    }

    /// Toolgate's own caller inside a tenant.
    pub fn system(tenant_id: TenantId, tenant_slug: &str) -> Self {
        Self {
            tenant_id,
            tenant_slug: tenant_slug.to_owned(),
            principal: Principal::System,
            scopes: BTreeSet::from([Scope::Admin]),
        }
    }
}
