//! Which path leads where. The OpenAPI document is made from the same table.

use axum::{
    Router,
    http::HeaderName,
    response::IntoResponse,
    routing::{any, get},
};
use tower::ServiceBuilder;
use tower_http::{
    catch_panic::CatchPanicLayer,
    request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer},
};
use utoipa::{
    Modify, OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{ApiCode, AppState, Problem, routes, shed::ShedLayer, web};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Toolgate",
        description = "The one door through which agents, people and programs call tools. Every call is recorded before it acts and leaves a receipt.",
        license(name = "Apache-2.0", identifier = "Apache-2.0")
    ),
    modifiers(&Bearer),
    tags(
        (name = "tools", description = "What can be called"),
        (name = "packs", description = "Many tools, installed as one"),
        (name = "mcp", description = "MCP servers of others, whose tools are imported under a lock"),
        (name = "calls", description = "Calling, and stopping calls"),
        (name = "runs", description = "Runs of agents: started, watched, stopped"),
        (name = "chat", description = "Conversations with agents: threads and messages"),
        (name = "approvals", description = "Calls that wait for a person, deciding them, and what would be decided"),
        (name = "tasks", description = "Work that tools handed to somebody"),
        (name = "receipts", description = "What was called: invocations, envelopes, events, blobs"),
        (name = "agents", description = "Agents, what was assigned to them, and on which terms"),
        (name = "policies", description = "The tenant's own rules and limits"),
        (name = "people", description = "Users, roles and workspaces"),
        (name = "tenants", description = "The walls between organisations"),
        (name = "sign-in", description = "Browsers' sessions"),
        (name = "audit", description = "Who changed what, and the proof that nobody rewrote it"),
        (name = "keys", description = "Who may call"),
        (name = "secrets", description = "What tools need and nobody reads"),
        (name = "operations", description = "Health and metrics")
    )
)]
struct Document;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("tg_…").build();
        document.components.get_or_insert_default().add_security_scheme("key", SecurityScheme::Http(scheme));
    }
}

fn table() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(routes::tools::list, routes::register::register))
        .routes(routes!(routes::tools::get, routes::author::patch, routes::author::delete))
        .routes(routes!(routes::versions::versions))
        .routes(routes!(routes::author::diff))
        .routes(routes!(routes::author::restore))
        .routes(routes!(routes::test_runs::test))
        .routes(routes!(routes::test_runs::test_stream))
        .routes(routes!(routes::aliases::put))
        .routes(routes!(routes::aliases::list))
        .routes(routes!(routes::aliases::end))
        .routes(routes!(routes::rename::rename))
        .routes(routes!(routes::usage::of_tool))
        .routes(routes!(routes::usage::of_deprecated))
        .routes(routes!(routes::usage_report::get))
        .routes(routes!(routes::cache::purge))
        .routes(routes!(routes::packs::list, routes::packs::install))
        .routes(routes!(routes::packs::available))
        .routes(routes!(routes::packs::remove))
        .routes(routes!(routes::invoke::invoke))
        .routes(routes!(routes::invoke_stream::invoke_stream))
        .routes(routes!(routes::batch::batch))
        .routes(routes!(routes::invocations::list))
        .routes(routes!(routes::invocations::get))
        .routes(routes!(routes::invocations::envelope))
        .routes(routes!(routes::cancel::cancel))
        .routes(routes!(routes::principals::list))
        .routes(routes!(routes::runs::list, routes::runs::start))
        .routes(routes!(routes::runs::get))
        .routes(routes!(routes::runs::cancel))
        .routes(routes!(routes::run_parts::steps))
        .routes(routes!(routes::run_parts::calls))
        .routes(routes!(routes::run_parts::events))
        .routes(routes!(routes::threads::list, routes::threads::create))
        .routes(routes!(routes::threads::get, routes::threads::update, routes::threads::archive))
        .routes(routes!(routes::messages::list, routes::messages::say))
        .routes(routes!(routes::messages::retry))
        .routes(routes!(routes::messages::events))
        .routes(routes!(routes::run_bundles::export))
        .routes(routes!(routes::explain::explain))
        .routes(routes!(routes::approvals::list))
        .routes(routes!(routes::waiting::count))
        .routes(routes!(routes::waiting::stream))
        .routes(routes!(routes::webhooks::list, routes::webhooks::create))
        .routes(routes!(routes::webhooks::delete))
        .routes(routes!(routes::webhooks::test))
        .routes(routes!(routes::webhooks::deliveries))
        .routes(routes!(routes::approvals::approve))
        .routes(routes!(routes::approvals::reject))
        .routes(routes!(routes::events::of_session))
        .routes(routes!(routes::events::of_tenant))
        .routes(routes!(routes::blobs::read))
        .routes(routes!(routes::traces::get))
        .routes(routes!(routes::traces::show))
        .routes(routes!(routes::agents::list, routes::agents::create))
        .routes(routes!(routes::agents::get, routes::agents::update))
        .routes(routes!(routes::agents::archive))
        .routes(routes!(routes::agent_actions::list))
        .routes(routes!(routes::agent_tools::get, routes::agent_tools::put))
        .routes(routes!(routes::agent_tools::catalog))
        .routes(routes!(routes::agent_tools::revoke_override))
        .routes(routes!(routes::assignments::list))
        .routes(routes!(routes::assignments::of_agent, routes::assignments::assign))
        .routes(routes!(routes::assignments::revoke))
        .routes(routes!(routes::profiles::list, routes::profiles::create))
        .routes(routes!(routes::profiles::get, routes::profiles::update, routes::profiles::delete))
        .routes(routes!(routes::skills::list, routes::skills::create))
        .routes(routes!(routes::skills::get, routes::skills::update, routes::skills::delete))
        .routes(routes!(routes::providers::list, routes::providers::create))
        .routes(routes!(routes::providers::get, routes::providers::update, routes::providers::delete))
        .routes(routes!(routes::mcp_servers::list, routes::mcp_servers::create))
        .routes(routes!(routes::mcp_servers::get, routes::mcp_servers::update, routes::mcp_servers::delete))
        .routes(routes!(routes::mcp_servers::refresh))
        .routes(routes!(routes::mcp_tools::list))
        .routes(routes!(routes::mcp_tools::accept))
        .routes(routes!(routes::mcp_tools::reject))
        .routes(routes!(routes::mcp_login::start))
        .routes(routes!(routes::mcp_login::finish))
        .routes(routes!(routes::tasks::list))
        .routes(routes!(routes::tasks::get))
        .routes(routes!(routes::tasks::start))
        .routes(routes!(routes::tasks::complete))
        .routes(routes!(routes::tasks::cancel))
        .routes(routes!(routes::policies::list, routes::policies::put))
        .routes(routes!(routes::policies::replay))
        .routes(routes!(routes::settings::get, routes::settings::put))
        .routes(routes!(routes::settings::get_tool, routes::settings::put_tool))
        .routes(routes!(routes::people::list, routes::people::create))
        .routes(routes!(routes::people::get, routes::people::update))
        .routes(routes!(routes::sessions::list_of_user))
        .routes(routes!(routes::sessions::end_of_user))
        .routes(routes!(routes::people::workspaces, routes::people::create_workspace))
        .routes(routes!(routes::roles::list))
        .routes(routes!(routes::roles::permissions))
        .routes(routes!(routes::roles::put, routes::roles::delete))
        .routes(routes!(routes::tenants::list, routes::tenants::create))
        .routes(routes!(routes::tenants::archive))
        .routes(routes!(routes::sign_in::sign_in))
        .routes(routes!(routes::sign_in::sign_out))
        .routes(routes!(routes::first_person::create))
        .routes(routes!(routes::sign_in::ways))
        .routes(routes!(routes::me::me))
        .routes(routes!(routes::me::switch))
        .routes(routes!(routes::sessions::list_own))
        .routes(routes!(routes::sessions::end_own))
        .routes(routes!(routes::oidc::start))
        .routes(routes!(routes::oidc::callback))
        .routes(routes!(routes::protected_resource::get))
        .routes(routes!(routes::protected_resource::get_mcp))
        .routes(routes!(routes::audit::list))
        .routes(routes!(routes::audit::get))
        .routes(routes!(routes::audit_proof::export))
        .routes(routes!(routes::audit_proof::verify))
        .routes(routes!(routes::keys::list, routes::keys::create))
        .routes(routes!(routes::keys::revoke))
        .routes(routes!(routes::secrets::list))
        .routes(routes!(routes::secrets::set, routes::secrets::delete))
        .routes(routes!(routes::secrets::rotate))
        .routes(routes!(routes::health::healthz))
        .routes(routes!(routes::health::readyz))
        .routes(routes!(routes::metrics::metrics))
        .routes(routes!(routes::document::openapi_json))
        .routes(routes!(routes::document::docs))
        .routes(routes!(routes::document::docs_script))
        .routes(routes!(routes::document::docs_start))
}

/// The OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    table().into_openapi()
}

/// The whole surface.
pub fn router(state: AppState) -> Router {
    let request_id = HeaderName::from_static("x-request-id");
    let (router, _) = table().split_for_parts();
    router
        .route("/mcp", any(routes::mcp::mcp))
        // The addresses that the sources give these; the document lists them once.
        .route("/ai/agents/{id}/tools", get(routes::agent_tools::get).put(routes::agent_tools::put))
        .route("/ai/agents/{id}/tools/catalog", get(routes::agent_tools::catalog))
        .fallback(web::app)
        .method_not_allowed_fallback(|| async {
            Problem::new(ApiCode::MethodNotAllowed, "this path exists, but not for this method")
        })
        .layer(
            ServiceBuilder::new()
                .layer(SetRequestIdLayer::new(request_id.clone(), MakeRequestUuid))
                .layer(PropagateRequestIdLayer::new(request_id))
                .map_response(web::complete)
                .layer(CatchPanicLayer::custom(|_| {
                    Problem::new(
                        ApiCode::Internal,
                        "the server stumbled over this request; its log says more",
                    )
                    .into_response()
                }))
                .layer(ShedLayer(state.clone())),
        )
        .with_state(state)
}
