//! The full runtime: CPython on WASI, as `make sandbox-full` installs it.

mod attempts;
mod auto;
mod bridge_attempts;
mod calling;
mod escapes;
mod installed;
mod stops;
mod waiting;
