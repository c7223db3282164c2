//! Stories for quotas and budgets. The time is the caller's, so no story waits for midnight.

use futures::future::join_all;
use toolgate_domain::{
    Timestamp,
    quota::{Amount, Claim, QuotaDecision, Window},
};

use crate::Quotas;

const HOUR_US: i64 = 3_600_000_000;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn claim(account: &str, amount: u32, cap: u32) -> Claim {
    Claim { account: account.into(), window: Window::Day, amount: amount.into(), cap: cap.into() }
}

async fn taken(quotas: &dyn Quotas, claim: &Claim, now: Timestamp) -> bool {
    quotas.take(std::slice::from_ref(claim), now).await.unwrap() == QuotaDecision::Taken
}

async fn spent(quotas: &dyn Quotas, account: &str, now: Timestamp) -> u64 {
    quotas.spent(account, Window::Day, now).await.unwrap().get()
}

/// Up to its cap an account gives; then it says what was spent and when its window ends, and gives again from that moment.
pub async fn a_quota_gives_up_to_its_cap_and_again_in_the_next_window(quotas: &dyn Quotas) {
    let evening = at("2026-04-30T22:00:00Z");
    for window in [Window::Day, Window::Month] {
        let two_of_five = Claim { window, ..claim("a", 2, 5) };
        assert!(taken(quotas, &two_of_five, evening).await);
        assert!(taken(quotas, &two_of_five, evening).await);
        let refusal = quotas.take(std::slice::from_ref(&two_of_five), evening).await.unwrap();
        let exhausted = QuotaDecision::Exhausted {
            index_of_claim: 0,
            spent: Amount::from(4),
            cap: Amount::from(5),
            retry_after_us: 2 * HOUR_US,
        };
        assert_eq!(refusal, exhausted);
        assert!(
            taken(quotas, &Claim { amount: Amount::ONE, ..two_of_five.clone() }, evening).await,
            "one is left"
        );
        assert!(taken(quotas, &two_of_five, Timestamp::from_micros(evening.as_micros() + 2 * HOUR_US)).await);
        assert_eq!(quotas.spent("a", window, evening).await.unwrap(), Amount::from(5));
    }
    assert_eq!(spent(quotas, "b", evening).await, 0, "accounts are apart");
}

/// A call that one account refuses costs nothing in the others. An account that is named twice is charged twice.
pub async fn a_take_is_all_or_nothing(quotas: &dyn Quotas) {
    let now = at("2026-03-14T12:00:00Z");
    let refusal = quotas.take(&[claim("a", 1, 9), claim("b", 1, 9), claim("c", 3, 2)], now).await.unwrap();
    assert!(matches!(refusal, QuotaDecision::Exhausted { index_of_claim: 2, .. }), "{refusal:?}");
    for account in ["a", "b", "c"] {
        assert_eq!(spent(quotas, account, now).await, 0, "{account}");
    }

    let twice = quotas.take(&[claim("a", 2, 3), claim("a", 2, 3)], now).await.unwrap();
    assert!(
        matches!(twice, QuotaDecision::Exhausted { index_of_claim: 1, spent, .. } if spent == Amount::from(2)),
        "{twice:?}"
    );
    assert_eq!(spent(quotas, "a", now).await, 0);
    let fits = quotas.take(&[claim("a", 2, 4), claim("a", 2, 4)], now).await.unwrap();
    assert_eq!((fits, spent(quotas, "a", now).await), (QuotaDecision::Taken, 4));
    assert_eq!(quotas.take(&[], now).await.unwrap(), QuotaDecision::Taken, "nothing was asked for");
}

/// However many ask at once, and in whichever order they name the accounts, no cap is passed.
pub async fn no_crowd_passes_a_cap(quotas: &dyn Quotas) {
    let now = at("2026-03-14T12:00:00Z");
    let one_way = [claim("a", 1, 10), claim("b", 1, 100)];
    let other_way = [claim("b", 1, 100), claim("a", 1, 10)];
    let takes = (0..20).flat_map(|_| [quotas.take(&one_way, now), quotas.take(&other_way, now)]);
    let decisions = join_all(takes).await;
    let taken = decisions.iter().filter(|decision| *decision.as_ref().unwrap() == QuotaDecision::Taken);
    assert_eq!(taken.count(), 10);
    assert_eq!((spent(quotas, "a", now).await, spent(quotas, "b", now).await), (10, 10));
}

/// What a call really cost takes the place of what was reserved for it, even above the cap, and then nothing fits.
pub async fn what_a_call_cost_replaces_what_it_reserved(quotas: &dyn Quotas) {
    let now = at("2026-03-14T12:00:00Z");
    let (six, five) = (claim("a", 6, 10), claim("a", 5, 10));
    assert!(taken(quotas, &six, now).await);
    assert!(!taken(quotas, &five, now).await, "reserved is not available");
    quotas.settle(&[six.settled(now, Amount::from(2))], now).await.unwrap();
    assert_eq!(spent(quotas, "a", now).await, 2);
    assert!(taken(quotas, &five, now).await, "what was not needed is available again");

    quotas.settle(&[five.settled(now, Amount::from(50))], now).await.unwrap();
    assert_eq!(spent(quotas, "a", now).await, 52);
    assert!(!taken(quotas, &claim("a", 0, 10), now).await, "overdrawn");

    let (one, two) = (claim("b", 1, 10), claim("c", 1, 10));
    quotas.take(&[one.clone(), one.clone(), two.clone()], now).await.unwrap();
    let costs = [
        one.settled(now, Amount::from(3)),
        one.settled(now, Amount::from(4)),
        two.settled(now, Amount::ZERO),
    ];
    quotas.settle(&costs, now).await.unwrap();
    assert_eq!((spent(quotas, "b", now).await, spent(quotas, "c", now).await), (7, 0));
}

/// A call that runs over midnight is paid from the day on which it began; long after, nobody asks for that day any more.
pub async fn a_call_over_midnight_is_settled_where_it_was_taken(quotas: &dyn Quotas) {
    let (before, after) = (at("2026-03-31T23:59:59.999999Z"), at("2026-04-01T00:00:00Z"));
    for window in [Window::Day, Window::Month] {
        let claim = Claim { window, ..claim("a", 5, 10) };
        assert!(taken(quotas, &claim, before).await);
        assert!(taken(quotas, &claim, after).await);
        quotas.settle(&[claim.settled(before, Amount::from(9))], after).await.unwrap();
        assert_eq!(quotas.spent("a", window, before).await.unwrap(), Amount::from(9));
        assert_eq!(quotas.spent("a", window, after).await.unwrap(), Amount::from(5), "untouched");

        let far_too_late = at("2026-04-02T00:00:00Z");
        let ignored = [claim.settled(before, Amount::from(9)), claim.settled(after, Amount::from(6))];
        quotas.settle(&ignored, far_too_late).await.unwrap();
        assert_eq!(quotas.spent("a", window, before).await.unwrap(), Amount::from(9));
        assert_eq!(
            quotas.spent("a", window, after).await.unwrap(),
            Amount::from(6),
            "its neighbour is not late"
        );
    }
}

/// A settlement whose reservation is not known, because the accounts were lost, records the cost and takes from nobody.
pub async fn a_cost_is_recorded_though_its_reservation_was_lost(quotas: &dyn Quotas) {
    let now = at("2026-03-14T12:00:00Z");
    let lost = claim("a", 5, 10);
    quotas.settle(&[lost.settled(now, Amount::from(3))], now).await.unwrap();
    assert_eq!(spent(quotas, "a", now).await, 3);
    quotas.settle(&[lost.settled(now, Amount::ZERO)], now).await.unwrap();
    assert_eq!(spent(quotas, "a", now).await, 3);
}

/// Zero fits everywhere until an account is overdrawn; under a cap of zero nothing else does.
pub async fn zero_is_an_amount_and_a_cap(quotas: &dyn Quotas) {
    let now = at("2026-03-14T12:00:00Z");
    assert!(taken(quotas, &claim("a", 0, 0), now).await);
    assert!(!taken(quotas, &claim("a", 1, 0), now).await);
    assert!(taken(quotas, &claim("a", 1, 1), now).await);
    assert!(taken(quotas, &claim("a", 0, 1), now).await, "full, not overdrawn");
    assert!(!taken(quotas, &claim("a", 0, 0), now).await, "a cap that was lowered below what is spent");
    assert_eq!(spent(quotas, "a", now).await, 1);
}

/// To the last unit below 2^53, and there the count stays: it neither wraps nor rounds.
pub async fn the_largest_amounts_are_counted_exactly(quotas: &dyn Quotas) {
    let now = at("2026-03-14T12:00:00Z");
    let (most, max) = (Amount::MAX.minus(Amount::ONE), Amount::MAX);
    let big = Claim { amount: most, cap: max, ..claim("a", 0, 0) };
    assert!(taken(quotas, &big, now).await);
    assert!(!taken(quotas, &big, now).await);
    assert!(!taken(quotas, &Claim { amount: Amount::from(2), ..big.clone() }, now).await);
    assert!(taken(quotas, &Claim { amount: Amount::ONE, ..big.clone() }, now).await);
    assert!(!taken(quotas, &Claim { amount: Amount::ONE, ..big.clone() }, now).await);
    assert_eq!(quotas.spent("a", Window::Day, now).await.unwrap(), max);

    quotas.settle(&[big.settled(now, most.minus(Amount::ONE))], now).await.unwrap();
    assert_eq!(quotas.spent("a", Window::Day, now).await.unwrap(), most, "exact after a correction");
    quotas.settle(&[big.settled(now, max), big.settled(now, max)], now).await.unwrap();
    assert_eq!(quotas.spent("a", Window::Day, now).await.unwrap(), max);
    assert!(!taken(quotas, &Claim { amount: Amount::ONE, ..big }, now).await);
}

/// A clock that is set back, within the window or across its beginning, finds what was spent and no fresh allowance.
pub async fn a_clock_set_back_finds_what_was_spent(quotas: &dyn Quotas) {
    let (yesterday, today) = (at("2026-03-13T23:00:00Z"), at("2026-03-14T12:00:00Z"));
    let all = claim("a", 5, 5);
    assert!(taken(quotas, &all, yesterday).await);
    assert!(taken(quotas, &all, today).await);
    assert!(!taken(quotas, &all, at("2026-03-14T00:00:00Z")).await);
    assert!(!taken(quotas, &all, yesterday).await);
    quotas.settle(&[all.settled(today, Amount::from(1))], yesterday).await.unwrap();
    assert_eq!((spent(quotas, "a", yesterday).await, spent(quotas, "a", today).await), (5, 1));
}
