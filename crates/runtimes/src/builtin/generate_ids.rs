//! `generate_ids`: fresh identifiers.

use rand::RngExt;
use serde_json::{Value, json};
use toolgate_domain::{ToolError, ToolSpec, tool::SectionType};

use super::{
    definition::{Definition, refuses, runs, section},
    tool::{Builtin, BuiltinContext},
};

const DESCRIPTION: &str = "Makes fresh unique identifiers. Use it whenever new records, files or messages need ids: \
never invent ids yourself, they would not be random. Kinds: uuid_v7 (the default; starts with the time, so ids sort \
in the order they were made: best for database keys), uuid_v4 (purely random), short (21 URL-safe characters, 126 \
random bits). `count` asks for several at once, up to 1000. Every call gives different ids, and nothing is stored: \
keep what you get. Not for secrets such as passwords or API keys, and not for an id of something that already has \
one.";

const MAX_COUNT: u64 = 1_000;

/// Identifiers.
pub(super) struct GenerateIds;

impl Builtin for GenerateIds {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "generate_ids",
            category: "utility",
            icon: "hash",
            description: DESCRIPTION,
            input_schema: json!({
                "type": "object",
                "properties": {
                    "kind": {
                        "type": "string", "enum": ["uuid_v7", "uuid_v4", "short"], "default": "uuid_v7",
                        "description": "What the ids look like."
                    },
                    "count": {
                        "type": "integer", "minimum": 1, "maximum": MAX_COUNT, "default": 1,
                        "description": "How many ids to make."
                    }
                },
                "additionalProperties": false
            }),
            output_schema: json!({
                "type": "object",
                "properties": {
                    "ids": {
                        "type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MAX_COUNT,
                        "description": "The ids, in the order they were made."
                    },
                    "kind": {"type": "string", "description": "What the ids look like."},
                    "count": {"type": "integer", "description": "How many ids there are."}
                },
                "required": ["ids", "kind", "count"],
                "additionalProperties": false
            }),
            examples: vec![
                runs("One sortable id", json!({})),
                runs("Three short ids", json!({"kind": "short", "count": 3})),
                refuses("Too many", json!({"count": MAX_COUNT + 1})),
            ],
            output_sections: vec![section("ids", "Ids", SectionType::Table)],
            repeatable: false,
        }
        .into_spec()
    }

    fn call(&self, input: &Value, ctx: &BuiltinContext<'_>) -> Result<Value, ToolError> {
        let kind = input["kind"].as_str().unwrap_or("uuid_v7");
        let count = input["count"].as_u64().unwrap_or(1);
        if !(1..=MAX_COUNT).contains(&count) {
            return Err(ToolError::validation(format!("`count` is between 1 and {MAX_COUNT}")));
        }
        let ids: Vec<String> = match kind {
            "uuid_v7" => (0..count).map(|_| ctx.ids.uuid().to_string()).collect(),
            "uuid_v4" => (0..count).map(|_| random_uuid()).collect(),
            "short" => (0..count).map(|_| short()).collect(),
            _ => return Err(ToolError::validation("`kind` is one of uuid_v7, uuid_v4, short")),
        };
        Ok(json!({"ids": ids, "kind": kind, "count": count}))
    }
}

fn random_uuid() -> String {
    let bytes: [u8; 16] = rand::rng().random();
    uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
}

/// 64 symbols, so that six random bits choose each without bias.
fn short() -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bytes: [u8; 21] = rand::rng().random();
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 63)])).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rstest::rstest;

    use super::*;
    use crate::builtin::testing::{call, refusal};

    #[rstest]
    #[case("uuid_v7", 36)]
    #[case("uuid_v4", 36)]
    #[case("short", 21)]
    fn a_thousand_ids_are_a_thousand_different_ones(#[case] kind: &str, #[case] length: usize) {
        let output = call(&GenerateIds, json!({"kind": kind, "count": 1_000}));
        let ids: HashSet<&str> =
            output["ids"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        assert_eq!(ids.len(), 1_000);
        assert!(ids.iter().all(|id| id.len() == length));
    }

    #[test]
    fn version_seven_sorts_and_both_versions_say_what_they_are() {
        let ids = |kind: &str| -> Vec<uuid::Uuid> {
            let output = call(&GenerateIds, json!({"kind": kind, "count": 100}));
            output["ids"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().parse().unwrap()).collect()
        };
        let ordered = ids("uuid_v7");
        assert!(ordered.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(ordered.iter().all(|id| id.get_version_num() == 7));
        assert!(ids("uuid_v4").iter().all(|id| id.get_version_num() == 4));
    }

    #[test]
    fn short_ids_use_every_symbol() {
        let output = call(&GenerateIds, json!({"kind": "short", "count": 1_000}));
        let symbols: HashSet<char> =
            output["ids"].as_array().unwrap().iter().flat_map(|id| id.as_str().unwrap().chars()).collect();
        assert_eq!(symbols.len(), 64);
    }

    #[test]
    fn a_count_that_slipped_past_the_schema_is_still_refused() {
        assert!(refusal(&GenerateIds, json!({"count": 1_000_000})).contains("between 1 and 1000"));
    }
}
