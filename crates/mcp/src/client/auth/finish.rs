//! The second half of a login: the code that the person brought back becomes tokens.

use std::sync::Arc;

use super::{Login, LoginError, discovery::Discovered, kept::MAX_PENDING_MS, stores::Desk};

/// What came back with the person.
#[derive(Clone)]
pub struct Answer {
    pub code: String,
    pub state: String,
    /// The authorization server that answers, by its own word.
    pub issuer: Option<String>,
}

impl Login {
    /// Finishes a login that the same one started. A second time it fails: a state is good for one use.
    pub async fn finish(&self, by: &str, answer: &Answer) -> Result<(), LoginError> {
        let _turn = self.turn().await;
        let mut kept = self.kept().await?;
        let pending = kept.pending.clone().ok_or(LoginError::NotPending)?;
        let known = pending.state.as_ref().is_some_and(|state| state.csrf_token == answer.state);
        let in_time = self.clock.now().ms_since(pending.started_at) <= MAX_PENDING_MS;
        if !known || !in_time || pending.by != by {
            return Err(LoginError::NotPending);
        }
        // Whatever comes of it, this code and this state are used up.
        kept.pending = None;
        self.keep(&kept).await?;
        let challenge = kept.challenge.clone();
        kept.pending = Some(pending.clone());
        let desk = Desk::with(kept);
        let mut found =
            Discovered::new(&self.settings.url, Arc::clone(&self.http), challenge.as_deref(), &desk).await?;
        found.speak_as(&pending.client)?;
        let exchanged = found.manager.exchange_code_for_token_with_issuer(
            &answer.code,
            &answer.state,
            answer.issuer.as_deref(),
        );
        exchanged.await?;
        let mut kept = desk.0.lock().await.clone();
        kept.client = Some(pending.client);
        kept.asked = pending.scopes;
        kept.wanted.clear();
        kept.pending = None;
        self.keep(&kept).await
    }
}
