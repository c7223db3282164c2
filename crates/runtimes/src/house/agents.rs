//! Agents: listed, read, made, changed, archived.

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use toolgate_domain::{Caller, Scope, ToolError, ToolSpec, UserId, governance::Agent};
use toolgate_engine::{AgentFilter, NewAgent, RuleError, RunContext};

use super::{
    definition::{Definition, Manner, count, id, list_of, maybe, open, said, text},
    input::{maybe_id, word},
    names::PATCH_KEYS,
    refusal::{Code, of_rule},
    runtime::Service,
    who,
};

const CATEGORY: &str = "agents";
/// Agents that one list shows.
const MAX_LISTED: usize = 1_000;
pub(super) const AGENT: &str = "The agent: its id (`agt_…` or a bare UUID) or its handle.";

/// Whom the agents are owned by: who is named, the caller, or for an agent its own owner.
async fn owner(input: &Value, context: &RunContext) -> Result<UserId, ToolError> {
    if let Some(named) = maybe_id(input, "owner_id")? {
        return Ok(named);
    }
    let caller = context.invoker.caller()?;
    let own = match caller.agent_id {
        Some(agent) => who::agent(context, &agent.to_string()).await?.owner,
        None => caller.user_id(),
    };
    let message = "nobody owns it: name an `owner_id`, or call as a person";
    own.ok_or_else(|| Code::MissingLenser.error(message))
}

fn brief(agent: &Agent) -> Value {
    json!({
        "agent_id": agent.id, "handle": agent.handle, "display_name": agent.display_name, "status": agent.status,
        "owner_id": agent.owner, "model": agent.model, "created_at": agent.created_at,
    })
}

fn brief_properties() -> Value {
    json!({
        "agent_id": said("`agt_…`."),
        "handle": said("Unique in the tenant."),
        "display_name": said("For people."),
        "status": said("active, paused or archived."),
        "owner_id": maybe("string", "Who answers for it."),
        "model": maybe("string", "`provider/model`."),
        "created_at": said("When it was made."),
    })
}

/// An object, and what there is beside.
fn with(mut object: Value, mut more: Value) -> Value {
    if let (Some(object), Some(more)) = (object.as_object_mut(), more.as_object_mut()) {
        object.append(more);
    }
    object
}

pub(super) struct ListAgents;

#[async_trait]
impl Service for ListAgents {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "list_agents",
            category: CATEGORY,
            icon: "users",
            description: "Lists the agents that a person owns, by handle; archived ones are left out. Use get_agent for all that is \
                known of one.",
            manner: Manner::Reads,
            input: (json!({"owner_id": id("The person who owns them; the caller when left out.")}), &[]),
            output: (
                json!({
                    "items": list_of(json!({"type": "object", "properties": brief_properties()}), "The agents, by handle."),
                    "total": count("How many there are."),
                    "owner_id": said("Whose they are."),
                }),
                &["items", "total", "owner_id"],
            ),
        }
        .into_spec()
    }

    fn serves(&self, caller: &Caller) -> bool {
        who::could_read(caller)
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        who::must_read(context)?;
        let owner = owner(&input, context).await?;
        let filter = AgentFilter { owner: Some(owner), with_archived: false };
        let house = context.invoker.house()?;
        let agents = house.rules().agents(context.invoker.caller()?, &filter).await.map_err(of_rule)?;
        let items: Vec<_> = agents.iter().take(MAX_LISTED).map(brief).collect();
        Ok(json!({"items": items, "total": agents.len(), "owner_id": owner}))
    }
}

pub(super) struct GetAgent;

#[async_trait]
impl Service for GetAgent {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "get_agent",
            category: CATEGORY,
            icon: "user",
            description: "Shows all that is known of one agent: handle, model, persona, what bounds it, and who owns it.",
            manner: Manner::Reads,
            input: (json!({"agent_id": id(AGENT)}), &["agent_id"]),
            output: (
                with(brief_properties(), json!({
                    "workspace_id": maybe("string", "The team it belongs to."),
                    "model_parameters": open("How its model is asked."),
                    "persona": maybe("string", "Who it is, in words for its model."),
                    "bio": maybe("string", "Who it is, in words for people."),
                    "avatar_url": maybe("string", "A picture."),
                    "tool_groups": list_of(said("A category."), "Categories of tools that it was given."),
                    "custom_tools": list_of(said("A name."), "Tools that it was given beside its assignments."),
                    "policy": open("What bounds it: `guard` for a run, `actions` for what it does on its own."),
                    "metadata": open("What else was noted."),
                    "updated_at": said("When it was changed last."),
                    "archived_at": maybe("string", "When it was archived."),
                })),
                &["agent_id", "handle", "display_name", "status", "owner_id", "model", "policy"],
            ),
        }
        .into_spec()
    }

    fn serves(&self, caller: &Caller) -> bool {
        who::could_read(caller)
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        who::must_read(context)?;
        let agent = who::agent(context, word(&input, "agent_id")).await?;
        let more = json!({
            "workspace_id": agent.workspace_id, "model_parameters": agent.model_parameters, "persona": agent.persona,
            "bio": agent.bio, "avatar_url": agent.avatar_url, "tool_groups": agent.tool_groups,
            "custom_tools": agent.custom_tools, "policy": {"guard": agent.guard, "actions": agent.actions},
            "metadata": agent.metadata, "updated_at": agent.updated_at, "archived_at": agent.archived_at,
        });
        Ok(with(brief(&agent), more))
    }
}

pub(super) struct CreateAgent;

#[async_trait]
impl Service for CreateAgent {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "create_agent",
            category: CATEGORY,
            icon: "user-plus",
            description: "Makes an agent that a person owns. It may call nothing until tools are assigned to it.",
            manner: Manner::Adds,
            input: (
                json!({
                    "handle": text(64, "How it is addressed: lower-case letters, digits, `_`, `-`, `.`; unique in the tenant."),
                    "display_name": text(120, "Its name, for people."),
                    "model": text(200, "Its model, `provider/model`; it can be set later."),
                    "owner_id": id("The person who owns it; the caller when left out."),
                }),
                &["handle", "display_name"],
            ),
            output: (
                json!({
                    "profile_id": said("The agent's profile: the same as `agent_id`."),
                    "agent_id": said("`agt_…`."),
                    "status": said("active."),
                }),
                &["profile_id", "agent_id", "status"],
            ),
        }
        .of_rights()
    }

    fn serves(&self, caller: &Caller) -> bool {
        who::could_change(caller)
    }

    fn agreeing_needs(&self) -> Option<Scope> {
        Some(Scope::AgentsWrite)
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        who::must_change(context).await?;
        let (caller, house) = (context.invoker.caller()?, context.invoker.house()?);
        let owner = owner(&input, context).await?;
        house.rules().user(caller, owner).await.map_err(|error| match error {
            RuleError::NotFound(message) => Code::MissingLenser.error(message),
            other => of_rule(other),
        })?;
        let new = NewAgent {
            handle: word(&input, "handle").to_owned(),
            display_name: word(&input, "display_name").to_owned(),
            model: input["model"].as_str().map(str::to_owned),
            owner: Some(owner),
            ..NewAgent::default()
        };
        let agent = house.rules().create_agent(caller, new).await.map_err(of_rule)?;
        Ok(json!({"profile_id": agent.id, "agent_id": agent.id, "status": agent.status}))
    }
}

pub(super) struct UpdateAgent;

#[async_trait]
impl Service for UpdateAgent {
    fn spec(&self) -> ToolSpec {
        let mut patch =
            open("The keys to change: display_name, bio, avatar_url, model, persona, status and others.");
        patch["minProperties"] = json!(1);
        Definition {
            name: "update_agent",
            category: CATEGORY,
            icon: "user-pen",
            description: "Changes some keys of an agent; those that are not named stay as they are. A key that cannot change is \
                refused by name, and then nothing changes.",
            manner: Manner::Sets,
            input: (json!({"agent_id": id(AGENT), "patch": patch}), &["agent_id", "patch"]),
            output: (
                json!({
                    "agent_id": said("`agt_…`."),
                    "patched_keys": list_of(said("A key."), "What was changed."),
                }),
                &["agent_id", "patched_keys"],
            ),
        }
        .of_rights()
    }

    fn serves(&self, caller: &Caller) -> bool {
        who::could_change(caller)
    }

    fn agreeing_needs(&self) -> Option<Scope> {
        Some(Scope::AgentsWrite)
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        let agent = who::agent_to_change(context, word(&input, "agent_id")).await?;
        let patch = with_keys_of_today(input["patch"].as_object().cloned().unwrap_or_default())?;
        let (caller, house) = (context.invoker.caller()?, context.invoker.house()?);
        let (agent, keys) = house.rules().update_agent(caller, agent.id, patch).await.map_err(of_rule)?;
        Ok(json!({"agent_id": agent.id, "patched_keys": keys}))
    }
}

fn with_keys_of_today(mut patch: Map<String, Value>) -> Result<Map<String, Value>, ToolError> {
    for (old, new) in PATCH_KEYS {
        let Some(value) = patch.remove(old) else { continue };
        if patch.get(new).is_some_and(|other| *other != value) {
            let message =
                format!("`{old}` is an old name of `{new}`, and both are given with different values");
            return Err(ToolError::validation(message));
        }
        patch.insert(new.to_owned(), value);
    }
    Ok(patch)
}

pub(super) struct ArchiveAgent;

#[async_trait]
impl Service for ArchiveAgent {
    fn spec(&self) -> ToolSpec {
        let confirm = json!({"type": "boolean", "const": true, "description": "Must be exactly true: it cannot be undone."});
        Definition {
            name: "archive_agent",
            category: CATEGORY,
            icon: "archive",
            description: "Archives an agent for good: it is no longer listed, its calls end, and it starts nothing. Its history stays.",
            manner: Manner::Ends,
            input: (json!({"agent_id": id(AGENT), "confirm": confirm}), &["agent_id", "confirm"]),
            output: (
                json!({"agent_id": said("`agt_…`."), "status": said("archived.")}),
                &["agent_id", "status"],
            ),
        }
        .of_rights()
    }

    fn serves(&self, caller: &Caller) -> bool {
        who::could_change(caller)
    }

    fn agreeing_needs(&self) -> Option<Scope> {
        Some(Scope::AgentsWrite)
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        let agent = who::agent_to_change(context, word(&input, "agent_id")).await?;
        let (caller, house) = (context.invoker.caller()?, context.invoker.house()?);
        let agent = house.rules().archive_agent(caller, agent.id).await.map_err(of_rule)?;
        Ok(json!({"agent_id": agent.id, "status": agent.status}))
    }
}
