use axum::extract::State;
use serde::{Deserialize, Serialize};
use toolgate_domain::{Timestamp, ToolName};
use toolgate_store::Alias;

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    page::parsed,
    path::Path,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PutAliasParams {
    /// The other name.
    alias: ToolName,
    /// When the alias ends.
    #[schema(value_type = String, format = DateTime)]
    remove_by: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct PutAliasResponse {
    alias: ToolName,
    target: ToolName,
    remove_by: Timestamp,
}

/// Give a tool another name for a while
///
/// Calls by the alias work until `remove_by`, and warn.
#[utoipa::path(
    post, path = "/api/tools/{name}/aliases", tag = "tools", operation_id = "put_tool_alias",
    params(("name" = String, Path, description = "The tool's name")), request_body = PutAliasParams,
    security(("key" = ["tools:write"])),
    responses((status = 200, description = "Done", body = PutAliasResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn put(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path(name): Path<String>,
    StrictJson(params): StrictJson<PutAliasParams>,
) -> Result<Json<PutAliasResponse>, Problem> {
    let remove_by = parsed("remove_by", &params.remove_by)?;
    let alias = state.engine.registry().put_alias(&caller, params.alias, &name, remove_by).await?;
    Ok(Json(alias.into()))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListAliasesResponse {
    /// By alias.
    items: Vec<PutAliasResponse>,
}

/// List aliases
///
/// Those that have not ended.
#[utoipa::path(
    get, path = "/api/aliases", tag = "tools", operation_id = "list_tool_aliases", security(("key" = ["tools:read"])),
    responses((status = 200, description = "Done", body = ListAliasesResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
) -> Result<Json<ListAliasesResponse>, Problem> {
    let items =
        state.engine.registry().aliases(&caller).await?.into_iter().map(PutAliasResponse::from).collect();
    Ok(Json(ListAliasesResponse { items }))
}

/// End an alias
///
/// Whoever still calls it is told the tool's name.
#[utoipa::path(
    delete, path = "/api/aliases/{name}", tag = "tools", operation_id = "end_tool_alias",
    params(("name" = String, Path, description = "The alias")),
    security(("key" = ["tools:write"])),
    responses((status = 200, description = "Ended", body = PutAliasResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn end(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path(name): Path<String>,
) -> Result<Json<PutAliasResponse>, Problem> {
    Ok(Json(state.engine.registry().end_alias(&caller, &name).await?.into()))
}

impl From<Alias> for PutAliasResponse {
    fn from(alias: Alias) -> Self {
        Self { alias: alias.alias, target: alias.target, remove_by: alias.remove_by }
    }
}
