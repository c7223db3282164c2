//! Upstreams as they are met: polite ones of the SDK's own making, and others.

mod calls;
mod common;
mod http;
mod programs;
mod rude;
mod tenants;
mod traces;
mod walls;
mod web;
