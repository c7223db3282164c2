//! What a tenant changes of a tool that ships with the program. Whether a tool is there at all is the switch's business; both are
//! written in one commit.

use toolgate_domain::{Caller, governance::ToolSettings, tool::ToolOverride};
use toolgate_store::Kind;

use super::{
    RuleError, Rules,
    document::{Told, encode},
};

/// What to do with the switch of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    Leave,
    /// As the tool itself says, when absent.
    Set(Option<bool>),
}

impl Rules {
    /// What this tenant changed of a tool; in the installation's own tenant it concerns every tenant.
    pub async fn tool_override(
        &self,
        caller: &Caller,
        tool: &str,
    ) -> Result<Option<ToolOverride>, RuleError> {
        Ok(self.snapshot(caller.tenant_id).await?.own_overrides.get(tool).cloned())
    }

    /// Replaces what is changed of a tool, or takes it back, and sets its switch. `false` when it was so already.
    pub(crate) async fn set_override(
        &self,
        caller: &Caller,
        tool: &str,
        change: Option<&ToolOverride>,
        switch: Switch,
    ) -> Result<bool, RuleError> {
        let told = |action| Told { action, target: tool.to_owned() };
        let change = change.filter(|change| !change.is_empty()).map(encode).transpose()?;
        let mut parts =
            vec![self.change(caller, (Kind::Override, tool), change, told("tool.override")).await?];
        if let Switch::Set(enabled) = switch {
            let settings = ToolSettings { enabled, ..self.tool_settings(caller, tool).await? };
            let settings = (settings != ToolSettings::default()).then(|| encode(&settings)).transpose()?;
            parts.push(self.change(caller, (Kind::Switch, tool), settings, told("tool.settings")).await?);
        }
        let (writes, audit): (Vec<_>, Vec<_>) = parts.into_iter().flatten().unzip();
        if writes.is_empty() {
            return Ok(false);
        }
        self.commit(caller, writes, audit).await?;
        Ok(true)
    }
}
