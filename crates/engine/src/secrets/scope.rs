//! Whose a secret is, and which of several of one name a run gets.

use std::fmt;

use toolgate_domain::{UserId, ids::WorkspaceId};

/// Ordered by precedence: the first of a sorted list is the one to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SecretScope {
    User(UserId),
    Workspace(WorkspaceId),
    Tenant,
}

impl SecretScope {
    /// `user`, `workspace` or `tenant`.
    pub fn kind(self) -> &'static str {
        match self {
            Self::User(_) => "user",
            Self::Workspace(_) => "workspace",
            Self::Tenant => "tenant",
        }
    }

    /// Reads what `Display` wrote.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (prefix, _) = text.split_once('_').unwrap_or((text, ""));
        match prefix {
            "tenant" => Some(Self::Tenant),
            UserId::PREFIX => text.parse().ok().map(Self::User),
            WorkspaceId::PREFIX => text.parse().ok().map(Self::Workspace),
            _ => None,
        }
    }
}

/// `usr_…`, `wsp_…` or `tenant`.
impl fmt::Display for SecretScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(id) => id.fmt(f),
            Self::Workspace(id) => id.fmt(f),
            Self::Tenant => f.write_str("tenant"),
        }
    }
}

/// The scope that a run takes a secret from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    pub scope: SecretScope,
    /// Nobody set the secret more narrowly, so the whole tenant's is used: worth a line in the ledger.
    pub warns: bool,
}

/// User before workspace before tenant. The candidates are the scopes that hold the secret *and* belong to the caller:
/// whoever gathers them leaves out other users and other workspaces.
///
/// Of two candidates of one kind the lower id is taken, so that the answer does not hang on their order.
pub fn resolve(candidates: impl IntoIterator<Item = SecretScope>) -> Option<Resolved> {
    let scope = candidates.into_iter().min()?;
    Some(Resolved { scope, warns: scope == SecretScope::Tenant })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use toolgate_domain::ids::Uuid;

    use super::*;

    const USER: SecretScope = SecretScope::User(UserId::from_uuid(Uuid::from_u128(9)));
    const WORKSPACE: SecretScope = SecretScope::Workspace(WorkspaceId::from_uuid(Uuid::from_u128(1)));

    fn resolved(candidates: &[SecretScope]) -> Option<(SecretScope, bool)> {
        resolve(candidates.iter().copied()).map(|found| (found.scope, found.warns))
    }

    #[test]
    fn the_users_own_secret_comes_before_the_workspaces_and_that_before_the_tenants() {
        assert_eq!(resolved(&[SecretScope::Tenant, WORKSPACE, USER]), Some((USER, false)));
        assert_eq!(resolved(&[SecretScope::Tenant, WORKSPACE]), Some((WORKSPACE, false)));
    }

    #[test]
    fn falling_back_to_the_tenants_secret_warns() {
        assert_eq!(resolved(&[SecretScope::Tenant]), Some((SecretScope::Tenant, true)));
    }

    #[test]
    fn nothing_set_is_nothing_found() {
        assert_eq!(resolved(&[]), None);
    }

    proptest! {
        #[test]
        fn the_order_of_the_candidates_does_not_matter(
            candidates in Just(vec![SecretScope::Tenant, WORKSPACE, USER]).prop_shuffle(),
        ) {
            prop_assert_eq!(resolved(&candidates), Some((USER, false)));
        }
    }
}
