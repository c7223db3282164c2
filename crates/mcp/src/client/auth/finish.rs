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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use rmcp::transport::auth::{OAuthHttpClient, OAuthHttpClientFuture, OAuthHttpRequest};
    use serde_json::json;
    use toolgate_domain::{Clock, Timestamp};

    use super::*;
    use crate::client::auth::{KeptLogin, LoginParts, MemoryKeeper, OauthSettings, TokenKeeper};

    #[derive(Default)]
    struct Hands(AtomicI64);

    impl Clock for Hands {
        fn now(&self) -> Timestamp {
            Timestamp::from_millis(self.0.load(Ordering::Relaxed))
        }
    }

    /// Nobody is reached: what comes so far was let through.
    struct Nowhere;

    impl OAuthHttpClient for Nowhere {
        fn execute(&self, _: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
            Box::pin(async { Err("there is nobody".into()) })
        }
    }

    /// A login that ada started at the beginning of time.
    async fn begun() -> (Login, Arc<MemoryKeeper>, Arc<Hands>) {
        let (keeper, clock) = (Arc::new(MemoryKeeper::default()), Arc::new(Hands::default()));
        let kept: KeptLogin = serde_json::from_value(json!({"pending": {
            "by": "ada", "client": {"id": "c", "redirect_uri": "http://127.0.0.1:1/callback"},
            "started_at": Timestamp::from_millis(0), "scopes": [],
            "state": {"pkce_verifier": "v", "csrf_token": "mark", "created_at": 0},
        }}))
        .unwrap();
        keeper.save(kept.write().unwrap()).await.unwrap();
        let login = Login::new(LoginParts {
            settings: OauthSettings::new("http://127.0.0.1:1/mcp"),
            http: Arc::new(Nowhere),
            keeper: keeper.clone(),
            clock: clock.clone(),
        });
        (login, keeper, clock)
    }

    async fn finish(login: &Login, by: &str, state: &str) -> LoginError {
        let answer = Answer { code: "code".to_owned(), state: state.to_owned(), issuer: None };
        login.finish(by, &answer).await.unwrap_err()
    }

    #[tokio::test]
    async fn whoever_started_it_has_ten_minutes_and_one_try() {
        let (login, keeper, clock) = begun().await;
        for (by, state) in [("eve", "mark"), ("ada", "another"), ("eve", "another")] {
            let refused = finish(&login, by, state).await;
            assert!(matches!(refused, LoginError::NotPending), "{by}, {state}: {refused}");
        }
        clock.0.store(600_001, Ordering::Relaxed);
        assert!(matches!(finish(&login, "ada", "mark").await, LoginError::NotPending), "too late");
        clock.0.store(600_000, Ordering::Relaxed);
        let refused = finish(&login, "ada", "mark").await;
        assert!(!matches!(refused, LoginError::NotPending), "the authorization server was asked: {refused}");
        let kept = KeptLogin::read(&keeper.load().await.unwrap().unwrap()).unwrap();
        assert!(kept.pending.is_none(), "one try");
        assert!(matches!(finish(&login, "ada", "mark").await, LoginError::NotPending));
    }
}
