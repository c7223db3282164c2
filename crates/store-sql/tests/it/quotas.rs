//! Quotas and budgets in process and in a real Redis: the same stories, and what is the backend's own.

use crate::emptied::empty_database;
use toolgate_domain::{
    Timestamp,
    quota::{Amount, Claim, QuotaDecision, Window},
};
use toolgate_store::{Quotas, conformance};
use toolgate_store_sql::{local::MemoryLimits, redis::RedisShared};

/// Writes two tests per story. In Redis each has the database of that number to itself.
macro_rules! stories {
    ($($database:literal $story:ident,)*) => {
        mod in_process {
            use super::*;
            $(#[tokio::test]
            async fn $story() {
                conformance::$story(&MemoryLimits::default()).await;
            })*
        }

        mod in_redis {
            use super::*;
            $(#[tokio::test]
            async fn $story() {
                conformance::$story(&RedisShared::connect(&empty_database($database).await).await.unwrap()).await;
            })*
        }
    };
}

stories!(
    5 a_quota_gives_up_to_its_cap_and_again_in_the_next_window,
    6 a_take_is_all_or_nothing,
    7 no_crowd_passes_a_cap,
    8 what_a_call_cost_replaces_what_it_reserved,
    9 a_call_over_midnight_is_settled_where_it_was_taken,
    10 a_cost_is_recorded_though_its_reservation_was_lost,
    11 zero_is_an_amount_and_a_cap,
    12 the_largest_amounts_are_counted_exactly,
    13 a_clock_set_back_finds_what_was_spent,
);

fn claim(account: &str, window: Window) -> Claim {
    Claim { account: account.into(), window, amount: Amount::ONE, cap: Amount::from(10) }
}

#[tokio::test]
async fn processes_share_one_account() {
    let url = empty_database(14).await;
    let (one, two) = (RedisShared::connect(&url).await.unwrap(), RedisShared::connect(&url).await.unwrap());
    let claims = [claim("shared", Window::Day)];
    let takes =
        (0..15).flat_map(|_| [one.take(&claims, Timestamp::EPOCH), two.take(&claims, Timestamp::EPOCH)]);
    let decisions = futures::future::join_all(takes).await;
    let taken = decisions.iter().filter(|decision| *decision.as_ref().unwrap() == QuotaDecision::Taken);
    assert_eq!(taken.count(), 10);
}

#[tokio::test]
async fn an_account_is_forgotten_a_day_after_its_window_whatever_redis_believes_the_time_to_be() {
    const HOUR_MS: i64 = 3_600_000;
    let url = empty_database(15).await;
    let shared = RedisShared::connect(&url).await.unwrap();
    let evening: Timestamp = "1999-03-31T22:00:00Z".parse().unwrap();
    let claims = [claim("a", Window::Day), claim("b", Window::Month)];
    shared.take(&claims, evening).await.unwrap();
    let free = Claim { amount: Amount::ZERO, ..claim("c", Window::Day) };
    shared.take(&[free], evening).await.unwrap();

    let mut connection =
        redis::Client::open(url.as_str()).unwrap().get_multiplexed_async_connection().await.unwrap();
    let mut left_ms =
        async |key: &str| -> i64 { redis::cmd("PTTL").arg(key).query_async(&mut connection).await.unwrap() };
    // A minute, for a machine that is slow to ask.
    let nearly = |hours: i64| hours * HOUR_MS - 60_000..=hours * HOUR_MS;
    for key in ["tg:quota:a:1999-03-31", "tg:quota:b:1999-03"] {
        let left = left_ms(key).await;
        assert!(nearly(2 + 24).contains(&left), "{key}: {left}");
    }
    assert_eq!(left_ms("tg:quota:c:1999-03-31").await, -2, "a claim of nothing leaves no account");

    let next_morning = evening.plus_ms(10 * HOUR_MS);
    shared.settle(&[claims[0].settled(evening, Amount::from(3))], next_morning).await.unwrap();
    let left = left_ms("tg:quota:a:1999-03-31").await;
    assert!(nearly(16).contains(&left), "{left}");
}
