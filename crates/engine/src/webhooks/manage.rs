//! Where questions are sent, and what became of them.

use std::sync::Arc;

use serde_json::json;
use toolgate_domain::{
    Caller, DeliveryId, WebhookId,
    governance::{Delivery, Webhook},
};
use toolgate_store::Kind;

use super::{
    deliver::{OPEN, done_prefix, read_delivery},
    dispatch,
    post::Courier,
};
use crate::{Engine, Notifier, RuleError, WebhookSpec};

/// How a test letter was received.
#[derive(Clone, Debug, PartialEq)]
pub struct Tested {
    pub status: Option<u16>,
    pub error: Option<String>,
}

impl Engine {
    /// From now on this process sends what is due. `public_url` is where the links in letters lead.
    pub fn deliver_by(self: &Arc<Self>, notifier: Arc<dyn Notifier>, public_url: &str) {
        let courier = Courier { notifier, public_url: public_url.trim_end_matches('/').to_owned() };
        if let Some(inbox) = self.post.hire(courier) {
            dispatch::start(self, inbox);
        }
    }

    fn courier(&self) -> Result<&Courier, RuleError> {
        self.post.courier().ok_or_else(|| {
            RuleError::Conflict("this process sends no letters: ask one that serves requests".to_owned())
        })
    }

    /// Adds a webhook; with it comes its signing secret, which is shown this once.
    pub async fn create_webhook(
        &self,
        caller: &Caller,
        spec: WebhookSpec,
    ) -> Result<(Webhook, String), RuleError> {
        spec.check()?;
        self.courier()?.notifier.check(&spec.url).await.map_err(RuleError::Invalid)?;
        let hook = self.rules.add_webhook(caller, spec).await?;
        let secret = self.post.secret_of(caller.tenant_id, &hook);
        Ok((hook, secret))
    }

    pub async fn webhooks(&self, caller: &Caller) -> Result<Vec<Webhook>, RuleError> {
        let mut hooks = self.rules.webhooks_of(caller.tenant_id).await?;
        hooks.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(hooks)
    }

    async fn webhook(&self, caller: &Caller, id: WebhookId) -> Result<Webhook, RuleError> {
        let found = self.rules.webhook_of(caller.tenant_id, id).await?;
        found.ok_or_else(|| RuleError::NotFound(format!("there is no webhook {id}")))
    }

    pub async fn delete_webhook(&self, caller: &Caller, id: WebhookId) -> Result<(), RuleError> {
        self.rules.remove_webhook(caller, id).await?;
        self.cancel_deliveries_to(caller.tenant_id, id).await?;
        Ok(())
    }

    /// Sends a letter that asks nothing, once, now.
    pub async fn test_webhook(&self, caller: &Caller, id: WebhookId) -> Result<Tested, RuleError> {
        let hook = self.webhook(caller, id).await?;
        let _turn = self.post.begin_test(id).ok_or_else(|| {
            RuleError::Conflict(format!(
                "webhook {id} is being tested already: wait for that answer, then try again"
            ))
        })?;
        let now = self.clock.now();
        let delivery = DeliveryId::generate(&*self.ids).to_string();
        let body = json!({
            "id": delivery, "type": "webhook.test", "created_at": now, "tenant": caller.tenant_id,
        });
        let letter = self.post.seal(caller.tenant_id, &hook, delivery, now, body.to_string());
        Ok(match self.courier()?.send(caller.tenant_id, id, letter).await {
            Ok(status) => Tested { status: Some(status), error: None },
            Err(error) => Tested { status: None, error: Some(error) },
        })
    }

    /// The newest first: those still on their way, and how the others ended.
    pub async fn deliveries(
        &self,
        caller: &Caller,
        id: WebhookId,
        limit: usize,
    ) -> Result<Vec<Delivery>, RuleError> {
        self.webhook(caller, id).await?;
        let mut all = Vec::new();
        for prefix in [OPEN.to_owned(), done_prefix(id)] {
            for record in self.stores.records.named(caller.tenant_id, Kind::Delivery, &prefix).await? {
                all.push(read_delivery(&record)?);
            }
        }
        all.retain(|delivery| delivery.webhook_id == id);
        all.sort_by_key(|delivery| std::cmp::Reverse((delivery.created_at, delivery.id)));
        all.truncate(limit);
        Ok(all)
    }
}
