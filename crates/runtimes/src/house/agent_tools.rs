//! Which tools an agent was given: listed page by page, assigned, revoked.

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_domain::{AssignmentId, Caller, Scope, ToolError, ToolId, ToolSpec, governance::Assignment};
use toolgate_engine::{RegistryError, RuleError, RunContext};

use super::{
    agents::AGENT,
    definition::{Definition, Manner, count, flag, id, limit, list_of, maybe, said},
    input::{maybe_id, number, word},
    refusal::{Code, of_registry, of_rule, unread},
    runtime::Service,
    who,
};

const CATEGORY: &str = "agents";
const MAX_PAGE: u64 = 200;
const DEFAULT_PAGE: u64 = 50;
const TOOL: &str = "The tool: its id (`tool_…` or a bare UUID) or its name.";

/// The row, with the id that the tool has now; none when the tool is gone.
async fn row(one: &Assignment, context: &RunContext) -> Result<Value, ToolError> {
    let tool: Option<ToolId> = match context.invoker.house()?.tool(&one.tool).await {
        Ok(tool) => Some(tool.id),
        Err(RegistryError::NotFound(_) | RegistryError::Invalid(_) | RegistryError::Forbidden(_)) => None,
        Err(RegistryError::Store(error)) => return Err(unread(&error)),
    };
    Ok(json!({
        "id": one.id, "agent_id": one.agent_id, "tool_id": tool, "tool": one.tool, "profile_id": one.profile_id,
        "allowed": one.allowed, "created_by": one.created_by, "created_at": one.created_at,
    }))
}

fn row_properties() -> Value {
    json!({
        "id": said("The assignment, `asg_…`."),
        "agent_id": said("`agt_…`."),
        "tool_id": maybe("string", "The tool; null when it is gone."),
        "tool": said("The tool's name: every version of it."),
        "profile_id": maybe("string", "The profile that tightens it."),
        "allowed": flag("false: known, and denied."),
        "created_by": said("Who assigned it."),
        "created_at": said("When."),
    })
}

pub(super) struct ListAgentTools;

#[async_trait]
impl Service for ListAgentTools {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "list_agent_tools",
            category: CATEGORY,
            icon: "list",
            description: "Lists the tools that were assigned to an agent, oldest assignment first, page by page. What it was given by \
                category or by name beside its assignments is shown by get_agent.",
            manner: Manner::Reads,
            input: (
                json!({
                    "agent_id": id(AGENT),
                    "limit": limit(MAX_PAGE, DEFAULT_PAGE, "How many."),
                    "cursor": id("`next_cursor` of the page before: the id of its last assignment."),
                }),
                &["agent_id"],
            ),
            output: (
                json!({
                    "items": list_of(json!({"type": "object", "properties": row_properties()}), "The assignments."),
                    "total": count("How many there are in all."),
                    "limit": count("How many were asked for."),
                    "next_cursor": maybe("string", "Where the next page begins; null after the last."),
                }),
                &["items", "total", "limit", "next_cursor"],
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
        let after: Option<AssignmentId> = maybe_id(&input, "cursor")?;
        let limit = number(&input, "limit", usize::try_from(DEFAULT_PAGE).unwrap_or(usize::MAX));
        let (caller, house) = (context.invoker.caller()?, context.invoker.house()?);
        let mut all = house.rules().assignments(caller, Some(agent.id)).await.map_err(of_rule)?;
        // Ids grow, so what is assigned while somebody pages comes after what they have seen.
        all.sort_by_key(|one| one.id);
        let total = all.len();
        let mut rest = all.into_iter().filter(|one| after.is_none_or(|after| one.id > after)).peekable();
        let page: Vec<_> = rest.by_ref().take(limit).collect();
        let next = page.last().filter(|_| rest.peek().is_some()).map(|last| last.id);
        let mut items = Vec::with_capacity(page.len());
        for one in &page {
            items.push(row(one, context).await?);
        }
        Ok(json!({"items": items, "total": total, "limit": limit, "next_cursor": next}))
    }
}

pub(super) struct AssignAgentTool;

#[async_trait]
impl Service for AssignAgentTool {
    fn spec(&self) -> ToolSpec {
        let mut allowed = flag("false keeps the tool from the agent.");
        allowed["default"] = json!(true);
        Definition {
            name: "assign_agent_tool",
            category: CATEGORY,
            icon: "plug",
            description: "Gives an agent a tool, every version of it; with allowed false, keeps it from the agent. A profile tightens \
                it. What was assigned before under this tool is replaced. Whether its calls ask a person is a matter of the agent's \
                permissions, which are needs_approval unless somebody says otherwise.",
            manner: Manner::Sets,
            input: (
                json!({
                    "agent_id": id(AGENT),
                    "tool_id": id(TOOL),
                    "profile_id": id("A profile that tightens it: its id or its name."),
                    "allowed": allowed,
                }),
                &["agent_id", "tool_id"],
            ),
            output: (row_properties(), &["id", "agent_id", "tool_id", "tool", "allowed"]),
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
        let tool = house.find_tool(word(&input, "tool_id")).await.map_err(of_registry)?;
        let profile = match input["profile_id"].as_str() {
            Some(reference) => Some(house.rules().find_profile(caller, reference).await.map_err(of_rule)?.id),
            None => None,
        };
        let allowed = input["allowed"].as_bool().unwrap_or(true);
        let name = tool.spec.name.as_str();
        let assigned =
            house.rules().assign(caller, agent.id, name, profile, allowed).await.map_err(of_rule)?;
        row(&assigned, context).await
    }
}

pub(super) struct RevokeAgentTool;

#[async_trait]
impl Service for RevokeAgentTool {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "revoke_agent_tool",
            category: CATEGORY,
            icon: "unplug",
            description: "Takes an assigned tool from an agent, or no longer keeps it from the agent. Calls of it that run end with a \
                permission error. Revoked is false when it was not assigned.",
            manner: Manner::Ends,
            input: (json!({"agent_id": id(AGENT), "tool_id": id(TOOL)}), &["agent_id", "tool_id"]),
            output: (
                json!({
                    "agent_id": said("`agt_…`."),
                    "tool_id": said("The tool; its name where it is gone."),
                    "revoked": flag("Whether it was assigned."),
                }),
                &["agent_id", "tool_id", "revoked"],
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
        let asked = word(&input, "tool_id");
        let (tool_id, name) = match house.find_tool(asked).await {
            Ok(tool) => (json!(tool.id), tool.spec.name.to_string()),
            // The tool may be gone; what was said about it is revoked by its name.
            Err(RegistryError::NotFound(_)) if asked.parse::<ToolId>().is_err() => {
                (json!(asked), asked.to_owned())
            }
            Err(RegistryError::NotFound(message)) => return Err(Code::NotFound.error(message)),
            Err(other) => return Err(of_registry(other)),
        };
        let revoked = match house.rules().revoke_assignment(caller, agent.id, &name).await {
            Ok(()) => true,
            Err(RuleError::NotFound(_)) => false,
            Err(other) => return Err(of_rule(other)),
        };
        Ok(json!({"agent_id": agent.id, "tool_id": tool_id, "revoked": revoked}))
    }
}
