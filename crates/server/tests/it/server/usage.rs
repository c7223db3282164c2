//! What was used, summed up.

use reqwest::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::{AgentId, InvocationId, RunId, TenantId};
use toolgate_store::ModelUse;

use crate::server::common::{Database, House, read};

/// Three calls of tools and two questions to models, of which one names itself after a formula.
async fn furnish(house: &House) -> RunId {
    for expression in ["1+1", "1+1", "1/0"] {
        house.post("/api/tools/calculate/invoke", json!({"expression": expression})).await;
    }
    let (ids, now) = (house.engine.ids(), house.engine.clock().now());
    let run = RunId::generate(ids);
    for (model, cached) in [("gpt-4o", 60), ("=HYPERLINK(\"http://evil\",\"a,b\")", 0)] {
        let used = ModelUse {
            id: ids.uuid(),
            tenant_id: TenantId::DEFAULT,
            at: now,
            invocation_id: InvocationId::generate(ids),
            run_id: Some(run),
            agent_id: Some(AgentId::generate(ids)),
            tool_name: "run_agent".into(),
            provider: Some("openai".into()),
            model: Some(model.into()),
            input_tokens: 100,
            cached_input_tokens: cached,
            output_tokens: 10,
            reasoning_tokens: 0,
            cost: Some(0.5),
            self_reported_cost: None,
            cost_mismatch: false,
            latency_ms: 120,
            error: None,
        };
        house.engine.stores().meter.add_use(&used).await.unwrap();
    }
    run
}

#[rstest]
#[case(Database::Sqlite)]
#[case(Database::Postgres)]
#[tokio::test]
async fn usage_is_summed_up_by_what_is_asked_for(#[case] database: Database) {
    let house = House::on(database).await;
    let run = furnish(&house).await;
    let (status, all) = house.get("/api/usage").await;
    assert_eq!(status, StatusCode::OK, "{all}");
    let sum = &all["items"][0];
    assert_eq!((&sum["calls"], &sum["errors"], &sum["model_calls"]), (&json!(3), &json!(1), &json!(2)));
    assert_eq!(
        (&sum["cost"], &sum["cached_input_tokens"], &sum["runs"]),
        (&json!(1.0), &json!(60), &json!(1))
    );
    assert_eq!((&sum["model_p95_ms"], &sum["day"]), (&json!(120), &Value::Null));
    assert!(sum["call_p50_ms"].is_u64(), "{sum}");

    let (_, by) = house.get("/api/usage?by=tool,day").await;
    let items = by["items"].as_array().unwrap();
    assert_eq!(items.len(), 2, "{by}");
    assert_eq!((&items[0]["tool"], &items[0]["calls"]), (&json!("calculate"), &json!(3)));
    assert_eq!((&items[1]["tool"], &items[1]["model_calls"]), (&json!("run_agent"), &json!(2)));
    let today = &house.engine.clock().now().to_string()[..10];
    assert_eq!(
        (&items[0]["day"], &by["by"], &by["truncated"]),
        (&json!(today), &json!(["tool", "day"]), &json!(false))
    );

    let (_, of_run) = house.get(&format!("/api/usage?run={run}&by=model")).await;
    assert_eq!(of_run["items"].as_array().unwrap().len(), 2);
    assert_eq!(of_run["items"][0]["calls"], Value::Null, "a call of a tool has no model");
    let (_, narrow) = house.get("/api/usage?model=gpt-4o").await;
    assert_eq!(narrow["items"][0]["model_calls"], 1);
    let (_, none) = house.get("/api/usage?tool=calculate&until=2001-01-01T00:00:00Z").await;
    assert_eq!(none["items"][0]["calls"], 0, "{none}");
}

#[tokio::test]
async fn usage_as_csv_is_quoted_and_holds_no_formula() {
    let house = House::new().await;
    furnish(&house).await;
    let asked = |path: &str| house.request(Method::GET, path);
    let answer = asked("/api/usage?by=model").header("accept", "text/csv").send().await.unwrap();
    assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("text/csv"));
    let text = answer.text().await.unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("model,calls,errors,cached_calls,"), "{text}");
    assert!(lines[1].starts_with("\"'=HYPERLINK(\"\"http://evil\"\",\"\"a,b\"\")\",,,"), "{text}");
    assert!(lines[2].starts_with("gpt-4o,,,"), "{text}");
    let by_format = asked("/api/usage?by=tool&format=csv").send().await.unwrap().text().await.unwrap();
    assert!(by_format.starts_with("tool,calls,"), "{by_format}");
    let as_json = asked("/api/usage?format=json").header("accept", "text/csv").send().await.unwrap();
    assert!(read(as_json).await.1["items"].is_array());
}

#[rstest]
#[case("by=colour")]
#[case("format=xml")]
#[case("since=yesterday")]
#[case("agent=nobody")]
#[tokio::test]
async fn what_cannot_be_understood_is_refused(#[case] query: &str) {
    let house = House::new().await;
    let (status, body) = house.get(&format!("/api/usage?{query}")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
}

#[tokio::test]
async fn a_report_is_about_a_time_that_exists_and_is_bounded() {
    let house = House::new().await;
    for query in [
        "since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z",
        "since=2020-01-01T00:00:00Z&until=2026-01-01T00:00:00Z",
    ] {
        let (status, body) = house.get(&format!("/api/usage?{query}")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    }
}

#[tokio::test]
async fn another_tenant_has_used_nothing() {
    let house = House::new().await;
    let run = furnish(&house).await;
    let (_, foreign) = house.tenant("ims").await;
    for path in ["/api/usage".to_owned(), format!("/api/usage?run={run}")] {
        let (status, body) = house.ask(&foreign, Method::GET, &path, None).await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(
            (&body["items"][0]["model_calls"], &body["items"][0]["calls"]),
            (&json!(0), &json!(0)),
            "{body}"
        );
    }
}

#[tokio::test]
async fn the_tool_tells_the_same_to_those_who_may_read_receipts() {
    let house = House::new().await;
    furnish(&house).await;
    let (status, told) =
        house.post("/api/tools/getUsageStats/invoke", json!({"by": ["model"], "since_days": 1})).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    let output = &told["output"];
    assert_eq!((&output["totals"]["model_calls"], &output["totals"]["cost"]), (&json!(2), &json!(1.0)));
    assert_eq!(output["prompt_caching"]["hit_ratio"], json!(0.3));
    assert_eq!(output["groups"].as_array().unwrap().len(), 2);
    let blind = house.key_with(&[toolgate_domain::Scope::ToolsExecute]).await;
    let asked = house.ask(&blind, Method::POST, "/api/tools/getUsageStats/invoke", Some(json!({}))).await;
    assert_eq!(asked.1["code"], "POLICY_DENIED", "{}", asked.1);
}
