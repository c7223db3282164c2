//! What an execution block comes to.

use reqwest::{Method, header::HeaderName};
use toolgate_domain::{EgressClass, rate::RateLimit};

use super::{Auth, BodyTemplate, Pagination, Retries, TextTemplate, UrlTemplate, fields::Fields};
use crate::builtin::{Language, check_query};

/// One HTTP tool, read and checked.
#[derive(Clone, Debug)]
pub(in crate::http) struct Plan {
    pub(in crate::http) method: Method,
    pub(in crate::http) url: UrlTemplate,
    pub(in crate::http) headers: Vec<(HeaderName, TextTemplate)>,
    pub(in crate::http) query: Vec<(String, TextTemplate)>,
    pub(in crate::http) body: Option<BodyTemplate>,
    pub(in crate::http) auth: Option<Auth>,
    pub(in crate::http) pagination: Option<Pagination>,
    pub(in crate::http) mapping: Option<Mapping>,
    pub(in crate::http) retries: Retries,
    pub(in crate::http) timeout_ms: u64,
    pub(in crate::http) max_response_bytes: u64,
    pub(in crate::http) max_redirects: u64,
    pub(in crate::http) response_headers: Vec<HeaderName>,
    pub(in crate::http) per_host: Option<RateLimit>,
    pub(in crate::http) accept_status: Vec<StatusRange>,
    pub(in crate::http) preview: Preview,
}

/// How the body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Preview {
    /// By its content type.
    Auto,
    Json,
    Text,
    /// As text that can be read.
    Html,
    Csv,
    /// As an attachment, whatever it is.
    Blob,
}

/// Statuses that are data, not failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) struct StatusRange {
    pub(in crate::http) first: u16,
    pub(in crate::http) last: u16,
}

/// A query over a JSON body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::http) struct Query {
    pub(in crate::http) language: Language,
    pub(in crate::http) text: String,
}

impl Query {
    /// Text that begins with `$` is JSONPath, any other is JMESPath.
    pub(super) fn parse(fields: &Fields<'_>, key: &str) -> Result<Option<Self>, String> {
        let Some(text) = fields.text(key)? else { return Ok(None) };
        let language = if text.starts_with('$') { Language::JsonPath } else { Language::JmesPath };
        check_query(language, text).map_err(|error| fields.bad(key, format!("cannot be used: {error}")))?;
        Ok(Some(Self { language, text: text.to_owned() }))
    }
}

/// What of the response becomes the output.
#[derive(Clone, Debug)]
pub(in crate::http) struct Mapping {
    pub(in crate::http) query: Query,
    pub(in crate::http) target: MappingTarget,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum MappingTarget {
    /// It stands in `body`, beside status and headers.
    Body,
    /// It is the output.
    Output,
}

/// What a method does outside.
pub(in crate::http) fn egress_of_method(method: &Method) -> EgressClass {
    if [Method::GET, Method::HEAD, Method::OPTIONS].contains(method) {
        EgressClass::ReadOnly
    } else {
        EgressClass::Write
    }
}
