use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use toolgate_domain::{
    Caller, Lifecycle, Page, Surface, Tool,
    tool::{ToolKind, ToolOverride},
};
use toolgate_engine::ToolFilter;

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    page::{Params, page_size, parsed_option},
    path::Path,
    problem::ProblemDocument,
};

/// A tool, as this caller sees it.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ToolResponse {
    #[serde(flatten)]
    tool: Tool,
    /// Secrets that must be set before this caller can call the tool.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing_secrets: Vec<String>,
    /// It works and warns; stop calling it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    deprecated: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    /// A tool of an MCP server whose class promises less than the server says of it; a person agreed to that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    class_below_hints: bool,
    /// What this tenant changed of a tool that ships with the program.
    #[serde(rename = "override", skip_serializing_if = "Option::is_none")]
    changed: Option<ToolOverride>,
}

impl ToolResponse {
    async fn of(tool: &Tool, caller: &Caller, state: &AppState) -> Result<Self, Problem> {
        let missing_secrets = match tool.spec.secrets.as_slice() {
            [] => Vec::new(),
            needed => state.engine.secrets().missing(caller, needed).await?,
        };
        let deprecated = tool.lifecycle == Lifecycle::Deprecated;
        let names = toolgate_engine::referred_tools(&tool.spec);
        let mut warnings = state.engine.registry().references_warnings(caller, &names).await?;
        if deprecated {
            warnings.insert(0, format!("{} is deprecated", tool.spec.id()));
        }
        let changed = match tool.kind {
            ToolKind::SystemOverride => {
                state.engine.rules().tool_override(caller, tool.spec.name.as_str()).await?
            }
            ToolKind::Code | ToolKind::TenantCustom => None,
        };
        let class_below_hints = tool.spec.class_below_hints();
        Ok(Self { tool: tool.clone(), missing_secrets, deprecated, warnings, class_below_hints, changed })
    }
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListToolsParams {
    /// Words, or their beginnings, that all stand in the name, the category, the description or the parameters.
    search: Option<String>,
    category: Option<String>,
    /// The runtime: `builtin`, `http`, …
    kind: Option<String>,
    /// `none`, `read_only` or `write`.
    egress_class: Option<String>,
    /// `code` or `tenant_custom`.
    origin: Option<String>,
    /// `active` (the default), `deprecated`, `blocked` or `archived`.
    lifecycle: Option<String>,
    /// Deprecated tools as well.
    #[serde(default)]
    include_deprecated: bool,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    limit: Option<usize>,
}

/// List tools
///
/// The newest version of each tool that this caller may see, by name.
#[utoipa::path(
    get, path = "/api/tools", tag = "tools", operation_id = "list_tools", params(ListToolsParams),
    security(("key" = ["tools:read"])),
    responses((status = 200, description = "Done", body = Page<ToolResponse>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
    Params(params): Params<ListToolsParams>,
) -> Result<Json<Page<ToolResponse>>, Problem> {
    let origin = match params.origin.as_deref() {
        None => None,
        Some("code") => Some(toolgate_domain::tool::Origin::Code),
        Some("tenant_custom") => Some(toolgate_domain::tool::Origin::TenantCustom),
        Some(_) => {
            return Err(Problem::new(crate::ApiCode::Malformed, "origin is `code` or `tenant_custom`"));
        }
    };
    let filter = ToolFilter {
        search: params.search,
        category: params.category,
        kind: params.kind,
        egress_class: parsed_option("egress_class", params.egress_class.as_deref())?,
        origin,
        lifecycle: parsed_option("lifecycle", params.lifecycle.as_deref())?,
        include_deprecated: params.include_deprecated,
        after: params.cursor,
        callable: false,
        limit: page_size(params.limit, &state)?,
    };
    let page = state.engine.registry().list(&caller, Surface::Rest, &filter).await?;
    let mut items = Vec::with_capacity(page.items.len());
    for tool in &page.items {
        items.push(ToolResponse::of(tool, &caller, &state).await?);
    }
    Ok(Json(Page { items, next_cursor: page.next_cursor }))
}

/// Get a tool
///
/// By `name`, `name@1.2.0` or `name@^1`. `fields` are the author's, or made from the input schema where a form can express it.
#[utoipa::path(
    get, path = "/api/tools/{name}", tag = "tools", operation_id = "get_tool",
    params(("name" = String, Path, description = "`name`, `name@1.2.0` or `name@^1`")),
    security(("key" = ["tools:read"])),
    responses((status = 200, description = "Done", body = ToolResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
    Path(name): Path<String>,
) -> Result<Json<ToolResponse>, Problem> {
    let mut tool = Tool::clone(&*state.engine.registry().get(&caller, Surface::Rest, &name).await?);
    let form = tool.spec.form();
    Arc::make_mut(&mut tool.spec).fields = form;
    Ok(Json(ToolResponse::of(&tool, &caller, &state).await?))
}
