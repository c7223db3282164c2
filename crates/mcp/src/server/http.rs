//! The protocol over HTTP, for a server that has checked who asks.

use std::{convert::Infallible, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService,
    session::local::{LocalSessionManager, SessionConfig},
};
use tokio_util::sync::CancellationToken;
use toolgate_engine::Engine;

use super::Gateway;

/// What the HTTP server decides.
pub struct McpHttpOptions {
    /// Ends all sessions when the server stops.
    pub stopping: CancellationToken,
}

/// The endpoint. Clones share its sessions.
#[derive(Clone)]
pub struct McpHttp {
    service: StreamableHttpService<Gateway, LocalSessionManager>,
}

impl McpHttp {
    pub fn new(engine: Arc<Engine>, options: McpHttpOptions) -> Self {
        let limits = engine.limits().clone();
        let mut sessions = SessionConfig::default();
        sessions.keep_alive = Some(Duration::from_secs(limits.mcp_session_idle_s));
        let mut manager = LocalSessionManager::default();
        manager.session_config = sessions;
        let config = StreamableHttpServerConfig::default()
            .with_cancellation_token(options.stopping)
            .with_json_response(true)
            .with_max_request_body_bytes(usize::try_from(limits.max_input_bytes).unwrap_or(usize::MAX))
            // The HTTP server in front checks both, by its own configuration.
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let factory = move || Ok(Gateway::of_requests(Arc::clone(&engine)));
        Self { service: StreamableHttpService::new(factory, Arc::new(manager), config) }
    }

    /// Answers a request whose extensions hold the verified `Caller`.
    pub async fn handle<B>(&self, request: http::Request<B>) -> http::Response<BoxBody<Bytes, Infallible>>
    where
        B: http_body::Body + Send + 'static,
        B::Error: std::fmt::Display,
        B::Data: Send + 'static,
    {
        self.service.handle(request).await
    }
}
