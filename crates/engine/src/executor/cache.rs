//! The cache: a result that is there is not made again, and equal calls that come at once make it once.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolgate_domain::{
    Attachment, Caller, ErrorCode, Outcome, Step, Surface, TenantId, Tool, ToolError,
    json::{canonical_bytes, parse, sha256_hex},
    tool::CachePolicy,
};
use toolgate_store::{Generation, Lease, ResultCache};

use super::{
    prepare::Prepared,
    turns::{Queued, Turn},
};
use crate::{Engine, RegistryError};

/// Nesting of what the cache gives back; it was bounded when it went in.
const CACHED_DEPTH: usize = 120;
/// The longest that another process is waited for: one that died holds everybody up no longer, and one that takes longer is no
/// longer waited for.
const MAX_LEASE: Duration = Duration::from_secs(10);
/// How often one looks whether another process is done, at first and later.
const FIRST_LOOK: Duration = Duration::from_millis(5);
const LATER_LOOKS: Duration = Duration::from_millis(250);

/// What the cache keeps of a call.
#[derive(Serialize, Deserialize)]
struct Kept {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<ToolError>,
    #[serde(default)]
    truncated: bool,
    #[serde(default)]
    attachments: Vec<Attachment>,
}

/// Where a call's result belongs, and the right to make it.
pub(super) struct Claim {
    scope: String,
    key: String,
    generation: Generation,
    turn: Turn,
    lease: Option<LeaseHeld>,
}

/// A result that is kept once its call is on record: before that, nothing vouches for it. Where it is dropped instead, one of those who
/// wait tries.
pub(super) struct Keeping {
    claim: Claim,
    bytes: Bytes,
    ttl: Option<Duration>,
}

impl Claim {
    /// What the tool's author wants kept of a call that ends so. Nothing lets those who wait go on at once: one of them tries again.
    pub(super) fn keeping(self, tool: &Tool, ended: Step, outcome: &Outcome) -> Option<Box<Keeping>> {
        let ttl = match (&outcome.error, tool.spec.cache) {
            (None, CachePolicy::Forever) => None,
            (None, _) => tool.spec.cache_ttl_s.map(Duration::from_secs),
            (Some(error), _) if is_lasting(error) => Some(Duration::from_secs(tool.spec.cache_errors_s?)),
            (Some(_), _) => return None,
        };
        if !matches!(ended, Step::Complete | Step::Fail) {
            return None;
        }
        let kept = Kept {
            output: outcome.output.clone(),
            error: outcome.error.clone(),
            truncated: outcome.truncated,
            attachments: outcome.attachments.clone(),
        };
        Some(Box::new(Keeping { claim: self, bytes: Bytes::from(json!(kept).to_string()), ttl }))
    }
}

/// Given back however the call ends.
struct LeaseHeld {
    cache: Arc<dyn ResultCache>,
    key: String,
    lease: Lease,
}

impl Drop for LeaseHeld {
    fn drop(&mut self) {
        let (cache, key, lease) = (Arc::clone(&self.cache), std::mem::take(&mut self.key), self.lease);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if let Err(error) = cache.release(&key, lease).await {
                    tracing::warn!(%error, "a lease of the cache cannot be given back; it ends by itself");
                }
            });
        }
    }
}

pub(super) enum Found {
    /// Another call made it.
    Result(Outcome),
    /// This call makes it; nobody waits for a call whose result is not kept.
    Nothing(Option<Claim>),
    /// It waited for an equal call as long as it may run itself.
    TooLong,
}

impl Engine {
    /// Looks for the result of an equal call, and waits for one that is being made.
    pub(super) async fn look_up(&self, prepared: &Prepared, tool: &Tool) -> Found {
        let Some(key) = cache_key(prepared, tool) else {
            return Found::Nothing(None);
        };
        let scope = scope(prepared.invocation.tenant_id, tool.spec.name.as_str());
        let Some((found, generation)) = self.look(&scope, &key).await else {
            return Found::Nothing(None);
        };
        if let Some(outcome) = found {
            return Found::Result(outcome);
        }
        let patience = Duration::from_millis(self.timeout_ms(prepared, tool));
        // Those who come after a purge do not wait for a result from before it.
        let queue = format!("{:x}:{scope}:{key}", generation.0);
        let turn = match tokio::time::timeout(patience, self.turns.wait(queue)).await {
            Err(_) => return Found::TooLong,
            Ok(Queued::Made(bytes)) => match outcome(&bytes) {
                Some(outcome) => return Found::Result(outcome),
                None => return Found::Nothing(None),
            },
            Ok(Queued::Turn(turn)) => turn,
        };
        let lease = self.lease(&scope, &key, patience).await;
        // Whoever was ahead, here or elsewhere, may just have finished.
        match self.look(&scope, &key).await {
            None => Found::Nothing(None),
            Some((Some(outcome), _)) => Found::Result(outcome),
            Some((None, generation)) => Found::Nothing(Some(Claim { scope, key, generation, turn, lease })),
        }
    }

    /// Nothing when the cache does not answer: then every call runs.
    async fn look(&self, scope: &str, key: &str) -> Option<(Option<Outcome>, Generation)> {
        match self.stores.cache.get(scope, key).await {
            Ok(looked) => Some((looked.value.as_deref().and_then(outcome), looked.generation)),
            Err(error) => {
                tracing::warn!(%error, "the cache cannot be read");
                None
            }
        }
    }

    /// Where processes share the cache, one of them makes the result, as a rule. Whoever does not get the lease in time goes
    /// ahead: running twice is better than not at all.
    async fn lease(&self, scope: &str, key: &str, patience: Duration) -> Option<LeaseHeld> {
        let cache = &self.stores.cache;
        if !cache.is_shared() {
            return None;
        }
        let ttl = MAX_LEASE.min(patience / 2);
        let name = format!("{scope}:{key}");
        let attempt = async {
            let mut pause = FIRST_LOOK;
            loop {
                match cache.lease(&name, ttl).await {
                    Ok(Some(lease)) => {
                        return Some(LeaseHeld { cache: Arc::clone(cache), key: name.clone(), lease });
                    }
                    Ok(None) => {}
                    Err(error) => {
                        tracing::warn!(%error, "the cache gives no lease");
                        return None;
                    }
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LATER_LOOKS);
                if self.look(scope, key).await.is_none_or(|(found, _)| found.is_some()) {
                    return None;
                }
            }
        };
        tokio::time::timeout(ttl, attempt).await.ok().flatten()
    }

    /// Keeps a result, now that its call is on record, and lets those who wait go on with it.
    pub(super) async fn keep(&self, keeping: Box<Keeping>) {
        let Keeping { claim: Claim { scope, key, generation, turn, lease }, bytes, ttl } = *keeping;
        if let Err(error) = self.stores.cache.put(&scope, &key, generation, bytes.clone(), ttl).await {
            tracing::warn!(%error, "the cache cannot be written");
        }
        turn.made(bytes);
        drop(lease);
    }

    /// Forgets every kept result of a tool, of all its versions, for the caller's tenant.
    pub async fn purge_cache(&self, caller: &Caller, name: &str) -> Result<(), RegistryError> {
        self.registry.exists(caller, Surface::Rest, name).await?;
        let event =
            toolgate_domain::AuditEvent::by(caller, &*self.ids, &*self.clock, "tool.purge_cache", name);
        self.stores.audit.append(caller.tenant_id, &[event]).await?;
        Ok(self.stores.cache.purge(&scope(caller.tenant_id, name)).await?)
    }
}

fn outcome(bytes: &[u8]) -> Option<Outcome> {
    let kept: Kept = serde_json::from_value(parse(bytes, CACHED_DEPTH).ok()?).ok()?;
    if kept.output.is_none() && kept.error.is_none() {
        return None;
    }
    Some(Outcome {
        output: kept.output,
        error: kept.error,
        cached: true,
        truncated: kept.truncated,
        attachments: kept.attachments,
        ..Outcome::default()
    })
}

/// How a call ends that was answered from the cache.
pub(super) fn step_of(outcome: &Outcome) -> Step {
    if outcome.error.is_some() { Step::Fail } else { Step::Complete }
}

/// A failure that an equal call would meet again soon. What depends on the caller, the clock or the load is none.
fn is_lasting(error: &ToolError) -> bool {
    let lasting = matches!(
        error.code,
        ErrorCode::ValidationError
            | ErrorCode::ProviderError
            | ErrorCode::NetworkError
            | ErrorCode::SandboxError
    );
    lasting && error.retry_after_s.is_none()
}

/// What is purged together.
fn scope(tenant: TenantId, tool: &str) -> String {
    format!("{tenant}:{tool}")
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
