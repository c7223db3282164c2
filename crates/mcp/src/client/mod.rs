//! Their tools in: servers of the protocol, each behind a wall of its own.

pub mod auth;
