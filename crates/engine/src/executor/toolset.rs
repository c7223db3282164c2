//! What the agent of a run may call: everything that the door would not deny whatever its input.

use std::{collections::HashMap, sync::Arc};

use toolgate_domain::{ErrorCode, Tool, ToolError};
use toolgate_policy::is_visible;
use toolgate_store::{StoreError, Words};

use super::{Invoker, permit::may_ever_call};
use crate::{Toolset, registry::View};

impl Invoker {
    /// The tools of the one who calls, each under the name by which [`Invoker::call`] finds it. Fails when two of them have one name.
    pub async fn toolset(&self) -> Result<Toolset, ToolError> {
        let caller = self.caller()?;
        let engine = &self.engine;
        let rules = engine.rules.snapshot(caller.tenant_id).await.map_err(unreadable)?;
        let snapshot = engine.registry.snapshot(caller.tenant_id).await.map_err(unreadable)?;
        let standing = rules.standing(caller).map(|standing| &**standing);
        let view = View { caller, surface: self.outer.surface, rules: &rules, now: engine.clock.now() };
        let may = |tool: &Tool| {
            engine.registry.serves(caller, tool) && may_ever_call(&view, standing, &engine.limits, tool)
        };
        Ok(snapshot.toolset(&view, engine.limits.run_max_listed_tools, may)?)
    }

    /// The best of those versions that `given` names and the caller may still call.
    pub async fn search_tools(
        &self,
        query: &str,
        limit: usize,
        given: impl Fn(&Tool) -> bool + Send,
    ) -> Result<Vec<Arc<Tool>>, ToolError> {
        let caller = self.caller()?;
        let engine = &self.engine;
        let rules = engine.rules.snapshot(caller.tenant_id).await.map_err(unreadable)?;
        let snapshot = engine.registry.snapshot(caller.tenant_id).await.map_err(unreadable)?;
        let tenant = caller.tenant_id;
        let ranked =
            engine.registry.ranked(tenant, &snapshot, query, Words::Any).await.map_err(unreadable)?;
        let versions = snapshot.all_versions().map(|live| (live.tool.id, &live.tool));
        let versions: HashMap<_, _> = versions.filter(|(_, tool)| given(tool)).collect();
        let standing = rules.standing(caller).map(|standing| &**standing);
        let view = View { caller, surface: self.outer.surface, rules: &rules, now: engine.clock.now() };
        let may = |tool: &Tool| {
            is_visible(caller, view.surface, tool, rules.switches())
                && engine.registry.serves(caller, tool)
                && may_ever_call(&view, standing, &engine.limits, tool)
        };
        let found = ranked.iter().filter_map(|id| versions.get(id)).filter(|tool| may(tool));
        Ok(found.take(limit).map(|tool| Arc::clone(tool)).collect())
    }
}

fn unreadable(error: StoreError) -> ToolError {
    tracing::error!(%error, "the tools of a run cannot be read");
    ToolError::new(ErrorCode::Unknown, "the tools of the run cannot be read")
}
