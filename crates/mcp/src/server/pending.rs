//! Calls that wait: for a person, or for what they wait for themselves.

use std::time::Duration;

use rmcp::{
    ErrorData, RoleServer,
    model::{CallToolResponse, CallToolResult, ContentBlock, JsonObject, MetaObject},
    service::RequestContext,
};
use serde_json::json;
use toolgate_domain::{Caller, Invocation, Tool};

use super::{Gateway, results::unavailable, tools::published_output};

/// Asks how a call stands.
const POLL_TOOL: &str = "get_invocation";

impl Gateway {
    /// Waits for a while; a call that still waits then is answered as pending.
    pub(super) async fn pending(
        &self,
        caller: &Caller,
        tool: Option<&Tool>,
        row: Invocation,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let patience = Duration::from_secs(self.engine.limits().mcp_wait_s);
        let waiting = self.engine.await_end(caller.tenant_id, row.id, patience);
        let now = tokio::select! {
            now = waiting => now.map_err(|error| unavailable(&error))?.unwrap_or(row),
            () = context.ct.cancelled() => {
                let _ = self.engine.cancel_for(caller, row.id).await;
                row
            }
        };
        match now.envelope() {
            Some(envelope) => Ok(self.result_of(tool, &envelope).await?.into()),
            None => Ok(still_waits(tool, &now).into()),
        }
    }
}

fn still_waits(tool: Option<&Tool>, row: &Invocation) -> CallToolResult {
    let (id, status) = (row.id, row.status());
    let why = if row.approval_required() { "a person must approve it" } else { "it goes on by itself" };
    let text = format!(
        "PENDING: the call {id} of {} waits: {why}. It is kept; do not make it again. Ask how it stands with the tool \
         `{POLL_TOOL}` and {{\"invocation_id\": \"{id}\"}}.",
        row.tool_name
    );
    let content = vec![ContentBlock::text(text)];
    // Where the tool promises structured content, clients take only an error without it.
    let promised = tool.is_some_and(|tool| published_output(tool).is_some());
    let mut result = if promised { CallToolResult::error(content) } else { CallToolResult::success(content) };
    let pending = json!({
        "invocation_id": id, "status": status, "expires_at": row.approval_expires_at,
        "poll": {"tool": POLL_TOOL, "arguments": {"invocation_id": id}},
    });
    result.meta = Some(MetaObject(JsonObject::from_iter([("toolgate/pending".to_owned(), pending)])));
    result
}
