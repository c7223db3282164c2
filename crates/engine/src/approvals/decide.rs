//! Approve or reject: exactly one decision counts, and it is about exactly what was asked.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_domain::{
    AuditEvent, Caller, Credential, EgressClass, ErrorCode, EventType, Invocation, InvocationId, Outcome,
    Phase, Scope, Status, Step, Timestamp, ToolError, UserId,
};
use toolgate_store::StoreError;

use crate::{Engine, RuleError, ledger::Advance};

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
    /// The person agrees to a call of their own, where nobody else could.
    pub confirm_self: bool,
}

/// Whether a person who is alone may agree to calls of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Separation {
    /// For as long as nobody else in the tenant may decide; the receipt says so.
    #[default]
    Auto,
    Strict,
}

/// The reason of an approval by the person who made the call.
const BY_SELF: &str = "self";

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
    #[error("you made this call: another person who holds approvals:decide must agree to it")]
    OwnCall,
    #[error(
        "you made this call, and nobody else here may decide: send `confirm_self: true` to agree to it yourself"
    )]
    ConfirmSelf,
    #[error("an agent cannot decide: a person must")]
    ByAgent,
    #[error("this key speaks for no person: sign in, or use a key of your own, to decide")]
    NoPerson,
    #[error("another person made this key for you: sign in, or make a key yourself, to decide with it")]
    KeyOfAnother,
    #[error("the call was made with this credential, or with one that it was made with: sign in to decide")]
    SameCredential,
    #[error(
        "the call needs an approver who neither made it, nor owns or manages its agent, nor is the one it works for"
    )]
    Involved,
    #[error(
        "agreeing carries out a change that needs {0}, which you do not hold: leave it to somebody who does"
    )]
    CouldNotDoIt(Scope),
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
        let person = self.deciding_person(caller).await?;
        if let Ruling::Reject { reason } = &ruling
            && (reason.trim().is_empty() || reason.chars().count() > MAX_REASON_CHARS)
        {
            return Err(DecideError::Reason);
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
            Ruling::Approve(approval) => {
                let as_self = self.may_agree(caller, person, &row, approval.confirm_self).await?;
                self.approve(caller, row, approval, as_self).await
            }
        }
    }

    /// The person whose word it is. A key that somebody else made for them speaks for both, so it decides nothing.
    async fn deciding_person(&self, caller: &Caller) -> Result<UserId, DecideError> {
        if caller.agent_id.is_some() {
            return Err(DecideError::ByAgent);
        }
        let person = caller.user_id().ok_or(DecideError::NoPerson)?;
        match caller.credential {
            Some(Credential::Key(key)) if !self.keys.is_own(caller.tenant_id, key, person).await? => {
                Err(DecideError::KeyOfAnother)
            }
            _ => Ok(person),
        }
    }

    /// Whether the person agrees to a call of their own; an error where they may not agree at all.
    async fn may_agree(
        &self,
        caller: &Caller,
        person: UserId,
        row: &Invocation,
        confirm_self: bool,
    ) -> Result<bool, DecideError> {
        let origin = self.call_origin(row).await?;
        let terms = row.decision.approval.unwrap_or_default();
        if terms.independent && self.is_involved(caller, person, &origin, row.agent_id).await? {
            return Err(DecideError::Involved);
        }
        if let Some(needed) = self.agreeing_needs(row).await?.filter(|needed| !caller.may(*needed)) {
            return Err(DecideError::CouldNotDoIt(needed));
        }
        if !origin.made_by.contains(&person) {
            // A model may hold the credential; it does not hold the person's other ones.
            for made_with in origin.credentials {
                if let Some(credential) = caller.credential
                    && self.keys.descends(caller.tenant_id, credential, made_with).await?
                {
                    return Err(DecideError::SameCredential);
                }
            }
            return Ok(false);
        }
        if terms.lets_agree(person) {
            return Ok(true);
        }
        if self.separation == Separation::Strict || !self.decides_alone(caller.tenant_id, person).await? {
            return Err(DecideError::OwnCall);
        }
        if confirm_self { Ok(true) } else { Err(DecideError::ConfirmSelf) }
    }

    /// What the person who agrees must be able to do themselves: where an agent proposes a change, agreeing is making it.
    async fn agreeing_needs(&self, row: &Invocation) -> Result<Option<Scope>, StoreError> {
        if row.agent_id.is_none() {
            return Ok(None);
        }
        let Some(live) = self.tool_of(row).await? else { return Ok(None) };
        let runtime = self.runtimes.get(live.tool.spec.execution.kind.as_str());
        Ok(runtime.and_then(|runtime| runtime.agreeing_needs(&live.tool, row.effective_input())))
    }

    async fn approve(
        self: &Arc<Self>,
        caller: &Caller,
        row: Invocation,
        approval: Approval,
        as_self: bool,
    ) -> Result<Invocation, DecideError> {
        let terms = row.decision.approval.unwrap_or_default();
        if approval.always {
            may_be_for_good(&row)?;
            self.may_change_agent(caller, &row).await?;
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
                change.reason = as_self.then(|| BY_SELF.to_owned());
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

    /// Agreeing for good changes what the agent may do.
    async fn may_change_agent(&self, caller: &Caller, row: &Invocation) -> Result<(), DecideError> {
        let owns = match (caller.user_id(), row.agent_id) {
            (Some(person), Some(agent)) => self.owns(caller.tenant_id, person, agent).await?,
            _ => false,
        };
        if owns || caller.may(Scope::AgentsWrite) {
            return Ok(());
        }
        Err(DecideError::NotAlways(
            "it changes what the agent may do, which needs agents:write or being its owner",
        ))
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
