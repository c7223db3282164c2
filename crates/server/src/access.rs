//! Callers who bring an access token instead of a key, and how a program learns where to get one.

use axum::http::StatusCode;
use toolgate_domain::{Caller, Credential, Scope, governance::OidcIdentity};

use crate::{
    ApiCode, AppState, Problem,
    oidc::{AccessTokens, OidcError, TokenError},
};

/// Where a program finds out who issues tokens for `/mcp` (RFC 9728).
pub(crate) const METADATA_PATH: &str = "/.well-known/oauth-protected-resource";

/// A key begins with `tg_`; what has three parts instead is a token.
pub(crate) fn is_token(credential: &str) -> bool {
    !credential.starts_with("tg_") && credential.bytes().filter(|b| *b == b'.').count() == 2
}

/// The person whom the token speaks for.
pub(crate) async fn caller(token: &str, state: &AppState) -> Result<Caller, Problem> {
    let Some(tokens) = &state.options.access else {
        let message =
            "this server takes no access tokens: use a key, or have it started with a trusted issuer (oauth)";
        return Err(Problem::new(ApiCode::Unauthenticated, message));
    };
    let shown = tokens.verify(token).await.map_err(refused)?;
    if shown.scopes.is_empty() {
        let words = tokens.asked_scopes().join(" ");
        let message =
            format!("the token has no scope that counts here: ask its issuer for scopes such as {words}");
        return Err(Problem::new(ApiCode::Forbidden, message).needing(Scope::ToolsRead));
    }
    let identity = OidcIdentity { issuer: shown.identity.issuer, subject: shown.identity.subject };
    let email = shown.identity.email.as_deref().filter(|_| shown.identity.email_verified);
    let known = state.engine.rules().bearer(shown.tenant.as_deref(), &identity, email, &shown.scopes).await?;
    let known = known.map(|caller| Caller { credential: Some(Credential::AccessToken), ..caller });
    known.ok_or_else(|| {
        let message = "nobody here knows the person whom the token speaks for: an admin can add them as a user, and they sign in once";
        Problem::new(ApiCode::Unauthenticated, message)
    })
}

/// What a bad token is told is about the token; what an issuer did wrong is for the log.
fn refused(error: OidcError) -> Problem {
    let OidcError::Token(reason) = error else {
        tracing::error!(%error, "an access token could not be checked");
        let message =
            "the issuer of the token does not answer as it should: try again; the server's log says more";
        return Problem::new(ApiCode::Unavailable, message);
    };
    let why = match reason {
        TokenError::Malformed => "it is not a signed token with the claims that an access token has",
        TokenError::Algorithm => "its algorithm is not one of RS256, PS256, ES256 and EdDSA",
        TokenError::UnknownKey => "its issuer does not publish the key that it names",
        TokenError::Signature => "its signature is wrong",
        TokenError::Issuer => "this server does not trust its issuer",
        TokenError::Audience => {
            "it was made for something else: ask the issuer for this server's resource, which /.well-known/oauth-protected-resource names"
        }
        TokenError::Expired => "it has expired",
        TokenError::NotYetValid => "it is not valid yet: compare the clocks",
        TokenError::Kind | TokenError::Nonce => {
            "it is of another kind, or bound to a key: ask for a plain access token"
        }
    };
    Problem::new(ApiCode::Unauthenticated, format!("the access token is not valid: {why}"))
}

/// The same problem, with the challenge that a client of `/mcp` understands: where tokens come from, and what to ask for.
pub(crate) fn mcp_challenge(problem: Problem, state: &AppState) -> Problem {
    match challenge(&problem, state.options.access.as_ref()) {
        Some(challenge) => problem.with_challenge(challenge),
        None => problem,
    }
}

fn challenge(problem: &Problem, tokens: Option<&AccessTokens>) -> Option<String> {
    let (error, needed) = match (problem.status(), problem.needs()) {
        (StatusCode::UNAUTHORIZED, _) => (problem.is_of_credential().then_some("invalid_token"), None),
        (StatusCode::FORBIDDEN, Some(needed)) => (Some("insufficient_scope"), Some(needed.as_str())),
        _ => return None,
    };
    // A new token replaces the old one: what the client has already, it must ask for again.
    let mut words: Vec<&str> =
        tokens.into_iter().flat_map(|t| t.asked_scopes()).map(String::as_str).collect();
    words.extend(needed.filter(|needed| !words.contains(needed)));
    let mut said = vec!["realm=\"toolgate\"".to_owned()];
    said.extend(error.map(|error| format!("error=\"{error}\"")));
    if !words.is_empty() {
        said.push(format!("scope=\"{}\"", words.join(" ")));
    }
    said.extend(
        tokens.map(|tokens| format!("resource_metadata=\"{}{METADATA_PATH}/mcp\"", base(tokens.resource()))),
    );
    Some(format!("Bearer {}", said.join(", ")))
}

/// Where this server stands, from the address of its `/mcp`.
pub(crate) fn base(resource: &str) -> &str {
    resource.strip_suffix("/mcp").unwrap_or(resource).trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rstest::rstest;
    use toolgate_domain::time::SystemClock;

    use super::*;
    use crate::oidc::AccessConfig;

    fn tokens() -> AccessTokens {
        let issuer = AccessConfig { issuer: "https://id.example".to_owned(), ..AccessConfig::default() };
        let (resource, scopes) = ("https://tools.example/gate/mcp".to_owned(), vec!["tools:read".to_owned()]);
        let clock = Arc::new(SystemClock);
        AccessTokens::new(resource, scopes, vec![issuer], reqwest::Client::builder, clock).unwrap()
    }

    #[rstest]
    #[case::nothing_was_sent(
        Problem::new(ApiCode::Unauthenticated, ""),
        r#"Bearer realm="toolgate", scope="tools:read", resource_metadata="https://tools.example/gate/.well-known/oauth-protected-resource/mcp""#,
        r#"Bearer realm="toolgate""#
    )]
    #[case::what_was_sent_is_not_valid(
        Problem::new(ApiCode::Unauthenticated, "").of_credential(),
        r#"Bearer realm="toolgate", error="invalid_token", scope="tools:read", resource_metadata="https://tools.example/gate/.well-known/oauth-protected-resource/mcp""#,
        r#"Bearer realm="toolgate", error="invalid_token""#
    )]
    #[case::it_does_not_reach(
        Problem::new(ApiCode::Forbidden, "").needing(Scope::ToolsExecute),
        r#"Bearer realm="toolgate", error="insufficient_scope", scope="tools:read tools:execute", resource_metadata="https://tools.example/gate/.well-known/oauth-protected-resource/mcp""#,
        r#"Bearer realm="toolgate", error="insufficient_scope", scope="tools:execute""#
    )]
    fn a_client_is_told_what_to_get_and_where(
        #[case] problem: Problem,
        #[case] with_an_issuer: &str,
        #[case] with_keys_only: &str,
    ) {
        assert_eq!(challenge(&problem, Some(&tokens())).as_deref(), Some(with_an_issuer));
        assert_eq!(challenge(&problem, None).as_deref(), Some(with_keys_only));
    }

    #[rstest]
    #[case(Problem::new(ApiCode::Forbidden, "a foreign origin"))]
    #[case(Problem::new(ApiCode::Unavailable, "").of_credential())]
    fn what_no_token_can_mend_is_no_challenge(#[case] problem: Problem) {
        assert_eq!(challenge(&problem, Some(&tokens())), None);
    }

    #[rstest]
    #[case("tg_0123", false)]
    #[case("tg_a.b.c", false)]
    #[case("a.b.c", true)]
    #[case("..", true)]
    #[case("a.b", false)]
    #[case("a.b.c.d.e", false)]
    fn a_token_has_three_parts(#[case] credential: &str, #[case] expected: bool) {
        assert_eq!(is_token(credential), expected);
    }
}
