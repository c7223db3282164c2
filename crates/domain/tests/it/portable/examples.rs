//! What is made of the schemas that clients are known to stumble over.

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::tool::portable::{Role, Rule, complaints, portable, wraps_output};

fn input(schema: &Value) -> Value {
    portable(schema, Role::Input).into_owned()
}

fn output(schema: &Value) -> Value {
    portable(schema, Role::Output).into_owned()
}

fn property(schema: Value) -> Value {
    input(&json!({"type": "object", "properties": {"it": schema}}))["properties"]["it"].clone()
}

fn rules(schema: &Value, role: Role) -> Vec<(String, Rule)> {
    complaints(schema, role).into_iter().map(|found| (found.pointer, found.rule)).collect()
}

#[test]
fn a_plain_schema_is_published_as_it_is() {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "pattern": "^[a-z]+$", "description": "Who."},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
            "unit": {"type": "string", "enum": ["km", "mi"], "default": "km"},
        },
        "required": ["name"],
        "additionalProperties": false,
    });
    for role in [Role::Input, Role::Output] {
        assert!(matches!(portable(&schema, role), std::borrow::Cow::Borrowed(_)));
        assert_eq!(complaints(&schema, role), []);
    }
}

#[test]
fn a_union_at_the_root_becomes_one_object_that_says_what_belongs_together() {
    let schema = json!({
        "type": "object",
        "oneOf": [
            {"properties": {"action": {"const": "create"}, "title": {"type": "string"}},
             "required": ["action", "title"], "additionalProperties": false},
            {"properties": {"action": {"const": "remove"}, "id": {"type": "integer"}, "force": {"type": "boolean"}},
             "required": ["action", "id"], "additionalProperties": false},
        ],
    });
    let made = json!({
        "type": "object",
        "description": "Give one of these together: (action = \"create\", title) or (action = \"remove\", id, optionally force).",
        "properties": {
            "action": {"type": "string", "enum": ["create", "remove"]},
            "title": {"type": "string"},
            "id": {"type": "integer"},
            "force": {"type": "boolean"},
        },
        "required": ["action"],
        "additionalProperties": false,
    });
    assert_eq!(input(&schema), made);
    assert!(rules(&schema, Role::Input).contains(&("/oneOf".to_owned(), Rule::RootUnion)));
}

#[test]
fn either_of_two_properties_is_told_in_words() {
    let schema = json!({
        "type": "object",
        "properties": {"phone": {"type": "string"}, "email": {"type": "string", "format": "email"}},
        "anyOf": [{"required": ["phone"]}, {"required": ["email"]}],
        "additionalProperties": false,
    });
    let made = json!({
        "type": "object",
        "description": "Give one of these together: (phone) or (email).",
        "properties": {"phone": {"type": "string"}, "email": {"type": "string", "format": "email"}},
        "additionalProperties": false,
    });
    assert_eq!(input(&schema), made);
}

#[test]
fn references_are_put_in_place_and_circles_are_cut() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "definitions": {
            "name": {"type": "string"},
            "tree": {"type": "object", "properties": {
                "label": {"$ref": "#/definitions/name"},
                "children": {"type": "array", "items": {"$ref": "#/definitions/tree"}},
            }},
        },
        "properties": {"root": {"$ref": "#/definitions/tree"}, "owner": {"$ref": "#/definitions/name", "description": "Whose."}},
    });
    let made = input(&schema);
    let children = json!({"type": "array", "items": {
        "type": "object", "additionalProperties": true, "description": "It nests again, in the same way.",
    }});
    assert_eq!(
        made,
        json!({
            "type": "object",
            "properties": {
                "root": {"type": "object", "properties": {"label": {"type": "string"}, "children": children}},
                "owner": {"type": "string", "description": "Whose."},
            },
        })
    );
    let found = rules(&schema, Role::Input);
    assert!(found.contains(&("/properties/root/$ref".to_owned(), Rule::Reference)), "{found:?}");
    assert!(found.contains(&("/properties/owner/$ref".to_owned(), Rule::LocalReference)), "{found:?}");
    assert!(found.contains(&("/$schema".to_owned(), Rule::Dialect)), "{found:?}");
}

#[rstest]
#[case::nullable(json!({"type": ["string", "null"], "maxLength": 3, "description": "D"}),
    json!({"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}], "description": "D"}))]
#[case::constant(json!({"const": 5}), json!({"type": "integer", "enum": [5]}))]
#[case::mixed_values(json!({"enum": ["a", null, 1]}),
    json!({"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}, {"type": "integer", "enum": [1]}]}))]
#[case::one_of(json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
    json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}))]
#[case::all_of(json!({"allOf": [{"type": "string", "minLength": 2}, {"maxLength": 4}]}),
    json!({"type": "string", "minLength": 2, "maxLength": 4}))]
#[case::open_map(json!({"type": "object", "additionalProperties": {}}), json!({"type": "object", "additionalProperties": true}))]
#[case::typed_map(json!({"type": "object", "additionalProperties": {"type": "string"}}),
    json!({"type": "object", "additionalProperties": {"type": "string"}}))]
#[case::silent_object(json!({"type": "object"}), json!({"type": "object", "additionalProperties": true}))]
#[case::tuple(json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "items": false}),
    json!({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "number"}]}, "maxItems": 2}))]
#[case::old_tuple(json!({"type": "array", "items": [{"type": "string"}], "additionalItems": {"type": "null"}}),
    json!({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}))]
#[case::draft_four(json!({"type": "number", "minimum": 1, "exclusiveMinimum": true}),
    json!({"type": "number", "exclusiveMinimum": 1}))]
#[case::nullable_of_openapi(json!({"type": "string", "nullable": true, "x-order": 3}), json!({"type": "string"}))]
#[case::pattern(json!({"type": "string", "pattern": "(?i)abc"}), json!({"type": "string", "description": "Matches (?i)abc"}))]
#[case::format(json!({"type": "string", "format": "color"}), json!({"type": "string", "description": "Format: color"}))]
#[case::not(json!({"type": "string", "not": {"const": "x"}}),
    json!({"type": "string", "description": "Also held to: {\"not\":{\"const\":\"x\"}}"}))]
#[case::required_only(json!({"type": "object", "required": ["a"], "additionalProperties": {"type": "string"}}),
    json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": {"type": "string"}}))]
fn a_property_is_spelt_so_that_everyone_reads_it(#[case] written: Value, #[case] published: Value) {
    assert_eq!(property(written), published);
}

#[test]
fn a_value_of_any_kind_has_types_all_the_same() {
    for any in [json!({}), json!(true)] {
        let made = property(any);
        let kinds: Vec<&Value> = made["anyOf"].as_array().unwrap().iter().map(|one| &one["type"]).collect();
        assert_eq!(kinds, ["string", "number", "boolean", "object", "array", "null"]);
        assert!(
            made["anyOf"][4]["items"]["type"].is_array(),
            "something is said of arrays in arrays: {made}"
        );
    }
    assert_eq!(output(&json!({"type": "object", "properties": {"it": {}}}))["properties"]["it"], json!({}));
}

#[test]
fn a_property_whose_name_is_refused_is_told_and_not_shut_out() {
    let schema = json!({
        "type": "object",
        "properties": {"@type": {"type": "string"}, "name": {"type": "string"}},
        "required": ["@type", "name"],
        "additionalProperties": false,
    });
    let made = input(&schema);
    assert_eq!(made["properties"], json!({"name": {"type": "string"}}));
    assert_eq!(made.get("additionalProperties"), None);
    assert_eq!(made["required"], json!(["name"]));
    assert!(made["description"].as_str().unwrap().contains("\"@type\""), "{made}");
    assert_eq!(output(&schema), schema, "what a tool answers goes to no provider");
}

#[rstest]
#[case::a_list(json!({"type": "array", "items": {"type": "string"}}), true)]
#[case::a_text(json!({"type": "string"}), true)]
#[case::anything(json!({}), true)]
#[case::a_boolean(json!(true), true)]
#[case::an_object(json!({"type": "object"}), false)]
#[case::by_reference(json!({"$ref": "#/$defs/x", "$defs": {"x": {"type": "object"}}}), false)]
#[case::objects(json!({"oneOf": [{"type": "object"}, {"properties": {}}]}), false)]
#[case::sometimes(json!({"oneOf": [{"type": "object"}, {"type": "null"}]}), true)]
#[case::a_circle(json!({"$ref": "#"}), true)]
fn an_output_that_is_no_object_is_wrapped(#[case] schema: Value, #[case] wraps: bool) {
    assert_eq!(wraps_output(&schema), wraps);
    let made = output(&schema);
    assert_eq!(made["type"], "object");
    assert_eq!(made["required"] == json!(["result"]), wraps, "{made}");
}

#[test]
fn a_schema_that_grows_without_end_becomes_a_plain_object() {
    let double = |n: usize| {
        json!({"type": "object", "properties": {
            "a": {"$ref": format!("#/$defs/d{n}")}, "b": {"$ref": format!("#/$defs/d{n}")}, "c": {"$ref": format!("#/$defs/d{n}")},
        }})
    };
    let mut defs: serde_json::Map<String, Value> =
        (0..30).map(|n| (format!("d{n}"), double(n + 1))).collect();
    defs.insert("d30".into(), json!({"type": "string"}));
    let schema = json!({"type": "object", "description": "A bomb.", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": defs});
    let made = input(&schema);
    assert_eq!((&made["properties"], &made["additionalProperties"]), (&json!({}), &json!(true)));
    assert!(made["description"].as_str().unwrap().starts_with("A bomb. Its schema is too large"), "{made}");
}

#[test]
fn what_nests_deeper_than_strict_clients_take_is_cut() {
    let mut schema = json!({"type": "string"});
    for _ in 0..15 {
        schema = json!({"type": "object", "properties": {"down": schema}});
    }
    assert!(rules(&schema, Role::Input).iter().any(|(_, rule)| *rule == Rule::Depth));
    let made = input(&schema);
    assert!(!rules(&made, Role::Input).iter().any(|(_, rule)| *rule == Rule::Depth));
    let deepest = made.pointer(&"/properties/down".repeat(9)).unwrap();
    assert_eq!(deepest["description"], "It nests deeper than is told here.");
}

#[test]
fn every_rule_is_documented() {
    let page = include_str!("../../../../../docs/reference/mcp-schemas.md");
    for rule in Rule::ALL {
        let line = page.lines().find(|line| line.starts_with(&format!("| `{}` |", rule.as_str())));
        let line =
            line.unwrap_or_else(|| panic!("docs/reference/mcp-schemas.md has no line for {}", rule.as_str()));
        for client in rule.clients() {
            assert!(line.contains(client), "{} is about {client} as well: {line}", rule.as_str());
        }
    }
}
