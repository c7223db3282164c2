//! The run: its start is on record before it can touch anything outside, and it ends by itself, by the clock, or by
//! someone's wish.

use std::{
    panic::AssertUnwindSafe,
    pin::pin,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use futures::FutureExt;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio_util::sync::CancellationToken;
use toolgate_domain::{EgressClass, Envelope, ErrorCode, EventType, Invocation, Outcome, Step, ToolError};
use toolgate_store::{BlobRecord, Entry};

use super::{
    Answer, Invoker, Progress, Refused,
    admit::Admission,
    cache::step_of,
    cancel::ANOTHER_PROCESS_PATIENCE,
    chunks::Chunks,
    hands::{Hand, Left},
    prepare::Prepared,
    seal::{Ending, SETTLED_ELSEWHERE, event, is_of_unknown_fate},
};
use crate::{Engine, Halt, Output, RunContext, Waiting, ports::Word, registry::LiveTool, runs::is_team_run};

/// Chunks that wait for the ledger before the tool has to.
const WORD_QUEUE: usize = 64;

impl Engine {
    pub(super) async fn run(
        self: &Arc<Self>,
        mut prepared: Box<Prepared>,
        live: Arc<LiveTool>,
        place: OwnedSemaphorePermit,
    ) -> Result<Answer, Refused> {
        // It may have waited for its place; whoever made it is perhaps over, and then nobody wants it.
        let is_team_run = is_team_run(&prepared.invocation);
        if !is_team_run && prepared.invocation.parent_id.is_some_and(|outer| !self.in_flight.has(outer)) {
            return Err(Refused::Unavailable("the call that made this one is over".to_owned()));
        }
        prepared.invocation.started_at = Some(self.clock.now());
        // A key that others may use at the same moment must be taken first; an inner call's is its parent's alone.
        let has_key =
            prepared.invocation.idempotency_key.is_some() && prepared.invocation.parent_id.is_none();
        let recorded_first = live.tool.spec.egress_class != EgressClass::None || has_key || is_team_run;
        let (tenant_id, id) = (prepared.invocation.tenant_id, prepared.invocation.id);
        let mut flight = Flight::new(self, prepared);
        if recorded_first {
            flight.hand = self.hands.take(tenant_id, id, Left::Unmade);
            flight.record_start().await?;
        }
        flight.fly(live, place).await
    }

    /// Runs a call that a person approved; its row is ours, and running.
    pub(crate) async fn run_approved(
        self: &Arc<Self>,
        invocation: toolgate_domain::Invocation,
        live: Arc<LiveTool>,
        hand: Hand,
    ) -> Result<(), Refused> {
        let mut prepared = Prepared::recorded(invocation);
        prepared.caller = self.caller_of(&prepared.invocation).await?;
        self.place_again(&mut prepared, &live).await?;
        self.hold_again(&live.tool, &mut prepared).await?;
        let (step, outcome) = match self.admit(&mut prepared, &live).await {
            Admission::Run(place) => {
                return Flight::of_recorded(self, prepared, hand).fly(live, place).await.map(drop);
            }
            Admission::Cached(outcome) => (step_of(&outcome), outcome),
            Admission::Refused(error) => (Step::Fail, failure(error)),
        };
        let ending = Ending { step, outcome, blobs: vec![], recorded: true, hand: Some(hand) };
        self.seal(prepared, ending).await.map(drop)
    }

    /// Ends a call that a person approved and that cannot run any more; its row is ours, and running.
    pub(crate) async fn fail_approved(
        self: &Arc<Self>,
        invocation: toolgate_domain::Invocation,
        error: ToolError,
        hand: Hand,
    ) -> Result<Envelope, Refused> {
        let prepared = Prepared::recorded(invocation);
        let (step, outcome) = (Step::Fail, failure(error));
        let ending = Ending { step, outcome, blobs: vec![], recorded: true, hand: Some(hand) };
        self.seal(prepared, ending).await
    }
}

/// A call under way.
pub(super) struct Flight<'a> {
    pub(super) engine: &'a Arc<Engine>,
    pub(super) prepared: Box<Prepared>,
    /// Whether its row is in the ledger already.
    pub(super) recorded: bool,
    /// Since its row may be there.
    hand: Option<Hand>,
    pub(super) chunks: Chunks,
    /// Whether it made calls of its own.
    is_outer: bool,
}

impl<'a> Flight<'a> {
    fn new(engine: &'a Arc<Engine>, prepared: Box<Prepared>) -> Self {
        let chunks = Chunks::new(&prepared.secrets);
        let is_outer = prepared.resumed.is_some();
        Self { engine, prepared, recorded: false, hand: None, chunks, is_outer }
    }

    pub(super) fn of_recorded(engine: &'a Arc<Engine>, prepared: Box<Prepared>, hand: Hand) -> Self {
        Self { recorded: true, hand: Some(hand), ..Self::new(engine, prepared) }
    }

    /// What few calls do is boxed: the others would carry the room for it, and it is copied with them.
    pub(super) async fn fly(
        mut self,
        live: Arc<LiveTool>,
        place: OwnedSemaphorePermit,
    ) -> Result<Answer, Refused> {
        let engine = self.engine;
        // Without an effect outside, nothing is lost when two processes run the call: only one of them ends it.
        if live.tool.spec.egress_class != EgressClass::None
            && let Some(hand) = &self.hand
            && !engine.still_owns(&mut self.prepared.invocation, hand).await?
        {
            self.hand.take().into_iter().for_each(Hand::done);
            return Err(Refused::Unavailable(SETTLED_ELSEWHERE.to_owned()));
        }
        let known = self.prepared.audience;
        self.prepared.audience = known.or_else(|| engine.onlookers.audience(self.prepared.invocation.id));
        let cancel = self.hand.as_ref().map(|hand| hand.cancel().clone()).unwrap_or_default();
        let flying = engine.in_flight.begin(&self.prepared.invocation, &live.tool, cancel);
        if let Some(hand) = &mut self.hand {
            hand.leaves(Left::Unknown);
        }
        let _listed = Listed { engine, id: self.prepared.invocation.id };
        self.announce();
        engine.secrets.note_use(self.prepared.invocation.tenant_id, &self.prepared.secrets.found);
        // Begun calls end on record: rules that cannot be read end this one as well.
        let revoked = engine.forbid_if_revoked(&flying).await.unwrap_or_else(|error| {
            tracing::error!(%error, "the rules cannot be read; the call is not made");
            true
        });
        // Somebody may have cancelled it since it is in hand.
        let ended = match revoked || flying.cancel.is_cancelled() {
            true => Ended::Cancelled,
            false => self.until_it_ends(&live, &flying.cancel).await,
        };
        drop(place);
        let (step, outcome, blobs) = match (ended, flying.forbidden.get()) {
            (Ended::Waiting(waiting), _) => {
                let on_record = if self.recorded { Ok(()) } else { self.record_start().await };
                if let Err(refused) = on_record {
                    (Step::Fail, failure(unrecorded(&refused)), Vec::new())
                } else {
                    let parked = Box::pin(engine.suspend(self.prepared, waiting, self.hand)).await?;
                    let unwanted = flying.cancel.is_cancelled() && flying.forbidden.get().is_none();
                    if unwanted && !flying.put_away.load(Ordering::Relaxed) {
                        engine.withdraw_suspended(&parked).await;
                    }
                    return Ok(Answer::Parked(parked));
                }
            }
            (Ended::Cancelled, None)
                if self.recorded && flying.put_away.load(Ordering::Relaxed) && engine.goes_on(&live.tool) =>
            {
                let parked = Box::pin(engine.suspend(self.prepared, Waiting::default(), self.hand)).await?;
                return Ok(Answer::Parked(parked));
            }
            (Ended::Cancelled, Some(because)) => (Step::Fail, failure(forbidden(because)), Vec::new()),
            (Ended::Cancelled, None) => (Step::Cancel, failure(cancelled()), Vec::new()),
            (Ended::Done(Err(error)), _) => {
                (Step::Fail, failure(self.prepared.secrets.redacted(error)), Vec::new())
            }
            (Ended::Done(Ok(output)), _) => engine.judge(&self.prepared, &live, output).await,
        };
        let claim = self.prepared.claim.take();
        let keeping = claim.and_then(|claim| claim.keeping(&live.tool, step, &outcome));
        if self.is_outer {
            Box::pin(self.tidy_up(step)).await;
        }
        let ending = Ending { step, outcome, blobs, recorded: self.recorded, hand: self.hand };
        let envelope = engine.seal(self.prepared, ending).await?;
        if let Some(keeping) = keeping {
            engine.keep(keeping).await;
        }
        Ok(Answer::Done(Box::new(envelope)))
    }

    /// What the call began must not outlive it.
    async fn tidy_up(&self, step: Step) {
        let (engine, row) = (self.engine, &self.prepared.invocation);
        if step != Step::Complete {
            engine.abandon_children(row, ANOTHER_PROCESS_PATIENCE).await;
        }
        if self.prepared.resumed.is_some()
            && let Err(error) = engine.stores.suspensions.forget_suspension(row.tenant_id, row.id).await
        {
            tracing::warn!(%error, invocation = %row.id, "what a call left behind while it waited is still kept");
        }
    }

    async fn until_it_ends(&mut self, live: &LiveTool, cancel: &CancellationToken) -> Ended {
        let engine = self.engine;
        let timeout_ms = engine.timeout_ms(&self.prepared, &live.tool);
        let failed = |message: String| Ended::Done(Err(ToolError::new(ErrorCode::Unknown, message)));
        let kind = live.tool.spec.execution.kind.as_str();
        let Some(runtime) = engine.runtimes.get(kind) else {
            return failed(format!("no runtime here runs tools of kind `{kind}`"));
        };
        let compiled = match live.compiled(&**runtime) {
            Ok(compiled) => compiled.clone(),
            Err(message) => return failed(message.clone()),
        };
        let (words, mut incoming) = mpsc::channel(WORD_QUEUE);
        let invoker = Invoker::new(engine, &mut self.prepared, words.clone());
        let context = RunContext {
            tenant_id: self.prepared.invocation.tenant_id,
            invocation_id: self.prepared.invocation.id,
            seq: self.prepared.invocation.seq,
            cancel: cancel.clone(),
            deadline: engine.clock.now().plus_ms(i64::try_from(timeout_ms).unwrap_or(i64::MAX)),
            timeout_ms,
            secrets: self.prepared.secrets.values.clone(),
            invoker,
            resumed: self.prepared.resumed.clone(),
            audience: self.prepared.audience,
            compiled,
            words,
        };
        let input = self.prepared.input().clone();
        let traced_from = engine.trace_start(&self.prepared);
        // A runtime that panics has failed; the door stays open.
        let mut run =
            pin!(AssertUnwindSafe(runtime.run(Arc::clone(&live.tool), input, context)).catch_unwind());
        let mut deadline = pin!(tokio::time::sleep(Duration::from_millis(timeout_ms)));
        let mut lone_commit =
            pin!(tokio::time::sleep(Duration::from_millis(engine.limits.lone_commit_after_ms)));
        let ended = loop {
            tokio::select! {
                biased;
                result = &mut run => break match result {
                    Ok(Ok(output)) => Ended::Done(Ok(output)),
                    Ok(Err(Halt::Failed(error))) => Ended::Done(Err(error)),
                    Ok(Err(Halt::Waiting(waiting))) => Ended::Waiting(waiting),
                    Err(_) => Ended::Done(Err(panicked())),
                },
                () = cancel.cancelled() => break Ended::Cancelled,
                () = &mut deadline => {
                    cancel.cancel();
                    break Ended::Done(Err(timed_out(timeout_ms)));
                }
                Some(word) = incoming.recv() => {
                    if let Err(error) = self.hear(word).await {
                        cancel.cancel();
                        break Ended::Done(Err(error));
                    }
                }
                () = &mut lone_commit, if !self.recorded => {
                    if let Err(refused) = self.record_start().await {
                        cancel.cancel();
                        break Ended::Done(Err(unrecorded(&refused)));
                    }
                }
            }
        };
        if let Some(started_at) = traced_from {
            engine.trace_ran(&self.prepared, kind, started_at, ended.error());
        }
        // What the tool streamed before it ended belongs to the call; a cancelled call is over when it is cancelled.
        if matches!(ended, Ended::Done(Ok(_))) {
            while let Ok(word) = incoming.try_recv() {
                if let Err(error) = self.hear(word).await {
                    return Ended::Done(Err(error));
                }
            }
            if let Err(error) = self.append_rest().await {
                return Ended::Done(Err(error));
            }
        }
        ended
    }

    async fn hear(&mut self, word: Word) -> Result<(), ToolError> {
        match word {
            Word::Chunk(chunk) => self.append(chunk).await,
            Word::Record(told) => {
                self.is_outer = true;
                let on_record = match self.recorded {
                    true => Ok(()),
                    false => self.record_start().await.map_err(|refused| unrecorded(&refused)),
                };
                // Whoever asked may have given up.
                let _ = told.send(on_record.clone());
                on_record
            }
        }
    }

    /// The started row: after this, a crash leaves a trace that the next start finds.
    pub(super) async fn record_start(&mut self) -> Result<(), Refused> {
        let invocation = &self.prepared.invocation;
        if self.hand.is_none() {
            self.hand = self.engine.hands.take(invocation.tenant_id, invocation.id, Left::Unknown);
        }
        let started_at = invocation.started_at.unwrap_or(invocation.created_at);
        let events = vec![event(invocation, EventType::Started, started_at)];
        let row = Arc::new(Invocation::clone(invocation));
        if let Err(error) = self.engine.record(Entry { events, ..Entry::inserting(row) }).await {
            match self.hand.take() {
                // The row may be there, and running.
                Some(mut hand) if is_of_unknown_fate(&error) => {
                    hand.leaves(Left::Unmade);
                    self.hand = Some(hand);
                }
                hand => hand.into_iter().for_each(Hand::done),
            }
            return Err(error.into());
        }
        self.recorded = true;
        let spans = self.engine.spans_of(&self.prepared.invocation, &mut self.prepared.thread);
        self.engine.tracer.tell_all(spans);
        Ok(())
    }

    /// Tells the one who watches that the call began.
    fn announce(&self) {
        let invocation = &self.prepared.invocation;
        self.tell(Progress::Started {
            invocation_id: invocation.id,
            session_id: invocation.session_id,
            call_id: invocation.call_id.clone(),
            name: invocation.tool_name.clone(),
            version: invocation.tool_version.clone(),
        });
    }

    /// A watcher who is gone or too slow misses chunks; the log has them all.
    pub(super) fn tell(&self, progress: Progress) {
        if let Some(watcher) = &self.prepared.progress {
            let _ = watcher.try_send(progress);
        }
    }
}

/// Takes the call off the list of those that can be cancelled, however it ends.
struct Listed<'a> {
    engine: &'a Engine,
    id: toolgate_domain::InvocationId,
}

impl Drop for Listed<'_> {
    fn drop(&mut self) {
        self.engine.in_flight.end(self.id);
    }
}

enum Ended {
    Done(Result<Output, ToolError>),
    Waiting(Waiting),
    Cancelled,
}

impl Ended {
    /// What went wrong, as a code.
    fn error(&self) -> Option<&'static str> {
        match self {
            Self::Done(Err(error)) => Some(error.code.as_str()),
            Self::Cancelled => Some("cancelled"),
            Self::Done(Ok(_)) | Self::Waiting(_) => None,
        }
    }
}

impl Engine {
    async fn judge(
        &self,
        prepared: &Prepared,
        live: &LiveTool,
        output: Output,
    ) -> (Step, Outcome, Vec<BlobRecord>) {
        let (outcome, blobs) = self.check_output(prepared, live, output).await;
        let step = if outcome.error.is_some() { Step::Fail } else { Step::Complete };
        (step, outcome, blobs)
    }
}

fn failure(error: ToolError) -> Outcome {
    Outcome { error: Some(error), ..Outcome::default() }
}

pub(super) fn cancelled() -> ToolError {
    ToolError::new(ErrorCode::Unknown, "the call was cancelled").with_details(json!({"outcome": "cancelled"}))
}

fn forbidden(because: &str) -> ToolError {
    ToolError::new(
        ErrorCode::PolicyDenied,
        format!("the permission was taken away while the call ran: {because}"),
    )
    .with_details(json!({"outcome": "revoked"}))
}

fn timed_out(timeout_ms: u64) -> ToolError {
    ToolError::new(ErrorCode::Timeout, format!("the tool did not answer within {timeout_ms} ms"))
        .with_details(json!({"timeout_ms": timeout_ms}))
}

fn panicked() -> ToolError {
    ToolError::new(ErrorCode::Unknown, "the tool broke down while it ran; the server's log says more")
}

/// The call has begun and must end on record, so that it could not be recorded midway is how it ends.
pub(super) fn unrecorded(refused: &Refused) -> ToolError {
    tracing::error!(error = %refused, "a running call could not be recorded; it is stopped");
    ToolError::new(ErrorCode::Unknown, "the call was stopped because its progress could not be recorded")
}
