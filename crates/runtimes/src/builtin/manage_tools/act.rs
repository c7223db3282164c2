use serde_json::{Map, Value, json};
use toolgate_domain::{Caller, ErrorCode, Scope, Surface, Tool, ToolError, tool::Origin};
use toolgate_engine::{
    AuthorError, House, RegisterError, Registry, RegistryError, RuleError, RunContext, ToolFilter,
    definition_from_json,
};

use super::definition::NAME;

const DEFAULT_LIMIT: usize = 50;
/// Keys that are about the call, and not about the tool.
const OF_THE_CALL: [&str; 5] = ["action", "slug", "search", "limit", "cursor"];

/// What each action needs beside itself.
fn needed(action: &str) -> &'static [&'static str] {
    match action {
        "create" => &["slug", "description", "input_schema", "execution"],
        "update" | "delete" | "get" => &["slug"],
        _ => &[],
    }
}

/// Whether an action has what it needs. Asked before a person is.
pub(in crate::builtin) fn check(input: &Value) -> Result<(), ToolError> {
    let action = input["action"].as_str().unwrap_or_default();
    if let Some(missing) = needed(action).iter().find(|key| input.get(**key).is_none()) {
        return Err(ToolError::validation(format!("{NAME}.{action} requires '{missing}'"))
            .with_details(json!({"errors": [{"path": "", "message": format!("requires '{missing}'")}]})));
    }
    let changes = |input: &Value| about_the_tool(input).len();
    if action == "update" && changes(input) == 0 {
        return Err(ToolError::validation(format!("{NAME}.update requires a field to change")));
    }
    if action == "create" {
        definition_from_json(definition(input)).map_err(|error| invalid(error.to_string()))?;
    }
    Ok(())
}

pub(in crate::builtin) async fn run(input: &Value, context: &RunContext) -> Result<Value, ToolError> {
    check(input)?;
    let action = input["action"].as_str().unwrap_or_default();
    let slug = input["slug"].as_str().unwrap_or_default();
    let caller = context.invoker.caller()?;
    let house = context.invoker.house()?;
    may(caller, action, &house).await?;
    let registry = house.registry();
    Ok(match action {
        "create" => {
            let spec = definition_from_json(definition(input)).map_err(|error| invalid(error.to_string()))?;
            exists_not(registry, caller, slug).await?;
            let done = registry.register(caller, spec, false).await.map_err(of_register)?;
            json!({"action": action, "tool": *done.tool, "created": done.created, "warnings": done.warnings})
        }
        "update" => {
            let done = registry.patch(caller, slug, about_the_tool(input)).await.map_err(of_author)?;
            json!({"action": action, "tool": *done.tool, "created": done.created, "changes": done.changes,
                "warnings": done.warnings})
        }
        "delete" => {
            registry.delete(caller, slug).await.map_err(of_author)?;
            json!({"action": action, "deleted": slug})
        }
        "get" => {
            let tool = house.tool(slug).await.map_err(of_registry)?;
            json!({"action": action, "tool": *tool})
        }
        _ => {
            let text = |key: &str| input[key].as_str().map(str::to_owned);
            let limit = input["limit"].as_u64().and_then(|limit| usize::try_from(limit).ok());
            let filter = ToolFilter {
                search: text("search"),
                category: text("category"),
                after: text("cursor"),
                limit: limit.unwrap_or(DEFAULT_LIMIT),
                ..ToolFilter::default()
            };
            let page = house.tools(&filter).await.map_err(|e| broken(&e))?;
            let items: Vec<_> = page.items.iter().map(|tool| summary(tool)).collect();
            json!({"action": action, "items": items, "next_cursor": page.next_cursor})
        }
    })
}

/// What an action needs, whoever does it or agrees to it.
pub(in crate::builtin) fn scope_of(action: &str) -> Scope {
    if matches!(action, "list" | "get") { Scope::ToolsRead } else { Scope::ToolsWrite }
}

/// Whoever may over REST may here. An agent may what the person who agreed to this very call may.
async fn may(caller: &Caller, action: &str, house: &House<'_>) -> Result<(), ToolError> {
    let needed = scope_of(action);
    if caller.agent_id.is_none() {
        return if caller.may(needed) {
            Ok(())
        } else {
            Err(denied(format!("{NAME}.{action} needs {needed}")))
        };
    }
    match house.approver().await.map_err(|error| broken(&error))? {
        Some(person) if person.agent_id.is_none() && person.may(needed) => Ok(()),
        Some(_) => Err(denied(format!(
            "the one who agreed to this call may not do it themselves: {NAME}.{action} needs {needed}"
        ))),
        None => {
            Err(denied(format!("a person who holds {needed} must agree to each {NAME}.{action} of an agent")))
        }
    }
}

/// `create` makes something new; what there is is changed by `update`.
async fn exists_not(registry: &Registry, caller: &Caller, slug: &str) -> Result<(), ToolError> {
    match registry.exists(caller, Surface::Internal, slug).await {
        Ok(()) => Err(invalid(format!("there is a tool `{slug}` already: use the action update"))),
        Err(RegistryError::Store(error)) => Err(broken(&error)),
        Err(_) => Ok(()),
    }
}

/// The fields that are keys of a definition.
fn about_the_tool(input: &Value) -> Map<String, Value> {
    let fields = input.as_object().cloned().unwrap_or_default();
    fields.into_iter().filter(|(key, _)| !OF_THE_CALL.contains(&key.as_str())).collect()
}

fn definition(input: &Value) -> Value {
    let mut fields = about_the_tool(input);
    fields.insert("name".to_owned(), input["slug"].clone());
    fields.entry("version").or_insert_with(|| Value::from("1.0.0"));
    Value::Object(fields)
}

fn summary(tool: &Tool) -> Value {
    let spec = &tool.spec;
    let origin = if tool.origin == Origin::Code { "code" } else { "tenant_custom" };
    json!({
        "slug": spec.name, "version": spec.version.to_string(), "kind": tool.kind, "origin": origin,
        "category": spec.category, "description": spec.description, "egress_class": spec.egress_class,
    })
}

fn invalid(message: String) -> ToolError {
    ToolError::validation(message)
}

fn denied(message: String) -> ToolError {
    ToolError::new(ErrorCode::PolicyDenied, message)
}

/// What a store says is for the log.
fn broken(error: &dyn std::fmt::Display) -> ToolError {
    tracing::error!(%error, "{NAME} cannot reach the store");
    ToolError::new(ErrorCode::Unknown, "the tools cannot be read or written: try again in a moment")
}

fn of_register(error: RegisterError) -> ToolError {
    match error {
        RegisterError::Store(error) => broken(&error),
        other => invalid(other.to_string()),
    }
}

fn of_registry(error: RegistryError) -> ToolError {
    match error {
        RegistryError::Store(error) => broken(&error),
        other => invalid(other.to_string()),
    }
}

fn of_author(error: AuthorError) -> ToolError {
    match error {
        AuthorError::Register(error) => of_register(error),
        AuthorError::Registry(error) => of_registry(error),
        AuthorError::Rules(RuleError::Store(error)) => broken(&error),
        other => invalid(other.to_string()),
    }
}
