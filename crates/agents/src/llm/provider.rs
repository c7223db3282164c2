//! A wire format and a client together are a provider.

use async_trait::async_trait;
use tokio::sync::mpsc;

use super::{ChatRequest, Delta, LlmError, Provider, Turn, client::Client, wire::Wire};

pub(super) struct HttpProvider {
    pub(super) name: String,
    pub(super) client: Client,
    pub(super) wire: Box<dyn Wire>,
}

#[async_trait]
impl Provider for HttpProvider {
    fn name(&self) -> &str {
        &self.name
    }

    async fn chat(
        &self,
        request: &ChatRequest,
        deltas: Option<mpsc::Sender<Delta>>,
    ) -> Result<Turn, LlmError> {
        Box::pin(self.client.ask(self.wire.as_ref(), request, deltas)).await
    }
}
