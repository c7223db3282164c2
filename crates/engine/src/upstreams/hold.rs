//! Why a tool of an upstream may not be called. A tool of this kind that nobody accepted as it is may not: no lock, no call.

use serde_json::{Value, json};
use toolgate_domain::{Decision, Evidence, Tool, Verdict, governance::LockState};

use crate::{registry::IMPORTED_KIND, rules::TenantRules};

/// Evidence of a lock is given as `upstream.<reason>`.
const RULE: &str = "upstream.";

/// What keeps a tool shut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hold {
    pub(crate) reason: &'static str,
    pub(crate) because: String,
}

impl TenantRules {
    /// What keeps this tool shut; nothing for tools that come from elsewhere.
    pub(crate) fn hold(&self, tool: &Tool) -> Option<Hold> {
        let spec = &tool.spec;
        if spec.execution.kind != IMPORTED_KIND {
            return None;
        }
        let named = |key: &str| spec.execution.config.get(key).and_then(Value::as_str).unwrap_or_default();
        let (server, own) = (named("server"), named("tool"));
        let hold = |reason, because: String| Some(Hold { reason, because });
        let Some(upstream) = self.upstreams.get(server) else {
            return hold("gone", format!("the MCP server `{server}` of `{}` was removed", spec.name));
        };
        if !upstream.enabled {
            return hold("disabled", format!("the MCP server `{server}` of `{}` is switched off", spec.name));
        }
        if !upstream.rule(own).2 {
            return hold("disabled", format!("`{}` is switched off at the MCP server `{server}`", spec.name));
        }
        let Some(import) = upstream.imports.get(own).filter(|import| import.name == spec.name.as_str())
        else {
            return hold(
                "not_imported",
                format!("`{}` was not imported from the MCP server `{server}`", spec.name),
            );
        };
        let look = format!(
            "a person looks at it with `toolgate mcp server diff {server} {own}` and agrees with `toolgate mcp server accept {server} {own}`"
        );
        match import.state {
            LockState::Accepted if import.version.as_deref() == Some(&spec.version.to_string()) => None,
            LockState::Accepted => {
                let now = import.version.as_deref().unwrap_or_default();
                hold(
                    "superseded",
                    format!(
                        "{} is not what the MCP server does any more: call {}@{now}",
                        spec.id(),
                        spec.name
                    ),
                )
            }
            LockState::Quarantined => hold(
                "quarantined",
                format!("`{}` changed at the MCP server `{server}` since it was accepted: {look}", spec.name),
            ),
            LockState::New => hold("new", format!("nobody accepted `{}` yet: {look}", spec.name)),
            LockState::Gone => {
                hold("gone", format!("the MCP server `{server}` does not offer `{own}` any more"))
            }
            LockState::Unusable => hold(
                "unusable",
                format!("`{}` cannot be used as the MCP server `{server}` offers it", spec.name),
            ),
        }
    }

    /// The decision with what the lock says.
    pub(crate) fn under_lock(&self, tool: &Tool, mut decision: Decision) -> Decision {
        if let Some(Hold { reason, because }) = self.hold(tool) {
            let rule = format!("{RULE}{reason}");
            decision.evidence.push(Evidence { rule, verdict: Verdict::Deny, because });
            (decision.verdict, decision.approval) = (Verdict::Deny, None);
        }
        decision
    }
}

/// What a refused caller is told beside the reasons.
pub(crate) fn denial_details(decision: &Decision) -> Value {
    let locked = decision.evidence.iter().find_map(|evidence| evidence.rule.strip_prefix(RULE));
    match locked {
        Some(reason) => json!({"reason": reason, "decision": decision}),
        None => json!({"decision": decision}),
    }
}
