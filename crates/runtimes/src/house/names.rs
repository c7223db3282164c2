//! The names that these tools and their parameters have in the sources: understood, not listed.

use toolgate_domain::ToolName;
use toolgate_engine::OldNames;

/// Tools that were renamed.
const TOOLS: [(&str, &str); 5] = [
    ("list_ai_lensers", "list_agents"),
    ("get_ai_lenser", "get_agent"),
    ("create_ai_lenser", "create_agent"),
    ("update_ai_lenser", "update_agent"),
    ("archive_ai_lenser", "archive_agent"),
];

const OF_AN_AGENT: [&str; 10] = [
    "get_agent",
    "update_agent",
    "archive_agent",
    "list_agent_tools",
    "list_agent_run_events",
    "assign_agent_tool",
    "revoke_agent_tool",
    "run_agent_action",
    "start_agent_team_run",
    "cancel_agent_run",
];

const PARAMETERS: [(&str, &str, &str); 4] = [
    ("list_agents", "owner_lenser_id", "owner_id"),
    ("create_agent", "owner_lenser_id", "owner_id"),
    ("create_agent", "ai_model_id", "model"),
    ("list_agent_run_events", "run_id", "team_run_id"),
];

/// Keys of `patch` that `update_agent` understands besides.
pub(super) const PATCH_KEYS: [(&str, &str); 2] = [("ai_model_id", "model"), ("owner_lenser_id", "owner")];

/// What an engine with these tools should understand.
pub fn old_names() -> OldNames {
    let agents = OF_AN_AGENT.map(|tool| (tool, "ai_lenser_id", "agent_id"));
    let mut names = OldNames::default();
    for (old, new) in TOOLS {
        names = names.tool(name(old), name(new));
    }
    for (tool, old, new) in PARAMETERS.into_iter().chain(agents) {
        names = names.parameter(&name(tool), old, new);
    }
    names
}

#[expect(clippy::expect_used, reason = "the names are literals, and a test reads them all")]
fn name(text: &str) -> ToolName {
    text.parse().expect("a literal tool name")
}
