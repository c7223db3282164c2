//! Steps, groups, conditions, errors; and what happens while a step waits.

use serde_json::{Value, json};
use toolgate_domain::{ErrorCode, Status};
use toolgate_engine::Ruling;

use crate::runtimes::common::{House, code, composition, tool};

fn step(id: &str, tool: &str, text: &str) -> Value {
    json!({"id": id, "tool": tool, "input": {"text": text}})
}

#[tokio::test]
async fn steps_run_in_order_and_use_what_stands_before_them() {
    let house = House::new().await;
    house.say("say", json!({})).await;
    let steps = json!([
        {"id": "sum", "tool": "calculate", "input": {"expression": "$input.expression"}},
        {"id": "told", "tool": "say", "input": {"text": ["$steps.sum.output.result", "$input.name"]}},
    ]);
    house.register(composition("report", steps.clone())).await;
    let envelope = house.done("report", json!({"expression": "2+3", "name": "Ada"})).await;
    let output = envelope.output.unwrap();
    assert!(output["output"]["text"].as_str().unwrap().contains("Ada"), "the last step's output: {output}");
    assert_eq!(output["steps"]["sum"]["status"], "completed");
    assert!(output["steps"]["sum"]["output"]["result"].to_string().contains('5'), "{output}");
    let children = house.children(envelope.invocation_id).await;
    let ids: Vec<_> = children.iter().map(|child| json!(child.id)).collect();
    assert_eq!(
        ids,
        [output["steps"]["sum"]["invocation_id"].clone(), output["steps"]["told"]["invocation_id"].clone()]
    );

    let mut mapped = json!({"kind": "composition", "steps": steps});
    mapped["output"] =
        json!({"of": "$input.name", "sum": "$steps.sum.output.result", "none": "$input.nothing"});
    house.register(tool("mapped", mapped)).await;
    let output = house.done("mapped", json!({"expression": "2+3", "name": "Ada"})).await.output.unwrap();
    assert_eq!(output["of"], "Ada");
    assert_eq!(output.as_object().unwrap().len(), 2, "what is not there is absent: {output}");
}

#[tokio::test]
async fn a_step_whose_condition_does_not_hold_is_skipped_and_its_output_is_absent() {
    let house = House::new().await;
    house.say("say", json!({})).await;
    let steps = json!([
        {"id": "big", "tool": "say", "input": {"text": "big"}, "when": "input.n > `10`"},
        {"id": "small", "tool": "say", "input": {"text": "small"}, "when": "steps.big.status == 'skipped'"},
        {"id": "end", "tool": "say", "input": {"text": "$input.n", "said": "$steps.big.output.text"}},
    ]);
    house.register(composition("sized", steps)).await;
    let small = house.done("sized", json!({"n": 1})).await;
    let steps = small.output.unwrap()["steps"].clone();
    assert_eq!(steps["big"], json!({"status": "skipped"}));
    assert_eq!(steps["small"]["output"], json!({"text": "small"}));
    let children = house.children(small.invocation_id).await;
    assert_eq!(children.len(), 2);
    assert_eq!(children[1].input, json!({"text": 1}), "a skipped step's output is absent");
    let big = house.done("sized", json!({"n": 11})).await.output.unwrap();
    assert_eq!(
        (&big["steps"]["big"]["status"], &big["steps"]["small"]["status"]),
        (&json!("completed"), &json!("skipped"))
    );
}

#[tokio::test]
async fn the_steps_of_a_group_run_at_the_same_time() {
    let house = House::new().await;
    house.register(tool("meet", json!({"kind": "meet"}))).await;
    let steps = json!([{"id": "both", "parallel": [
        {"id": "a", "tool": "meet", "input": {"n": 1}}, {"id": "b", "tool": "meet", "input": {"n": 2}},
    ]}]);
    house.register(composition("meeting", steps)).await;
    let output = house.done("meeting", json!({})).await.output.unwrap();
    assert_eq!(output["output"], json!({"a": {"n": 1}, "b": {"n": 2}}));
}

#[tokio::test]
async fn each_step_says_what_its_failure_means() {
    let house = House::new().await;
    house.say("say", json!({})).await;
    let broken = |on_error: Value| {
        json!([
            {"id": "bad", "tool": "calculate", "input": {"expression": "1 +"}, "on_error": on_error},
            {"id": "end", "tool": "say", "input": {"text": ["$steps.bad.error.code", "$steps.bad.output"]}},
        ])
    };
    house.register(composition("strict", broken(json!("fail")))).await;
    let strict = house.done("strict", json!({})).await;
    assert_eq!(code(&strict), ErrorCode::ValidationError);
    let error = strict.error.unwrap();
    assert!(error.message.starts_with("step `bad` (calculate) failed: "), "{error}");
    assert_eq!(error.details.unwrap()["step"], "bad");
    assert_eq!(house.children(strict.invocation_id).await.len(), 1, "nothing runs after it");

    house.register(composition("lenient", broken(json!("continue")))).await;
    let output = house.done("lenient", json!({})).await.output.unwrap();
    assert_eq!(output["steps"]["bad"]["status"], "failed");
    assert!(output["output"]["text"].as_str().unwrap().contains("VALIDATION_ERROR"), "{output}");

    house.register(composition("defaulted", broken(json!({"default": 7})))).await;
    let output = house.done("defaulted", json!({})).await.output.unwrap();
    assert_eq!(
        (&output["steps"]["bad"]["status"], &output["steps"]["bad"]["output"]),
        (&json!("defaulted"), &json!(7))
    );
    assert!(output["output"]["text"].as_str().unwrap().contains('7'), "{output}");
}

#[tokio::test]
async fn a_step_is_tried_again_where_its_author_says_so() {
    let busy = json!({"error": {"code": "PROVIDER_ERROR", "message": "busy"}});
    let house = House::with_model(json!([{"replies": [busy, {"text": "here"}]}])).await;
    house.register(tool("ask", json!({"kind": "prompt", "template": "hello"}))).await;
    let steps = json!([{"id": "a", "tool": "ask", "retries": 1}]);
    house.register(composition("patient", steps)).await;
    let envelope = house.done("patient", json!({})).await;
    assert_eq!(envelope.output.unwrap()["output"], json!({"text": "here"}));
    let attempts = house.children(envelope.invocation_id).await;
    let statuses: Vec<_> = attempts.iter().map(|row| row.status()).collect();
    assert_eq!(statuses, [Status::Failed, Status::Completed], "each attempt has its receipt");
}

#[tokio::test]
async fn an_approval_in_the_middle_survives_a_restart_and_every_step_runs_once() {
    let house = House::new().await;
    house.say("say", json!({})).await;
    house.say("careful", json!({"requires_approval": true})).await;
    let steps = json!([
        step("first", "say", "one"),
        step("second", "careful", "$steps.first.output.text"),
        step("third", "say", "$steps.second.output.text"),
    ]);
    house.register(composition("chain", steps)).await;
    let outer = house.waits("chain", json!({})).await;
    assert_eq!((outer.status(), outer.node_id), (Status::Running, None), "no process holds it");
    let asked = house.asked(outer.id).await.remove(0);
    assert_eq!(asked.input, json!({"text": "one"}));

    let house = house.restart().await;
    house.approve(&asked).await;
    let done = house.ended(&outer).await;
    assert_eq!(done.outcome.output.unwrap()["output"], json!({"text": "one"}));
    let children = house.children(outer.id).await;
    assert_eq!(children.len(), 3, "every step ran once");
    assert!(children.iter().all(|child| child.status() == Status::Completed));
}

#[tokio::test]
async fn a_group_with_two_questions_goes_on_when_both_are_answered() {
    let house = House::new().await;
    house.say("say", json!({})).await;
    house.say("careful", json!({"requires_approval": true})).await;
    let steps = json!([
        {"id": "both", "parallel": [step("a", "careful", "A"), step("b", "careful", "B"), step("c", "say", "C")]},
        {"id": "end", "tool": "say", "input": {"text": ["$steps.a.output.text", "$steps.b.output.text"]}},
    ]);
    house.register(composition("pair", steps)).await;
    let outer = house.waits("pair", json!({})).await;
    let asked = house.asked(outer.id).await;
    assert_eq!(asked.len(), 2, "both are asked at once");
    house.approve(&asked[0]).await;
    house.ended(&asked[0]).await;
    assert_eq!(house.row(outer.id).await.status(), Status::Running, "one answer is not enough");
    house.approve(&asked[1]).await;
    let done = house.ended(&outer).await;
    assert!(done.outcome.output.unwrap()["output"]["text"].as_str().unwrap().contains('B'));
    assert_eq!(house.children(outer.id).await.len(), 4, "every step ran once");
}

#[tokio::test]
async fn a_rejected_step_fails_as_its_policy_says() {
    let house = House::new().await;
    house.say("careful", json!({"requires_approval": true})).await;
    let steps = json!([{"id": "a", "tool": "careful", "input": {"text": "x"}, "on_error": {"default": {"text": "no"}}}]);
    house.register(composition("asked", steps)).await;
    let outer = house.waits("asked", json!({})).await;
    let asked = house.asked(outer.id).await.remove(0);
    house.decide(&asked, Ruling::Reject { reason: "not today".to_owned() }).await;
    let output = house.ended(&outer).await.outcome.output.unwrap();
    assert_eq!(output["output"], json!({"text": "no"}));
    assert!(output["steps"]["a"]["error"]["message"].as_str().unwrap().contains("not today"), "{output}");
}

#[tokio::test]
async fn a_branch_that_fails_takes_back_what_the_others_asked() {
    let house = House::new().await;
    house.say("careful", json!({"requires_approval": true})).await;
    let steps = json!([{"id": "both", "parallel": [
        step("a", "careful", "A"), {"id": "b", "tool": "calculate", "input": {"expression": "1 +"}},
    ]}]);
    house.register(composition("hasty", steps)).await;
    let envelope = house.done("hasty", json!({})).await;
    assert_eq!(code(&envelope), ErrorCode::ValidationError);
    let children = house.children(envelope.invocation_id).await;
    assert_eq!(children.iter().find(|row| row.tool_name == "careful").unwrap().status(), Status::Cancelled);
}
