//! Real servers for the tests.

/// Where a service listens. Without it the test fails: a store that was not tried is not known to work.
#[expect(clippy::panic, reason = "the test fails, and says why")]
pub fn service(variable: &str) -> String {
    std::env::var(variable)
        .unwrap_or_else(|_| panic!("{variable} is not set: run through scripts/with-services"))
}
