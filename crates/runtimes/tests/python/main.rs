//! The Python sandbox, with its real workers. `make sandbox` and `make sandbox-full` build them.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends where its story breaks")]

mod attempts;
mod common;
mod door;
mod escapes;
mod full;
mod host_calls;
mod offers;
mod pool;
mod protocol;
mod runtime;
mod tools;
mod walls;
