//! Passwords are kept as argon2id, and checked a few at a time: each check costs memory on purpose.

use std::sync::{Arc, OnceLock};

use argon2::{Argon2, PasswordHash, PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;
use toolgate_store::StoreError;

/// Checks that run at a time.
const AT_ONCE: usize = 2;

pub(crate) struct Passwords {
    places: Arc<Semaphore>,
    /// What an unknown person's password is held against, so that the time tells nothing of who exists.
    decoy: OnceLock<String>,
}

impl Passwords {
    pub(crate) fn new() -> Self {
        Self { places: Arc::new(Semaphore::new(AT_ONCE)), decoy: OnceLock::new() }
    }

    pub(crate) async fn hash(&self, password: &str) -> Result<String, StoreError> {
        let password = password.to_owned();
        self.work(move || hash(&password)).await?.ok_or_else(|| StoreError::Refused("no hash".to_owned()))
    }

    /// Whether the password is the one that was hashed; never, for nobody's hash, after the same time.
    pub(crate) async fn verify(&self, password: &str, kept: Option<&str>) -> Result<bool, StoreError> {
        let decoy = self.decoy.get_or_init(|| hash("nobody's password").unwrap_or_default());
        let (password, against) = (password.to_owned(), kept.unwrap_or(decoy).to_owned());
        let matches = self
            .work(move || {
                let parsed = PasswordHash::new(&against).ok()?;
                Some(Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok())
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

fn hash(password: &str) -> Option<String> {
    Argon2::default().hash_password(password.as_bytes()).ok().map(|hash| hash.to_string())
}
