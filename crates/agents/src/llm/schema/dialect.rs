//! One door to the translations.

use serde_json::Value;

use super::{gemini, loose, strict};
use crate::llm::{NameRule, ToolSchema};

/// Characters of a function's description that OpenAI takes.
const MAX_OPENAI_DESCRIPTION: usize = 1_024;

/// Whose JSON Schema it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Chat completions, responses, and the servers that speak them.
    OpenAi,
    Anthropic,
    Gemini,
}

impl Dialect {
    pub const ALL: [Self; 3] = [Self::OpenAi, Self::Anthropic, Self::Gemini];

    fn name_rule(self) -> NameRule {
        match self {
            Self::OpenAi | Self::Anthropic => NameRule::Plain,
            Self::Gemini => NameRule::Gemini,
        }
    }
}

/// A schema in a dialect.
#[derive(Clone, Debug, PartialEq)]
pub struct Translated {
    pub schema: Value,
    /// The provider holds the model to it.
    pub strict: bool,
    /// Why it does not, where it could.
    pub loose_because: Option<String>,
    /// What was rewritten or dropped. The door still holds every call against the whole schema.
    pub warnings: Vec<String>,
}

/// The schema of a tool's input.
pub fn translate(dialect: Dialect, schema: &Value) -> Translated {
    match dialect {
        Dialect::OpenAi => match strict::translate(strict::Rules::OPENAI, schema) {
            Ok(translated) => translated,
            Err(reason) => Translated { loose_because: Some(reason), ..loose::translate(schema, |_| true) },
        },
        Dialect::Anthropic => loose::translate(schema, loose::is_anthropic_key),
        Dialect::Gemini => gemini::translate(schema),
    }
}

/// The schema of an answer; `None` when the provider cannot be held to it.
pub fn translate_output(dialect: Dialect, schema: &Value) -> Option<Translated> {
    match dialect {
        Dialect::OpenAi => strict::translate(strict::Rules::OPENAI, schema).ok(),
        Dialect::Anthropic => strict::translate(strict::Rules::ANTHROPIC, schema).ok(),
        Dialect::Gemini => gemini::translate_output(schema),
    }
}

/// What a provider will not know of a tool's input.
pub fn warnings_for(dialect: Dialect, schema: &Value) -> Vec<String> {
    translate(dialect, schema).warnings
}

/// What a provider will see differently of a tool altogether: its name, its description, its input.
pub fn tool_warnings(dialect: Dialect, tool: &ToolSchema) -> Vec<String> {
    let mut warnings = Vec::new();
    if !dialect.name_rule().is_legal(&tool.name) {
        warnings.push(format!("the name `{}` is sent in another spelling", tool.name));
    }
    if described(dialect, &tool.description) != tool.description {
        warnings.push(format!("the description is cut to {MAX_OPENAI_DESCRIPTION} characters"));
    }
    warnings.extend(warnings_for(dialect, &tool.input_schema));
    warnings
}

/// The description as far as the provider takes it.
pub(in crate::llm) fn described(dialect: Dialect, description: &str) -> String {
    if dialect != Dialect::OpenAi || description.chars().count() <= MAX_OPENAI_DESCRIPTION {
        return description.to_owned();
    }
    description.chars().take(MAX_OPENAI_DESCRIPTION - 1).chain(['…']).collect()
}
