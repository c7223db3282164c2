//! Approve or reject: exactly one decision counts, and it is about exactly what was asked.

use std::sync::Arc;

use serde_json::json;
use toolgate_domain::{
    Caller, ErrorCode, EventType, Invocation, InvocationId, Outcome, Phase, Status, Step, Timestamp,
    ToolError, caller::Principal,
};
use toolgate_store::StoreError;

use crate::Engine;

const MAX_REASON_CHARS: usize = 2_000;

/// What a person says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    Approve,
    Reject { reason: String },
}

#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    #[error("there is no such invocation")]
    NotFound,
    #[error("the call is {} already: a call is decided once", .0.as_str())]
    Decided(Status),
    #[error("the question expired: the call counts as rejected; make it again")]
    Expired,
    #[error("the digest is not that of the call as it stands: look at it again, then decide")]
    Changed,
    #[error("nobody approves a call of their own: another person must, with a key that has approvals:decide")]
    OwnCall,
    #[error("an agent cannot decide: a person must")]
    ByAgent,
    #[error("a rejection needs a reason of 1 to {MAX_REASON_CHARS} characters")]
    Reason,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Engine {
    /// Decides a call that waits. An approved one begins at once, in the background.
    pub async fn decide(
        self: &Arc<Self>,
        caller: &Caller,
        id: InvocationId,
        digest: Option<&str>,
        ruling: Ruling,
    ) -> Result<Invocation, DecideError> {
        let row = self.stores.invocations.get(caller.tenant_id, id).await?.ok_or(DecideError::NotFound)?;
        may_decide(caller, &row, &ruling)?;
        if row.phase != Phase::Pending {
            return Err(DecideError::Decided(row.status()));
        }
        if is_expired(&row, self.clock.now()) {
            self.expire(&row).await?;
            return Err(DecideError::Expired);
        }
        if digest.is_some_and(|digest| digest != row.approval_digest()) {
            return Err(DecideError::Changed);
        }
        let by = caller.principal.to_string();
        let won = match &ruling {
            Ruling::Approve => self.record_ruling(&row, Step::Approve, by, None).await?,
            Ruling::Reject { reason } => {
                self.record_ruling(&row, Step::Reject, by, Some(reason.trim().to_owned())).await?
            }
        };
        let now = self.stores.invocations.get(caller.tenant_id, id).await?.ok_or(DecideError::NotFound)?;
        if !won {
            return Err(DecideError::Decided(now.status()));
        }
        if ruling == Ruling::Approve {
            self.resume_in_background(now.clone());
        }
        Ok(now)
    }

    /// A question that nobody answered in time is answered with no.
    pub(super) async fn expire(&self, row: &Invocation) -> Result<bool, StoreError> {
        let reason = "nobody decided in time".to_owned();
        self.record_ruling(row, Step::Reject, Principal::System.to_string(), Some(reason)).await
    }

    /// `false` when another decision came first.
    async fn record_ruling(
        &self,
        row: &Invocation,
        step: Step,
        by: String,
        reason: Option<String>,
    ) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let rejected = step == Step::Reject;
        let event = if rejected { EventType::Failed } else { EventType::Approved };
        self.advance(row, step, event, now, |change| {
            if rejected {
                let error = rejection(&by, reason.as_deref().unwrap_or_default());
                change.completed_at = Some(now);
                change.outcome = Some(Outcome { error: Some(error), ..Outcome::default() });
            }
            (change.decided_by, change.reason) = (Some(by), reason);
        })
        .await
    }
}

pub(super) fn is_expired(row: &Invocation, now: Timestamp) -> bool {
    row.approval_expires_at.is_some_and(|expiry| expiry <= now)
}

fn may_decide(caller: &Caller, row: &Invocation, ruling: &Ruling) -> Result<(), DecideError> {
    if matches!(caller.principal, Principal::Agent(_)) {
        return Err(DecideError::ByAgent);
    }
    match ruling {
        Ruling::Approve if caller.principal.to_string() == row.caller => Err(DecideError::OwnCall),
        Ruling::Reject { reason }
            if reason.trim().is_empty() || reason.chars().count() > MAX_REASON_CHARS =>
        {
            Err(DecideError::Reason)
        }
        _ => Ok(()),
    }
}

fn rejection(by: &str, reason: &str) -> ToolError {
    ToolError::new(ErrorCode::PolicyDenied, format!("the call was rejected: {reason}"))
        .with_details(json!({"outcome": "rejected", "decided_by": by, "reason": reason}))
}
