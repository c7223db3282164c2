use async_trait::async_trait;
use redis::Script;
use toolgate_domain::{
    Timestamp,
    rate::{RateDecision, RateLimit},
};
use toolgate_store::{RateLimits, StoreError};

use super::{RedisShared, connection::unavailable};

/// `toolgate_domain::rate::gcra` where the account lives, so that reading and writing it is one step. Numbers stay below 2^53,
/// where Lua counts exactly; `%.0f`, because Lua would print them in scientific notation.
const GCRA: &str = "
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local emission, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2])
local arrival = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local ahead = arrival - now
if ahead > tolerance then
    return {0, ahead - tolerance}
end
arrival = arrival + emission
redis.call('SET', KEYS[1], string.format('%.0f', arrival))
redis.call('PEXPIRE', KEYS[1], math.max(1, math.ceil((arrival - now) / 1000)))
return {1, arrival}";

pub(super) fn script() -> Script {
    Script::new(GCRA)
}

#[async_trait]
impl RateLimits for RedisShared {
    /// By Redis' own clock, whatever the caller's says: all processes share the account, so they share its time.
    async fn check(&self, key: &str, rate: RateLimit, _now: Timestamp) -> Result<RateDecision, StoreError> {
        let (allowed, micros): (bool, i64) = self
            .gcra
            .key(format!("tg:rate:{key}"))
            .arg(rate.emission_us())
            .arg(rate.tolerance_us())
            .invoke_async(&mut self.connection())
            .await
            .map_err(unavailable)?;
        Ok(if allowed {
            RateDecision::Allowed { arrival_us: micros }
        } else {
            RateDecision::Limited { retry_after_us: micros }
        })
    }
}
