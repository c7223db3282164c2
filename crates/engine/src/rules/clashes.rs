//! Two tools of one name make an agent that cannot run. Who would make such an agent is told at once.

use std::sync::Weak;

use toolgate_domain::Caller;
use toolgate_policy::Standing;

use super::{RuleError, Rules};

impl Rules {
    /// Refuses a change through which two tools of an agent would have one name. What clashed before is not this change's fault: the
    /// agent can be changed, and its runs say what is wrong.
    pub(super) async fn refuse_clash(&self, caller: &Caller, standing: &Standing) -> Result<(), RuleError> {
        let Some(registry) = self.registry.get().and_then(Weak::upgrade) else {
            return Ok(());
        };
        let rules = self.snapshot(caller.tenant_id).await?;
        let Some(clash) = registry.clash_of(caller, &rules, standing).await? else {
            return Ok(());
        };
        let before = match rules.agents.get(&standing.agent.id) {
            Some(old) => registry.clash_of(caller, &rules, old).await?,
            None => None,
        };
        match before {
            Some(before) if before == clash => Ok(()),
            _ => Err(RuleError::Invalid(clash.to_string())),
        }
    }
}
