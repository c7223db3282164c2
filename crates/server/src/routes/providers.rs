use std::collections::BTreeMap;

use axum::{extract::State, http::StatusCode};
use toolgate_domain::governance::{ModelApi, ModelPrice, Provider};
use toolgate_engine::ProviderSpec;

use super::kept::kept_documents;
use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    path::Path,
    problem::ProblemDocument,
};

/// A provider of models that the tenant brings. Its key is a secret, and only the secret's name stands here.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the body to OpenAPI; the engine reads it")]
pub(crate) struct ProviderParams {
    name: String,
    api: ModelApi,
    /// The provider's own when absent.
    base_url: Option<String>,
    /// The name of the secret that is its key.
    api_key_secret: Option<String>,
    /// Milliseconds of one attempt altogether.
    timeout_ms: Option<u64>,
    /// Milliseconds of silence inside a stream.
    idle_timeout_ms: Option<u64>,
    /// Attempts beyond the first.
    max_retries: Option<u32>,
    /// The models that it serves; the first is asked when nobody says which.
    models: Option<Vec<String>>,
    /// By model, per million tokens.
    prices: Option<BTreeMap<String, ModelPrice>>,
}

kept_documents! {
    Provider, ProviderSpec, ProviderParams, ListProvidersResponse,
    list: providers "/api/providers" "list_providers" "List the tenant's providers of models",
    create: create_provider "create_provider" "Bring a provider of models",
    get: find_provider "/api/providers/{id}" "get_provider" "Get a provider" "`prv_…` or a name",
    update: update_provider "update_provider" "Replace a provider",
    delete: delete_provider "delete_provider" "Remove a provider" "Agents whose models it served cannot be run any more, and say so.",
}
