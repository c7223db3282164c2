//! One file per command.

mod agent;
mod approvals;
mod audit;
mod chat;
mod completions;
mod decide;
mod dispatch;
mod doctor;
mod events;
mod invocations;
mod key;
mod mcp;
mod pack;
mod policy;
mod profile;
mod provider;
mod role;
mod run;
pub(crate) mod sandbox;
mod secret;
mod serve;
mod settings;
mod skill;
mod task;
mod tenant;
mod tool;
mod usage;
mod user;
mod webhook;
mod whoami;
mod workspace;

pub(crate) use dispatch::run;
