//! An upstream as somebody wants it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use toolgate_domain::{
    EgressClass, Limits, Timestamp, UpstreamId,
    governance::{
        OauthGrant, Upstream, UpstreamOauth, UpstreamStatus, UpstreamToolRule, UpstreamTransport, secrets_in,
    },
    tool::Risk,
};

use crate::{RuleError, SecretName};

const MAX_TEXT_BYTES: usize = 8 * 1024;
const MAX_ENTRIES: usize = 64;
/// Whoever writes the value of one of these writes a secret where everybody reads it.
const SECRET_HEADERS: [&str; 4] = ["authorization", "cookie", "proxy-authorization", "x-api-key"];
const MAX_RULES: usize = 2_000;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpstreamSpec {
    pub name: String,
    /// The name, when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    pub transport: UpstreamTransport,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oauth: Option<UpstreamOauth>,
    /// Nobody knows what a server does that nobody looked at: it writes.
    #[serde(default = "write")]
    pub egress_class: EgressClass,
    #[serde(default)]
    pub risk: Risk,
    #[serde(default)]
    pub tools: BTreeMap<String, UpstreamToolRule>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    #[serde(default = "yes")]
    pub enabled: bool,
}

fn write() -> EgressClass {
    EgressClass::Write
}

fn yes() -> bool {
    true
}

impl UpstreamSpec {
    fn of(upstream: &Upstream) -> Self {
        Self {
            name: upstream.name.clone(),
            prefix: Some(upstream.prefix.clone()),
            transport: upstream.transport.clone(),
            oauth: upstream.oauth.clone(),
            egress_class: upstream.egress_class,
            risk: upstream.risk,
            tools: upstream.tools.clone(),
            timeout_ms: upstream.timeout_ms,
            enabled: upstream.enabled,
        }
    }

    /// The same with the keys that `patch` names; `null` takes a key back. `tools` is changed tool by tool.
    pub(super) fn patched(upstream: &Upstream, patch: Map<String, Value>) -> Result<Self, RuleError> {
        let mut document = json!(Self::of(upstream));
        merge(&mut document, patch, true);
        let spec: Self = serde_path_to_error::deserialize(document)
            .map_err(|error| RuleError::Invalid(format!("{}: {}", error.path(), error.inner())))?;
        if spec.name != upstream.name {
            return Err(RuleError::Invalid(
                "an MCP server keeps its name: remove it, and add it under another".to_owned(),
            ));
        }
        if spec.prefix.as_ref() != Some(&upstream.prefix) {
            let message = "the prefix stays, because tools are called by it: remove the server, and add it with another";
            return Err(RuleError::Invalid(message.to_owned()));
        }
        Ok(spec)
    }

    pub(super) fn into_upstream(
        self,
        id: UpstreamId,
        (created_at, updated_at): (Timestamp, Timestamp),
        limits: &Limits,
    ) -> Result<Upstream, RuleError> {
        self.check(limits).map_err(RuleError::Invalid)?;
        Ok(Upstream {
            id,
            prefix: self.prefix.unwrap_or_else(|| self.name.clone()),
            name: self.name,
            transport: self.transport,
            oauth: self.oauth,
            egress_class: self.egress_class,
            risk: self.risk,
            tools: self.tools,
            timeout_ms: self.timeout_ms,
            enabled: self.enabled,
            imports: BTreeMap::new(),
            imported_at: None,
            status: UpstreamStatus::default(),
            created_at,
            updated_at,
        })
    }

    fn check(&self, limits: &Limits) -> Result<(), String> {
        let rest = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
        let fits = |text: &str| {
            text.len() <= 32 && text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(rest)
        };
        if !fits(&self.name) {
            return Err(
                "name: a lower-case letter, then up to 31 lower-case letters, digits, `_` or `-`".to_owned()
            );
        }
        if let Some(prefix) = self.prefix.as_deref().filter(|prefix| !prefix.is_empty() && !fits(prefix)) {
            let shown: String = prefix.chars().take(40).collect();
            return Err(format!("prefix: `{shown}` is neither empty nor spelled like a name"));
        }
        if self.timeout_ms.is_some_and(|ms| ms == 0 || ms > limits.max_timeout_ms) {
            return Err(format!("timeout_ms: between 1 and {}", limits.max_timeout_ms));
        }
        if self.tools.len() > MAX_RULES || self.tools.keys().any(|name| name.is_empty() || name.len() > 200) {
            return Err(format!("tools: up to {MAX_RULES}, each named with 1 to 200 bytes"));
        }
        if let Some(oauth) = &self.oauth {
            if let Some(secret) = &oauth.client_secret {
                secret.parse::<SecretName>().map_err(|error| format!("oauth.client_secret: {error}"))?;
            }
            let is_whole = oauth.client_id.is_some() && oauth.client_secret.is_some();
            if oauth.grant == OauthGrant::ClientCredentials && !is_whole {
                return Err(
                    "oauth: the grant client_credentials needs client_id and client_secret".to_owned()
                );
            }
            if !matches!(self.transport, UpstreamTransport::Http { .. }) {
                return Err("oauth: a program that is started here has no login; give it a secret in `env`"
                    .to_owned());
            }
            let texts = oauth.client_id.iter().chain(&oauth.scopes);
            if oauth.scopes.len() > MAX_ENTRIES
                || texts.clone().any(|text| text.is_empty() || text.len() > 500)
            {
                return Err(format!("oauth: up to {MAX_ENTRIES} scopes, texts of 1 to 500 bytes"));
            }
        }
        check_transport(&self.transport)
    }
}

fn check_transport(transport: &UpstreamTransport) -> Result<(), String> {
    let (texts, named): (Vec<&String>, &BTreeMap<String, String>) = match transport {
        UpstreamTransport::Stdio { command, args, env, cwd } => {
            if command.trim().is_empty() {
                return Err("transport.command: the program to start".to_owned());
            }
            if args.len() > MAX_ENTRIES {
                return Err(format!("transport.args: up to {MAX_ENTRIES}"));
            }
            (std::iter::once(command).chain(args).chain(cwd).collect(), env)
        }
        UpstreamTransport::Http { url, headers } => (vec![url], headers),
    };
    if named.len() > MAX_ENTRIES {
        return Err(format!("transport: up to {MAX_ENTRIES} headers or variables"));
    }
    let all = texts.into_iter().chain(named.keys()).chain(named.values());
    for text in all {
        if text.len() > MAX_TEXT_BYTES || text.contains('\0') {
            return Err(format!(
                "transport: texts have at most {MAX_TEXT_BYTES} bytes, and no NUL among them"
            ));
        }
    }
    if let UpstreamTransport::Http { headers, .. } = transport {
        let is_secret = |name: &str| SECRET_HEADERS.contains(&name.to_ascii_lowercase().as_str());
        if let Some(name) =
            headers.iter().find(|(name, value)| is_secret(name) && secrets_in(value).is_empty())
        {
            return Err(format!(
                "transport.headers.{}: its value is a secret: set it with `toolgate secret set NAME`, and write {{$secret.NAME}} here",
                name.0
            ));
        }
    }
    for (key, value) in named {
        for name in secrets_in(value) {
            name.parse::<SecretName>().map_err(|error| format!("transport: {key}: {error}"))?;
        }
    }
    Ok(())
}

/// Top-level keys replace; `null` removes. One level below `tools` it is the same.
fn merge(document: &mut Value, patch: Map<String, Value>, descend: bool) {
    let Value::Object(fields) = document else { return };
    for (key, value) in patch {
        match (value, fields.get_mut(&key)) {
            (Value::Null, _) => drop(fields.remove(&key)),
            (Value::Object(inner), Some(old)) if descend && key == "tools" => merge(old, inner, false),
            (value, _) => drop(fields.insert(key, value)),
        }
    }
}
