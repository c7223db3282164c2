//! What became of a call, and what would become of one.

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_domain::{ErrorCode, Invocation, InvocationId, Scope, Status, ToolError, ToolSpec};
use toolgate_engine::RunContext;

use super::{
    definition::{Definition, Manner, flag, id, list_of, maybe, open, said, text},
    input::{id as parsed, word},
    refusal::{Code, forbidden, unread},
    runtime::Service,
    who,
};

const CATEGORY: &str = "calls";
const CALL: &str = "The call, `inv_…` or a bare UUID.";

/// A call that the caller made, or may read.
async fn call(input: &Value, context: &RunContext) -> Result<Invocation, ToolError> {
    let id: InvocationId = parsed(word(input, "invocation_id"))?;
    let found = context.invoker.house()?.invocation(id).await.map_err(|error| unread(&error))?;
    found.ok_or_else(|| Code::NotFound.error(format!("there is no call {id} that you may read")))
}

/// What a call waits for: itself while a person must agree, or calls and tasks.
async fn waits_for(row: &Invocation, context: &RunContext) -> Result<Vec<String>, ToolError> {
    if row.status() == Status::Pending {
        return Ok(vec![row.id.to_string()]);
    }
    context.invoker.house()?.waits_for(row).await.map_err(|error| unread(&error))
}

pub(super) struct GetInvocation;

#[async_trait]
impl Service for GetInvocation {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "get_invocation",
            category: CATEGORY,
            icon: "hourglass",
            description: "Tells how a call stands that did not answer at once: whether it waits for a person, runs, or is over, and then \
                what it answered. Use it with the invocation_id of a pending result; leave some seconds between two questions.",
            manner: Manner::Reads,
            input: (json!({"invocation_id": id(CALL)}), &["invocation_id"]),
            output: (
                json!({
                    "invocation_id": said("`inv_…`."),
                    "tool": said("`name@version`."),
                    "status": said("pending, approved, running, completed, failed, rejected or cancelled."),
                    "waits_for": list_of(said("An id."), "The call itself while a person must agree; otherwise calls or a task."),
                    "expires_at": maybe("string", "While a person must agree: when it counts as rejected."),
                    "envelope": open("The receipt, once the call is over."),
                }),
                &["invocation_id", "tool", "status", "waits_for"],
            ),
        }
        .into_spec()
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        let row = call(&input, context).await?;
        let mut answer = json!({
            "invocation_id": row.id, "tool": format!("{}@{}", row.tool_name, row.tool_version),
            "status": row.status(), "waits_for": waits_for(&row, context).await?,
        });
        if row.status() == Status::Pending {
            answer["expires_at"] = json!(row.approval_expires_at);
        }
        if let Some(envelope) = row.envelope() {
            answer["envelope"] = json!(envelope);
        }
        Ok(answer)
    }
}

pub(super) struct GetReceipt;

#[async_trait]
impl Service for GetReceipt {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "get_receipt",
            category: CATEGORY,
            icon: "receipt",
            description: "Shows the receipt of a call that is over: what it was given, what it answered, when, and by which rules it was \
                let in. One's own calls; with invocations:read, any.",
            manner: Manner::Reads,
            input: (json!({"invocation_id": id(CALL)}), &["invocation_id"]),
            output: (
                json!({
                    "envelope": open("The receipt, as it was handed to whoever called."),
                    "status": said("completed, failed, rejected or cancelled."),
                    "caller": said("Who called."),
                    "agent_id": maybe("string", "The agent for which it was made."),
                    "run_id": maybe("string", "The run that it belongs to."),
                    "decision": open("What the guard decided, and by which rules."),
                    "approved_by": maybe("string", "Who decided, where somebody was asked."),
                }),
                &["envelope", "status", "caller", "decision"],
            ),
        }
        .into_spec()
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        let row = call(&input, context).await?;
        let Some(envelope) = row.envelope() else {
            let message = format!("{} is {}, and has no receipt yet", row.id, row.status().as_str());
            return Err(Code::Conflict.error(message));
        };
        Ok(json!({
            "envelope": envelope, "status": row.status(), "caller": row.caller, "agent_id": row.agent_id,
            "run_id": row.run_id, "decision": row.decision, "approved_by": row.approval_decided_by,
        }))
    }
}

pub(super) struct ExplainDecision;

#[async_trait]
impl Service for ExplainDecision {
    fn spec(&self) -> ToolSpec {
        let mut input = open("What it would be called with.");
        input["default"] = json!({});
        Definition {
            name: "explain_decision",
            category: CATEGORY,
            icon: "scale",
            description: "Tells what would happen if a tool were called now: whether it would run, ask a person or be refused, and by \
                which rules. Nothing is called.",
            manner: Manner::Reads,
            input: (
                json!({
                    "tool": text(200, "`name`, `name@1.2.0` or `name@^1`."),
                    "input": input,
                    "agent_id": id("What if this agent called: its id or its handle. Needs agents:read."),
                }),
                &["tool"],
            ),
            output: (
                json!({
                    "tool": maybe("string", "`name@version`; null when the caller sees no such tool."),
                    "would_run": flag("Whether it would run at once."),
                    "decision": open("The verdict (allow, ask or deny), and the evidence."),
                    "error": maybe("object", "Why it could not run, whoever agreed."),
                    "warnings": list_of(said("A warning."), "What else the caller would be told."),
                }),
                &["tool", "would_run", "decision", "error", "warnings"],
            ),
        }
        .into_spec()
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        let caller = context.invoker.caller()?;
        let agent = match input["agent_id"].as_str() {
            None => None,
            Some(reference) => {
                let agent = who::agent(context, reference).await?;
                let may =
                    caller.agent_id.map_or_else(|| caller.may(Scope::AgentsRead), |own| own == agent.id);
                if !may {
                    return Err(forbidden("asking for an agent needs agents:read; an agent asks for itself"));
                }
                Some(agent.id)
            }
        };
        let asked = input.get("input").cloned().unwrap_or_else(|| json!({}));
        let explained = context.invoker.house()?.explain(word(&input, "tool"), asked, agent).await;
        let explained =
            explained.map_err(|refused| ToolError::new(ErrorCode::Unknown, refused.to_string()))?;
        Ok(json!({
            "tool": explained.tool, "would_run": explained.would_run(), "decision": explained.decision,
            "error": explained.error, "warnings": explained.warnings,
        }))
    }
}
