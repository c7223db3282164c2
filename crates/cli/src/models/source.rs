//! Opens models for those who ask: agents, and prompt tools.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use toolgate_agents::{
    llm::{KeySource, Outside, Provider, ProviderConfig, ProviderModel, open},
    run::{Models, Opened},
};
use toolgate_domain::{ErrorCode, ToolError};
use toolgate_engine::{Invoker, Model, ModelSource};

use super::{
    choice::{self, Choice, candidates},
    setup::Own,
};

/// Every model there is.
pub(crate) struct HouseModels {
    own: BTreeMap<String, Own>,
    default: Option<Choice>,
    outside: Outside,
}

/// A provider as the asker meets it.
struct Met<'a> {
    provider: Arc<dyn Provider>,
    config: std::borrow::Cow<'a, ProviderConfig>,
}

impl HouseModels {
    pub(super) fn new(own: BTreeMap<String, Own>, default: Option<Choice>, outside: Outside) -> Self {
        Self { own, default, outside }
    }

    /// The operator's providers.
    pub(super) fn configs(&self) -> impl Iterator<Item = &ProviderConfig> {
        self.own.values().map(|own| &own.config)
    }

    /// The provider of this name, opened for the asker.
    async fn meet(&self, asker: &Invoker, name: &str) -> Result<Option<Met<'_>>, ToolError> {
        let Some(own) = self.own.get(name) else { return Ok(None) };
        let config = std::borrow::Cow::Borrowed(&own.config);
        if let Some(provider) = &own.opened {
            return Ok(Some(Met { provider: Arc::clone(provider), config }));
        }
        let key = match own.config.key().map_err(misconfigured)? {
            Some(KeySource::Secret(secret)) => Some(asker.model_key(&secret).await?),
            _ => None,
        };
        let provider = open(&own.config, key, &self.outside).map_err(misconfigured)?;
        Ok(Some(Met { provider, config }))
    }

    fn known(&self) -> Vec<String> {
        self.own.keys().cloned().collect()
    }
}

#[async_trait]
impl Models for HouseModels {
    async fn open(&self, asker: &Invoker, name: Option<&str>) -> Result<Opened, ToolError> {
        let mut candidates = candidates(name, self.default.as_ref()).into_iter();
        // At most two: the one who is named, and the default.
        let first = candidates.len() < 2;
        while let Some(Choice { provider, model }) = candidates.next() {
            let Some(met) = self.meet(asker, &provider).await? else { continue };
            let is_fallback = !first && candidates.len() == 0;
            let config = &met.config;
            if is_fallback && !model.as_ref().is_some_and(|model| config.models.contains(model)) {
                continue;
            }
            let model = model.or_else(|| config.models.first().cloned());
            let model = model.ok_or_else(|| choice::no_model_of(&provider))?;
            return Ok(Opened { model, prices: config.prices.clone(), provider: met.provider });
        }
        let known = self.known();
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

/// It was looked at when it was set up, so this is for the operator.
fn misconfigured(why: String) -> ToolError {
    ToolError::new(ErrorCode::ProviderError, why)
}
