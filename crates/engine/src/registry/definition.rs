//! From JSON to a definition, with errors that point at the place.

use std::ops::Deref;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use toolgate_domain::{
    EgressClass, ToolSpec,
    field::{FieldDefinition, FieldError, check_fields},
    tool::{UnknownKey, reject_unknown_keys},
};

use super::inside::reject_unknown_keys_inside;

/// What is wrong with a definition, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", if .pointer.is_empty() { String::new() } else { format!("{}: ", .pointer) })]
pub struct DefinitionError {
    /// A JSON pointer into the definition; empty for the whole.
    pub pointer: String,
    pub message: String,
}

impl DefinitionError {
    pub(crate) fn at(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), message: message.into() }
    }
}

impl From<UnknownKey> for DefinitionError {
    fn from(error: UnknownKey) -> Self {
        Self::at(format!("/{}", error.key), error.to_string())
    }
}

impl From<FieldError> for DefinitionError {
    fn from(error: FieldError) -> Self {
        Self::at(error.pointer, error.message)
    }
}

/// The keys that declare an egress class.
const EGRESS_KEYS: [&str; 2] = ["egress_class", "side_effects"];

/// A definition as its author wrote it. An egress class that they declared stands; one that they left out follows from what the tool
/// does, and is settled when it is saved.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Without a declared class, it has the least that it may get.
    spec: ToolSpec,
    declares_egress: bool,
}

impl Definition {
    /// What was published once, to be published again: its class was settled then, and may have to be stricter now.
    pub(super) fn republished(spec: ToolSpec) -> Self {
        Self { spec, declares_egress: false }
    }

    /// The same with other details.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut ToolSpec)) -> Self {
        change(&mut self.spec);
        self
    }

    /// Sees to it that the class is no looser than what the tool does. `does` words whose class that is, after "what".
    pub(super) fn at_least(&mut self, floor: EgressClass, does: &str) -> Result<(), DefinitionError> {
        if self.spec.egress_class >= floor {
            return Ok(());
        }
        if self.declares_egress {
            let (declared, floor) = (self.spec.egress_class.as_str(), floor.as_str());
            let message = format!(
                "`{declared}` is looser than `{floor}`, which is what {does}: declare that, or leave the key out"
            );
            return Err(DefinitionError::at("/egress_class", message));
        }
        self.spec.egress_class = floor;
        Ok(())
    }

    pub(super) fn into_spec(mut self) -> ToolSpec {
        self.spec.enforce_egress_guard();
        self.spec
    }
}

impl Deref for Definition {
    type Target = ToolSpec;

    fn deref(&self) -> &ToolSpec {
        &self.spec
    }
}

/// Whoever makes a whole spec means what it says.
impl From<ToolSpec> for Definition {
    fn from(spec: ToolSpec) -> Self {
        Self { spec, declares_egress: true }
    }
}

/// As the author wrote it: a class that was left out stays out.
impl Serialize for Definition {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut definition = serde_json::to_value(&self.spec).map_err(serde::ser::Error::custom)?;
        if let (false, Value::Object(keys)) = (self.declares_egress, &mut definition) {
            keys.remove("egress_class");
        }
        definition.serialize(serializer)
    }
}

/// Whether a definition, or a change of one, says something about the egress class.
pub(super) fn names_egress(keys: &serde_json::Map<String, Value>) -> bool {
    EGRESS_KEYS.iter().any(|key| keys.contains_key(*key))
}

/// Reads a definition. An unknown key is an error that names the nearest known one, inside its objects as well.
pub fn definition_from_json(mut definition: Value) -> Result<Definition, DefinitionError> {
    let Value::Object(keys) = &mut definition else {
        return Err(DefinitionError::at("", "a tool definition is an object"));
    };
    reject_unknown_keys(keys, ToolSpec::KEYS)?;
    reject_unknown_keys_inside(keys)?;
    if let (None, Some(fields)) = (keys.get("input_schema"), keys.get("fields")) {
        let fields: Vec<FieldDefinition> = read(fields.clone(), "/fields")?;
        check_fields(&fields)
            .map_err(|error| DefinitionError::at(format!("/fields{}", error.pointer), error.message))?;
        keys.insert("input_schema".to_owned(), ToolSpec::input_schema_of(&fields));
    }
    let declares_egress = names_egress(keys);
    let mut spec: ToolSpec = read(definition, "")?;
    spec.enforce_egress_guard();
    Ok(Definition { spec, declares_egress })
}

fn read<T: DeserializeOwned>(value: Value, at: &str) -> Result<T, DefinitionError> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let pointer: String = error
            .path()
            .iter()
            .filter_map(|segment| match segment {
                serde_path_to_error::Segment::Seq { index } => Some(format!("/{index}")),
                serde_path_to_error::Segment::Map { key } => Some(format!("/{key}")),
                serde_path_to_error::Segment::Enum { variant } => Some(format!("/{variant}")),
                serde_path_to_error::Segment::Unknown => None,
            })
            .collect();
        DefinitionError::at(format!("{at}{pointer}"), error.into_inner().to_string())
    })
}
