//! What the definitions of this runtime's own tools share.

use semver::Version;
use serde_json::Value;
use toolgate_domain::{
    EgressClass, ErrorCode, ToolSpec,
    tool::{Annotations, Example, Execution, OutputSection, Risk},
};

pub(super) struct Definition {
    pub(super) name: &'static str,
    pub(super) category: &'static str,
    /// A lucide icon.
    pub(super) icon: &'static str,
    pub(super) description: &'static str,
    pub(super) input_schema: Value,
    pub(super) output_schema: Value,
    pub(super) egress_class: EgressClass,
    pub(super) risk: Risk,
    pub(super) secrets: &'static [&'static str],
    pub(super) output_sections: Vec<OutputSection>,
    /// An input that is refused: it shows the bounds, and can be run without anybody outside.
    pub(super) refused: (&'static str, Value),
}

impl Definition {
    const TIMEOUT_MS: u64 = 60_000;

    #[expect(clippy::expect_used, reason = "the names are literals, and a test builds every definition")]
    pub(super) fn into_spec(self) -> ToolSpec {
        let reads = self.egress_class == EgressClass::ReadOnly;
        ToolSpec {
            category: self.category.to_owned(),
            icon: Some(self.icon.to_owned()),
            output_schema: Some(self.output_schema),
            egress_class: self.egress_class,
            risk: self.risk,
            requires_approval: !reads,
            annotations: Annotations {
                read_only_hint: Some(reads),
                destructive_hint: Some(!reads),
                idempotent_hint: Some(reads),
                open_world_hint: Some(true),
            },
            secrets: self.secrets.iter().map(|&name| name.to_owned()).collect(),
            timeout_ms: Some(Self::TIMEOUT_MS),
            output_sections: self.output_sections,
            examples: vec![Example {
                name: Some(self.refused.0.to_owned()),
                input: self.refused.1,
                output: None,
                error: Some(ErrorCode::ValidationError),
            }],
            ..ToolSpec::new(
                self.name.parse().expect("a literal tool name"),
                Version::new(1, 0, 0),
                self.description,
                self.input_schema,
                Execution::new("http", [("handler", self.name)]),
            )
        }
    }
}
