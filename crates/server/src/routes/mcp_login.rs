//! Logging in to an MCP server of somebody else. Whoever starts a login finishes it, once, within ten minutes; the tokens go into a secret
//! and never come out.

use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use toolgate_domain::{Caller, governance::OauthOwner};
use toolgate_mcp::client::auth::{Answer, Login, LoginError};

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    path::Path,
    problem::ProblemDocument,
};

/// No code or state of an authorization server is longer.
const MAX_FIELD_BYTES: usize = 8_192;

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartMcpLoginParams {
    /// Where the browser is sent back to: a loopback address of the one who logs in, or a page over TLS.
    redirect_uri: String,
    /// Whose login it becomes; as the server's document says, when it is left out.
    owner: Option<OauthOwner>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct StartMcpLoginResponse {
    /// Where the person says yes.
    authorization_url: String,
    /// Comes back with them.
    state: String,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FinishMcpLoginParams {
    code: String,
    state: String,
    /// The authorization server that answered, where it says so.
    iss: Option<String>,
    owner: Option<OauthOwner>,
}

/// Start a login to an MCP server
#[utoipa::path(
    post, path = "/api/mcp/servers/{name}/oauth/start", tag = "mcp", operation_id = "start_mcp_login", request_body = StartMcpLoginParams,
    params(("name" = String, Path, description = "A name, or `ups_…`")), security(("key" = ["tools:read"])),
    responses((status = 200, description = "Started; send the person to the address", body = StartMcpLoginResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn start(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
    Path(name): Path<String>,
    StrictJson(params): StrictJson<StartMcpLoginParams>,
) -> Result<Json<StartMcpLoginResponse>, Problem> {
    if !is_redirect(&params.redirect_uri) {
        let message = "redirect_uri is `http` on a loopback address, or `https`";
        return Err(Problem::new(ApiCode::Invalid, message));
    }
    let login = login(&state, &caller, &name, params.owner).await?;
    let started =
        login.start(&caller.principal.to_string(), &params.redirect_uri, None).await.map_err(problem)?;
    Ok(Json(StartMcpLoginResponse { authorization_url: started.authorization_url, state: started.state }))
}

/// Finish a login to an MCP server
#[utoipa::path(
    post, path = "/api/mcp/servers/{name}/oauth/finish", tag = "mcp", operation_id = "finish_mcp_login", request_body = FinishMcpLoginParams,
    params(("name" = String, Path, description = "A name, or `ups_…`")), security(("key" = ["tools:read"])),
    responses((status = 204, description = "Logged in"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn finish(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
    Path(name): Path<String>,
    StrictJson(params): StrictJson<FinishMcpLoginParams>,
) -> Result<StatusCode, Problem> {
    let FinishMcpLoginParams { code, state: mark, iss, owner } = params;
    if [Some(&code), Some(&mark), iss.as_ref()].into_iter().flatten().any(|text| text.len() > MAX_FIELD_BYTES)
    {
        return Err(Problem::new(ApiCode::Invalid, "one of the fields is too long"));
    }
    let login = login(&state, &caller, &name, owner).await?;
    let answer = Answer { code, state: mark, issuer: iss };
    login.finish(&caller.principal.to_string(), &answer).await.map_err(problem)?;
    Ok(StatusCode::NO_CONTENT)
}

async fn login(
    state: &AppState,
    caller: &Caller,
    name: &str,
    owner: Option<OauthOwner>,
) -> Result<Login, Problem> {
    let upstream = state.engine.upstreams().find(caller, name).await?;
    let logins = state.options.logins.as_ref();
    let logins = logins.ok_or_else(|| Problem::new(ApiCode::Unavailable, "this server logs in nowhere"))?;
    logins.of_person(caller, &upstream, owner).await.map_err(problem)
}

/// A code must not travel where others read it.
fn is_redirect(uri: &str) -> bool {
    match uri.split_once("://") {
        Some(("https", rest)) => !rest.is_empty() && uri.len() <= 2_048,
        Some(("http", rest)) => {
            let host = rest.split('/').next().unwrap_or_default();
            // What stands after the colon is a port and nothing else: a name and a password would look like a host.
            let local = ["127.0.0.1", "[::1]", "localhost"];
            let port = local.iter().find_map(|name| host.strip_prefix(name));
            port.is_some_and(|port| port.is_empty() || is_port(port)) && uri.len() <= 2_048
        }
        _ => false,
    }
}

fn is_port(text: &str) -> bool {
    text.strip_prefix(':').is_some_and(|digits| digits.parse::<u16>().is_ok())
}

fn problem(error: LoginError) -> Problem {
    let code = match &error {
        LoginError::Forbidden(_) => ApiCode::Forbidden,
        LoginError::Unfit(_) => ApiCode::Invalid,
        LoginError::Unreachable(_) | LoginError::Keeper(_) => ApiCode::Unavailable,
        _ => ApiCode::Conflict,
    };
    Problem::new(code, error.to_string())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_redirect;

    #[rstest]
    #[case("http://127.0.0.1:4711/callback", true)]
    #[case("http://[::1]:4711/callback", true)]
    #[case("https://tools.example.com/callback", true)]
    #[case("http://tools.example.com/callback", false)]
    #[case("http://127.0.0.1.example.com/callback", false)]
    #[case("http://127.0.0.1@example.com/", false)]
    #[case("http://127.0.0.1:80@example.com/", false)]
    #[case("javascript:alert(1)", false)]
    fn a_code_comes_back_over_tls_or_to_this_machine(#[case] uri: &str, #[case] fits: bool) {
        assert_eq!(is_redirect(uri), fits);
    }
}
