//! Opens models for those who ask: agents, and prompt tools.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use toolgate_agents::{
    llm::{KeySource, Outside, Prices, Provider, ProviderConfig, ProviderModel, open},
    run::{Models, Opened},
};
use toolgate_domain::{ErrorCode, ToolError};
use toolgate_engine::{Invoker, Model, ModelSource};

use super::{
    abroad::Abroad,
    choice::{self, Choice, candidates},
    setup::Own,
};

/// Every model there is.
pub(crate) struct HouseModels {
    own: BTreeMap<String, Own>,
    default: Option<Choice>,
    /// The operator's price table, for what a provider does not price itself.
    prices: Prices,
    outside: Outside,
    abroad: Arc<Abroad>,
}

impl HouseModels {
    pub(super) fn new(
        own: BTreeMap<String, Own>,
        default: Option<Choice>,
        prices: Prices,
        outside: Outside,
        abroad: Arc<Abroad>,
    ) -> Self {
        Self { own, default, prices, outside, abroad }
    }

    /// The operator's providers.
    pub(super) fn configs(&self) -> impl Iterator<Item = &ProviderConfig> {
        self.own.values().map(|own| &own.config)
    }

    /// The provider of this name, opened for the asker: the tenant's before the operator's.
    async fn meet(
        &self,
        asker: &Invoker,
        name: &str,
    ) -> Result<Option<(Arc<dyn Provider>, ProviderConfig)>, ToolError> {
        if let Some(brought) = asker.provider(name).await? {
            let config = ProviderConfig::from(&brought);
            let outside = self.abroad.way_to(asker.caller()?.tenant_id, &brought, &config).await?;
            return Ok(Some((opened(asker, &config, &outside).await?, config)));
        }
        let Some(own) = self.own.get(name) else { return Ok(None) };
        let provider = match &own.opened {
            Some(provider) => Arc::clone(provider),
            None => opened(asker, &own.config, &self.outside).await?,
        };
        Ok(Some((provider, own.config.clone())))
    }

    /// The operator's default; without one, the only provider that the tenant brings.
    async fn default(&self, asker: &Invoker) -> Result<Option<Choice>, ToolError> {
        if self.default.is_some() {
            return Ok(self.default.clone());
        }
        Ok(match asker.providers().await?.as_slice() {
            [only] => Some(Choice::new(&only.name, None)),
            _ => None,
        })
    }

    async fn known(&self, asker: &Invoker) -> Result<Vec<String>, ToolError> {
        let brought = asker.providers().await?.into_iter().map(|provider| provider.name);
        let mut known: Vec<String> = self.own.keys().cloned().chain(brought).collect();
        known.sort();
        known.dedup();
        Ok(known)
    }
}

/// Opens a provider whose key is the asker's. It lives as long as what asks it.
async fn opened(
    asker: &Invoker,
    config: &ProviderConfig,
    outside: &Outside,
) -> Result<Arc<dyn Provider>, ToolError> {
    let key = match config.key().map_err(misconfigured)? {
        Some(KeySource::Secret(secret)) => Some(asker.model_key(&secret).await?),
        _ => None,
    };
    open(config, key, outside).map_err(misconfigured)
}

#[async_trait]
impl Models for HouseModels {
    async fn open(&self, asker: &Invoker, name: Option<&str>) -> Result<Opened, ToolError> {
        let default = self.default(asker).await?;
        for candidate in candidates(name, default.as_ref()) {
            let Choice { provider: named, model, if_listed } = candidate;
            let Some((provider, config)) = self.meet(asker, &named).await? else { continue };
            if if_listed && !model.as_ref().is_some_and(|model| config.models.contains(model)) {
                continue;
            }
            let model = model.or_else(|| config.models.first().cloned());
            let model = model.ok_or_else(|| choice::no_model_of(&named))?;
            return Ok(Opened { provider, model, prices: config.prices.over(&self.prices) });
        }
        let known = self.known(asker).await?;
        Err(match name {
            _ if known.is_empty() => choice::no_model(),
            None => choice::undecided(&known),
            Some(name) => choice::unknown(name, &known),
        })
    }
}

#[async_trait]
impl ModelSource for HouseModels {
    async fn open(&self, asker: &Invoker, name: Option<&str>) -> Result<Arc<dyn Model>, ToolError> {
        let Opened { provider, model, prices } = Models::open(self, asker, name).await?;
        Ok(Arc::new(ProviderModel::new(provider, model, prices)))
    }
}

/// It was looked at when it was set up or saved, so this is for the one who did.
fn misconfigured(why: String) -> ToolError {
    ToolError::new(ErrorCode::ProviderError, why)
}
