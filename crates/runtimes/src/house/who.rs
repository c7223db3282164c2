//! Who may do what. Over REST a request needs a scope; here a person's call needs the same one.

use toolgate_domain::{Caller, Scope, ToolError, governance::Agent};
use toolgate_engine::RunContext;

use super::refusal::{Code, forbidden, of_rule, unread};

/// Whether the caller could ever read agents with these tools. What an agent may read is what it was given tools for.
pub(super) fn could_read(caller: &Caller) -> bool {
    caller.agent_id.is_some() || caller.may(Scope::AgentsRead)
}

pub(super) fn could_change(caller: &Caller) -> bool {
    caller.agent_id.is_some() || caller.may(Scope::AgentsWrite)
}

pub(super) fn could_decide(caller: &Caller) -> bool {
    caller.agent_id.is_none() && caller.may(Scope::ApprovalsDecide)
}

pub(super) fn must_read(context: &RunContext) -> Result<(), ToolError> {
    if could_read(context.invoker.caller()?) {
        return Ok(());
    }
    Err(forbidden("reading agents needs agents:read"))
}

/// An agent may what the person who agreed to this very call may.
pub(super) async fn must_change(context: &RunContext) -> Result<(), ToolError> {
    let caller = context.invoker.caller()?;
    let needed = Scope::AgentsWrite;
    if caller.agent_id.is_none() {
        return if caller.may(needed) {
            Ok(())
        } else {
            Err(forbidden("changing agents needs agents:write"))
        };
    }
    match context.invoker.house()?.approver().await.map_err(|error| unread(&error))? {
        Some(person) if person.agent_id.is_none() && person.may(needed) => Ok(()),
        Some(_) => {
            Err(forbidden("the one who agreed to this call may not do it themselves: it needs agents:write"))
        }
        None => {
            Err(forbidden("a person who holds agents:write must agree to each change that an agent makes"))
        }
    }
}

/// No agent changes itself, whoever agrees.
fn not_itself(context: &RunContext, agent: &Agent) -> Result<(), ToolError> {
    if context.invoker.caller()?.agent_id == Some(agent.id) {
        return Err(forbidden("an agent does not change what it is and what it may do: a person must"));
    }
    Ok(())
}

/// The agent that an input names, by id or handle.
pub(super) async fn agent(context: &RunContext, reference: &str) -> Result<Agent, ToolError> {
    context.invoker.house()?.agent(reference).await.map_err(of_rule)
}

/// The same, where the caller may change it.
pub(super) async fn agent_to_change(context: &RunContext, reference: &str) -> Result<Agent, ToolError> {
    let agent = agent(context, reference).await?;
    not_itself(context, &agent)?;
    must_change(context).await?;
    Ok(agent)
}

/// Whether the caller may have the agent act: its owner, whoever may change agents, and the agent itself.
pub(super) fn must_act_for(context: &RunContext, agent: &Agent) -> Result<(), ToolError> {
    context.invoker.may_act_for(agent).map_err(|error| forbidden(error.message))
}

/// Whether the caller may read what happened in the agent's runs: its owner, whoever may read any call, and the agent itself.
pub(super) fn must_read_runs(context: &RunContext, agent: &Agent) -> Result<(), ToolError> {
    let caller = context.invoker.caller()?;
    let may = match caller.agent_id {
        Some(itself) => itself == agent.id,
        None => {
            caller.may(Scope::InvocationsRead) || (agent.owner.is_some() && agent.owner == caller.user_id())
        }
    };
    if may {
        return Ok(());
    }
    Err(forbidden("only its owner, the agent itself, and those who hold invocations:read see its runs"))
}

pub(super) fn must_be_service_role(context: &RunContext) -> Result<(), ToolError> {
    let caller = context.invoker.caller()?;
    if caller.service_role && caller.agent_id.is_none() {
        return Ok(());
    }
    let message =
        "only the service role starts runs of workflows: stdio, background work, or a key made with it";
    Err(Code::PermissionDenied.error(message))
}
