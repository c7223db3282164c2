//! One field, and a list of them.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::{Display, FieldType};

/// One field of a form. Its place in the list is its place in the form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldDefinition {
    /// The property that the field fills; `item` for the element of an array.
    pub key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// One of the type's displays; its first one when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<Display>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub required: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub default: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// The choices of an `enum`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<FieldOption>,
    #[serde(default, skip_serializing_if = "Constraints::is_empty")]
    pub constraints: Constraints,
    /// The kind of entity that a `relation` leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity_type: Option<String>,
    /// Content types that a `media` field takes, such as `image/*`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accept: Vec<String>,
    /// The largest file that a `media` field takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// The fields of an `object`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub fields: Vec<FieldDefinition>,
    /// An `object` may have keys beyond its fields.
    #[serde(default, skip_serializing_if = "is_false")]
    pub open: bool,
    /// The element of an `array`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub item: Option<Box<FieldDefinition>>,
    /// Shown only while another field of the same list has a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible_if: Option<VisibleIf>,
}

impl FieldDefinition {
    pub const KEYS: &'static [&'static str] = &[
        "key",
        "label",
        "description",
        "type",
        "display",
        "required",
        "default",
        "placeholder",
        "options",
        "constraints",
        "entity_type",
        "accept",
        "max_bytes",
        "fields",
        "open",
        "item",
        "visible_if",
    ];

    /// A field with nothing said but what it is.
    pub fn new(key: impl Into<String>, kind: FieldType) -> Self {
        Self {
            key: key.into(),
            label: None,
            description: None,
            kind,
            display: None,
            required: false,
            default: None,
            placeholder: None,
            options: Vec::new(),
            constraints: Constraints::default(),
            entity_type: None,
            accept: Vec::new(),
            max_bytes: None,
            fields: Vec::new(),
            open: false,
            item: None,
            visible_if: None,
        }
    }

    /// Whether the value is an array of choices or entities.
    pub fn is_multiple(&self) -> bool {
        matches!(self.display, Some(Display::MultiSelect | Display::Tags | Display::MultiPicker))
    }
}

/// One choice of an `enum`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldOption {
    /// A text, a number or a truth value.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub value: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl FieldOption {
    pub const KEYS: &'static [&'static str] = &["value", "label"];
}

/// What a value must keep to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Constraints {
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "whole_as_written")]
    pub min: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "whole_as_written")]
    pub max: Option<f64>,
    /// The number is a multiple of this.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "whole_as_written")]
    pub step: Option<f64>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub integer: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub unique_items: bool,
}

impl Constraints {
    pub const KEYS: &'static [&'static str] = &[
        "min",
        "max",
        "step",
        "integer",
        "min_length",
        "max_length",
        "pattern",
        "min_items",
        "max_items",
        "unique_items",
    ];

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// `field` of the same list has the value `equals`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VisibleIf {
    pub field: String,
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub equals: Value,
}

impl VisibleIf {
    pub const KEYS: &'static [&'static str] = &["field", "equals"];
}

/// The fields of a whole form, and whether it lets other keys pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldSet {
    pub fields: Vec<FieldDefinition>,
    pub open: bool,
}

/// A whole number is written without a point, as authors write it.
pub(super) fn spelt(number: f64) -> Value {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    if number.fract() == 0.0 && number.abs() <= SAFE {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number within 2^53")]
        return Value::from(number as i64);
    }
    Value::from(number)
}

#[expect(clippy::ref_option, reason = "serde calls it with a reference")]
fn whole_as_written<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    number.map(spelt).serialize(serializer)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}
