//! What can go wrong while somebody signs in.
//!
//! No message carries a code, a token or a secret: what a provider answers is described in our words, never quoted,
//! because a hostile provider could echo what it was sent.

use std::fmt;

/// Which of the provider's addresses was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Discovery,
    Keys,
    Token,
    UserInfo,
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discovery => "the identity provider's discovery document",
            Self::Keys => "the identity provider's signing keys",
            Self::Token => "the identity provider's token endpoint",
            Self::UserInfo => "the identity provider's userinfo endpoint",
        })
    }
}

#[derive(Debug, thiserror::Error)]
pub enum OidcError {
    #[error("the OIDC setting `{setting}` {problem}")]
    Setting { setting: &'static str, problem: &'static str },
    #[error(
        "the HTTP client for the identity provider cannot be built: check the machine's TLS and proxy settings"
    )]
    HttpClient(#[source] reqwest::Error),
    #[error(
        "{asked} cannot be reached: check that the issuer is right and that this machine may connect to it, then sign in again"
    )]
    Unreachable { asked: Asked, source: reqwest::Error },
    #[error(
        "{asked} did not answer within {timeout_ms} ms: sign in again, and check the provider if it stays slow"
    )]
    Slow { asked: Asked, timeout_ms: u64 },
    #[error(
        "{asked} answered with a redirect, and redirects are not followed: set the issuer to its final address"
    )]
    Redirected { asked: Asked },
    #[error("{asked} answered with status {status}: check the issuer, and the provider's own log")]
    Status { asked: Asked, status: u16 },
    #[error(
        "{asked} answered with more than {max_bytes} bytes: check that the issuer is an OpenID Connect provider"
    )]
    TooLarge { asked: Asked, max_bytes: usize },
    #[error("{asked} cannot be used: {problem}. Check that the issuer is an OpenID Connect provider")]
    Malformed { asked: Asked, problem: &'static str },
    #[error(
        "the provider calls itself `{found}` and the issuer is set to `{configured}`: they must be the same to the letter, so set the issuer to what the provider says if you trust it"
    )]
    IssuerMismatch { configured: String, found: String },
    #[error(
        "the provider's `{endpoint}` is not an https address: plain http is for an issuer on loopback only, so have the provider serve https"
    )]
    InsecureEndpoint { endpoint: &'static str },
    #[error("the identity provider refused the sign-in with `{reason}`: {advice}")]
    Refused { reason: &'static str, advice: &'static str },
    #[error(transparent)]
    Token(#[from] TokenError),
    #[error(
        "the userinfo endpoint answered about somebody else than the ID token: nobody was signed in, and the provider needs a look"
    )]
    OtherSubject,
    #[error("the sign-in could not be sealed into a cookie: nothing was begun, try again")]
    NotSealed,
}

/// Why an ID token is not believed. In all of these nobody was signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error(
        "the ID token is not a signed token of three parts with the claims that OpenID Connect requires: check the provider"
    )]
    Malformed,
    #[error(
        "the ID token's signature algorithm is not one of RS256, PS256, ES256 and EdDSA: set the client's ID token algorithm at the provider"
    )]
    Algorithm,
    #[error(
        "the ID token is signed with a key that the provider does not publish: sign in again in a minute, in case it is changing its keys"
    )]
    UnknownKey,
    #[error(
        "the ID token's signature is wrong: somebody changed it, so find out what stands between this server and the provider"
    )]
    Signature,
    #[error("the ID token was issued by somebody else than the configured issuer: check the issuer")]
    Issuer,
    #[error("the ID token is for another client: check the client id")]
    Audience,
    #[error("the ID token has expired: sign in again, and compare this machine's clock with the provider's")]
    Expired,
    #[error("the ID token is from the future: compare this machine's clock with the provider's")]
    NotYetValid,
    #[error("the ID token answers another sign-in than the one begun in this browser: sign in again")]
    Nonce,
    #[error("the token is of a kind that cannot be shown as a bearer token: ask for a plain access token")]
    Kind,
}
