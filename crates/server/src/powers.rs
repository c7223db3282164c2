//! Routes that change what somebody may do are closed to agents, whatever their keys' scopes are. A route is closed unless it stands
//! here, so that a new one is closed until somebody has thought about it.

use axum::{
    extract::MatchedPath,
    http::{Method, request::Parts},
};
use toolgate_domain::Caller;

use crate::{ApiCode, Problem};

/// What an agent's key may do beside reading: call tools, and what belongs to calls. No route in here changes tools, agents, rules,
/// secrets, keys or people; deciding refuses agents by itself.
const OPEN_TO_AGENTS: &[(&str, &str)] = &[
    ("POST", "/mcp"),
    ("DELETE", "/mcp"),
    ("POST", "/api/tools/{name}/invoke"),
    ("POST", "/api/tools/{name}/invoke/stream"),
    ("POST", "/api/invoke/batch"),
    ("POST", "/api/invocations/{id}/cancel"),
    ("POST", "/api/invocations/{id}/approve"),
    ("POST", "/api/invocations/{id}/reject"),
    ("POST", "/api/decisions/explain"),
    ("POST", "/api/policies/replay"),
    ("POST", "/api/runs"),
    ("POST", "/api/runs/{id}/cancel"),
    ("POST", "/api/tasks/{id}/start"),
    ("POST", "/api/tasks/{id}/complete"),
    ("POST", "/api/tasks/{id}/cancel"),
    ("POST", "/api/threads"),
    ("PATCH", "/api/threads/{id}"),
    ("DELETE", "/api/threads/{id}"),
    ("POST", "/api/threads/{id}/messages"),
    ("POST", "/api/threads/{id}/retry"),
];

/// Refuses an agent at a route that is closed to agents.
pub(crate) fn refuse_agent(caller: &Caller, parts: &Parts) -> Result<(), Problem> {
    let reads = matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS);
    if caller.may_change_powers() || reads {
        return Ok(());
    }
    let path = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    if OPEN_TO_AGENTS.contains(&(parts.method.as_str(), path)) {
        return Ok(());
    }
    let message = "an agent's key calls tools and changes nothing else: it can propose the change by a tool such as update_agent, \
         which waits for a person";
    Err(Problem::new(ApiCode::Forbidden, message).with("reason", serde_json::json!("agent")))
}

/// Whether an agent's key may use an operation of the OpenAPI document.
#[must_use]
pub fn is_open_to_agents(method: &str, path: &str) -> bool {
    matches!(method, "GET" | "HEAD") || OPEN_TO_AGENTS.contains(&(method, path))
}
