//! API keys: made once, shown once, kept as a hash.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use dashmap::DashMap;
use data_encoding::HEXLOWER;
use rand::RngExt;
use toolgate_domain::{
    AuditEvent, Caller, Clock, Credential, IdGen, KeyId, Principal, Scope, TenantId, Timestamp, UserId,
    governance::{AgentStatus, PermissionSet, UserStatus},
    hash::sha256,
    ids::Uuid,
};
use toolgate_store::{ApiKey, KeyBinding, Signal, StoreError, Stores};

use crate::{Rules, rules::TenantRules};

/// How long a key that was found valid is believed without asking the database again. A revocation does not wait for
/// it: it is signalled to every process.
const REMEMBERED: Duration = Duration::from_secs(30);
const MAX_REMEMBERED: usize = 10_000;

/// The key of a first start.
const FIRST: KeyId = KeyId::from_uuid(Uuid::from_u128(1));

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("a key needs a name of 1 to 100 characters")]
    Name,
    #[error("a key needs at least one scope")]
    NoScope,
    #[error("the moment of expiry has passed already")]
    Expired,
    #[error("there is no such {0} for the key to speak for")]
    Unknown(&'static str),
    #[error("you cannot grant {0}, which you do not have")]
    Beyond(Scope),
    #[error("an agent makes and revokes no keys, whatever its scopes are: a person does")]
    ByAgent,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A key that was just made. The secret exists nowhere else.
pub struct NewKey {
    pub secret: String,
    pub key: ApiKey,
}

/// Makes, lists, revokes and recognises keys.
pub struct Keyring {
    stores: Stores,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdGen>,
    rules: Arc<Rules>,
    known: DashMap<[u8; 32], Known>,
}

/// A key that was found valid, as the rules of that moment saw it.
#[derive(Clone)]
struct Known {
    caller: Caller,
    expires_at: Option<Timestamp>,
    at: Instant,
    generation: u64,
}

impl Keyring {
    pub(crate) fn new(stores: Stores, clock: Arc<dyn Clock>, ids: Arc<dyn IdGen>, rules: Arc<Rules>) -> Self {
        Self { stores, clock, ids, rules, known: DashMap::new() }
    }

    pub async fn create(
        &self,
        caller: &Caller,
        name: &str,
        scopes: &[Scope],
        expires_at: Option<Timestamp>,
    ) -> Result<NewKey, KeyError> {
        self.create_bound(caller, name, scopes, expires_at, KeyBinding::default()).await
    }

    /// A key that speaks for an agent, a person or the service role. Nobody makes a key that can do more than they can.
    pub async fn create_bound(
        &self,
        caller: &Caller,
        name: &str,
        scopes: &[Scope],
        expires_at: Option<Timestamp>,
        bound: KeyBinding,
    ) -> Result<NewKey, KeyError> {
        if !caller.may_change_powers() {
            return Err(KeyError::ByAgent);
        }
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        if bound.agent_id.is_some_and(|id| !rules.agents.contains_key(&id)) {
            return Err(KeyError::Unknown("agent"));
        }
        if bound.user_id.is_some_and(|id| !rules.users.contains_key(&id)) {
            return Err(KeyError::Unknown("user"));
        }
        if let Some(scope) = scopes.iter().find(|scope| !caller.may(**scope)) {
            return Err(KeyError::Beyond(*scope));
        }
        let mut new = self.mint(KeyId::generate(&*self.ids), caller, name, scopes, expires_at)?;
        let made_with = match caller.credential {
            Some(Credential::Key(id)) => Some(id),
            _ => None,
        };
        new.key.bound = KeyBinding { made_by: Some(caller.principal.to_string()), made_with, ..bound };
        self.stores.keys.insert(&new.key, &self.made(caller, &new.key)).await?;
        Ok(new)
    }

    /// The key of a first start, which opens nothing before it is kept; none where there are keys already.
    pub async fn mint_first(&self, caller: &Caller) -> Result<Option<NewKey>, KeyError> {
        if !self.list(caller.tenant_id).await?.is_empty() {
            return Ok(None);
        }
        // Its id is always the same, so that of several processes that start on one empty database exactly one keeps it.
        let id = FIRST;
        self.mint(id, caller, "admin (first start)", &[Scope::Admin], None).map(Some)
    }

    /// Keeps the key of a first start; `false` when another process kept its own.
    pub async fn keep_first(&self, caller: &Caller, first: &NewKey) -> Result<bool, KeyError> {
        match self.stores.keys.insert(&first.key, &self.made(caller, &first.key)).await {
            Ok(()) => Ok(true),
            Err(StoreError::Conflict(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn made(&self, caller: &Caller, key: &ApiKey) -> AuditEvent {
        AuditEvent::by(caller, &*self.ids, &*self.clock, "key.create", key.id).to(serde_json::json!({
            "name": key.name, "hint": key.hint, "scopes": key.scopes, "bound": key.bound,
            "expires_at": key.expires_at,
        }))
    }

    fn mint(
        &self,
        id: KeyId,
        caller: &Caller,
        name: &str,
        scopes: &[Scope],
        expires_at: Option<Timestamp>,
    ) -> Result<NewKey, KeyError> {
        if name.trim().is_empty() || name.chars().count() > 100 {
            return Err(KeyError::Name);
        }
        if scopes.is_empty() {
            return Err(KeyError::NoScope);
        }
        let now = self.clock.now();
        if expires_at.is_some_and(|expiry| expiry <= now) {
            return Err(KeyError::Expired);
        }
        let secret = format!("tg_{}", HEXLOWER.encode(&rand::rng().random::<[u8; 32]>()));
        let mut scopes = scopes.to_vec();
        scopes.sort();
        scopes.dedup();
        let key = ApiKey {
            id,
            tenant_id: caller.tenant_id,
            tenant_slug: caller.tenant_slug.to_string(),
            name: name.trim().to_owned(),
            hash: sha256(secret.as_bytes()),
            hint: secret.chars().take(9).collect(),
            scopes,
            bound: KeyBinding::default(),
            created_at: now,
            expires_at,
            revoked_at: None,
        };
        Ok(NewKey { secret, key })
    }

    pub async fn list(&self, tenant: TenantId) -> Result<Vec<ApiKey>, StoreError> {
        self.stores.keys.list(tenant).await
    }

    /// `false` when the tenant has no such key. Keys that were made with it fall with it.
    pub async fn revoke(&self, caller: &Caller, id: KeyId) -> Result<bool, KeyError> {
        if !caller.may_change_powers() {
            return Err(KeyError::ByAgent);
        }
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "key.revoke", id);
        let found = self.stores.keys.revoke(caller.tenant_id, id, self.clock.now(), &event).await?;
        self.forget();
        self.rules.tell(Signal::Keys).await?;
        Ok(found)
    }

    /// The caller behind a key, if the key is valid now. The look-up is by hash, so its time tells nothing of the key.
    pub async fn authenticate(&self, secret: &str) -> Result<Option<Caller>, StoreError> {
        let hash: [u8; 32] = sha256(secret.as_bytes());
        let known = match self.remembered(&hash) {
            Some(known) => known,
            None => match self.look_up(&hash).await? {
                None => return Ok(None),
                Some(known) => known,
            },
        };
        let valid = known.expires_at.is_none_or(|expiry| self.clock.now() < expiry);
        Ok(valid.then_some(known.caller))
    }

    async fn look_up(&self, hash: &[u8; 32]) -> Result<Option<Known>, StoreError> {
        let generation = self.rules.generation();
        let Some(key) = self.stores.keys.by_hash(hash).await? else {
            return Ok(None);
        };
        let Some(caller) = self.caller_of(&key).await? else {
            return Ok(None);
        };
        if self.known.len() >= MAX_REMEMBERED {
            self.forget();
        }
        let known = Known { caller, expires_at: key.expires_at, at: Instant::now(), generation };
        self.known.insert(*hash, known.clone());
        Ok(Some(known))
    }

    /// Whom a key speaks for, and what it may do on their behalf; nobody when it was revoked, or they are gone.
    pub(crate) async fn caller_of(&self, key: &ApiKey) -> Result<Option<Caller>, StoreError> {
        let expired = key.expires_at.is_some_and(|expiry| expiry <= self.clock.now());
        if key.revoked_at.is_some() || expired {
            return Ok(None);
        }
        let rules = self.rules.snapshot(key.tenant_id).await?;
        let Some(bounds) = self.bounds_of_makers(key, &rules).await? else {
            return Ok(None);
        };
        let caller = |principal| {
            let caller = Caller::with_scopes(key.tenant_id, &key.tenant_slug, principal, &key.scopes);
            let permissions = Arc::new(caller.permissions.narrowed_to(&bounds));
            Caller { permissions, credential: Some(Credential::Key(key.id)), ..caller }
        };
        if let Some(agent) = key.bound.agent_id {
            let known = rules.agents.get(&agent).is_some_and(|s| s.agent.status != AgentStatus::Archived);
            return Ok(known.then(|| caller(Principal::Agent(agent))));
        }
        let first = || rules.users.values().find(|user| user.is_first).map(|user| user.id);
        if let Some(id) = key.bound.user_id.or_else(|| first().filter(|_| key.id == FIRST)) {
            let Some(user) = rules.users.get(&id) else {
                return Ok(None);
            };
            let mut caller = rules.caller(user, &key.tenant_slug, key.tenant_id);
            let granted = Scope::granted(&key.scopes).narrowed_to(&bounds);
            caller.permissions = Arc::new(caller.permissions.narrowed_to(&granted));
            caller.credential = Some(Credential::Key(key.id));
            caller.scopes = key.scopes.as_slice().into();
            return Ok((user.status == UserStatus::Active).then_some(caller));
        }
        Ok(Some(Caller { service_role: key.bound.service_role, ..caller(Principal::Key(key.id)) }))
    }

    /// What those who made a key may do now, all the way up; nothing when one of them may not act any more.
    async fn bounds_of_makers(
        &self,
        key: &ApiKey,
        rules: &TenantRules,
    ) -> Result<Option<PermissionSet>, StoreError> {
        let mut bounds = PermissionSet::all();
        if key.bound.made_by.is_none() {
            return Ok(Some(bounds));
        }
        let ancestors = self.ancestors(key).await?;
        let now = self.clock.now();
        let is_over = |key: &ApiKey| key.revoked_at.is_some() || key.expires_at.is_some_and(|at| at <= now);
        if ancestors.iter().any(is_over) {
            return Ok(None);
        }
        for maker in &ancestors {
            bounds = bounds.narrowed_to(&Scope::granted(&maker.scopes));
        }
        for made in std::iter::once(key).chain(&ancestors) {
            let Some(Principal::User(id)) = made.bound.made_by.as_deref().and_then(Principal::parse) else {
                continue;
            };
            let Some(user) = rules.users.get(&id).filter(|user| user.status == UserStatus::Active) else {
                return Ok(None);
            };
            bounds = bounds.narrowed_to(&rules.permissions_of(user));
        }
        Ok(Some(bounds))
    }

    /// The keys with which a key was made, the nearest first.
    async fn ancestors(&self, key: &ApiKey) -> Result<Vec<ApiKey>, StoreError> {
        if key.bound.made_with.is_none() {
            return Ok(Vec::new());
        }
        let all = self.stores.keys.list(key.tenant_id).await?;
        let mut found: Vec<ApiKey> = Vec::new();
        let mut next = key.bound.made_with;
        // Keys are made after those that they are made with, so this ends; a row that says otherwise must not keep us here.
        while let Some(id) = next.filter(|id| found.iter().all(|known| known.id != *id)) {
            let Some(maker) = all.iter().find(|maker| maker.id == id) else { break };
            next = maker.bound.made_with;
            found.push(maker.clone());
        }
        Ok(found)
    }

    async fn find(&self, tenant: TenantId, id: KeyId) -> Result<Option<ApiKey>, StoreError> {
        Ok(self.stores.keys.list(tenant).await?.into_iter().find(|key| key.id == id))
    }

    /// Whether a credential is another one, or was made with it.
    pub(crate) async fn descends(
        &self,
        tenant: TenantId,
        credential: Credential,
        from: Credential,
    ) -> Result<bool, StoreError> {
        let (Credential::Key(id), Credential::Key(maker)) = (credential, from) else {
            return Ok(credential == from);
        };
        if id == maker {
            return Ok(true);
        }
        let Some(key) = self.find(tenant, id).await? else { return Ok(false) };
        Ok(self.ancestors(&key).await?.iter().any(|key| key.id == maker))
    }

    /// Whether a person made the key for themselves. A key that another person made for them speaks for both.
    pub(crate) async fn is_own(
        &self,
        tenant: TenantId,
        id: KeyId,
        person: UserId,
    ) -> Result<bool, StoreError> {
        if id == FIRST {
            return Ok(true);
        }
        let key = self.find(tenant, id).await?;
        Ok(key.is_some_and(|key| key.bound.made_by == Some(person.to_string())))
    }

    /// The person who made an unbound key, or the keys that it was made with.
    pub(crate) async fn person_behind(
        &self,
        tenant: TenantId,
        id: KeyId,
    ) -> Result<Option<UserId>, StoreError> {
        let Some(key) = self.find(tenant, id).await? else { return Ok(None) };
        let person = |key: &ApiKey| match key.bound.made_by.as_deref().and_then(Principal::parse) {
            Some(Principal::User(id)) => Some(id),
            _ => None,
        };
        let made_by = person(&key);
        if made_by.is_some() {
            return Ok(made_by);
        }
        Ok(self.ancestors(&key).await?.iter().find_map(person))
    }

    /// Looks every key up again.
    pub(crate) fn forget(&self) {
        self.known.clear();
    }

    fn remembered(&self, hash: &[u8; 32]) -> Option<Known> {
        let known = self.known.get(hash)?;
        let fresh = known.at.elapsed() < REMEMBERED && known.generation == self.rules.generation();
        fresh.then(|| known.clone())
    }
}
