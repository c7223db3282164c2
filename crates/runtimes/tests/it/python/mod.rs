//! The Python sandbox, with its real workers. `make sandbox` and `make sandbox-full` build them.

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
