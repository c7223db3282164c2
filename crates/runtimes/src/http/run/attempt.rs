//! Sends a request until it is answered, may not be repeated, or time is up.

use std::time::Duration;

use tokio::time::Instant;
use toolgate_domain::ToolError;

use super::{
    authorize::{Credentials, authorize},
    execute::{Core, Job},
    status::{failure_of, is_data, is_transient, retry_after_s},
};
use crate::http::{
    client::{Bounds, Failure, Outgoing, Response},
    config::{Auth, check_value},
    read,
};

const MAX_BACKOFF_MS: u64 = 10_000;

/// The response that is data; everything else is an error.
pub(super) async fn send(
    core: &Core,
    job: &Job<'_>,
    mut request: Outgoing,
    max_response_bytes: u64,
    credentials: &mut Credentials,
) -> Result<Response, ToolError> {
    if let Some(name) = &job.plan.retries.idempotency_header {
        let value = check_value(name, &job.call_id).map_err(ToolError::validation)?;
        request.headers.insert(name, value);
    }
    let mut repeated = 0;
    let mut renewed = false;
    loop {
        let mut authorized = request.clone();
        authorize(core, job, &mut authorized, credentials).await?;
        let (failure, asked_to_wait) = match once(core, job, authorized, max_response_bytes).await {
            Ok(response) if is_data(response.status.as_u16(), &job.plan.accept_status) => {
                return Ok(response);
            }
            Ok(response) if response.status.as_u16() == 401 && credentials.has_token && !renewed => {
                // The token may have been revoked before its time: one more, with a new one.
                renewed = true;
                if let Some(Auth::ClientCredentials(grant)) = &job.plan.auth {
                    core.tokens.forget(job, grant)?;
                }
                continue;
            }
            Ok(response) => {
                let shown = read::excerpt(&response, core.limits.error_preview_bytes);
                let error = failure_of(&response, &shown, core.now_ms());
                let wait = retry_after_s(&response, core.now_ms()).map(Duration::from_secs);
                (Failure { error, transient: is_transient(response.status.as_u16()) }, wait)
            }
            Err(failure) => (failure, None),
        };
        if !failure.transient || repeated >= job.plan.retries.max {
            return Err(failure.error);
        }
        let wait = backoff(job.plan.retries.backoff_ms, repeated).max(asked_to_wait.unwrap_or_default());
        let latest = job.deadline.min(Instant::now() + Duration::from_millis(core.limits.max_wait_ms));
        if Instant::now() + wait >= latest {
            return Err(failure.error);
        }
        tokio::time::sleep(wait).await;
        repeated += 1;
    }
}

async fn once(
    core: &Core,
    job: &Job<'_>,
    request: Outgoing,
    max_response_bytes: u64,
) -> Result<Response, Failure> {
    let timeout_ms = job.plan.timeout_ms;
    let deadline = job.deadline.min(Instant::now() + Duration::from_millis(timeout_ms));
    let _turn = match job.plan.per_host {
        None => None,
        Some(rate) => {
            let host = request.url.host_str().unwrap_or_default();
            let key = format!("{}/{}/{host}", job.tenant, job.tool);
            Some(core.gate.enter(&key, rate, deadline).await?)
        }
    };
    let bounds = Bounds { deadline, timeout_ms, max_redirects: job.plan.max_redirects, max_response_bytes };
    core.client.fetch(job.wall, request, bounds).await
}

/// Twice as long every time, less up to a half at random, so that many do not come back at once.
fn backoff(base_ms: u64, repeated: u64) -> Duration {
    let full = base_ms.saturating_mul(1 << repeated.min(16)).min(MAX_BACKOFF_MS);
    Duration::from_millis(full / 2 + rand::random_range(0..=full / 2))
}
