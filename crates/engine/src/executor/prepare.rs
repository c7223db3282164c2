//! Resolve, see, permit, validate: everything that can be said of a call before it costs anything.

use std::{borrow::Cow, sync::Arc};

use serde_json::Value;
use tokio::sync::mpsc;
use toolgate_domain::{
    Caller, Decision, EgressClass, Evidence, Gate, Invocation, InvocationId, Outcome, Phase, SessionId,
    Surface, Tool, ToolError, Verdict,
    governance::Audience,
    json::{call_id, check_value},
    tool::Origin,
};

use super::{Call, CallInput, Progress, Refused, cache::Claim, limits::Taken, secrets::Held, trace::Thread};
use crate::{
    Engine, Resumed,
    registry::{LiveTool, Resolution, View, complaints, invalid_input},
};

/// Where a call begins that nobody has to agree to.
pub(super) const RUNNING: Phase = Phase::Running(Gate::NotRequired);

/// A call with its row, not yet written.
pub(super) struct Prepared {
    pub(super) invocation: Box<Invocation>,
    pub(super) progress: Option<mpsc::Sender<Progress>>,
    /// Whether the tool exists for the caller.
    pub(super) known_tool: bool,
    /// What it took from quotas and budgets.
    pub(super) taken: Taken,
    /// A shorter time to run, where the agent's profile says so.
    pub(super) profile_timeout_ms: Option<u64>,
    pub(super) secrets: Held,
    /// The input as the caller gave it, where the row has it redacted.
    pub(super) original_input: Option<Value>,
    /// Whom inner calls are made for.
    pub(super) caller: Option<Caller>,
    /// How many calls stand above this one.
    pub(super) depth: u64,
    pub(super) iteration: u64,
    /// It was begun before.
    pub(super) resumed: Option<Resumed>,
    /// Nobody awaits it: whoever waits for it must be woken.
    pub(super) in_background: bool,
    /// The right to make a result that equal calls wait for.
    pub(super) claim: Option<Claim>,
    pub(super) thread: Thread,
    /// What the one who made it can be asked, where that is known.
    pub(super) audience: Option<Audience>,
}

impl Prepared {
    /// A call whose row is in the ledger already.
    pub(super) fn recorded(invocation: Invocation) -> Box<Self> {
        Box::new(Self {
            invocation: Box::new(invocation),
            progress: None,
            known_tool: true,
            taken: Taken::default(),
            profile_timeout_ms: None,
            secrets: Held::default(),
            original_input: None,
            caller: None,
            depth: 0,
            iteration: 0,
            resumed: None,
            in_background: true,
            claim: None,
            thread: Thread::default(),
            audience: None,
        })
    }

    /// What runs.
    pub(super) fn input(&self) -> &Value {
        self.original_input.as_ref().unwrap_or_else(|| self.invocation.effective_input())
    }
}

pub(super) enum Preparation {
    Ready(Box<Prepared>, Arc<LiveTool>),
    /// It cannot run, whoever agrees.
    Refused(Box<Prepared>, ToolError),
    Unknown(Box<Prepared>, ToolError),
}

impl Preparation {
    pub(super) fn prepared_mut(&mut self) -> &mut Prepared {
        match self {
            Self::Ready(prepared, _) | Self::Refused(prepared, _) | Self::Unknown(prepared, _) => prepared,
        }
    }
}

impl Engine {
    /// `knows_only_the_listed`: a tool that is not listed for the caller does not exist for the call.
    pub(super) async fn prepare(
        &self,
        mut call: Call,
        knows_only_the_listed: bool,
    ) -> Result<Preparation, Refused> {
        let now = self.clock.now();
        let snapshot = self.registry.snapshot(call.caller.tenant_id).await?;
        let rules = self.rules.snapshot(call.caller.tenant_id).await?;
        let resolution =
            snapshot.resolve(&call.caller, call.surface, &call.tool, now, rules.switches(), call.is_test);
        let resolution = if knows_only_the_listed {
            let view = View { caller: &call.caller, surface: call.surface, rules: &rules, now };
            self.only_listed(&view, &snapshot, &call.tool, resolution)
        } else {
            resolution
        };
        let (found, mut warnings) = match resolution {
            Resolution::Found { tool, warnings } => (Ok(tool), warnings),
            Resolution::Unknown { message, .. } => (Err(message), Vec::new()),
        };
        let id = call.id.unwrap_or_else(|| InvocationId::generate(&*self.ids));
        let (name, version, tool_id, egress_class) = match &found {
            Ok(live) => {
                let name = live.tool.spec.name.as_str().to_owned();
                (name, live.version().to_owned(), Some(live.tool.id), live.tool.spec.egress_class)
            }
            Err(_) => (shown(&call.tool), String::new(), None, EgressClass::None),
        };
        let (input, unreadable) = match std::mem::replace(&mut call.input, CallInput::Value(Value::Null)) {
            CallInput::Value(value) => (value, None),
            CallInput::Unreadable(error) => (Value::Null, Some(error)),
        };
        let (input, renaming) = match &found {
            Ok(live) if unreadable.is_none() => self.with_names_of_today(&live.tool, input, &mut warnings),
            _ => (input, None),
        };
        let unreadable = unreadable.or(renaming);
        let max_depth = usize::try_from(self.limits.max_json_depth).unwrap_or(usize::MAX);
        let unreadable = unreadable
            .or_else(|| check_value(&input, max_depth).err().map(|e| ToolError::validation(e.to_string())));
        // An input that has no canonical form is not kept either: what cannot be hashed cannot be vouched for.
        let input = match &found {
            _ if unreadable.is_some() => Value::Null,
            Ok(live) => live.filled(input),
            Err(_) => input,
        };
        let called =
            found.as_ref().map_or_else(|_| Cow::Owned(format!("{name}@")), |live| Cow::Borrowed(&*live.id));
        let call_id = call_id(&called, &input, call.seq).unwrap_or_default();
        let mut decision = match &found {
            Ok(live) => self.judge_call(&call, &live.tool, &input, &rules, now).await?,
            Err(message) => Decision::from_evidence(vec![Evidence {
                rule: "resolve".to_owned(),
                verdict: Verdict::Deny,
                because: message.clone(),
            }]),
        };
        if decision.verdict == Verdict::Ask || call.surface == Surface::Mcp {
            decision.credential = call.caller.credential;
        }
        let mut prepared = Box::new(Prepared {
            invocation: Box::new(Invocation {
                id,
                tenant_id: call.caller.tenant_id,
                session_id: call.session_id.unwrap_or(SessionId::of_lone_call(id)),
                parent_id: call.parent.map(|parent| parent.id),
                run_id: call.run_id,
                agent_run_step_id: call.agent_run_step_id,
                agent_id: call.caller.agent_id.or(call.agent_id),
                tool_id,
                tool_name: name,
                tool_version: version,
                egress_class,
                call_id,
                seq: call.seq,
                input,
                approved_input: None,
                phase: RUNNING,
                decision,
                caller: call.caller.principal.to_string(),
                surface: call.surface,
                is_test: call.is_test,
                idempotency_key: call.idempotency_key,
                warnings,
                approval_decided_by: None,
                approval_reason: None,
                approval_expires_at: None,
                node_id: Some(self.node_id),
                attempt: 1,
                outcome: Outcome::default(),
                created_at: now,
                started_at: Some(now),
                completed_at: None,
            }),
            progress: call.progress,
            known_tool: found.is_ok(),
            taken: Taken::default(),
            profile_timeout_ms: None,
            secrets: Held::default(),
            original_input: None,
            caller: Some(call.caller),
            depth: call.parent.map_or(0, |parent| parent.depth),
            iteration: call.iteration,
            resumed: None,
            in_background: false,
            claim: None,
            thread: Thread {
                run: found.as_ref().ok().and_then(|live| self.run_of(live)),
                origin: call.traceparent,
                judged_at: None,
            },
            audience: call.audience,
        });
        if let Ok(live) = &found
            && !live.tool.spec.secrets.is_empty()
        {
            // Only calls of tools with secrets pay for the size of this.
            Box::pin(self.hold_secrets(&live.tool, &mut prepared)).await?;
        }
        Ok(match (found, unreadable) {
            (Err(message), _) => {
                let details =
                    serde_json::json!({"reason": "unknown_tool", "tool": prepared.invocation.tool_name});
                Preparation::Unknown(prepared, ToolError::validation(message).with_details(details))
            }
            (Ok(_), Some(error)) => {
                let error = prepared.secrets.redacted(error);
                Preparation::Refused(prepared, error)
            }
            (Ok(live), None) => self.validate(prepared, live),
        })
    }

    /// The input under the parameter names that the tool has now; or why that cannot be made of it.
    fn with_names_of_today(
        &self,
        tool: &Tool,
        input: Value,
        warnings: &mut Vec<String>,
    ) -> (Value, Option<ToolError>) {
        if tool.origin != Origin::Code {
            return (input, None);
        }
        match self.registry.old_names.renamed(tool.spec.name.as_str(), input) {
            Ok((input, told)) => {
                warnings.extend(told);
                (input, None)
            }
            Err(error) => (Value::Null, Some(error)),
        }
    }

    /// A call that is denied is told so, whatever its input; one that may run or ask must have an input that can run.
    fn validate(&self, prepared: Box<Prepared>, live: Arc<LiveTool>) -> Preparation {
        if prepared.invocation.decision.verdict == Verdict::Deny {
            return Preparation::Ready(prepared, live);
        }
        match self.check_input(&live, prepared.input()) {
            Ok(()) => Preparation::Ready(prepared, live),
            Err(error) => {
                let error = prepared.secrets.redacted(error);
                Preparation::Refused(prepared, error)
            }
        }
    }

    /// Holds an input against the tool's schema, and against what its runtime asks for beyond it.
    pub(crate) fn check_input(&self, live: &LiveTool, input: &Value) -> Result<(), ToolError> {
        let complaints = match live.input_validator() {
            Ok(validator) => complaints(validator, input),
            Err(broken) => vec![serde_json::json!({"path": "", "message": broken})],
        };
        if !complaints.is_empty() {
            return Err(invalid_input(&live.tool.spec.id(), complaints));
        }
        match self.runtimes.get(live.tool.spec.execution.kind.as_str()) {
            Some(runtime) => runtime.check_input(&live.tool, input),
            None => Ok(()),
        }
    }
}

/// What a caller wrote, short enough to keep.
pub(super) fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(130).collect()
}
