//! The Python sandbox, with its real workers. `make sandbox` builds them.

mod attempts;
mod common;
mod door;
mod escapes;
mod host_calls;
mod pool;
mod protocol;
mod runtime;
mod walls;
