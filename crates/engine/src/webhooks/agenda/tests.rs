//! Turns, shares, and the lane of the slow.

use toolgate_domain::ids::Uuid;

use super::*;

const NOW: i64 = 1_000_000;

fn at(ms: i64) -> Timestamp {
    Timestamp::from_millis(ms)
}

fn item(tenant: u128, webhook: u128, delivery: u128) -> QueuedDelivery {
    QueuedDelivery {
        tenant: TenantId::from_uuid(Uuid::from_u128(tenant)),
        webhook: WebhookId::from_uuid(Uuid::from_u128(webhook)),
        delivery: DeliveryId::from_uuid(Uuid::from_u128(delivery)),
    }
}

fn agenda(all: u64, per_tenant: u64, per_webhook: u64) -> Agenda {
    Agenda::new(&Limits {
        webhook_sends: all,
        webhook_sends_per_tenant: per_tenant,
        webhook_sends_per_webhook: per_webhook,
        ..Limits::default()
    })
}

/// Adds deliveries that are due, `count` for each of these webhooks, with ids that no other has.
fn flood(agenda: &mut Agenda, tenant: u128, webhooks: std::ops::Range<u128>, count: u128) {
    for webhook in webhooks {
        for n in 0..count {
            agenda.add(at(0), item(tenant, webhook, tenant << 64 | webhook << 32 | n));
        }
    }
}

fn taken(agenda: &mut Agenda) -> Vec<QueuedDelivery> {
    std::iter::from_fn(|| agenda.take(at(NOW))).collect()
}

fn slow(again: i64) -> SendOutcome {
    SendOutcome { again: Some(at(again)), is_slow: Some(true) }
}

#[test]
fn one_tenants_twenty_webhooks_leave_places_for_the_others() {
    let mut agenda = agenda(64, 8, 2);
    flood(&mut agenda, 1, 1..21, 40);
    assert_eq!(taken(&mut agenda).len(), 8);
    agenda.add(at(0), item(2, 1, 1));
    assert_eq!(agenda.take(at(NOW)), Some(item(2, 1, 1)));
}

#[test]
fn a_freed_place_goes_to_the_tenant_that_waited_longest_for_its_turn() {
    let mut agenda = agenda(4, 4, 4);
    flood(&mut agenda, 1, 1..2, 10);
    let held = taken(&mut agenda);
    assert_eq!(held.len(), 4);
    agenda.add(at(5), item(3, 1, 1));
    agenda.add(at(5), item(2, 1, 1));
    for first in &held[..3] {
        agenda.end(*first, SendOutcome::default());
    }
    let next: Vec<_> = taken(&mut agenda).iter().map(|item| item.tenant).collect();
    assert_eq!(next, [2, 3, 1].map(|tenant| item(tenant, 1, 1).tenant));
}

#[test]
fn the_webhooks_of_a_tenant_take_turns() {
    let mut agenda = agenda(8, 8, 2);
    flood(&mut agenda, 1, 1..2, 10);
    flood(&mut agenda, 1, 2..4, 1);
    let webhooks: Vec<_> = taken(&mut agenda).iter().map(|item| item.webhook).collect();
    assert_eq!(webhooks, [1, 2, 3, 1].map(|webhook| item(1, webhook, 1).webhook), "two of the first at most");
}

#[test]
fn slow_webhooks_have_one_place_each_and_half_of_all_together() {
    let mut agenda = agenda(8, 6, 2);
    for tenant in 1..5 {
        flood(&mut agenda, tenant, 1..5, 10);
    }
    // Every webhook was slow once.
    for _ in 0..16 {
        for held in taken(&mut agenda) {
            agenda.end(held, slow(0));
        }
    }
    let held = taken(&mut agenda);
    assert_eq!(held.len(), 4, "half of all places");
    let webhooks: BTreeSet<_> = held.iter().map(|item| (item.tenant, item.webhook)).collect();
    assert_eq!(webhooks.len(), 4, "each has one place");
    flood(&mut agenda, 9, 1..2, 1);
    assert_eq!(taken(&mut agenda).len(), 1, "who answers finds a place at once");
}

#[test]
fn slow_webhooks_leave_half_of_the_tenants_own_share_to_its_others() {
    let mut agenda = agenda(64, 4, 2);
    flood(&mut agenda, 1, 1..5, 10);
    for _ in 0..4 {
        for held in taken(&mut agenda) {
            agenda.end(held, slow(0));
        }
    }
    assert_eq!(taken(&mut agenda).len(), 2);
    flood(&mut agenda, 1, 9..10, 2);
    assert_eq!(taken(&mut agenda).len(), 2);
}

#[test]
fn a_webhook_that_answers_again_is_slow_no_more() {
    let mut agenda = agenda(8, 8, 2);
    flood(&mut agenda, 1, 1..2, 5);
    for held in taken(&mut agenda) {
        agenda.end(held, slow(0));
    }
    let held = taken(&mut agenda);
    assert_eq!(held.len(), 1);
    agenda.end(held[0], SendOutcome { again: None, is_slow: Some(false) });
    assert_eq!(taken(&mut agenda).len(), 2);
}

#[test]
fn nothing_is_taken_before_it_is_due_and_a_delivery_is_on_the_wire_once() {
    let mut agenda = agenda(8, 8, 2);
    agenda.add(at(NOW + 5), item(1, 1, 1));
    assert_eq!((agenda.take(at(NOW)), agenda.next()), (None, Some(at(NOW + 5))));
    agenda.add(at(NOW), item(1, 1, 1));
    assert_eq!(agenda.take(at(NOW)), Some(item(1, 1, 1)), "the earlier moment counts");
    agenda.add(at(NOW), item(1, 1, 1));
    assert_eq!(agenda.take(at(NOW)), None, "found again while it is on the wire");
    agenda.end(item(1, 1, 1), SendOutcome { again: Some(at(NOW + 9)), is_slow: Some(false) });
    assert_eq!(agenda.next(), Some(at(NOW + 9)));
}

#[test]
fn what_waits_for_a_place_does_not_count_as_due() {
    let mut agenda = agenda(8, 1, 1);
    flood(&mut agenda, 1, 1..2, 2);
    assert_eq!(taken(&mut agenda).len(), 1);
    assert_eq!(agenda.next(), None, "else the dispatcher would spin");
}

#[test]
fn a_long_line_keeps_what_is_due_first_and_takes_nothing_from_others() {
    let mut agenda = agenda(8, 8, 2);
    for n in 0..MAX_LINE as u128 {
        agenda.add(at(10), item(1, 1, n + 1));
    }
    agenda.add(at(20), item(1, 1, 5_000));
    agenda.add(at(5), item(1, 1, 6_000));
    agenda.add(at(10), item(1, 2, 1));
    assert_eq!(agenda.take(at(NOW)), Some(item(1, 1, 6_000)));
    assert_eq!(agenda.take(at(NOW)), Some(item(1, 2, 1)));
    let mut rest = 0;
    while let Some(held) = agenda.take(at(NOW)) {
        assert_ne!(held, item(1, 1, 5_000));
        agenda.end(held, SendOutcome::default());
        rest += 1;
    }
    assert_eq!(rest, MAX_LINE - 1);
}

#[test]
fn what_is_over_is_forgotten() {
    let mut agenda = agenda(8, 8, 2);
    flood(&mut agenda, 1, 1..3, 3);
    while let Some(held) = agenda.take(at(NOW)) {
        agenda.end(held, SendOutcome { again: None, is_slow: Some(false) });
    }
    assert!(agenda.tenants.is_empty());
}
