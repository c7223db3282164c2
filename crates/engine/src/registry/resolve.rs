//! From what a caller wrote to the version that runs: alias, name, version, visibility, lifecycle.

use std::sync::Arc;

use toolgate_domain::{Caller, Lifecycle, Surface, Timestamp, ToolName, ToolRef, tool::NameError};
use toolgate_policy::{Switches, is_visible};

use super::snapshot::{LiveTool, Snapshot};

/// How often a tool's name may have changed while its first name is still found.
const MAX_RENAMES: usize = 4;

/// What a reference stands for.
pub(crate) enum Resolution {
    Found {
        tool: Arc<LiveTool>,
        warnings: Vec<String>,
    },
    /// Neither exists nor may be seen; the two look the same.
    Unknown {
        message: String,
        /// The tool that the message tells of: a version that the caller may see, where another one was asked for.
        near: Option<Arc<LiveTool>>,
    },
}

impl Resolution {
    /// The answer for a name that no tool bears.
    pub(crate) fn no_tool(name: &ToolName) -> Self {
        Self::Unknown { message: format!("there is no tool `{name}`"), near: None }
    }
}

impl Snapshot {
    pub(crate) fn resolve(
        &self,
        caller: &Caller,
        surface: Surface,
        text: &str,
        now: Timestamp,
        switches: Switches<'_>,
        is_test: bool,
    ) -> Resolution {
        let reference: ToolRef = match text.parse() {
            Ok(reference) => reference,
            Err(error @ (NameError::Name(_) | NameError::Version(_))) => {
                return Resolution::Unknown { message: error.to_string(), near: None };
            }
        };
        let mut warnings = Vec::new();
        let mut name = &reference.name;
        // A tool that was renamed twice is found by its first name.
        for _ in 0..MAX_RENAMES {
            let Some(alias) = self.alias_of(name) else { break };
            if now >= alias.remove_by {
                let message =
                    format!("the alias `{name}` ended on {}: call `{}`", alias.remove_by, alias.target);
                return Resolution::Unknown { message, near: self.versions(&alias.target).last().cloned() };
            }
            warnings.push(format!(
                "`{name}` is an alias of `{}` until {}: call the tool by its name",
                alias.target, alias.remove_by
            ));
            name = &alias.target;
        }
        if let Some(target) = self.old_name(name) {
            warnings.push(format!("`{name}` is an alias of `{target}`: call the tool by its name"));
            name = target;
        }
        // A draft exists for test runs that name it, and for nobody else; what was deleted exists for nobody.
        let drafts = if is_test { self.drafts(name) } else { &[] };
        let visible = || {
            drafts.iter().chain(self.versions(name)).filter(|live| {
                live.tool.lifecycle != Lifecycle::Archived
                    && is_visible(caller, surface, &live.tool, switches)
            })
        };
        let accepted = || visible().rev().filter(|live| reference.accepts(&live.tool.spec.version));
        // The newest version that may run; failing that the newest that matches, so that the guard can say why not.
        let Some(live) = accepted()
            .find(|live| matches!(live.tool.lifecycle, Lifecycle::Active | Lifecycle::Draft))
            .or_else(|| accepted().find(|live| live.tool.lifecycle == Lifecycle::Deprecated))
            .or_else(|| accepted().next())
        else {
            let published = || visible().filter(|live| live.tool.lifecycle != Lifecycle::Draft);
            let Some(near) = published().next_back() else {
                return Resolution::no_tool(name);
            };
            let versions: Vec<_> = published().map(|live| live.tool.spec.version.to_string()).collect();
            let message = format!(
                "there is no version of `{name}` that matches `{reference}`; there are {}",
                versions.join(", ")
            );
            return Resolution::Unknown { message, near: Some(Arc::clone(near)) };
        };
        if live.tool.lifecycle == Lifecycle::Deprecated {
            warnings.push(format!("{} is deprecated", live.tool.spec.id()));
        }
        Resolution::Found { tool: Arc::clone(live), warnings }
    }
}
