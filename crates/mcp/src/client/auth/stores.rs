//! The SDK's two stores, over one kept login that is in our hands while it works on it.

use std::sync::Arc;

use async_trait::async_trait;
use rmcp::transport::auth::{
    AuthError, CredentialStore, StateStore, StoredAuthorizationState, StoredCredentials,
};
use tokio::sync::Mutex;

use super::KeptLogin;

/// The kept login, as the SDK works on it. Whoever lent it writes it back.
#[derive(Clone, Default)]
pub(super) struct Desk(pub(super) Arc<Mutex<KeptLogin>>);

impl Desk {
    pub(super) fn with(login: KeptLogin) -> Self {
        Self(Arc::new(Mutex::new(login)))
    }
}

#[async_trait]
impl CredentialStore for Desk {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        Ok(self.0.lock().await.tokens.clone())
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        self.0.lock().await.tokens = Some(credentials);
        Ok(())
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.0.lock().await.tokens = None;
        Ok(())
    }
}

#[async_trait]
impl StateStore for Desk {
    async fn save(&self, _: &str, state: StoredAuthorizationState) -> Result<(), AuthError> {
        if let Some(pending) = &mut self.0.lock().await.pending {
            pending.state = Some(state);
        }
        Ok(())
    }

    async fn load(&self, csrf_token: &str) -> Result<Option<StoredAuthorizationState>, AuthError> {
        let login = self.0.lock().await;
        let state = login.pending.as_ref().and_then(|pending| pending.state.clone());
        Ok(state.filter(|state| state.csrf_token == csrf_token))
    }

    async fn delete(&self, _: &str) -> Result<(), AuthError> {
        self.0.lock().await.pending = None;
        Ok(())
    }
}
