//! What an agent may call is part of what a tool calls that hands work to it. So a change of an agent's tools is held against the
//! tools there are, as a change of a tool is (`registry/links.rs`).

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use toolgate_domain::{
    AgentId, Caller,
    governance::{Agent, AgentTools},
};
use toolgate_policy::Standing;

use super::{RuleError, Rules};
use crate::Registry;

impl Rules {
    /// From now on this registry says what tools there are.
    pub(crate) fn look_at(&self, registry: &Arc<Registry>) {
        // A second one would be a mistake of ours, and the first stays.
        let _ = self.registry.set(Arc::downgrade(registry));
    }

    /// Refuses a change of what an agent may call through which a tool would call itself.
    pub(super) async fn refuse_circles(
        &self,
        caller: &Caller,
        agent: AgentId,
        change: impl FnOnce(&mut Standing),
    ) -> Result<(), RuleError> {
        let rules = self.snapshot(caller.tenant_id).await?;
        // Who was made this very moment in another process has no tools that this one could judge.
        match rules.agents.get(&agent) {
            Some(standing) => {
                let mut standing = Standing::clone(standing);
                change(&mut standing);
                self.refuse_circles_of(caller, standing).await
            }
            None => Ok(()),
        }
    }

    /// The same for an agent that is new.
    pub(super) async fn refuse_circles_of_new(&self, caller: &Caller, agent: Agent) -> Result<(), RuleError> {
        let fresh = Standing { agent, tools: AgentTools::default(), assignments: HashMap::new() };
        self.refuse_circles_of(caller, fresh).await
    }

    async fn refuse_circles_of(&self, caller: &Caller, standing: Standing) -> Result<(), RuleError> {
        self.refuse_clash(caller, &standing).await?;
        let Some(registry) = self.registry.get().and_then(Weak::upgrade) else {
            return Ok(());
        };
        match registry.circle_through(caller, standing).await? {
            Some(circle) => Err(RuleError::Invalid(circle)),
            None => Ok(()),
        }
    }
}
