use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{ids::ProviderId, time::Timestamp};

/// The wire format that a provider of models speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ModelApi {
    #[serde(rename = "openai_chat")]
    OpenAiChat,
    /// Chat completions elsewhere than at OpenAI. It needs a `base_url`.
    #[serde(rename = "openai_compatible")]
    OpenAiCompatible,
    #[serde(rename = "openai_responses")]
    OpenAiResponses,
    Anthropic,
    Gemini,
}

/// The price of a model, per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ModelPrice {
    pub input: f64,
    /// What was read from the cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// What was written to the cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
    pub output: f64,
}

/// A provider of models that a tenant brings. Its key is a secret, and is named here only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Provider {
    pub id: ProviderId,
    /// Unique in the tenant. It stands before one of the installation of the same name.
    pub name: String,
    pub api: ModelApi,
    /// The provider's own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The secret that is its key, by name: the caller's own, else their workspace's, else the tenant's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_key_secret: Option<String>,
    /// Milliseconds of one attempt altogether.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// Milliseconds of silence inside a stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_timeout_ms: Option<u64>,
    /// Attempts beyond the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_retries: Option<u32>,
    /// The models that it serves; the first is asked when nobody says which.
    #[serde(default)]
    pub models: Vec<String>,
    /// By model.
    #[serde(default)]
    pub prices: BTreeMap<String, ModelPrice>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}
