use serde_json::{Value, json};
use toolgate_domain::{
    ToolSpec,
    tool::{Annotations, PermissionPolicy, Risk},
};

use crate::builtin::definition::{Definition, refuses, runs};

pub(super) const NAME: &str = "manageTools";

/// One flat object: clients that cannot read unions must understand it too. Which fields an action needs is checked beside it.
fn input_schema() -> Value {
    let text =
        |max: u64, description: &str| json!({"type": "string", "maxLength": max, "description": description});
    let object = |description: &str| json!({"type": "object", "description": description});
    let flag = |description: &str| json!({"type": "boolean", "description": description});
    let choice = |values: Value, description: &str| json!({"enum": values, "description": description});
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["action"],
        "properties": {
            "action": choice(json!(["create", "update", "delete", "list", "get"]), "What to do."),
            "slug": text(130, "The tool's name. Needed for create, update, delete and get; get, update and delete take `name@version` too."),
            "version": text(64, "A semantic version. create: 1.0.0 when left out; update: the next one when left out."),
            "description": text(4_000, "For people and models: what it does, when to use it, when not to."),
            "long_description": text(100_000, "Prose for people."),
            "category": text(64, "api, code, data, search, utility, or one of your own. list: only tools of this category."),
            "icon": text(64, "A Lucide icon's name."),
            "input_schema": object("JSON Schema of an object: what the tool takes."),
            "output_schema": object("JSON Schema of an object: what the tool answers."),
            "execution": object("What runs it: `{kind, …}`."),
            "egress_class": choice(json!(["none", "read_only", "write"]), "What it touches outside."),
            "risk": choice(json!(["low", "medium", "high", "critical"]), "How much harm it can do."),
            "requires_approval": flag("Every call waits for a person."),
            "permission_policy": choice(json!(["auto", "always_ask"]), "always_ask: an agent's call waits for a person."),
            "required_permission": text(128, "A dotted permission that the caller must hold."),
            "secrets": {"type": "array", "maxItems": 32, "items": {"type": "string", "maxLength": 128}, "description": "Names of the secrets it needs."},
            "annotations": object("Hints for clients: readOnlyHint, destructiveHint, idempotentHint, openWorldHint."),
            "cache": choice(json!(["none", "ttl", "forever"]), "Whether equal inputs get the kept output."),
            "cache_ttl_s": {"type": "integer", "minimum": 1, "description": "Seconds, for `cache: ttl`."},
            "cache_errors_s": {"type": "integer", "minimum": 1, "description": "Seconds for which a failure is kept too."},
            "timeout_ms": {"type": "integer", "minimum": 1, "description": "Milliseconds that a call may take."},
            "rate_limit": object("`{limit, window_s, concurrency}`."),
            "fields": {"type": "array", "maxItems": 200, "items": {"type": "object"}, "description": "The input as fields of a form, instead of an input schema."},
            "output_sections": {"type": "array", "maxItems": 100, "items": {"type": "object"}, "description": "How people see the output."},
            "examples": {"type": "array", "maxItems": 50, "items": {"type": "object"}, "description": "Calls that the tool vouches for."},
            "enabled": flag("update: whether the tool is there."),
            "defaults": object("update of a tool that ships with the program: input fields that a call may leave out."),
            "search": text(500, "list: words that stand in the name, the description or the category."),
            "limit": {"type": "integer", "minimum": 1, "maximum": 200, "description": "list: how many; 50 when left out."},
            "cursor": text(130, "list: `next_cursor` of the page before."),
        },
    })
}

pub(in crate::builtin) fn spec() -> ToolSpec {
    let mut spec = Definition {
        name: NAME,
        category: "admin",
        icon: "wrench",
        description: "Creates, changes, deletes, lists and shows the tools of this tenant. Use `list` and `get` before you change \
            anything. `create` publishes a new tool; `update` changes the keys that you send: a tool of the tenant gets its next \
            version, a tool that ships with the program gets an override, which can only make it stricter; `delete` archives a tool \
            of the tenant, or takes an override back. A person must agree to each call of an agent.",
        input_schema: input_schema(),
        output_schema: json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["action"],
            "properties": {
                "action": {"type": "string", "description": "What was done."},
                "tool": {"type": "object", "description": "create, update, get: the tool as it is now."},
                "created": {"type": "boolean", "description": "create, update: there is a new version."},
                "changes": {"type": "array", "items": {"type": "object"}, "description": "update: `{key, from, to}` each."},
                "warnings": {"type": "array", "items": {"type": "string"}, "description": "create, update: what is unusual about it."},
                "deleted": {"type": "string", "description": "delete: what was deleted."},
                "items": {"type": "array", "items": {"type": "object"}, "description": "list: the tools."},
                "next_cursor": {"type": ["string", "null"], "description": "list: where the next page begins."},
            },
        }),
        examples: vec![
            runs("what there is", json!({"action": "list", "search": "json", "limit": 5})),
            refuses("a create without a name", json!({"action": "create", "description": "Greets."})),
        ],
        output_sections: vec![],
        repeatable: false,
    }
    .into_spec();
    spec.risk = Risk::High;
    spec.permission_policy = PermissionPolicy::AlwaysAsk;
    spec.annotations = Annotations {
        read_only_hint: Some(false),
        destructive_hint: Some(true),
        idempotent_hint: Some(false),
        open_world_hint: Some(false),
    };
    spec
}
