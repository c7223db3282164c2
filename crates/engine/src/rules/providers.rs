//! Providers of models that tenants bring.

use std::{collections::BTreeMap, sync::Arc};

use serde::Deserialize;
use toolgate_domain::{
    Caller, ProviderId, Scope, TenantId, Timestamp,
    governance::{ModelApi, ModelPrice, Provider},
};
use toolgate_store::{Kind, StoreError};

use super::{RuleError, Rules, document::Told};
use crate::{ProviderJudge, SecretName};

const MAX_URL_BYTES: usize = 2_000;
const MAX_MODELS: usize = 200;
const MAX_NAME_BYTES: usize = 200;
/// An attempt may take an hour at most.
const MAX_TIMEOUT_MS: u64 = 3_600_000;

/// A provider as somebody wants it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderSpec {
    pub name: String,
    pub api: ModelApi,
    #[serde(default)]
    pub base_url: Option<String>,
    #[serde(default)]
    pub api_key_secret: Option<String>,
    #[serde(default)]
    pub timeout_ms: Option<u64>,
    #[serde(default)]
    pub idle_timeout_ms: Option<u64>,
    #[serde(default)]
    pub max_retries: Option<u32>,
    #[serde(default)]
    pub models: Vec<String>,
    #[serde(default)]
    pub prices: BTreeMap<String, ModelPrice>,
}

impl ProviderSpec {
    fn check(&self) -> Result<(), String> {
        let fits = |name: &str| {
            (1..=64).contains(&name.len())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
        };
        if !fits(&self.name) {
            return Err("a provider's name has 1 to 64 letters, digits, `_`, `-` or `.`".to_owned());
        }
        if self.base_url.as_ref().is_some_and(|url| url.len() > MAX_URL_BYTES) {
            return Err(format!("base_url has at most {MAX_URL_BYTES} bytes"));
        }
        if let Some(name) = &self.api_key_secret {
            name.parse::<SecretName>().map_err(|error| format!("api_key_secret: {error}"))?;
        }
        for (key, value) in [("timeout_ms", self.timeout_ms), ("idle_timeout_ms", self.idle_timeout_ms)] {
            if value.is_some_and(|ms| ms == 0 || ms > MAX_TIMEOUT_MS) {
                return Err(format!("{key} is between 1 and {MAX_TIMEOUT_MS}"));
            }
        }
        let is_model = |name: &String| (1..=MAX_NAME_BYTES).contains(&name.len());
        if self.models.len() > MAX_MODELS || !self.models.iter().all(is_model) {
            return Err(format!("models are up to {MAX_MODELS}, with 1 to {MAX_NAME_BYTES} bytes each"));
        }
        let is_price = |price: &ModelPrice| {
            [Some(price.input), price.cached_input, price.cache_write, Some(price.output)]
                .into_iter()
                .flatten()
                .all(|amount| amount.is_finite() && amount >= 0.0)
        };
        if self.prices.len() > MAX_MODELS
            || !self.prices.keys().all(is_model)
            || !self.prices.values().all(is_price)
        {
            return Err(format!("prices are up to {MAX_MODELS}, none of them below 0"));
        }
        Ok(())
    }

    fn into_provider(
        self,
        id: ProviderId,
        created_at: Timestamp,
        now: Timestamp,
        judge: Option<&dyn ProviderJudge>,
    ) -> Result<Provider, RuleError> {
        self.check().map_err(RuleError::Invalid)?;
        let provider = Provider {
            id,
            name: self.name,
            api: self.api,
            base_url: self.base_url,
            api_key_secret: self.api_key_secret,
            timeout_ms: self.timeout_ms,
            idle_timeout_ms: self.idle_timeout_ms,
            max_retries: self.max_retries,
            models: self.models,
            prices: self.prices,
            created_at,
            updated_at: now,
        };
        judge.map_or(Ok(()), |judge| judge.check(&provider)).map_err(RuleError::Invalid)?;
        Ok(provider)
    }
}

impl Rules {
    /// From now on this one says whether a provider can be used.
    pub(crate) fn judge_providers_by(&self, judge: Arc<dyn ProviderJudge>) {
        // A second one would be a mistake of ours, and the first stays.
        let _ = self.provider_judge.set(judge);
    }

    pub async fn providers(&self, caller: &Caller) -> Result<Vec<Provider>, RuleError> {
        Ok(self.providers_of(caller.tenant_id).await?)
    }

    pub(crate) async fn providers_of(&self, tenant: TenantId) -> Result<Vec<Provider>, StoreError> {
        let mut all: Vec<Provider> = self.read_all(tenant, Kind::Provider).await?;
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    pub(crate) async fn provider_named(
        &self,
        tenant: TenantId,
        name: &str,
    ) -> Result<Option<Provider>, StoreError> {
        let found = self.read_named::<Provider>(tenant, Kind::Provider, name).await?;
        Ok(found.map(|provider| provider.value))
    }

    /// By id or by name.
    pub async fn find_provider(&self, caller: &Caller, reference: &str) -> Result<Provider, RuleError> {
        let found = match reference.parse::<ProviderId>() {
            Ok(id) => self.read::<Provider>(caller.tenant_id, Kind::Provider, id.uuid()).await?,
            Err(_) => self.read_named::<Provider>(caller.tenant_id, Kind::Provider, reference).await?,
        };
        found.map(|provider| provider.value).ok_or_else(|| RuleError::missing("provider", reference))
    }

    pub async fn create_provider(&self, caller: &Caller, spec: ProviderSpec) -> Result<Provider, RuleError> {
        may_bring(caller)?;
        let now = self.clock.now();
        let judge = self.provider_judge.get().map(AsRef::as_ref);
        let provider = spec.into_provider(ProviderId::generate(&*self.ids), now, now, judge)?;
        let told = Told { action: "provider.create", target: provider.id.to_string() };
        let taken = || format!("there is a provider `{}` already", provider.name);
        self.add(caller, Kind::Provider, (provider.id.uuid(), &provider.name), &provider, told, taken)
            .await?;
        Ok(provider)
    }

    pub async fn update_provider(
        &self,
        caller: &Caller,
        id: ProviderId,
        spec: ProviderSpec,
    ) -> Result<Provider, RuleError> {
        may_bring(caller)?;
        let old = self.read::<Provider>(caller.tenant_id, Kind::Provider, id.uuid()).await?;
        let old = old.ok_or_else(|| RuleError::missing("provider", id))?;
        let judge = self.provider_judge.get().map(AsRef::as_ref);
        let provider = spec.into_provider(id, old.value.created_at, self.clock.now(), judge)?;
        let told = Told { action: "provider.update", target: id.to_string() };
        self.replace(caller, old, &provider.name, &provider, told).await?;
        Ok(provider)
    }

    /// An agent whose model was one of its models cannot be run any more, and says so.
    pub async fn delete_provider(&self, caller: &Caller, id: ProviderId) -> Result<(), RuleError> {
        let old = self.read::<Provider>(caller.tenant_id, Kind::Provider, id.uuid()).await?;
        let old = old.ok_or_else(|| RuleError::missing("provider", id))?;
        self.remove(caller, old, Told { action: "provider.delete", target: id.to_string() }).await
    }
}

/// A provider is told what people say to agents, and is sent a secret as its key: whoever chooses it must be trusted with secrets.
fn may_bring(caller: &Caller) -> Result<(), RuleError> {
    if caller.may(Scope::SecretsWrite) {
        return Ok(());
    }
    let message = "a provider is sent a secret, so setting one needs the scope secrets:write as well";
    Err(RuleError::Forbidden(message.to_owned()))
}
