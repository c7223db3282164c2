use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ids::SkillId, time::Timestamp};

/// Instructions that a prompt tool runs against an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Skill {
    pub id: SkillId,
    /// Unique in the tenant.
    pub name: String,
    #[serde(default)]
    pub description: String,
    /// What the agent is told to do with the input.
    pub instructions: String,
    /// The shape of the answer, where the tool itself does not give one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub output_schema: Option<Value>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}
