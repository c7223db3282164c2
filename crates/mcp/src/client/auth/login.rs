//! One owner's login to one upstream: gives out the token, renews it, and notes what is missing.

use std::sync::{Arc, PoisonError, RwLock};

use rmcp::transport::auth::{OAuthHttpClient, WWWAuthenticateParams};
use tokio::sync::Mutex;
use toolgate_domain::time::{Clock, Timestamp};

use super::{Hush, KeptLogin, LoginError, OauthSettings, TokenKeeper, discovery::Discovered, stores::Desk};

/// No scope that a server asks for is longer, and it asks for no more at once.
const MAX_SCOPES: usize = 64;

pub struct LoginParts {
    pub settings: OauthSettings,
    pub http: Arc<dyn OAuthHttpClient>,
    pub keeper: Arc<dyn TokenKeeper>,
    pub clock: Arc<dyn Clock>,
}

/// A token, and when it is no longer good.
type Token = (String, Option<Timestamp>);

pub struct Login {
    pub(super) settings: OauthSettings,
    pub(super) http: Arc<dyn OAuthHttpClient>,
    keeper: Arc<dyn TokenKeeper>,
    pub(super) clock: Arc<dyn Clock>,
    /// So that not each request opens a secret.
    held: RwLock<Option<Token>>,
    hush: Arc<Hush>,
    /// One change of the kept login at a time: a refresh token is good for one use.
    turn: Arc<Mutex<()>>,
}

impl Login {
    pub fn new(parts: LoginParts) -> Self {
        let LoginParts { settings, http, keeper, clock } = parts;
        let hush = Arc::new(Hush::new(&settings.name));
        Self { settings, http, keeper, clock, held: RwLock::default(), hush, turn: Arc::default() }
    }

    /// Takes turns with all who change the same kept login.
    pub(super) fn in_turn_with(mut self, turn: Arc<Mutex<()>>) -> Self {
        self.turn = turn;
        self
    }

    /// Keeps the tokens of this login out of what is heard.
    pub fn hush(&self) -> Arc<Hush> {
        Arc::clone(&self.hush)
    }

    /// The kept login may be another one now: it is read again before it is used.
    pub fn look_again(&self) {
        self.hold(None);
    }

    pub(super) fn settings(&self) -> &OauthSettings {
        &self.settings
    }

    fn hold(&self, token: Option<Token>) {
        *self.held.write().unwrap_or_else(PoisonError::into_inner) = token;
    }

    /// The token to send. `None`: there is none, and the request goes without.
    pub async fn bearer(&self) -> Result<Option<String>, LoginError> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((token, until)) = held
            && self.is_good(until)
        {
            return Ok(Some(token));
        }
        let turn = self.turn.lock().await;
        let kept = self.kept().await?;
        match kept.token() {
            Some((_, until)) if !self.is_good(until) => self.renew(kept, &turn).await,
            found => {
                self.hold(found.clone());
                Ok(found.map(|(token, _)| token))
            }
        }
    }

    /// Another token than this one, which the server refused. `None`: there is none without a login.
    pub async fn instead_of(&self, refused: &str) -> Result<Option<String>, LoginError> {
        let turn = self.turn.lock().await;
        let kept = self.kept().await?;
        match kept.token() {
            // Somebody renewed it meanwhile: in this process or in another one.
            Some((token, until)) if token != refused && self.is_good(until) => {
                self.hold(Some((token.clone(), until)));
                Ok(Some(token))
            }
            Some(_) => self.renew(kept, &turn).await,
            None => Ok(None),
        }
    }

    /// Notes the scopes that a call needs, so that the next login asks for them too. Fails when the last one did already.
    pub async fn note_scopes(&self, challenge: &str) -> Result<(), LoginError> {
        let url =
            self.settings.url.parse().map_err(|_| LoginError::Unusable("its address is none".to_owned()))?;
        let needed = WWWAuthenticateParams::parse(challenge, &url).scope.unwrap_or_default();
        let _turn = self.turn.lock().await;
        let mut kept = self.kept().await?;
        let granted = kept.tokens.as_ref().map(|stored| stored.granted_scopes.clone()).unwrap_or_default();
        let needs: Vec<_> = needed.split_whitespace().take(MAX_SCOPES).map(str::to_owned).collect();
        if needs.iter().all(|scope| kept.asked.contains(scope)) {
            return Err(LoginError::NotGranted(needs.join(" ")));
        }
        for scope in granted.into_iter().chain(kept.asked.clone()).chain(needs) {
            if kept.wanted.len() < MAX_SCOPES && !kept.wanted.contains(&scope) {
                kept.wanted.push(scope);
            }
        }
        kept.remember(Some(challenge));
        self.keep(&kept).await
    }

    /// Renews the tokens at the authorization server that gave them, and at no other.
    async fn renew(
        &self,
        kept: KeptLogin,
        _turn: &tokio::sync::MutexGuard<'_, ()>,
    ) -> Result<Option<String>, LoginError> {
        let (client, challenge) = (kept.client.clone(), kept.challenge.clone());
        let Some(client) = client else { return Ok(None) };
        let old = kept.token().map(|(token, _)| token);
        let granted = kept.tokens.as_ref().map(|stored| stored.granted_scopes.clone()).unwrap_or_default();
        let desk = Desk::with(kept);
        let mut found =
            Discovered::new(&self.settings.url, Arc::clone(&self.http), challenge.as_deref(), &desk).await?;
        found.ask_no_more_than(&granted);
        match found.speak_as(&client) {
            // It moved: what the old one gave is worth nothing there.
            Err(LoginError::ServerChanged { .. }) => return Ok(None),
            spoken => spoken?,
        }
        if self.settings.is_machine {
            super::machine::exchange(&self.settings, &mut found).await?;
        } else {
            match found.manager.refresh_token().await.map_err(LoginError::from) {
                Err(LoginError::Needed) => return self.renewed_elsewhere(old.as_deref()).await,
                renewed => renewed.map(drop)?,
            }
        }
        let renewed = desk.0.lock().await.clone();
        self.keep(&renewed).await?;
        Ok(renewed.token().map(|(token, _)| token))
    }

    /// A refresh token is good for one use, and another process may have had it.
    async fn renewed_elsewhere(&self, old: Option<&str>) -> Result<Option<String>, LoginError> {
        let found = self.kept().await?.token();
        let found = found.filter(|(token, until)| Some(token.as_str()) != old && self.is_good(*until));
        self.hold(found.clone());
        Ok(found.map(|(token, _)| token))
    }

    pub(super) async fn turn(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    pub(super) async fn kept(&self) -> Result<KeptLogin, LoginError> {
        match self.keeper.load().await? {
            Some(text) => Ok(KeptLogin::read(&text)?),
            None => Ok(KeptLogin::default()),
        }
    }

    pub(super) async fn keep(&self, login: &KeptLogin) -> Result<(), LoginError> {
        self.keeper.save(login.write()?).await?;
        self.hold(login.token());
        Ok(())
    }

    fn is_good(&self, until: Option<Timestamp>) -> bool {
        until.is_none_or(|until| self.clock.now() < until)
    }
}
