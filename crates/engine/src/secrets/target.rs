//! Whose secret somebody means, and whether it is theirs to change.

use toolgate_domain::{Caller, WorkspaceId};

use super::{SecretError, SecretScope, Secrets};
use crate::rules::BY_AGENT;

/// A scope as somebody names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecretTarget {
    /// The caller's own.
    User,
    /// A workspace by id or slug; without one, the only workspace the caller is in.
    Workspace(Option<String>),
    Tenant,
}

impl SecretTarget {
    /// `user` unless told otherwise.
    pub fn parse(scope: Option<&str>, workspace: Option<String>) -> Result<Self, SecretError> {
        match (scope, workspace) {
            (Some("workspace"), workspace) => Ok(Self::Workspace(workspace)),
            (None, Some(workspace)) => Ok(Self::Workspace(Some(workspace))),
            (_, Some(_)) => Err(SecretError::Invalid(
                "`workspace` goes with the scope `workspace`: leave one of them out".to_owned(),
            )),
            (None | Some("user"), None) => Ok(Self::User),
            (Some("tenant"), None) => Ok(Self::Tenant),
            (Some(_), None) => {
                Err(SecretError::Invalid("the scope is `user`, `workspace` or `tenant`".to_owned()))
            }
        }
    }
}

impl Secrets {
    /// The scope that is meant, if the caller may change secrets there.
    pub(super) async fn changeable(
        &self,
        caller: &Caller,
        target: &SecretTarget,
    ) -> Result<SecretScope, SecretError> {
        if !caller.may_change_powers() {
            return Err(SecretError::Forbidden(BY_AGENT.to_owned()));
        }
        let permission = match target {
            SecretTarget::User => "secrets.user.update",
            SecretTarget::Workspace(_) => "secrets.workspace.update",
            SecretTarget::Tenant => "secrets.tenant.update",
        };
        if !caller.has(permission) {
            return Err(SecretError::Forbidden(format!(
                "this needs the permission {permission}: ask somebody who has it"
            )));
        }
        match target {
            SecretTarget::Tenant => Ok(SecretScope::Tenant),
            SecretTarget::Workspace(reference) => self.workspace(caller, reference.as_deref()).await,
            SecretTarget::User => caller.user_id().map(SecretScope::User).ok_or_else(|| {
                SecretError::Invalid(
                    "this key speaks for no person, so it has no secrets of its own: name the scope `workspace` or `tenant`"
                        .to_owned(),
                )
            }),
        }
    }

    async fn workspace(&self, caller: &Caller, reference: Option<&str>) -> Result<SecretScope, SecretError> {
        let Some(reference) = reference else {
            let own: Vec<_> = caller.workspaces.iter().flat_map(|own| own.iter()).collect();
            return match own.as_slice() {
                [only] => Ok(SecretScope::Workspace(**only)),
                _ => Err(SecretError::Invalid("name the workspace, by id or slug".to_owned())),
            };
        };
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        let id = reference.parse::<WorkspaceId>().ok();
        let found = rules.workspaces.values().find(|w| Some(w.id) == id || w.slug == reference);
        let found = found.ok_or_else(|| SecretError::NotFound("there is no such workspace".to_owned()))?;
        if !caller.is_in(Some(found.id)) {
            return Err(SecretError::Forbidden(format!(
                "you are not in the workspace {}: ask somebody who is",
                found.slug
            )));
        }
        Ok(SecretScope::Workspace(found.id))
    }
}
