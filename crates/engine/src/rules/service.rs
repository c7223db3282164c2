//! People as whom pipes and background work are done.

use toolgate_domain::{Caller, Credential, UserId, governance::UserStatus};

use super::{NewUser, RuleError, Rules};

impl Rules {
    /// A person by address or id, with the service role: whoever starts the program on the machine itself speaks for them. In a tenant
    /// without people, the person is made, as its first admin.
    pub async fn service_caller(&self, tenant_slug: &str, user: &str) -> Result<Caller, RuleError> {
        let tenant = self.stores.tenants.by_slug(tenant_slug).await?.filter(|t| t.archived_at.is_none());
        let tenant = tenant.ok_or_else(|| RuleError::missing("tenant", tenant_slug))?;
        let mut rules = self.snapshot(tenant.id).await?;
        if rules.users.is_empty() && user.contains('@') {
            let name = user.split('@').next().unwrap_or(user).to_owned();
            let first = NewUser {
                email: user.to_owned(),
                name,
                roles: vec!["admin".to_owned()],
                workspaces: Vec::new(),
                password: None,
            };
            self.create_user(&Caller::system(tenant.id, &tenant.slug), first).await?;
            rules = self.snapshot(tenant.id).await?;
        }
        let id = user.parse::<UserId>().ok();
        let mut people = rules.users.values();
        let found = people.find(|known| Some(known.id) == id || known.email.eq_ignore_ascii_case(user));
        let Some(person) = found.filter(|person| person.status == UserStatus::Active) else {
            return Err(RuleError::NotFound(format!(
                "there is no active user `{user}` in the tenant {tenant_slug}: make one with `toolgate user create`"
            )));
        };
        let caller = rules.caller(person, &tenant.slug, tenant.id);
        Ok(Caller { service_role: true, credential: Some(Credential::Local), ..caller })
    }
}
