//! Browsers' sessions as people see them: their own, and those of others for an admin of people.

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
};
use serde::{Deserialize, Serialize};
use toolgate_domain::{LoginId, Page, Timestamp};
use toolgate_engine::LoginInfo;

use crate::{
    AppState, Json, Problem,
    auth::{self, Auth, Needs},
    page::{Params, page_of, parsed},
    path::Path,
    problem::ProblemDocument,
    session::current,
};

/// One browser, or other client, that a person is signed in with; never its token.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct SessionResponse {
    id: LoginId,
    begun_at: Timestamp,
    /// To within a few minutes.
    used_at: Timestamp,
    expires_at: Timestamp,
    /// The kind of client, such as `Firefox on Linux`; absent where it did not say.
    client: Option<String>,
    /// Whether it is the session that asks.
    current: bool,
}

impl From<LoginInfo> for SessionResponse {
    fn from(login: LoginInfo) -> Self {
        Self {
            id: login.id,
            begun_at: login.begun_at,
            used_at: login.used_at,
            expires_at: login.expires_at,
            client: login.client,
            current: login.is_current,
        }
    }
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListSessionsParams {
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    limit: Option<usize>,
}

impl ListSessionsParams {
    /// Ids are in the order in which sessions began.
    fn page(self, all: Vec<LoginInfo>, state: &AppState) -> Result<Json<Page<SessionResponse>>, Problem> {
        let page = page_of(all, |login| login.id.to_string(), self.cursor, self.limit, state)?;
        Ok(Json(page.map(Into::into)))
    }
}

/// List one's own sessions
///
/// Oldest first. A key that belongs to no person has none. A person's key needs the scope `admin`.
#[utoipa::path(
    get, path = "/api/auth/sessions", tag = "sign-in", operation_id = "list_own_sessions", params(ListSessionsParams), security(("key" = [])),
    responses((status = 200, description = "Done", body = Page<SessionResponse>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list_own(
    State(state): State<AppState>,
    Auth(caller): Auth,
    headers: HeaderMap,
    Params(params): Params<ListSessionsParams>,
) -> Result<Json<Page<SessionResponse>>, Problem> {
    let all = state.engine.rules().own_logins(&caller, current(&caller, &headers)).await?;
    params.page(all, &state)
}

/// End one's own session
///
/// At once, in every process: nobody gets in with its cookie any more.
#[utoipa::path(
    delete, path = "/api/auth/sessions/{id}", tag = "sign-in", operation_id = "end_own_session", params(("id" = String, Path, description = "`lgn_…`")), security(("key" = [])),
    responses((status = 204, description = "Ended"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn end_own(
    State(state): State<AppState>,
    Auth(caller): Auth,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    state.engine.rules().end_own_login(&caller, parsed("id", &id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List a person's sessions
///
/// Oldest first.
#[utoipa::path(
    get, path = "/api/users/{id}/sessions", tag = "people", operation_id = "list_user_sessions", params(("id" = String, Path, description = "`usr_…`"), ListSessionsParams), security(("key" = ["people:write"])),
    responses((status = 200, description = "Done", body = Page<SessionResponse>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list_of_user(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PeopleWrite>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Params(params): Params<ListSessionsParams>,
) -> Result<Json<Page<SessionResponse>>, Problem> {
    let token = current(&caller, &headers);
    let all = state.engine.rules().logins_of_user(&caller, parsed("id", &id)?, token).await?;
    params.page(all, &state)
}

/// End a person's session
///
/// At once, in every process. Nobody ends a session of a person who can do more than they can.
#[utoipa::path(
    delete, path = "/api/users/{id}/sessions/{session}", tag = "people", operation_id = "end_user_session",
    params(("id" = String, Path, description = "`usr_…`"), ("session" = String, Path, description = "`lgn_…`")), security(("key" = ["people:write"])),
    responses((status = 204, description = "Ended"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn end_of_user(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PeopleWrite>,
    Path((id, session)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let (id, session) = (parsed("id", &id)?, parsed("session", &session)?);
    state.engine.rules().end_login_of_user(&caller, id, session).await?;
    Ok(StatusCode::NO_CONTENT)
}
