//! What is to be sent, and whose turn it is. It lives in memory: the deliveries themselves are durable.
//!
//! Tenants take turns, and so do the webhooks of a tenant; each has a bounded share of the places. A webhook that was slow to answer
//! has one place, and all slow ones together have half of them: the other half is always for those that answer.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use toolgate_domain::{DeliveryId, Limits, TenantId, Timestamp, WebhookId};

use super::turns::in_turn;

/// Deliveries to one webhook that one process keeps in mind; the rest wait for a later look around.
const MAX_LINE: usize = 1_000;

/// A delivery, with those whose turn it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QueuedDelivery {
    pub(super) tenant: TenantId,
    pub(super) webhook: WebhookId,
    pub(super) delivery: DeliveryId,
}

/// How a send ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SendOutcome {
    /// When to send again.
    pub(super) again: Option<Timestamp>,
    /// Whether the receiver held its place for long; `None` where nothing was sent.
    pub(super) is_slow: Option<bool>,
}

/// Sends at a time.
#[derive(Clone, Copy, Debug)]
struct Places {
    all: usize,
    per_tenant: usize,
    per_webhook: usize,
}

impl Places {
    fn of(limits: &Limits) -> Self {
        let size = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX).clamp(1, 10_000);
        Self {
            all: size(limits.webhook_sends),
            per_tenant: size(limits.webhook_sends_per_tenant),
            per_webhook: size(limits.webhook_sends_per_webhook),
        }
    }
}

fn half(places: usize) -> usize {
    (places / 2).max(1)
}

/// The deliveries to one webhook.
#[derive(Default)]
struct Line {
    due: BTreeSet<(Timestamp, DeliveryId)>,
    known: HashMap<DeliveryId, Timestamp>,
    sending: BTreeSet<DeliveryId>,
    is_slow: bool,
}

impl Line {
    fn add(&mut self, at: Timestamp, id: DeliveryId) {
        // A look around sees when the sender of a letter on the wire would count as dead. Its own end says more.
        if self.sending.contains(&id) {
            return;
        }
        match self.known.get(&id) {
            Some(earlier) if *earlier <= at => return,
            Some(later) => {
                self.due.remove(&(*later, id));
            }
            None if self.due.len() >= MAX_LINE => match self.due.last().copied() {
                Some((last, dropped)) if last > at => {
                    self.due.remove(&(last, dropped));
                    self.known.remove(&dropped);
                }
                _ => return,
            },
            None => {}
        }
        self.known.insert(id, at);
        self.due.insert((at, id));
    }

    fn take(&mut self) -> Option<DeliveryId> {
        let (_, id) = self.due.pop_first()?;
        self.known.remove(&id);
        self.sending.insert(id);
        Some(id)
    }

    fn next(&self) -> Option<Timestamp> {
        self.due.first().map(|(at, _)| *at)
    }

    fn is_over(&self) -> bool {
        self.due.is_empty() && self.sending.is_empty()
    }
}

/// The webhooks of one tenant.
#[derive(Default)]
struct Lines {
    of: BTreeMap<WebhookId, Line>,
    served_last: Option<WebhookId>,
}

impl Lines {
    fn load(&self) -> Load {
        self.of.values().fold(Load::default(), |load, line| {
            let sending = line.sending.len();
            load.plus(Load { sending, slow: if line.is_slow { sending } else { 0 } })
        })
    }

    /// Those for which a place is free, with the moment at which they want it.
    fn next(&self, all: Load, places: Places) -> Option<Timestamp> {
        let free = self.free(all, places);
        self.of.values().filter(|line| free.admits(line)).filter_map(Line::next).min()
    }

    fn free(&self, all: Load, places: Places) -> Free {
        let own = self.load();
        Free {
            any: own.sending < places.per_tenant && all.sending < places.all,
            slow: own.slow < half(places.per_tenant) && all.slow < half(places.all),
            per_webhook: places.per_webhook,
        }
    }
}

/// Letters on the wire.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    sending: usize,
    slow: usize,
}

impl Load {
    fn plus(self, other: Self) -> Self {
        Self { sending: self.sending + other.sending, slow: self.slow + other.slow }
    }
}

/// What one tenant may begin now.
struct Free {
    any: bool,
    slow: bool,
    per_webhook: usize,
}

impl Free {
    fn admits(&self, line: &Line) -> bool {
        let in_lane = !line.is_slow || (self.slow && line.sending.is_empty());
        self.any && in_lane && line.sending.len() < self.per_webhook
    }
}

pub(super) struct Agenda {
    tenants: BTreeMap<TenantId, Lines>,
    served_last: Option<TenantId>,
    places: Places,
}

impl Agenda {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { tenants: BTreeMap::new(), served_last: None, places: Places::of(limits) }
    }

    pub(super) fn add(&mut self, at: Timestamp, item: QueuedDelivery) {
        let line = self.tenants.entry(item.tenant).or_default().of.entry(item.webhook).or_default();
        line.add(at, item.delivery);
    }

    /// The next that is due and has a place. The place is taken until `end`.
    pub(super) fn take(&mut self, now: Timestamp) -> Option<QueuedDelivery> {
        let (all, places) = (self.load(), self.places);
        let tenant = in_turn(&self.tenants, self.served_last, |lines| {
            lines.next(all, places).is_some_and(|at| at <= now)
        })?;
        let lines = self.tenants.get_mut(&tenant)?;
        let free = lines.free(all, places);
        let is_ready = |line: &Line| free.admits(line) && line.next().is_some_and(|at| at <= now);
        let webhook = in_turn(&lines.of, lines.served_last, is_ready)?;
        let delivery = lines.of.get_mut(&webhook)?.take()?;
        lines.served_last = Some(webhook);
        self.served_last = Some(tenant);
        Some(QueuedDelivery { tenant, webhook, delivery })
    }

    pub(super) fn end(&mut self, item: QueuedDelivery, outcome: SendOutcome) {
        let Some(lines) = self.tenants.get_mut(&item.tenant) else { return };
        let Some(line) = lines.of.get_mut(&item.webhook) else { return };
        line.sending.remove(&item.delivery);
        line.is_slow = outcome.is_slow.unwrap_or(line.is_slow);
        if let Some(at) = outcome.again {
            line.add(at, item.delivery);
        }
        if line.is_over() {
            lines.of.remove(&item.webhook);
        }
        if lines.of.is_empty() {
            self.tenants.remove(&item.tenant);
        }
    }

    /// When something is due for which a place is free. What waits for a place is seen to when one is given back.
    pub(super) fn next(&self) -> Option<Timestamp> {
        let all = self.load();
        self.tenants.values().filter_map(|lines| lines.next(all, self.places)).min()
    }

    /// As many as can be on the wire.
    pub(super) fn places(&self) -> usize {
        self.places.all
    }

    fn load(&self) -> Load {
        self.tenants.values().fold(Load::default(), |load, lines| load.plus(lines.load()))
    }
}

#[cfg(test)]
mod tests;
