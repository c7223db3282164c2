//! The runs of one agent, and what happened in them: messages that it was given, and workflows that it ran.

use std::{collections::BTreeSet, sync::Arc};

use toolgate_domain::{Invocation, InvocationId, RunId, TenantId, governance::Agent};
use toolgate_store::{EventFilter, InvocationFilter, StoreError};

use super::{RUN_TOOL, RunEvent, RunWatch, Watched, is_team_run};
use crate::Engine;

/// Runs that are looked at when nobody names one: the newest.
const MAX_RUNS: usize = 20;
/// Calls of the agent among which its runs are looked for.
const MAX_CALLS: usize = 500;
/// Events of a session that are read for one run.
const MAX_EVENTS: usize = 10_000;
const PAGE: usize = 500;

/// Which events to tell.
#[derive(Clone, Debug, Default)]
pub struct RunEventFilter {
    /// Only of this run.
    pub run: Option<RunId>,
    /// Only of this type.
    pub kind: Option<String>,
    pub limit: usize,
}

/// Events, the newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentRunEvents {
    pub items: Vec<RunEvent>,
    /// How many there are, shown or not.
    pub total: usize,
}

impl Engine {
    /// A run of this agent. Nothing when there is none, or it is somebody else's.
    pub(crate) async fn run_of_agent(
        &self,
        tenant: TenantId,
        agent: &Agent,
        run: RunId,
    ) -> Result<Option<Invocation>, StoreError> {
        Ok(self.run_row(tenant, run).await?.filter(|row| is_of(row, agent)))
    }

    pub(crate) async fn agent_run_events(
        self: &Arc<Self>,
        tenant: TenantId,
        agent: &Agent,
        filter: &RunEventFilter,
    ) -> Result<AgentRunEvents, StoreError> {
        let runs = match filter.run {
            Some(run) => self.run_of_agent(tenant, agent, run).await?.into_iter().collect(),
            None => self.newest_runs(tenant, agent).await?,
        };
        let mut items = Vec::new();
        for row in &runs {
            let told = self.events_of_run(row).await?;
            items.extend(told.into_iter().filter(|one| filter.kind.as_deref().is_none_or(|k| k == one.kind)));
        }
        items.sort_by_key(|event| std::cmp::Reverse(event.id));
        let total = items.len();
        items.truncate(filter.limit);
        Ok(AgentRunEvents { items, total })
    }

    async fn newest_runs(&self, tenant: TenantId, agent: &Agent) -> Result<Vec<Invocation>, StoreError> {
        let started = InvocationFilter {
            tool: Some(RUN_TOOL.to_owned()),
            of_agents: names_of(agent).to_vec(),
            limit: MAX_RUNS,
            ..InvocationFilter::default()
        };
        let made =
            InvocationFilter { agent_id: Some(agent.id), limit: MAX_CALLS, ..InvocationFilter::default() };
        let started = self.stores.invocations.list(tenant, &started).await?.items;
        let made = self.stores.invocations.list(tenant, &made).await?.items;
        let found = started.iter().map(|row| row.id);
        let runs: BTreeSet<InvocationId> = found
            .chain(made.iter().filter_map(|row| row.run_id).map(|run| InvocationId::from_uuid(run.uuid())))
            .collect();
        let newest: Vec<_> = runs.into_iter().rev().take(MAX_RUNS).collect();
        let mut rows = self.stores.invocations.by_ids(tenant, &newest).await?;
        rows.retain(|row| (row.tool_name == RUN_TOOL || is_team_run(row)) && is_of(row, agent));
        Ok(rows)
    }

    async fn events_of_run(self: &Arc<Self>, row: &Invocation) -> Result<Vec<RunEvent>, StoreError> {
        let run = RunId::from_uuid(row.id.uuid());
        let mut watch = RunWatch::new(Arc::clone(self), row.tenant_id, Watched::Run(run));
        let (mut after, mut read, mut told) = (0, 0, Vec::new());
        while read < MAX_EVENTS {
            let filter = EventFilter { session_id: Some(row.session_id), after, limit: PAGE };
            let page = self.stores.events.list(row.tenant_id, &filter).await?;
            let Some(last) = page.last() else { break };
            (after, read) = (last.id, read + page.len());
            for event in &page {
                told.extend(watch.read(event).await?);
            }
        }
        Ok(told)
    }
}

/// Whether a run is one of this agent.
pub(crate) fn is_of(row: &Invocation, agent: &Agent) -> bool {
    if is_team_run(row) {
        return row.agent_id == Some(agent.id);
    }
    let named = row.input.get("agent").and_then(|name| name.as_str()).unwrap_or_default();
    let named = named.strip_prefix('@').unwrap_or(named);
    names_of(agent).iter().any(|name| name == named)
}

/// Every name under which a run may have been given to the agent.
fn names_of(agent: &Agent) -> [String; 3] {
    [agent.id.to_string(), agent.id.uuid().to_string(), agent.handle.clone()]
}
