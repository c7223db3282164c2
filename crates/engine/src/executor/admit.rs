//! Limit, cache, secrets: what may still turn a permitted call away, or spare it.

use std::{sync::Arc, time::Duration};

use tokio::sync::OwnedSemaphorePermit;
use toolgate_domain::{ErrorCode, Outcome, Tool, ToolError};

use super::{cache::Found, prepare::Prepared};
use crate::{Engine, registry::LiveTool};

pub(super) enum Admission {
    /// One of the tool's places, held while the call runs.
    Run(OwnedSemaphorePermit),
    Cached(Outcome),
    Refused(ToolError),
}

impl Engine {
    pub(super) async fn admit(&self, prepared: &mut Prepared, live: &LiveTool) -> Admission {
        if let Err(error) = self.limit(prepared, &live.tool).await {
            return Admission::Refused(error);
        }
        match self.look_up(prepared, &live.tool).await {
            Found::Result(outcome) => {
                self.metrics.cache_hit(prepared.invocation.tenant_id);
                return Admission::Cached(outcome);
            }
            Found::Nothing(claim) => prepared.claim = claim,
            Found::TooLong => return Admission::Refused(waited_too_long(&live.tool)),
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

    /// The tool's own, or the server's; a profile can shorten it.
    pub(super) fn timeout_ms(&self, prepared: &Prepared, tool: &Tool) -> u64 {
        let own = tool.spec.timeout_ms.unwrap_or(self.limits.default_timeout_ms);
        own.min(self.limits.max_timeout_ms).min(prepared.profile_timeout_ms.unwrap_or(u64::MAX))
    }
}

fn waited_too_long(tool: &Tool) -> ToolError {
    let message = format!("an equal call of {} is still running", tool.spec.id());
    ToolError::new(ErrorCode::Timeout, message).retry_after(1)
}
