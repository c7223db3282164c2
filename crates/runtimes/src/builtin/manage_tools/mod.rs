//! `manageTools`: what the routes under `/api/tools` do, as a tool. An agent's call waits for a person who may change tools.

mod act;
mod definition;

pub(super) use act::{check, run, scope_of};
pub(super) use definition::spec;
