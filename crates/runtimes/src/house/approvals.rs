//! Calls that wait for a person: listed and decided by those who may, and never by an agent.

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_domain::{Caller, Invocation, InvocationId, ToolError, ToolSpec};
use toolgate_engine::{Approval, PendingFilter, Ruling, RunContext};

use super::{
    definition::{Definition, Manner, count, flag, id, limit, list_of, maybe, open, said, text},
    input::{id as parsed, maybe_id, number, word},
    refusal::{forbidden, of_decision, unread},
    runtime::Service,
    who,
};

const CATEGORY: &str = "approvals";
const PERMISSION: &str = "approvals.tenant.decide";
const MAX_PAGE: u64 = 50;
const DEFAULT_PAGE: u64 = 20;
const MAX_REASON: u64 = 2_000;

fn with_permission(spec: ToolSpec) -> ToolSpec {
    ToolSpec { required_permission: Some(PERMISSION.to_owned()), ..spec }
}

async fn shown(row: &Invocation, context: &RunContext) -> Result<Value, ToolError> {
    let terms = row.decision.approval.unwrap_or_default();
    let votes = context.invoker.house()?.votes(row).await.map_err(|error| unread(&error))?;
    let reasons: Vec<_> = row.decision.deciding().map(|evidence| evidence.because.as_str()).collect();
    Ok(json!({
        "invocation_id": row.id, "tool": format!("{}@{}", row.tool_name, row.tool_version), "input": row.input,
        "egress_class": row.egress_class, "caller": row.caller, "agent_id": row.agent_id, "run_id": row.run_id,
        "reasons": reasons, "digest": row.approval_digest(), "quorum": terms.quorum, "votes": votes,
        "expires_at": row.approval_expires_at, "created_at": row.created_at,
    }))
}

pub(super) struct ListApprovals;

#[async_trait]
impl Service for ListApprovals {
    fn spec(&self) -> ToolSpec {
        let call = json!({
            "type": "object",
            "properties": {
                "invocation_id": said("The call, `inv_…`."),
                "tool": said("`name@version`."),
                "input": open("What it is called with."),
                "egress_class": said("What it touches outside: none, read_only or write."),
                "caller": said("Who made the call."),
                "agent_id": maybe("string", "The agent for which it is made."),
                "run_id": maybe("string", "The run that it belongs to."),
                "reasons": list_of(said("A reason."), "Why a person is asked."),
                "digest": said("Names exactly what is asked: send it with the decision."),
                "quorum": count("How many people must agree."),
                "votes": list_of(said("A person."), "Who has agreed so far."),
                "expires_at": maybe("string", "When it counts as rejected."),
                "created_at": said("When it was made."),
            },
        });
        with_permission(
            Definition {
                name: "list_approvals",
                category: CATEGORY,
                icon: "inbox",
                description: "Lists the calls that wait for a person's yes, newest first, with what is asked and why.",
                manner: Manner::Reads,
                input: (
                    json!({
                        "tool": text(128, "Only calls of this tool, by name."),
                        "agent_id": id("Only calls of this agent: its id or its handle."),
                        "limit": limit(MAX_PAGE, DEFAULT_PAGE, "How many."),
                        "cursor": id("`next_cursor` of the page before."),
                    }),
                    &[],
                ),
                output: (
                    json!({
                        "items": list_of(call, "The calls."),
                        "next_cursor": maybe("string", "Where the next page begins; null after the last."),
                    }),
                    &["items", "next_cursor"],
                ),
            }
            .into_spec(),
        )
    }

    fn serves(&self, caller: &Caller) -> bool {
        who::could_decide(caller)
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        let agent_id = match input["agent_id"].as_str() {
            Some(reference) => Some(who::agent(context, reference).await?.id),
            None => None,
        };
        let filter = PendingFilter {
            tool: input["tool"].as_str().map(str::to_owned),
            agent_id,
            before: maybe_id(&input, "cursor")?,
            limit: number(&input, "limit", usize::try_from(DEFAULT_PAGE).unwrap_or(usize::MAX)),
        };
        let page = context.invoker.house()?.pending(filter).await.map_err(of_decision)?;
        let mut items = Vec::with_capacity(page.items.len());
        for row in &page.items {
            items.push(shown(row, context).await?);
        }
        Ok(json!({"items": items, "next_cursor": page.next_cursor}))
    }
}

pub(super) struct DecideApproval;

#[async_trait]
impl Service for DecideApproval {
    fn spec(&self) -> ToolSpec {
        let decision = json!({"type": "string", "enum": ["approve", "reject"], "description": "Yes or no."});
        with_permission(
            Definition {
                name: "decide_approval",
                category: CATEGORY,
                icon: "gavel",
                description: "Approves or rejects a call that waits. An approved one begins at once. Nobody approves a call of their \
                    own, and no agent decides. Show the person what is asked, with list_approvals, before you decide for them.",
                manner: Manner::Begins,
                input: (
                    json!({
                        "invocation_id": id("The call, `inv_…`."),
                        "decision": decision,
                        "reason": text(MAX_REASON, "reject: why; the caller is told."),
                        "digest": text(128, "`digest` of the call as it was shown: the decision counts only for that."),
                        "input": open("approve: this runs instead of what was asked."),
                        "always": flag("approve: the agent need not ask for this tool again. Not for tools that write outside."),
                    }),
                    &["invocation_id", "decision"],
                ),
                output: (
                    json!({
                        "invocation_id": said("The call, `inv_…`."),
                        "decision": said("approve or reject."),
                        "status": said("How the call stands; pending while more people must agree."),
                        "decided_by": maybe("string", "Who decided."),
                    }),
                    &["invocation_id", "decision", "status", "decided_by"],
                ),
            }
            .into_spec(),
        )
    }

    fn serves(&self, caller: &Caller) -> bool {
        who::could_decide(caller)
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        // A tool that somebody else wrote must not decide in the name of whoever calls it.
        if context.invoker.depth() > 0 {
            return Err(forbidden("a person decides by themselves: no other tool decides for them"));
        }
        let id: InvocationId = parsed(word(&input, "invocation_id"))?;
        let decision = word(&input, "decision");
        let ruling = ruling(decision, &input)?;
        let digest = input["digest"].as_str();
        let row = context.invoker.house()?.decide(id, digest, ruling).await.map_err(of_decision)?;
        Ok(json!({
            "invocation_id": row.id, "decision": decision, "status": row.status(),
            "decided_by": row.approval_decided_by,
        }))
    }
}

fn ruling(decision: &str, input: &Value) -> Result<Ruling, ToolError> {
    let only_for_yes = input.get("input").is_some() || input["always"] == json!(true);
    match decision {
        "approve" => Ok(Ruling::Approve(Approval {
            edited_input: input.get("input").cloned(),
            always: input["always"].as_bool().unwrap_or_default(),
            confirm_self: false,
        })),
        _ if only_for_yes => Err(ToolError::validation("`input` and `always` go with approve")),
        _ => Ok(Ruling::Reject { reason: input["reason"].as_str().unwrap_or_default().to_owned() }),
    }
}
