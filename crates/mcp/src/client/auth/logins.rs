//! The logins to all upstreams. Those who use one at the same time share it: a refresh token is good for one use.

use std::sync::{Arc, OnceLock};

use dashmap::DashMap;
use rmcp::transport::auth::OAuthHttpClient;
use tokio::sync::Mutex;
use toolgate_domain::{
    Caller, Clock, TenantId, Timestamp, UpstreamId,
    governance::{OauthGrant, OauthOwner, Upstream},
};
use toolgate_engine::{SecretError, SecretName, SecretScope, SecretTarget, Secrets, UpstreamSecrets};

use super::{
    KeeperError, Login, LoginError, LoginParts, MemoryKeeper, OauthSettings, Outbound, TokenKeeper,
    secret::{Renewing, Set},
};
use crate::client::Outlet;

/// More are not held at once: those that are dropped are read again.
const MAX_HELD: usize = 10_000;

/// Tenant, upstream, the moment of its document, and whose login.
type Key = (TenantId, UpstreamId, Timestamp, SecretScope);

pub struct Logins {
    http: Arc<dyn OAuthHttpClient>,
    clock: Arc<dyn Clock>,
    /// The engine is made after the connections: it is told of them.
    secrets: OnceLock<Arc<Secrets>>,
    held: DashMap<Key, Arc<Login>>,
    /// A person may log in while a call renews what they log in to.
    turns: DashMap<(TenantId, UpstreamId, SecretScope), Arc<Mutex<()>>>,
}

impl Logins {
    pub fn new(outlet: Arc<dyn Outlet>, clock: Arc<dyn Clock>) -> Self {
        let http = Arc::new(Outbound::new(outlet));
        Self { http, clock, secrets: OnceLock::new(), held: DashMap::new(), turns: DashMap::new() }
    }

    /// Where logins are kept. Once; the first word counts.
    pub fn keep_in(&self, secrets: Arc<Secrets>) {
        let _ = self.secrets.set(secrets);
    }

    /// The login of whoever the secrets belong to. `None`: the upstream wants none, or there is none.
    pub fn of_call(
        &self,
        tenant: TenantId,
        upstream: &Upstream,
        secrets: &UpstreamSecrets,
    ) -> Option<Arc<Login>> {
        let client_secret = upstream.oauth.as_ref().and_then(|oauth| oauth.client_secret.as_deref());
        let settings =
            OauthSettings::of(upstream, client_secret.and_then(|name| secrets.get(name)).cloned())?;
        let (scope, keeper): (_, Arc<dyn TokenKeeper>) = if settings.is_machine {
            // Whoever has the client's secret gets another token at any time: there is nothing to keep.
            (secrets.scope(client_secret?)?, Arc::new(MemoryKeeper::default()))
        } else {
            let name: SecretName = upstream.login_secret()?.parse().ok()?;
            let (kept_in, scope) = (Arc::clone(self.secrets.get()?), secrets.scope(name.as_str())?);
            (scope, Arc::new(Renewing { secrets: kept_in, tenant, scope, name }))
        };
        if self.held.len() >= MAX_HELD {
            self.held.clear();
        }
        let key = (tenant, upstream.id, upstream.updated_at, scope);
        let made = Arc::new(self.login(settings, keeper, (tenant, upstream.id, scope)));
        let mut held = self.held.entry(key).or_insert_with(|| Arc::clone(&made));
        if is_other(&held, &made) {
            *held = made;
        }
        // A connection is made where the kept login is another one than before.
        held.look_again();
        Some(Arc::clone(&held))
    }

    /// The login that this person is about to make: their own or the tenant's, as the upstream says or as they do.
    pub async fn of_person(
        &self,
        caller: &Caller,
        upstream: &Upstream,
        owner: Option<OauthOwner>,
    ) -> Result<Login, LoginError> {
        let kept_in = self.secrets.get().ok_or(LoginError::Needed)?;
        let oauth = upstream.oauth.as_ref().ok_or_else(|| unfit("the upstream wants no login"))?;
        if oauth.grant == OauthGrant::ClientCredentials {
            return Err(unfit("the upstream wants no person: the client logs in by itself"));
        }
        let name = upstream.login_secret().and_then(|name| name.parse::<SecretName>().ok());
        let name = name.ok_or_else(|| unfit("the upstream wants no login"))?;
        let target = match owner.unwrap_or(oauth.per) {
            OauthOwner::User => SecretTarget::User,
            OauthOwner::Tenant => SecretTarget::Tenant,
        };
        let scope = kept_in.scope_of(caller, &target).await.map_err(refused)?;
        let client_secret = match oauth.client_secret.as_deref().map(str::parse::<SecretName>) {
            // The client is the tenant's, whoever logs in.
            Some(Ok(name)) => {
                kept_in.held(caller.tenant_id, SecretScope::Tenant, &name).await.map_err(refused)?
            }
            _ => None,
        };
        if oauth.client_secret.is_some() && client_secret.is_none() {
            return Err(unfit("the client's secret is not set in the scope of the tenant: set it first"));
        }
        let settings = OauthSettings::of(upstream, client_secret);
        let settings = settings.ok_or_else(|| unfit("the upstream is not reached over HTTP"))?;
        let keeper = Set { secrets: Arc::clone(kept_in), caller: caller.clone(), target, scope, name };
        Ok(self.login(settings, Arc::new(keeper), (caller.tenant_id, upstream.id, scope)))
    }

    fn login(
        &self,
        settings: OauthSettings,
        keeper: Arc<dyn TokenKeeper>,
        whose: (TenantId, UpstreamId, SecretScope),
    ) -> Login {
        if self.turns.len() >= MAX_HELD {
            // Those that somebody has hold of go on.
            self.turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        }
        let turn = Arc::clone(&self.turns.entry(whose).or_default());
        let (http, clock) = (Arc::clone(&self.http), Arc::clone(&self.clock));
        Login::new(LoginParts { settings, http, keeper, clock }).in_turn_with(turn)
    }
}

/// The client has another secret now.
fn is_other(held: &Login, made: &Login) -> bool {
    let secret =
        |login: &Login| login.settings().client_secret.as_ref().map(|secret| secret.expose().to_owned());
    secret(held) != secret(made)
}

fn unfit(why: &str) -> LoginError {
    LoginError::Unfit(why.to_owned())
}

fn refused(error: SecretError) -> LoginError {
    match error {
        SecretError::Forbidden(why) => LoginError::Forbidden(why),
        SecretError::Invalid(why) | SecretError::NotFound(why) => LoginError::Unfit(why),
        other => LoginError::Keeper(KeeperError(other.to_string())),
    }
}
