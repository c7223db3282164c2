//! Callers who bring an access token instead of a key, and how a program learns where to get one.

use axum::http::StatusCode;
use toolgate_domain::{Caller, Scope, governance::OidcIdentity};

use crate::{
    ApiCode, AppState, Problem,
    oidc::{OidcError, TokenError},
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
#[expect(dead_code, reason = "the route of /mcp answers with it")]
pub(crate) fn mcp_challenge(problem: Problem, state: &AppState) -> Problem {
    let (error, scope) = match (problem.status(), problem.needs()) {
        (StatusCode::UNAUTHORIZED, _) if problem.is_of_credential() => (Some("invalid_token"), None),
        (StatusCode::UNAUTHORIZED, _) => (None, None),
        (StatusCode::FORBIDDEN, Some(needed)) => (Some("insufficient_scope"), Some(needed)),
        _ => return problem,
    };
    let mut challenge = "Bearer realm=\"toolgate\"".to_owned();
    let mut say = |name: &str, value: &str| challenge.push_str(&format!(", {name}=\"{value}\""));
    if let Some(error) = error {
        say("error", error);
    }
    if let Some(tokens) = &state.options.access {
        // What the client has, it asks for again: a new token replaces the old one.
        let mut words: Vec<&str> = tokens.asked_scopes().iter().map(String::as_str).collect();
        let needed = scope.map(Scope::as_str).filter(|needed| !words.contains(needed));
        words.extend(needed);
        say("scope", &words.join(" "));
        say("resource_metadata", &format!("{}{METADATA_PATH}/mcp", base(tokens.resource())));
    } else if let Some(needed) = scope {
        say("scope", needed.as_str());
    }
    problem.with_challenge(challenge)
}

/// Where this server stands, from the address of its `/mcp`.
pub(crate) fn base(resource: &str) -> &str {
    resource.strip_suffix("/mcp").unwrap_or(resource).trim_end_matches('/')
}
