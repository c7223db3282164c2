//! From a receipt to what a client is told. A failure of a tool is a result; a question that cannot be asked is a protocol error.

use std::fmt;

use rmcp::{
    ErrorData,
    model::{CallToolResult, ContentBlock, JsonObject, MetaObject, Resource},
};
use serde_json::{Value, json};
use toolgate_domain::{
    Attachment, Envelope, TenantId, Tool, ToolError,
    tool::portable::{RESULT, wraps_output},
};
use toolgate_engine::Refused;

use super::{
    Gateway,
    resources::{blob_uri, output_uri},
    tools::promises_structure,
};
use crate::content::hands_on_content;

impl Gateway {
    /// The result that a receipt stands for.
    pub(super) async fn result_of(
        &self,
        tenant: TenantId,
        mut envelope: Envelope,
    ) -> Result<CallToolResult, ErrorData> {
        let mut result = match &envelope.error {
            Some(error) => failed(error),
            None => {
                let output = envelope.output.take().unwrap_or(Value::Null);
                let tool = self.engine.registry().version(tenant, &envelope.name, &envelope.version).await;
                self.succeeded(tool.as_deref(), &envelope, output).await?
            }
        };
        let meta = result.meta.get_or_insert_default();
        meta.0.insert("toolgate/receipt".to_owned(), receipt(&envelope));
        Ok(result)
    }

    async fn succeeded(
        &self,
        tool: Option<&Tool>,
        envelope: &Envelope,
        output: Value,
    ) -> Result<CallToolResult, ErrorData> {
        let links = || envelope.attachments.iter().filter_map(link);
        if tool.is_some_and(hands_on_content) && !envelope.truncated {
            let mut content = blocks(&output)?;
            content.extend(links());
            return Ok(CallToolResult::success(content));
        }
        let max_text = usize::try_from(self.engine.limits().mcp_max_text_bytes).unwrap_or(usize::MAX);
        // Not `to_string`, which takes the long way through a formatter.
        let text = serde_json::to_string(&output).unwrap_or_default();
        let whole =
            if envelope.truncated { Box::pin(self.whole_output(envelope)).await? } else { Some(output) };
        let is_long = text.len() > max_text;
        let mut content = vec![ContentBlock::text(cut(text, max_text))];
        if is_long && !envelope.truncated {
            let uri = output_uri(envelope.invocation_id);
            let resource = Resource::new(uri, "output.json").with_mime_type("application/json");
            content.push(ContentBlock::resource_link(resource));
        }
        content.extend(links());
        let promised = tool.is_some_and(promises_structure);
        match whole {
            Some(whole) => {
                let mut result = CallToolResult::success(content);
                let wraps = tool.and_then(|tool| tool.spec.output_schema.as_ref()).map(wraps_output);
                result.structured_content = structured(whole, wraps);
                Ok(result)
            }
            None if promised => {
                let too_big = "RESULT_TOO_LARGE: the call ended well, but its result is too large for this protocol. \
                     What follows is a part of it; the link leads to all of it. Do not make the call again.";
                content.insert(0, ContentBlock::text(too_big));
                // Clients take a result that promises structured content and has none only as an error.
                Ok(CallToolResult::error(content))
            }
            None => Ok(CallToolResult::success(content)),
        }
    }
}

/// Structured content is an object in every revision but the newest: anything else is wrapped, as the published schema says.
fn structured(output: Value, wraps: Option<bool>) -> Option<Value> {
    match wraps {
        Some(true) => Some(json!({RESULT: output})),
        Some(false) => Some(output),
        // Nothing is promised; what is an object is given all the same.
        None => output.is_object().then_some(output),
    }
}

/// Content as another server made it.
fn blocks(output: &Value) -> Result<Vec<ContentBlock>, ErrorData> {
    serde_json::from_value(output["content"].clone()).map_err(|error| {
        tracing::error!(%error, "content of another server cannot be handed on");
        ErrorData::internal_error("the result cannot be shown as content", None)
    })
}

/// As much as fits, cut between characters.
fn cut(text: String, max: usize) -> String {
    if text.len() <= max {
        return text;
    }
    let end = text.floor_char_boundary(max);
    format!("{}\n… {} of {} bytes; the link leads to the whole.", &text[..end], end, text.len())
}

fn link(attachment: &Attachment) -> Option<ContentBlock> {
    let id = attachment.url.strip_prefix("/api/blobs/")?;
    let mut resource = Resource::new(blob_uri(id), id);
    resource.mime_type.clone_from(&attachment.content_type);
    resource.size = attachment.bytes;
    Some(ContentBlock::resource_link(resource))
}

/// A failure is data: the stable code first, for models and programs.
fn failed(error: &ToolError) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(error.to_string())]);
    result.meta = Some(MetaObject(JsonObject::from_iter([("toolgate/error".to_owned(), json!(error))])));
    result
}

pub(super) fn receipt(envelope: &Envelope) -> Value {
    let mut receipt = json!({
        "invocation_id": envelope.invocation_id, "session_id": envelope.session_id, "call_id": envelope.call_id,
        "name": envelope.name, "version": envelope.version,
    });
    for (key, value) in [("cached", envelope.cached), ("truncated", envelope.truncated)] {
        if value {
            receipt[key] = Value::Bool(true);
        }
    }
    if !envelope.warnings.is_empty() {
        receipt["warnings"] = json!(envelope.warnings);
    }
    receipt
}

/// There is no such tool for this caller.
pub(super) fn protocol_error(envelope: &Envelope) -> ErrorData {
    let message = envelope.error.as_ref().map_or("there is no such tool", |error| error.message.as_str());
    let data = json!({"invocation_id": envelope.invocation_id, "name": envelope.name});
    ErrorData::invalid_params(message.to_owned(), Some(data))
}

/// The call could not be recorded, and was not made.
pub(super) fn refused(why: &Refused) -> ErrorData {
    let code = match why {
        Refused::Overloaded => "OVERLOADED",
        Refused::Unavailable(_) => "UNAVAILABLE",
        Refused::Stopping => "STOPPING",
        Refused::StillRunning(_) => "STILL_RUNNING",
    };
    if let Refused::Unavailable(error) = why {
        tracing::error!(%error, "a call of an MCP client could not be recorded");
        return ErrorData::internal_error(
            "the call could not be recorded, so it was not made: try again in a moment",
            Some(json!({"code": code})),
        );
    }
    ErrorData::internal_error(why.to_string(), Some(json!({"code": code})))
}

/// What is wrong stays in the log.
pub(super) fn unavailable(error: &dyn fmt::Display) -> ErrorData {
    tracing::error!(%error, "a question of an MCP client cannot be answered");
    ErrorData::internal_error("the server cannot read its records: try again in a moment", None)
}
