//! What the operator sets.

use std::sync::Arc;

use toolgate_domain::Limits;

use super::wall::{AllowHosts, Resolver, SystemResolver};

/// Where Exa answers, unless the operator names another place that speaks its format.
const SEARCH_BASE_URL: &str = "https://api.exa.ai";

/// How the runtime of kind `http` is set up.
pub struct HttpOptions {
    /// Hosts beyond the public internet.
    pub allow_hosts: AllowHosts,
    pub resolver: Arc<dyn Resolver>,
    /// Certificates in PEM that are trusted beside those of the system: hosts inside often have an authority of their own.
    pub trusted_pem: Option<Vec<u8>>,
    /// Where `webSearch` asks; the operator's word, so the wall lets it through.
    pub search_base_url: String,
    pub limits: HttpLimits,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            allow_hosts: AllowHosts::default(),
            resolver: Arc::new(SystemResolver),
            trusted_pem: None,
            search_base_url: SEARCH_BASE_URL.to_owned(),
            limits: HttpLimits::default(),
        }
    }
}

/// The bounds of one process. A definition may ask for less, never for more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpLimits {
    /// Bytes of a response body, on the wire and unpacked, that a definition gets unless it says.
    pub default_response_bytes: u64,
    /// The most that a definition may ask for; the sum of all pages where there are pages.
    pub max_response_bytes: u64,
    /// How many times larger than on the wire a body may get when it is unpacked.
    pub max_unpack_ratio: u64,
    /// Bodies below this size may unpack to any ratio: small ones often do.
    pub unpack_ratio_from_bytes: u64,
    pub max_response_headers: usize,
    pub max_response_header_bytes: usize,
    /// Bytes of a request body.
    pub max_request_bytes: usize,
    pub max_redirects: u64,
    /// Milliseconds to connect, with TLS.
    pub connect_timeout_ms: u64,
    /// The longest timeout of one request, in milliseconds.
    pub max_timeout_ms: u64,
    pub default_timeout_ms: u64,
    /// Requests to one host at a time, all tools together.
    pub host_concurrency: u32,
    /// Requests to one host in a second, all tools together.
    pub host_requests_per_s: u32,
    /// Hosts that are kept account of at a time.
    pub max_hosts: usize,
    /// The longest that a request waits for its turn or for the next attempt, in milliseconds.
    pub max_wait_ms: u64,
    pub max_retries: u64,
    pub max_pages: u64,
    pub max_items: u64,
    /// Bytes of text that stay in the output; a longer text is cut.
    pub max_text_bytes: usize,
    /// Bytes of a response that an error quotes.
    pub error_preview_bytes: usize,
    pub max_table_rows: usize,
    pub max_table_columns: usize,
    /// Tokens of OAuth2 that are kept at a time.
    pub max_tokens: usize,
    pub pool_idle_per_host: usize,
    pub pool_idle_ms: u64,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self::of(&Limits::default())
    }
}

impl HttpLimits {
    /// As the operator set them.
    pub fn of(limits: &Limits) -> Self {
        let size = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
        let small = |limit: u64| u32::try_from(limit).unwrap_or(u32::MAX);
        Self {
            default_response_bytes: limits.http_default_response_bytes,
            max_response_bytes: limits.http_max_response_bytes,
            max_unpack_ratio: limits.http_unpack_ratio,
            unpack_ratio_from_bytes: limits.http_unpack_ratio_from_bytes,
            max_response_headers: size(limits.http_response_headers),
            max_response_header_bytes: size(limits.http_response_header_bytes),
            max_request_bytes: size(limits.http_request_bytes),
            max_redirects: limits.http_redirects,
            connect_timeout_ms: limits.http_connect_timeout_ms,
            max_timeout_ms: limits.http_max_timeout_ms,
            default_timeout_ms: limits.http_default_timeout_ms,
            host_concurrency: small(limits.http_host_concurrency),
            host_requests_per_s: small(limits.http_host_requests_per_s),
            max_hosts: size(limits.http_hosts),
            max_wait_ms: limits.http_wait_ms,
            max_retries: limits.http_retries,
            max_pages: limits.http_pages,
            max_items: limits.http_items,
            max_text_bytes: size(limits.http_text_bytes),
            error_preview_bytes: size(limits.http_error_preview_bytes),
            max_table_rows: size(limits.http_table_rows),
            max_table_columns: size(limits.http_table_columns),
            max_tokens: size(limits.http_tokens),
            pool_idle_per_host: size(limits.http_idle_connections),
            pool_idle_ms: limits.http_idle_ms,
        }
    }
}
