use axum::{extract::State, http::StatusCode};
use toolgate_domain::{
    governance::{ApprovalTerms, Profile},
    rate::RateLimit,
};
use toolgate_engine::ProfileSpec;

use super::kept::kept_documents;
use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    path::Path,
    problem::ProblemDocument,
};

/// A bundle of overrides. It can only tighten what a tool demands.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the body to OpenAPI; the engine reads it")]
pub(crate) struct ProfileParams {
    name: String,
    description: Option<String>,
    /// `true` makes every call ask; `false` changes nothing.
    requires_approval: Option<bool>,
    approval: Option<ApprovalTerms>,
    /// The most that the agent may spend with the tool in a day.
    cost_limit: Option<f64>,
    rate_limit: Option<RateLimit>,
    timeout_ms: Option<u64>,
}

kept_documents! {
    Profile, ProfileSpec, ProfileParams, ListProfilesResponse,
    list: profiles "/api/profiles" "list_profiles" "List profiles",
    create: create_profile "create_profile" "Make a profile",
    get: find_profile "/api/profiles/{id}" "get_profile" "Get a profile" "`prf_…` or a name",
    update: update_profile "update_profile" "Replace a profile",
    delete: delete_profile "delete_profile" "Delete a profile" "One that is in use stays.",
}
