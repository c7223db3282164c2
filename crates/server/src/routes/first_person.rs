use axum::{
    extract::State,
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use toolgate_engine::NewUser;

use super::sign_in::{SignInParams, SignInResponse, by_password};
use crate::{
    ApiCode, AppState, Problem, body::StrictJson, problem::ProblemDocument, session::refuse_other_sites,
};

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FirstPersonParams {
    /// What stands behind the `#` of the link that the first start printed.
    token: String,
    email: String,
    name: String,
    /// 12 to 200 characters.
    password: String,
}

/// Make the first account
///
/// With the link of the first start, once and within an hour. The person may do everything, and is signed in by the answer.
#[utoipa::path(
    post, path = "/api/auth/first", tag = "sign-in", operation_id = "create_first_person", request_body = FirstPersonParams,
    responses((status = 201, description = "Made", body = SignInResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    parts: Parts,
    StrictJson(params): StrictJson<FirstPersonParams>,
) -> Result<Response, Problem> {
    refuse_other_sites(&parts, &state)?;
    let FirstPersonParams { token, email, name, password } = params;
    let person = NewUser {
        email: email.clone(),
        name,
        roles: Vec::new(),
        workspaces: Vec::new(),
        password: Some(password.clone()),
    };
    state.engine.rules().create_first_person(&token, person).await?;
    let answer = by_password(&state, &parts, &SignInParams { email, password, tenant: None }).await?;
    let answer =
        answer.ok_or_else(|| Problem::new(ApiCode::Internal, "the account was made: sign in with it"))?;
    Ok((StatusCode::CREATED, answer).into_response())
}
