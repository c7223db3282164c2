//! Runs of an agent: a workflow is started, watched, cancelled.

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_domain::{Caller, RunId, ToolError, ToolSpec};
use toolgate_engine::{RegistryError, RunContext, RunEventFilter};

use super::{
    agents::AGENT,
    definition::{Definition, Manner, count, flag, id, limit, list_of, open, said, text},
    input::{id as parsed, maybe_id, number, word},
    refusal::{Code, of_registry, of_start, unread},
    runtime::Service,
    who,
};

const CATEGORY: &str = "agents";
const MAX_EVENTS: u64 = 500;
const DEFAULT_EVENTS: u64 = 100;
/// The kind of tool that is a workflow.
const WORKFLOW: &str = "composition";

pub(super) struct ListAgentRunEvents;

#[async_trait]
impl Service for ListAgentRunEvents {
    fn spec(&self) -> ToolSpec {
        let event = json!({
            "type": "object",
            "properties": {
                "id": count("Grows with every event."),
                "type": said("run.started, run.waiting, run.finished, tool.started, tool.completed and others."),
                "run_id": said("The run, `run_…`."),
                "data": open("What happened."),
                "created_at": said("When."),
            },
        });
        Definition {
            name: "list_agent_run_events",
            category: CATEGORY,
            icon: "activity",
            description: "Tells what happened in the runs of an agent, the newest first: calls of tools, what they wait for, how they \
                ended. Without a run, its newest runs are looked at. Use it to see how a run that was started comes along.",
            manner: Manner::Reads,
            input: (
                json!({
                    "agent_id": id(AGENT),
                    "team_run_id": id("Only of this run."),
                    "event_type": text(64, "Only events of this type."),
                    "limit": limit(MAX_EVENTS, DEFAULT_EVENTS, "How many at most."),
                }),
                &["agent_id"],
            ),
            output: (
                json!({
                    "items": list_of(event, "The events, the newest first."),
                    "total": count("How many there are, shown or not."),
                }),
                &["items", "total"],
            ),
        }
        .into_spec()
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        let agent = who::agent(context, word(&input, "agent_id")).await?;
        who::must_read_runs(context, &agent)?;
        let filter = RunEventFilter {
            run: maybe_id::<RunId>(&input, "team_run_id")?,
            kind: input["event_type"].as_str().map(str::to_owned),
            limit: number(&input, "limit", usize::try_from(DEFAULT_EVENTS).unwrap_or(usize::MAX)),
        };
        let told =
            context.invoker.house()?.run_events(&agent, &filter).await.map_err(|error| unread(&error))?;
        Ok(json!({"items": told.items, "total": told.total}))
    }
}

pub(super) struct StartAgentTeamRun;

#[async_trait]
impl Service for StartAgentTeamRun {
    fn spec(&self) -> ToolSpec {
        let policy = json!({
            "type": "string", "enum": ["auto", "manual"], "default": "auto",
            "description": "manual: the run waits until a person agrees, whatever the rules say.",
        });
        let mut inputs = open("What the workflow takes.");
        inputs["default"] = json!({});
        Definition {
            name: "start_agent_team_run",
            category: CATEGORY,
            icon: "play",
            description: "Starts a workflow as an agent and answers at once with the id of the run. A workflow is a composition: a tool \
                made of steps. The agent must have been given it. Only the service role starts runs. See how it comes along with \
                list_agent_run_events.",
            manner: Manner::Begins,
            input: (
                json!({
                    "agent_id": id(AGENT),
                    "workflow_id": id("The workflow: the id or the name of a composition."),
                    "inputs": inputs,
                    "policy": policy,
                }),
                &["agent_id", "workflow_id"],
            ),
            output: (
                json!({
                    "team_run_id": said("The run, `run_…`."),
                    "agent_id": said("`agt_…`."),
                    "workflow_id": said("The workflow's tool, `tool_…`."),
                    "policy": said("auto or manual."),
                    "status": said("pending while a person must agree; running, or how it ended already."),
                }),
                &["team_run_id", "agent_id", "workflow_id", "policy", "status"],
            ),
        }
        .into_spec()
    }

    fn serves(&self, caller: &Caller) -> bool {
        caller.agent_id.is_none()
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        who::must_be_service_role(context)?;
        let agent = who::agent(context, word(&input, "agent_id")).await?;
        who::must_act_for(context, &agent)?;
        let asked = word(&input, "workflow_id");
        let found = context.invoker.house()?.find_tool(asked).await;
        let workflow = match found {
            Ok(tool) if tool.spec.execution.kind == WORKFLOW => tool,
            Ok(_)
            | Err(RegistryError::NotFound(_) | RegistryError::Invalid(_) | RegistryError::Forbidden(_)) => {
                return Err(Code::NotFound.error(format!("there is no workflow {asked}")));
            }
            Err(other) => return Err(of_registry(other)),
        };
        let policy = input["policy"].as_str().unwrap_or("auto");
        let inputs = input.get("inputs").cloned().unwrap_or_else(|| json!({}));
        let started = context.invoker.start_team_run(agent.id, &workflow, inputs, policy == "manual");
        let row = started.await.map_err(of_start)?;
        Ok(json!({
            "team_run_id": RunId::from_uuid(row.id.uuid()), "agent_id": agent.id, "workflow_id": workflow.id,
            "policy": policy, "status": row.status(),
        }))
    }
}

pub(super) struct CancelAgentRun;

#[async_trait]
impl Service for CancelAgentRun {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "cancel_agent_run",
            category: CATEGORY,
            icon: "circle-stop",
            description: "Ends a run of an agent: what it is doing stops, and what it asks is taken back. A run that is over stays as \
                it ended.",
            manner: Manner::Ends,
            input: (
                json!({"team_run_id": id("The run, `run_…`."), "agent_id": id(AGENT)}),
                &["team_run_id", "agent_id"],
            ),
            output: (
                json!({
                    "team_run_id": said("The run, `run_…`."),
                    "agent_id": said("`agt_…`."),
                    "cancelled": flag("true: it does not go on."),
                    "status": said("How it ended."),
                }),
                &["team_run_id", "agent_id", "cancelled", "status"],
            ),
        }
        .into_spec()
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        let agent = who::agent(context, word(&input, "agent_id")).await?;
        let run: RunId = parsed(word(&input, "team_run_id"))?;
        let missing = || Code::NotFound.error(format!("{} has no run {run}", agent.handle));
        let row = context.invoker.house()?.cancel_run(&agent, run).await?.ok_or_else(missing)?;
        Ok(json!({"team_run_id": run, "agent_id": agent.id, "cancelled": true, "status": row.status()}))
    }
}
