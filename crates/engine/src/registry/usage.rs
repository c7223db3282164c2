//! Who still calls what.

use std::collections::BTreeMap;

use toolgate_domain::{Caller, Lifecycle, Surface, Timestamp, ToolId, ToolName};
use toolgate_policy::is_known;
use toolgate_store::Usage;

use super::{Registry, RegistryError};

/// How far back a report looks when nobody says.
const LOOKS_BACK_MS: i64 = 30 * 24 * 3_600 * 1_000;
/// Versions that one report is about, and lines that it has.
const MAX_VERSIONS: usize = 1_000;
const MAX_LINES: usize = 1_000;

/// One line of a report.
#[derive(Clone, Debug)]
pub struct UsageLine {
    pub usage: Usage,
    pub lifecycle: Lifecycle,
    /// The name by which the tool was called, where that was not its own.
    pub alias: Option<String>,
}

impl Registry {
    /// Who called a tool, by version and name; whoever called last comes first.
    pub async fn usage(
        &self,
        caller: &Caller,
        name: &str,
        since: Option<Timestamp>,
    ) -> Result<Vec<UsageLine>, RegistryError> {
        self.exists(caller, Surface::Rest, name).await?;
        let name: ToolName = name.parse()?;
        let snapshot = self.snapshot(caller.tenant_id).await?;
        let versions =
            snapshot.versions(&name).iter().filter(|live| is_known(caller, Surface::Rest, &live.tool));
        let states = versions.map(|live| (live.tool.id, live.tool.lifecycle)).collect();
        self.report(caller, states, since).await
    }

    /// Who calls what is deprecated or blocked, or by a name that ends.
    pub async fn usage_of_deprecated(
        &self,
        caller: &Caller,
        since: Option<Timestamp>,
    ) -> Result<Vec<UsageLine>, RegistryError> {
        let snapshot = self.snapshot(caller.tenant_id).await?;
        let targets: Vec<_> = snapshot.aliases.values().map(|alias| &alias.target).collect();
        let all = snapshot
            .by_name
            .iter()
            .flat_map(|(name, versions)| versions.iter().map(move |live| (name, live)));
        let states = all
            .filter(|(name, live)| {
                is_known(caller, Surface::Rest, &live.tool)
                    && (live.tool.lifecycle != Lifecycle::Active || targets.contains(name))
            })
            .map(|(_, live)| (live.tool.id, live.tool.lifecycle))
            .collect();
        let mut lines = self.report(caller, states, since).await?;
        lines.retain(|line| line.lifecycle != Lifecycle::Active || line.alias.is_some());
        Ok(lines)
    }

    async fn report(
        &self,
        caller: &Caller,
        states: BTreeMap<ToolId, Lifecycle>,
        since: Option<Timestamp>,
    ) -> Result<Vec<UsageLine>, RegistryError> {
        let since = since.unwrap_or_else(|| self.clock.now().plus_ms(-LOOKS_BACK_MS));
        let ids: Vec<_> = states.keys().rev().take(MAX_VERSIONS).copied().collect();
        let found = self.stores.invocations.usage(caller.tenant_id, &ids, since, MAX_LINES).await?;
        let line = |usage: Usage| UsageLine {
            lifecycle: states.get(&usage.tool_id).copied().unwrap_or_default(),
            alias: usage.warnings.iter().find_map(|warning| alias_in(warning)),
            usage,
        };
        Ok(merged(found.into_iter().map(line)))
    }
}

/// The name in the warning that `resolve` gives to those who use an alias.
fn alias_in(warning: &str) -> Option<String> {
    let (name, rest) = warning.strip_prefix('`')?.split_once('`')?;
    rest.starts_with(" is an alias of ").then(|| name.to_owned())
}

/// Lines that differ only in what the callers were told otherwise are one.
fn merged(lines: impl Iterator<Item = UsageLine>) -> Vec<UsageLine> {
    let mut kept: Vec<UsageLine> = Vec::new();
    for line in lines {
        let key = |line: &UsageLine| {
            let usage = &line.usage;
            (usage.tool_id, usage.caller.clone(), usage.agent_id, usage.surface, line.alias.clone())
        };
        match kept.iter_mut().find(|other| key(other) == key(&line)) {
            // The first has the later call.
            Some(other) => other.usage.calls += line.usage.calls,
            None => kept.push(line),
        }
    }
    kept
}
