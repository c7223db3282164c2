//! Upstreams: MCP servers of others, whose tools are imported.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::LockState;
use crate::{
    ids::UpstreamId,
    time::Timestamp,
    tool::{Annotations, EgressClass, Risk},
};

/// An MCP server of somebody else. Its tools are imported as tools of the tenant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Upstream {
    pub id: UpstreamId,
    /// Unique in the tenant: `[a-z][a-z0-9_-]{0,31}`.
    pub name: String,
    /// Its tools are called `<prefix>_<tool>`; without a prefix, as they call themselves.
    #[serde(default)]
    pub prefix: String,
    pub transport: UpstreamTransport,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oauth: Option<UpstreamOauth>,
    /// What its tools do to the world, unless a rule says otherwise. What a server says of its own tools lowers nothing.
    #[serde(default = "write")]
    pub egress_class: EgressClass,
    #[serde(default)]
    pub risk: Risk,
    /// By the server's own name of a tool.
    #[serde(default)]
    pub tools: BTreeMap<String, UpstreamToolRule>,
    /// Milliseconds of one call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// Tools of one that is switched off are neither listed nor called.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// What became of its tools, by the server's own name.
    #[serde(default)]
    pub imports: BTreeMap<String, UpstreamImport>,
    /// When somebody first looked at its tools and took them in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported_at: Option<Timestamp>,
    /// What was seen of it; `updated_at` does not tell of it.
    #[serde(default)]
    pub status: UpstreamStatus,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// How the server is reached. The values of `env` and `headers` may name secrets: `{$secret.NAME}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum UpstreamTransport {
    /// A program that is started here and spoken to over its pipes.
    Stdio {
        command: String,
        #[serde(default)]
        args: Vec<String>,
        #[serde(default)]
        env: BTreeMap<String, String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cwd: Option<String>,
    },
    /// Streamable HTTP.
    Http {
        url: String,
        #[serde(default)]
        headers: BTreeMap<String, String>,
    },
}

/// Whose token is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OauthOwner {
    /// Each person allows it for themselves.
    User,
    /// One for all of the tenant.
    #[default]
    Tenant,
}

/// Who is allowed to use the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OauthGrant {
    /// A person allows it, in the browser.
    #[default]
    AuthorizationCode,
    /// Nobody is asked: the client itself is what is allowed.
    ClientCredentials,
}

/// OAuth 2.1 towards the server. Values are secrets, and are named here only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct UpstreamOauth {
    #[serde(default, skip_serializing_if = "is_by_person")]
    pub grant: OauthGrant,
    /// Without it, the client registers itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// The secret that holds the client's secret, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_secret: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<String>,
    #[serde(default)]
    pub per: OauthOwner,
}

/// What the operator says of one tool of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct UpstreamToolRule {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub egress_class: Option<EgressClass>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<Risk>,
    #[serde(default = "yes")]
    pub enabled: bool,
}

impl Default for UpstreamToolRule {
    fn default() -> Self {
        Self { egress_class: None, risk: None, enabled: true }
    }
}

/// Where a tool of a server stands, in short; its lock has the whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpstreamImport {
    /// What it is called here.
    pub name: String,
    /// The version that is called; none before somebody accepted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    pub state: LockState,
    /// The digest of the definition that was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// How it went when the server was last asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpstreamStatus {
    #[serde(default)]
    pub state: UpstreamState,
    /// The server's name and version, by its own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The revision of the protocol that it speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// When it last answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_seen_at: Option<Timestamp>,
    /// When it was last asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_at: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum UpstreamState {
    /// Nobody asked it yet.
    #[default]
    Unknown,
    Healthy,
    Failing,
    /// It failed so often that nobody asks it for a while.
    Open,
}

/// A tool as a server offers it. These are the parts that are locked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpstreamTool {
    /// By the server's own word.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub input_schema: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub output_schema: Option<Value>,
    #[serde(default)]
    pub annotations: Annotations,
}

fn is_by_person(grant: &OauthGrant) -> bool {
    *grant == OauthGrant::AuthorizationCode
}

fn write() -> EgressClass {
    EgressClass::Write
}

fn yes() -> bool {
    true
}

impl Upstream {
    /// What the operator says of a tool; of one that is not named, what holds for the server.
    pub fn rule(&self, tool: &str) -> (EgressClass, Risk, bool) {
        let rule = self.tools.get(tool).copied().unwrap_or_default();
        (rule.egress_class.unwrap_or(self.egress_class), rule.risk.unwrap_or(self.risk), rule.enabled)
    }

    /// The secrets that it needs, by name.
    pub fn secrets(&self) -> BTreeSet<String> {
        let texts = match &self.transport {
            UpstreamTransport::Stdio { env, .. } => env.values(),
            UpstreamTransport::Http { headers, .. } => headers.values(),
        };
        let mut names: BTreeSet<String> =
            texts.flat_map(|text| secrets_in(text)).map(str::to_owned).collect();
        names.extend(self.oauth.iter().filter_map(|oauth| oauth.client_secret.clone()));
        names.extend(self.login_secret());
        names
    }

    /// The secret that keeps what people allowed: `MCP_<NAME>_OAUTH`. None where nobody is asked.
    pub fn login_secret(&self) -> Option<String> {
        self.oauth.as_ref().filter(|oauth| is_by_person(&oauth.grant)).map(|_| self.login_name())
    }

    /// What stands in the place of a token.
    pub fn login_name(&self) -> String {
        format!("{LOGIN_PREFIX}{}{LOGIN_SUFFIX}", self.name.to_ascii_uppercase())
    }
}

const LOGIN_PREFIX: &str = "MCP_";
const LOGIN_SUFFIX: &str = "_OAUTH";

/// The server that a secret keeps the login to, by the secret's name: whoever lacks it logs in, and sets nothing.
pub fn server_of_login(secret: &str) -> Option<String> {
    let name = secret.strip_prefix(LOGIN_PREFIX)?.strip_suffix(LOGIN_SUFFIX)?;
    (!name.is_empty()).then(|| name.to_ascii_lowercase())
}

const OPEN: &str = "{$secret.";

/// The names of the secrets in a text, in order.
pub fn secrets_in(text: &str) -> Vec<&str> {
    text.split(OPEN).skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

/// The text with the values of its secrets. Fails with the name of the first that `value` does not know. What a value holds is not
/// read again.
pub fn fill_secrets<'a>(text: &str, value: impl Fn(&str) -> Option<&'a str>) -> Result<String, String> {
    let mut pieces = text.split(OPEN);
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once('}') {
            Some((name, after)) => {
                filled.push_str(value(name).ok_or_else(|| name.to_owned())?);
                filled.push_str(after);
            }
            None => {
                filled.push_str(OPEN);
                filled.push_str(piece);
            }
        }
    }
    Ok(filled)
}

/// What tools answer that do not say what: the blocks of the protocol as they came.
pub fn content_blocks() -> Value {
    serde_json::json!({
        "type": "object",
        "properties": {"content": {"type": "array", "items": {"type": "object"}}},
        "required": ["content"],
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn upstream(transport: Value) -> Upstream {
        serde_json::from_value(json!({
            "id": "ups_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11", "name": "files", "transport": transport,
            "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
        }))
        .unwrap()
    }

    #[test]
    fn what_nobody_said_anything_about_writes() {
        let files = upstream(json!({"kind": "stdio", "command": "files"}));
        assert_eq!(files.rule("read"), (EgressClass::Write, Risk::Low, true));
        assert!(files.enabled);
    }

    #[test]
    fn a_rule_for_a_tool_stands_before_that_of_the_server() {
        let mut files = upstream(json!({"kind": "stdio", "command": "files"}));
        let rule = json!({"egress_class": "read_only", "enabled": false});
        files.tools.insert("read".to_owned(), serde_json::from_value(rule).unwrap());
        assert_eq!(files.rule("read"), (EgressClass::ReadOnly, Risk::Low, false));
        assert_eq!(files.rule("delete"), (EgressClass::Write, Risk::Low, true));
    }

    #[test]
    fn a_login_by_a_person_is_kept_in_a_secret_and_that_of_a_client_is_not() {
        let mut tracker = upstream(json!({"kind": "http", "url": "https://mcp.example"}));
        assert_eq!(tracker.login_secret(), None);
        tracker.oauth = Some(serde_json::from_value(json!({})).unwrap());
        let name = tracker.login_secret().unwrap();
        assert_eq!((name.as_str(), server_of_login(&name).as_deref()), ("MCP_FILES_OAUTH", Some("files")));
        assert_eq!(server_of_login("FILES_TOKEN"), None);
        let machine = json!({"grant": "client_credentials", "client_id": "c", "client_secret": "CRM_SECRET"});
        tracker.oauth = Some(serde_json::from_value(machine).unwrap());
        assert_eq!(tracker.login_secret(), None);
        assert_eq!(tracker.secrets().into_iter().collect::<Vec<_>>(), ["CRM_SECRET"]);
    }

    #[test]
    fn secrets_are_named_in_headers_and_filled_in_once() {
        let there = upstream(json!({
            "kind": "http", "url": "https://mcp.example", "headers": {"Authorization": "Bearer {$secret.TOKEN}", "X": "{$secret.B}{$secret.A}"},
        }));
        assert_eq!(there.secrets().into_iter().collect::<Vec<_>>(), ["A", "B", "TOKEN"]);
        let value = |name: &str| (name == "A").then_some("{$secret.B}");
        assert_eq!(fill_secrets("x{$secret.A}y", value), Ok("x{$secret.B}y".to_owned()));
        assert_eq!(fill_secrets("{$secret.C}", value), Err("C".to_owned()));
        assert_eq!(fill_secrets("{$secret.", value), Ok("{$secret.".to_owned()));
    }
}
