//! What is asked of an upstream besides tools, and what it answers, as input and output of a tool.

use rmcp::model::{ArgumentInfo, CompleteRequestParams, CompletionContext, Reference, ServerResult};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use toolgate_domain::{
    ToolError,
    tool::{Execution, reject_unknown_keys},
};

use super::{failure::provider, what::What};

const READS: &str = "reads";
/// Values that complete an argument, by the protocol.
const MAX_VALUES: usize = 100;

/// The execution block of a tool that reads: `{"reads": "prompt"}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    Prompt,
    Resource,
    Completion,
}

#[derive(Deserialize)]
struct PromptInput {
    server: String,
    name: String,
    arguments: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
struct ResourceInput {
    server: String,
    uri: String,
}

#[derive(Deserialize)]
struct CompletionInput {
    server: String,
    #[serde(rename = "ref")]
    of: Reference,
    argument: ArgumentInfo,
    context: Option<CompletionContext>,
}

impl Reads {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Resource => "resource",
            Self::Completion => "completion",
        }
    }

    pub(super) fn execution(self, kind: &str) -> Execution {
        Execution::new(kind, [(READS, self.as_str())])
    }

    pub(super) fn parse(execution: &Execution) -> Result<Self, String> {
        reject_unknown_keys(&execution.config, &[READS]).map_err(|error| error.to_string())?;
        let said = execution.config.get(READS).and_then(Value::as_str);
        let all = [Self::Prompt, Self::Resource, Self::Completion];
        let known = all.into_iter().find(|reads| Some(reads.as_str()) == said);
        known.ok_or_else(|| format!("/{READS}: prompt, resource or completion"))
    }

    /// The upstream that an input names, and what it is asked for.
    pub(super) fn asked(self, input: Value) -> Result<(String, What), ToolError> {
        Ok(match self {
            Self::Prompt => {
                let PromptInput { server, name, arguments } = read(input)?;
                (server, What::Prompt { name, arguments })
            }
            Self::Resource => {
                let ResourceInput { server, uri } = read(input)?;
                (server, What::Resource { uri })
            }
            Self::Completion => {
                let CompletionInput { server, of, argument, context } = read(input)?;
                let mut params = CompleteRequestParams::new(of, argument);
                params.context = context;
                (server, What::Completion(Box::new(params)))
            }
        })
    }

    /// The output, without what is the protocol's own.
    pub(super) fn output(self, answer: ServerResult) -> Result<Value, ToolError> {
        match (self, answer) {
            (Self::Prompt, ServerResult::GetPromptResult(result)) => {
                let mut messages = wire(&result.messages)?;
                for message in messages.as_array_mut().into_iter().flatten() {
                    let Some(content) = message.get_mut("content") else { continue };
                    strip(content);
                    content.get_mut("resource").into_iter().for_each(strip);
                }
                let mut output = json!({"messages": messages});
                if let Some(description) = result.description {
                    output["description"] = description.into();
                }
                Ok(output)
            }
            (Self::Resource, ServerResult::ReadResourceResult(result)) => {
                let mut contents = wire(&result.contents)?;
                contents.as_array_mut().into_iter().flatten().for_each(strip);
                Ok(json!({"contents": contents}))
            }
            (Self::Completion, ServerResult::CompleteResult(result)) => {
                let mut completion = result.completion;
                if completion.values.len() > MAX_VALUES {
                    completion.values.truncate(MAX_VALUES);
                    completion.has_more = Some(true);
                }
                wire(&completion)
            }
            _ => Err(provider("protocol", "the upstream answers with what was not asked for")),
        }
    }
}

fn read<T: DeserializeOwned>(input: Value) -> Result<T, ToolError> {
    serde_json::from_value(input).map_err(|error| ToolError::validation(error.to_string()))
}

fn wire(value: &impl Serialize) -> Result<Value, ToolError> {
    serde_json::to_value(value).map_err(|_| provider("contract", "the upstream's result cannot be read"))
}

fn strip(value: &mut Value) {
    if let Some(fields) = value.as_object_mut() {
        fields.remove("_meta");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_protocols_own_is_not_in_the_output() {
        let result = json!({"_meta": {"a": 1}, "description": "d", "messages": [
            {"role": "user", "content": {"type": "resource", "_meta": {"b": 1},
                "resource": {"uri": "x:1", "text": "t", "_meta": {"c": 1}}}},
        ]});
        let answer = ServerResult::GetPromptResult(serde_json::from_value(result).unwrap());
        let expected = json!({"description": "d", "messages": [
            {"role": "user", "content": {"type": "resource", "resource": {"uri": "x:1", "text": "t"}}},
        ]});
        assert_eq!(Reads::Prompt.output(answer).unwrap(), expected);
    }

    #[test]
    fn a_completion_has_as_many_values_as_the_protocol_allows() {
        let values: Vec<_> = (0..300).map(|n| n.to_string()).collect();
        let answer = serde_json::from_value(json!({"completion": {"values": values}})).unwrap();
        let output = Reads::Completion.output(ServerResult::CompleteResult(answer)).unwrap();
        assert_eq!((output["values"].as_array().unwrap().len(), &output["hasMore"]), (100, &json!(true)));
    }

    #[test]
    fn an_answer_to_something_else_is_none() {
        let answer = serde_json::from_value(json!({"contents": []})).unwrap();
        assert!(Reads::Prompt.output(ServerResult::ReadResourceResult(answer)).is_err());
    }
}
