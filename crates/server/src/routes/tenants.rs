use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use toolgate_domain::{Caller, Scope, TenantId, Timestamp};
use toolgate_store::Tenant;

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    page::parsed,
    path::Path,
    problem::ProblemDocument,
};

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct TenantResponse {
    id: TenantId,
    slug: String,
    name: String,
    created_at: Timestamp,
    archived_at: Option<Timestamp>,
}

impl From<Tenant> for TenantResponse {
    fn from(tenant: Tenant) -> Self {
        let Tenant { id, slug, name, created_at, archived_at } = tenant;
        Self { id, slug, name, created_at, archived_at }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListTenantsResponse {
    items: Vec<TenantResponse>,
}

/// List tenants
///
/// Only from the installation's own tenant.
#[utoipa::path(
    get, path = "/api/tenants", tag = "tenants", operation_id = "list_tenants", security(("key" = ["admin"])),
    responses((status = 200, description = "Done", body = ListTenantsResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::Admin>,
) -> Result<Json<ListTenantsResponse>, Problem> {
    let tenants = state.engine.rules().tenants(&caller).await?;
    Ok(Json(ListTenantsResponse { items: tenants.into_iter().map(Into::into).collect() }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateTenantParams {
    slug: String,
    name: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct CreateTenantResponse {
    #[serde(flatten)]
    tenant: TenantResponse,
    /// The first key of the tenant, with the scope `admin`; shown this once.
    admin_key: String,
}

/// Make a tenant
///
/// Only from the installation's own tenant. The answer carries the new tenant's first key.
#[utoipa::path(
    post, path = "/api/tenants", tag = "tenants", operation_id = "create_tenant", request_body = CreateTenantParams, security(("key" = ["admin"])),
    responses((status = 201, description = "Made", body = CreateTenantResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::Admin>,
    StrictJson(params): StrictJson<CreateTenantParams>,
) -> Result<(StatusCode, Json<CreateTenantResponse>), Problem> {
    let tenant = state.engine.rules().create_tenant(&caller, &params.slug, &params.name).await?;
    let founder = Caller::system(tenant.id, &tenant.slug);
    let key = state.engine.keys().create(&founder, "admin (first)", &[Scope::Admin], None).await?;
    Ok((StatusCode::CREATED, Json(CreateTenantResponse { tenant: tenant.into(), admin_key: key.secret })))
}

/// Archive a tenant
///
/// Nobody of it gets in any more; its ledger stays.
#[utoipa::path(
    post, path = "/api/tenants/{id}/archive", tag = "tenants", operation_id = "archive_tenant", params(("id" = String, Path, description = "`ten_…`")), security(("key" = ["admin"])),
    responses((status = 200, description = "Done", body = TenantResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn archive(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::Admin>,
    Path(id): Path<String>,
) -> Result<Json<TenantResponse>, Problem> {
    Ok(Json(state.engine.rules().archive_tenant(&caller, parsed("id", &id)?).await?.into()))
}
