use serde::{Deserialize, Serialize};

use super::PermissionSet;

const VIEWER: &[&str] = &["tools.tenant.read", "invocations.tenant.read", "agents.tenant.read"];
const MEMBER: &[&str] = &["tools.tenant.execute", "secrets.user.update", "tasks.tenant.work"];
const APPROVER: &[&str] = &["approvals.tenant.decide", "tasks.tenant.work"];
const BUILDER: &[&str] = &[
    "tools.tenant.create",
    "tools.tenant.update",
    "agents.tenant.create",
    "agents.tenant.update",
    "agents.tenant.archive",
    "secrets.workspace.update",
    "policies.tenant.read",
];
const OPERATOR: &[&str] = &[
    "invocations.tenant.cancel",
    "policies.tenant.update",
    "secrets.tenant.update",
    "metrics.tenant.read",
    "audit.tenant.read",
    "people.tenant.read",
    "webhooks.tenant.update",
];

/// The roles every tenant has, each with the groups of permissions it is made of. `admin` may do everything.
pub const BUILT_IN_ROLES: &[(&str, &[&[&str]])] = &[
    ("viewer", &[VIEWER]),
    ("member", &[VIEWER, MEMBER]),
    ("approver", &[VIEWER, APPROVER]),
    ("builder", &[VIEWER, MEMBER, BUILDER]),
    ("operator", &[VIEWER, MEMBER, APPROVER, BUILDER, OPERATOR]),
    ("admin", &[]),
];

/// A tenant's own role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Role {
    pub name: String,
    pub permissions: Vec<String>,
}

impl Role {
    /// What a built-in role may do.
    pub fn built_in(name: &str) -> Option<PermissionSet> {
        if name == "admin" {
            return Some(PermissionSet::all());
        }
        let (_, groups) = BUILT_IN_ROLES.iter().find(|(known, _)| *known == name)?;
        Some(PermissionSet::of(groups.iter().flat_map(|group| group.iter().copied())))
    }
}
