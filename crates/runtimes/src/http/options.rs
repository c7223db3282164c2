//! What the operator sets, and every bound with its default.

use std::sync::Arc;

use super::wall::{AllowHosts, Resolver, SystemResolver};

/// Where Exa answers, unless the operator names another place that speaks its format.
const SEARCH_BASE_URL: &str = "https://api.exa.ai";

/// How the runtime of kind `http` is set up.
pub struct HttpOptions {
    /// Hosts beyond the public internet.
    pub allow_hosts: AllowHosts,
    pub resolver: Arc<dyn Resolver>,
    /// Where `webSearch` asks; the operator's word, so the wall lets it through.
    pub search_base_url: String,
    pub limits: HttpLimits,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            allow_hosts: AllowHosts::default(),
            resolver: Arc::new(SystemResolver),
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
        Self {
            default_response_bytes: 4 * 1024 * 1024,
            max_response_bytes: 64 * 1024 * 1024,
            max_unpack_ratio: 100,
            unpack_ratio_from_bytes: 1024 * 1024,
            max_response_headers: 100,
            max_response_header_bytes: 64 * 1024,
            max_request_bytes: 4 * 1024 * 1024,
            max_redirects: 5,
            connect_timeout_ms: 10_000,
            max_timeout_ms: 300_000,
            default_timeout_ms: 30_000,
            host_concurrency: 32,
            host_requests_per_s: 100,
            max_hosts: 10_000,
            max_wait_ms: 30_000,
            max_retries: 5,
            max_pages: 100,
            max_items: 10_000,
            max_text_bytes: 1024 * 1024,
            error_preview_bytes: 1_024,
            max_table_rows: 1_000,
            max_table_columns: 200,
            max_tokens: 10_000,
            pool_idle_per_host: 8,
            pool_idle_ms: 30_000,
        }
    }
}
