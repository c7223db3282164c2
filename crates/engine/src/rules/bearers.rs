//! People whom an access token speaks for: somebody else vouches for them, with every request.

use std::sync::Arc;

use toolgate_domain::{
    Caller, Scope,
    governance::{OidcIdentity, UserStatus},
};

use super::{RuleError, Rules};

impl Rules {
    /// The person behind an access token, as the rules of this moment see them: what their roles allow and the token's scopes
    /// allow too. Nobody when the tenant does not know them, or they were disabled.
    pub async fn bearer(
        &self,
        tenant: Option<&str>,
        identity: &OidcIdentity,
        verified_email: Option<&str>,
        scopes: &[Scope],
    ) -> Result<Option<Caller>, RuleError> {
        let Some(tenant) = self.open_tenant(tenant).await? else {
            return Ok(None);
        };
        let system = Caller::system(tenant.id, &tenant.slug);
        let user = match self.user_from_elsewhere(&system, identity, verified_email).await {
            // The first requests of a program come together, and one of them was first to link the person.
            Err(RuleError::Conflict(_)) => {
                self.user_from_elsewhere(&system, identity, verified_email).await?
            }
            found => found?,
        };
        let Some(user) = user.filter(|user| user.status == UserStatus::Active) else {
            return Ok(None);
        };
        let mut caller = self.snapshot(tenant.id).await?.caller(&user, &tenant.slug, tenant.id);
        caller.permissions = Arc::new(caller.permissions.narrowed_to(&Scope::granted(scopes)));
        caller.scopes = scopes.into();
        Ok(Some(caller))
    }
}
