//! What all built-in definitions share, so that each tool writes down only what is its own.

use semver::Version;
use serde_json::Value;
use toolgate_domain::{
    ErrorCode, ToolSpec,
    tool::{Annotations, Example, Execution, OutputSection, SectionType},
};

/// The part of a definition that differs from tool to tool.
pub(super) struct Definition {
    pub(super) name: &'static str,
    pub(super) category: &'static str,
    /// A lucide icon.
    pub(super) icon: &'static str,
    pub(super) description: &'static str,
    pub(super) input_schema: Value,
    pub(super) output_schema: Value,
    pub(super) examples: Vec<Example>,
    pub(super) output_sections: Vec<OutputSection>,
    /// Whether the same input always gives the same output.
    pub(super) repeatable: bool,
}

impl Definition {
    /// Milliseconds; every built-in bounds its own work to far less.
    const TIMEOUT_MS: u64 = 15_000;

    #[expect(clippy::expect_used, reason = "the names are literals, and a test builds every definition")]
    pub(super) fn into_spec(self) -> ToolSpec {
        ToolSpec {
            category: self.category.to_owned(),
            icon: Some(self.icon.to_owned()),
            output_schema: Some(self.output_schema),
            annotations: Annotations {
                read_only_hint: Some(true),
                destructive_hint: Some(false),
                idempotent_hint: Some(self.repeatable),
                open_world_hint: Some(false),
            },
            timeout_ms: Some(Self::TIMEOUT_MS),
            output_sections: self.output_sections,
            examples: self.examples,
            ..ToolSpec::new(
                self.name.parse().expect("a literal tool name"),
                Version::new(1, 0, 0),
                self.description,
                self.input_schema,
                Execution::new("builtin", [("handler", self.name)]),
            )
        }
    }
}

/// An example that answers exactly this.
pub(super) fn answers(name: &str, input: Value, output: Value) -> Example {
    Example { name: Some(name.to_owned()), input, output: Some(output), error: None }
}

/// An example whose answer differs from call to call.
pub(super) fn runs(name: &str, input: Value) -> Example {
    Example { name: Some(name.to_owned()), input, output: None, error: None }
}

/// An example that is refused as invalid input.
pub(super) fn refuses(name: &str, input: Value) -> Example {
    Example { name: Some(name.to_owned()), input, output: None, error: Some(ErrorCode::ValidationError) }
}

pub(super) fn section(key: &str, label: &str, kind: SectionType) -> OutputSection {
    OutputSection { key: key.to_owned(), label: label.to_owned(), kind, config: None }
}
