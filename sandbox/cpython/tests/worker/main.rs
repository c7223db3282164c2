//! The worker as its parent meets it: the real program, the real interpreter, the real protocol.
//!
//! `make sandbox-full` installs what the tests run.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod calling;
mod escaping;
mod installing;
mod limiting;
mod locating;
mod running;
mod support;
