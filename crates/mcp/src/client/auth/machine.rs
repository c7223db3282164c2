//! The login without a person: the client itself is what is allowed.

use std::sync::Arc;

use rmcp::transport::auth::ClientCredentialsConfig;

use super::{
    Login, LoginError, OauthSettings, discovery::Discovered, kept::KeptClient, registration, stores::Desk,
};

impl Login {
    pub fn is_machine(&self) -> bool {
        self.settings.is_machine
    }

    pub(super) async fn log_in_as_machine(&self, challenge: &str) -> Result<(), LoginError> {
        let _turn = self.turn().await;
        let mut kept = self.kept().await?;
        kept.remember(Some(challenge));
        let client_id = self.settings.client_id.clone().ok_or(LoginError::Needed)?;
        let challenge = kept.challenge.clone();
        let desk = Desk::with(kept);
        let mut found =
            Discovered::new(&self.settings.url, Arc::clone(&self.http), challenge.as_deref(), &desk).await?;
        registration::known_here(&*desk.0.lock().await, &client_id, found.issuer())?;
        exchange(&self.settings, &mut found).await?;
        let mut kept = desk.0.lock().await.clone();
        kept.client = Some(KeptClient {
            id: client_id,
            secret: None,
            redirect_uri: self.settings.url.clone(),
            issuer: found.issuer().map(str::to_owned),
        });
        self.keep(&kept).await
    }
}

/// Gets tokens for the client's own secret.
pub(super) async fn exchange(settings: &OauthSettings, found: &mut Discovered) -> Result<(), LoginError> {
    let (Some(client_id), Some(secret)) = (&settings.client_id, &settings.client_secret) else {
        return Err(LoginError::Needed);
    };
    let scopes = match settings.scopes.as_slice() {
        [] => found.manager.select_initial_scopes(&[]).await,
        named => named.to_vec(),
    };
    let config = ClientCredentialsConfig::ClientSecret {
        client_id: client_id.clone(),
        client_secret: secret.expose().to_owned(),
        scopes,
        resource: Some(settings.url.clone()),
    };
    found.manager.validate_client_credentials_metadata(&config)?;
    found.manager.configure_client_credentials(&config)?;
    found.manager.exchange_client_credentials(&config).await?;
    Ok(())
}
