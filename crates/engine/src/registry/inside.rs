//! The objects inside a definition. An unknown key of theirs is an error that names the nearest known one, as it is at the top. What is
//! not an object where one belongs is refused by whoever reads it.

use serde_json::{Map, Value};
use toolgate_domain::{
    field::{Constraints, FieldDefinition, FieldOption, VisibleIf},
    rate::RateLimit,
    tool::{Annotations, Example, OutputSection, UnknownKey, reject_unknown_keys},
};

use super::DefinitionError;

/// An object whose keys are known, and the objects inside it.
struct Shape {
    keys: &'static [&'static str],
    inside: &'static [(&'static str, Place)],
}

enum Place {
    One(&'static Shape),
    Each(&'static Shape),
}

/// `execution` is not among them: its keys are its runtime's.
static DEFINITION: &[(&str, Place)] = &[
    ("fields", Place::Each(&FIELD)),
    ("annotations", Place::One(&Shape { keys: Annotations::KEYS, inside: &[] })),
    ("rate_limit", Place::One(&Shape { keys: RateLimit::KEYS, inside: &[] })),
    ("output_sections", Place::Each(&Shape { keys: OutputSection::KEYS, inside: &[] })),
    ("examples", Place::Each(&Shape { keys: Example::KEYS, inside: &[] })),
];

static FIELD: Shape = Shape {
    keys: FieldDefinition::KEYS,
    inside: &[
        ("options", Place::Each(&Shape { keys: FieldOption::KEYS, inside: &[] })),
        ("constraints", Place::One(&Shape { keys: Constraints::KEYS, inside: &[] })),
        ("visible_if", Place::One(&Shape { keys: VisibleIf::KEYS, inside: &[] })),
        ("fields", Place::Each(&FIELD)),
        ("item", Place::One(&FIELD)),
    ],
};

/// Refuses the first unknown key in the objects inside a definition, or inside a change of one.
pub(super) fn reject_unknown_keys_inside(definition: &Map<String, Value>) -> Result<(), DefinitionError> {
    look_inside(definition, "", DEFINITION)
}

/// Goes no deeper than the definition, whose nesting was bounded when it was read.
fn look_inside(
    fields: &Map<String, Value>,
    pointer: &str,
    places: &[(&str, Place)],
) -> Result<(), DefinitionError> {
    for (key, place) in places {
        match (place, fields.get(*key)) {
            (Place::One(shape), Some(value)) => look_at(value, &format!("{pointer}/{key}"), shape)?,
            (Place::Each(shape), Some(Value::Array(values))) => {
                for (index, value) in values.iter().enumerate() {
                    look_at(value, &format!("{pointer}/{key}/{index}"), shape)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn look_at(value: &Value, pointer: &str, shape: &Shape) -> Result<(), DefinitionError> {
    let Value::Object(fields) = value else {
        return Ok(());
    };
    reject_unknown_keys(fields, shape.keys).map_err(|unknown| told(&unknown, pointer, shape.keys))?;
    look_inside(fields, pointer, shape.inside)
}

/// Where no key is near, those there are: nobody has them at hand, unlike the ones at the top.
fn told(unknown: &UnknownKey, pointer: &str, known: &[&str]) -> DefinitionError {
    let message = match unknown.nearest {
        Some(_) => unknown.to_string(),
        None => format!("{unknown}; the known ones are `{}`", known.join("`, `")),
    };
    DefinitionError::at(format!("{pointer}/{}", unknown.key), message)
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use rstest::rstest;
    use serde::de::DeserializeOwned;
    use serde_json::json;

    use super::*;

    fn look(definition: &Value) -> Result<(), DefinitionError> {
        reject_unknown_keys_inside(definition.as_object().unwrap())
    }

    #[rstest]
    #[case::rate(json!({"rate_limit": {"limit": 1, "windows": 60}}), "/rate_limit/windows", "did you mean `window_s`?")]
    #[case::hint(json!({"annotations": {"read_only_hint": true}}), "/annotations/read_only_hint", "did you mean `readOnlyHint`?")]
    #[case::example(json!({"examples": [{"input": {}}, {"inptu": {}}]}), "/examples/1/inptu", "did you mean `input`?")]
    #[case::section(json!({"output_sections": [{"lable": "A"}]}), "/output_sections/0/lable", "did you mean `label`?")]
    #[case::field(json!({"fields": [{"key": "a", "requierd": true}]}), "/fields/0/requierd", "did you mean `required`?")]
    #[case::deep(json!({"fields": [{"item": {"fields": [{"constraints": {"min_lenght": 1}}]}}]}), "/fields/0/item/fields/0/constraints/min_lenght", "did you mean `min_length`?")]
    #[case::choice(json!({"fields": [{"options": [{"vlaue": 1}]}]}), "/fields/0/options/0/vlaue", "did you mean `value`?")]
    #[case::far(json!({"rate_limit": {"per_minut": 1}}), "/rate_limit/per_minut", "the known ones are `limit`, `window_s`, `concurrency`")]
    fn a_slip_is_answered_with_its_place_and_the_key_that_was_meant(
        #[case] definition: Value,
        #[case] pointer: &str,
        #[case] says: &str,
    ) {
        let error = look(&definition).unwrap_err();
        assert_eq!(error.pointer, pointer);
        assert!(error.message.starts_with("unknown key") && error.message.ends_with(says), "{error}");
    }

    #[test]
    fn what_authors_fill_as_they_like_is_not_looked_into() {
        let free = json!({
            "examples": [{"input": {"inptu": 1}, "output": {"lable": 2}}],
            "output_sections": [{"config": {"windows": 60}}],
            "fields": [{"default": {"requierd": true}}],
            "rate_limit": null,
            "annotations": ["no object"],
        });
        assert_eq!(look(&free), Ok(()));
    }

    /// The keys that are read: whoever reads an object lists them to somebody who gives another.
    fn read<T: DeserializeOwned + Debug>() -> Vec<String> {
        let refused = serde_json::from_value::<T>(json!({"unheard_of": 1})).unwrap_err().to_string();
        refused.split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn the_keys_that_are_known_are_those_that_are_read() {
        assert_eq!(read::<RateLimit>(), RateLimit::KEYS);
        assert_eq!(read::<Annotations>(), Annotations::KEYS);
        assert_eq!(read::<OutputSection>(), OutputSection::KEYS);
        assert_eq!(read::<Example>(), Example::KEYS);
        assert_eq!(read::<FieldDefinition>(), FieldDefinition::KEYS);
        assert_eq!(read::<FieldOption>(), FieldOption::KEYS);
        assert_eq!(read::<Constraints>(), Constraints::KEYS);
        assert_eq!(read::<VisibleIf>(), VisibleIf::KEYS);
    }
}
