//! Why there is no token. None of the texts holds one.

use rmcp::transport::{
    auth::AuthError,
    streamable_http_client::{AuthRequiredError, InsufficientScopeError},
};
use serde_json::json;
use toolgate_domain::call::{ErrorCode, ToolError};

use super::KeeperError;

/// How the SDK begins to tell of an authorization server that answered, and said no.
const ANSWERED: &str = "Server returned error response";

#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// A person has to allow it, or to allow it again.
    #[error("nobody allowed this yet: log in to the server first")]
    Needed,
    /// What was allowed is not enough, and asking once more for the same would not help.
    #[error("the server asks for the scopes `{0}`, which were asked for and not granted")]
    NotGranted(String),
    #[error(
        "the server names another authorization server now ({now}) than the one this client was set up for ({before}): delete the kept login if that is right, and log in again"
    )]
    ServerChanged { before: String, now: String },
    #[error("this login was not started, is over, or was started by somebody else: start again")]
    NotPending,
    #[error("the authorization server refused: {0}")]
    Refused(String),
    #[error("the authorization server cannot be used: {0}")]
    Unusable(String),
    #[error("the authorization server cannot be reached: {0}")]
    Unreachable(String),
    /// There is no login to make here.
    #[error("{0}")]
    Unfit(String),
    #[error("{0}")]
    Forbidden(String),
    #[error(transparent)]
    Keeper(#[from] KeeperError),
}

impl From<AuthError> for LoginError {
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::AuthorizationRequired
            | AuthError::TokenExpired
            | AuthError::TokenRefreshRejected(_) => Self::Needed,
            AuthError::CredentialStoreError(why) => Self::Keeper(KeeperError(why)),
            // It does not know the client any more: whoever logs in registers anew.
            AuthError::TokenRefreshFailed(why)
                if why.starts_with(ANSWERED) && why.contains("invalid_client") =>
            {
                Self::Needed
            }
            AuthError::TokenRefreshFailed(why) if why.starts_with(ANSWERED) => Self::Refused(why),
            // Whatever failed here may work in a moment: the refresh token was not refused.
            AuthError::TokenRefreshFailed(why) => Self::Unreachable(why),
            AuthError::HttpError(error) => Self::Unreachable(error.without_url().to_string()),
            AuthError::TokenExchangeFailed(why)
            | AuthError::AuthorizationFailed(why)
            | AuthError::RegistrationFailed(why)
            | AuthError::ClientCredentialsError(why) => Self::Refused(why),
            other => Self::Unusable(other.to_string()),
        }
    }
}

impl LoginError {
    /// As a call is told of it.
    pub fn to_tool_error(&self) -> ToolError {
        let (code, reason) = match self {
            Self::Needed | Self::NotPending | Self::ServerChanged { .. } | Self::Unfit(_) => {
                (ErrorCode::AuthRequired, "login_needed")
            }
            Self::NotGranted(_) => (ErrorCode::AuthRequired, "insufficient_scope"),
            Self::Forbidden(_) => (ErrorCode::PolicyDenied, "login_forbidden"),
            Self::Unreachable(_) => (ErrorCode::NetworkError, "authorization_server"),
            Self::Refused(_) | Self::Unusable(_) => (ErrorCode::ProviderError, "authorization_server"),
            Self::Keeper(_) => (ErrorCode::Unknown, "kept_login"),
        };
        ToolError::new(code, format!("the login to the upstream: {self}"))
            .with_details(json!({"reason": reason}))
    }
}

/// The challenge of a server that refused for want of a login, wherever in the chain of causes it is. `None`: it failed for
/// another reason.
pub fn login_needed<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a str> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(refused) = error.downcast_ref::<AuthRequiredError>() {
            return Some(&refused.www_authenticate_header);
        }
        if let Some(refused) = error.downcast_ref::<InsufficientScopeError>() {
            return Some(&refused.www_authenticate_header);
        }
        cause = error.source();
    }
    None
}
