use std::{ops::Deref, sync::Arc};

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use toolgate_engine::Engine;

use crate::oidc::OidcClient;

/// What every handler works with. Clones share it.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

pub struct Shared {
    pub(crate) engine: Arc<Engine>,
    /// Requests that may be under way.
    pub(crate) requests: Arc<Semaphore>,
    /// Event streams that may be open.
    pub(crate) streams: Arc<Semaphore>,
    /// Fires when the server stops: streams end, so that connections can.
    pub(crate) stopping: CancellationToken,
    /// Whether browsers must keep our cookies to TLS.
    pub(crate) secure_cookies: bool,
    pub(crate) elsewhere: Option<Elsewhere>,
}

/// Another site that vouches for people.
pub struct Elsewhere {
    pub client: OidcClient,
    /// Seals what a browser keeps while it is there.
    pub key: [u8; 32],
}

/// What the server knows of the world that it stands in.
#[derive(Default)]
pub struct Surroundings {
    /// Whether people reach the server over TLS, perhaps through a proxy.
    pub secure_cookies: bool,
    pub elsewhere: Option<Elsewhere>,
}

impl AppState {
    pub fn new(engine: Arc<Engine>) -> Self {
        Self::with(engine, Surroundings::default())
    }

    pub fn with(engine: Arc<Engine>, surroundings: Surroundings) -> Self {
        let places = |limit: u64| {
            Arc::new(Semaphore::new(usize::try_from(limit).unwrap_or(1).clamp(1, Semaphore::MAX_PERMITS)))
        };
        let limits = engine.limits();
        Self(Arc::new(Shared {
            requests: places(limits.max_requests),
            streams: places(limits.max_streams),
            stopping: CancellationToken::new(),
            secure_cookies: surroundings.secure_cookies,
            elsewhere: surroundings.elsewhere,
            engine,
        }))
    }
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
