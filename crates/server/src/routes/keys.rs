use axum::{
    extract::{FromRequestParts, State},
    http::{StatusCode, request::Parts},
};
use serde::{Deserialize, Serialize};
use toolgate_domain::{AgentId, Caller, KeyId, Scope, Timestamp, UserId};
use toolgate_store::{ApiKey, KeyBinding};

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Auth, Needs},
    body::StrictJson,
    page::{parsed, parsed_option},
    path::Path,
    problem::ProblemDocument,
};

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct KeyResponse {
    id: KeyId,
    name: String,
    /// The first characters of the key.
    hint: String,
    scopes: Vec<Scope>,
    /// The agent whose calls are made with it.
    agent_id: Option<AgentId>,
    /// The person whose key it is.
    user_id: Option<UserId>,
    service_role: bool,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
}

impl From<ApiKey> for KeyResponse {
    fn from(key: ApiKey) -> Self {
        Self {
            id: key.id,
            name: key.name,
            hint: key.hint,
            scopes: key.scopes,
            agent_id: key.bound.agent_id,
            user_id: key.bound.user_id,
            service_role: key.bound.service_role,
            created_at: key.created_at,
            expires_at: key.expires_at,
            revoked_at: key.revoked_at,
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListKeysResponse {
    items: Vec<KeyResponse>,
}

/// List keys
///
/// Never the keys themselves: only their hashes are kept.
#[utoipa::path(
    get, path = "/api/keys", tag = "keys", operation_id = "list_keys", security(("key" = ["admin"])),
    responses((status = 200, description = "Done", body = ListKeysResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::Admin>,
) -> Result<Json<ListKeysResponse>, Problem> {
    let keys = state.engine.keys().list(caller.tenant_id).await?;
    Ok(Json(ListKeysResponse { items: keys.into_iter().map(Into::into).collect() }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateKeyParams {
    name: String,
    #[schema(value_type = Vec<Scope>)]
    scopes: Vec<String>,
    /// RFC 3339; without it the key does not expire.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<String>,
    /// Calls made with the key are this agent's: `agt_…` or a handle.
    #[serde(default)]
    agent: Option<String>,
    /// The key is this person's, and can do no more than they can: `usr_…`, or `me`.
    #[serde(default)]
    user: Option<String>,
    /// For stdio and background work.
    #[serde(default)]
    service_role: bool,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct CreateKeyResponse {
    /// The key itself, shown this once.
    key: String,
    #[serde(flatten)]
    about: KeyResponse,
}

/// Somebody who may make some key: an admin, or a person who signed in, for themselves.
pub(crate) struct MakesKeys(Caller);

impl FromRequestParts<AppState> for MakesKeys {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let auth = Auth::from_request_parts(parts, state).await?;
        let is_signed_in = auth.0.credential.is_none() && auth.0.user_id().is_some();
        Ok(Self(if is_signed_in { auth.0 } else { auth.require(Scope::Admin)? }))
    }
}

/// Create a key
///
/// A person who signed in makes keys for themselves without `admin`. Only such a key decides calls in their name.
#[utoipa::path(
    post, path = "/api/keys", tag = "keys", operation_id = "create_key", request_body = CreateKeyParams, security(("key" = ["admin"])),
    responses((status = 201, description = "Made", body = CreateKeyResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    MakesKeys(caller): MakesKeys,
    StrictJson(params): StrictJson<CreateKeyParams>,
) -> Result<(StatusCode, Json<CreateKeyResponse>), Problem> {
    let user_id = match params.user.as_deref() {
        Some("me") => caller.user_id(),
        other => parsed_option("user", other)?,
    };
    let for_themselves = user_id.is_some() && user_id == caller.user_id() && caller.credential.is_none();
    let caller = if for_themselves { caller } else { Auth(caller).require(Scope::Admin)? };
    let scopes =
        params.scopes.iter().map(|scope| parsed("scopes", scope)).collect::<Result<Vec<Scope>, _>>()?;
    let expires_at = parsed_option("expires_at", params.expires_at.as_deref())?;
    let agent_id = match &params.agent {
        Some(reference) => Some(state.engine.rules().find_agent(&caller, reference).await?.id),
        None => None,
    };
    let kinds = [agent_id.is_some(), user_id.is_some(), params.service_role];
    if kinds.into_iter().filter(|kind| *kind).count() > 1 {
        return Err(Problem::new(
            ApiCode::Invalid,
            "a key speaks for an agent, for a person or for the service role: one of them",
        ));
    }
    let bound = KeyBinding { agent_id, user_id, service_role: params.service_role, ..KeyBinding::default() };
    let made = state.engine.keys().create_bound(&caller, &params.name, &scopes, expires_at, bound).await?;
    Ok((StatusCode::CREATED, Json(CreateKeyResponse { key: made.secret, about: made.key.into() })))
}

/// Revoke a key
///
/// At once, in every process. Revoking twice changes nothing.
#[utoipa::path(
    delete, path = "/api/keys/{id}", tag = "keys", operation_id = "revoke_key",
    params(("id" = String, Path, description = "`key_…`")), security(("key" = ["admin"])),
    responses((status = 204, description = "Revoked"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn revoke(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::Admin>,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let id: KeyId = parsed("id", &id)?;
    if state.engine.keys().revoke(&caller, id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::new(ApiCode::NotFound, format!("there is no key {id}")))
    }
}
