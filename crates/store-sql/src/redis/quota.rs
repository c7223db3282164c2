use async_trait::async_trait;
use redis::Script;
use toolgate_domain::{
    Timestamp,
    quota::{Amount, Claim, QuotaDecision, Settlement, Window},
};
use toolgate_store::{Quotas, StoreError};

use super::{RedisShared, connection::unavailable};

/// `toolgate_domain::quota::Spend::admit` for several accounts in one step: first all are weighed, then all are written.
/// Amounts stay below 2^53, where Lua counts exactly. Answers 0, or the number of the claim that does not fit, and what counts
/// against its cap.
const TAKE: &str = "
local counted = {}
for i, key in ipairs(KEYS) do
    local amount, cap = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1])
    if not counted[key] then
        local account = redis.call('HMGET', key, 'spent', 'reserved')
        counted[key] = math.min((tonumber(account[1]) or 0) + (tonumber(account[2]) or 0), 9007199254740991)
    end
    if amount > cap - counted[key] then
        return {i, counted[key]}
    end
    counted[key] = counted[key] + amount
end
for i, key in ipairs(KEYS) do
    if tonumber(ARGV[3 * i - 2]) > 0 then
        redis.call('HINCRBY', key, 'reserved', ARGV[3 * i - 2])
        redis.call('PEXPIRE', key, ARGV[3 * i])
    end
end
return {0, 0}";

/// `toolgate_domain::quota::Spend::settle`; `%.0f`, because Lua would print large numbers in scientific notation.
const SETTLE: &str = "
for i, key in ipairs(KEYS) do
    local taken, cost = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1])
    local account = redis.call('HMGET', key, 'spent', 'reserved')
    local spent = math.min((tonumber(account[1]) or 0) + cost, 9007199254740991)
    local reserved = math.max((tonumber(account[2]) or 0) - taken, 0)
    redis.call('HSET', key, 'spent', string.format('%.0f', spent), 'reserved', string.format('%.0f', reserved))
    redis.call('PEXPIRE', key, ARGV[3 * i])
end
return 0";

#[derive(Clone)]
pub(super) struct Scripts {
    take: Script,
    settle: Script,
}

impl Scripts {
    pub(super) fn new() -> Self {
        Self { take: Script::new(TAKE), settle: Script::new(SETTLE) }
    }
}

/// The accounts of one call have different keys, and a script needs all of its keys on one node: this is for a single Redis (or
/// one with replicas), not for a cluster.
fn key_of(account: &str, window: Window, at: Timestamp) -> String {
    format!("tg:quota:{account}:{}", window.key(at))
}

/// How long the account of the window around `at` is kept from now on: a span, not a moment, because Redis has a clock of its
/// own. Nothing if that is over.
fn left_ms(window: Window, at: Timestamp, now: Timestamp) -> Option<u64> {
    let kept_until = window.kept_until(at);
    // A key with no milliseconds left would be deleted.
    (kept_until > now).then(|| kept_until.ms_since(now).max(1))
}

#[async_trait]
impl Quotas for RedisShared {
    async fn take(&self, claims: &[Claim], now: Timestamp) -> Result<QuotaDecision, StoreError> {
        let mut script = self.quotas.take.prepare_invoke();
        for claim in claims {
            script
                .key(key_of(&claim.account, claim.window, now))
                .arg(claim.amount.get())
                .arg(claim.cap.get())
                .arg(left_ms(claim.window, now, now).unwrap_or(1));
        }
        let (number, spent): (usize, u64) =
            script.invoke_async(&mut self.connection()).await.map_err(unavailable)?;
        let Some(index) = number.checked_sub(1) else {
            return Ok(QuotaDecision::Taken);
        };
        let claim = claims.get(index).ok_or_else(|| corrupt("a claim that was not made"))?;
        Ok(QuotaDecision::exhausted(index, claim, amount_of(spent)?, now))
    }

    async fn settle(&self, settlements: &[Settlement], now: Timestamp) -> Result<(), StoreError> {
        let mut script = self.quotas.settle.prepare_invoke();
        for Settlement { account, window, taken_at, taken, cost } in settlements {
            let Some(left_ms) = left_ms(*window, *taken_at, now) else {
                continue;
            };
            script.key(key_of(account, *window, *taken_at)).arg(taken.get()).arg(cost.get()).arg(left_ms);
        }
        let _done: u8 = script.invoke_async(&mut self.connection()).await.map_err(unavailable)?;
        Ok(())
    }

    async fn spent(&self, account: &str, window: Window, now: Timestamp) -> Result<Amount, StoreError> {
        let (spent, reserved): (Option<u64>, Option<u64>) = redis::cmd("HMGET")
            .arg(key_of(account, window, now))
            .arg(&["spent", "reserved"])
            .query_async(&mut self.connection())
            .await
            .map_err(unavailable)?;
        Ok(amount_of(spent.unwrap_or(0))?.plus(amount_of(reserved.unwrap_or(0))?))
    }
}

fn amount_of(kept: u64) -> Result<Amount, StoreError> {
    Amount::new(kept).map_err(corrupt)
}

fn corrupt(what: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(format!("a quota account: {what}"))
}
