//! Sets a recorded run up in an engine of its own, on an empty store, and goes through it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use semver::Version;
use serde::Serialize;
use serde_json::{Map, Value, json};
use toolgate_domain::{
    Caller, Limits, RunId, Surface, TenantId, ToolName, ToolSpec, governance::PermissionStatus,
    tool::Execution,
};
use toolgate_engine::{Answer, Call, Engine, NewAgent, PermissionEntry, Runtime};

use super::{
    Difference, Live,
    compare::{compare, ended_by_turns},
    player::{Player, Playing},
    recorded::{KIND, Recorded},
};
use crate::{bundle::Bundle, run::AgentRuntime};

const HANDLE: &str = "replay";
/// Bytes of an output: what a bundle holds passes.
const MAX_OUTPUT_BYTES: u64 = 64 * 1024 * 1024;
/// A replay lives for seconds; an alias in it for as long as need be.
const ALIAS_MS: i64 = 86_400_000;

#[derive(Debug, thiserror::Error)]
#[error("the run cannot be gone through again: {0}")]
pub struct ReplayError(String);

impl ReplayError {
    fn of(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// What a replay came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    pub run: RunId,
    pub turns: usize,
    pub calls: usize,
    /// In the order of the run; none when it came out as it did.
    pub differences: Vec<Difference>,
}

/// A recorded run, ready to be gone through. An engine of its own must be started with its tools and runtimes, on empty stores.
pub struct Replay {
    bundle: Arc<Bundle>,
    /// The name under which the run itself is called: one that nothing else in the run has.
    name: ToolName,
    agents: Arc<AgentRuntime>,
    recorded: Arc<Recorded>,
    player: Arc<Player>,
    has_live_model: bool,
}

impl Replay {
    pub fn new(bundle: Bundle, live: Live) -> Result<Self, ReplayError> {
        let name = free_name(&bundle)?;
        let player = Arc::new(Player::new(&bundle));
        let has_live_model = live.models.is_some();
        let models = Playing { player: Arc::clone(&player), live: live.models };
        Ok(Self {
            agents: Arc::new(AgentRuntime::new(Arc::new(models)).given(bundle.begin.clone())),
            recorded: Arc::new(Recorded::new(&bundle.calls, live.tools)),
            bundle: Arc::new(bundle),
            name,
            player,
            has_live_model,
        })
    }

    /// The bounds that shaped the run, and room for everything else.
    pub fn limits(&self) -> Limits {
        let (bundle, turns) = (&self.bundle, self.bundle.turns.len() as u64);
        let run_max_iterations = if ended_by_turns(bundle) { turns } else { turns.saturating_add(1) };
        Limits {
            run_max_iterations,
            run_max_tool_calls: u64::MAX,
            run_result_chars: bundle.bounds.run_result_chars,
            max_inner_calls: bundle.bounds.max_inner_calls,
            max_json_depth: bundle.bounds.max_json_depth,
            max_output_bytes: MAX_OUTPUT_BYTES,
            ..Limits::default()
        }
    }

    pub fn runtimes(&self) -> Vec<Arc<dyn Runtime>> {
        vec![Arc::clone(&self.agents) as Arc<dyn Runtime>, Arc::clone(&self.recorded) as Arc<dyn Runtime>]
    }

    /// The run itself, and every version of a tool that it called.
    pub fn code_tools(&self) -> Result<Vec<ToolSpec>, ReplayError> {
        let run = self.agents.specs().into_iter().map(|spec| ToolSpec { name: self.name.clone(), ..spec });
        let called: BTreeSet<(&str, &str)> =
            self.called().map(|call| (call.tool.as_str(), call.version.as_str())).collect();
        let mut specs: Vec<ToolSpec> = run.collect();
        for (name, version) in called {
            let asked = self.bundle.asked.iter().filter(|asked| asked.name == name);
            let filled = asked.flat_map(|asked| asked.defaults.keys().cloned());
            specs.push(stand_in(name, version, filled)?);
        }
        Ok(specs)
    }

    /// The calls of tools that there were.
    fn called(&self) -> impl Iterator<Item = &crate::bundle::CallRecord> {
        self.bundle.calls.iter().filter(|call| !call.version.is_empty())
    }

    /// Goes through the run in an engine that was started for it.
    pub async fn run(&self, engine: &Arc<Engine>) -> Result<Report, ReplayError> {
        let caller = Caller::system(TenantId::DEFAULT, "default");
        self.furnish(engine, &caller).await?;
        let input = json!({"agent": HANDLE, "message": HANDLE});
        let call = Call::new(caller, Surface::Internal, self.name.to_string(), input);
        let envelope = match engine.invoke(call).await.map_err(ReplayError::of)? {
            Answer::Done(envelope) => *envelope,
            Answer::Parked(_) => return Err(ReplayError::of("it waits for something, and nobody is asked")),
            Answer::Unknown(envelope) => return Err(ReplayError::of(format!("{:?}", envelope.error))),
        };
        let run = RunId::from_uuid(envelope.invocation_id.uuid());
        let record = engine.run_record(TenantId::DEFAULT, run).await.map_err(ReplayError::of)?;
        let record =
            record.ok_or_else(|| ReplayError::of(format!("it did not begin: {:?}", envelope.error)))?;
        let mut differences: Vec<Difference> = self.player.parted().into_iter().collect();
        if differences.is_empty() {
            differences.extend(self.recorded.parted());
            differences.extend(compare(&self.bundle, &envelope, &record.calls));
        }
        let bundle = &self.bundle;
        let turns =
            if self.has_live_model { record.steps.len().saturating_sub(1) } else { bundle.turns.len() };
        Ok(Report { run: bundle.run.id, turns, calls: record.calls.len(), differences })
    }

    /// The agent with all that it called, under the names by which it called them.
    async fn furnish(&self, engine: &Arc<Engine>, caller: &Caller) -> Result<(), ReplayError> {
        let mut filled: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
        for asked in &self.bundle.asked {
            filled.entry(&asked.name).or_default().extend(asked.defaults.clone());
        }
        for (name, defaults) in filled.into_iter().filter(|(_, defaults)| !defaults.is_empty()) {
            let patch = Map::from_iter([("defaults".to_owned(), defaults.into())]);
            engine.registry().patch(caller, name, patch).await.map_err(ReplayError::of)?;
        }
        for asked in &self.bundle.asked {
            if let Some(alias) = &asked.alias {
                let alias: ToolName = alias.parse().map_err(ReplayError::of)?;
                let until = engine.clock().now().plus_ms(ALIAS_MS);
                engine
                    .registry()
                    .put_alias(caller, alias, &asked.name, until)
                    .await
                    .map_err(ReplayError::of)?;
            }
        }
        let tools: BTreeSet<String> = self.called().map(|call| call.tool.clone()).collect();
        let agent = NewAgent {
            handle: HANDLE.to_owned(),
            display_name: HANDLE.to_owned(),
            custom_tools: tools.iter().cloned().collect(),
            ..NewAgent::default()
        };
        let agent = engine.rules().create_agent(caller, agent).await.map_err(ReplayError::of)?;
        let allowed = tools.into_iter().map(|tool_name| PermissionEntry {
            tool_name,
            permission_status: PermissionStatus::AlwaysAllow,
            provider_key: None,
        });
        let allowed = engine.rules().set_permissions(caller, agent.id, allowed.collect()).await;
        allowed.map(drop).map_err(ReplayError::of)
    }
}

/// What stands where a tool stood. It takes any input: whether it was a good one is on record. It changes nothing, so nobody is asked.
fn stand_in(
    name: &str,
    version: &str,
    filled: impl Iterator<Item = String>,
) -> Result<ToolSpec, ReplayError> {
    let properties: Map<String, Value> = filled.map(|key| (key, json!({}))).collect();
    Ok(ToolSpec::new(
        name.parse().map_err(ReplayError::of)?,
        Version::parse(version).map_err(ReplayError::of)?,
        "Answers what it answered.",
        // Every schema of an input says that it is an object. In this draft nothing counts that stands beside a reference.
        json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": properties,
            "$ref": "#/definitions/anything",
            "definitions": {"anything": {}},
        }),
        Execution { kind: KIND.to_owned(), config: Map::new() },
    ))
}

fn free_name(bundle: &Bundle) -> Result<ToolName, ReplayError> {
    let calls = bundle.turns.iter().flat_map(|turn| &turn.answer.turn.tool_calls);
    let mut taken: BTreeSet<&str> = calls.map(|call| call.name.as_str()).collect();
    taken.extend(bundle.calls.iter().map(|call| call.tool.as_str()));
    let mut number = 0;
    // Ends: one more name is tried than are taken.
    let name = loop {
        let name = format!("replay_{number}");
        if !taken.contains(name.as_str()) {
            break name;
        }
        number += 1;
    };
    name.parse().map_err(ReplayError::of)
}
