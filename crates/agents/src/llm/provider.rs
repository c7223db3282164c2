//! A wire format and a client together are a provider.

use async_trait::async_trait;
use tokio::sync::mpsc;

use super::{ChatRequest, Delta, LlmError, Provider, Turn, client::Client, wire::Wire};

pub(super) struct HttpProvider {
    pub(super) name: String,
    pub(super) client: Client,
    pub(super) wire: Box<dyn Wire>,
    pub(super) stream: bool,
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
        if self.stream {
            return Box::pin(self.client.ask(self.wire.as_ref(), request, deltas)).await;
        }
        let turn = Box::pin(self.client.ask(self.wire.as_ref(), request, None)).await?;
        // Whoever listens hears the text all the same, in one piece.
        if let (Some(deltas), Some(text)) = (deltas, &turn.text) {
            let _ = deltas.send(Delta::Text(text.clone())).await;
        }
        Ok(turn)
    }
}
