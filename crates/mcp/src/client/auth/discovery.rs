//! Finding the authorization server of an upstream.

use std::sync::Arc;

use rmcp::transport::auth::{
    AuthorizationManager, AuthorizationMetadata, OAuthClientConfig, OAuthHttpClient,
};

use super::{LoginError, kept::KeptClient, stores::Desk};

/// Scope that makes OpenID servers give a refresh token.
pub(super) const OFFLINE: &str = "offline_access";

/// The SDK's manager, with what the server published, and our stores. It is made anew for each step: a server may move, and
/// another process may have taken the step before.
pub(super) struct Discovered {
    pub(super) manager: AuthorizationManager,
    pub(super) metadata: AuthorizationMetadata,
}

impl Discovered {
    pub(super) async fn new(
        url: &str,
        http: Arc<dyn OAuthHttpClient>,
        challenge: Option<&str>,
        desk: &Desk,
    ) -> Result<Self, LoginError> {
        let mut manager = AuthorizationManager::new_with_oauth_http_client(url, http).await?;
        manager.set_credential_store(desk.clone());
        manager.set_state_store(desk.clone());
        let metadata = manager.resolve_metadata_from_challenge(challenge).await?.metadata;
        manager.set_metadata(metadata.clone());
        Ok(Self { manager, metadata })
    }

    pub(super) fn issuer(&self) -> Option<&str> {
        self.metadata.issuer.as_deref()
    }

    /// The SDK asks for this scope at each renewal where the server knows it. Servers refuse what was not granted before.
    pub(super) fn ask_no_more_than(&mut self, granted: &[String]) {
        if !granted.iter().any(|scope| scope == OFFLINE)
            && let Some(supported) = &mut self.metadata.scopes_supported
        {
            supported.retain(|scope| scope != OFFLINE);
            self.manager.set_metadata(self.metadata.clone());
        }
    }

    /// Speaks as this client. A client is known to one authorization server, and no other is told of it.
    pub(super) fn speak_as(&mut self, client: &KeptClient) -> Result<(), LoginError> {
        if client.issuer.as_deref() != self.issuer() {
            return Err(LoginError::ServerChanged {
                before: client.issuer.clone().unwrap_or_else(|| "one without a name".to_owned()),
                now: self.issuer().unwrap_or("one without a name").to_owned(),
            });
        }
        let mut config = OAuthClientConfig::new(&client.id, &client.redirect_uri);
        if let Some(secret) = &client.secret {
            config = config.with_client_secret(secret);
        }
        Ok(self.manager.configure_client(config)?)
    }
}
