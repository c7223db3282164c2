//! A provider that a tenant brings, as a configuration. It has no headers, no files and no variables: what it needs beyond its address is a
//! secret.

use toolgate_domain::governance::{ModelApi, ModelPrice, Provider};

use super::{Api, Price, Prices, ProviderConfig};

impl From<&Provider> for ProviderConfig {
    fn from(provider: &Provider) -> Self {
        let api = match provider.api {
            ModelApi::OpenAiChat => Api::OpenAiChat,
            ModelApi::OpenAiCompatible => Api::OpenAiCompatible,
            ModelApi::OpenAiResponses => Api::OpenAiResponses,
            ModelApi::Anthropic => Api::Anthropic,
            ModelApi::Gemini => Api::Gemini,
        };
        let default = Self::new(provider.name.clone(), api);
        let price = |price: &ModelPrice| {
            let ModelPrice { input, cached_input, cache_write, output } = *price;
            Price { input, cached_input, cache_write, output }
        };
        Self {
            base_url: provider.base_url.clone(),
            api_key_secret: provider.api_key_secret.clone(),
            timeout_ms: provider.timeout_ms.unwrap_or(default.timeout_ms),
            idle_timeout_ms: provider.idle_timeout_ms.unwrap_or(default.idle_timeout_ms),
            max_retries: provider.max_retries.unwrap_or(default.max_retries),
            models: provider.models.clone(),
            prices: Prices(provider.prices.iter().map(|(name, of)| (name.clone(), price(of))).collect()),
            ..default
        }
    }
}
