//! Where the server's settings come from: flags, then `TOOLGATE_…`, then `toolgate.toml`, then defaults.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use clap::Args;
use serde::Deserialize;
use toolgate_agents::llm::{PriceLine, Prices, ProviderConfig};
use toolgate_domain::Limits;
use toolgate_engine::Separation;
use toolgate_mcp::client::AllowedCommands;
use toolgate_runtimes::http::wall::AllowHosts;
use toolgate_server::TrustedProxies;

use crate::{oauth::Oauth, telemetry::Otlp};

#[derive(Clone, Copy, Debug, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SeparationRule {
    #[default]
    Auto,
    Strict,
}

impl From<SeparationRule> for Separation {
    fn from(rule: SeparationRule) -> Self {
        match rule {
            SeparationRule::Auto => Self::Auto,
            SeparationRule::Strict => Self::Strict,
        }
    }
}

/// Every setting that is a flag, is in the environment, and is a key of `toolgate.toml`.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ServeArgs {
    /// Address to listen on; port 0 picks a free one [default: 127.0.0.1:7080]
    #[arg(long, env = "TOOLGATE_LISTEN")]
    listen: Option<SocketAddr>,
    /// Where the embedded database, blobs and the admin key live [default: data]
    #[arg(long, env = "TOOLGATE_DATA_DIR")]
    data_dir: Option<PathBuf>,
    /// postgres://… for a shared database instead of the embedded one
    #[arg(long, env = "TOOLGATE_DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,
    /// redis://… for a shared cache and shared limits
    #[arg(long, env = "TOOLGATE_REDIS_URL", hide_env_values = true)]
    redis_url: Option<String>,
    /// file://… or s3://bucket/prefix for blobs [default: the data directory]
    #[arg(long, env = "TOOLGATE_BLOB_URL")]
    blob_url: Option<String>,
    /// Where people reach the server, for the links in letters to webhooks [default: http://LISTEN]
    #[arg(long, env = "TOOLGATE_PUBLIC_URL", value_name = "URL")]
    public_url: Option<String>,
    /// A proxy in front whose X-Forwarded-For says where people sign in from: an address or a network such as 10.0.0.0/8; repeatable
    #[arg(
        long = "trusted-proxy",
        env = "TOOLGATE_TRUSTED_PROXIES",
        value_name = "ADDRESS",
        value_delimiter = ','
    )]
    trusted_proxies: Vec<String>,
    /// Let webhooks lead into private networks and to this machine
    #[arg(
        long,
        env = "TOOLGATE_ALLOW_PRIVATE_WEBHOOKS",
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    allow_private_webhooks: Option<bool>,
    /// A host inside that HTTP tools and webhooks may reach: `host`, `host:port`, an address or a network such as 10.0.0.0/8; repeatable
    #[arg(long = "allow-host", env = "TOOLGATE_ALLOW_HOSTS", value_name = "HOST", value_delimiter = ',')]
    allow_hosts: Vec<String>,
    /// Certificates in PEM that HTTP tools trust beside those of the system, for hosts inside
    #[arg(long, env = "TOOLGATE_HTTP_CA", value_name = "FILE")]
    http_ca: Option<PathBuf>,
    /// A program that may be started as an MCP server, with its arguments: `npx -y server-files`, or with `*` for any that follow;
    /// repeatable [default: none]
    #[arg(
        long = "mcp-stdio-command",
        env = "TOOLGATE_MCP_STDIO_COMMANDS",
        value_name = "COMMAND",
        value_delimiter = ';'
    )]
    mcp_stdio_commands: Vec<String>,
    /// Where webSearch asks; the host speaks Exa's format [default: https://api.exa.ai]
    #[arg(long, env = "TOOLGATE_SEARCH_URL", value_name = "URL")]
    search_url: Option<String>,
    /// The worker behind the default Python runtime [default: toolgate-sandbox, beside this program]
    #[arg(long, env = "TOOLGATE_SANDBOX_WORKER", value_name = "FILE")]
    sandbox_worker: Option<PathBuf>,
    /// The worker behind the full Python runtime [default: toolgate-sandbox-cpython, beside this program]
    #[arg(long, env = "TOOLGATE_SANDBOX_CPYTHON", value_name = "FILE")]
    sandbox_cpython: Option<PathBuf>,
    /// Where `toolgate sandbox install` left the full Python runtime [default: sandbox in the data directory]
    #[arg(long, env = "TOOLGATE_SANDBOX_DIR", value_name = "DIR")]
    sandbox_dir: Option<PathBuf>,
    /// The master key of secrets: 32 bytes as hex or base64 [default: secrets.key in the data directory, made on the first start]
    #[arg(long, value_name = "FILE", env = "TOOLGATE_SECRETS_KEY_FILE")]
    secrets_key_file: Option<PathBuf>,
    /// An OpenID Connect provider through which people may sign in
    #[arg(long, env = "TOOLGATE_OIDC_ISSUER", value_name = "URL")]
    oidc_issuer: Option<String>,
    /// How the provider knows this server; its redirect address is PUBLIC_URL/api/auth/oidc/callback
    #[arg(long, env = "TOOLGATE_OIDC_CLIENT_ID", value_name = "ID")]
    oidc_client_id: Option<String>,
    /// The client's secret, for a confidential client
    #[arg(long, env = "TOOLGATE_OIDC_CLIENT_SECRET", hide_env_values = true, value_name = "SECRET")]
    oidc_client_secret: Option<String>,
    /// An issuer whose OAuth access tokens are taken in place of keys; repeatable. [oauth] in toolgate.toml can say more
    #[arg(long = "oauth-issuer", env = "TOOLGATE_OAUTH_ISSUERS", value_name = "URL", value_delimiter = ',')]
    #[serde(skip)]
    oauth_issuers: Vec<String>,
    /// What access tokens must be made for, their audience [default: PUBLIC_URL/mcp]
    #[arg(long, env = "TOOLGATE_OAUTH_RESOURCE", value_name = "URL")]
    #[serde(skip)]
    oauth_resource: Option<String>,
    /// A name under which clients may reach /mcp, `host` or `host:port`, beside loopback, LISTEN and PUBLIC_URL; repeatable
    #[arg(
        long = "mcp-allowed-host",
        env = "TOOLGATE_MCP_ALLOWED_HOSTS",
        value_name = "HOST",
        value_delimiter = ','
    )]
    mcp_allowed_hosts: Vec<String>,
    /// Another site whose pages may call /mcp, such as https://studio.example; repeatable
    #[arg(
        long = "mcp-allowed-origin",
        env = "TOOLGATE_MCP_ALLOWED_ORIGINS",
        value_name = "ORIGIN",
        value_delimiter = ','
    )]
    mcp_allowed_origins: Vec<String>,
    /// The model that is asked when nobody says which, as `provider/model` [default: the only provider's first model]
    #[arg(long, env = "TOOLGATE_DEFAULT_MODEL", value_name = "MODEL")]
    default_model: Option<String>,
    /// For trying agents and prompt tools without a key: the provider `scripted`, which answers from this file
    #[arg(long, env = "TOOLGATE_MODEL_SCRIPT", value_name = "FILE")]
    model_script: Option<PathBuf>,
    /// An OpenTelemetry collector that is told of every call, over HTTP [default: OTEL_EXPORTER_OTLP_ENDPOINT, or nobody]
    #[arg(long, env = "TOOLGATE_OTLP_ENDPOINT", value_name = "URL")]
    otlp_endpoint: Option<String>,
    /// A header that the collector wants, NAME=VALUE; repeatable [default: OTEL_EXPORTER_OTLP_HEADERS]
    #[arg(
        long = "otlp-header",
        env = "TOOLGATE_OTLP_HEADERS",
        hide_env_values = true,
        value_name = "NAME=VALUE",
        value_delimiter = ','
    )]
    otlp_headers: Vec<String>,
    /// How the collector knows this server [default: OTEL_SERVICE_NAME, or toolgate]
    #[arg(long, env = "TOOLGATE_OTLP_SERVICE_NAME", value_name = "NAME")]
    otlp_service_name: Option<String>,
    /// For development: keys of the service role may call without asking a person. Every use is audited
    #[arg(
        long,
        env = "TOOLGATE_BYPASS_APPROVAL",
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    bypass_approval: Option<bool>,
    /// Whether a person whom nobody else could decide for agrees to calls of their own, by a second act: auto or strict [default: auto]
    #[arg(long, env = "TOOLGATE_SEPARATION", value_enum, value_name = "RULE")]
    separation: Option<SeparationRule>,
    /// Log lines as `text` or `json` [default: text]
    #[arg(long, env = "TOOLGATE_LOG_FORMAT")]
    log_format: Option<String>,
    /// A bound, by its name: --limit max_input_bytes=1048576 (see docs/reference/configuration.md); repeatable
    #[arg(long = "limit", value_name = "NAME=VALUE")]
    #[serde(skip)]
    limit: Vec<String>,
    #[arg(skip)]
    limits: Option<Limits>,
    #[arg(skip)]
    oauth: Option<Oauth>,
    #[arg(skip)]
    providers: Vec<ProviderConfig>,
    #[arg(skip)]
    prices: Vec<PriceLine>,
}

/// What the server runs with.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) listen: SocketAddr,
    pub(crate) data_dir: PathBuf,
    pub(crate) database_url: Option<String>,
    pub(crate) redis_url: Option<String>,
    pub(crate) blob_url: Option<String>,
    pub(crate) public_url: Option<String>,
    pub(crate) trusted_proxies: TrustedProxies,
    pub(crate) allow_private_webhooks: bool,
    pub(crate) allow_hosts: AllowHosts,
    pub(crate) http_ca: Option<PathBuf>,
    pub(crate) mcp_stdio_commands: AllowedCommands,
    pub(crate) search_url: Option<String>,
    pub(crate) sandbox: SandboxPlaces,
    pub(crate) secrets_key_file: Option<PathBuf>,
    pub(crate) oidc: Option<Oidc>,
    pub(crate) oauth: Option<Oauth>,
    pub(crate) mcp_allowed_hosts: Vec<String>,
    pub(crate) mcp_allowed_origins: Vec<String>,
    pub(crate) providers: Vec<ProviderConfig>,
    pub(crate) prices: Prices,
    pub(crate) default_model: Option<String>,
    pub(crate) otlp: Option<Otlp>,
    pub(crate) model_script: Option<PathBuf>,
    pub(crate) bypass_approval: bool,
    pub(crate) separation: Separation,
    pub(crate) json_logs: bool,
    pub(crate) limits: Limits,
}

/// Where the parts of the Python runtimes lie.
#[derive(Clone, Debug, Default)]
pub(crate) struct SandboxPlaces {
    pub(crate) worker: Option<PathBuf>,
    pub(crate) full_worker: Option<PathBuf>,
    pub(crate) full_dir: Option<PathBuf>,
}

/// Where else people may sign in.
#[derive(Clone)]
pub(crate) struct Oidc {
    pub(crate) issuer: String,
    pub(crate) client_id: String,
    pub(crate) client_secret: Option<String>,
}

impl std::fmt::Debug for Oidc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Oidc")
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
impl ServeArgs {
    pub(crate) fn data_dir(&self) -> Option<&Path> {
        self.data_dir.as_deref()
    }
}

impl Config {
    /// A server's settings without a server: everything in one directory.
    pub(crate) fn embedded(data_dir: &Path, limits: Limits) -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            data_dir: data_dir.to_owned(),
            database_url: None,
            redis_url: None,
            blob_url: None,
            public_url: None,
            trusted_proxies: TrustedProxies::default(),
            allow_private_webhooks: false,
            allow_hosts: AllowHosts::default(),
            http_ca: None,
            mcp_stdio_commands: AllowedCommands::default(),
            search_url: None,
            sandbox: SandboxPlaces {
                worker: std::env::var_os("TOOLGATE_SANDBOX_WORKER").map(PathBuf::from),
                ..SandboxPlaces::default()
            },
            secrets_key_file: None,
            oidc: None,
            oauth: None,
            mcp_allowed_hosts: Vec::new(),
            mcp_allowed_origins: Vec::new(),
            providers: Vec::new(),
            prices: Prices::default(),
            default_model: None,
            otlp: None,
            model_script: None,
            bypass_approval: false,
            separation: Separation::Auto,
            json_logs: false,
            limits,
        }
    }

    /// Flags and environment (which clap has merged already) over the file, over the defaults. Of each setting, the first that says
    /// something is all that counts: with switches that only add up and lists that grow, nobody could take back what the file allows.
    pub(crate) fn load(args: ServeArgs, file: Option<&Path>) -> anyhow::Result<Self> {
        let (path, required) = match file {
            Some(path) => (path.to_owned(), true),
            None => (PathBuf::from("toolgate.toml"), false),
        };
        let written: ServeArgs = match std::fs::read_to_string(&path) {
            Ok(text) => {
                toml::from_str(&text).with_context(|| format!("{} cannot be understood", path.display()))?
            }
            Err(_) if !required => ServeArgs::default(),
            Err(error) => return Err(error).with_context(|| format!("{} cannot be read", path.display())),
        };
        let mut limits = written.limits.unwrap_or_default();
        for (name, _, _) in Limits::TABLE {
            if let Ok(value) = std::env::var(format!("TOOLGATE_LIMIT_{}", name.to_uppercase())) {
                set_limit(&mut limits, name, &value)?;
            }
        }
        for assignment in &args.limit {
            let (name, value) = assignment
                .split_once('=')
                .with_context(|| format!("--limit takes NAME=VALUE, not `{assignment}`"))?;
            set_limit(&mut limits, name, value)?;
        }
        let json_logs = match args.log_format.or(written.log_format).as_deref() {
            None | Some("text") => false,
            Some("json") => true,
            Some(other) => bail!("the log format is `text` or `json`, not `{other}`"),
        };
        let client_secret = args.oidc_client_secret.or(written.oidc_client_secret);
        let oidc = match (
            args.oidc_issuer.or(written.oidc_issuer),
            args.oidc_client_id.or(written.oidc_client_id),
        ) {
            (Some(issuer), Some(client_id)) => Some(Oidc { issuer, client_id, client_secret }),
            (None, None) => None,
            _ => bail!("signing in elsewhere needs both --oidc-issuer and --oidc-client-id"),
        };
        let otlp = Otlp::of(
            args.otlp_endpoint.or(written.otlp_endpoint),
            first(args.otlp_headers, written.otlp_headers),
            args.otlp_service_name.or(written.otlp_service_name),
        )?;
        Ok(Self {
            oidc,
            oauth: Oauth::of(written.oauth, args.oauth_issuers, args.oauth_resource)?,
            mcp_allowed_hosts: first(args.mcp_allowed_hosts, written.mcp_allowed_hosts),
            mcp_allowed_origins: first(args.mcp_allowed_origins, written.mcp_allowed_origins),
            providers: written.providers,
            prices: Prices::from_lines(written.prices).map_err(anyhow::Error::msg)?,
            default_model: args.default_model.or(written.default_model),
            otlp,
            model_script: args.model_script.or(written.model_script),
            bypass_approval: args.bypass_approval.or(written.bypass_approval).unwrap_or(false),
            separation: args.separation.or(written.separation).unwrap_or_default().into(),
            listen: args
                .listen
                .or(written.listen)
                .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 7080))),
            data_dir: args.data_dir.or(written.data_dir).unwrap_or_else(|| PathBuf::from("data")),
            database_url: args.database_url.or(written.database_url),
            redis_url: args.redis_url.or(written.redis_url),
            blob_url: args.blob_url.or(written.blob_url),
            public_url: args.public_url.or(written.public_url).map(public_url).transpose()?,
            trusted_proxies: TrustedProxies::parse(first(args.trusted_proxies, written.trusted_proxies))?,
            allow_private_webhooks: args
                .allow_private_webhooks
                .or(written.allow_private_webhooks)
                .unwrap_or(false),
            allow_hosts: AllowHosts::parse(first(args.allow_hosts, written.allow_hosts))?,
            http_ca: args.http_ca.or(written.http_ca),
            mcp_stdio_commands: AllowedCommands::parse(first(
                args.mcp_stdio_commands,
                written.mcp_stdio_commands,
            ))
            .map_err(anyhow::Error::msg)?,
            search_url: args.search_url.or(written.search_url),
            sandbox: SandboxPlaces {
                worker: args.sandbox_worker.or(written.sandbox_worker),
                full_worker: args.sandbox_cpython.or(written.sandbox_cpython),
                full_dir: args.sandbox_dir.or(written.sandbox_dir),
            },
            secrets_key_file: args.secrets_key_file.or(written.secrets_key_file),
            json_logs,
            limits,
        })
    }
}

/// A list that is given, or the one below it.
fn first(given: Vec<String>, below: Vec<String>) -> Vec<String> {
    if given.is_empty() { below } else { given }
}

/// A link that leads nowhere would be noticed by those who cannot mend it: better here.
fn public_url(text: String) -> anyhow::Result<String> {
    match reqwest::Url::parse(&text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.query().is_none() => Ok(text),
        _ => bail!("the public URL begins with https:// or http:// and has no query, unlike `{text}`"),
    }
}

fn set_limit(limits: &mut Limits, name: &str, value: &str) -> anyhow::Result<()> {
    let number = value
        .trim()
        .replace('_', "")
        .parse()
        .with_context(|| format!("the limit {name} is a number, not `{value}`"))?;
    if !limits.set(name.trim(), number) {
        bail!("there is no limit `{name}`; docs/reference/configuration.md lists them");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
