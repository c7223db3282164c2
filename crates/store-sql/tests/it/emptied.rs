//! Empty databases, on the Redis that scripts/with-services started.

use crate::common::service;

/// The address of a database that only one test uses, emptied. `redis.rs` has 1 to 4, `quotas.rs` the rest of Redis' sixteen.
pub async fn empty_database(number: u8) -> String {
    let url = format!("{}/{number}", service("TOOLGATE_TEST_REDIS_URL"));
    let client = redis::Client::open(url.as_str()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let () = redis::cmd("FLUSHDB").query_async(&mut connection).await.unwrap();
    url
}
