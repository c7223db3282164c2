//! What installing would do. It reads and checks; it writes nothing.

use serde::Serialize;
use toolgate_domain::{
    Caller, Lifecycle, ToolName, ToolSpec,
    pack::{InstalledPack, PackState, PackTool},
    tool::Visibility,
};

use super::{Pack, PackError, PackProblem, Packs, list::Kept};
use crate::{Definition, RegisterError};

/// What happens to the pack as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PackChange {
    Install,
    Upgrade,
    /// A process died on the way: the rest is done now.
    Finish,
    None,
}

/// What happens to one version of a tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "does", rename_all = "snake_case")]
pub enum PackStep {
    Register {
        tool: String,
        warnings: Vec<String>,
    },
    /// What may change of a published version does: the keys.
    Update {
        tool: String,
        keys: Vec<String>,
        warnings: Vec<String>,
    },
    Unchanged {
        tool: String,
    },
    /// It is published, and comes back.
    Activate {
        tool: String,
    },
    /// The pack no longer has it.
    Deprecate {
        tool: String,
    },
    /// It is for other tenants.
    Skip {
        tool: String,
        tenant_slugs: Vec<String>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PackPlan {
    pub change: PackChange,
    /// The version that is installed now.
    pub from: Option<String>,
    pub steps: Vec<PackStep>,
}

impl PackPlan {
    fn nothing(installed: &InstalledPack) -> Self {
        let unchanged = |tool: &PackTool| PackStep::Unchanged { tool: tool.id() };
        let steps = installed.tools.iter().map(unchanged).collect();
        Self { change: PackChange::None, from: Some(installed.version.to_string()), steps }
    }
}

/// A tool is for a tenant that it names, or for all.
pub(super) fn is_for(spec: &ToolSpec, caller: &Caller) -> bool {
    spec.tenant_slugs.is_empty() || spec.tenant_slugs.iter().any(|slug| **slug == *caller.tenant_slug)
}

impl Packs<'_> {
    /// Holds a pack against the tenant. All that stands in the way is told at once.
    pub(super) async fn plan(
        &self,
        caller: &Caller,
        pack: &Pack,
        kept: &Kept,
    ) -> Result<PackPlan, PackError> {
        let old = kept.of(&pack.manifest.name);
        let change = change(pack, old)?;
        if let (PackChange::None, Some(old)) = (change, old) {
            return Ok(PackPlan::nothing(old));
        }
        let offered = old.filter(|old| old.state != PackState::Removed).map_or(&[][..], |old| &old.tools);
        let (mut steps, mut problems) = (Vec::new(), Vec::new());
        for spec in &pack.tools {
            if !is_for(spec, caller) {
                steps.push(PackStep::Skip { tool: spec.id(), tenant_slugs: spec.tenant_slugs.clone() });
                continue;
            }
            match self.step(caller, pack, spec, offered, kept).await? {
                Ok(step) => steps.push(step),
                Err(problem) => problems.push(problem),
            }
        }
        if steps.iter().all(|step| matches!(step, PackStep::Skip { .. })) && problems.is_empty() {
            let tools: Vec<_> = pack.tools.iter().map(|spec| spec.name.as_str()).collect();
            let message = format!(
                "none of its tools is for the tenant `{}`: {} are for others",
                caller.tenant_slug,
                tools.join(", ")
            );
            problems.push(PackProblem::at(&pack.manifest.name, message));
        }
        let added = steps.iter().filter(|step| matches!(step, PackStep::Register { .. })).count() as u64;
        let room = self.engine.registry.room(caller.tenant_id).await?;
        if added > room {
            let message = format!("{added} versions of tools are new, and the tenant has room for {room}");
            problems.push(PackProblem::at(&pack.manifest.name, message));
        }
        if !problems.is_empty() {
            return Err(PackError::Conflict(problems));
        }
        steps.extend(self.dropped(caller, pack, offered).await?);
        Ok(PackPlan { change, from: old.map(|old| old.version.to_string()), steps })
    }

    async fn step(
        &self,
        caller: &Caller,
        pack: &Pack,
        spec: &Definition,
        offered: &[PackTool],
        kept: &Kept,
    ) -> Result<Result<PackStep, PackProblem>, PackError> {
        let registry = &self.engine.registry;
        let refused = |message: String| Ok(Err(PackProblem::at(&spec.name, message)));
        if let Some(other) = kept.holder(&spec.name, &pack.manifest.name) {
            return refused(format!("the tool belongs to the pack `{other}`"));
        }
        if spec.visibility == Visibility::Internal {
            return refused("`visibility: internal` is for Toolgate's own rooms: leave it out".to_owned());
        }
        let published = registry.published(caller.tenant_id, &spec.name).await?;
        if let Some(own) = published.iter().find(|tool| !kept.published(&tool.spec)) {
            return refused(format!("{} is the tenant's own, and no pack takes its name", own.spec.id()));
        }
        let registered = match registry.register(caller, spec.clone(), true).await {
            Ok(registered) => registered,
            Err(RegisterError::Store(error)) => return Err(error.into()),
            Err(error) => return refused(error.to_string()),
        };
        let tool = spec.id();
        let keys: Vec<_> = registered
            .changes
            .iter()
            .filter_map(|change| change["key"].as_str().map(str::to_owned))
            .collect();
        let warnings = registered.warnings;
        Ok(Ok(if registered.created {
            PackStep::Register { tool, warnings }
        } else if !keys.is_empty() {
            PackStep::Update { tool, keys, warnings }
        } else if must_wake(registered.tool.lifecycle, spec, offered) {
            PackStep::Activate { tool }
        } else {
            PackStep::Unchanged { tool }
        }))
    }

    /// What the pack had and has no longer.
    async fn dropped(
        &self,
        caller: &Caller,
        pack: &Pack,
        offered: &[PackTool],
    ) -> Result<Vec<PackStep>, PackError> {
        let mut steps = Vec::new();
        let kept = |name: &ToolName| pack.tools.iter().any(|spec| spec.name == *name && is_for(spec, caller));
        for old in offered.iter().filter(|old| !kept(&old.name)) {
            let versions = self.engine.registry.published(caller.tenant_id, &old.name).await?;
            let active = versions.iter().filter(|tool| tool.lifecycle == Lifecycle::Active);
            steps.extend(active.map(|tool| PackStep::Deprecate { tool: tool.spec.id() }));
        }
        Ok(steps)
    }
}

/// A tool that a person deprecated or blocked stays so while the pack offers it; one that the pack itself put aside comes back.
pub(super) fn must_wake(lifecycle: Lifecycle, spec: &ToolSpec, offered: &[PackTool]) -> bool {
    lifecycle != Lifecycle::Active
        && !offered.iter().any(|tool| tool.name == spec.name && tool.version == spec.version)
}

fn change(pack: &Pack, old: Option<&InstalledPack>) -> Result<PackChange, PackError> {
    let Some(old) = old.filter(|old| old.state != PackState::Removed) else {
        return Ok(PackChange::Install);
    };
    let (new, name) = (&pack.manifest.version, &pack.manifest.name);
    let refuse = |message: String| Err(PackError::Conflict(vec![PackProblem::at(name, message)]));
    match new.cmp_precedence(&old.version) {
        std::cmp::Ordering::Less => {
            refuse(format!("{} is installed, which is newer than {new}: remove it first", old.version))
        }
        std::cmp::Ordering::Greater => Ok(PackChange::Upgrade),
        // Nobody relies yet on what was never finished.
        _ if old.state == PackState::Installing => Ok(PackChange::Finish),
        _ if old.checksum == pack.checksum => Ok(PackChange::None),
        _ => refuse(format!("{new} is installed with other content: publish a new version")),
    }
}
