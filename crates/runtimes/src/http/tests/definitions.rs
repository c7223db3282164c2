//! What can be saved, and what the tools that ship say of themselves.

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::{EgressClass, tool::Execution};

use super::bench::Bench;

fn check(extra: Value) -> Result<(), String> {
    let mut config = json!({"method": "GET", "url": "https://api.example.com/x"});
    for (key, value) in extra.as_object().unwrap() {
        config[key] = value.clone();
    }
    Bench::new(&[]).check(config)
}

#[rstest]
#[case(json!({}))]
#[case(json!({"method": "post", "body": {"a": "$input.a"}, "headers": {"X-A": "1"}}))]
#[case(json!({"auth": {"type": "bearer", "secret": "KEY"}, "accept_status": [404, "409-412"]}))]
#[case(json!({"pagination": {"style": "offset", "limit": 50}, "response": "$..id", "preview": "json"}))]
#[case(json!({"per_host": {"max_concurrent": 2}, "timeout_ms": 1000, "max_redirects": 0}))]
fn what_makes_sense_is_saved(#[case] extra: Value) {
    check(extra).unwrap();
}

#[rstest]
#[case(json!({"methode": 1}), "unknown key `methode`; did you mean `method`?")]
#[case(json!({"method": "TRACE"}), "`method`")]
#[case(json!({"method": 1}), "`method`")]
#[case(json!({"url": "https://{host}/"}), "`url`")]
#[case(json!({"headers": {"Host": "x"}}), "`headers`")]
#[case(json!({"headers": {"X": "a\r\nb"}}), "`headers`")]
#[case(json!({"headers": {"X": [1]}}), "`headers.X`")]
#[case(json!({"headers": "x"}), "`headers` is an object")]
#[case(json!({"query": {"a": {"b": 1}}}), "`query.a`")]
#[case(json!({"query": {"a": "x {$input.a"}}), "`query.a`")]
#[case(json!({"body": "x"}), "`body`")]
#[case(json!({"method": "POST", "body": "x", "form": {}}), "`form`")]
#[case(json!({"method": "POST", "body": "{\"a\": \"{$input.a}\"}", "headers": {"content-type": "application/json"}}), "`body`")]
#[case(json!({"auth": {"type": "magic"}}), "`auth.type` is one of")]
#[case(json!({"auth": {"type": "bearer"}}), "`auth.secret` is missing")]
#[case(json!({"auth": {"type": "bearer", "secert": "K"}}), "did you mean `secret`")]
#[case(json!({"auth": {"type": "bearer", "secret": "K", "name": "x"}}), "`auth.name` does not go with")]
#[case(json!({"auth": {"type": "header", "name": "Host", "secret": "K"}}), "`auth.name`")]
#[case(json!({"auth": {"type": "basic", "password_secret": "K"}}), "`auth.username` or `auth.username_secret`")]
#[case(json!({"auth": {"type": "oauth2_client_credentials", "token_url": "http://127.0.0.1/", "client_id": "a", "client_secret": "K"}}), "`auth.token_url`")]
#[case(json!({"pagination": {"style": "cursor"}}), "`pagination.next` is missing")]
#[case(json!({"pagination": {"style": "page", "max_pages": 101}}), "`pagination.max_pages` is a whole number from 1 to 100")]
#[case(json!({"method": "POST", "pagination": {"style": "page"}}), "`pagination` goes with GET")]
#[case(json!({"response": "$["}), "`response`")]
#[case(json!({"response": {"query": "a["}}), "`response.query`")]
#[case(json!({"response": {"query": "a", "as": "x"}}), "`response.as`")]
#[case(json!({"retries": {"max": 6}}), "`retries.max`")]
#[case(json!({"timeout_ms": 0}), "`timeout_ms`")]
#[case(json!({"max_response_bytes": 1_000_000_000_u64}), "`max_response_bytes`")]
#[case(json!({"max_redirects": 6}), "`max_redirects`")]
#[case(json!({"response_headers": ["Set-Cookie"]}), "`response_headers`")]
#[case(json!({"per_host": {"limit": 1}}), "`per_host`")]
#[case(json!({"accept_status": [99]}), "`accept_status`")]
#[case(json!({"accept_status": ["500-400"]}), "`accept_status`")]
#[case(json!({"preview": "pdf"}), "`preview`")]
fn what_does_not_is_refused_with_its_place(#[case] extra: Value, #[case] says: &str) {
    let refused = check(extra).unwrap_err();
    assert!(refused.contains(says), "{refused}");
}

#[rstest]
#[case(json!({"method": "GET", "url": "https://a.example/"}), EgressClass::ReadOnly)]
#[case(json!({"url": "https://a.example/"}), EgressClass::ReadOnly)]
#[case(json!({"method": "HEAD", "url": "https://a.example/"}), EgressClass::ReadOnly)]
#[case(json!({"method": "OPTIONS", "url": "https://a.example/"}), EgressClass::ReadOnly)]
#[case(json!({"method": "POST", "url": "https://a.example/"}), EgressClass::Write)]
#[case(json!({"method": "DELETE", "url": "https://a.example/"}), EgressClass::Write)]
#[case(json!({"handler": "http_request"}), EgressClass::Write)]
#[case(json!({"handler": "webSearch"}), EgressClass::ReadOnly)]
fn the_method_tells_the_egress_class(#[case] config: Value, #[case] class: EgressClass) {
    let execution = Execution { kind: "http".to_owned(), config: config.as_object().cloned().unwrap() };
    assert_eq!(Bench::new(&[]).runtime.egress_of(&execution), Ok(class));
}

#[rstest]
#[case(json!({"handler": "calculate"}))]
#[case(json!({"handler": "http_request", "url": "https://a.example/"}))]
fn a_handler_stands_alone(#[case] config: Value) {
    Bench::new(&[]).check(config).unwrap_err();
}

#[test]
fn the_tools_that_ship_are_what_they_say() {
    let bench = Bench::new(&[]);
    let specs = bench.runtime.specs();
    assert_eq!(
        specs.iter().map(|spec| spec.name.as_str()).collect::<Vec<_>>(),
        ["http_request", "webSearch"]
    );
    for spec in specs {
        bench.check(Value::Object(spec.execution.config.clone())).unwrap();
        assert_eq!(bench.runtime.egress_of(&spec.execution), Ok(spec.egress_class));
        assert_eq!(spec.requires_approval, spec.egress_class == EgressClass::Write);
        let output = spec.output_schema.clone().unwrap();
        for schema in [&spec.input_schema, &output] {
            jsonschema::draft202012::meta::validate(schema).unwrap();
            assert_eq!((&schema["type"], &schema["additionalProperties"]), (&json!("object"), &json!(false)));
            for (key, property) in schema["properties"].as_object().unwrap() {
                assert!(property["description"].is_string(), "{}.{key} has no description", spec.name);
            }
        }
        let input = jsonschema::draft202012::new(&spec.input_schema).unwrap();
        assert!(spec.examples.iter().all(|example| !input.is_valid(&example.input)));
        assert_eq!(serde_json::from_value::<toolgate_domain::ToolSpec>(json!(spec)).unwrap(), spec);
    }
}
