//! Permissions are dotted names: `things.whose.action`. The list below is what Toolgate itself asks for; a tool may demand any
//! other name as its `required_permission`, and a tenant's role may grant it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Name and meaning of every permission that a route or a rule of Toolgate asks for.
pub const PERMISSIONS: &[(&str, &str)] = &[
    ("tools.tenant.read", "List tools and read their definitions."),
    ("tools.tenant.execute", "Call tools, and cancel one's own calls."),
    ("tools.tenant.create", "Register tools."),
    ("tools.tenant.update", "Change a tool's lifecycle, aliases and settings."),
    ("invocations.tenant.read", "Read invocations, receipts, events and blobs."),
    ("invocations.tenant.cancel", "Cancel calls and runs of others, besides one's own."),
    ("approvals.tenant.decide", "Approve or reject calls that wait for a person."),
    ("tasks.tenant.work", "List tasks; start, complete and cancel those that are one's own or nobody's."),
    ("agents.tenant.read", "Read agents, skills, profiles, assignments and permissions."),
    ("agents.tenant.create", "Make agents."),
    (
        "agents.tenant.update",
        "Change agents, assign tools to them, set their permissions, and change profiles and skills.",
    ),
    ("agents.tenant.archive", "Archive agents."),
    ("policies.tenant.read", "Read the tenant's policy, and judge past calls by another one."),
    ("policies.tenant.update", "Put a policy in force, and change the tenant's own limits."),
    ("secrets.user.update", "Set, rotate and delete one's own secrets."),
    ("secrets.workspace.update", "Set, rotate and delete secrets of one's workspaces."),
    ("secrets.tenant.update", "Set, rotate and delete secrets of the tenant."),
    ("metrics.tenant.read", "Read the metrics."),
    ("audit.tenant.read", "Read, verify and export the audit trail."),
    ("people.tenant.read", "List users, roles and workspaces."),
    ("people.tenant.update", "Make and change users, roles and workspaces."),
    ("keys.tenant.update", "Make, list and revoke API keys."),
    ("webhooks.tenant.update", "Say where questions are sent."),
    ("tenants.server.update", "Make and archive tenants; only from the installation's own tenant."),
];

/// A set of permissions, or all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermissionSet {
    all: bool,
    names: BTreeSet<String>,
}

impl PermissionSet {
    pub fn all() -> Self {
        Self { all: true, names: BTreeSet::new() }
    }

    pub fn of<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self { all: false, names: names.into_iter().map(Into::into).collect() }
    }

    pub fn contains(&self, name: &str) -> bool {
        self.all || self.names.contains(name)
    }

    pub fn contains_all(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.contains(name))
    }

    pub fn is_all(&self) -> bool {
        self.all
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    pub fn extend(&mut self, other: &Self) {
        self.all |= other.all;
        self.names.extend(other.names.iter().cloned());
    }

    /// What both hold.
    pub fn narrowed_to(&self, other: &Self) -> Self {
        match (self.all, other.all) {
            (true, _) => other.clone(),
            (_, true) => self.clone(),
            _ => Self { all: false, names: self.names.intersection(&other.names).cloned().collect() },
        }
    }
}

/// `things.whose.action`: lower case, digits, `_` and `-`, two to five parts.
pub fn is_permission_name(name: &str) -> bool {
    let parts: Vec<_> = name.split('.').collect();
    let part = |part: &&str| {
        !part.is_empty()
            && part.len() <= 40
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-')
    };
    (2..=5).contains(&parts.len()) && parts.iter().all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrowing_keeps_what_both_hold() {
        let some = PermissionSet::of(["a.b", "c.d"]);
        assert_eq!(PermissionSet::all().narrowed_to(&some), some);
        assert_eq!(some.narrowed_to(&PermissionSet::all()), some);
        assert_eq!(some.narrowed_to(&PermissionSet::of(["c.d", "e.f"])), PermissionSet::of(["c.d"]));
    }

    #[test]
    fn names_are_dotted() {
        assert!(PERMISSIONS.iter().all(|(name, _)| is_permission_name(name)));
        assert!(is_permission_name("entities.team.read"));
        for bad in ["", "tools", "Tools.tenant.read", "a..b", "a.b.c.d.e.f", "a.*"] {
            assert!(!is_permission_name(bad), "{bad}");
        }
    }
}
