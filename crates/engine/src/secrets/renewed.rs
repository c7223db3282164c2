//! Secrets that renew themselves: a login to another server, whose token is replaced while nobody looks. What a person allowed goes on,
//! so nobody's change is told of: neither the revision nor who set it changes.

use toolgate_domain::{Caller, TenantId};
use toolgate_store::RecordWrite;

use super::{
    SecretError, SecretName, SecretPlace, SecretScope, SecretTarget, SecretValue, Secrets, VaultError,
    tenant_key::TenantKey,
};

/// How often a renewal starts over because somebody else wrote the same row.
const MAX_TRIES: usize = 8;

impl Secrets {
    /// The scope that is meant, where the caller may change secrets there.
    pub async fn scope_of(&self, caller: &Caller, target: &SecretTarget) -> Result<SecretScope, SecretError> {
        self.changeable(caller, target).await
    }

    /// The value that this very scope holds. For the product's own use: whoever asks must have found the scope by the caller's rights.
    pub async fn held(
        &self,
        tenant: TenantId,
        scope: SecretScope,
        name: &SecretName,
    ) -> Result<Option<SecretValue>, SecretError> {
        let Some(kept) = self.kept(tenant, scope, name.as_str()).await? else { return Ok(None) };
        let key = TenantKey::read(&self.stores, tenant).await?;
        let key = key.ok_or(SecretError::Vault(VaultError::TamperedKey { tenant }))?;
        Ok(Some(self.vault.open(&key.wrapped, kept.place(tenant), &kept.sealed()?)?))
    }

    /// Another value for a secret that is there. One that is gone stays gone.
    pub async fn renew(
        &self,
        tenant: TenantId,
        scope: SecretScope,
        name: &SecretName,
        value: &SecretValue,
    ) -> Result<(), SecretError> {
        for _ in 0..MAX_TRIES {
            let gone = || SecretError::NotFound(format!("there is no secret `{name}` any more"));
            let kept = self.kept(tenant, scope, name.as_str()).await?.ok_or_else(gone)?;
            let key = TenantKey::read(&self.stores, tenant).await?.ok_or_else(gone)?;
            let sealed = self.vault.seal(&key.wrapped, SecretPlace { tenant, scope, name }, value)?;
            let writes = vec![key.held(), RecordWrite::Update(kept.resealed(&sealed)?)];
            match self.stores.records.commit(tenant, writes, vec![]).await.map_err(SecretError::from) {
                Err(error) if error.is_overtaken() => {}
                other => return other,
            }
        }
        Err(SecretError::Conflict(
            "others change the same secret right now: try again in a moment".to_owned(),
        ))
    }
}
