//! The first half of a login: where to send the person.

use std::sync::Arc;

use super::{
    Login, LoginError,
    discovery::{Discovered, OFFLINE},
    kept::{KeptClient, Pending},
    registration,
    stores::Desk,
};

/// Where the person says yes, and by which mark the answer is known.
#[derive(Clone, PartialEq, Eq)]
pub struct Started {
    pub authorization_url: String,
    pub state: String,
}

impl Login {
    /// Starts a login, and forgets one that was started before. `by` names who starts it: nobody else finishes it.
    pub async fn start(
        &self,
        by: &str,
        redirect_uri: &str,
        challenge: Option<&str>,
    ) -> Result<Started, LoginError> {
        let _turn = self.turn().await;
        let mut kept = self.kept().await?;
        kept.remember(challenge);
        let desk = Desk::default();
        let challenge = kept.challenge.clone();
        let mut found =
            Discovered::new(&self.settings.url, Arc::clone(&self.http), challenge.as_deref(), &desk).await?;
        let scopes = self.scopes(&found, &kept.wanted).await;
        let scope_refs: Vec<_> = scopes.iter().map(String::as_str).collect();
        let client =
            registration::client(&self.settings, &mut found, &kept, redirect_uri, &scope_refs).await?;
        found.speak_as(&client)?;
        kept.pending = Some(self.pending(by, client, &scopes));
        *desk.0.lock().await = kept;
        let authorization_url = found.manager.get_authorization_url(&scope_refs).await?;
        let kept = desk.0.lock().await.clone();
        let state = kept.pending.as_ref().and_then(|pending| pending.state.as_ref());
        let state = state.map(|state| state.csrf_token.clone()).ok_or(LoginError::NotPending)?;
        self.keep(&kept).await?;
        Ok(Started { authorization_url, state })
    }

    fn pending(&self, by: &str, client: KeptClient, scopes: &[String]) -> Pending {
        Pending {
            by: by.to_owned(),
            client,
            started_at: self.clock.now(),
            scopes: scopes.to_vec(),
            state: None,
        }
    }

    /// What the operator says, or else what the server names; and what calls were missing.
    async fn scopes(&self, found: &Discovered, wanted: &[String]) -> Vec<String> {
        let mut scopes = self.settings.scopes.clone();
        if scopes.is_empty() && wanted.is_empty() {
            return found.manager.select_initial_scopes(&[]).await;
        }
        for scope in wanted {
            if !scopes.contains(scope) {
                scopes.push(scope.clone());
            }
        }
        let supported = found.metadata.scopes_supported.as_deref().unwrap_or_default();
        if supported.iter().any(|scope| scope == OFFLINE) && !scopes.iter().any(|scope| scope == OFFLINE) {
            scopes.push(OFFLINE.to_owned());
        }
        scopes
    }
}
