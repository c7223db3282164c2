//! Passwords are kept as argon2id, and checked a few at a time: each check costs memory on purpose.

use std::sync::{Arc, OnceLock};

use argon2::{Algorithm, Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::Semaphore;
use toolgate_store::StoreError;

/// Checks that run at a time.
const AT_ONCE: usize = 2;

/// A gibibyte for one check is more than any attacker is worth.
const MAX_MEMORY_KIB: u32 = 1024 * 1024;

pub(crate) struct Passwords {
    /// Hashes at the cost of today. A check pays the cost that its hash names.
    hasher: Argon2<'static>,
    places: Arc<Semaphore>,
    /// What an unknown person's password is held against, so that the time tells nothing of who exists.
    decoy: OnceLock<String>,
}

impl Passwords {
    /// A cost outside the bounds is the nearest inside.
    pub(crate) fn new(memory_kib: u64) -> Self {
        let memory_kib = u32::try_from(memory_kib).unwrap_or(MAX_MEMORY_KIB);
        let memory_kib = memory_kib.clamp(Params::MIN_M_COST, MAX_MEMORY_KIB);
        let params = Params::new(memory_kib, Params::DEFAULT_T_COST, Params::DEFAULT_P_COST, None);
        let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.unwrap_or_default());
        Self { hasher, places: Arc::new(Semaphore::new(AT_ONCE)), decoy: OnceLock::new() }
    }

    pub(crate) async fn hash(&self, password: &str) -> Result<String, StoreError> {
        let (hasher, password) = (self.hasher.clone(), password.to_owned());
        self.work(move || hash(&hasher, &password))
            .await?
            .ok_or_else(|| StoreError::Refused("no hash".to_owned()))
    }

    /// Whether the password is the one that was hashed; never, for nobody's hash, after the same time.
    pub(crate) async fn verify(&self, password: &str, kept: Option<&str>) -> Result<bool, StoreError> {
        let decoy = self.decoy.get_or_init(|| hash(&self.hasher, "nobody's password").unwrap_or_default());
        let (hasher, password, against) =
            (self.hasher.clone(), password.to_owned(), kept.unwrap_or(decoy).to_owned());
        let matches = self
            .work(move || {
                let parsed = PasswordHash::new(&against).ok()?;
                Some(hasher.verify_password(password.as_bytes(), &parsed).is_ok())
            })
            .await?;
        Ok(kept.is_some() && matches == Some(true))
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let gone = |e: &dyn std::fmt::Display| StoreError::Unavailable(e.to_string());
        let _place = self.places.acquire().await.map_err(|e| gone(&e))?;
        tokio::task::spawn_blocking(work).await.map_err(|e| gone(&e))
    }
}

fn hash(hasher: &Argon2<'_>, password: &str) -> Option<String> {
    hasher.hash_password(password.as_bytes()).ok().map(|hash| hash.to_string())
}
