use std::{ops::Deref, sync::Arc};

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use toolgate_engine::Engine;
use toolgate_mcp::server::{McpHttp, McpHttpOptions};

use crate::oidc::OidcClient;

/// What every handler works with. Clones share it.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

/// What an operator decides beyond the bounds.
#[derive(Default)]
pub struct ServerOptions {
    /// Where people reach this server, for links in letters; the listening address when absent. With `https`, cookies are kept to
    /// TLS.
    pub public_url: Option<String>,
    /// Whether webhooks may lead into private networks.
    pub allow_private_webhooks: bool,
    pub elsewhere: Option<Elsewhere>,
}

/// Another site that vouches for people.
pub struct Elsewhere {
    pub client: OidcClient,
    /// Seals what a browser keeps while it is there.
    pub key: [u8; 32],
}

pub struct Shared {
    pub(crate) options: ServerOptions,
    pub(crate) engine: Arc<Engine>,
    /// Requests that may be under way.
    pub(crate) requests: Arc<Semaphore>,
    /// Event streams that may be open.
    pub(crate) streams: Arc<Semaphore>,
    pub(crate) mcp: McpHttp,
    /// Fires when the server stops: streams end, so that connections can.
    pub(crate) stopping: CancellationToken,
    /// Whether browsers must keep our cookies to TLS.
    pub(crate) secure_cookies: bool,
}

impl AppState {
    pub fn new(engine: Arc<Engine>) -> Self {
        Self::with(engine, ServerOptions::default())
    }

    pub fn with(engine: Arc<Engine>, options: ServerOptions) -> Self {
        let places = |limit: u64| {
            Arc::new(Semaphore::new(usize::try_from(limit).unwrap_or(1).clamp(1, Semaphore::MAX_PERMITS)))
        };
        let (limits, stopping) = (engine.limits(), CancellationToken::new());
        let mcp = McpHttp::new(Arc::clone(&engine), McpHttpOptions { stopping: stopping.child_token() });
        Self(Arc::new(Shared {
            requests: places(limits.max_requests),
            streams: places(limits.max_streams),
            mcp,
            stopping,
            secure_cookies: options.public_url.as_ref().is_some_and(|url| url.starts_with("https:")),
            engine,
            options,
        }))
    }
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
