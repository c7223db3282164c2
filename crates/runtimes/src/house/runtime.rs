//! Runs tools of kind `house`.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use serde_json::Value;
use toolgate_domain::{
    Caller, Scope, Tool, ToolError, ToolSpec,
    tool::{Execution, Origin},
};
use toolgate_engine::{Halt, Output, RunContext, Runtime};

use super::{
    agent_tools::{AssignAgentTool, ListAgentTools, RevokeAgentTool},
    agents::{ArchiveAgent, CreateAgent, GetAgent, ListAgents, UpdateAgent},
    approvals::{DecideApproval, ListApprovals},
    calls::{ExplainDecision, GetInvocation, GetReceipt},
    definition::KIND,
    runs::{CancelAgentRun, ListAgentRunEvents, StartAgentTeamRun},
    search::SearchTools,
};

/// One tool of the house.
#[async_trait]
pub(super) trait Service: Send + Sync {
    fn spec(&self) -> ToolSpec;

    /// Whether a call of this caller could ever get through.
    fn serves(&self, _caller: &Caller) -> bool {
        true
    }

    /// What the person who agrees to such a call of an agent must hold.
    fn agreeing_needs(&self) -> Option<Scope> {
        None
    }

    /// The input has passed the schema.
    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError>;
}

/// The runtime of kind `house`.
pub struct HouseRuntime {
    services: BTreeMap<String, Box<dyn Service>>,
}

impl Default for HouseRuntime {
    fn default() -> Self {
        let all: [Box<dyn Service>; 17] = [
            Box::new(ListAgents),
            Box::new(GetAgent),
            Box::new(CreateAgent),
            Box::new(UpdateAgent),
            Box::new(ArchiveAgent),
            Box::new(ListAgentTools),
            Box::new(AssignAgentTool),
            Box::new(RevokeAgentTool),
            Box::new(ListAgentRunEvents),
            Box::new(StartAgentTeamRun),
            Box::new(CancelAgentRun),
            Box::new(ListApprovals),
            Box::new(DecideApproval),
            Box::new(GetInvocation),
            Box::new(GetReceipt),
            Box::new(ExplainDecision),
            Box::new(SearchTools),
        ];
        Self { services: all.into_iter().map(|one| (one.spec().name.to_string(), one)).collect() }
    }
}

impl HouseRuntime {
    /// The definitions of everything it serves, by name.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.services.values().map(|service| service.spec()).collect()
    }

    fn find(&self, execution: &Execution) -> Result<&dyn Service, String> {
        let name = execution.config.get("handler").and_then(Value::as_str);
        let found = name.and_then(|name| self.services.get(name));
        found.map(|service| &**service).ok_or_else(|| {
            let known: Vec<_> = self.services.keys().map(String::as_str).collect();
            format!("/handler: names the tool of the house to run: one of {}", known.join(", "))
        })
    }
}

#[async_trait]
impl Runtime for HouseRuntime {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn check(&self, execution: &Execution) -> Result<(), String> {
        toolgate_domain::tool::reject_unknown_keys(&execution.config, &["handler"])
            .map_err(|error| error.to_string())?;
        self.find(execution).map(drop)
    }

    fn serves(&self, tool: &Tool, caller: &Caller) -> bool {
        self.find(&tool.spec.execution).is_ok_and(|service| service.serves(caller))
    }

    fn agreeing_needs(&self, tool: &Tool, _input: &Value) -> Option<Scope> {
        self.find(&tool.spec.execution).ok().and_then(|service| service.agreeing_needs())
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        // Under another name and description somebody could be led to decide what they did not mean to.
        if tool.origin != Origin::Code {
            let message =
                format!("tools of kind `{KIND}` ship with the program: call them by their own names");
            return Err(ToolError::denied(message).into());
        }
        let service = self.find(&tool.spec.execution).map_err(ToolError::validation)?;
        Ok(service.run(input, &context).await?.into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgate_domain::tool::EgressClass;

    use super::*;

    #[test]
    fn every_tool_touches_nothing_outside_and_says_what_it_takes_and_answers() {
        let specs = HouseRuntime::default().specs();
        assert_eq!(specs.len(), 17);
        for spec in specs {
            assert_eq!(spec.egress_class, EgressClass::None, "{}", spec.name);
            let output = spec.output_schema.as_ref().unwrap();
            for schema in [&spec.input_schema, output] {
                assert_eq!(schema["type"], json!("object"), "{}", spec.name);
                assert_eq!(schema["additionalProperties"], json!(false), "{}", spec.name);
                assert!(jsonschema::draft202012::new(schema).is_ok(), "{}", spec.name);
                assert!(schema.get("oneOf").or(schema.get("anyOf")).or(schema.get("allOf")).is_none());
            }
            let hints = spec.annotations;
            assert!(hints.read_only_hint.is_some() && hints.destructive_hint.is_some(), "{}", spec.name);
        }
    }

    #[test]
    fn old_names_lead_to_tools_that_there_are() {
        let specs = HouseRuntime::default().specs();
        let names = super::super::old_names();
        let (input, _) = names_of_today(&names, "get_agent", json!({"ai_lenser_id": "x"}));
        assert_eq!(input, json!({"agent_id": "x"}));
        assert!(specs.iter().any(|spec| spec.name.as_str() == "get_agent"));
    }

    fn names_of_today(names: &toolgate_engine::OldNames, tool: &str, input: Value) -> (Value, Vec<String>) {
        names.renamed(tool, input).unwrap()
    }
}
