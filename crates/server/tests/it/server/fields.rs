use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::server::common::{House, definition};

fn form(fields: Value) -> Value {
    let mut form = definition("estimate", "wait", json!({"fields": fields}));
    form.as_object_mut().unwrap().remove("input_schema");
    form
}

#[tokio::test]
async fn an_author_gives_fields_and_callers_get_a_schema() {
    let house = House::new().await;
    let fields = json!([
        {"key": "rooms", "label": "Rooms", "type": "number", "display": "slider", "required": true, "constraints": {"integer": true, "min": 1}},
        {"key": "kind", "type": "enum", "options": [{"value": "house", "label": "A house"}, {"value": "flat"}]},
    ]);
    let (status, done) = house.register(form(fields.clone())).await;
    assert_eq!(status, StatusCode::CREATED, "{done}");
    assert_eq!(done["tool"]["input_schema"]["properties"]["rooms"]["minimum"], 1);
    let (_, tool) = house.get("/api/tools/estimate").await;
    assert_eq!(tool["fields"], fields, "as they were written");
    let (_, refused) = house.post("/api/tools/estimate/invoke", json!({"rooms": 0})).await;
    assert_eq!(refused["code"], "VALIDATION_ERROR", "{refused}");

    // What is shown may change; what is asked may not.
    let mut shown = fields.clone();
    (shown[0]["label"], shown[0]["display"]) = (json!("How many rooms"), json!("input"));
    assert_eq!(house.register(form(shown)).await.0, StatusCode::OK);
    let mut asked = fields;
    asked[0]["constraints"]["min"] = json!(0);
    let (status, problem) = house.register(form(asked)).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("CONFLICT")));
}

#[tokio::test]
async fn fields_and_schema_that_disagree_are_refused() {
    let house = House::new().await;
    let schema = json!({"type": "object", "properties": {"name": {"type": "string", "title": "Name"}}, "required": ["name"]});
    let both = |fields: Value| definition("greet", "wait", json!({"input_schema": schema, "fields": fields}));
    let (status, problem) = house.register(both(json!([{"key": "name", "type": "text"}]))).await;
    assert_eq!((status.is_client_error(), &problem["pointer"]), (true, &json!("/fields")), "{problem}");
    let (status, problem) = house.register(both(json!([{"key": "name", "type": "enum"}]))).await;
    assert_eq!(
        (status.is_client_error(), &problem["pointer"]),
        (true, &json!("/fields/0/options")),
        "{problem}"
    );
    let agreed = json!([{"key": "name", "type": "text", "display": "textarea", "required": true}]);
    let (status, done) = house.register(both(agreed)).await;
    assert_eq!(status, StatusCode::CREATED, "{done}");
    assert_eq!(done["tool"]["input_schema"], schema, "the author's spelling stays");
}

#[tokio::test]
async fn a_schema_alone_is_read_as_fields_where_a_form_can_express_it() {
    let house = House::new().await;
    let (_, tool) = house.get("/api/tools/calculate").await;
    let keys: Vec<_> =
        tool["fields"].as_array().unwrap().iter().map(|field| field["key"].as_str().unwrap()).collect();
    assert!(keys.contains(&"expression"), "{keys:?}");
    let either = json!({"type": "object", "oneOf": [{"required": ["a"]}]});
    house.register(definition("either", "wait", json!({"input_schema": either}))).await;
    let (_, tool) = house.get("/api/tools/either").await;
    assert_eq!(tool.get("fields"), None);
}
