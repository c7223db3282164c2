//! Tools that call tools. The inner call goes through the same door, for the same caller, and has its own receipt under the outer
//! one's. A run that begins again asks for the same calls in the same places, and is answered from the record.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::AbortOnDropHandle;
use toolgate_domain::{
    AgentId, Caller, Envelope, ErrorCode, Invocation, InvocationId, RunId, SessionId, SpanRef, StepId,
    Surface, ToolError, governance::Audience,
};
use toolgate_store::StoreError;

use super::{Answer, Call, CallInput, Refused, call::Parent, prepare::Prepared, trace::OwnRun};
use crate::{Engine, ports::Word, registry::LiveTool, runs::is_team_run};

/// The `reason` in the details of an error: the call was not made, and is not on record. Made again in its place, it is the same call.
pub const NOT_MADE: &str = "not_made";

/// What became of an inner call.
#[derive(Clone, Debug)]
pub enum Inner {
    /// It is over, well or not.
    Done(Box<Envelope>),
    /// It waits: so must the one who made it.
    Waiting(InvocationId),
}

/// Makes calls on behalf of one running call, and answers what its runtime may know of the house (`house.rs`). It does not give the
/// engine away: whoever had it could call past the checks of depth and place that are made here.
#[derive(Clone)]
pub struct Invoker {
    pub(super) engine: Arc<Engine>,
    pub(super) outer: Arc<Outer>,
}

/// The call that makes others. Every call has one of these, so it holds no more than inner calls need.
#[derive(Clone)]
pub(super) struct Outer {
    pub(super) id: InvocationId,
    pub(super) session_id: SessionId,
    pub(super) run_id: Option<RunId>,
    pub(super) step_id: Option<StepId>,
    pub(super) agent_id: Option<AgentId>,
    pub(super) surface: Surface,
    pub(super) is_test: bool,
    /// Unknown when the one who made the outer call may not call any more.
    pub(super) caller: Option<Caller>,
    pub(super) depth: u64,
    pub(super) replaying: bool,
    /// A call could not be recorded, and is on record perhaps: who makes it again asks there first.
    pub(super) unsure: Arc<AtomicBool>,
    pub(super) iteration: u64,
    /// What the models of its run have cost.
    pub(super) spent: f64,
    pub(super) words: mpsc::Sender<Word>,
    /// The run that the call is, where it is one.
    pub(super) run: Option<Arc<OwnRun>>,
    pub(super) audience: Option<Audience>,
    /// The call's span, where the calls that it makes are told of outside any run.
    pub(super) origin: Option<SpanRef>,
}

impl Invoker {
    pub(super) fn new(engine: &Arc<Engine>, outer: &mut Prepared, words: mpsc::Sender<Word>) -> Self {
        let row = &outer.invocation;
        let alone = row.run_id.is_none() && outer.thread.run.is_none();
        let traced = engine.tracer.exports() || outer.thread.origin.is_some();
        let outer = Outer {
            run: outer.thread.own_run(row),
            origin: (alone && traced).then(|| outer.thread.origin_of_calls(row)),
            id: row.id,
            session_id: row.session_id,
            run_id: row.run_id,
            step_id: row.agent_run_step_id,
            agent_id: row.agent_id,
            surface: row.surface,
            is_test: row.is_test,
            caller: outer.caller.take(),
            depth: outer.depth,
            replaying: outer.resumed.is_some(),
            unsure: Arc::default(),
            iteration: outer.iteration,
            spent: 0.0,
            audience: outer.audience,
            words,
        };
        Self { engine: Arc::clone(engine), outer: Arc::new(outer) }
    }

    /// Who made the outer call, with what they may do now.
    pub fn caller(&self) -> Result<&Caller, ToolError> {
        self.outer.caller.as_ref().ok_or_else(|| {
            let message = "the one who made the call may not call any more";
            ToolError::new(ErrorCode::PolicyDenied, message)
        })
    }

    pub fn run_id(&self) -> Option<RunId> {
        self.outer.run_id
    }

    /// How many calls stand above the outer one.
    pub fn depth(&self) -> u64 {
        self.outer.depth
    }

    /// Whether the outer call only tries a tool.
    pub fn is_test(&self) -> bool {
        self.outer.is_test
    }

    /// Makes the outer call's `place`-th inner call. The same place asked again with the same input is the same call.
    pub async fn call(&self, place: u64, tool: &str, input: Value) -> Result<Inner, ToolError> {
        self.call_with(place, tool, CallInput::Value(input)).await
    }

    /// The same for a call whose arguments could not be read: it is recorded, and fails.
    pub async fn call_unreadable(&self, place: u64, tool: &str, why: ToolError) -> Result<Inner, ToolError> {
        self.call_with(place, tool, CallInput::Unreadable(why)).await
    }

    async fn call_with(&self, place: u64, tool: &str, input: CallInput) -> Result<Inner, ToolError> {
        let (outer, limits) = (&*self.outer, &self.engine.limits);
        // What somebody agreed to is the outer call.
        let caller = Caller { agreed_by: None, ..self.caller()?.clone() };
        if outer.depth >= limits.max_call_depth {
            let message =
                format!("calls of tools by tools stand {} deep, the most there may be", outer.depth);
            return Err(ToolError::new(ErrorCode::PolicyDenied, message)
                .with_details(json!({"reason": "call_depth", "max_call_depth": limits.max_call_depth})));
        }
        if place >= limits.max_inner_calls {
            let message = format!("one call makes at most {} others", limits.max_inner_calls);
            return Err(ToolError::new(ErrorCode::PolicyDenied, message)
                .with_details(json!({"reason": "inner_calls", "max_inner_calls": limits.max_inner_calls})));
        }
        self.be_on_record().await?;
        let replaying = outer.replaying || outer.unsure.load(Ordering::Relaxed);
        let call = Call {
            session_id: Some(outer.session_id),
            run_id: outer.run_id,
            agent_run_step_id: outer.step_id,
            agent_id: outer.agent_id,
            seq: place,
            iteration: outer.iteration,
            run_spent: outer.spent,
            idempotency_key: Some(format!("{}/{place}", outer.id)),
            parent: Some(Parent { id: outer.id, depth: outer.depth + 1, replaying }),
            is_test: outer.is_test,
            traceparent: outer.origin,
            audience: outer.audience,
            input,
            ..Call::new(caller, outer.surface, tool, Value::Null)
        };
        // A task of its own: calls inside calls would stand on one another's stack. It ends with the one who waits for it.
        let engine = Arc::clone(&self.engine);
        let made = AbortOnDropHandle::new(tokio::spawn(async move { engine.invoke(call).await }));
        let broke = |_| {
            ToolError::new(ErrorCode::Unknown, "the inner call broke off")
                .with_details(json!({"reason": NOT_MADE}))
        };
        match made.await.map_err(broke)? {
            Ok(Answer::Done(envelope) | Answer::Unknown(envelope)) => Ok(Inner::Done(envelope)),
            Ok(Answer::Parked(waiting)) => Ok(Inner::Waiting(waiting.id)),
            Err(Refused::StillRunning(id)) => Ok(Inner::Waiting(id)),
            // Nobody waits for the answer any more: the outer call is put away.
            Err(Refused::Stopping) if self.engine.put_away(outer.id) => std::future::pending().await,
            Err(refused) => {
                outer.unsure.store(true, Ordering::Relaxed);
                Err(ToolError::new(ErrorCode::Unknown, refused.to_string())
                    .with_details(json!({"reason": NOT_MADE})))
            }
        }
    }

    /// Puts the outer call on record now: an inner call names it, and so does whatever else outlives the run.
    pub async fn be_on_record(&self) -> Result<(), ToolError> {
        let (told, on_record) = oneshot::channel();
        let gone = |_| ToolError::new(ErrorCode::Unknown, "the outer call is over");
        self.outer.words.send(Word::Record(told)).await.map_err(|_| gone(()))?;
        on_record.await.map_err(|_| gone(()))?
    }
}

impl Engine {
    /// Finds out where a recorded call stands: under how many others, and in which trace.
    pub(super) async fn place_again(
        &self,
        prepared: &mut Prepared,
        live: &LiveTool,
    ) -> Result<(), StoreError> {
        let row = &prepared.invocation;
        let (mut depth, mut above, mut top) = (0, row.parent_id, None);
        while let Some(id) = above
            && depth < self.limits.max_call_depth
        {
            depth += 1;
            top = Some(id);
            above = self.stores.invocations.get(row.tenant_id, id).await?.and_then(|parent| parent.parent_id);
        }
        prepared.depth = depth;
        prepared.thread.origin = self.origin_of(row, top);
        prepared.thread.run = self.run_of(live);
        Ok(())
    }

    /// Ends what a call began and did not wait for, with so much patience for each process that runs some of it.
    pub(crate) async fn abandon_children(&self, parent: &Invocation, patience: Duration) {
        self.withdraw_tasks(parent).await;
        let most = usize::try_from(self.limits.max_inner_calls).unwrap_or(usize::MAX);
        let children = match self.stores.suspensions.children(parent.tenant_id, parent.id, most).await {
            Ok(children) => children,
            Err(error) => {
                tracing::warn!(%error, invocation = %parent.id, "the calls of an ended call cannot be found");
                return;
            }
        };
        for child in children.iter().filter(|child| !child.phase.is_terminal() && !is_team_run(child)) {
            let cancelled = Box::pin(self.cancel_within(child.tenant_id, child.id, patience)).await;
            if let Err(error) = cancelled {
                tracing::warn!(%error, invocation = %child.id, "the call of an ended call cannot be withdrawn");
            }
        }
    }
}
