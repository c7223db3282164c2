//! What the client answers when a server asks back: the defaults of a form, and yes.

use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability,
        FormElicitationCapability,
    },
    service::RequestContext,
};
use serde_json::{Map, Value, json};

pub struct Answers;

impl ClientHandler for Answers {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.capabilities.elicitation = Some(
            ElicitationCapability::new()
                .with_form(FormElicitationCapability::new().with_schema_validation(true)),
        );
        info
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let form = serde_json::to_value(&request).unwrap_or_default();
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(defaults(&form)))
    }
}

/// The form with each field at its default, and required ones at something of their type.
fn defaults(form: &Value) -> Value {
    let schema = form.get("requestedSchema").cloned().unwrap_or_default();
    let required: Vec<_> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut content = Map::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(value) = field.get("default") {
            content.insert(name.clone(), value.clone());
        } else if required.contains(&name.as_str()) {
            content.insert(name.clone(), of_type(field));
        }
    }
    Value::Object(content)
}

/// Some value of the schema's type.
pub fn of_type(schema: &Value) -> Value {
    if let Some(first) = schema.get("enum").and_then(|values| values.get(0)) {
        return first.clone();
    }
    match schema["type"].as_str() {
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => json!("test"),
    }
}
