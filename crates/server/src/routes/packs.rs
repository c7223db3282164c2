use std::collections::BTreeMap;

use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolgate_domain::pack::{InstalledPack, PackManifest};
use toolgate_engine::{Bundle, Pack, PackChange, PackError};

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    path::Path,
    problem::ProblemDocument,
    shipped,
};

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListPacksResponse {
    items: Vec<InstalledPack>,
}

/// List packs
///
/// What the tenant installed.
#[utoipa::path(
    get, path = "/api/packs", tag = "packs", operation_id = "list_packs", security(("key" = ["tools:read"])),
    responses((status = 200, description = "Done", body = ListPacksResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
) -> Result<Json<ListPacksResponse>, Problem> {
    Ok(Json(ListPacksResponse { items: state.engine.packs().list(&caller).await? }))
}

/// A pack that ships with the program.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct AvailablePack {
    #[serde(flatten)]
    manifest: PackManifest,
    /// The version that the tenant has.
    installed: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct AvailablePacksResponse {
    items: Vec<AvailablePack>,
}

/// List the packs that ship with the program
#[utoipa::path(
    get, path = "/api/packs/available", tag = "packs", operation_id = "list_available_packs", security(("key" = ["tools:read"])),
    responses((status = 200, description = "Done", body = AvailablePacksResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn available(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
) -> Result<Json<AvailablePacksResponse>, Problem> {
    let here = state.engine.packs().list(&caller).await?;
    let mut items = Vec::new();
    for bundle in shipped::shipped_packs().iter().filter_map(|name| shipped::shipped_pack(name)) {
        let manifest = Pack::read(&bundle, state.engine.limits())?.manifest;
        let installed = here.iter().find(|pack| pack.name == manifest.name);
        items.push(AvailablePack { installed: installed.map(|pack| pack.version.to_string()), manifest });
    }
    Ok(Json(AvailablePacksResponse { items }))
}

/// The name of a pack that ships with the program, or the files of one's own.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InstallPackParams {
    name: Option<String>,
    /// The text of `pack.yaml`.
    manifest: Option<String>,
    /// Path within the pack → text: `calculateRoi/TOOL.md`.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Check everything, change nothing.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct InstallPackResponse {
    name: String,
    version: String,
    /// `install`, `upgrade`, `finish` or `none`.
    change: String,
    /// The version that was installed before.
    from: Option<String>,
    /// Tool by tool: `{does, tool, …}`, where `does` is `register`, `update`, `unchanged`, `activate`, `deprecate` or `skip`.
    #[schema(value_type = Vec<Object>)]
    steps: Value,
    dry_run: bool,
}

/// Install a pack
///
/// All its tools, or none. A newer version is an upgrade: tools that it no longer has become deprecated. Tools that are for other
/// tenants are skipped. The same version with the same content changes nothing.
#[utoipa::path(
    post, path = "/api/packs", tag = "packs", operation_id = "install_pack", request_body = InstallPackParams, security(("key" = ["tools:write"])),
    responses(
        (status = 201, description = "Installed or upgraded", body = InstallPackResponse),
        (status = 200, description = "No change, or a dry run", body = InstallPackResponse),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn install(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    StrictJson(params): StrictJson<InstallPackParams>,
) -> Result<(StatusCode, Json<InstallPackResponse>), Problem> {
    let dry_run = params.dry_run;
    let pack = Pack::read(&bundle(params)?, state.engine.limits())?;
    let plan = state.engine.packs().install(&caller, &pack, dry_run).await?;
    let changed = !dry_run && plan.change != PackChange::None;
    let response = InstallPackResponse {
        name: pack.manifest.name,
        version: pack.manifest.version.to_string(),
        change: json!(plan.change).as_str().unwrap_or_default().to_owned(),
        from: plan.from,
        steps: json!(plan.steps),
        dry_run,
    };
    Ok((if changed { StatusCode::CREATED } else { StatusCode::OK }, Json(response)))
}

fn bundle(params: InstallPackParams) -> Result<Bundle, Problem> {
    match (params.name, params.manifest) {
        (Some(name), None) if params.files.is_empty() => shipped::shipped_pack(&name).ok_or_else(|| {
            let names = shipped::shipped_packs().join(", ");
            Problem::new(ApiCode::NotFound, format!("no such pack ships with this server; these do: {names}"))
        }),
        (None, Some(manifest)) => Ok(Bundle { manifest, files: params.files }),
        _ => Err(Problem::new(
            ApiCode::Invalid,
            "send the `name` of a pack that ships with the server, or `manifest` and `files`",
        )),
    }
}

/// Remove a pack
///
/// Its tools are blocked. Nothing is deleted: receipts refer to them.
#[utoipa::path(
    delete, path = "/api/packs/{name}", tag = "packs", operation_id = "remove_pack", params(("name" = String, Path, description = "The pack's name")), security(("key" = ["tools:write"])),
    responses((status = 200, description = "Removed", body = InstalledPack), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn remove(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path(name): Path<String>,
) -> Result<Json<InstalledPack>, Problem> {
    Ok(Json(state.engine.packs().remove(&caller, &name).await?))
}

impl From<PackError> for Problem {
    fn from(error: PackError) -> Self {
        let text = error.to_string();
        match error {
            PackError::NotFound(_) => Self::new(ApiCode::NotFound, text),
            PackError::Invalid(problems) => Self::new(ApiCode::Invalid, text).with("errors", json!(problems)),
            PackError::Conflict(problems) => {
                Self::new(ApiCode::Conflict, text).with("errors", json!(problems))
            }
            PackError::Forbidden(_) => Self::new(ApiCode::Forbidden, text),
            PackError::Raced => Self::new(ApiCode::Conflict, text),
            PackError::Store(error) => error.into(),
        }
    }
}
