use std::{
    net::SocketAddr,
    ops::Deref,
    sync::{Arc, OnceLock},
};

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use toolgate_domain::Erased;
use toolgate_engine::{Engine, Notifier};
use toolgate_mcp::client::auth::Logins;
use toolgate_mcp::server::{McpHttp, McpHttpOptions};

use crate::{
    TrustedProxies,
    oidc::{AccessTokens, OidcClient},
    origin::Names,
};

/// What every handler works with. Clones share it.
#[derive(Clone)]
pub struct AppState(Erased<Shared>);

/// What an operator decides beyond the bounds.
#[derive(Default)]
pub struct ServerOptions {
    /// Where people reach this server, for links in letters; the listening address when absent. With `https`, cookies are kept to
    /// TLS.
    pub public_url: Option<String>,
    /// Carries letters to webhooks, to where the operator lets them go; without it there are no webhooks.
    pub notifier: Option<Arc<dyn Notifier>>,
    pub elsewhere: Option<Elsewhere>,
    /// Whose access tokens are taken in place of keys.
    pub access: Option<AccessTokens>,
    /// Proxies whose word counts on where a request comes from.
    pub trusted_proxies: TrustedProxies,
    /// Names under which clients may reach `/mcp`, beside loopback, the listening address and the host of the public URL.
    pub mcp_allowed_hosts: Vec<String>,
    /// Other sites whose pages may call `/mcp`.
    pub mcp_allowed_origins: Vec<String>,
    /// Through which people log in to MCP servers of others.
    pub logins: Option<Arc<Logins>>,
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
    /// The names under which `/mcp` is reached.
    pub(crate) names: Names,
    /// Where the server listens, once it does.
    pub(crate) listening: OnceLock<SocketAddr>,
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
        Self(Erased::new(Shared {
            requests: places(limits.max_requests),
            streams: places(limits.max_streams),
            mcp,
            stopping,
            secure_cookies: options.public_url.as_ref().is_some_and(|url| url.starts_with("https:")),
            names: Names::new(
                options.public_url.as_deref(),
                &options.mcp_allowed_hosts,
                &options.mcp_allowed_origins,
            ),
            listening: OnceLock::new(),
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
