//! From the configuration to providers.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use anyhow::{Context, bail};
use toolgate_agents::llm::{Api, KeySource, Outside, Provider, ProviderConfig, Scripted, open};

use super::{Abroad, HouseModels, choice::Choice};
use crate::{config::Config, document::read_text};

const MAX_SCRIPT_BYTES: usize = 4 * 1024 * 1024;
/// The provider behind `--model-script`.
const SCRIPTED: &str = "scripted";

/// A provider of the operator's.
pub(super) struct Own {
    pub(super) config: ProviderConfig,
    /// Absent where the key is the asker's own.
    pub(super) opened: Option<Arc<dyn Provider>>,
}

/// Opens what the operator configured. What cannot work is said now, not in the middle of a run.
pub(crate) fn set_up(config: &Config, abroad: Arc<Abroad>) -> anyhow::Result<Arc<HouseModels>> {
    let outside = Outside::real();
    let mut own = BTreeMap::new();
    for provider in &config.providers {
        let opened = own_provider(provider, &outside).map_err(anyhow::Error::msg)?;
        if own.insert(provider.name.clone(), opened).is_some() {
            bail!("two providers are called `{}`", provider.name);
        }
    }
    if let Some(file) = &config.model_script
        && own.insert(SCRIPTED.to_owned(), scripted(file)?).is_some()
    {
        bail!("`{SCRIPTED}` is the provider of --model-script: give the one in toolgate.toml another name");
    }
    let default = match &config.default_model {
        Some(name) => Some(Choice::parse(name).map_err(anyhow::Error::msg)?),
        None if config.model_script.is_some() => Some(Choice::new(SCRIPTED, None)),
        None => match own.keys().collect::<Vec<_>>().as_slice() {
            [only] => Some(Choice::new(only, None)),
            _ => None,
        },
    };
    Ok(Arc::new(HouseModels::new(own, default, config.prices.clone(), outside, abroad)))
}

fn own_provider(config: &ProviderConfig, outside: &Outside) -> Result<Own, String> {
    let key = match config.key()? {
        Some(KeySource::Secret(_)) => {
            // Whether it can be opened at all, without the key.
            open(config, None, outside)?;
            return Ok(Own { config: config.clone(), opened: None });
        }
        Some(source) => Some(source.load().map_err(|why| format!("the provider `{}`: {why}", config.name))?),
        None => None,
    };
    Ok(Own { config: config.clone(), opened: Some(open(config, key, outside)?) })
}

fn scripted(file: &Path) -> anyhow::Result<Own> {
    let script = read_text(file, MAX_SCRIPT_BYTES)?;
    let provider = Scripted::parse(&script)
        .map_err(anyhow::Error::msg)
        .with_context(|| format!("{} is no script of a model", file.display()))?;
    let models = vec![SCRIPTED.to_owned()];
    let config = ProviderConfig { models, ..ProviderConfig::new(SCRIPTED, Api::Scripted) };
    Ok(Own { config, opened: Some(Arc::new(provider)) })
}
