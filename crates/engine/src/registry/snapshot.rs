//! The tools of one tenant, in memory: a call resolves without asking the database.

use std::{
    collections::{BTreeMap, HashSet},
    ops::Bound,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, OnceLock},
};

use serde_json::{Map, Value};
use tokio::sync::Semaphore;
use toolgate_domain::{
    Caller, Lifecycle, Limits, Page, Surface, Tool, ToolId, ToolName,
    tool::{Origin, ToolOverride},
};
use toolgate_policy::is_visible;
use toolgate_store::Alias;

use super::{OldNames, SchemaValidator, schema};
use crate::{
    Compiled, Runtime,
    rules::{Overrides, TenantRules},
};

/// A version of a tool with what is made from it once: compiled schemas, its compiled execution, and places for its running calls.
pub(crate) struct LiveTool {
    /// As it is for the tenant, with every override: the only one that callers meet.
    pub(crate) tool: Arc<Tool>,
    /// `name@version`, which every call is named after.
    pub(crate) id: String,
    /// As it was published.
    pub(super) published: Arc<Tool>,
    /// What a call gets where it says nothing.
    defaults: Map<String, Value>,
    pub(crate) places: Arc<Semaphore>,
    input: OnceLock<Result<SchemaValidator, String>>,
    output: OnceLock<Result<SchemaValidator, String>>,
    execution: OnceLock<Result<Compiled, String>>,
}

impl LiveTool {
    pub(crate) fn new(published: Tool, overrides: &[ToolOverride], limits: &Limits) -> Self {
        let (mut tool, mut defaults) = (published.clone(), Map::new());
        for change in overrides {
            change.apply(&mut tool);
            defaults.extend(change.defaults.clone());
        }
        let asked = tool.spec.rate_limit.and_then(|rate| rate.concurrency).map(u64::from);
        let places = usize::try_from(asked.unwrap_or(limits.default_tool_concurrency))
            .unwrap_or(Semaphore::MAX_PERMITS);
        Self {
            id: tool.spec.id(),
            tool: Arc::new(tool),
            published: Arc::new(published),
            defaults,
            places: Arc::new(Semaphore::new(places.clamp(1, Semaphore::MAX_PERMITS))),
            input: OnceLock::new(),
            output: OnceLock::new(),
            execution: OnceLock::new(),
        }
    }

    pub(crate) fn version(&self) -> &str {
        self.id.rsplit('@').next().unwrap_or_default()
    }

    /// Of the published schema: a default is filled in before the input is held against it.
    pub(crate) fn input_validator(&self) -> Result<&SchemaValidator, &String> {
        self.input.get_or_init(|| schema::compile(&self.published.spec.input_schema)).as_ref()
    }

    /// The input with what the overrides say where it says nothing.
    pub(crate) fn filled(&self, mut input: Value) -> Value {
        if let Value::Object(fields) = &mut input {
            for (key, value) in &self.defaults {
                fields.entry(key).or_insert_with(|| value.clone());
            }
        }
        input
    }

    /// What the runtime of the tool's kind makes of its execution block, made with the first call.
    pub(crate) fn compiled(&self, runtime: &dyn Runtime) -> Result<&Compiled, &String> {
        // A runtime that panics has failed; the door stays open.
        let compile = || catch_unwind(AssertUnwindSafe(|| runtime.compile(&self.tool.spec.execution)));
        let broken = |_| Err("the tool broke down while it was read; the server's log says more".to_owned());
        self.execution.get_or_init(|| compile().unwrap_or_else(broken)).as_ref()
    }

    /// Absent when the tool does not say what it answers.
    pub(crate) fn output_validator(&self) -> Option<Result<&SchemaValidator, &String>> {
        let schema = self.tool.spec.output_schema.as_ref()?;
        Some(self.output.get_or_init(|| schema::compile(schema)).as_ref())
    }
}

/// Which tools to list.
#[derive(Clone, Debug, Default)]
pub struct ToolFilter {
    /// Words, or their beginnings, that all stand in the name, the category, the description or the parameters.
    pub search: Option<String>,
    pub category: Option<String>,
    pub kind: Option<String>,
    pub egress_class: Option<toolgate_domain::EgressClass>,
    pub origin: Option<toolgate_domain::tool::Origin>,
    /// Without it, active tools only.
    pub lifecycle: Option<Lifecycle>,
    /// Deprecated tools beside the active ones.
    pub include_deprecated: bool,
    /// Only those that the caller could get through with: nothing in the rules denies every call of theirs.
    pub callable: bool,
    /// Names after this one.
    pub after: Option<String>,
    pub limit: usize,
}

impl ToolFilter {
    fn matches(&self, tool: &Tool) -> bool {
        let spec = &tool.spec;
        let wanted = match self.lifecycle {
            Some(lifecycle) => tool.lifecycle == lifecycle,
            None if self.include_deprecated => {
                matches!(tool.lifecycle, Lifecycle::Active | Lifecycle::Deprecated)
            }
            None => tool.lifecycle == Lifecycle::Active,
        };
        wanted
            && self.category.as_ref().is_none_or(|category| *category == spec.category)
            && self.kind.as_ref().is_none_or(|kind| *kind == spec.execution.kind)
            && self.egress_class.is_none_or(|class| class == spec.egress_class)
            && self.origin.is_none_or(|origin| origin == tool.origin)
    }
}

/// All versions by name, oldest version first, and the aliases.
#[derive(Clone, Default)]
pub(crate) struct Snapshot {
    pub(super) by_name: BTreeMap<ToolName, Vec<Arc<LiveTool>>>,
    /// What was only tried.
    pub(super) drafts: BTreeMap<ToolName, Vec<Arc<LiveTool>>>,
    /// What is applied to the tools that ship with the program.
    overrides: Arc<Overrides>,
    pub(super) aliases: BTreeMap<ToolName, Alias>,
    /// What the tools that ship with the program were called before.
    old_names: Arc<OldNames>,
}

impl Snapshot {
    /// Puts a version in, or in the place of the one with its id.
    pub(super) fn put(&mut self, tool: Tool, limits: &Limits) {
        let shelf = if tool.lifecycle == Lifecycle::Draft { &mut self.drafts } else { &mut self.by_name };
        let versions = shelf.entry(tool.spec.name.clone()).or_default();
        let overrides = match tool.origin {
            Origin::Code => self.overrides.get(tool.spec.name.as_str()).map_or(&[][..], Vec::as_slice),
            Origin::TenantCustom => &[],
        };
        let live = Arc::new(LiveTool::new(tool, overrides, limits));
        match versions.iter().position(|other| other.tool.id == live.tool.id) {
            Some(index) => versions[index] = live,
            None => versions.push(live),
        }
        versions.sort_by(|a, b| a.tool.spec.version.cmp(&b.tool.spec.version));
    }

    pub(super) fn under(overrides: &Arc<Overrides>, old_names: &Arc<OldNames>) -> Self {
        Self { overrides: Arc::clone(overrides), old_names: Arc::clone(old_names), ..Self::default() }
    }

    /// Whether it was made with what the rules say now.
    pub(super) fn follows(&self, rules: &TenantRules) -> bool {
        Arc::ptr_eq(&self.overrides, &rules.overrides)
    }

    /// The same tools under other overrides.
    pub(super) fn following(&self, rules: &TenantRules, limits: &Limits) -> Self {
        let mut changed =
            Self { aliases: self.aliases.clone(), ..Self::under(&rules.overrides, &self.old_names) };
        for live in self.by_name.values().chain(self.drafts.values()).flatten() {
            changed.put(Tool::clone(&live.published), limits);
        }
        changed.reusing(self)
    }

    /// Keeps what was compiled for tools that did not change.
    pub(super) fn reusing(mut self, old: &Self) -> Self {
        for (shelf, known) in [(&mut self.by_name, &old.by_name), (&mut self.drafts, &old.drafts)] {
            for (name, versions) in shelf {
                let Some(known) = known.get(name) else {
                    continue;
                };
                for live in versions {
                    let is_same = |other: &&Arc<LiveTool>| {
                        (&other.tool, &other.published, &other.defaults)
                            == (&live.tool, &live.published, &live.defaults)
                    };
                    if let Some(same) = known.iter().find(is_same) {
                        *live = Arc::clone(same);
                    }
                }
            }
        }
        self
    }

    /// What was tried under a name.
    pub(crate) fn drafts(&self, name: &ToolName) -> &[Arc<LiveTool>] {
        self.drafts.get(name).map_or(&[], Vec::as_slice)
    }

    pub(super) fn count_drafts(&self) -> usize {
        self.drafts.values().map(Vec::len).sum()
    }

    /// The names that have versions, in order.
    pub(crate) fn names_after<'a>(&'a self, from: Bound<&'a ToolName>) -> impl Iterator<Item = &'a ToolName> {
        self.by_name.range::<ToolName, _>((from, Bound::Unbounded)).map(|(name, _)| name)
    }

    pub(crate) fn versions(&self, name: &ToolName) -> &[Arc<LiveTool>] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// What a name stands for besides itself. A name that a tool has, and that callers can reach, stands for that tool.
    pub(super) fn alias_of(&self, name: &ToolName) -> Option<&Alias> {
        let reachable = self.versions(name).iter().any(|live| live.tool.lifecycle != Lifecycle::Blocked);
        self.aliases.get(name).filter(|_| !reachable)
    }

    /// What a name was given for by the program itself. Whatever a tool or an alias has that name for comes first.
    pub(super) fn old_name(&self, name: &ToolName) -> Option<&ToolName> {
        let taken = !self.versions(name).is_empty() || self.aliases.contains_key(name);
        self.old_names.tool_of(name).filter(|_| !taken)
    }

    pub(crate) fn all_versions(&self) -> impl Iterator<Item = &Arc<LiveTool>> {
        self.by_name.values().flatten()
    }

    pub(super) fn count(&self) -> usize {
        self.by_name.values().map(Vec::len).sum()
    }

    /// The newest matching version of each visible tool, by name; among those that were `found`, where somebody searched. An agent
    /// is shown what it was given, and nothing else.
    pub(crate) fn list(
        &self,
        caller: &Caller,
        surface: Surface,
        filter: &ToolFilter,
        found: Option<&HashSet<ToolId>>,
        rules: &TenantRules,
        may: impl Fn(&Tool) -> bool,
    ) -> Page<Arc<Tool>> {
        let (switches, standing) = (rules.switches(), rules.standing(caller));
        let offered = |tool: &Tool| match standing {
            Some(standing) => standing.offers(tool),
            None => caller.agent_id.is_none(),
        };
        let shown = |tool: &Tool| {
            found.is_none_or(|found| found.contains(&tool.id))
                && is_visible(caller, surface, tool, switches)
                && offered(tool)
                && filter.matches(tool)
                && rules.hold(tool).is_none()
                && may(tool)
        };
        let after = filter.after.as_deref().unwrap_or("");
        let found = self
            .by_name
            .iter()
            .filter(|(name, _)| name.as_str() > after)
            .filter_map(|(_, versions)| versions.iter().rev().find(|live| shown(&live.tool)))
            .map(|live| Arc::clone(&live.tool))
            .take(filter.limit + 1)
            .collect();
        Page::from_overfetch(found, filter.limit, |last| last.spec.name.to_string())
    }
}
