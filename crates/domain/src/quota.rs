//! Quotas and budgets as pure rules, so that the in-process and the shared accounts cannot differ in meaning.

use jiff::{civil::Date, tz::Offset};
use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// An account outlives its window by this long: for calls that are settled after midnight, and for a clock that is set back
/// across it, which must find what was spent and not a fresh allowance.
const KEPT_AFTER_END_MS: i64 = 24 * 3_600_000;

/// The stretch of time that a cap holds for: a day or a calendar month, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    Day,
    Month,
}

impl Window {
    /// The name of the window around `at`: `2026-03-14`, or `2026-03`.
    pub fn key(self, at: Timestamp) -> String {
        let date = date_of(at);
        match self {
            Self::Day => date.to_string(),
            Self::Month => format!("{:04}-{:02}", date.year(), date.month()),
        }
    }

    /// The first moment after the window around `at`. The calendar's last window ends with the calendar.
    pub fn ends_at(self, at: Timestamp) -> Timestamp {
        let last_day = match self {
            Self::Day => date_of(at),
            Self::Month => date_of(at).last_of_month(),
        };
        let end = last_day.tomorrow().and_then(|day| Offset::UTC.to_timestamp(day.at(0, 0, 0, 0)));
        Timestamp::from_micros(end.map_or(i64::MAX, |end| end.as_microsecond()))
    }

    /// When the account of the window around `at` may be forgotten.
    pub fn kept_until(self, at: Timestamp) -> Timestamp {
        self.ends_at(at).plus_ms(KEPT_AFTER_END_MS)
    }
}

fn date_of(at: Timestamp) -> Date {
    Offset::UTC.to_datetime(at.inner()).date()
}

/// How much: a number of calls, or money in micro-units. Whole, because sums of fractions drift, and below 2^53, because the
/// shared accounts are kept by Lua, whose numbers are exact up to there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Amount(u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is more than {max}, the largest amount there is", max = Amount::MAX.0)]
pub struct AmountTooLarge(pub u64);

impl Amount {
    pub const ZERO: Self = Self(0);
    pub const ONE: Self = Self(1);
    pub const MAX: Self = Self((1 << 53) - 1);

    pub fn new(amount: u64) -> Result<Self, AmountTooLarge> {
        if amount > Self::MAX.0 { Err(AmountTooLarge(amount)) } else { Ok(Self(amount)) }
    }

    pub fn get(self) -> u64 {
        self.0
    }

    /// The sum, or the largest amount there is.
    pub fn plus(self, more: Self) -> Self {
        // Two amounts stay far below 2^64.
        Self((self.0 + more.0).min(Self::MAX.0))
    }

    /// The difference, or nothing.
    pub fn minus(self, less: Self) -> Self {
        Self(self.0.saturating_sub(less.0))
    }
}

impl TryFrom<u64> for Amount {
    type Error = AmountTooLarge;

    fn try_from(amount: u64) -> Result<Self, Self::Error> {
        Self::new(amount)
    }
}

impl From<u32> for Amount {
    fn from(amount: u32) -> Self {
        Self(amount.into())
    }
}

impl From<Amount> for u64 {
    fn from(amount: Amount) -> Self {
        amount.0
    }
}

/// One account in one window. What is known and what is only expected are kept apart, so that a settlement which finds its
/// reservation gone still records the whole cost, and takes nothing from what others have spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spend {
    pub spent: Amount,
    pub reserved: Amount,
}

impl Spend {
    /// What counts against a cap. A reservation that nobody settles counts until its window ends.
    pub fn counted(self) -> Amount {
        self.spent.plus(self.reserved)
    }

    /// The rule: the account after the claim, or nothing if that would be above the cap. A claim of zero therefore fits until
    /// the account is overdrawn, and under a cap of zero nothing else fits.
    pub fn admit(self, amount: Amount, cap: Amount) -> Option<Self> {
        // Not a sum, which ends at the largest amount and would then pass under the largest cap.
        let room = cap.0.checked_sub(self.counted().0)?;
        (amount.0 <= room).then(|| Self { reserved: self.reserved.plus(amount), ..self })
    }

    /// What was reserved becomes what it cost, whatever the cap.
    pub fn settle(self, taken: Amount, cost: Amount) -> Self {
        Self { spent: self.spent.plus(cost), reserved: self.reserved.minus(taken) }
    }
}

/// What a call wants from one account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub account: String,
    pub window: Window,
    pub amount: Amount,
    pub cap: Amount,
}

impl Claim {
    /// What it will be settled with, once the cost is known.
    pub fn settled(&self, taken_at: Timestamp, cost: Amount) -> Settlement {
        Settlement { account: self.account.clone(), window: self.window, taken_at, taken: self.amount, cost }
    }
}

/// What a claim came to. It belongs to the window in which it was taken, however late it is settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    pub account: String,
    pub window: Window,
    /// The `now` that the claim was taken with.
    pub taken_at: Timestamp,
    pub taken: Amount,
    pub cost: Amount,
}

/// What the accounts answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaDecision {
    Taken,
    /// Nothing was taken, because of this claim: the first that does not fit. Its window ends after `retry_after_us`; a claim
    /// above its own cap does not fit then either.
    Exhausted {
        index_of_claim: usize,
        spent: Amount,
        cap: Amount,
        retry_after_us: i64,
    },
}

impl QuotaDecision {
    pub fn exhausted(index_of_claim: usize, claim: &Claim, spent: Amount, now: Timestamp) -> Self {
        let retry_after_us = claim.window.ends_at(now).as_micros() - now.as_micros();
        Self::Exhausted { index_of_claim, spent, cap: claim.cap, retry_after_us }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[rstest]
    #[case(Window::Day, "2026-03-14T00:00:00Z", "2026-03-14", "2026-03-15T00:00:00Z")]
    #[case(Window::Day, "2026-03-14T23:59:59.999999Z", "2026-03-14", "2026-03-15T00:00:00Z")]
    #[case(Window::Day, "2026-12-31T12:00:00Z", "2026-12-31", "2027-01-01T00:00:00Z")]
    #[case(Window::Day, "1969-12-31T23:59:59Z", "1969-12-31", "1970-01-01T00:00:00Z")]
    #[case(Window::Month, "2026-03-01T00:00:00Z", "2026-03", "2026-04-01T00:00:00Z")]
    #[case(Window::Month, "2028-02-29T23:59:59.999999Z", "2028-02", "2028-03-01T00:00:00Z")]
    #[case(Window::Month, "2026-12-31T12:00:00Z", "2026-12", "2027-01-01T00:00:00Z")]
    fn a_window_is_named_and_ends_by_the_utc_calendar(
        #[case] window: Window,
        #[case] now: &str,
        #[case] key: &str,
        #[case] end: &str,
    ) {
        assert_eq!(window.key(at(now)), key);
        assert_eq!(window.ends_at(at(now)), at(end));
    }

    #[test]
    fn the_last_window_ends_with_the_calendar() {
        let last = Timestamp::from_micros(i64::MAX);
        assert_eq!(Window::Day.ends_at(last), last);
        assert_eq!(Window::Month.kept_until(last), last);
    }

    #[test]
    fn an_amount_that_lua_cannot_count_is_no_amount() {
        assert_eq!(Amount::new((1 << 53) - 1), Ok(Amount::MAX));
        assert_eq!(Amount::new(1 << 53), Err(AmountTooLarge(1 << 53)));
        assert!(serde_json::from_str::<Amount>("9007199254740992").is_err());
        assert_eq!(serde_json::from_str::<Amount>("7").unwrap(), Amount::from(7));
    }

    #[test]
    fn an_account_is_full_at_its_cap_and_overdrawn_above_it() {
        let (cap, nothing) = (Amount::from(3), Spend::default());
        let full = nothing.admit(cap, cap).unwrap();
        assert_eq!(full.admit(Amount::ONE, cap), None);
        assert_eq!(full.admit(Amount::ZERO, cap), Some(full));
        let overdrawn = full.settle(cap, Amount::from(4));
        assert_eq!(overdrawn.admit(Amount::ZERO, cap), None);
        assert_eq!(nothing.admit(Amount::ZERO, Amount::ZERO), Some(nothing));
        assert_eq!(nothing.admit(Amount::ONE, Amount::ZERO), None);
    }

    #[test]
    fn a_lost_reservation_does_not_lower_what_was_spent() {
        let account = Spend { spent: Amount::from(10), reserved: Amount::ZERO };
        assert_eq!(account.settle(Amount::from(5), Amount::from(2)).counted(), Amount::from(12));
    }

    proptest! {
        #[test]
        fn a_claim_is_admitted_exactly_when_it_fits(
            spent in 0..=Amount::MAX.0 / 2, reserved in 0..=Amount::MAX.0 / 2,
            amount in 0..=Amount::MAX.0, cap in 0..=Amount::MAX.0,
        ) {
            let account = Spend { spent: Amount(spent), reserved: Amount(reserved) };
            let after = spent + reserved + amount;
            let admitted = account.admit(Amount(amount), Amount(cap)).map(|account| account.counted().0);
            prop_assert_eq!(admitted, (after <= cap).then_some(after));
        }
    }
}
