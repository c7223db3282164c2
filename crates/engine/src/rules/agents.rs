//! Agents: made, changed, archived; never deleted.

use serde::Deserialize;
use serde_json::{Map, Value};
use toolgate_domain::{
    AgentId, Caller, UserId, WorkspaceId, check_web_link,
    governance::{ActionRules, Agent, AgentStatus, Guard, ModelParameters},
};
use toolgate_store::Kind;

use super::{
    RuleError, Rules,
    document::{Document, Told},
};

#[derive(Clone, Debug, Default)]
pub struct AgentFilter {
    pub owner: Option<UserId>,
    pub with_archived: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewAgent {
    pub handle: String,
    pub display_name: String,
    #[serde(default)]
    pub owner: Option<UserId>,
    #[serde(default)]
    pub workspace_id: Option<WorkspaceId>,
    #[serde(default)]
    pub model: Option<String>,
    #[serde(default)]
    pub model_parameters: ModelParameters,
    #[serde(default)]
    pub persona: Option<String>,
    #[serde(default)]
    pub bio: Option<String>,
    #[serde(default)]
    pub avatar_url: Option<String>,
    #[serde(default)]
    pub tool_groups: Vec<String>,
    #[serde(default)]
    pub custom_tools: Vec<String>,
    #[serde(default)]
    pub guard: Guard,
    #[serde(default)]
    pub actions: ActionRules,
    #[serde(default)]
    pub metadata: Map<String, Value>,
}

/// What `update` may change.
const PATCHABLE: [&str; 14] = [
    "actions",
    "avatar_url",
    "bio",
    "custom_tools",
    "display_name",
    "guard",
    "metadata",
    "model",
    "model_parameters",
    "owner",
    "persona",
    "status",
    "tool_groups",
    "workspace_id",
];
const MAX_TEXT: usize = 20_000;
const MAX_LIST: usize = 1_000;

impl Rules {
    /// The tenant's agents that the caller's teams may see, by handle.
    pub async fn agents(&self, caller: &Caller, filter: &AgentFilter) -> Result<Vec<Agent>, RuleError> {
        let rules = self.snapshot(caller.tenant_id).await?;
        let mut agents: Vec<Agent> = rules
            .agents
            .values()
            .map(|standing| &standing.agent)
            .filter(|agent| filter.with_archived || agent.status != AgentStatus::Archived)
            .filter(|agent| filter.owner.is_none_or(|owner| agent.owner == Some(owner)))
            .filter(|agent| caller.is_in(agent.workspace_id))
            .cloned()
            .collect();
        agents.sort_by(|a, b| a.handle.cmp(&b.handle));
        Ok(agents)
    }

    pub async fn agent(&self, caller: &Caller, id: AgentId) -> Result<Agent, RuleError> {
        Ok(self.own_agent(caller, id).await?.value)
    }

    /// By id or by handle.
    pub async fn find_agent(&self, caller: &Caller, reference: &str) -> Result<Agent, RuleError> {
        let id = match reference.parse() {
            Ok(id) => id,
            Err(_) => {
                let rules = self.snapshot(caller.tenant_id).await?;
                rules.with_handle(reference).ok_or_else(|| RuleError::missing("agent", reference))?
            }
        };
        self.agent(caller, id).await
    }

    /// An agent of the tenant; a team that is not the caller's is told apart from an agent that does not exist.
    pub(super) async fn own_agent(&self, caller: &Caller, id: AgentId) -> Result<Document<Agent>, RuleError> {
        let found: Option<Document<Agent>> = self.read(caller.tenant_id, Kind::Agent, id.uuid()).await?;
        let found = found.ok_or_else(|| RuleError::missing("agent", id))?;
        if !caller.is_in(found.value.workspace_id) {
            return Err(RuleError::Forbidden(format!(
                "the agent {id} belongs to a workspace that is not yours"
            )));
        }
        Ok(found)
    }

    pub async fn create_agent(&self, caller: &Caller, new: NewAgent) -> Result<Agent, RuleError> {
        let now = self.clock.now();
        let agent = Agent {
            id: AgentId::generate(&*self.ids),
            handle: new.handle.trim_start_matches('@').to_owned(),
            display_name: new.display_name,
            owner: new.owner.or(caller.user_id()),
            workspace_id: new.workspace_id,
            model: new.model,
            model_parameters: new.model_parameters,
            persona: new.persona,
            bio: new.bio,
            avatar_url: new.avatar_url,
            tool_groups: new.tool_groups,
            custom_tools: new.custom_tools,
            guard: new.guard,
            actions: new.actions,
            metadata: Value::Object(new.metadata),
            status: AgentStatus::Active,
            created_at: now,
            updated_at: now,
            archived_at: None,
        };
        check_links(&agent, None)?;
        self.check_agent(caller, &agent).await?;
        self.refuse_circles_of_new(caller, agent.clone()).await?;
        let told = Told { action: "agent.create", target: agent.id.to_string() };
        let taken = || format!("the handle `{}` is taken: choose another", agent.handle);
        self.add(caller, Kind::Agent, (agent.id.uuid(), &agent.handle), &agent, told, taken).await?;
        Ok(agent)
    }

    /// Changes some keys; the answer names them. A key that cannot change is refused by name, and then nothing changes.
    pub async fn update_agent(
        &self,
        caller: &Caller,
        id: AgentId,
        patch: Map<String, Value>,
    ) -> Result<(Agent, Vec<String>), RuleError> {
        let old = self.own_agent(caller, id).await?;
        let unknown: Vec<_> =
            patch.keys().filter(|key| !PATCHABLE.contains(&key.as_str())).map(String::as_str).collect();
        if !unknown.is_empty() {
            let (unknown, known) = (unknown.join(", "), PATCHABLE.join(", "));
            return Err(RuleError::Invalid(format!(
                "{unknown} cannot be changed; the keys that can are {known}"
            )));
        }
        if patch.is_empty() {
            return Err(RuleError::Invalid(format!(
                "nothing to change: name one of {}",
                PATCHABLE.join(", ")
            )));
        }
        if old.value.status == AgentStatus::Archived {
            return Err(RuleError::Conflict(format!("the agent {id} is archived, and stays as it is")));
        }
        let keys: Vec<_> = patch.keys().cloned().collect();
        let mut body = old.record.body.clone();
        if let Some(fields) = body.as_object_mut() {
            fields.extend(patch);
            fields.insert("updated_at".to_owned(), Value::from(self.clock.now().to_string()));
        }
        let agent: Agent = serde_json::from_value(body).map_err(|e| RuleError::Invalid(e.to_string()))?;
        if agent.status == AgentStatus::Archived {
            return Err(RuleError::Invalid(
                "to archive an agent, archive it: it cannot be undone".to_owned(),
            ));
        }
        check_links(&agent, Some(&old.value))?;
        self.check_agent(caller, &agent).await?;
        self.refuse_circles(caller, id, |standing| standing.agent = agent.clone()).await?;
        let told = Told { action: "agent.update", target: id.to_string() };
        self.replace(caller, old, &agent.handle, &agent, told).await?;
        Ok((agent, keys))
    }

    /// Hides an agent and ends its calls for good; its history and its handle stay.
    pub async fn archive_agent(&self, caller: &Caller, id: AgentId) -> Result<Agent, RuleError> {
        let old = self.own_agent(caller, id).await?;
        let mut agent = old.value.clone();
        if agent.status == AgentStatus::Archived {
            return Ok(agent);
        }
        let now = self.clock.now();
        (agent.status, agent.archived_at, agent.updated_at) = (AgentStatus::Archived, Some(now), now);
        let told = Told { action: "agent.archive", target: id.to_string() };
        self.replace(caller, old, &agent.handle, &agent, told).await?;
        Ok(agent)
    }

    async fn check_agent(&self, caller: &Caller, agent: &Agent) -> Result<(), RuleError> {
        let refuse = |message: &str| Err(RuleError::Invalid(message.to_owned()));
        let handle_fits = (1..=64).contains(&agent.handle.len())
            && agent
                .handle
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-.".contains(c));
        if !handle_fits {
            return refuse("a handle has 1 to 64 lower-case letters, digits, `_`, `-` or `.`");
        }
        if agent.display_name.trim().is_empty() || agent.display_name.chars().count() > 120 {
            return refuse("display_name has 1 to 120 characters");
        }
        let texts = [&agent.model, &agent.persona, &agent.bio, &agent.avatar_url];
        if texts.into_iter().flatten().any(|text| text.len() > MAX_TEXT) {
            return refuse("model, persona, bio and avatar_url have at most 20000 bytes each");
        }
        if agent.tool_groups.len() > MAX_LIST || agent.custom_tools.len() > MAX_LIST {
            return refuse("tool_groups and custom_tools have at most 1000 entries each");
        }
        if agent.guard.max_budget.is_some_and(|budget| !budget.is_finite() || budget < 0.0) {
            return refuse("guard.max_budget is a number of at least 0");
        }
        let temperature = agent.model_parameters.temperature.unwrap_or_default();
        if !(0.0..=2.0).contains(&temperature) {
            return refuse("model_parameters.temperature is a number from 0 to 2");
        }
        if agent.model_parameters.max_output_tokens == Some(0) {
            return refuse("model_parameters.max_output_tokens is at least 1");
        }
        if let Some(complaint) = agent.actions.complaint() {
            return refuse(&complaint);
        }
        if !agent.metadata.is_object() || toolgate_domain::json::encoded_len(&agent.metadata) > MAX_TEXT {
            return refuse("metadata is an object of at most 20000 bytes");
        }
        let rules = self.snapshot(caller.tenant_id).await?;
        if let Some(owner) = agent.owner.filter(|owner| !rules.users.contains_key(owner)) {
            return Err(RuleError::Invalid(format!("there is no user {owner} who could own the agent")));
        }
        if let Some(id) = agent.workspace_id {
            if !rules.workspaces.contains_key(&id) {
                return Err(RuleError::Invalid(format!("there is no workspace {id}")));
            }
            if !caller.is_in(Some(id)) {
                return Err(RuleError::Forbidden(format!("the workspace {id} is not yours")));
            }
        }
        Ok(())
    }
}

/// Every surface that makes or changes an agent comes through here. A link that an older version kept does not keep the rest of its
/// agent from being changed.
fn check_links(agent: &Agent, old: Option<&Agent>) -> Result<(), RuleError> {
    match &agent.avatar_url {
        Some(link) if old.is_none_or(|old| old.avatar_url.as_ref() != Some(link)) => {
            check_web_link("avatar_url", link).map_err(RuleError::Invalid)
        }
        _ => Ok(()),
    }
}
