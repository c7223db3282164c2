//! API keys: made once, shown once, kept as a hash.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use dashmap::DashMap;
use data_encoding::HEXLOWER;
use rand::RngExt;
use sha2::{Digest, Sha256};
use toolgate_domain::{
    AuditEvent, Caller, Clock, IdGen, KeyId, Principal, Scope, TenantId, Timestamp, ids::Uuid,
};
use toolgate_store::{ApiKey, KeyBinding, Signal, StoreError, Stores};

/// How long a key that was found valid is believed without asking the database again. A revocation does not wait for
/// it: it is signalled to every process.
const REMEMBERED: Duration = Duration::from_secs(30);
const MAX_REMEMBERED: usize = 10_000;

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("a key needs a name of 1 to 100 characters")]
    Name,
    #[error("a key needs at least one scope")]
    NoScope,
    #[error("the moment of expiry has passed already")]
    Expired,
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
    known: DashMap<[u8; 32], (Arc<ApiKey>, Instant)>,
}

impl Keyring {
    pub(crate) fn new(stores: Stores, clock: Arc<dyn Clock>, ids: Arc<dyn IdGen>) -> Self {
        Self { stores, clock, ids, known: DashMap::new() }
    }

    pub async fn create(
        &self,
        caller: &Caller,
        name: &str,
        scopes: &[Scope],
        expires_at: Option<Timestamp>,
    ) -> Result<NewKey, KeyError> {
        let new = self.mint(KeyId::generate(&*self.ids), caller, name, scopes, expires_at)?;
        self.stores.keys.insert(&new.key, &self.made(caller, &new.key)).await?;
        Ok(new)
    }

    /// The key of a first start. Its id is always the same, so that of several processes that start on one empty database
    /// exactly one makes it; the others get nothing.
    pub async fn create_first(&self, caller: &Caller) -> Result<Option<NewKey>, KeyError> {
        if !self.list(caller.tenant_id).await?.is_empty() {
            return Ok(None);
        }
        let id = KeyId::from_uuid(Uuid::from_u128(1));
        let new = self.mint(id, caller, "admin (first start)", &[Scope::Admin], None)?;
        match self.stores.keys.insert(&new.key, &self.made(caller, &new.key)).await {
            Ok(()) => Ok(Some(new)),
            Err(StoreError::Conflict(_)) => Ok(None),
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
            tenant_slug: caller.tenant_slug.clone(),
            name: name.trim().to_owned(),
            hash: Sha256::digest(secret.as_bytes()).into(),
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

    /// `false` when the tenant has no such key.
    pub async fn revoke(&self, caller: &Caller, id: KeyId) -> Result<bool, StoreError> {
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "key.revoke", id);
        let found = self.stores.keys.revoke(caller.tenant_id, id, self.clock.now(), &event).await?;
        self.forget();
        self.stores.signals.publish(Signal::Keys).await?;
        Ok(found)
    }

    /// The caller behind a key, if the key is valid now. The look-up is by hash, so its time tells nothing of the key.
    pub async fn authenticate(&self, secret: &str) -> Result<Option<Caller>, StoreError> {
        let hash: [u8; 32] = Sha256::digest(secret.as_bytes()).into();
        let key = match self.remembered(&hash) {
            Some(key) => key,
            None => match self.stores.keys.by_hash(&hash).await? {
                None => return Ok(None),
                Some(key) => self.remember(hash, key),
            },
        };
        let valid = key.revoked_at.is_none() && key.expires_at.is_none_or(|expiry| self.clock.now() < expiry);
        Ok(valid.then(|| Caller {
            tenant_id: key.tenant_id,
            tenant_slug: key.tenant_slug.clone(),
            principal: Principal::Key(key.id),
            scopes: key.scopes.iter().copied().collect(),
        }))
    }

    /// Looks every key up again.
    pub(crate) fn forget(&self) {
        self.known.clear();
    }

    fn remembered(&self, hash: &[u8; 32]) -> Option<Arc<ApiKey>> {
        let entry = self.known.get(hash)?;
        (entry.1.elapsed() < REMEMBERED).then(|| Arc::clone(&entry.0))
    }

    fn remember(&self, hash: [u8; 32], key: ApiKey) -> Arc<ApiKey> {
        if self.known.len() >= MAX_REMEMBERED {
            self.forget();
        }
        let key = Arc::new(key);
        self.known.insert(hash, (Arc::clone(&key), Instant::now()));
        key
    }
}
