//! Fields become JSON Schema and come back, and schemas become fields without changing what they accept.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod definitions;
mod refusals;
mod round_trip;
mod schemas;
