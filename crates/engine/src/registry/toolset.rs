//! Which tools somebody has at hand: each name once, as the door would resolve it.

use std::sync::Arc;

use serde_json::json;
use toolgate_domain::{
    CALL_TOOL, Caller, Principal, SEARCH_TOOLS, Scope, Surface, Timestamp, Tool, ToolError, tool::Origin,
};
use toolgate_policy::{Standing, is_visible};
use toolgate_store::StoreError;

use super::{Registry, Resolution, snapshot::Snapshot};
use crate::{executor::may_ever_call, rules::TenantRules};

/// The tools that a run works with, by name.
#[derive(Clone, Debug)]
pub struct Toolset {
    pub tools: Vec<Arc<Tool>>,
    /// They are too many to be shown: the run searches them.
    pub by_search: bool,
}

/// Two things of one name among the tools of an agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "two tools of the agent are called `{name}`: {one}, and {other}; rename one of them, or take one from the agent"
)]
pub struct NameClash {
    pub name: String,
    pub one: String,
    pub other: String,
}

impl From<NameClash> for ToolError {
    fn from(clash: NameClash) -> Self {
        let details = json!({"reason": "name_clash", "name": clash.name, "tools": [clash.one, clash.other]});
        Self::validation(clash.to_string()).with_details(details)
    }
}

/// Who asks, and what holds for them.
pub(crate) struct View<'a> {
    pub(crate) caller: &'a Caller,
    pub(crate) surface: Surface,
    pub(crate) rules: &'a TenantRules,
    pub(crate) now: Timestamp,
}

impl Snapshot {
    /// What each name stands for, where `may` has nothing against it.
    pub(crate) fn toolset(
        &self,
        view: &View<'_>,
        max_listed: u64,
        may: impl Fn(&Tool) -> bool,
    ) -> Result<Toolset, NameClash> {
        let View { caller, surface, rules, now } = *view;
        let switches = rules.switches();
        let mut tools = Vec::new();
        for (name, versions) in &self.by_name {
            let found = self.resolve(caller, surface, name.as_str(), now, switches, false);
            let Resolution::Found { tool: live, .. } = found else { continue };
            let tool = &live.tool;
            // A name that only an alias still has stands for a tool that is here under its own.
            if tool.spec.name != *name || !may(tool) {
                continue;
            }
            let other = versions.iter().rev().map(|live| &live.tool).find(|other| {
                other.origin != tool.origin
                    && other.lifecycle.runs()
                    && is_visible(caller, surface, other, switches)
                    && may(other)
            });
            if let Some(other) = other {
                return Err(NameClash { name: name.to_string(), one: told(tool), other: told(other) });
            }
            tools.push(Arc::clone(tool));
        }
        let by_search = tools.len() as u64 > max_listed;
        if by_search {
            // Such a run brings a search of the same meaning itself.
            tools.retain(|tool| tool.origin != Origin::Code || tool.spec.name.as_str() != SEARCH_TOOLS);
        }
        let reserved = |tool: &&Arc<Tool>| [SEARCH_TOOLS, CALL_TOOL].contains(&tool.spec.name.as_str());
        match tools.iter().find(reserved).filter(|_| by_search) {
            None => Ok(Toolset { tools, by_search }),
            Some(tool) => {
                let name = tool.spec.name.to_string();
                let other =
                    format!("the `{name}` that a run with more than {max_listed} tools brings itself");
                Err(NameClash { name, one: told(tool), other })
            }
        }
    }
}

impl Registry {
    /// What would clash among the tools of this agent, if it stood so.
    pub(crate) async fn clash_of(
        &self,
        by: &Caller,
        rules: &TenantRules,
        standing: &Standing,
    ) -> Result<Option<NameClash>, StoreError> {
        let snapshot = self.snapshot(by.tenant_id).await?;
        let agent = Principal::Agent(standing.agent.id);
        let caller = Caller::with_scopes(by.tenant_id, &by.tenant_slug, agent, &[Scope::ToolsExecute]);
        let view = View { caller: &caller, surface: Surface::Rest, rules, now: self.clock.now() };
        let may = |tool: &Tool| {
            self.serves(&caller, tool) && may_ever_call(&view, Some(standing), &self.limits, tool)
        };
        Ok(snapshot.toolset(&view, self.limits.run_max_listed_tools, may).err())
    }
}

fn told(tool: &Tool) -> String {
    format!("{} ({})", tool.spec.id(), tool.origin.as_str())
}
