//! Secrets go in and never come out: names, scopes and dates are all that is shown.

use axum::{
    extract::{FromRequest, FromRequestParts, Request, State},
    http::{StatusCode, request::Parts},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolgate_domain::{Caller, SecretId, Timestamp, UserId, WorkspaceId};
use toolgate_engine::{SecretError, SecretInfo, SecretName, SecretScope, SecretTarget, SecretValue};

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::Auth,
    body,
    page::{Params, parsed},
    path::Path,
    problem::ProblemDocument,
};

/// Somebody who may change secrets of at least one scope; which ones, the engine says.
pub(crate) struct Keeper(Caller);

impl FromRequestParts<AppState> for Keeper {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let Auth(caller) = Auth::from_request_parts(parts, state).await?;
        let any = ["secrets.user.update", "secrets.workspace.update", "secrets.tenant.update"];
        if any.iter().any(|permission| caller.has(permission)) {
            return Ok(Self(caller));
        }
        let message = "this needs the scope secrets:write: use a key that has it";
        Err(Problem::new(ApiCode::Forbidden, message))
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct SecretResponse {
    id: SecretId,
    name: String,
    /// `user`, `workspace` or `tenant`.
    scope: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    workspace_id: Option<WorkspaceId>,
    /// Grows with each value, from 1.
    revision: u64,
    created_at: Timestamp,
    updated_at: Timestamp,
    /// To the minute; absent when it was never used.
    last_used_at: Option<Timestamp>,
}

impl From<SecretInfo> for SecretResponse {
    fn from(secret: SecretInfo) -> Self {
        let (user_id, workspace_id) = match secret.scope {
            SecretScope::User(id) => (Some(id), None),
            SecretScope::Workspace(id) => (None, Some(id)),
            SecretScope::Tenant => (None, None),
        };
        Self {
            id: secret.id,
            name: secret.name,
            scope: secret.scope.kind(),
            user_id,
            workspace_id,
            revision: secret.revision,
            created_at: secret.created_at,
            updated_at: secret.updated_at,
            last_used_at: secret.last_used_at,
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListSecretsResponse {
    items: Vec<SecretResponse>,
}

/// List secrets
///
/// The caller's own, those of their workspaces, and the tenant's: names, scopes and dates, never values.
#[utoipa::path(
    get, path = "/api/secrets", tag = "secrets", operation_id = "list_secrets", security(("key" = ["secrets:write"])),
    responses((status = 200, description = "Done", body = ListSecretsResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Keeper(caller): Keeper,
) -> Result<Json<ListSecretsResponse>, Problem> {
    let secrets = state.engine.secrets().list(&caller).await?;
    Ok(Json(ListSecretsResponse { items: secrets.into_iter().map(Into::into).collect() }))
}

/// Only described: `SecretBody` reads it, without ever repeating what it read.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "it stands for the body in the OpenAPI document")]
pub(crate) struct SetSecretParams {
    /// 4 to 65536 bytes of text.
    #[schema(write_only, min_length = 4)]
    value: String,
    /// `user` (the default), `workspace` or `tenant`.
    scope: Option<String>,
    /// Id or slug, with the scope `workspace`; may be left out by those who are in exactly one.
    workspace: Option<String>,
}

/// A value on its way in. No error about it quotes it, whatever is wrong with it.
pub(crate) struct SecretBody {
    value: SecretValue,
    target: SecretTarget,
}

impl FromRequest<AppState> for SecretBody {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        let limits = state.engine.limits();
        let bytes = body::read(request.into_body(), limits).await?;
        let unreadable = |_| Problem::new(ApiCode::Malformed, "the body is not valid JSON");
        let body = body::parse_json(&bytes, limits).map_err(unreadable)?;
        let misshapen = || {
            let message = "the body is an object with the texts `value`, and where needed `scope` and `workspace`, and nothing else";
            Problem::new(ApiCode::Invalid, message)
        };
        let Value::Object(mut fields) = body else {
            return Err(misshapen());
        };
        let mut text = |name: &str| match fields.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(misshapen()),
        };
        let (value, scope, workspace) = (text("value")?, text("scope")?, text("workspace")?);
        let (Some(value), true) = (value, fields.is_empty()) else {
            return Err(misshapen());
        };
        let value = SecretValue::new(value).map_err(SecretError::from)?;
        Ok(Self { value, target: SecretTarget::parse(scope.as_deref(), workspace)? })
    }
}

/// Set a secret
///
/// Makes it, or gives it a new value. The value never comes back.
#[utoipa::path(
    put, path = "/api/secrets/{name}", tag = "secrets", operation_id = "set_secret", request_body = SetSecretParams,
    params(("name" = String, Path, description = "The name that tools declare")), security(("key" = ["secrets:write"])),
    responses(
        (status = 200, description = "It has a new value", body = SecretResponse),
        (status = 201, description = "Made", body = SecretResponse),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn set(
    State(state): State<AppState>,
    Keeper(caller): Keeper,
    Path(name): Path<String>,
    SecretBody { value, target }: SecretBody,
) -> Result<(StatusCode, Json<SecretResponse>), Problem> {
    let name: SecretName = parsed("name", &name)?;
    let set = state.engine.secrets().set(&caller, &name, &target, &value).await?;
    let status = if set.revision == 1 { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(set.into())))
}

/// Rotate a secret
///
/// Gives a secret that is there a new value; runs that have the old one keep it until they end.
#[utoipa::path(
    post, path = "/api/secrets/{name}/rotate", tag = "secrets", operation_id = "rotate_secret", request_body = SetSecretParams,
    params(("name" = String, Path, description = "The name that tools declare")), security(("key" = ["secrets:write"])),
    responses((status = 200, description = "Done", body = SecretResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn rotate(
    State(state): State<AppState>,
    Keeper(caller): Keeper,
    Path(name): Path<String>,
    SecretBody { value, target }: SecretBody,
) -> Result<Json<SecretResponse>, Problem> {
    let name: SecretName = parsed("name", &name)?;
    Ok(Json(state.engine.secrets().rotate(&caller, &name, &target, &value).await?.into()))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DeleteSecretParams {
    /// `user` (the default), `workspace` or `tenant`.
    scope: Option<String>,
    /// Id or slug, with the scope `workspace`.
    workspace: Option<String>,
}

/// Delete a secret
///
/// From one scope; where a wider one holds it too, runs use that from now on.
#[utoipa::path(
    delete, path = "/api/secrets/{name}", tag = "secrets", operation_id = "delete_secret",
    params(("name" = String, Path, description = "The name that tools declare"), DeleteSecretParams), security(("key" = ["secrets:write"])),
    responses((status = 204, description = "Deleted"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn delete(
    State(state): State<AppState>,
    Keeper(caller): Keeper,
    Path(name): Path<String>,
    Params(params): Params<DeleteSecretParams>,
) -> Result<StatusCode, Problem> {
    let name: SecretName = parsed("name", &name)?;
    let target = SecretTarget::parse(params.scope.as_deref(), params.workspace)?;
    state.engine.secrets().delete(&caller, &name, &target).await?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<SecretError> for Problem {
    fn from(error: SecretError) -> Self {
        match error {
            SecretError::NotFound(text) => Self::new(ApiCode::NotFound, text),
            SecretError::Invalid(text) => Self::new(ApiCode::Invalid, text),
            SecretError::Forbidden(text) => Self::new(ApiCode::Forbidden, text),
            SecretError::Conflict(text) => Self::new(ApiCode::Conflict, text),
            SecretError::Store(error) => error.into(),
            // Which key seals what is the operator's business.
            SecretError::Vault(error) => {
                tracing::error!(%error, "secrets cannot be sealed or opened");
                let message = "secrets cannot be sealed or opened: the server may have another master key than before; its log says more";
                Self::new(ApiCode::Internal, message)
            }
        }
    }
}
