//! The chain as a database keeps it, a few records at a time, in the order in which it is verified and exported.

use std::collections::{HashMap, VecDeque};

use toolgate_domain::{
    AuditEvent, AuditId, Invocation, InvocationId, TenantId,
    audit::{Digest, Item, ItemKind, read_items},
    ids::Uuid,
};
use toolgate_store::{Link, SignedHead, StoreError, Stores};

const LINKS: usize = 200;
const HEADS: usize = 500;
/// Receipts can be large; so many are in memory at once.
const RECORDS: usize = 64;

pub(super) enum Step {
    /// The row, and the digest by which a link names its receipt.
    Receipt(Box<Invocation>, Digest),
    Event(Box<AuditEvent>),
    /// The row is there and makes no sense.
    Unreadable,
    Link(Link),
    Signed(SignedHead),
}

impl Step {
    fn named_by(self, item: &Item) -> Self {
        match self {
            Self::Receipt(row, _) => Self::Receipt(row, item.digest),
            other => other,
        }
    }
}

enum Plan {
    Record(Item),
    Link(Link),
}

pub(super) struct Walk<'a> {
    stores: &'a Stores,
    tenant: TenantId,
    /// The last link to show.
    until: u64,
    after: u64,
    plan: VecDeque<Plan>,
    heads: VecDeque<SignedHead>,
    heads_after: u64,
}

impl<'a> Walk<'a> {
    pub(super) fn new(stores: &'a Stores, tenant: TenantId, until: u64) -> Self {
        Self {
            stores,
            tenant,
            until,
            after: 0,
            plan: VecDeque::new(),
            heads: VecDeque::new(),
            heads_after: 0,
        }
    }

    /// What comes next: some steps, or none at the end.
    pub(super) async fn next(&mut self) -> Result<Vec<Step>, StoreError> {
        if self.plan.is_empty() {
            self.read_links().await?;
        }
        let next: Vec<_> = self.plan.drain(..self.plan.len().min(RECORDS)).collect();
        let mut records = self.load(&next).await?;
        let mut steps = Vec::with_capacity(next.len());
        for plan in next {
            match plan {
                // What is not there is no step: whoever verifies misses it.
                Plan::Record(item) => {
                    let found = records.remove(&(item.kind, item.id));
                    steps.extend(found.map(|step| step.named_by(&item)));
                }
                Plan::Link(link) => {
                    let seq = link.seq;
                    steps.push(Step::Link(link));
                    while let Some(head) = self.peek_signed().await?
                        && head.seq <= seq
                    {
                        steps.extend(self.heads.pop_front().map(Step::Signed));
                    }
                }
            }
        }
        Ok(steps)
    }

    /// The first signed head that no step has shown yet.
    pub(super) async fn peek_signed(&mut self) -> Result<Option<&SignedHead>, StoreError> {
        if self.heads.is_empty() {
            let read = self.stores.audit.signed_heads(self.tenant, self.heads_after, HEADS).await?;
            self.heads_after = read.last().map_or(self.heads_after, |head| head.seq);
            self.heads.extend(read);
        }
        Ok(self.heads.front())
    }

    async fn read_links(&mut self) -> Result<(), StoreError> {
        let links = self.stores.audit.links(self.tenant, self.after, LINKS).await?;
        for link in links.into_iter().filter(|link| link.seq <= self.until) {
            self.after = link.seq;
            self.plan.extend(read_items(&link.items).into_iter().flatten().map(Plan::Record));
            self.plan.push_back(Plan::Link(link));
        }
        Ok(())
    }

    async fn load(&self, plan: &[Plan]) -> Result<HashMap<(ItemKind, Uuid), Step>, StoreError> {
        let mut found = HashMap::with_capacity(plan.len());
        for kind in [ItemKind::Receipt, ItemKind::Event] {
            let named = plan.iter().filter_map(|plan| match plan {
                Plan::Record(item) if item.kind == kind => Some(item.id),
                _ => None,
            });
            let rows = self.readable(kind, &named.collect::<Vec<_>>()).await?;
            found.extend(rows.into_iter().map(|(id, step)| ((kind, id), step)));
        }
        Ok(found)
    }

    /// Reads rows; where one makes no sense, each by itself, so that the others are known.
    async fn readable(&self, kind: ItemKind, ids: &[Uuid]) -> Result<Vec<(Uuid, Step)>, StoreError> {
        let senseless = |error: &StoreError| matches!(error, StoreError::Corrupt(_) | StoreError::Refused(_));
        match self.rows(kind, ids).await {
            Err(error) if senseless(&error) => {}
            other => return other,
        }
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            match self.rows(kind, &[*id]).await {
                Err(error) if senseless(&error) => found.push((*id, Step::Unreadable)),
                other => found.extend(other?),
            }
        }
        Ok(found)
    }

    async fn rows(&self, kind: ItemKind, ids: &[Uuid]) -> Result<Vec<(Uuid, Step)>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        Ok(match kind {
            ItemKind::Receipt => {
                let ids: Vec<_> = ids.iter().copied().map(InvocationId::from_uuid).collect();
                let rows = self.stores.invocations.by_ids(self.tenant, &ids).await?;
                rows.into_iter()
                    .map(|row| (row.id.uuid(), Step::Receipt(Box::new(row), Digest::default())))
                    .collect()
            }
            ItemKind::Event => {
                let ids: Vec<_> = ids.iter().copied().map(AuditId::from_uuid).collect();
                let events = self.stores.audit.events_by_id(self.tenant, &ids).await?;
                events.into_iter().map(|event| (event.id.uuid(), Step::Event(Box::new(event)))).collect()
            }
        })
    }
}
