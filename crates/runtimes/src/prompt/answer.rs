//! The model's answer: text as it comes, or JSON that fits a schema.

use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_domain::{ErrorCode, ToolError, json::parse};
use toolgate_engine::{
    ModelMessage, ModelReply, ModelRole, Output, RunContext, SchemaValidator, compile_schema, complaints,
};

use super::{ask::Question, metered::Metered};

/// Pieces of text that wait for the ledger before the model has to.
const DELTA_QUEUE: usize = 64;
const MAX_REPLY_BYTES: usize = 4 * 1024 * 1024;
const MAX_JSON_DEPTH: usize = 64;
/// Of an answer that does not fit, what the error shows.
const SHOWN_CHARS: usize = 500;

/// Asks for text, and streams it.
pub(super) async fn text(
    model: &Metered<'_>,
    asked: Question,
    context: &RunContext,
) -> Result<Output, ToolError> {
    let (deltas, mut incoming) = mpsc::channel(DELTA_QUEUE);
    let pass_on = async {
        while let Some(delta) = incoming.recv().await {
            context.emit(json!({"text": delta})).await;
        }
    };
    let (reply, ()) = futures::join!(model.complete(asked.request, Some(deltas)), pass_on);
    let reply = bounded(reply?)?;
    let mut output = Output::from(json!({"text": reply.text}));
    output.cost_estimate = reply.cost_estimate;
    Ok(output)
}

/// Asks for JSON of a schema; an answer that does not fit is sent back with what is wrong, `max_reasks` times.
pub(super) async fn structured(
    model: &Metered<'_>,
    asked: Question,
    schema: &Value,
    max_reasks: u64,
) -> Result<Output, ToolError> {
    let validator = compile_schema(schema).map_err(|message| ToolError::new(ErrorCode::Unknown, message))?;
    let (mut request, mut cost, mut asks) = (asked.request, None, 0);
    loop {
        let reply = bounded(model.complete(request.clone(), None).await?)?;
        asks += 1;
        if let Some(more) = reply.cost_estimate {
            *cost.get_or_insert(0.0) += more;
        }
        let wrong = match fitting(&validator, &reply.text) {
            Ok(value) => {
                let mut output = Output::from(value);
                output.cost_estimate = cost;
                return Ok(output);
            }
            Err(wrong) => wrong,
        };
        if asks > max_reasks {
            return Err(misfit(asks, &wrong, &reply.text));
        }
        request.messages.push(ModelMessage { role: ModelRole::Assistant, content: reply.text });
        request.messages.push(ModelMessage { role: ModelRole::User, content: again(&wrong) });
    }
}

/// The JSON of an answer that fits; otherwise what is wrong with it.
pub(super) fn fitting(validator: &SchemaValidator, text: &str) -> Result<Value, Vec<Value>> {
    let value = read(text).map_err(|message| vec![json!({"path": "", "message": message})])?;
    let wrong = complaints(validator, &value);
    if wrong.is_empty() { Ok(value) } else { Err(wrong) }
}

/// Why the tool fails when it was asked often enough.
pub(super) fn misfit(asks: u64, wrong: &[Value], text: &str) -> ToolError {
    let message = format!("the model's answer does not fit the output schema, asked {asks} times");
    let shown: String = text.chars().take(SHOWN_CHARS).collect();
    let details = json!({"reason": "output_schema", "asked": asks, "errors": wrong, "answer": shown});
    ToolError::new(ErrorCode::ProviderError, message).with_details(details)
}

fn bounded(reply: ModelReply) -> Result<ModelReply, ToolError> {
    if reply.text.len() <= MAX_REPLY_BYTES {
        return Ok(reply);
    }
    let message =
        format!("the model answered {} bytes; at most {MAX_REPLY_BYTES} are taken", reply.text.len());
    Err(ToolError::new(ErrorCode::ProviderError, message))
}

pub(super) fn again(wrong: &[Value]) -> String {
    let mut text =
        "That does not fit. Answer again, with JSON that fits the schema and nothing else:".to_owned();
    for complaint in wrong {
        let path = complaint["path"].as_str().filter(|path| !path.is_empty()).unwrap_or("/");
        text += &format!("\n- {path}: {}", complaint["message"].as_str().unwrap_or_default());
    }
    text
}

/// The JSON in an answer: alone, in a code fence, or with words around it.
fn read(text: &str) -> Result<Value, String> {
    let text = text.trim();
    let fenced = text.split_once("```").map(|(_, rest)| {
        let rest = rest.split_once("```").map_or(rest, |(inside, _)| inside);
        // The language of the fence stands on its first line.
        rest.split_once('\n').map_or(rest, |(first, inside)| if first.contains('{') { rest } else { inside })
    });
    let braced = text.find('{').zip(text.rfind('}')).and_then(|(from, to)| text.get(from..=to));
    let mut first = None;
    for candidate in [Some(text), fenced, braced].into_iter().flatten() {
        match parse(candidate.trim().as_bytes(), MAX_JSON_DEPTH) {
            Ok(value) => return Ok(value),
            Err(error) => _ = first.get_or_insert_with(|| error.to_string()),
        }
    }
    Err(format!("not JSON: {}", first.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(r#"{"a": 1}"#)]
    #[case("```json\n{\"a\": 1}\n```")]
    #[case("```\n{\"a\": 1}```")]
    #[case("Here you are:\n```json\n{\"a\": 1}\n```\nAnything else?")]
    #[case("Sure! {\"a\": 1} is it.")]
    fn json_is_found_among_words(#[case] text: &str) {
        assert_eq!(read(text).unwrap(), json!({"a": 1}));
    }

    #[test]
    fn what_is_no_json_is_said_to_be_none() {
        assert!(read("I cannot do that.").unwrap_err().starts_with("not JSON"));
        assert!(read("").is_err());
    }
}
