//! The bounds of the connections of one process.

use std::time::Duration;

use toolgate_domain::Limits;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamLimits {
    pub connections: usize,
    pub upstream_connections: usize,
    pub idle: Duration,
    pub connect_timeout: Duration,
    pub list_timeout: Duration,
    pub tools: usize,
    pub concurrency: usize,
    pub queue: usize,
    pub message_bytes: usize,
    pub unasked_per_s: u64,
    pub notices_per_call: u64,
    pub notice_bytes: usize,
    pub ask_s: u64,
    pub ask_rounds: u32,
    pub held_calls: usize,
    pub catalog_ttl: Duration,
    pub catalog_timeout: Duration,
    pub catalog_items: usize,
    pub breaker_failures: u64,
    pub breaker_open_ms: u64,
    pub breaker_max_open_ms: u64,
}

impl Default for UpstreamLimits {
    fn default() -> Self {
        Self::of(&Limits::default())
    }
}

impl UpstreamLimits {
    /// As the operator set them.
    pub fn of(limits: &Limits) -> Self {
        let size = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX).max(1);
        Self {
            connections: size(limits.mcp_connections),
            upstream_connections: size(limits.mcp_upstream_connections),
            idle: Duration::from_millis(limits.mcp_idle_ms),
            connect_timeout: Duration::from_millis(limits.mcp_connect_timeout_ms),
            list_timeout: Duration::from_millis(limits.mcp_list_timeout_ms),
            tools: size(limits.max_mcp_server_tools),
            // A semaphore holds no more permits than this.
            concurrency: size(limits.mcp_upstream_concurrency).min(1 << 20),
            queue: size(limits.mcp_upstream_queue),
            message_bytes: size(limits.mcp_message_bytes),
            unasked_per_s: limits.mcp_unasked_per_s.max(1),
            notices_per_call: limits.mcp_notices_per_call,
            notice_bytes: size(limits.mcp_notice_bytes),
            ask_s: limits.mcp_ask_s.max(1),
            ask_rounds: u32::try_from(limits.mcp_ask_rounds).unwrap_or(u32::MAX),
            held_calls: size(limits.mcp_held_calls),
            catalog_ttl: Duration::from_secs(limits.mcp_catalog_s),
            catalog_timeout: Duration::from_millis(limits.mcp_catalog_timeout_ms),
            catalog_items: size(limits.mcp_catalog_items),
            breaker_failures: limits.mcp_breaker_failures.max(1),
            breaker_open_ms: limits.mcp_breaker_open_ms,
            breaker_max_open_ms: limits.mcp_breaker_max_open_ms,
        }
    }
}
