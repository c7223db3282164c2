//! Skills: instructions that prompt tools run against an agent.

use serde::Deserialize;
use serde_json::Value;
use toolgate_domain::{Caller, SkillId, Timestamp, governance::Skill};
use toolgate_store::Kind;

use super::{RuleError, Rules, document::Told};
use crate::registry::check_schema;

const MAX_INSTRUCTIONS_BYTES: usize = 50_000;
const MAX_SCHEMA_BYTES: usize = 100_000;

/// A skill as somebody wants it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillSpec {
    pub name: String,
    #[serde(default)]
    pub description: String,
    pub instructions: String,
    #[serde(default)]
    pub output_schema: Option<Value>,
}

impl SkillSpec {
    fn into_skill(self, id: SkillId, created_at: Timestamp, now: Timestamp) -> Result<Skill, RuleError> {
        let refuse = |message: &str| Err(RuleError::Invalid(message.to_owned()));
        let name_fits = (1..=64).contains(&self.name.len())
            && self.name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
        if !name_fits {
            return refuse("a skill's name has 1 to 64 letters, digits, `_`, `-` or `.`");
        }
        if self.description.len() > 2_000 {
            return refuse("description has at most 2000 bytes");
        }
        if self.instructions.trim().is_empty() || self.instructions.len() > MAX_INSTRUCTIONS_BYTES {
            return refuse("instructions have 1 to 50000 bytes");
        }
        if let Some(schema) = &self.output_schema {
            if toolgate_domain::json::encoded_len(schema) > MAX_SCHEMA_BYTES {
                return refuse("output_schema has at most 100000 bytes");
            }
            check_schema(schema, "/output_schema").map_err(|error| RuleError::Invalid(error.to_string()))?;
        }
        Ok(Skill {
            id,
            name: self.name,
            description: self.description,
            instructions: self.instructions,
            output_schema: self.output_schema,
            created_at,
            updated_at: now,
        })
    }
}

impl Rules {
    pub async fn skills(&self, caller: &Caller) -> Result<Vec<Skill>, RuleError> {
        let mut all: Vec<Skill> = self.read_all(caller.tenant_id, Kind::Skill).await?;
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    /// By id or by name.
    pub async fn find_skill(&self, caller: &Caller, reference: &str) -> Result<Skill, RuleError> {
        let found = match reference.parse::<SkillId>() {
            Ok(id) => self.read::<Skill>(caller.tenant_id, Kind::Skill, id.uuid()).await?,
            Err(_) => self.read_named::<Skill>(caller.tenant_id, Kind::Skill, reference).await?,
        };
        found.map(|skill| skill.value).ok_or_else(|| RuleError::missing("skill", reference))
    }

    pub async fn create_skill(&self, caller: &Caller, spec: SkillSpec) -> Result<Skill, RuleError> {
        let now = self.clock.now();
        let skill = spec.into_skill(SkillId::generate(&*self.ids), now, now)?;
        let told = Told { action: "skill.create", target: skill.id.to_string() };
        let taken = || format!("there is a skill `{}` already", skill.name);
        self.add(caller, Kind::Skill, (skill.id.uuid(), &skill.name), &skill, told, taken).await?;
        Ok(skill)
    }

    pub async fn update_skill(
        &self,
        caller: &Caller,
        id: SkillId,
        spec: SkillSpec,
    ) -> Result<Skill, RuleError> {
        let old = self.read::<Skill>(caller.tenant_id, Kind::Skill, id.uuid()).await?;
        let old = old.ok_or_else(|| RuleError::missing("skill", id))?;
        let skill = spec.into_skill(id, old.value.created_at, self.clock.now())?;
        let told = Told { action: "skill.update", target: id.to_string() };
        self.replace(caller, old, &skill.name, &skill, told).await?;
        Ok(skill)
    }

    /// A tool that names a deleted skill fails, and says so.
    pub async fn delete_skill(&self, caller: &Caller, id: SkillId) -> Result<(), RuleError> {
        let old = self.read::<Skill>(caller.tenant_id, Kind::Skill, id.uuid()).await?;
        let old = old.ok_or_else(|| RuleError::missing("skill", id))?;
        self.remove(caller, old, Told { action: "skill.delete", target: id.to_string() }).await
    }
}
