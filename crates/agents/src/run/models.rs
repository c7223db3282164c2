use std::sync::Arc;

use async_trait::async_trait;
use toolgate_domain::ToolError;
use toolgate_engine::Invoker;

use crate::llm::{Prices, Provider};

/// A model that can be asked.
#[derive(Clone)]
pub struct Opened {
    pub provider: Arc<dyn Provider>,
    /// What the provider calls it.
    pub model: String,
    pub prices: Prices,
}

/// Which models there are.
#[async_trait]
pub trait Models: Send + Sync {
    /// Opens a model by the name that an agent has for it, `provider/model`; without one, the default. Keys that are kept as secrets are
    /// those of `asker`.
    async fn open(&self, asker: &Invoker, name: Option<&str>) -> Result<Opened, ToolError>;
}
