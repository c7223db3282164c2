//! Tools as Python functions: each call of one goes through the door, on behalf of whoever called the script.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde_json::{Map, Value};
use toolgate_domain::ToolError;
use toolgate_engine::{Inner, Invoker};

use super::{HostAnswer, HostCall, HostCalls, PythonConfig, Source};

/// Names in a caller's script that are looked up among the tools.
const MAX_NAMES: usize = 512;

/// What Python means by these, it means whatever tools there are.
const PYTHONS_OWN: &[&str] = &[
    "abs",
    "all",
    "and",
    "any",
    "as",
    "assert",
    "async",
    "await",
    "bool",
    "break",
    "bytes",
    "class",
    "continue",
    "def",
    "dict",
    "elif",
    "else",
    "enumerate",
    "except",
    "filter",
    "finally",
    "float",
    "for",
    "from",
    "frozenset",
    "if",
    "import",
    "in",
    "input",
    "int",
    "is",
    "isinstance",
    "lambda",
    "len",
    "list",
    "map",
    "max",
    "min",
    "not",
    "open",
    "or",
    "pass",
    "print",
    "raise",
    "range",
    "repr",
    "return",
    "reversed",
    "round",
    "set",
    "sorted",
    "str",
    "sum",
    "try",
    "tuple",
    "type",
    "while",
    "with",
    "yield",
    "zip",
];

/// The tools of one run, by the name that the script calls them by.
pub(super) struct Toolbox {
    invoker: Invoker,
    tools: BTreeMap<String, Function>,
}

struct Function {
    /// As the author named it: `name`, `name@1.2.0` or `name@^1`.
    reference: String,
    /// The order of positional arguments: what the tool requires first, in its own order, then the rest by name.
    parameters: Vec<String>,
}

impl Toolbox {
    /// A tool's own script calls the tools that its author listed; a caller's script calls those that it names and the caller sees.
    pub(super) async fn of(config: &PythonConfig, code: &str, invoker: &Invoker) -> Result<Self, ToolError> {
        let named: Vec<(String, String)> = match config.source {
            Source::Code(_) => config.tools.iter().map(|tool| (identifier(tool), tool.clone())).collect(),
            Source::Input => names_in(code).into_iter().map(|name| (name.clone(), name)).collect(),
        };
        let mut tools = BTreeMap::new();
        if named.is_empty() {
            return Ok(Self { invoker: invoker.clone(), tools });
        }
        let house = invoker.house()?;
        for (name, reference) in named {
            let mut found = house.tool(&reference).await.map(|tool| (reference.clone(), tool));
            if found.is_err() && config.source == Source::Input && name.contains('_') {
                let hyphenated = name.replace('_', "-");
                found = house.tool(&hyphenated).await.map(|tool| (hyphenated, tool));
            }
            let function = match found {
                Ok((reference, tool)) => {
                    Function { reference, parameters: parameters(&tool.spec.input_schema) }
                }
                // What its author listed is called all the same, so that the door says what is wrong.
                Err(_) if config.source != Source::Input => Function { reference, parameters: Vec::new() },
                Err(_) => continue,
            };
            tools.insert(name, function);
        }
        Ok(Self { invoker: invoker.clone(), tools })
    }
}

#[async_trait]
impl HostCalls for Toolbox {
    fn functions(&self) -> Vec<String> {
        self.tools.keys().cloned().collect()
    }

    async fn call(&self, call: &HostCall) -> HostAnswer {
        let failed = |error: ToolError| HostAnswer::Error {
            code: error.code.as_str().to_owned(),
            message: error.message,
        };
        let Some(function) = self.tools.get(&call.function) else {
            return failed(ToolError::validation(format!("there is no tool `{}` here", call.function)));
        };
        let input = match arguments(function, call) {
            Ok(input) => input,
            Err(message) => return failed(ToolError::validation(message)),
        };
        match self.invoker.call(call.seq.saturating_sub(1), &function.reference, input).await {
            Ok(Inner::Waiting(_)) => HostAnswer::Waiting,
            Ok(Inner::Done(envelope)) => match envelope.error {
                Some(error) => failed(error),
                None => HostAnswer::Value(envelope.output.unwrap_or(Value::Null)),
            },
            Err(error) => failed(error),
        }
    }
}

/// Keyword arguments are the input's keys; positional ones come in the order of the parameters. A single dict is the whole input,
/// where the tool has no parameter that would take it.
fn arguments(function: &Function, call: &HostCall) -> Result<Value, String> {
    if let ([Value::Object(input)], true) = (call.args.as_slice(), call.kwargs.is_empty())
        && function.parameters.len() != 1
    {
        return Ok(Value::Object(input.clone()));
    }
    let mut input: Map<String, Value> = call.kwargs.clone();
    for (place, value) in call.args.iter().enumerate() {
        let Some(name) = function.parameters.get(place) else {
            return Err(format!(
                "{} takes {} arguments, and was given {}",
                call.function,
                function.parameters.len(),
                call.args.len()
            ));
        };
        if input.insert(name.clone(), value.clone()).is_some() {
            return Err(format!("{} was given `{name}` twice", call.function));
        }
    }
    Ok(Value::Object(input))
}

fn parameters(schema: &Value) -> Vec<String> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut names: Vec<String> = required.map(str::to_owned).collect();
    let mut rest: Vec<String> =
        schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys().cloned()).collect();
    rest.sort();
    rest.retain(|name| !names.contains(name));
    names.extend(rest);
    names
}

/// `get-weather@^1` is called `get_weather`.
pub(super) fn identifier(reference: &str) -> String {
    reference.split('@').next().unwrap_or_default().replace('-', "_")
}

/// The words of a script that may be names of tools, each once, in order.
fn names_in(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for word in code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
        let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.len() <= 64;
        if is_name && !PYTHONS_OWN.contains(&word) && !names.iter().any(|name| name == word) {
            names.push(word.to_owned());
            if names.len() == MAX_NAMES {
                break;
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(args: Value, kwargs: Value) -> HostCall {
        let (Value::Array(args), Value::Object(kwargs)) = (args, kwargs) else { unreachable!() };
        HostCall { seq: 1, function: "send".to_owned(), args, kwargs }
    }

    fn send() -> Function {
        let schema = json!({"properties": {"to": {}, "text": {}, "cc": {}}, "required": ["to", "text"]});
        Function { reference: "send".to_owned(), parameters: parameters(&schema) }
    }

    #[test]
    fn arguments_are_given_by_place_by_name_or_as_a_whole() {
        let whole = json!({"to": "ada", "text": "hi"});
        assert_eq!(arguments(&send(), &call(json!(["ada", "hi"]), json!({}))).unwrap(), whole);
        assert_eq!(arguments(&send(), &call(json!(["ada"]), json!({"text": "hi"}))).unwrap(), whole);
        assert_eq!(arguments(&send(), &call(json!([whole]), json!({}))).unwrap(), whole);
        assert_eq!(arguments(&send(), &call(json!(["a", "b", "c"]), json!({}))).unwrap()["cc"], "c");
    }

    #[test]
    fn too_many_arguments_and_doubled_ones_are_refused() {
        let refused = arguments(&send(), &call(json!([1, 2, 3, 4]), json!({}))).unwrap_err();
        assert!(refused.contains("takes 3 arguments, and was given 4"), "{refused}");
        let refused = arguments(&send(), &call(json!(["ada"]), json!({"to": "bob"}))).unwrap_err();
        assert!(refused.contains("`to` twice"), "{refused}");
    }

    #[test]
    fn the_words_of_a_script_are_looked_up_once_and_pythons_own_never() {
        let code = "rows = [lookup(id=i) for i in range(3)]\nprint(sum(lookup(1)), 'mail')";
        assert_eq!(names_in(code), ["rows", "lookup", "id", "i", "mail"]);
    }
}
