//! What a model means by a call. Where tools are searched, `search_tools` and `call_tool` are words of the conversation and no tools:
//! before anything is done, the call that is meant takes the place of the one that was said.

use serde_json::{Map, Value, json};
use toolgate_domain::{CALL_TOOL, SEARCH_TOOLS, ToolError};

use super::{
    Begin,
    toolset::{FOUND, MAX_FOUND},
};
use crate::llm::{Arguments, ToolCall, parse_arguments};

/// Searches of one turn.
const MAX_SEARCHES: usize = 8;
/// Names that somebody who wrote another one is told.
const MAX_NEAREST: usize = 3;
/// How like a name must be to one that is there, from 0 to 1.
const MIN_LIKENESS: f64 = 0.75;

/// One call of a turn.
pub(super) struct Wish {
    /// The call that is meant, by the real name of its tool. Its id is the one that the model gave.
    pub(super) call: ToolCall,
    /// The name that the model said, which its provider wants to hear back.
    pub(super) said: String,
    pub(super) meant: Meant,
}

pub(super) enum Meant {
    /// A call of a tool: it goes through the door.
    Tool,
    /// Something that is looked up, and then known.
    Search { query: String, limit: u64 },
    /// Nothing that leaves the conversation; this is the answer.
    Answer { content: Value, is_error: bool },
}

impl Wish {
    /// What the calls of a turn mean.
    pub(super) fn all(begin: &Begin, calls: &[ToolCall]) -> Vec<Self> {
        let mut wishes: Vec<_> = calls.iter().map(|call| Self::of(begin, call)).collect();
        let searches = wishes.iter_mut().filter(|wish| matches!(wish.meant, Meant::Search { .. }));
        for wish in searches.skip(MAX_SEARCHES) {
            wish.meant = refused(format!("one turn searches at most {MAX_SEARCHES} times"));
        }
        wishes
    }

    fn of(begin: &Begin, call: &ToolCall) -> Self {
        let (call, said) = (call.clone(), call.name.clone());
        if !begin.by_search {
            return Self { call, said, meant: Meant::Tool };
        }
        match said.as_str() {
            SEARCH_TOOLS => Self { meant: search(&call.arguments), call, said },
            CALL_TOOL => match unwrapped(&call) {
                Ok(call) if call.name == SEARCH_TOOLS => Self { meant: search(&call.arguments), call, said },
                Ok(call) => Self { call, said, meant: Meant::Tool },
                Err(message) => Self { call, said, meant: refused(message) },
            },
            _ => Self { call, said, meant: Meant::Tool },
        }
    }

    /// Whether the model said one thing and meant another, and has to be told which.
    pub(super) fn is_wrapped(&self) -> bool {
        self.said != self.call.name
    }
}

/// The call that is inside another one.
fn unwrapped(call: &ToolCall) -> Result<ToolCall, String> {
    let wants = || format!("{CALL_TOOL} takes {{\"name\": \"…\", \"arguments\": {{…}}}}");
    let Arguments::Json(Value::Object(fields)) = &call.arguments else {
        return Err(format!("the arguments are not a JSON object: {}", wants()));
    };
    let name = match fields.get("name").and_then(Value::as_str).map(str::trim) {
        None | Some("") => return Err(format!("there is no `name`: {}", wants())),
        Some(CALL_TOOL) => {
            return Err(format!("{CALL_TOOL} does not call itself: name the tool that is meant"));
        }
        Some(name) => name.to_owned(),
    };
    let arguments = match fields.get("arguments") {
        None | Some(Value::Null) => Arguments::Json(Value::Object(Map::new())),
        // Some models write JSON into JSON.
        Some(Value::String(text)) => match parse_arguments(text) {
            Arguments::Json(value @ Value::Object(_)) => Arguments::Json(value),
            _ => Arguments::Malformed(text.clone()),
        },
        Some(value) => Arguments::Json(value.clone()),
    };
    Ok(ToolCall { id: call.id.clone(), name, arguments })
}

fn search(arguments: &Arguments) -> Meant {
    let fields = match arguments {
        Arguments::Json(Value::Object(fields)) => fields,
        _ => return refused(format!("{SEARCH_TOOLS} takes {{\"query\": \"…\"}}")),
    };
    match fields.get("query").and_then(Value::as_str).map(str::trim) {
        None | Some("") => {
            refused(format!("{SEARCH_TOOLS} needs a `query`: words for what the tool should do"))
        }
        Some(query) => {
            let limit = fields.get("limit").and_then(Value::as_u64).unwrap_or(FOUND).clamp(1, MAX_FOUND);
            Meant::Search { query: query.to_owned(), limit }
        }
    }
}

fn refused(message: String) -> Meant {
    Meant::Answer { content: json!({"error": ToolError::validation(message)}), is_error: true }
}

/// The names of the run's tools that are most like one that is none of them, the most like first.
pub(super) fn nearest<'a>(begin: &'a Begin, name: &str) -> Vec<&'a str> {
    let name: String = name.chars().take(64).collect::<String>().to_lowercase();
    let like = |tool: &str| strsim::jaro_winkler(&tool.to_lowercase(), &name);
    let names = begin.tools.iter().map(|tool| (like(&tool.name), tool.name.as_str()));
    let mut names: Vec<_> = names.filter(|(likeness, _)| *likeness >= MIN_LIKENESS).collect();
    names.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    names.into_iter().take(MAX_NEAREST).map(|(_, name)| name).collect()
}
