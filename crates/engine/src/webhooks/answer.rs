//! What comes back by a link: one answer, to exactly the question that was sent.

use std::sync::Arc;

use serde_json::json;
use toolgate_domain::{Caller, Invocation, Phase, Principal, Scope};
use toolgate_store::{Kind, Record, RecordWrite, StoreError};

use super::link::{Link, LinkAction};
use crate::{Approval, DecideError, Engine, Ruling};

/// What a link asks.
#[derive(Clone, Debug)]
pub struct Question {
    pub row: Invocation,
    pub action: LinkAction,
}

#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    #[error("this link is not one of ours, or the webhook it was sent to is gone")]
    Unknown,
    #[error("this link has expired: the call counts as rejected; make it again")]
    Expired,
    #[error("this link was used already: a link answers once")]
    Used,
    #[error(transparent)]
    Decide(#[from] DecideError),
}

impl From<StoreError> for LinkError {
    fn from(error: StoreError) -> Self {
        Self::Decide(error.into())
    }
}

impl Engine {
    /// What is asked, as long as the link is good. Reading decides nothing.
    pub async fn read_link(&self, token: &str) -> Result<Question, LinkError> {
        let (_, question, _) = self.open_link(token).await?;
        Ok(question)
    }

    /// The answer. Two at once: one counts, the other is told.
    pub async fn answer_link(
        self: &Arc<Self>,
        token: &str,
        reason: Option<String>,
    ) -> Result<(Question, Invocation), LinkError> {
        let (link, question, person) = self.open_link(token).await?;
        let ruling = match link.action {
            LinkAction::Approve => Ruling::Approve(Approval::default()),
            LinkAction::Reject => Ruling::Reject { reason: reason.unwrap_or_default() },
        };
        let row = self.decide(&person, link.invocation, Some(&link.digest), ruling).await?;
        // Used up after the decision, which itself counts once: a crash in between costs nobody their answer.
        self.use_up(&link).await?;
        Ok((question, row))
    }

    async fn open_link(&self, token: &str) -> Result<(Link, Question, Caller), LinkError> {
        let link = Link::read(token, &self.post.link_key()).ok_or(LinkError::Unknown)?;
        let tenant = self.stores.tenants.get(link.tenant).await?.filter(|t| t.archived_at.is_none());
        let tenant = tenant.ok_or(LinkError::Unknown)?;
        if self.rules.webhook_of(tenant.id, link.webhook).await?.is_none() {
            return Err(LinkError::Unknown);
        }
        if link.expires <= self.clock.now().as_millis().div_euclid(1_000) {
            return Err(LinkError::Expired);
        }
        if self.stores.records.by_name(tenant.id, Kind::Delivery, &used_name(&link)).await?.is_some() {
            return Err(LinkError::Used);
        }
        let row = self.stores.invocations.get(tenant.id, link.invocation).await?;
        let row = row.ok_or(LinkError::Unknown)?;
        if row.phase != Phase::Pending {
            return Err(DecideError::Decided(row.status()).into());
        }
        if row.approval_digest() != link.digest {
            return Err(DecideError::Changed.into());
        }
        let person = Principal::Webhook(link.webhook);
        let person = Caller::with_scopes(tenant.id, &tenant.slug, person, &[Scope::ApprovalsDecide]);
        let question = Question { row, action: link.action };
        Ok((link, question, person))
    }

    async fn use_up(&self, link: &Link) -> Result<(), LinkError> {
        let now = self.clock.now();
        let used = Record {
            tenant_id: link.tenant,
            kind: Kind::Delivery,
            id: self.ids.uuid(),
            name: used_name(link),
            body: json!({"invocation_id": link.invocation, "webhook_id": link.webhook, "used_at": now}),
            revision: 1,
            created_at: now,
            updated_at: now,
        };
        match self.stores.records.commit(link.tenant, vec![RecordWrite::Insert(used)], vec![]).await {
            Err(StoreError::Conflict(_)) => Err(LinkError::Used),
            other => Ok(other?),
        }
    }
}

fn used_name(link: &Link) -> String {
    format!("used/{}/{}", link.nonce, link.action.as_str())
}
