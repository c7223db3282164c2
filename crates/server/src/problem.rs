//! Errors as RFC 9457 problem documents, and the one table from codes to HTTP statuses.

use crate::Json;
use axum::{
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::{Map, Value, json};
use toolgate_domain::{Envelope, ErrorCode, Scope};
use toolgate_engine::{
    AuthorError, CancelError, ChatError, DecideError, DefinitionError, KeyError, Refused, RegisterError,
    RegistryError, RuleError,
};
use toolgate_store::StoreError;

macro_rules! api_codes {
    ($($variant:ident = $wire:literal, $status:ident, $title:literal;)*) => {
        /// The codes of problems that are not a tool's: each has a page under `docs/errors/`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ApiCode { $($variant,)* }

        impl ApiCode {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)* }
            }

            fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status,)* }
            }

            fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

api_codes! {
    Malformed = "MALFORMED_REQUEST", BAD_REQUEST, "The request cannot be read";
    Invalid = "VALIDATION_ERROR", UNPROCESSABLE_ENTITY, "The request is not valid";
    Unauthenticated = "UNAUTHENTICATED", UNAUTHORIZED, "A valid key is needed";
    Forbidden = "FORBIDDEN", FORBIDDEN, "The caller may not do this";
    NotFound = "NOT_FOUND", NOT_FOUND, "There is no such thing";
    MethodNotAllowed = "METHOD_NOT_ALLOWED", METHOD_NOT_ALLOWED, "The method is not allowed here";
    Conflict = "CONFLICT", CONFLICT, "Something else stands in the way";
    TooLarge = "PAYLOAD_TOO_LARGE", PAYLOAD_TOO_LARGE, "The request is too large";
    ReadTimeout = "REQUEST_TIMEOUT", REQUEST_TIMEOUT, "The request took too long to arrive";
    TooManyAttempts = "TOO_MANY_ATTEMPTS", TOO_MANY_REQUESTS, "Too many attempts";
    Overloaded = "OVERLOADED", SERVICE_UNAVAILABLE, "Too much is under way";
    Unavailable = "UNAVAILABLE", SERVICE_UNAVAILABLE, "A part that is needed does not answer";
    Internal = "INTERNAL", INTERNAL_SERVER_ERROR, "Something went wrong in the server";
}

/// One problem, on its way out.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    code: &'static str,
    title: &'static str,
    detail: String,
    retry_after_s: Option<u64>,
    /// What the sign-in challenge offers, where one is due.
    challenge: Option<Box<str>>,
    /// The scope that the caller lacks, where that is the trouble.
    needs: Option<Scope>,
    /// Whether a credential was given and not believed.
    credential_refused: bool,
    members: Map<String, Value>,
}

/// The document as clients see it.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemDocument {
    /// `urn:toolgate:error:` and the code; `docs/errors/` has a page for each.
    #[serde(rename = "type")]
    kind: String,
    title: &'static str,
    status: u16,
    detail: String,
    /// The stable code to branch on.
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_s: Option<u64>,
    #[serde(flatten)]
    #[schema(value_type = Object)]
    members: Map<String, Value>,
}

impl Problem {
    pub fn new(code: ApiCode, detail: impl Into<String>) -> Self {
        Self {
            status: code.status(),
            code: code.as_str(),
            title: code.title(),
            detail: detail.into(),
            retry_after_s: matches!(code, ApiCode::Overloaded | ApiCode::Unavailable).then_some(1),
            challenge: (code == ApiCode::Unauthenticated).then_some(Box::from("Bearer realm=\"toolgate\"")),
            needs: None,
            credential_refused: false,
            members: Map::new(),
        }
    }

    pub(crate) fn with_challenge(mut self, challenge: impl Into<Box<str>>) -> Self {
        self.challenge = Some(challenge.into());
        self
    }

    pub(crate) fn needing(mut self, scope: Scope) -> Self {
        self.needs = Some(scope);
        self
    }

    pub(crate) fn of_credential(mut self) -> Self {
        self.credential_refused = self.status == StatusCode::UNAUTHORIZED;
        self
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn needs(&self) -> Option<Scope> {
        self.needs
    }

    pub(crate) fn is_of_credential(&self) -> bool {
        self.credential_refused
    }

    pub(crate) fn with(mut self, member: &str, value: Value) -> Self {
        self.members.insert(member.to_owned(), value);
        self
    }

    /// A receipt that says no: the problem carries all of it.
    pub(crate) fn of_envelope(envelope: &Envelope, code: ApiCode) -> Self {
        let error = envelope.error.as_ref();
        let mut problem = Self::new(code, error.map(|e| e.message.clone()).unwrap_or_default());
        problem.retry_after_s = error.and_then(|e| e.retry_after_s).or(problem.retry_after_s);
        if let Value::Object(members) = json!(envelope) {
            problem.members = members;
        }
        problem
    }

    /// The same, under the code that the tool's error bears.
    pub(crate) fn of_tool_error(envelope: &Envelope, code: ErrorCode, status: StatusCode) -> Self {
        Self {
            status,
            code: code.as_str(),
            title: "The call was refused",
            ..Self::of_envelope(envelope, ApiCode::Invalid)
        }
    }

    pub(crate) fn document(self) -> ProblemDocument {
        ProblemDocument {
            kind: format!("urn:toolgate:error:{}", self.code),
            title: self.title,
            status: self.status.as_u16(),
            detail: self.detail,
            code: self.code,
            retry_after_s: self.retry_after_s,
            members: self.members,
        }
    }
}

/// The status of a call that came to an end: 4xx where the caller must change something, 200 where the tool's own
/// success or failure is the news.
pub(crate) fn status_of(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::ValidationError => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorCode::PolicyDenied => StatusCode::FORBIDDEN,
        ErrorCode::RateLimit => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::AuthRequired => StatusCode::FAILED_DEPENDENCY,
        ErrorCode::Timeout
        | ErrorCode::ProviderError
        | ErrorCode::NetworkError
        | ErrorCode::SandboxError
        | ErrorCode::Unknown => StatusCode::OK,
    }
}

impl IntoResponse for Problem {
    fn into_response(mut self) -> Response {
        let (status, retry_after_s, challenge) = (self.status, self.retry_after_s, self.challenge.take());
        let mut response = (status, Json(self.document())).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = retry_after_s {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(challenge) = challenge.and_then(|text| HeaderValue::try_from(text.as_ref()).ok()) {
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        headers.insert(HeaderName::from_static("cache-control"), HeaderValue::from_static("no-store"));
        response
    }
}

/// What a store says is for the log; the caller learns only that a part does not answer.
impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(text) => {
                tracing::error!(error = text, "the store does not answer");
                Self::new(ApiCode::Unavailable, "the database does not answer: try again in a moment")
            }
            other => {
                tracing::error!(error = %other, "the store refused");
                Self::new(ApiCode::Internal, "the server could not do this; its log says why")
            }
        }
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Overloaded => Self::new(ApiCode::Overloaded, refused.to_string()),
            Refused::Stopping => Self::new(ApiCode::Unavailable, refused.to_string()),
            Refused::StillRunning(_) => Self::new(ApiCode::Conflict, refused.to_string()),
            Refused::Unavailable(text) => {
                tracing::error!(error = text, "a call could not be recorded");
                Self::new(
                    ApiCode::Unavailable,
                    "the call could not be recorded, so it was not made or its end is not known: ask for its invocation",
                )
            }
        }
    }
}

impl From<DefinitionError> for Problem {
    fn from(error: DefinitionError) -> Self {
        Self::new(ApiCode::Invalid, error.to_string()).with("pointer", Value::from(error.pointer))
    }
}

impl From<RegisterError> for Problem {
    fn from(error: RegisterError) -> Self {
        match error {
            RegisterError::Definition(error) => error.into(),
            RegisterError::Registry(error) => error.into(),
            RegisterError::Store(error) => error.into(),
            RegisterError::Frozen { .. }
            | RegisterError::Reserved { .. }
            | RegisterError::TooMany { .. }
            | RegisterError::TooManyDrafts { .. } => Self::new(ApiCode::Conflict, error.to_string()),
        }
    }
}

impl From<AuthorError> for Problem {
    fn from(error: AuthorError) -> Self {
        match error {
            AuthorError::Registry(error) => error.into(),
            AuthorError::Register(error) => error.into(),
            AuthorError::Rules(error) => error.into(),
            AuthorError::Looser(looser) => Self::new(ApiCode::Invalid, looser.to_string())
                .with("pointer", Value::from(format!("/{}", looser.key))),
        }
    }
}

impl From<RegistryError> for Problem {
    fn from(error: RegistryError) -> Self {
        match error {
            RegistryError::NotFound(text) => Self::new(ApiCode::NotFound, text),
            RegistryError::Invalid(text) => Self::new(ApiCode::Invalid, text),
            RegistryError::Forbidden(text) => Self::new(ApiCode::Forbidden, text),
            RegistryError::Store(error) => error.into(),
        }
    }
}

impl From<CancelError> for Problem {
    fn from(error: CancelError) -> Self {
        match error {
            CancelError::NotFound => Self::new(ApiCode::NotFound, error.to_string()),
            CancelError::Forbidden(_) => {
                Self::new(ApiCode::Forbidden, error.to_string()).needing(Scope::InvocationsCancel)
            }
            CancelError::Store(error) => error.into(),
        }
    }
}

impl From<ChatError> for Problem {
    fn from(error: ChatError) -> Self {
        match error {
            ChatError::Busy(run) => {
                Self::new(ApiCode::Conflict, error.to_string()).with("run_id", json!(run))
            }
            ChatError::Rules(error) => error.into(),
        }
    }
}

impl From<DecideError> for Problem {
    fn from(error: DecideError) -> Self {
        let code = match &error {
            DecideError::NotFound => ApiCode::NotFound,
            DecideError::Decided(_)
            | DecideError::Expired
            | DecideError::Changed
            | DecideError::EditedByOne(_) => ApiCode::Conflict,
            DecideError::OwnCall
            | DecideError::ConfirmSelf
            | DecideError::ByAgent
            | DecideError::NoPerson
            | DecideError::KeyOfAnother
            | DecideError::SameCredential
            | DecideError::Involved
            | DecideError::CouldNotDoIt(_) => ApiCode::Forbidden,
            DecideError::Reason | DecideError::NotAlways(_) | DecideError::BadInput(_) => ApiCode::Invalid,
            DecideError::Store(_) | DecideError::Rules(_) => ApiCode::Unavailable,
        };
        match error {
            DecideError::Store(error) => error.into(),
            DecideError::Rules(error) => error.into(),
            DecideError::ConfirmSelf => {
                Self::new(code, error.to_string()).with("reason", json!("confirm_self"))
            }
            other => Self::new(code, other.to_string()),
        }
    }
}

impl From<RuleError> for Problem {
    fn from(error: RuleError) -> Self {
        match error {
            RuleError::NotFound(text) => Self::new(ApiCode::NotFound, text),
            RuleError::Conflict(text) => Self::new(ApiCode::Conflict, text),
            RuleError::Invalid(text) => Self::new(ApiCode::Invalid, text),
            RuleError::Forbidden(text) => Self::new(ApiCode::Forbidden, text),
            RuleError::TooMany { retry_after_s } => Self {
                retry_after_s: Some(retry_after_s),
                ..Self::new(ApiCode::TooManyAttempts, error.to_string())
            },
            RuleError::Store(error) => error.into(),
        }
    }
}

impl From<KeyError> for Problem {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Store(error) => error.into(),
            KeyError::Beyond(_) | KeyError::ByAgent => Self::new(ApiCode::Forbidden, error.to_string()),
            other => Self::new(ApiCode::Invalid, other.to_string()),
        }
    }
}

impl ProblemDocument {
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    pub(crate) fn api_code(&self) -> ApiCode {
        ApiCode::ALL.iter().copied().find(|code| code.as_str() == self.code).unwrap_or(ApiCode::Malformed)
    }
}
