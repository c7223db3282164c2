//! One call of an HTTP tool: build, authorise, send as often as may be, and read what comes back.

mod attempt;
mod authorize;
mod build;
mod execute;
mod pages;
mod status;
mod token;

pub(super) use authorize::Credentials;
pub(super) use execute::{Answer, Core, Job};
