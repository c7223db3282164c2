//! The protocol over HTTP, for a server that has checked who asks.

use std::{convert::Infallible, error::Error, sync::Arc};

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Either, Full, combinators::BoxBody};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;
use toolgate_domain::Caller;
use toolgate_engine::Engine;

use super::{
    Gateway,
    direct::{Plain, may_be_plain, told},
    outlook::Outlooks,
    sessions::{Sessions, TooManySessions, on_behalf_of},
};

const SESSION_ID: &str = "mcp-session-id";

/// What the HTTP server decides.
pub struct McpHttpOptions {
    /// Ends all sessions when the server stops.
    pub stopping: CancellationToken,
}

/// The endpoint. Clones share its sessions.
#[derive(Clone)]
pub struct McpHttp {
    service: StreamableHttpService<Gateway, Sessions>,
    sessions: Arc<Sessions>,
    /// For calls that are answered directly.
    gateway: Arc<Gateway>,
    stopping: CancellationToken,
}

impl McpHttp {
    pub fn new(engine: Arc<Engine>, options: McpHttpOptions) -> Self {
        let limits = engine.limits().clone();
        let config = StreamableHttpServerConfig::default()
            .with_cancellation_token(options.stopping.clone())
            .with_json_response(true)
            .with_max_request_body_bytes(usize::try_from(limits.max_input_bytes).unwrap_or(usize::MAX))
            // The HTTP server in front checks both, by its own configuration.
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let outlooks = Outlooks::new(Arc::clone(&engine));
        let gateway = Arc::new(Gateway::of_requests(Arc::clone(&engine), Arc::clone(&outlooks)));
        let factory = move || Ok(Gateway::of_requests(Arc::clone(&engine), Arc::clone(&outlooks)));
        let sessions = Arc::new(Sessions::new(&limits));
        let service = StreamableHttpService::new(factory, Arc::clone(&sessions), config);
        Self { service, sessions, gateway, stopping: options.stopping }
    }

    /// Answers a caller who was verified. Sessions of others are not there for them.
    pub async fn handle<B>(
        &self,
        caller: Caller,
        request: Request<B>,
    ) -> Result<Response<BoxBody<Bytes, Infallible>>, TooManySessions>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let (mut head, body) = request.into_parts();
        let limits = self.gateway.engine.limits();
        let body = if may_be_plain(&head, limits.max_input_bytes) {
            let Ok(body) = body.collect().await else {
                return Ok(told(StatusCode::BAD_REQUEST, "the body of the request broke off"));
            };
            let (body, max_depth) = (body.to_bytes(), usize::try_from(limits.max_json_depth));
            if let Some(plain) = Plain::read(&head, &body, max_depth.unwrap_or(usize::MAX)) {
                return Ok(plain.answer(Arc::clone(&self.gateway), caller, &self.stopping).await);
            }
            Either::Left(Full::new(body))
        } else {
            Either::Right(body)
        };
        let owner = caller.clone();
        head.extensions.insert(caller);
        let request = Request::from_parts(head, body);
        on_behalf_of(&owner, async {
            // The SDK ends whatever session is named, and says yes to one that never was.
            if request.method() == Method::DELETE && self.names_a_foreign_session(&request) {
                return not_found();
            }
            let ends = request.method() == Method::DELETE;
            // In a box: the SDK's future is large, and everything around it would be copied with it.
            let mut response = Box::pin(self.service.handle(request)).await;
            if ends && response.status() == StatusCode::ACCEPTED {
                // The session is over by now, and some clients take a mere "accepted" for a failure.
                *response.status_mut() = StatusCode::NO_CONTENT;
            }
            response
        })
        .await
    }

    fn names_a_foreign_session<B>(&self, request: &Request<B>) -> bool {
        let id = request.headers().get(SESSION_ID).and_then(|id| id.to_str().ok());
        id.is_some_and(|id| !self.sessions.is_own(id))
    }
}

/// The words of the SDK, so that nobody can tell a session of somebody else from none.
fn not_found() -> Response<BoxBody<Bytes, Infallible>> {
    told(StatusCode::NOT_FOUND, "Not Found: Session not found")
}
