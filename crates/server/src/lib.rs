//! The REST surface. Everything a request does to a tool goes through `Engine::invoke`.

mod access;
mod attachments;
mod auth;
mod begin;
mod body;
mod cors;
mod json;
pub mod oidc;
mod origin;
mod page;
mod path;
mod powers;
mod problem;
mod router;
mod routes;
mod run_stream;
mod serve;
mod session;
mod shed;
mod sheet;
mod shipped;
mod source;
mod sse;
mod state;
mod trace_page;
mod web;
mod webhooks;

use json::Json;
pub use powers::is_open_to_agents;
pub use problem::{ApiCode, Problem};
pub use router::{openapi, router};
pub use serve::{ServeError, serve};
pub use shipped::{shipped_pack, shipped_packs};
pub use source::{NoProxy, TrustedProxies};
pub use state::{AppState, Elsewhere, ServerOptions};
