//! The way out: one client behind the wall, redirects followed by hand, bodies read and unpacked within bounds.

mod failure;
mod fetch;
mod gate;
mod pins;
mod redirect;
mod request;
mod unpack;

pub(super) use failure::Failure;
pub(super) use fetch::Client;
pub(super) use gate::Gate;
pub(super) use pins::Pins;
pub(super) use request::{Bounds, Outgoing, Response};
