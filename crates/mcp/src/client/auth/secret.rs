//! A login as a secret of the engine.

use std::sync::Arc;

use async_trait::async_trait;
use toolgate_domain::{Caller, TenantId};
use toolgate_engine::{SecretError, SecretName, SecretScope, SecretTarget, SecretValue, Secrets};

use super::{KeeperError, TokenKeeper};

/// What a connection works with: reads the login, and renews it while it is there.
pub(super) struct Renewing {
    pub(super) secrets: Arc<Secrets>,
    pub(super) tenant: TenantId,
    pub(super) scope: SecretScope,
    pub(super) name: SecretName,
}

#[async_trait]
impl TokenKeeper for Renewing {
    async fn load(&self) -> Result<Option<SecretValue>, KeeperError> {
        self.secrets.held(self.tenant, self.scope, &self.name).await.map_err(unusable)
    }

    async fn save(&self, login: SecretValue) -> Result<(), KeeperError> {
        self.secrets.renew(self.tenant, self.scope, &self.name, &login).await.map_err(unusable)
    }
}

/// What a login by a person works with: it is set in their name, where they may.
pub(super) struct Set {
    pub(super) secrets: Arc<Secrets>,
    pub(super) caller: Caller,
    pub(super) target: SecretTarget,
    pub(super) scope: SecretScope,
    pub(super) name: SecretName,
}

#[async_trait]
impl TokenKeeper for Set {
    async fn load(&self) -> Result<Option<SecretValue>, KeeperError> {
        self.secrets.held(self.caller.tenant_id, self.scope, &self.name).await.map_err(unusable)
    }

    async fn save(&self, login: SecretValue) -> Result<(), KeeperError> {
        let set = self.secrets.set(&self.caller, &self.name, &self.target, &login).await;
        set.map(drop).map_err(unusable)
    }
}

/// What a store says of itself is for the log.
fn unusable(error: SecretError) -> KeeperError {
    match error {
        SecretError::Vault(_) | SecretError::Store(_) => {
            tracing::error!(%error, "a kept login can be neither read nor written");
            KeeperError("an operator finds the reason in the log".to_owned())
        }
        told => KeeperError(told.to_string()),
    }
}
