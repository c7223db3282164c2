//! What signs, and the way from the calls to the dispatcher.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use toolgate_domain::{InvocationId, TenantId, Timestamp, WebhookId, governance::Webhook};

use crate::{Letter, Notifier, SendError};

/// Beyond it, what is told is found by the next look around.
const QUEUE: usize = 4_096;

/// What the dispatcher should know at once. Losing some costs a moment, not a letter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum News {
    Parked(TenantId, InvocationId),
    Decided(TenantId, InvocationId),
}

impl News {
    pub(super) fn tenant(&self) -> TenantId {
        match self {
            Self::Parked(tenant, _) | Self::Decided(tenant, _) => *tenant,
        }
    }
}

/// Who carries the letters, and where their links lead.
pub(super) struct Courier {
    pub(super) notifier: Arc<dyn Notifier>,
    pub(super) public_url: String,
}

impl Courier {
    /// Sends, and says why there was no answer in words that are fit for the tenant. The log has the rest.
    pub(super) async fn send(
        &self,
        tenant: TenantId,
        webhook: WebhookId,
        letter: Letter,
    ) -> Result<u16, String> {
        let delivery = letter.delivery.clone();
        self.notifier.send(letter).await.map_err(|error| {
            if let SendError::Unreached { detail } = &error {
                tracing::warn!(%tenant, %webhook, delivery, detail, "a webhook cannot be reached");
            }
            error.to_string()
        })
    }
}

pub(crate) struct Post {
    /// The installation's; everything that is signed here follows from it.
    key: Vec<u8>,
    /// Webhooks to which a test letter is on its way.
    testing: Mutex<HashSet<WebhookId>>,
    news: mpsc::Sender<News>,
    inbox: Mutex<Option<mpsc::Receiver<News>>>,
    courier: OnceLock<Courier>,
    pub(crate) stop: CancellationToken,
}

impl Post {
    pub(crate) fn new(key: Vec<u8>) -> Self {
        let (news, inbox) = mpsc::channel(QUEUE);
        Self {
            key,
            testing: Mutex::default(),
            news,
            inbox: Mutex::new(Some(inbox)),
            courier: OnceLock::new(),
            stop: CancellationToken::new(),
        }
    }

    /// Hires the courier, once. Answers what the dispatcher listens to.
    pub(super) fn hire(&self, courier: Courier) -> Option<mpsc::Receiver<News>> {
        self.courier.set(courier).ok()?;
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(super) fn courier(&self) -> Option<&Courier> {
        self.courier.get()
    }

    /// The turn to test a webhook; `None` while another test of it is under way. A test holds its request for as long as the
    /// receiver takes, and a tenant must not hold all of them.
    pub(super) fn begin_test(&self, webhook: WebhookId) -> Option<Testing<'_>> {
        let is_first = self.testing.lock().unwrap_or_else(PoisonError::into_inner).insert(webhook);
        // Not `then_some`: a turn that is made and dropped would end the other test's.
        is_first.then(|| Testing { post: self, webhook })
    }

    pub(crate) fn tell(&self, news: News) {
        // Without a courier nobody listens; with too many, the next look around finds what was not told.
        if self.courier.get().is_some() {
            let _ = self.news.try_send(news);
        }
    }

    /// What a webhook's receiver verifies with. It is shown once, and made anew whenever it is needed.
    pub(super) fn secret_of(&self, tenant: TenantId, hook: &Webhook) -> String {
        let text = format!("webhook {tenant} {} {}", hook.id, hook.salt);
        format!("whsec_{}", BASE64URL_NOPAD.encode(&mac(&self.key, text.as_bytes())))
    }

    pub(super) fn seal(
        &self,
        tenant: TenantId,
        hook: &Webhook,
        delivery: String,
        now: Timestamp,
        body: String,
    ) -> Letter {
        let sent_at_s = now.as_millis().div_euclid(1_000);
        let secret = self.secret_of(tenant, hook);
        let signed = mac(secret.as_bytes(), format!("{sent_at_s}.{body}").as_bytes());
        let signature = format!("t={sent_at_s},v1={}", HEXLOWER.encode(&signed));
        Letter { url: hook.url.clone(), delivery, sent_at_s, signature, body }
    }
}

/// The turn to test a webhook, given back when it is dropped.
pub(super) struct Testing<'a> {
    post: &'a Post,
    webhook: WebhookId,
}

impl Drop for Testing<'_> {
    fn drop(&mut self) {
        self.post.testing.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.webhook);
    }
}

pub(super) fn mac(key: &[u8], text: &[u8]) -> Vec<u8> {
    // HMAC takes a key of any length, so this arm is never taken; what is empty is never taken for a signature.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        return Vec::new();
    };
    mac.update(text);
    mac.finalize().into_bytes().to_vec()
}
