//! One delivery, from the question to its end. Every step is a change of the kept document in a known revision, so that of
//! several processes one takes it.

use std::time::Duration;

use rand::RngExt;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::time::Instant;
use toolgate_domain::{
    DeliveryId, Invocation, InvocationId, Phase, TenantId, Timestamp, WebhookId,
    governance::{Delivery, DeliveryStatus, Webhook, WebhookEvent},
    ids::Uuid,
};
use toolgate_store::{Kind, Record, RecordWrite, StoreError};

use super::agenda::{QueuedDelivery, SendOutcome};
use crate::Engine;

/// The names of deliveries that are on their way begin like this.
pub(super) const OPEN: &str = "open/";
/// Longer than a send may take by this: whoever has not reported back by then has died.
const SENDING_GRACE_MS: u64 = 20_000;
const WAITS: [u64; 6] = [1, 5, 30, 120, 600, 3_600];
const MAX_ERROR_CHARS: usize = 500;

pub(super) fn done_prefix(webhook: WebhookId) -> String {
    format!("done/{webhook}/")
}

/// A question goes to a webhook once, whoever finds it first.
fn delivery_id(invocation: InvocationId, webhook: WebhookId) -> DeliveryId {
    let digest = Sha256::new()
        .chain_update("toolgate delivery")
        .chain_update(invocation.uuid().as_bytes())
        .chain_update(webhook.uuid().as_bytes())
        .finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    // Version 8: made of something else than time.
    (bytes[6], bytes[8]) = (bytes[6] & 0x0f | 0x80, bytes[8] & 0x3f | 0x80);
    DeliveryId::from_uuid(Uuid::from_bytes(bytes))
}

pub(super) fn read_delivery(record: &Record) -> Result<Delivery, StoreError> {
    Delivery::deserialize(&record.body)
        .map_err(|e| StoreError::Corrupt(format!("delivery {}: {e}", record.id)))
}

fn record_of(tenant_id: TenantId, delivery: &Delivery, revision: u64, now: Timestamp) -> Record {
    let name = match delivery.status {
        DeliveryStatus::Pending => format!("{OPEN}{}/{}", delivery.invocation_id, delivery.webhook_id),
        _ => format!("{}{}", done_prefix(delivery.webhook_id), delivery.invocation_id),
    };
    Record {
        tenant_id,
        kind: Kind::Delivery,
        id: delivery.id.uuid(),
        name,
        body: json!(delivery),
        revision,
        created_at: delivery.created_at,
        updated_at: now,
    }
}

impl Engine {
    /// Makes the deliveries of a question that do not exist yet.
    pub(super) async fn enqueue(
        &self,
        row: &Invocation,
        hooks: &[Webhook],
    ) -> Result<Vec<QueuedDelivery>, StoreError> {
        let mut made = Vec::new();
        let wanted = hooks.iter().filter(|hook| {
            hook.created_at <= row.created_at && hook.events.contains(&WebhookEvent::NeedsApproval)
        });
        for hook in wanted {
            let id = delivery_id(row.id, hook.id);
            if row.phase != Phase::Pending
                || self.stores.records.get(row.tenant_id, Kind::Delivery, id.uuid()).await?.is_some()
            {
                continue;
            }
            let now = self.clock.now();
            let delivery = Delivery {
                id,
                webhook_id: hook.id,
                invocation_id: row.id,
                status: DeliveryStatus::Pending,
                attempts: 0,
                next_attempt_at: now,
                last_status: None,
                last_error: None,
                nonce: data_encoding::HEXLOWER.encode(&rand::rng().random::<[u8; 16]>()),
                created_at: now,
                ended_at: None,
            };
            let write = RecordWrite::Insert(record_of(row.tenant_id, &delivery, 1, now));
            match self.stores.records.commit(row.tenant_id, vec![write], vec![]).await {
                Ok(()) => made.push(QueuedDelivery { tenant: row.tenant_id, webhook: hook.id, delivery: id }),
                // Another process was as quick.
                Err(StoreError::Conflict(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(made)
    }

    /// A question was answered: nobody need be asked any more.
    pub(super) async fn cancel_deliveries(
        &self,
        tenant: TenantId,
        id: InvocationId,
    ) -> Result<(), StoreError> {
        self.cancel_named(tenant, &format!("{OPEN}{id}/"), |_| true, "the question was answered").await
    }

    pub(super) async fn cancel_deliveries_to(
        &self,
        tenant: TenantId,
        hook: WebhookId,
    ) -> Result<(), StoreError> {
        let is_its = |delivery: &Delivery| delivery.webhook_id == hook;
        self.cancel_named(tenant, OPEN, is_its, "the webhook was deleted").await
    }

    async fn cancel_named(
        &self,
        tenant: TenantId,
        prefix: &str,
        concerned: impl Fn(&Delivery) -> bool,
        why: &str,
    ) -> Result<(), StoreError> {
        for record in self.stores.records.named(tenant, Kind::Delivery, prefix).await? {
            let delivery = read_delivery(&record)?;
            if concerned(&delivery) {
                self.cancel_delivery(&record, delivery, why).await?;
            }
        }
        Ok(())
    }

    async fn cancel_delivery(
        &self,
        record: &Record,
        mut delivery: Delivery,
        why: &str,
    ) -> Result<(), StoreError> {
        delivery.status = DeliveryStatus::Cancelled;
        delivery.last_error = Some(why.to_owned());
        delivery.ended_at = Some(self.clock.now());
        self.change(record.tenant_id, record.revision, &delivery).await.map(drop)
    }

    /// `false` when another change came first.
    async fn change(&self, tenant: TenantId, revision: u64, delivery: &Delivery) -> Result<bool, StoreError> {
        let record = record_of(tenant, delivery, revision + 1, self.clock.now());
        match self.stores.records.commit(tenant, vec![RecordWrite::Update(record)], vec![]).await {
            Ok(()) => Ok(true),
            Err(StoreError::Conflict(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Sends what is due, if nobody else does.
    pub(super) async fn attempt(&self, tenant: TenantId, id: DeliveryId) -> Result<SendOutcome, StoreError> {
        let Some(record) = self.stores.records.get(tenant, Kind::Delivery, id.uuid()).await? else {
            return Ok(SendOutcome::default());
        };
        let mut delivery = read_delivery(&record)?;
        let now = self.clock.now();
        if delivery.status != DeliveryStatus::Pending {
            return Ok(SendOutcome::default());
        }
        if delivery.next_attempt_at > now {
            return Ok(SendOutcome { again: Some(delivery.next_attempt_at), is_slow: None });
        }
        let row = self.stores.invocations.get(tenant, delivery.invocation_id).await?;
        let Some(row) = row.filter(|row| row.phase == Phase::Pending) else {
            self.cancel_delivery(&record, delivery, "the question was answered").await?;
            return Ok(SendOutcome::default());
        };
        let hook = self.rules.webhook_of(tenant, delivery.webhook_id).await?;
        let (Some(hook), Some(courier)) = (hook, self.post.courier()) else {
            self.cancel_delivery(&record, delivery, "the webhook was deleted").await?;
            return Ok(SendOutcome::default());
        };
        delivery.attempts += 1;
        let sending_ms = self.limits.webhook_timeout_ms.saturating_add(SENDING_GRACE_MS);
        delivery.next_attempt_at = now.plus_ms(i64::try_from(sending_ms).unwrap_or(i64::MAX));
        if !self.change(tenant, record.revision, &delivery).await? {
            return Ok(SendOutcome::default());
        }
        let body = self.question(&row, &delivery, &courier.public_url).to_string();
        let letter = self.post.seal(tenant, &hook, id.to_string(), now, body);
        let began = Instant::now();
        let received = courier.send(tenant, hook.id, letter).await;
        let is_slow = began.elapsed() >= Duration::from_millis(self.limits.webhook_slow_ms);
        self.note(&mut delivery, received);
        // When somebody cancelled it meanwhile, that stands.
        self.change(tenant, record.revision + 1, &delivery).await?;
        let again = (delivery.status == DeliveryStatus::Pending).then_some(delivery.next_attempt_at);
        Ok(SendOutcome { again, is_slow: Some(is_slow) })
    }

    /// What an attempt came to.
    fn note(&self, delivery: &mut Delivery, received: Result<u16, String>) {
        let now = self.clock.now();
        (delivery.last_status, delivery.last_error) = match received {
            Ok(status @ 200..=299) => (Some(status), None),
            Ok(status) => (Some(status), Some(format!("the receiver answered {status}"))),
            Err(error) => (None, Some(error.chars().take(MAX_ERROR_CHARS).collect())),
        };
        if delivery.last_error.is_none() {
            (delivery.status, delivery.ended_at) = (DeliveryStatus::Delivered, Some(now));
        } else if u64::from(delivery.attempts) >= self.limits.webhook_max_attempts {
            (delivery.status, delivery.ended_at) = (DeliveryStatus::Failed, Some(now));
        } else {
            delivery.next_attempt_at = now.plus_ms(self.pause_after(delivery.attempts));
        }
    }

    /// Growing, and up to a fifth longer, so that what failed together does not come back together.
    fn pause_after(&self, attempts: u32) -> i64 {
        let step = usize::try_from(attempts).unwrap_or(usize::MAX).saturating_sub(1).min(WAITS.len() - 1);
        let pause = self.limits.webhook_retry_base_ms.saturating_mul(WAITS[step]);
        let pause = pause.saturating_add(rand::rng().random_range(0..=pause / 5));
        i64::try_from(pause).unwrap_or(i64::MAX)
    }

    /// The same words for every attempt.
    fn question(&self, row: &Invocation, delivery: &Delivery, public_url: &str) -> Value {
        let digest = row.approval_digest();
        json!({
            "id": delivery.id,
            "type": "approval.requested",
            "created_at": delivery.created_at,
            "tenant": row.tenant_id,
            "invocation": {
                "id": row.id,
                "tool": format!("{}@{}", row.tool_name, row.tool_version),
                "input": row.effective_input(),
                "caller": row.caller,
                "agent": row.agent_id,
                "decision": row.decision,
                "expires_at": row.approval_expires_at,
                "approval_digest": digest,
            },
            // Where a person signs in and decides: the letter itself decides nothing.
            "url": format!("{public_url}/invocations/{}", row.id),
        })
    }
}
