//! Limit, cache, secrets: what may still turn a permitted call away, or spare it.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;
use toolgate_domain::{
    Attachment, ErrorCode, Outcome, Tool, ToolError,
    json::{canonical_bytes, parse, sha256_hex},
    tool::CachePolicy,
};

use super::prepare::Prepared;
use crate::{Engine, registry::LiveTool};

/// Nesting of what the cache gives back; it was bounded when it went in.
const CACHED_DEPTH: usize = 120;

pub(super) enum Admission {
    /// One of the tool's places, held while the call runs.
    Run(OwnedSemaphorePermit),
    Cached(Outcome),
    Refused(ToolError),
}

/// What the cache keeps of a call.
#[derive(Serialize, Deserialize)]
struct Kept {
    output: Value,
    #[serde(default)]
    truncated: bool,
    #[serde(default)]
    attachments: Vec<Attachment>,
}

impl Engine {
    pub(super) async fn admit(&self, prepared: &mut Prepared, live: &LiveTool) -> Admission {
        if let Err(error) = self.limit(prepared, &live.tool).await {
            return Admission::Refused(error);
        }
        if let Some(outcome) = self.look_up(prepared, &live.tool).await {
            self.metrics.cache_hits.inc();
            return Admission::Cached(outcome);
        }
        if let Some(error) = &prepared.secrets.unresolved {
            return Admission::Refused(error.clone());
        }
        if let Ok(place) = Arc::clone(&live.places).try_acquire_owned() {
            return Admission::Run(place);
        }
        let patience = Duration::from_millis(self.timeout_ms(prepared, &live.tool));
        match tokio::time::timeout(patience, Arc::clone(&live.places).acquire_owned()).await {
            Ok(Ok(place)) => Admission::Run(place),
            _ => Admission::Refused(
                ToolError::new(
                    ErrorCode::RateLimit,
                    format!("too many calls of {} run at once", live.tool.spec.id()),
                )
                .retry_after(1),
            ),
        }
    }

    async fn look_up(&self, prepared: &Prepared, tool: &Tool) -> Option<Outcome> {
        let key = cache_key(prepared, tool)?;
        let bytes = match self.stores.cache.get(&key).await {
            Ok(found) => found?,
            Err(error) => {
                tracing::warn!(%error, "the cache cannot be read");
                return None;
            }
        };
        let kept: Kept = serde_json::from_value(parse(&bytes, CACHED_DEPTH).ok()?).ok()?;
        Some(Outcome {
            output: Some(kept.output),
            cached: true,
            truncated: kept.truncated,
            attachments: kept.attachments,
            ..Outcome::default()
        })
    }

    pub(super) async fn keep(&self, prepared: &Prepared, tool: &Tool, outcome: &Outcome) {
        let (Some(key), Some(output)) = (cache_key(prepared, tool), &outcome.output) else {
            return;
        };
        let kept =
            json!({"output": output, "truncated": outcome.truncated, "attachments": outcome.attachments});
        let ttl = match tool.spec.cache {
            CachePolicy::Ttl => tool.spec.cache_ttl_s.map(Duration::from_secs),
            CachePolicy::None | CachePolicy::Forever => None,
        };
        if let Err(error) = self.stores.cache.put(&key, Bytes::from(kept.to_string()), ttl).await {
            tracing::warn!(%error, "the cache cannot be written");
        }
    }

    /// The tool's own, or the server's; a profile can shorten it.
    pub(super) fn timeout_ms(&self, prepared: &Prepared, tool: &Tool) -> u64 {
        let own = tool.spec.timeout_ms.unwrap_or(self.limits.default_timeout_ms);
        own.min(self.limits.max_timeout_ms).min(prepared.profile_timeout_ms.unwrap_or(u64::MAX))
    }
}

/// By tenant, `tool@version`, canonical input and the secrets that are used; never by the call's place in its run. A result made
/// with one person's secret is not another's. An input that holds a secret leaves no trace here either.
fn cache_key(prepared: &Prepared, tool: &Tool) -> Option<String> {
    let secrets = &prepared.secrets;
    if tool.spec.cache == CachePolicy::None
        || prepared.original_input.is_some()
        || prepared.invocation.is_test
        || secrets.unresolved.is_some()
    {
        return None;
    }
    let invocation = &prepared.invocation;
    let mut identity = json!([invocation.tenant_id, tool.spec.id(), invocation.effective_input()]);
    if let (Value::Array(parts), false) = (&mut identity, tool.spec.secrets.is_empty()) {
        parts.push(Value::Array(secrets.found.identity()));
    }
    canonical_bytes(&identity).ok().map(|bytes| sha256_hex(&bytes))
}
