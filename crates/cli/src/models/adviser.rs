//! What the providers that are set up will not know of a tool. It is said when a tool is saved, and at no other time: the door holds
//! every call against the whole schema anyway.

use toolgate_agents::llm::{Dialect, ToolSchema, tool_warnings};
use toolgate_domain::ToolSpec;
use toolgate_engine::Adviser;

use super::HouseModels;

pub(crate) struct SchemaAdviser {
    /// Each dialect that is spoken, with the providers that speak it.
    spoken: Vec<(Dialect, String)>,
}

impl SchemaAdviser {
    pub(crate) fn new(models: &HouseModels) -> Self {
        let speakers = |dialect: Dialect| {
            let named: Vec<&str> = models
                .configs()
                .filter(|config| config.api.dialect() == Some(dialect))
                .map(|config| config.name.as_str())
                .collect();
            (!named.is_empty()).then(|| (dialect, named.join(", ")))
        };
        Self { spoken: Dialect::ALL.into_iter().filter_map(speakers).collect() }
    }
}

impl Adviser for SchemaAdviser {
    fn warnings(&self, spec: &ToolSpec) -> Vec<String> {
        let tool = ToolSchema {
            name: spec.name.to_string(),
            description: spec.description.clone(),
            input_schema: spec.input_schema.clone(),
        };
        let of = |(dialect, names): &(Dialect, String)| {
            let warnings = tool_warnings(*dialect, &tool);
            warnings.into_iter().map(|warning| format!("{names}: {warning}")).collect::<Vec<_>>()
        };
        self.spoken.iter().flat_map(of).collect()
    }
}
