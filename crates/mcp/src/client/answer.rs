//! From the result of an upstream's tool to the output of ours.

use bytes::Bytes;
use data_encoding::BASE64;
use rmcp::model::{CallToolResult, ServerResult};
use serde_json::{Map, Value, json};
use toolgate_domain::{AttachmentKind, ErrorCode, Tool, ToolError, json::encoded_len};
use toolgate_engine::{NewAttachment, Output};

use super::failure::{provider, quote};
use crate::content::hands_on_content;

/// Bytes of a picture or a sound, as they are sent, that stay in the output; longer ones become attachments.
const MAX_INLINE_BYTES: usize = 32 * 1024;
/// Bytes of the content of a failure that its details repeat.
const MAX_FAILURE_BYTES: usize = 32 * 1024;
const UNTYPED: &str = "application/octet-stream";

/// What an imported tool answers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// What its output schema describes.
    Structured,
    /// `{"content": [blocks]}`.
    Content,
}

impl Shape {
    pub(super) fn of(tool: &Tool) -> Self {
        if hands_on_content(tool) { Self::Content } else { Self::Structured }
    }
}

pub(super) fn read(result: ServerResult, shape: Shape) -> Result<Output, ToolError> {
    match result {
        ServerResult::CallToolResult(result) => read_result(result, shape),
        // What can be asked back was asked in `runtime.rs`.
        ServerResult::InputRequiredResult(_) => {
            Err(provider("needs_input", "the upstream asks for something in the middle of the call"))
        }
        ServerResult::CreateTaskResult(_) => {
            Err(provider("protocol", "the upstream answers with a task, which it was not asked for"))
        }
        _ => Err(provider("protocol", "the upstream answers with what is no result of a tool")),
    }
}

fn read_result(result: CallToolResult, shape: Shape) -> Result<Output, ToolError> {
    if result.is_error == Some(true) {
        return Err(failed(&result));
    }
    if shape == Shape::Structured {
        return match result.structured_content {
            Some(value) => Ok(value.into()),
            None => Err(provider(
                "contract",
                "the upstream's tool has an output schema and answers without such an output",
            )),
        };
    }
    let mut attachments = Vec::new();
    let blocks =
        blocks(&result)?.into_iter().map(|block| settle(block, &mut attachments)).collect::<Vec<_>>();
    Ok(Output { attachments, ..Output::from(json!({"content": blocks})) })
}

/// The blocks as they are on the wire, without what is the protocol's own.
fn blocks(result: &CallToolResult) -> Result<Vec<Map<String, Value>>, ToolError> {
    let unreadable = |_| provider("contract", "the upstream's result cannot be read");
    let mut blocks = Vec::with_capacity(result.content.len());
    for block in &result.content {
        let Value::Object(mut block) = serde_json::to_value(block).map_err(unreadable)? else { continue };
        block.remove("_meta");
        if let Some(Value::Object(resource)) = block.get_mut("resource") {
            resource.remove("_meta");
        }
        blocks.push(block);
    }
    Ok(blocks)
}

/// Moves what is long and no text out of the block.
fn settle(mut block: Map<String, Value>, attachments: &mut Vec<NewAttachment>) -> Value {
    match block.get("type").and_then(Value::as_str) {
        Some("image") => move_out(&mut block, "data", AttachmentKind::Image, attachments),
        Some("audio") => move_out(&mut block, "data", AttachmentKind::Blob, attachments),
        Some("resource") => {
            if let Some(Value::Object(resource)) = block.get_mut("resource") {
                move_out(resource, "blob", AttachmentKind::Blob, attachments);
            }
        }
        _ => {}
    }
    block.into()
}

/// What is no base64 stays: it is text, and bounded like the rest of the output.
fn move_out(
    block: &mut Map<String, Value>,
    key: &str,
    kind: AttachmentKind,
    attachments: &mut Vec<NewAttachment>,
) {
    let Some(data) = block.get(key).and_then(Value::as_str).filter(|data| data.len() > MAX_INLINE_BYTES)
    else {
        return;
    };
    let Ok(bytes) = BASE64.decode(data.as_bytes()) else { return };
    let said = block.get("mimeType").and_then(Value::as_str).filter(|said| is_media_type(said));
    let content_type = said.unwrap_or(UNTYPED).to_owned();
    block.remove(key);
    block.insert("attachment".to_owned(), attachments.len().into());
    block.insert("bytes".to_owned(), bytes.len().into());
    attachments.push(NewAttachment { kind, content_type, bytes: Bytes::from(bytes) });
}

fn is_media_type(said: &str) -> bool {
    said.len() <= 100
        && said.contains('/')
        && said.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
}

/// The tool ran and failed, by its own word.
fn failed(result: &CallToolResult) -> ToolError {
    let texts: Vec<&str> =
        result.content.iter().filter_map(|block| Some(block.as_text()?.text.as_str())).collect();
    let said = quote(&texts.join("\n"));
    let message = if said.is_empty() { "the upstream's tool failed".to_owned() } else { said };
    let content = Value::from(blocks(result).unwrap_or_default());
    let mut details = json!({"reason": "tool_error"});
    if encoded_len(&content) <= MAX_FAILURE_BYTES {
        details["content"] = content;
    }
    ToolError::new(ErrorCode::ProviderError, message).with_details(details)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(result: Value) -> ServerResult {
        ServerResult::CallToolResult(serde_json::from_value(result).unwrap())
    }

    #[test]
    fn without_an_output_schema_the_blocks_are_the_output() {
        let blocks = json!([
            {"type": "text", "text": "one", "_meta": {"secret": 1}},
            {"type": "resource_link", "uri": "file:///a", "name": "a"},
        ]);
        let output = read(result(json!({"content": blocks, "_meta": {"x": 1}})), Shape::Content).unwrap();
        let expected = json!({"content": [
            {"type": "text", "text": "one"}, {"type": "resource_link", "uri": "file:///a", "name": "a"},
        ]});
        assert_eq!(output, Output::from(expected));
    }

    #[test]
    fn with_one_the_structured_content_is_and_must_be_there() {
        let both = json!({"content": [{"type": "text", "text": "{}"}], "structuredContent": {"n": 1}});
        assert_eq!(read(result(both), Shape::Structured).unwrap(), Output::from(json!({"n": 1})));
        let error = read(result(json!({"content": []})), Shape::Structured).unwrap_err();
        assert_eq!(
            (error.code, &error.details.unwrap()["reason"]),
            (ErrorCode::ProviderError, &json!("contract"))
        );
    }

    #[test]
    fn a_failure_by_the_tools_own_word_keeps_its_words() {
        let refused = json!({"content": [{"type": "text", "text": "no such file"}], "isError": true});
        let error = read(result(refused), Shape::Structured).unwrap_err();
        assert_eq!((error.code, error.message.as_str()), (ErrorCode::ProviderError, "no such file"));
        let details = error.details.unwrap();
        assert_eq!(
            details,
            json!({"reason": "tool_error", "content": [{"type": "text", "text": "no such file"}]})
        );
    }

    #[test]
    fn long_pictures_become_attachments_and_short_ones_stay() {
        let (short, long) = (BASE64.encode(b"short"), BASE64.encode(&[7; 40_000]));
        let blocks = json!({"content": [
            {"type": "image", "data": short, "mimeType": "image/png"},
            {"type": "image", "data": long, "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "file:///a", "mimeType": "a\nb", "blob": long}},
        ]});
        let output = read(result(blocks), Shape::Content).unwrap();
        let content = &output.value["content"];
        assert_eq!(content[0]["data"], short);
        assert_eq!(
            content[1],
            json!({"type": "image", "mimeType": "image/png", "attachment": 0, "bytes": 40_000})
        );
        assert_eq!(content[2]["resource"]["attachment"], 1);
        assert_eq!(
            (output.attachments[0].kind, output.attachments[0].bytes.len()),
            (AttachmentKind::Image, 40_000)
        );
        assert_eq!(output.attachments[1].content_type, UNTYPED);
    }
}
