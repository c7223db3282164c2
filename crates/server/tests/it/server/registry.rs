//! Registering tools and finding them.

use reqwest::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};

use crate::server::common::{House, definition, read};

#[tokio::test]
async fn tools_are_listed_by_name_page_by_page() {
    let house = House::new().await;
    let (_, all) = house.get("/api/tools?limit=200").await;
    let names: Vec<_> = all["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect();
    for expected in [
        "calculate",
        "convert_units",
        "diff_text",
        "generate_ids",
        "get_time",
        "hash_text",
        "parse_csv",
        "query_json",
        "render_template",
        "summarize_numbers",
        "validate_json",
    ] {
        assert!(names.iter().any(|name| name == expected), "{expected} is missing");
    }
    assert!(names.is_sorted());
    let (mut seen, mut path) = (Vec::new(), "/api/tools?limit=5".to_owned());
    loop {
        let (_, page) = house.get(&path).await;
        seen.extend(
            page["items"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()),
        );
        let Some(cursor) = page["next_cursor"].as_str() else {
            break;
        };
        path = format!("/api/tools?limit=5&cursor={cursor}");
    }
    assert_eq!(seen, names);
    let (_, found) = house.get("/api/tools?search=percentiles").await;
    assert_eq!(found["items"][0]["name"], "summarize_numbers");
    let (_, none) = house.get("/api/tools?egress_class=write").await;
    assert_eq!(none["items"], json!([]));
}

#[tokio::test]
async fn tools_are_searched_by_words_and_a_search_has_pages_in_the_order_of_names() {
    let house = House::new().await;
    for number in [3, 1, 2] {
        let schema = json!({"type": "object", "properties": {"ms": {"type": "integer"}, "shippingAddress": {"type": "string"}}});
        let parcel = definition(&format!("parcel_{number}"), "wait", json!({"input_schema": schema}));
        assert_eq!(house.register(parcel).await.0, StatusCode::CREATED);
    }
    let names = |page: &Value| -> Vec<String> {
        let items = page["items"].as_array().unwrap().iter();
        items.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let (_, first) = house.get("/api/tools?search=shipping%20addr&limit=2").await;
    assert_eq!(names(&first), ["parcel_1", "parcel_2"], "by a parameter, and by the beginning of a word");
    let cursor = first["next_cursor"].as_str().unwrap();
    let (_, rest) = house.get(&format!("/api/tools?search=shipping%20addr&limit=2&cursor={cursor}")).await;
    assert_eq!((names(&rest), &rest["next_cursor"]), (vec!["parcel_3".to_owned()], &Value::Null));
    let newer = json!({"version": "1.1.0", "description": "Weighs it."});
    house.register(definition("parcel_2", "wait", newer)).await;
    assert_eq!(
        names(&house.get("/api/tools?search=weighs").await.1),
        ["parcel_2"],
        "a change is found at once"
    );
    for query in ["parcel%22%20OR%20%22zebra", "NEAR(parcel)", "%F0%9F%A6%80", "parcel%20zebra"] {
        let (status, none) = house.get(&format!("/api/tools?search={query}")).await;
        assert_eq!((status, names(&none)), (StatusCode::OK, Vec::new()), "{query}");
    }
    let (_, all) = house.get("/api/tools?limit=200").await;
    assert_eq!(house.get("/api/tools?search=%20&limit=200").await.1, all, "no words, no filter");
}

#[tokio::test]
async fn a_tool_is_registered_called_deprecated_blocked_and_brought_back() {
    let house = House::new().await;
    let greet = definition(
        "greet",
        "render_template",
        json!({
            "input_schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
            "execution": {"kind": "builtin", "handler": "render_template", "arguments": {"template": "Hello {{ name }}!", "values": "$input"}},
        }),
    );
    let (status, dry) =
        read(house.request(Method::POST, "/api/tools?dry_run=true").json(&greet).send().await.unwrap()).await;
    assert_eq!((status, &dry["created"], &dry["dry_run"]), (StatusCode::OK, &json!(true), &json!(true)));
    assert_eq!(house.get("/api/tools/greet").await.0, StatusCode::NOT_FOUND, "a dry run changes nothing");
    assert_eq!(house.register(greet.clone()).await.0, StatusCode::CREATED);
    assert_eq!(house.register(greet.clone()).await.0, StatusCode::OK, "the same again is no change");
    let (_, envelope) = house.post("/api/tools/greet/invoke", json!({"name": "Ada"})).await;
    assert_eq!(envelope["output"]["text"], "Hello Ada!");

    let set = |state: &'static str| {
        let request = house.request(Method::PATCH, "/api/tools/greet").json(&json!({"lifecycle": state}));
        async move { read(request.send().await.unwrap()).await }
    };
    assert_eq!(set("deprecated").await.1["items"][0]["lifecycle"], "deprecated");
    let (_, envelope) = house.post("/api/tools/greet/invoke", json!({"name": "Ada"})).await;
    assert!(envelope["warnings"][0].as_str().unwrap().contains("deprecated"));
    let (_, listed) = house.get("/api/tools?search=greet").await;
    assert_eq!(listed["items"], json!([]), "deprecated tools are listed on demand");
    assert_eq!(
        house.get("/api/tools?search=greet&lifecycle=deprecated").await.1["items"][0]["name"],
        "greet"
    );
    set("blocked").await;
    let (status, problem) = house.post("/api/tools/greet/invoke", json!({"name": "Ada"})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("POLICY_DENIED")));
    set("active").await;
    assert_eq!(house.post("/api/tools/greet/invoke", json!({"name": "Ada"})).await.0, StatusCode::OK);

    let mut changed = greet.clone();
    changed["input_schema"]["required"] = json!([]);
    let (status, problem) = house.register(changed.clone()).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("CONFLICT")));
    changed["version"] = json!("1.1.0");
    house.register(changed).await;
    let (_, versions) = house.get("/api/tools/greet/versions").await;
    let listed: Vec<_> =
        versions["items"].as_array().unwrap().iter().map(|v| v["version"].as_str().unwrap()).collect();
    assert_eq!(listed, ["1.1.0", "1.0.0"]);
    assert_ne!(versions["items"][0]["input_schema_hash"], versions["items"][1]["input_schema_hash"]);

    let alias = json!({"alias": "hello", "remove_by": "2999-01-01T00:00:00Z"});
    assert_eq!(house.post("/api/tools/greet/aliases", alias).await.0, StatusCode::OK);
    let (_, envelope) = house.post("/api/tools/hello/invoke", json!({"name": "Ada"})).await;
    assert_eq!(envelope["name"], "greet");
}

#[tokio::test]
async fn a_tool_that_writes_is_registered_as_one_that_asks() {
    let house = House::new().await;
    let (_, done) = house
        .register(definition("push", "wait", json!({"egress_class": "writes", "requires_approval": false})))
        .await;
    assert_eq!(
        (&done["tool"]["egress_class"], &done["tool"]["requires_approval"]),
        (&json!("write"), &json!(true))
    );
}

#[rstest]
#[case::key(json!({"egres_class": "none"}), "/egres_class", "did you mean `egress_class`")]
#[case::key_of_rate(json!({"rate_limit": {"limit": 1, "windows": 60}}), "/rate_limit/windows", "did you mean `window_s`")]
#[case::key_of_hints(json!({"annotations": {"readonlyHint": true}}), "/annotations/readonlyHint", "did you mean `readOnlyHint`")]
#[case::key_of_example(json!({"examples": [{"inptu": {}}]}), "/examples/0/inptu", "did you mean `input`")]
#[case::key_of_section(json!({"output_sections": [{"key": "a", "lable": "A", "type": "table"}]}), "/output_sections/0/lable", "did you mean `label`")]
#[case::name(json!({"name": "9lives"}), "/name", "starts with a letter")]
#[case::version(json!({"version": "one"}), "/version", "")]
#[case::schema(json!({"input_schema": {"type": "array"}}), "/input_schema/type", "describe an object")]
#[case::broken_schema(json!({"input_schema": {"type": "object", "properties": {"a": {"minimum": "x"}}}}), "/input_schema/properties/a/minimum", "not a valid schema")]
#[case::remote(json!({"output_schema": {"type": "object", "$ref": "https://example.com/s.json"}}), "/output_schema/$ref", "points out of the schema")]
#[case::kind(json!({"execution": {"kind": "http", "url": "https://example.com"}}), "/execution/kind", "do not run yet")]
#[case::nonsense(json!({"execution": {"kind": "magic"}}), "/execution/kind", "no kind of tool")]
#[case::handler(json!({"execution": {"kind": "builtin", "handler": "nobody"}}), "/execution", "there is no built-in")]
#[case::reserved(json!({"name": "calculate"}), "", "belongs to Toolgate")]
#[case::timeout(json!({"timeout_ms": 0}), "/timeout_ms", "between 1 and")]
#[case::cache(json!({"cache": "ttl"}), "/cache_ttl_s", "needs the seconds")]
#[case::rate(json!({"rate_limit": {"limit": 0, "window_s": 1}}), "/rate_limit", "needs limit")]
#[case::example(json!({"input_schema": {"type": "object", "required": ["a"]}, "examples": [{"input": {}, "output": {}}]}), "/examples/0", "does not fit")]
#[tokio::test]
async fn bad_definitions_are_refused_with_the_place(
    #[case] patch: Value,
    #[case] pointer: &str,
    #[case] says: &str,
) {
    let house = House::new().await;
    let (status, problem) = house.register(definition("probe", "wait", patch)).await;
    assert!(status.is_client_error(), "{status}");
    assert_eq!(problem.get("pointer").and_then(Value::as_str).unwrap_or_default(), pointer, "{problem}");
    assert!(problem["detail"].as_str().unwrap().contains(says), "{problem}");
}
