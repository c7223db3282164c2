//! Roles: the built-in ones stay as they are; a tenant adds its own.

use std::collections::BTreeMap;

use toolgate_domain::{
    Caller,
    governance::{PermissionSet, Role, is_permission_name},
};
use toolgate_store::Kind;

use super::{RuleError, Rules, document::Told};

impl Rules {
    pub async fn roles(&self, caller: &Caller) -> Result<BTreeMap<String, PermissionSet>, RuleError> {
        Ok(self.snapshot(caller.tenant_id).await?.roles.clone())
    }

    /// Makes or replaces a role of the tenant's own. Nobody grants what they do not have.
    pub async fn put_role(&self, caller: &Caller, role: Role) -> Result<(), RuleError> {
        if Role::built_in(&role.name).is_some() {
            return Err(RuleError::Conflict(format!(
                "`{}` is built in and stays as it is: choose another name",
                role.name
            )));
        }
        let fits = (1..=64).contains(&role.name.len())
            && role
                .name
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-');
        if !fits || role.permissions.len() > 500 {
            let message = "a role has a name of 1 to 64 lower-case letters, digits, `_` or `-`, and at most 500 permissions";
            return Err(RuleError::Invalid(message.to_owned()));
        }
        if let Some(odd) = role.permissions.iter().find(|name| !is_permission_name(name)) {
            return Err(RuleError::Invalid(format!(
                "`{odd}` is not a permission: they read like `tools.tenant.create`"
            )));
        }
        if let Some(more) = role.permissions.iter().find(|name| !caller.has(name)) {
            return Err(RuleError::Forbidden(format!("you cannot grant {more}, which you do not have")));
        }
        let told = Told { action: "role.put", target: role.name.clone() };
        self.put(caller, Kind::Role, &role.name.clone(), &role, told).await
    }

    pub async fn delete_role(&self, caller: &Caller, name: &str) -> Result<(), RuleError> {
        let old = self.read_named::<Role>(caller.tenant_id, Kind::Role, name).await?;
        let old = old.ok_or_else(|| RuleError::missing("role", name))?;
        let rules = self.snapshot(caller.tenant_id).await?;
        let holders = rules.users.values().filter(|user| user.roles.iter().any(|role| role == name)).count();
        if holders > 0 {
            let who = if holders == 1 { "one person has" } else { &format!("{holders} people have") };
            return Err(RuleError::Conflict(format!("{who} this role: take it from them first")));
        }
        self.remove(caller, old, Told { action: "role.delete", target: name.to_owned() }).await
    }
}
