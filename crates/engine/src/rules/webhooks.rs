use data_encoding::HEXLOWER;
use rand::RngExt;
use serde::Deserialize;
use toolgate_domain::{
    Caller, TenantId, WebhookId,
    governance::{Webhook, WebhookEvent},
};
use toolgate_store::{Kind, StoreError};

use super::{RuleError, Rules, document::Told};

const MAX_URL_BYTES: usize = 2_000;

/// A webhook as somebody wants it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhookSpec {
    pub name: String,
    pub url: String,
    #[serde(default = "questions")]
    pub events: Vec<WebhookEvent>,
}

fn questions() -> Vec<WebhookEvent> {
    vec![WebhookEvent::NeedsApproval]
}

impl WebhookSpec {
    pub(crate) fn check(&self) -> Result<(), RuleError> {
        let refuse = |message: &str| Err(RuleError::Invalid(message.to_owned()));
        if self.name.trim().is_empty() || self.name.chars().count() > 100 {
            return refuse("a webhook has a name of 1 to 100 characters");
        }
        if self.url.len() > MAX_URL_BYTES {
            return refuse("the url has at most 2000 bytes");
        }
        if self.events.is_empty() || self.events.len() > 10 {
            return refuse("events names what to tell; leave it out for needs_approval");
        }
        Ok(())
    }
}

impl Rules {
    pub(crate) async fn webhooks_of(&self, tenant: TenantId) -> Result<Vec<Webhook>, StoreError> {
        self.read_all(tenant, Kind::Webhook).await
    }

    pub(crate) async fn webhook_of(
        &self,
        tenant: TenantId,
        id: WebhookId,
    ) -> Result<Option<Webhook>, StoreError> {
        Ok(self.read(tenant, Kind::Webhook, id.uuid()).await?.map(|document| document.value))
    }

    /// Keeps a webhook whose address was checked.
    pub(crate) async fn add_webhook(&self, caller: &Caller, spec: WebhookSpec) -> Result<Webhook, RuleError> {
        let known = self.webhooks_of(caller.tenant_id).await?.len() as u64;
        if known >= self.limits.max_webhooks {
            return Err(RuleError::Conflict(format!(
                "this tenant has {known} webhooks, the most it may have: delete one first"
            )));
        }
        let hook = Webhook {
            id: WebhookId::generate(&*self.ids),
            name: spec.name.trim().to_owned(),
            url: spec.url,
            events: spec.events,
            salt: HEXLOWER.encode(&rand::rng().random::<[u8; 16]>()),
            created_at: self.clock.now(),
        };
        let told = Told { action: "webhook.create", target: hook.id.to_string() };
        let taken = || format!("there is a webhook `{}` already", hook.name);
        self.add(caller, Kind::Webhook, (hook.id.uuid(), &hook.name), &hook, told, taken).await?;
        Ok(hook)
    }

    /// From now on it is sent nothing, and the links that it was sent lead nowhere.
    pub(crate) async fn remove_webhook(&self, caller: &Caller, id: WebhookId) -> Result<(), RuleError> {
        let old = self.read::<Webhook>(caller.tenant_id, Kind::Webhook, id.uuid()).await?;
        let old = old.ok_or_else(|| RuleError::missing("webhook", id))?;
        self.remove(caller, old, Told { action: "webhook.delete", target: id.to_string() }).await
    }
}
