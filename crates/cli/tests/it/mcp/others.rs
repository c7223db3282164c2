//! What upstreams have besides tools, through the gateway: prompts, resources, and word of what changed.

#![expect(deprecated, reason = "the old revisions subscribe in a way that the new one gives up")]

use rmcp::{
    ClientHandler, RoleClient,
    model::{
        ErrorCode, GetPromptRequestParams, ProtocolVersion, ReadResourceRequestParams,
        ResourceUpdatedNotificationParam, ServerNotification, SubscribeRequestParams, SubscriptionFilter,
    },
    service::{
        ClientLifecycleMode, ClientServiceExt, NotificationContext, RunningService, ServiceError, ServiceExt,
    },
    transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig},
};
use rstest::rstest;
use serde_json::json;
use tokio::sync::mpsc;

use crate::mcp::{
    gate::Gate,
    library::{BOOK, HUGE, Library, Manners},
};

/// A client that notes which resources it was told of.
struct Ears(mpsc::UnboundedSender<String>);

impl ClientHandler for Ears {
    async fn on_resource_updated(
        &self,
        told: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        // The test may be over.
        let _ = self.0.send(told.uri);
    }
}

struct Client {
    to: RunningService<RoleClient, Ears>,
    told: mpsc::UnboundedReceiver<String>,
}

impl Client {
    async fn of(gate: &Gate, key: &str, revision: &ProtocolVersion) -> Self {
        let config =
            StreamableHttpClientTransportConfig::with_uri(format!("{}/mcp", gate.url)).auth_header(key);
        let transport = StreamableHttpClientTransport::from_config(config);
        let (sender, told) = mpsc::unbounded_channel();
        let to = if revision.has_initialize() {
            Ears(sender).serve(transport).await.unwrap()
        } else {
            let lifecycle = ClientLifecycleMode::Auto {
                preferred_versions: vec![revision.clone()],
                legacy_version: None,
            };
            Ears(sender).serve_with_lifecycle(transport, lifecycle).await.unwrap()
        };
        Self { to, told }
    }

    async fn prompts(&self) -> Vec<String> {
        let prompts = self.to.list_all_prompts().await.unwrap();
        prompts.into_iter().map(|prompt| prompt.name).collect()
    }

    async fn resources(&self) -> Vec<String> {
        let resources = self.to.list_all_resources().await.unwrap();
        resources.into_iter().map(|resource| resource.uri.clone()).collect()
    }
}

const INSIDE: [&str; 2] = ["--allow-host", "127.0.0.1"];

async fn register(gate: &Gate, name: &str, library: &Library) {
    let server = json!({
        "name": name, "prefix": name, "egress_class": "read_only", "risk": "low",
        "transport": {"kind": "http", "url": library.url},
    });
    gate.post("/api/mcp/servers", &server).await;
}

fn code<T: std::fmt::Debug>(refused: Result<T, ServiceError>) -> ErrorCode {
    match refused.unwrap_err() {
        ServiceError::McpError(error) => error.code,
        other => panic!("{other:?}"),
    }
}

#[rstest]
#[case::in_an_old_revision(ProtocolVersion::V_2025_11_25)]
#[case::in_the_newest(ProtocolVersion::V_2026_07_28)]
#[tokio::test]
async fn reading_what_an_upstream_has_is_a_call_like_any_other(#[case] revision: ProtocolVersion) {
    let library = Library::open(Manners::Good, ProtocolVersion::LATEST).await;
    let gate = Gate::start(&INSIDE).await;
    register(&gate, "lib", &library).await;
    let client = Client::of(&gate, &gate.key, &revision).await;
    assert_eq!(client.prompts().await, ["lib_greet"]);
    assert_eq!(client.resources().await, [BOOK]);

    let prompt = client.to.get_prompt(GetPromptRequestParams::new("lib_greet")).await.unwrap();
    let receipt = &prompt.meta.unwrap().0["toolgate/receipt"];
    assert_eq!(receipt["name"], "get_upstream_prompt");
    gate.follow().sees("tool.completed", "get_upstream_prompt").await;

    let book = client.to.read_resource(ReadResourceRequestParams::new(BOOK)).await.unwrap();
    assert_eq!(json!(book.contents[0])["text"], "Once upon a time");
    gate.follow().sees("tool.completed", "read_upstream_resource").await;

    let unknown = client.to.get_prompt(GetPromptRequestParams::new("greet")).await;
    assert_eq!(code(unknown), ErrorCode::INVALID_PARAMS, "it has another name here");
    let missing = client.to.read_resource(ReadResourceRequestParams::new("lib://none")).await;
    let expected = if revision.has_initialize() { -32002 } else { -32602 };
    assert_eq!(code(missing), ErrorCode(expected), "as this revision says it");
}

#[tokio::test]
async fn another_tenant_and_whoever_may_not_read_see_nothing() {
    let library = Library::open(Manners::Good, ProtocolVersion::LATEST).await;
    let gate = Gate::start(&INSIDE).await;
    register(&gate, "lib", &library).await;
    let made = gate.post("/api/tenants", &json!({"slug": "others", "name": "Others"})).await;
    let stranger =
        Client::of(&gate, made["admin_key"].as_str().unwrap(), &ProtocolVersion::V_2025_11_25).await;
    assert!(stranger.prompts().await.is_empty() && stranger.resources().await.is_empty());
    let refused = stranger.to.read_resource(ReadResourceRequestParams::new(BOOK)).await;
    assert_eq!(code(refused), ErrorCode::RESOURCE_NOT_FOUND);

    let blind = gate.post("/api/keys", &json!({"name": "blind", "scopes": ["tools:read"]})).await;
    let blind = Client::of(&gate, blind["key"].as_str().unwrap(), &ProtocolVersion::V_2025_11_25).await;
    assert!(blind.prompts().await.is_empty() && blind.resources().await.is_empty());
    let refused = blind.to.get_prompt(GetPromptRequestParams::new("lib_greet")).await;
    assert_eq!(code(refused), ErrorCode::INVALID_PARAMS);
}

#[tokio::test]
async fn one_that_floods_and_one_that_hangs_do_no_harm_to_the_others() {
    let good = Library::open(Manners::Good, ProtocolVersion::LATEST).await;
    let flood = Library::open(Manners::Floods, ProtocolVersion::LATEST).await;
    let hang = Library::open(Manners::Hangs, ProtocolVersion::LATEST).await;
    let gate = Gate::start(&[&INSIDE[..], &["--limit", "mcp_catalog_timeout_ms=2000"]].concat()).await;
    register(&gate, "flood", &flood).await;
    register(&gate, "hang", &hang).await;
    register(&gate, "lib", &good).await;
    let client = Client::of(&gate, &gate.key, &ProtocolVersion::V_2025_11_25).await;
    let prompts = client.prompts().await;
    let of = |prefix: &str| prompts.iter().filter(|name| name.starts_with(prefix)).count();
    assert_eq!((of("flood_"), of("hang_"), of("lib_")), (1_000, 0, 1));
    assert_eq!(client.resources().await, [BOOK, HUGE]);

    let huge = client.to.read_resource(ReadResourceRequestParams::new(HUGE)).await;
    let ServiceError::McpError(refused) = huge.unwrap_err() else { panic!("the connection broke") };
    assert_eq!(refused.data.unwrap()["code"], "PROVIDER_ERROR", "it is too large");
    let book = client.to.read_resource(ReadResourceRequestParams::new(BOOK)).await.unwrap();
    assert_eq!(json!(book.contents[0])["text"], "Once upon a time");
}

#[rstest]
#[case::of_an_old_one(ProtocolVersion::V_2025_11_25)]
#[case::of_the_newest(ProtocolVersion::V_2026_07_28)]
#[tokio::test]
async fn a_session_that_watches_a_resource_is_told_and_lets_go_at_its_end(#[case] upstream: ProtocolVersion) {
    let library = Library::open(Manners::Good, upstream).await;
    let gate = Gate::start(&[&INSIDE[..], &["--limit", "mcp_watches=1"]].concat()).await;
    register(&gate, "lib", &library).await;
    let mut client = Client::of(&gate, &gate.key, &ProtocolVersion::V_2025_11_25).await;
    client.to.subscribe(SubscribeRequestParams::new(BOOK)).await.unwrap();
    library.is_watched_by(1).await;
    library.write().await;
    assert_eq!(client.told.recv().await.unwrap(), BOOK);

    let second = client.to.subscribe(SubscribeRequestParams::new("lib://other")).await;
    assert_eq!(code(second), ErrorCode::INVALID_REQUEST, "one is as many as it may watch");
    client.to.cancel().await.unwrap();
    library.is_watched_by(0).await;
}

#[rstest]
#[case::of_an_old_one(ProtocolVersion::V_2025_11_25)]
#[case::of_the_newest(ProtocolVersion::V_2026_07_28)]
#[tokio::test]
async fn whoever_listens_without_a_session_is_told_too(#[case] upstream: ProtocolVersion) {
    let library = Library::open(Manners::Good, upstream).await;
    let gate = Gate::start(&INSIDE).await;
    register(&gate, "lib", &library).await;
    let client = Client::of(&gate, &gate.key, &ProtocolVersion::V_2026_07_28).await;
    let mut filter = SubscriptionFilter::new();
    filter.resource_subscriptions = Some(vec![BOOK.to_owned()]);
    let mut subscription = client.to.listen(filter).await.unwrap();
    library.is_watched_by(1).await;
    library.write().await;
    let Some(ServerNotification::ResourceUpdatedNotification(told)) = subscription.next().await.unwrap()
    else {
        panic!("something else was told")
    };
    assert_eq!(told.params.uri, BOOK);
    drop(subscription);
    library.is_watched_by(0).await;
}
