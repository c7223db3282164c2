//! From the session's log to what is told of a run: the one place where it is decided.

use std::{collections::HashMap, sync::Arc};

use toolgate_domain::{
    Event, EventType, Invocation, InvocationId, RunId, StepId, StepKind, TenantId, ThreadId,
};
use toolgate_store::StoreError;

use super::{
    RUN_TOOL, RunEvent,
    event::{of_call, of_run},
    is_team_run,
};
use crate::Engine;

/// Calls that a watch remembers; a session that outgrows it is looked up again.
const MAX_SEEN: usize = 10_000;

/// Whose runs are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    Run(RunId),
    /// All that answer in a thread.
    Thread(ThreadId),
}

/// What a call of the session is to those who watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// It is a watched run.
    Run(RunId),
    /// A watched run made it, in this turn.
    Call(RunId, Option<u64>),
    Foreign,
}

/// Reads the log of a session for somebody who watches its runs. It remembers only what it could look up again.
pub struct RunWatch {
    engine: Arc<Engine>,
    tenant: TenantId,
    watched: Watched,
    parts: HashMap<InvocationId, Part>,
    turns: HashMap<StepId, u64>,
}

impl RunWatch {
    pub fn new(engine: Arc<Engine>, tenant: TenantId, watched: Watched) -> Self {
        Self { engine, tenant, watched, parts: HashMap::new(), turns: HashMap::new() }
    }

    /// What is told of an event; nothing of those that concern no watched run.
    pub async fn read(&mut self, event: &Event) -> Result<Option<RunEvent>, StoreError> {
        let known = self.parts.get(&event.invocation_id).copied();
        if known == Some(Part::Foreign) {
            return Ok(None);
        }
        // Chunks are many, and tell all by themselves.
        let row = match (known, event.kind) {
            (Some(Part::Run(_)), EventType::OutputAppended) => None,
            _ => self.engine.stores.invocations.get(self.tenant, event.invocation_id).await?,
        };
        let part = match (known, &row) {
            (Some(part), _) => part,
            (None, Some(row)) => self.look(row).await?,
            (None, None) => Part::Foreign,
        };
        let (run_id, told) = match (part, row) {
            (Part::Run(run), Some(row)) => {
                let response = match event.kind {
                    EventType::Completed => self.engine.response_of(&row).await?,
                    _ => None,
                };
                (run, of_run(event, &row, response))
            }
            (Part::Run(run), None) => (run, super::event::of_piece(event)),
            (Part::Call(run, iteration), Some(row)) => (run, Some(of_call(event, &row, iteration))),
            (Part::Call(..), None) | (Part::Foreign, _) => return Ok(None),
        };
        Ok(told.map(|(kind, data)| RunEvent {
            id: event.id,
            kind,
            run_id,
            data,
            created_at: event.created_at,
        }))
    }

    async fn look(&mut self, row: &Invocation) -> Result<Part, StoreError> {
        let part = self.part_of(row).await?;
        if self.parts.len() >= MAX_SEEN {
            self.parts.clear();
        }
        self.parts.insert(row.id, part);
        Ok(part)
    }

    async fn part_of(&mut self, row: &Invocation) -> Result<Part, StoreError> {
        let own = RunId::from_uuid(row.id.uuid());
        if (row.tool_name == RUN_TOOL || is_team_run(row)) && self.is_watched(own).await? {
            return Ok(Part::Run(own));
        }
        match row.run_id.filter(|_| row.parent_id.is_some()) {
            Some(run) if self.is_watched(run).await? => {
                let turn = match row.agent_run_step_id {
                    Some(step) => self.turn_of(run, step).await?,
                    None => None,
                };
                Ok(Part::Call(run, turn))
            }
            _ => Ok(Part::Foreign),
        }
    }

    async fn is_watched(&self, run: RunId) -> Result<bool, StoreError> {
        match self.watched {
            Watched::Run(watched) => Ok(run == watched),
            Watched::Thread(thread) => {
                Ok(self.engine.stores.threads.thread_of_run(self.tenant, run).await? == Some(thread))
            }
        }
    }

    /// Which turn a step is, from 1.
    async fn turn_of(&mut self, run: RunId, step: StepId) -> Result<Option<u64>, StoreError> {
        if let Some(turn) = self.turns.get(&step) {
            return Ok(Some(*turn));
        }
        if self.turns.len() >= MAX_SEEN {
            self.turns.clear();
        }
        let steps = self.engine.run_steps(self.tenant, run).await?;
        let turns = steps.iter().filter(|step| step.kind == StepKind::Turn);
        self.turns.extend((1..).zip(turns).map(|(turn, step)| (step.id, turn)));
        Ok(self.turns.get(&step).copied())
    }
}
