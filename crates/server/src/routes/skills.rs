use axum::{extract::State, http::StatusCode};
use toolgate_domain::governance::Skill;
use toolgate_engine::SkillSpec;

use super::kept::kept_documents;
use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    path::Path,
    problem::ProblemDocument,
};

/// Instructions that a prompt tool runs against an agent.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the body to OpenAPI; the engine reads it")]
pub(crate) struct SkillParams {
    name: String,
    description: Option<String>,
    /// What the agent is told to do with the input.
    instructions: String,
    /// The shape of the answer, where the tool itself does not give one.
    #[schema(value_type = Option<Object>)]
    output_schema: Option<serde_json::Value>,
}

kept_documents! {
    Skill, SkillSpec, SkillParams, ListSkillsResponse,
    list: skills "/api/skills" "list_skills" "List skills",
    create: create_skill "create_skill" "Make a skill",
    get: find_skill "/api/skills/{id}" "get_skill" "Get a skill" "`skl_…` or a name",
    update: update_skill "update_skill" "Replace a skill",
    delete: delete_skill "delete_skill" "Delete a skill" "Tools that name it fail from then on, and say so.",
}
