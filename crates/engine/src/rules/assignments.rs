//! Which tools an agent was given, and which were kept from it.

use toolgate_domain::{AgentId, AssignmentId, Caller, ProfileId, governance::Assignment};
use toolgate_policy::Assigned;
use toolgate_store::Kind;

use super::{RuleError, Rules, document::Told, permissions::withdraw};

fn name_of(agent: AgentId, tool: &str) -> String {
    format!("{}/{tool}", agent.uuid())
}

impl Rules {
    /// The assignments of one agent, or of all that the caller's teams may see; by agent and tool.
    pub async fn assignments(
        &self,
        caller: &Caller,
        agent: Option<AgentId>,
    ) -> Result<Vec<Assignment>, RuleError> {
        if let Some(id) = agent {
            self.own_agent(caller, id).await?;
        }
        let rules = self.snapshot(caller.tenant_id).await?;
        let seen = |id: &AgentId| {
            rules.agents.get(id).is_some_and(|standing| caller.is_in(standing.agent.workspace_id))
        };
        let mut all: Vec<Assignment> = self.read_all(caller.tenant_id, Kind::Assignment).await?;
        all.retain(|one| agent.is_none_or(|id| id == one.agent_id) && seen(&one.agent_id));
        all.sort_by(|a, b| (a.agent_id, &a.tool).cmp(&(b.agent_id, &b.tool)));
        Ok(all)
    }

    /// Binds a tool to an agent, or registers it as denied; what was bound before is replaced.
    pub async fn assign(
        &self,
        caller: &Caller,
        agent: AgentId,
        tool: &str,
        profile: Option<ProfileId>,
        allowed: bool,
    ) -> Result<Assignment, RuleError> {
        let agent = self.own_agent(caller, agent).await?.value;
        let rules = self.snapshot(caller.tenant_id).await?;
        if let Some(id) = profile.filter(|id| !rules.profiles.contains_key(id)) {
            return Err(RuleError::missing("profile", id));
        }
        let assigned = Assigned { allowed, profile: None };
        self.refuse_circles(caller, agent.id, |standing| {
            standing.assignments.insert(tool.to_owned(), assigned);
        })
        .await?;
        let name = name_of(agent.id, tool);
        let old = self.read_named::<Assignment>(caller.tenant_id, Kind::Assignment, &name).await?;
        let assignment = Assignment {
            id: old.as_ref().map_or_else(|| AssignmentId::generate(&*self.ids), |old| old.value.id),
            agent_id: agent.id,
            tool: tool.to_owned(),
            profile_id: profile,
            allowed,
            created_by: caller.principal.to_string(),
            created_at: self.clock.now(),
        };
        let told = Told { action: "assignment.put", target: format!("{} {tool}", agent.id) };
        match old {
            Some(old) => self.replace(caller, old, &name, &assignment, told).await?,
            None => {
                let taken = || "somebody else assigned it at the same moment".to_owned();
                let key = (assignment.id.uuid(), name.as_str());
                self.add(caller, Kind::Assignment, key, &assignment, told, taken).await?;
            }
        }
        Ok(assignment)
    }

    /// Takes a tool away, or no longer keeps it from the agent. Calls that run end with a permission error.
    pub async fn revoke_assignment(
        &self,
        caller: &Caller,
        agent: AgentId,
        tool: &str,
    ) -> Result<(), RuleError> {
        self.own_agent(caller, agent).await?;
        let old = self
            .read_named::<Assignment>(caller.tenant_id, Kind::Assignment, &name_of(agent, tool))
            .await?
            .ok_or_else(|| RuleError::NotFound(format!("{tool} is not assigned to {agent}")))?;
        let was_given = old.value.allowed;
        self.refuse_circles(caller, agent, |standing| {
            standing.assignments.remove(tool);
            if was_given {
                withdraw(&mut standing.tools, tool);
            }
        })
        .await?;
        let told = Told { action: "assignment.revoke", target: format!("{agent} {tool}") };
        let mut parts = vec![self.removing(caller, &old, &told)];
        // What would let the agent reach the tool without an assignment goes in the same commit.
        if was_given {
            parts.extend(self.withdrawing(caller, agent, tool).await?);
        }
        let (writes, audit) = parts.into_iter().unzip();
        self.commit(caller, writes, audit).await
    }
}
