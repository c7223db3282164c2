//! `toolgate agent …`.

use clap::{Args, Subcommand};
use serde_json::Value;

#[derive(Subcommand, Debug)]
pub(crate) enum AgentCommand {
    /// Make an agent; it can call nothing until a tool is assigned to it
    #[command(after_help = "\
Examples:
  toolgate agent create researcher --name \"Researcher\" --model gpt-5
  toolgate agent create clerk --name Clerk --tool-group data --set guard='{\"max_tool_calls\": 5}'

Then `toolgate tool assign --tool T --agent researcher` gives it a tool, and
`toolgate key create NAME --scope tools:execute --agent researcher` a key of its own.")]
    Create(CreateAgentArgs),
    /// List agents by handle; archived ones are left out unless asked for
    #[command(
        after_help = "Examples:\n  toolgate agent list\n  toolgate agent list --owner ada@example.com --archived --json"
    )]
    List(ListAgentsArgs),
    /// Show one agent: who owns it, what it is made of, what bounds its runs
    #[command(after_help = "Examples:\n  toolgate agent show researcher\n  toolgate agent show agt_… --json")]
    Show {
        /// A handle or an id
        agent: String,
    },
    /// Change some keys of an agent
    #[command(after_help = "\
Examples:
  toolgate agent update researcher --set status=paused
  toolgate agent update researcher --set model=gpt-5 --set tool_groups='[\"data\", \"text\"]'
  toolgate agent update researcher --set guard='{\"max_tool_calls\": 5, \"max_budget\": 2.5}' --set bio=null

A value is JSON where it is JSON, else text. The keys that can change are actions, avatar_url, bio, custom_tools, display_name, guard,
metadata, model, owner, persona, status (active or paused), tool_groups and workspace_id; any other is refused by name, and then
nothing changes.")]
    Update {
        /// A handle or an id
        agent: String,
        /// A key and its new value; repeatable
        #[arg(long, required = true, value_name = "KEY=VALUE", value_parser = json_pair)]
        set: Vec<(String, Value)>,
    },
    /// Archive an agent for good: hidden from lists, its calls are refused, its history stays
    #[command(
        after_help = "Examples:\n  toolgate agent archive researcher --yes\n\nIt cannot be undone. On a terminal it asks; elsewhere it needs --yes."
    )]
    Archive {
        /// A handle or an id
        agent: String,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Show an agent's permissions, tool by tool, and what people approved for good
    #[command(
        after_help = "Examples:\n  toolgate agent tools researcher\n  toolgate agent tools researcher --json\n\nA tool that is not listed needs approval."
    )]
    Tools {
        /// A handle or an id
        agent: String,
    },
    /// Have an agent do one thing on its own, within its terms and its daily quota
    #[command(after_help = "\
Examples:
  toolgate agent act researcher fetch_page --metadata '{\"url\": \"https://example.com\"}'
  toolgate agent act researcher run --metadata '{\"message\": \"What changed since yesterday?\"}'

The action is a tool that the agent may call, or `run`. The result is success, blocked_by_policy, throttled or failed; all but
success end with an exit code that is not 0.")]
    Act(ActArgs),
    /// List what an agent did on its own, newest first
    #[command(
        after_help = "Examples:\n  toolgate agent actions researcher\n  toolgate agent actions researcher --all --json"
    )]
    Actions(ActionsArgs),
    /// Set an agent's permission for one tool; the others stay as they are
    #[command(after_help = "\
Examples:
  toolgate agent permit researcher --tool fetch_page --status always_allow
  toolgate agent permit researcher --tool send_mail --status blocked

always_allow runs at once, needs_approval (the default) asks a person every time, blocked refuses. A tool that writes outside
Toolgate cannot be always_allow.")]
    Permit(PermitArgs),
    /// Take back what somebody approved for good: the agent asks again
    #[command(after_help = "Examples:\n  toolgate agent revoke-override researcher fetch_page")]
    RevokeOverride {
        /// A handle or an id
        agent: String,
        /// The tool's name, as `agent tools` shows it
        tool: String,
    },
}

#[derive(Args, Debug)]
pub(crate) struct CreateAgentArgs {
    /// 1 to 64 lower-case letters, digits, `_`, `-` or `.`; unique
    pub(crate) handle: String,
    /// The name that people see [default: the handle]
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: Option<String>,
    /// Who answers for it: an address or a user's id [default: the person who asks]
    #[arg(long, value_name = "USER")]
    pub(crate) owner: Option<String>,
    /// The team it belongs to: a workspace's slug or id [default: the whole tenant]
    #[arg(long, value_name = "WORKSPACE")]
    pub(crate) workspace: Option<String>,
    #[arg(long)]
    pub(crate) model: Option<String>,
    #[arg(long)]
    pub(crate) persona: Option<String>,
    #[arg(long)]
    pub(crate) bio: Option<String>,
    /// A category of tools that counts as assigned; repeatable
    #[arg(long, value_name = "CATEGORY")]
    pub(crate) tool_group: Vec<String>,
    /// A tool that counts as assigned; repeatable
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Vec<String>,
    /// Any other key, such as guard or metadata; JSON where it is JSON, else text
    #[arg(long, value_name = "KEY=VALUE", value_parser = json_pair)]
    pub(crate) set: Vec<(String, Value)>,
}

#[derive(Args, Debug)]
pub(crate) struct ListAgentsArgs {
    /// Only those of this person: an address or a user's id
    #[arg(long, value_name = "USER")]
    pub(crate) owner: Option<String>,
    /// Also those that were archived
    #[arg(long)]
    pub(crate) archived: bool,
    #[command(flatten)]
    pub(crate) rows: super::Rows,
}

#[derive(Args, Debug)]
pub(crate) struct ActArgs {
    /// A handle or an id
    pub(crate) agent: String,
    /// The tool, by its name or an alias, or `run`
    pub(crate) action: String,
    /// The tool's input, as JSON; for `run`, its `message` is what the agent is asked
    #[arg(long, value_name = "JSON", default_value = "{}", value_parser = json_object)]
    pub(crate) metadata: Value,
    /// The kind of thing that the action is about
    #[arg(long, value_name = "TEXT")]
    pub(crate) context_type: Option<String>,
    /// The id of that thing
    #[arg(long, value_name = "ID")]
    pub(crate) context_id: Option<String>,
    /// The same key again is the same action
    #[arg(long, value_name = "KEY")]
    pub(crate) idempotency_key: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ActionsArgs {
    /// A handle or an id
    pub(crate) agent: String,
    #[command(flatten)]
    pub(crate) rows: super::Rows,
}

#[derive(Args, Debug)]
pub(crate) struct PermitArgs {
    /// A handle or an id
    pub(crate) agent: String,
    /// The tool's name
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: String,
    #[arg(long, value_parser = ["always_allow", "needs_approval", "blocked"])]
    pub(crate) status: String,
    /// Who offers the tool, in your own words [default: as it was]
    #[arg(long, value_name = "KEY")]
    pub(crate) provider_key: Option<String>,
}

fn json_object(text: &str) -> Result<Value, String> {
    match serde_json::from_str(text) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err("a JSON object is expected: {\"key\": …}".to_owned()),
        Err(error) => Err(format!("not JSON: {error}")),
    }
}

/// `key=value`, where the value is JSON if it can be read as JSON.
fn json_pair(text: &str) -> Result<(String, Value), String> {
    let (key, value) = super::tool::pair(text)?;
    let value = serde_json::from_str(&value).unwrap_or(Value::String(value));
    Ok((key, value))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_json_where_it_is_json() {
        for (text, value) in [
            ("status=paused", json!("paused")),
            ("guard={\"max_tool_calls\": 5}", json!({"max_tool_calls": 5})),
            ("bio=null", json!(null)),
            ("persona=\"7\"", json!("7")),
            ("bio=a = b", json!("a = b")),
        ] {
            assert_eq!(json_pair(text).unwrap().1, value, "{text}");
        }
        assert!(json_pair("status").is_err());
    }
}
