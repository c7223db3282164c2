//! A definition that calls tools is held against the tools there are: they exist, they get what they need, nothing calls itself in
//! the end, and the whole is no more harmless than its parts.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::Value;
use toolgate_domain::{
    Caller, EgressClass, Lifecycle, Surface, Tool, ToolId, ToolSpec, governance::Agent, tool::Origin,
};
use toolgate_policy::Standing;
use toolgate_store::StoreError;

use super::{
    Definition, DefinitionError, RegisterError, Registry, Resolution,
    snapshot::{LiveTool, Snapshot},
};
use crate::{PlannedCall, rules::TenantRules};

impl Registry {
    /// Refuses a definition whose calls cannot work; its egress class is at least that of its strictest step. Answers with warnings.
    pub(super) async fn check_links(
        &self,
        caller: &Caller,
        definition: &mut Definition,
        snapshot: &Snapshot,
    ) -> Result<Vec<String>, RegisterError> {
        let planned = self.planned(definition);
        if planned.is_empty() && self.delegates(definition).is_empty() {
            return Ok(Vec::new());
        }
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        let mut around = Around { registry: self, caller, rules: &rules, snapshot: snapshot.clone() };
        around.add(definition);
        let (mut warnings, mut strictest) = (Vec::new(), (EgressClass::None, String::new()));
        for call in &planned {
            let Some(live) = around.check_call(call, &mut warnings)? else {
                continue;
            };
            let class = live.tool.spec.egress_class;
            if call.certain && class > strictest.0 {
                strictest = (class, live.tool.spec.id());
            }
        }
        around.refuse_circles(definition)?;
        let (class, id) = strictest;
        definition.at_least(class, &format!("{id} does, a tool that it calls"))?;
        Ok(warnings)
    }

    /// Refuses an alias through which a tool would call itself.
    pub(super) async fn refuse_circular_alias(
        &self,
        caller: &Caller,
        target: &[Arc<LiveTool>],
        changed: &Snapshot,
    ) -> Result<Option<String>, StoreError> {
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        let around = Around { registry: self, caller, rules: &rules, snapshot: changed.clone() };
        let circle = target.iter().find_map(|live| around.refuse_circles(&live.tool.spec).err());
        Ok(circle.map(|error| error.message))
    }

    /// The way by which a tool would call itself, if this agent stood so. Only a tool that hands work to the agent can.
    pub(crate) async fn circle_through(
        &self,
        caller: &Caller,
        standing: Standing,
    ) -> Result<Option<String>, StoreError> {
        let snapshot = self.snapshot(caller.tenant_id).await?;
        let hands_work = |live: &&Arc<LiveTool>| {
            live.tool.lifecycle.runs()
                && self.delegates(&live.tool.spec).iter().any(|named| is_named(&standing.agent, named))
        };
        let starts: Vec<_> = snapshot.by_name.values().flatten().filter(hands_work).cloned().collect();
        if starts.is_empty() {
            return Ok(None);
        }
        let mut rules = TenantRules::clone(&*self.rules.snapshot(caller.tenant_id).await?);
        rules.agents.insert(standing.agent.id, Arc::new(standing));
        let around = Around { registry: self, caller, rules: &rules, snapshot: Snapshot::clone(&snapshot) };
        let circle = starts.iter().find_map(|live| around.refuse_circles(&live.tool.spec).err());
        Ok(circle.map(|error| error.message))
    }

    fn planned(&self, spec: &ToolSpec) -> Vec<PlannedCall> {
        let runtime = self.runtimes.get(spec.execution.kind.as_str());
        runtime.map(|runtime| runtime.planned(&spec.execution)).unwrap_or_default()
    }

    fn delegates(&self, spec: &ToolSpec) -> Vec<String> {
        let runtime = self.runtimes.get(spec.execution.kind.as_str());
        runtime.map(|runtime| runtime.delegates(&spec.execution)).unwrap_or_default()
    }
}

/// The tools as they would be with the new definition among them.
struct Around<'a> {
    registry: &'a Registry,
    caller: &'a Caller,
    rules: &'a TenantRules,
    snapshot: Snapshot,
}

impl Around<'_> {
    fn add(&mut self, spec: &ToolSpec) {
        let now = self.registry.clock.now();
        let same = |live: &Arc<LiveTool>| live.tool.spec.version == spec.version;
        let known =
            self.snapshot.versions(&spec.name).iter().find(|live| same(live)).map(|live| live.tool.id);
        let tool = Tool {
            id: known.unwrap_or_else(|| ToolId::generate(&*self.registry.ids)),
            tenant_id: self.caller.tenant_id,
            origin: Origin::TenantCustom,
            kind: Origin::TenantCustom.into(),
            also_required: Vec::new(),
            lifecycle: Lifecycle::Active,
            created_at: now,
            updated_at: now,
            spec: Arc::new(spec.clone()),
        };
        self.snapshot.put(tool, &self.registry.limits);
    }

    fn resolve(&self, reference: &str) -> Result<Arc<LiveTool>, String> {
        let (now, switches) = (self.registry.clock.now(), self.rules.switches());
        match self.snapshot.resolve(self.caller, Surface::Rest, reference, now, switches, false) {
            Resolution::Found { tool, .. } => Ok(tool),
            Resolution::Unknown { message, .. } => Err(message),
        }
    }

    fn check_call(
        &self,
        call: &PlannedCall,
        warnings: &mut Vec<String>,
    ) -> Result<Option<Arc<LiveTool>>, DefinitionError> {
        let place = if call.pointer.is_empty() {
            "/execution".to_owned()
        } else {
            format!("/execution{}/tool", call.pointer)
        };
        let live = match self.resolve(&call.tool) {
            Ok(live) => live,
            Err(message) if call.certain => return Err(DefinitionError::at(place, message)),
            Err(message) => {
                warnings.push(format!("{place}: {message}"));
                return Ok(None);
            }
        };
        let (id, spec) = (live.tool.spec.id(), &live.tool.spec);
        // What is only unusual about it is said of every reference (`references.rs`).
        if call.certain && live.tool.lifecycle == Lifecycle::Blocked {
            return Err(DefinitionError::at(place, format!("{id} is blocked")));
        }
        if call.repeats && spec.egress_class == EgressClass::Write && !spec.is_idempotent() {
            let message =
                format!("{id} writes and is not marked idempotent: a second attempt could do it twice");
            return Err(DefinitionError::at(format!("/execution{}/retries", call.pointer), message));
        }
        if let Some(passes) = &call.passes {
            check_inputs(call, passes, spec)?;
        }
        Ok(Some(live))
    }

    /// Follows the calls of calls, level by level, as deep as calls may stand.
    fn refuse_circles(&self, spec: &ToolSpec) -> Result<(), DefinitionError> {
        let start = spec.id();
        let mut level = BTreeMap::from([(start.clone(), (spec.clone(), start.clone()))]);
        for _ in 0..=self.registry.limits.max_call_depth {
            let mut next = BTreeMap::new();
            for (caller, path) in level.values() {
                for called in self.called(caller) {
                    let id = called.tool.spec.id();
                    let path = format!("{path} → {id}");
                    if id == start {
                        return Err(DefinitionError::at(
                            "/execution",
                            format!("the tool calls itself: {path}"),
                        ));
                    }
                    next.entry(id).or_insert_with(|| (ToolSpec::clone(&called.tool.spec), path));
                }
            }
            if next.is_empty() {
                return Ok(());
            }
            level = next;
        }
        let path = level.into_values().next().map(|(_, path)| path).unwrap_or_default();
        let most = self.registry.limits.max_call_depth;
        let message = format!("calls of tools by tools would stand more than {most} deep: {path}");
        Err(DefinitionError::at("/execution", message))
    }

    /// What a tool calls itself, and what the agents may call to whom it hands work.
    fn called(&self, spec: &ToolSpec) -> Vec<Arc<LiveTool>> {
        let planned = self.registry.planned(spec);
        let mut called: Vec<_> =
            planned.iter().filter_map(|planned| self.resolve(&planned.tool).ok()).collect();
        for reference in self.registry.delegates(spec) {
            let agent = self.rules.agents.values().find(|standing| is_named(&standing.agent, &reference));
            if let Some(standing) = agent {
                let tools = self.snapshot.by_name.keys().filter_map(|name| self.resolve(name.as_str()).ok());
                called.extend(tools.filter(|live| standing.may_reach(&live.tool)));
            }
        }
        called
    }
}

fn is_named(agent: &Agent, reference: &str) -> bool {
    agent.id.to_string() == reference || agent.handle == reference.trim_start_matches('@')
}

fn check_inputs(call: &PlannedCall, passes: &[String], spec: &ToolSpec) -> Result<(), DefinitionError> {
    let at = |key: &str, message: String| {
        let key = key.replace('~', "~0").replace('/', "~1");
        Err(DefinitionError::at(format!("/execution{}/input/{key}", call.pointer), message))
    };
    let properties = &spec.input_schema["properties"];
    let required = spec.input_schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    for key in required {
        if !passes.iter().any(|passed| passed == key) && properties[key].get("default").is_none() {
            return at(key, format!("{} needs `{key}`, and nothing is mapped to it", spec.id()));
        }
    }
    let is_closed = spec.input_schema["additionalProperties"] == Value::Bool(false)
        && spec.input_schema.get("patternProperties").is_none();
    if let Some(key) = passes.iter().find(|key| is_closed && properties.get(key.as_str()).is_none()) {
        return at(key, format!("{} has no input `{key}`", spec.id()));
    }
    Ok(())
}
