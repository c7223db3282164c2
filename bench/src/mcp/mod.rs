//! The Model Context Protocol: our calls against those of a bare server on the same SDK, calls that are handed on to another server, long
//! lists, and many sessions.

pub(crate) mod bare;
mod direct;
mod lists;
mod parts;
mod proxied;
mod sessions;
mod throughput;
mod wire;

pub(crate) use parts::measure;
