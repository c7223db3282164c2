//! Approve or reject: exactly one decision counts, and it is about exactly what was asked.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_domain::{
    AuditEvent, Caller, EgressClass, ErrorCode, EventType, Invocation, InvocationId, Outcome, Phase, Status,
    Step, Timestamp, ToolError,
};
use toolgate_store::StoreError;

use crate::{Engine, RUN_TOOL, RuleError, ledger::Advance};

const MAX_REASON_CHARS: usize = 2_000;

/// What a person says.
#[derive(Clone, Debug, PartialEq)]
pub enum Ruling {
    Approve(Approval),
    Reject { reason: String },
}

/// A yes, and what goes with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Approval {
    /// The input as the person changed it; it must be valid, and it is what runs.
    pub edited_input: Option<Value>,
    /// The agent need not ask for this tool again.
    pub always: bool,
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
    #[error("this cannot be approved for good: {0}")]
    NotAlways(&'static str),
    #[error("the changed input cannot run: {}", .0.message)]
    BadInput(Box<ToolError>),
    #[error(
        "{0} people must agree to this call, so nobody can change what the others agreed to: reject it, and say why"
    )]
    EditedByOne(u32),
    #[error(transparent)]
    Rules(#[from] RuleError),
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
        may_decide(caller, &ruling)?;
        let allow_self = row.decision.approval.is_some_and(|terms| terms.allow_self);
        if matches!(ruling, Ruling::Approve(_)) && !allow_self && self.is_own_call(caller, &row).await? {
            return Err(DecideError::OwnCall);
        }
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
        match ruling {
            Ruling::Reject { reason } => {
                if self.reject(caller, &row, reason.trim().to_owned()).await? {
                    return self.read(&row).await;
                }
                Err(DecideError::Decided(self.read(&row).await?.status()))
            }
            Ruling::Approve(approval) => self.approve(caller, row, approval).await,
        }
    }

    async fn approve(
        self: &Arc<Self>,
        caller: &Caller,
        row: Invocation,
        approval: Approval,
    ) -> Result<Invocation, DecideError> {
        let terms = row.decision.approval.unwrap_or_default();
        if approval.always {
            may_be_for_good(&row)?;
        }
        if let Some(input) = &approval.edited_input {
            if terms.quorum > 1 {
                return Err(DecideError::EditedByOne(terms.quorum));
            }
            self.check_edited(&row, input).await?;
        }
        if terms.quorum > 1 && !self.vote(caller, &row, terms.quorum).await? {
            return Ok(row);
        }
        let by = caller.principal.to_string();
        let mut edited = row.clone();
        edited.approved_input.clone_from(&approval.edited_input);
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "approval.approve", row.id)
            .from(json!({"digest": row.approval_digest(), "input": row.input}))
            .to(json!({"digest": edited.approval_digest(), "input": edited.effective_input(), "always": approval.always}));
        let step = Advance {
            step: Step::Approve,
            event: EventType::Approved,
            now: self.clock.now(),
            audit: vec![event],
        };
        let won = self
            .advance(&row, step, |change| {
                (change.decided_by, change.approved_input) = (Some(by), approval.edited_input);
            })
            .await?;
        let now = self.read(&row).await?;
        if !won {
            // Of several people who agree at once, one moves the call on; each of them was heard.
            let heard = terms.quorum > 1 && now.phase != Phase::Rejected;
            return if heard { Ok(now) } else { Err(DecideError::Decided(now.status())) };
        }
        if approval.always
            && let Some(agent) = row.agent_id
        {
            self.rules.approve_always(caller, agent, &row.tool_name, row.id).await?;
        }
        self.resume_in_background(now.clone());
        Ok(now)
    }

    async fn read(&self, row: &Invocation) -> Result<Invocation, DecideError> {
        self.stores.invocations.get(row.tenant_id, row.id).await?.ok_or(DecideError::NotFound)
    }

    /// A question that nobody answered in time is answered with no.
    pub(super) async fn expire(&self, row: &Invocation) -> Result<bool, StoreError> {
        let system = Caller::system(row.tenant_id, "");
        self.reject(&system, row, "nobody decided in time".to_owned()).await
    }

    /// Whether a call is the decider's own, made by themselves or in their words by something that they called. What the model of an
    /// agent's run decided is not: whoever started the run may be asked about it.
    async fn is_own_call(&self, caller: &Caller, row: &Invocation) -> Result<bool, StoreError> {
        let decider = caller.principal.to_string();
        let (mut maker, mut above) = (row.caller.clone(), row.parent_id);
        for _ in 0..=self.limits.max_call_depth {
            if maker == decider {
                return Ok(true);
            }
            let Some(id) = above else { break };
            let Some(parent) = self.stores.invocations.get(row.tenant_id, id).await? else { break };
            if parent.tool_name == RUN_TOOL {
                break;
            }
            (maker, above) = (parent.caller, parent.parent_id);
        }
        Ok(false)
    }

    /// `false` when another decision came first.
    async fn reject(&self, caller: &Caller, row: &Invocation, reason: String) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let by = caller.principal.to_string();
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "approval.reject", row.id)
            .from(json!({"digest": row.approval_digest()}))
            .to(json!({"reason": reason}));
        let step = Advance { step: Step::Reject, event: EventType::Failed, now, audit: vec![event] };
        self.advance(row, step, |change| {
            let error = rejection(&by, &reason);
            change.completed_at = Some(now);
            change.outcome = Some(Outcome { error: Some(error), ..Outcome::default() });
            (change.decided_by, change.reason) = (Some(by), Some(reason));
        })
        .await
    }
}

pub(super) fn is_expired(row: &Invocation, now: Timestamp) -> bool {
    row.approval_expires_at.is_some_and(|expiry| expiry <= now)
}

fn may_decide(caller: &Caller, ruling: &Ruling) -> Result<(), DecideError> {
    if caller.agent_id.is_some() {
        return Err(DecideError::ByAgent);
    }
    match ruling {
        Ruling::Reject { reason }
            if reason.trim().is_empty() || reason.chars().count() > MAX_REASON_CHARS =>
        {
            Err(DecideError::Reason)
        }
        _ => Ok(()),
    }
}

/// Only an agent's question can be answered for good, and never one about a write.
fn may_be_for_good(row: &Invocation) -> Result<(), DecideError> {
    if row.agent_id.is_none() {
        return Err(DecideError::NotAlways("only calls of agents can"));
    }
    if row.egress_class == EgressClass::Write {
        return Err(DecideError::NotAlways("the tool writes outside Toolgate, which asks every time"));
    }
    if matches!(row.decision.approval, Some(terms) if terms.quorum > 1) {
        return Err(DecideError::NotAlways("several people must agree to each call"));
    }
    Ok(())
}

fn rejection(by: &str, reason: &str) -> ToolError {
    ToolError::new(ErrorCode::PolicyDenied, format!("the call was rejected: {reason}"))
        .with_details(json!({"outcome": "rejected", "decided_by": by, "reason": reason}))
}
