//! What a tool was: its versions against each other, and an old one published anew.

use std::sync::Arc;

use semver::{Prerelease, Version};
use serde_json::Value;
use toolgate_domain::{Caller, Surface, Tool, ToolName, ToolSpec, tool::Origin};
use toolgate_policy::is_visible;

use super::{
    AuthorError, Definition, Registered, Registry, RegistryError,
    register::differences,
    snapshot::{LiveTool, Snapshot},
};

/// Two versions of a tool, key by key.
#[derive(Clone, Debug)]
pub struct Difference {
    pub from: Arc<Tool>,
    pub to: Arc<Tool>,
    /// `{key, from, to}` each.
    pub changes: Vec<Value>,
}

impl Registry {
    /// What changed between two versions: the newest and the one before it, where they are not named.
    pub async fn diff(
        &self,
        caller: &Caller,
        name: &str,
        from: Option<&str>,
        to: Option<&str>,
    ) -> Result<Difference, AuthorError> {
        let versions = self.readable(caller, name).await?;
        let to = match to {
            Some(version) => chosen(&versions, name, version)?,
            None => versions.last().cloned().ok_or_else(|| no_tool(name))?,
        };
        let from = match from {
            Some(version) => chosen(&versions, name, version)?,
            None => {
                let before = versions.iter().rev().find(|live| live.spec.version < to.spec.version);
                before.cloned().ok_or_else(|| {
                    RegistryError::NotFound(format!("there is no version before {}", to.spec.id()))
                })?
            }
        };
        let changes = differences(Some(&from.spec), &to.spec);
        Ok(Difference { from, to, changes })
    }

    /// Publishes an old definition as the next version. Also one that was deleted.
    pub async fn restore(
        &self,
        caller: &Caller,
        name: &str,
        version: &str,
    ) -> Result<Registered, AuthorError> {
        let versions = self.readable(caller, name).await?;
        let old = chosen(&versions, name, version)?;
        if old.origin == Origin::Code {
            let message =
                format!("`{name}` ships with the program: delete its override to have it as it was");
            return Err(RegistryError::Invalid(message).into());
        }
        let snapshot = self.snapshot(caller.tenant_id).await?;
        let spec =
            ToolSpec { version: next_version(&snapshot, &old.spec.name), ..ToolSpec::clone(&old.spec) };
        Ok(self.register(caller, Definition::republished(spec), false).await?)
    }

    /// Every version that the caller may read, as published, oldest first; also what was deleted.
    async fn readable(&self, caller: &Caller, name: &str) -> Result<Vec<Arc<Tool>>, RegistryError> {
        let parsed: ToolName = name.parse()?;
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        let snapshot = self.snapshot(caller.tenant_id).await?;
        let seen = |live: &&Arc<LiveTool>| is_visible(caller, Surface::Rest, &live.tool, rules.switches());
        let found: Vec<_> =
            snapshot.versions(&parsed).iter().filter(seen).map(|live| Arc::clone(&live.published)).collect();
        if found.is_empty() { Err(no_tool(name)) } else { Ok(found) }
    }
}

fn no_tool(name: &str) -> RegistryError {
    RegistryError::NotFound(format!("there is no tool `{name}`"))
}

fn chosen(versions: &[Arc<Tool>], name: &str, version: &str) -> Result<Arc<Tool>, RegistryError> {
    let found = versions.iter().find(|tool| tool.spec.version.to_string() == version);
    found.cloned().ok_or_else(|| {
        let known: Vec<_> = versions.iter().map(|tool| tool.spec.version.to_string()).collect();
        let shown: String = version.chars().take(80).collect();
        RegistryError::NotFound(format!(
            "there is no version `{shown}` of `{name}`; there are {}",
            known.join(", ")
        ))
    })
}

/// The next patch version after the newest there is.
pub(super) fn next_version(snapshot: &Snapshot, name: &ToolName) -> Version {
    match snapshot.versions(name).last().map(|live| &live.tool.spec.version) {
        None => Version::new(1, 0, 0),
        Some(newest) if newest.pre != Prerelease::EMPTY => {
            Version::new(newest.major, newest.minor, newest.patch)
        }
        Some(newest) => Version::new(newest.major, newest.minor, newest.patch.saturating_add(1)),
    }
}
