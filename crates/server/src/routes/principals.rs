//! Names for the ids that records carry.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use toolgate_domain::Principal;

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    page::Params,
    problem::ProblemDocument,
};

/// Ids of one question.
const MAX_IDS: usize = 100;

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListPrincipalsParams {
    /// Up to 100 ids with commas between them: `usr_…`, `key_…`, `agt_…`, `whk_…`, `system`.
    ids: String,
}

#[derive(Clone, Copy, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PrincipalKind {
    User,
    Key,
    Agent,
    Webhook,
    System,
}

/// Somebody who acts.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct PrincipalResponse {
    id: String,
    kind: PrincipalKind,
    name: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListPrincipalsResponse {
    items: Vec<PrincipalResponse>,
}

/// Name those whom records speak of
///
/// Names alone, of people, keys, agents and webhooks of the tenant. Ids that name nobody are left out.
#[utoipa::path(
    get, path = "/api/principals", tag = "receipts", operation_id = "list_principals", params(ListPrincipalsParams),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = ListPrincipalsResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Params(params): Params<ListPrincipalsParams>,
) -> Result<Json<ListPrincipalsResponse>, Problem> {
    let ids: Vec<&str> = params.ids.split(',').collect();
    if ids.len() > MAX_IDS {
        return Err(Problem::new(ApiCode::Invalid, format!("ids: no more than {MAX_IDS} at a time")));
    }
    let principals: Vec<_> = ids.into_iter().filter_map(|id| Principal::parse(id.trim())).collect();
    let named = state.engine.rules().names(caller.tenant_id, &principals).await?;
    let items = named.into_iter().map(|(principal, name)| PrincipalResponse {
        id: principal.to_string(),
        kind: kind_of(principal),
        name,
    });
    Ok(Json(ListPrincipalsResponse { items: items.collect() }))
}

fn kind_of(principal: Principal) -> PrincipalKind {
    match principal {
        Principal::User(_) => PrincipalKind::User,
        Principal::Key(_) => PrincipalKind::Key,
        Principal::Agent(_) => PrincipalKind::Agent,
        Principal::Webhook(_) => PrincipalKind::Webhook,
        Principal::System => PrincipalKind::System,
    }
}
