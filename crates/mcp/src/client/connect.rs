//! Makes a connection: the way out, the credentials, the greeting.

use std::{collections::HashMap, sync::Arc};

use reqwest::header::{HeaderName, HeaderValue};
use rmcp::{
    RoleClient,
    model::ProtocolVersion,
    service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt, RunningService},
    transport::{
        IntoTransport, StreamableHttpClientTransport,
        streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde_json::json;
use toolgate_domain::{
    ErrorCode, TenantId, ToolError,
    governance::{Upstream, UpstreamTransport, fill_secrets},
};
use toolgate_engine::{Redactor, UpstreamSecrets};

use super::{
    asks::Asks,
    auth::Authorized,
    failure::{self, provider},
    guard::{Guarded, Link},
    options::UpstreamOptions,
    pipes::Pipes,
    program::Start,
    stderr::Sink,
    watching::MAX_WATCHED,
    wire::Wire,
};

/// Requests beside those of calls: lists, answers, and one for each resource that is watched.
const SPARE_REQUESTS: usize = 8 + MAX_WATCHED;

/// How an upstream is greeted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Greeting {
    /// As the newest revision does, and the old way where that is refused.
    Newest,
    /// With `initialize` at once: it is known to want that.
    Old,
}

pub(super) struct Connected {
    pub(super) running: RunningService<RoleClient, Asks>,
    pub(super) link: Arc<Link>,
    pub(super) greeting: Greeting,
}

/// `link` makes what is known of one connection: a second try has another.
pub(super) async fn connect(
    options: &UpstreamOptions,
    (tenant, upstream): (TenantId, &Upstream),
    secrets: &UpstreamSecrets,
    greeting: Greeting,
    link: impl Fn() -> Arc<Link>,
) -> Result<Connected, ToolError> {
    let first = attempt(options, (tenant, upstream), secrets, greeting, link()).await;
    let connected = match first {
        // Programs of older revisions end, or fail, when the first word is one that they do not know.
        Err((error, true)) if greeting == Greeting::Newest => {
            tracing::debug!(upstream = %upstream.name, %error, "greeted again, the old way");
            attempt(options, (tenant, upstream), secrets, Greeting::Old, link()).await
        }
        first => first,
    };
    let mut connected = connected.map_err(|(error, _)| error)?;
    let Some(info) = connected.running.peer_info() else {
        return Err(provider("protocol", "the upstream did not introduce itself"));
    };
    if !ProtocolVersion::KNOWN_VERSIONS.contains(&info.protocol_version) {
        let revision = failure::quote(info.protocol_version.as_str());
        let message =
            format!("the upstream speaks a revision of the protocol that is not known here: {revision}");
        return Err(provider("revision", message));
    }
    if info.protocol_version.has_initialize() {
        connected.greeting = Greeting::Old;
    }
    Ok(connected)
}

/// Fails with whether another greeting may help.
async fn attempt(
    options: &UpstreamOptions,
    (tenant, upstream): (TenantId, &Upstream),
    secrets: &UpstreamSecrets,
    greeting: Greeting,
    link: Arc<Link>,
) -> Result<Connected, (ToolError, bool)> {
    let hopeless = |error: ToolError| (error, false);
    let limits = &options.limits;
    match &upstream.transport {
        UpstreamTransport::Http { url, headers } => {
            let outlet = options.outlet.as_ref().ok_or_else(|| hopeless(no_way_out()))?;
            let http = outlet.client(url).await.map_err(hopeless)?;
            let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
            config.custom_headers = header_map(headers, secrets).map_err(hopeless)?;
            config.max_sse_event_size = limits.message_bytes;
            config.max_concurrent_requests = limits.concurrency + SPARE_REQUESTS;
            config.control_request_timeout = limits.connect_timeout;
            config.session_recovery_timeout = limits.connect_timeout;
            let wire = Wire::new(http, limits.message_bytes);
            let login = options.logins.as_ref().and_then(|logins| logins.of_call(tenant, upstream, secrets));
            match login {
                Some(login) => {
                    let wire = wire.with_hush(login.hush());
                    let http = Authorized::new(wire, login);
                    let transport = StreamableHttpClientTransport::with_client(http, config);
                    greet(options, transport, greeting, link).await
                }
                None => {
                    let transport = StreamableHttpClientTransport::with_client(wire, config);
                    greet(options, transport, greeting, link).await
                }
            }
        }
        UpstreamTransport::Stdio { command, args, env, cwd } => {
            options.commands.check(&upstream.transport).map_err(|why| hopeless(ToolError::denied(why)))?;
            let filled = env.iter().map(|(name, text)| Ok((name.clone(), filled(text, secrets)?)));
            let env = filled.collect::<Result<_, ToolError>>().map_err(hopeless)?;
            let start = Start { command, args, env, cwd: cwd.as_deref() };
            let sink =
                Sink { upstream: upstream.name.clone(), redactor: redactor(secrets).map_err(hopeless)? };
            let pipes =
                Pipes::open(start, limits.message_bytes, Arc::clone(&link), sink).map_err(|error| {
                    hopeless(failure::network(
                        "start",
                        format!("the upstream's program cannot be started: {error}"),
                    ))
                })?;
            greet(options, pipes, greeting, link).await
        }
    }
}

async fn greet<T, E, A>(
    options: &UpstreamOptions,
    transport: T,
    greeting: Greeting,
    link: Arc<Link>,
) -> Result<Connected, (ToolError, bool)>
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let clock = Arc::clone(&options.clock);
    let guarded =
        Guarded::new(transport.into_transport(), Arc::clone(&link), clock, options.limits.unasked_per_s);
    let lifecycle = match greeting {
        Greeting::Newest => ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::LATEST],
            legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
        },
        Greeting::Old => ClientLifecycleMode::Initialize,
    };
    match Box::pin(Asks { link: Arc::clone(&link) }.serve_with_lifecycle(guarded, lifecycle)).await {
        Ok(running) => Ok(Connected { running, link, greeting }),
        Err(error) => {
            let error = read(error, link.fault(), options);
            let again = matches!(error.code, ErrorCode::ProviderError)
                || error.details.as_ref().is_some_and(|details| {
                    ["closed", "ended"].iter().any(|reason| details["reason"] == *reason)
                });
            Err((error, again))
        }
    }
}

fn read(error: ClientInitializeError, fault: Option<failure::Fault>, options: &UpstreamOptions) -> ToolError {
    failure::of_start(error, fault, options.clock.now().as_millis())
}

fn no_way_out() -> ToolError {
    ToolError::new(ErrorCode::Unknown, "this server reaches no upstreams over HTTP")
}

/// A text with the values of the secrets that it names.
fn filled(text: &str, secrets: &UpstreamSecrets) -> Result<String, ToolError> {
    fill_secrets(text, |name| secrets.get(name).map(|value| value.expose())).map_err(|name| {
        let message = format!("the upstream needs the secret `{name}`: set it (toolgate secret set {name})");
        ToolError::new(ErrorCode::AuthRequired, message).with_details(json!({"missing": [name]}))
    })
}

fn header_map(
    headers: &std::collections::BTreeMap<String, String>,
    secrets: &UpstreamSecrets,
) -> Result<HashMap<HeaderName, HeaderValue>, ToolError> {
    let mut map = HashMap::with_capacity(headers.len());
    for (name, text) in headers {
        let wrong = || {
            ToolError::validation(format!("the upstream's header `{}` cannot be sent", failure::quote(name)))
        };
        let header: HeaderName = name.parse().map_err(|_| wrong())?;
        let mut value = HeaderValue::from_str(&filled(text, secrets)?).map_err(|_| wrong())?;
        value.set_sensitive(true);
        map.insert(header, value);
    }
    Ok(map)
}

pub(super) fn redactor(secrets: &UpstreamSecrets) -> Result<Arc<Redactor>, ToolError> {
    let pairs = secrets.names().filter_map(|name| Some((name.parse().ok()?, secrets.get(name)?.clone())));
    let unfit =
        |_| ToolError::new(ErrorCode::Unknown, "the upstream's secrets cannot be kept out of its log");
    Redactor::new(pairs).map(Arc::new).map_err(unfit)
}
