//! The fields of a form: one portable shape for people who fill in and people who author, and JSON Schema for everybody else.

mod annotation;
mod check;
mod definition;
mod infer;
mod keywords;
mod kind;
mod read;
mod write;

pub use annotation::without_annotations;
pub use check::{FieldError, MAX_FIELD_DEPTH, MAX_FIELDS, check_fields};
pub use definition::{Constraints, FieldDefinition, FieldOption, FieldSet, VisibleIf};
pub use kind::{Display, FieldType};
pub use read::from_json_schema;
pub use write::to_json_schema;
