//! Providers as they are configured.

use std::{collections::BTreeMap, fmt, path::PathBuf, sync::Arc, time::Duration};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use toolgate_engine::SecretValue;
use url::Url;

use super::{
    Dialect, Outside, Prices, Provider, Scripted, anthropic::Anthropic, client::Client, gemini::Gemini,
    openai_chat::OpenAiChat, openai_responses::OpenAiResponses, provider::HttpProvider, sse::Bounds,
    wire::Wire,
};

/// Attempts beyond the first that may be configured.
const MAX_RETRIES: u32 = 10;

/// What a provider is unless its configuration says otherwise.
mod default {
    pub(super) fn stream() -> bool {
        true
    }

    /// Milliseconds of one attempt altogether: models that think take minutes.
    pub(super) fn timeout_ms() -> u64 {
        600_000
    }

    /// Milliseconds of silence inside a stream.
    pub(super) fn idle_timeout_ms() -> u64 {
        120_000
    }

    /// Attempts beyond the first.
    pub(super) fn max_retries() -> u32 {
        2
    }

    /// Bytes of an answer, streamed or not.
    pub(super) fn max_answer_bytes() -> u64 {
        16 * 1024 * 1024
    }

    /// Events of a stream; about one per token.
    pub(super) fn max_stream_events() -> u64 {
        200_000
    }
}

/// The wire format that a provider speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Api {
    /// Chat completions at OpenAI.
    #[serde(rename = "openai_chat")]
    OpenAiChat,
    /// Chat completions elsewhere: Ollama, vLLM, llama.cpp and many more. It needs a `base_url`.
    #[serde(rename = "openai_compatible")]
    OpenAiCompatible,
    #[serde(rename = "openai_responses")]
    OpenAiResponses,
    Anthropic,
    Gemini,
    /// Plays a script; for tests, demos and replays.
    Scripted,
}

impl Api {
    fn default_base_url(self) -> &'static str {
        match self {
            Self::OpenAiChat | Self::OpenAiResponses => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
            Self::Gemini => "https://generativelanguage.googleapis.com/v1beta",
            Self::OpenAiCompatible | Self::Scripted => "",
        }
    }

    /// Whose JSON Schema it takes; `None` where nobody reads the schemas.
    pub fn dialect(self) -> Option<Dialect> {
        match self {
            Self::OpenAiChat | Self::OpenAiCompatible | Self::OpenAiResponses => Some(Dialect::OpenAi),
            Self::Anthropic => Some(Dialect::Anthropic),
            Self::Gemini => Some(Dialect::Gemini),
            Self::Scripted => None,
        }
    }
}

/// Where a key comes from. A key itself has no place in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// A variable of the environment.
    Env(String),
    /// A file that holds nothing else.
    File(PathBuf),
    /// A secret of the caller's tenant, by name. Whoever opens the provider resolves it.
    Secret(String),
}

impl KeySource {
    /// The key, where it is the installation's own.
    pub fn load(&self) -> Result<SecretValue, String> {
        let text = match self {
            Self::Env(name) => {
                std::env::var(name).map_err(|_| format!("the variable {name} is not set, or is not UTF-8"))?
            }
            Self::File(path) => {
                std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?
            }
            Self::Secret(name) => {
                return Err(format!("the secret {name} is a tenant's: it is resolved per run"));
            }
        };
        SecretValue::new(text.trim().to_owned()).map_err(|e| format!("the key: {e}"))
    }
}

/// Headers that every request gets. Their values may be secrets, so `Debug` keeps them.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Headers(pub BTreeMap<String, String>);

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// One provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderConfig {
    pub name: String,
    pub api: Api,
    /// The provider's own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The variable of the environment that holds the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_key_env: Option<String>,
    /// The file that holds the key, and nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_key_file: Option<PathBuf>,
    /// The secret of the caller that is the key, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_key_secret: Option<String>,
    /// Whether answers are streamed; `false` for a server that cannot.
    #[serde(default = "default::stream")]
    pub stream: bool,
    #[serde(default = "default::timeout_ms")]
    pub timeout_ms: u64,
    #[serde(default = "default::idle_timeout_ms")]
    pub idle_timeout_ms: u64,
    #[serde(default = "default::max_retries")]
    pub max_retries: u32,
    #[serde(default = "default::max_answer_bytes")]
    pub max_answer_bytes: u64,
    #[serde(default = "default::max_stream_events")]
    pub max_stream_events: u64,
    #[serde(default)]
    pub headers: Headers,
    /// The models that it serves; the first is asked when nobody says which.
    #[serde(default)]
    pub models: Vec<String>,
    #[serde(default)]
    pub prices: Prices,
    /// The script of a `scripted` provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<PathBuf>,
}

impl ProviderConfig {
    /// With the defaults.
    pub fn new(name: impl Into<String>, api: Api) -> Self {
        Self {
            name: name.into(),
            api,
            base_url: None,
            api_key_env: None,
            api_key_file: None,
            api_key_secret: None,
            stream: default::stream(),
            timeout_ms: default::timeout_ms(),
            idle_timeout_ms: default::idle_timeout_ms(),
            max_retries: default::max_retries(),
            max_answer_bytes: default::max_answer_bytes(),
            max_stream_events: default::max_stream_events(),
            headers: Headers::default(),
            models: Vec::new(),
            prices: Prices::default(),
            script: None,
        }
    }

    /// Where it is.
    pub fn base_url(&self) -> String {
        self.base_url.clone().unwrap_or_else(|| self.api.default_base_url().to_owned())
    }

    /// Where its key comes from; some have none.
    pub fn key(&self) -> Result<Option<KeySource>, String> {
        match (&self.api_key_env, &self.api_key_file, &self.api_key_secret) {
            (None, None, None) => Ok(None),
            (Some(name), None, None) => Ok(Some(KeySource::Env(name.clone()))),
            (None, Some(path), None) => Ok(Some(KeySource::File(path.clone()))),
            (None, None, Some(name)) => Ok(Some(KeySource::Secret(name.clone()))),
            _ => Err(format!(
                "the provider `{}`: one of `api_key_env`, `api_key_file` and `api_key_secret` holds its key",
                self.name
            )),
        }
    }
}

/// Opens a provider with its key. Opening is cheap: connections belong to `outside` and are kept there.
pub fn open(
    config: &ProviderConfig,
    key: Option<SecretValue>,
    outside: &Outside,
) -> Result<Arc<dyn Provider>, String> {
    opened(config, key, outside).map_err(|reason| format!("the provider `{}`: {reason}", config.name))
}

fn opened(
    config: &ProviderConfig,
    key: Option<SecretValue>,
    outside: &Outside,
) -> Result<Arc<dyn Provider>, String> {
    if config.name.is_empty() || config.name.contains(char::is_whitespace) || config.name.contains('/') {
        return Err("a name has characters, and no spaces or slashes".into());
    }
    if config.api == Api::Scripted {
        let path = config.script.as_ref().ok_or("`script` names the file that is played")?;
        let script = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        return Ok(Arc::new(Scripted::parse(&script)?.named(&config.name)));
    }
    if config.max_retries > MAX_RETRIES {
        return Err(format!("`max_retries` is at most {MAX_RETRIES}"));
    }
    let base_url = base_url(config)?;
    let wire: Box<dyn Wire> = match config.api {
        Api::OpenAiChat => Box::new(OpenAiChat { is_openai: is_openai(&base_url) }),
        Api::OpenAiCompatible => Box::new(OpenAiChat { is_openai: false }),
        Api::OpenAiResponses => Box::new(OpenAiResponses),
        Api::Anthropic => Box::new(Anthropic),
        Api::Gemini => Box::new(Gemini),
        Api::Scripted => return Err("it has no address".into()),
    };
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let bounds = Bounds {
        total: Duration::from_millis(config.timeout_ms),
        idle: Duration::from_millis(config.idle_timeout_ms),
        max_answer_bytes: count(config.max_answer_bytes),
        max_stream_events: count(config.max_stream_events),
    };
    let headers = headers(&config.headers)?;
    let client =
        Client { outside: outside.clone(), base_url, headers, key, bounds, max_retries: config.max_retries };
    Ok(Arc::new(HttpProvider { name: config.name.clone(), client, wire, stream: config.stream }))
}

fn base_url(config: &ProviderConfig) -> Result<Url, String> {
    let text = config.base_url();
    if text.is_empty() {
        return Err("`base_url` says where it is".into());
    }
    // The text is not repeated: somebody may have put a key into it.
    let url = Url::parse(&text).map_err(|e| format!("`base_url` is not an address: {e}"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err("`base_url` is an http or https address".into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("`base_url` holds credentials: they belong into a secret, a variable or `headers`".into());
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("`base_url` holds a query or a fragment: a path is appended to it".into());
    }
    Ok(url)
}

fn is_openai(base_url: &Url) -> bool {
    let host = base_url.host_str().unwrap_or_default();
    host == "api.openai.com" || host.ends_with(".openai.com") || host.ends_with(".openai.azure.com")
}

fn headers(headers: &Headers) -> Result<HeaderMap, String> {
    let mut made = HeaderMap::new();
    for (name, value) in &headers.0 {
        let key: HeaderName = name.parse().map_err(|_| format!("`{name}` is not the name of a header"))?;
        let mut value = HeaderValue::from_str(value).map_err(|_| {
            format!("the value of the header `{name}` has characters that no header may have")
        })?;
        value.set_sensitive(true);
        made.insert(key, value);
    }
    Ok(made)
}
