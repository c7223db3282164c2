//! What is refused when a composition is saved, and where.

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::{EgressClass, Lifecycle, Timestamp, governance::PermissionStatus};
use toolgate_engine::{NewAgent, PermissionEntry, RuleError};

use crate::runtimes::common::{House, caller, composition, say, tool};

#[rstest]
#[case::missing(json!([{"id": "a", "tool": "nope"}]), "/execution/steps/0/tool", "there is no tool `nope`")]
#[case::no_version(json!([{"id": "a", "tool": "say@9"}]), "/execution/steps/0/tool", "no version")]
#[case::unmapped(json!([{"id": "a", "tool": "say", "input": {}}]), "/execution/steps/0/input/text", "needs `text`")]
#[case::surplus(json!([{"id": "a", "tool": "calculate", "input": {"expression": "1", "x": 2}}]), "/execution/steps/0/input/x", "has no input `x`")]
#[case::later(json!([{"id": "a", "tool": "say", "input": {"text": {"x": "$steps.b.output"}}}, {"id": "b", "tool": "say", "input": {"text": 1}}]), "/execution/steps/0/input/text/x", "has not run by then")]
#[case::itself(json!([{"id": "a", "tool": "say", "input": {"text": "$steps.a.output"}}]), "/execution/steps/0/input/text", "has not run by then")]
#[case::beside(json!([{"id": "g", "parallel": [{"id": "a", "tool": "say", "input": {"text": 1}}, {"id": "b", "tool": "say", "input": {"text": "$steps.a.output"}}]}]), "/execution/steps/0/parallel/1/input/text", "has not run by then")]
#[case::unknown_step(json!([{"id": "a", "tool": "say", "input": {"text": "$steps.zz.output"}}]), "/execution/steps/0/input/text", "no step `zz`")]
#[case::unknown_part(json!([{"id": "a", "tool": "say", "input": {"text": 1}}, {"id": "b", "tool": "say", "input": {"text": "$steps.a.result"}}]), "/execution/steps/1/input/text", "not `result`")]
#[case::twice(json!([{"id": "a", "tool": "say", "input": {"text": 1}}, {"id": "a", "tool": "say", "input": {"text": 1}}]), "/execution/steps/1/id", "earlier step")]
#[case::condition(json!([{"id": "a", "tool": "say", "input": {"text": 1}, "when": "input.["}]), "/execution/steps/0/when", "JMESPath")]
#[case::retries(json!([{"id": "a", "tool": "say", "input": {"text": 1}, "retries": 4}]), "/execution/steps/0/retries", "at most 3")]
#[case::retried_write(json!([{"id": "a", "tool": "push", "input": {"text": 1}, "retries": 1}]), "/execution/steps/0/retries", "could do it twice")]
#[case::nested(json!([{"id": "g", "parallel": [{"id": "h", "parallel": []}]}]), "/execution/steps/0", "parallel")]
#[case::unknown_key(json!([{"id": "a", "tool": "say", "inputs": {}}]), "/execution/steps/0", "inputs")]
#[case::no_object(json!([{"id": "a", "tool": "say", "input": "text"}]), "/execution/steps/0/input", "an object")]
#[case::none(json!([]), "/execution/steps", "1 to 50")]
#[case::blocked(json!([{"id": "a", "tool": "gone", "input": {"text": 1}}]), "/execution/steps/0/tool", "blocked")]
#[case::itself_called(json!([{"id": "a", "tool": "all", "input": {}}]), "/execution", "all@1.0.0 → all@1.0.0")]
#[tokio::test]
async fn a_composition_that_cannot_work_is_refused_at_its_place(
    #[case] steps: Value,
    #[case] pointer: &str,
    #[case] says: &str,
) {
    let house = House::new().await;
    house.say("say", json!({})).await;
    house.say("push", json!({"egress_class": "write"})).await;
    house.say("gone", json!({})).await;
    house.engine.registry().set_lifecycle(&caller(), "gone", Lifecycle::Blocked).await.unwrap();
    let (at, message) = house.refusal(composition("all", steps)).await;
    assert_eq!(at, pointer, "{message}");
    assert!(message.contains(says), "{message}");
}

#[tokio::test]
async fn a_composition_has_at_most_fifty_steps() {
    let house = House::new().await;
    house.say("say", json!({})).await;
    let steps = |n: usize| -> Value {
        (0..n).map(|i| json!({"id": format!("s{i}"), "tool": "say", "input": {"text": i}})).collect()
    };
    house.register(composition("most", steps(50))).await;
    let (at, _) = house.refusal(composition("more", steps(51))).await;
    assert_eq!(at, "/execution/steps");
}

#[tokio::test]
async fn the_egress_class_is_that_of_the_strictest_step() {
    let house = House::new().await;
    house.say("push", json!({"egress_class": "write"})).await;
    let steps = json!([{"id": "g", "parallel": [{"id": "a", "tool": "push", "input": {"text": 1}}]}]);
    let saved = house.register(composition("inner", steps.clone())).await;
    assert_eq!(saved.tool.spec.egress_class, EgressClass::Write);
    assert!(saved.tool.spec.requires_approval, "what writes asks");
    assert!(!saved.warnings.iter().any(|w| w.contains("egress")), "{:?}", saved.warnings);
    let outer = house.register(composition("outer", json!([{"id": "a", "tool": "inner"}]))).await;
    assert_eq!(outer.tool.spec.egress_class, EgressClass::Write, "through other compositions too");
    let again = house.register(composition("inner", steps)).await;
    assert!(
        !again.created && again.changes.is_empty(),
        "saving it again changes nothing: {:?}",
        again.changes
    );
}

#[tokio::test]
async fn a_deprecated_step_is_pointed_out() {
    let house = House::new().await;
    house.say("old", json!({})).await;
    house.engine.registry().set_lifecycle(&caller(), "old", Lifecycle::Deprecated).await.unwrap();
    let saved =
        house.register(composition("all", json!([{"id": "a", "tool": "old", "input": {"text": 1}}]))).await;
    assert!(
        saved.warnings.iter().any(|w| w.contains("old@1.0.0, which is deprecated")),
        "{:?}",
        saved.warnings
    );
}

fn version(mut definition: Value, version: &str) -> Value {
    definition["version"] = version.into();
    definition
}

#[tokio::test]
async fn a_circle_is_refused_through_other_compositions_and_aliases() {
    let house = House::new().await;
    house.say("a", json!({})).await;
    house.register(composition("b", json!([{"id": "s", "tool": "a", "input": {"text": 1}}]))).await;
    let circle = version(composition("a", json!([{"id": "s", "tool": "b"}])), "2.0.0");
    let (at, message) = house.refusal(circle).await;
    assert_eq!(
        (at.as_str(), message.contains("a@2.0.0 → b@1.0.0 → a@2.0.0")),
        ("/execution", true),
        "{message}"
    );

    let later = Timestamp::from_millis(4_000_000_000_000);
    let registry = house.engine.registry();
    registry.put_alias(&caller(), "old_a".parse().unwrap(), "a", later).await.unwrap();
    let circle = version(composition("a", json!([{"id": "s", "tool": "old_a"}])), "2.0.0");
    let (_, message) = house.refusal(circle).await;
    assert!(message.contains("a@2.0.0 → a@2.0.0"), "{message}");

    let pinned = composition("a", json!([{"id": "s", "tool": "old_a@1.0.0", "input": {"text": 1}}]));
    house.register(version(pinned, "2.0.0")).await;

    // An alias that would close the circle afterwards.
    registry.put_alias(&caller(), "helper".parse().unwrap(), "calculate", later).await.unwrap();
    house
        .register(composition("c", json!([{"id": "s", "tool": "helper", "input": {"expression": "1"}}])))
        .await;
    let refused = registry.put_alias(&caller(), "helper".parse().unwrap(), "c", later).await.unwrap_err();
    assert!(refused.to_string().contains("calls itself"), "{refused}");
}

#[tokio::test]
async fn a_circle_is_refused_through_the_tools_of_an_agent() {
    let house = House::new().await;
    house.agent("ada", json!({"custom_tools": ["ask_ada"]})).await;
    let ask = tool("ask_ada", json!({"kind": "prompt", "mode": "agent", "agent": "ada"}));
    let (at, message) = house.refusal(ask).await;
    assert_eq!((at.as_str(), message.contains("calls itself")), ("/execution", true), "{message}");
    house.register(tool("ask", json!({"kind": "prompt", "mode": "agent", "agent": "ada"}))).await;
}

#[tokio::test]
async fn an_agent_gets_no_tool_through_which_a_tool_would_call_itself() {
    let house = House::new().await;
    let ada = house.agent("ada", json!({})).await;
    let mut ask = tool("ask", json!({"kind": "prompt", "mode": "agent", "agent": "@ada"}));
    ask["category"] = "asking".into();
    house.register(ask).await;
    house.register(composition("twice", json!([{"id": "s", "tool": "ask"}]))).await;
    house.say("greet", json!({})).await;
    let (rules, by) = (house.engine.rules(), caller());
    let circle = |refused: RuleError, path: &str| match refused {
        RuleError::Invalid(message) => assert_eq!(message, format!("the tool calls itself: {path}")),
        other => panic!("refused for something else: {other}"),
    };
    let long = "ask@1.0.0 → twice@1.0.0 → ask@1.0.0";
    circle(rules.assign(&by, ada.id, "twice", None, true).await.unwrap_err(), long);
    circle(rules.assign(&by, ada.id, "ask", None, true).await.unwrap_err(), "ask@1.0.0 → ask@1.0.0");
    for patch in [json!({"custom_tools": ["twice"]}), json!({"tool_groups": ["asking"]})] {
        let patch = patch.as_object().unwrap().clone();
        let refused = rules.update_agent(&by, ada.id, patch).await.unwrap_err();
        assert!(refused.to_string().contains("calls itself"), "{refused}");
    }
    let entry = |status| PermissionEntry {
        tool_name: "twice".to_owned(),
        permission_status: status,
        provider_key: None,
    };
    let open = vec![entry(PermissionStatus::NeedsApproval)];
    circle(rules.set_permissions(&by, ada.id, open).await.unwrap_err(), long);
    assert_eq!(rules.assignments(&by, Some(ada.id)).await.unwrap(), [], "nothing changed");

    // What is kept from the agent closes no circle, until it is no longer kept from it.
    rules.assign(&by, ada.id, "greet", None, true).await.unwrap();
    rules.assign(&by, ada.id, "twice", None, false).await.unwrap();
    let groups = json!({"custom_tools": ["twice"]}).as_object().unwrap().clone();
    rules.update_agent(&by, ada.id, groups).await.unwrap();
    circle(rules.revoke_assignment(&by, ada.id, "twice").await.unwrap_err(), long);
}

#[tokio::test]
async fn an_agent_that_a_tool_waits_for_is_not_made_with_that_tool() {
    let house = House::new().await;
    house.register(tool("ask", json!({"kind": "prompt", "mode": "agent", "agent": "bob"}))).await;
    let new = json!({"handle": "bob", "display_name": "Bob", "custom_tools": ["ask"]});
    let new: NewAgent = serde_json::from_value(new).unwrap();
    let refused = house.engine.rules().create_agent(&caller(), new).await.unwrap_err();
    assert!(refused.to_string().contains("ask@1.0.0 → ask@1.0.0"), "{refused}");
}

#[tokio::test]
async fn a_tower_of_compositions_stands_only_so_high() {
    let house = House::new().await;
    house.register(say("t0", json!({}))).await;
    for n in 1..=8 {
        let input = if n == 1 { json!({"text": 1}) } else { json!({}) };
        let steps = json!([{"id": "s", "tool": format!("t{}", n - 1), "input": input}]);
        house.register(composition(&format!("t{n}"), steps)).await;
    }
    let output = house.done("t8", json!({})).await;
    assert_eq!(output.error, None);
    let (_, message) = house.refusal(composition("t9", json!([{"id": "s", "tool": "t8"}]))).await;
    assert!(message.contains("more than 8 deep"), "{message}");
}

#[rstest]
#[case::less("none")]
#[case::still_less("read_only")]
#[tokio::test]
async fn a_composition_cannot_be_declared_more_harmless_than_its_steps(#[case] declared: &str) {
    let house = House::new().await;
    house.say("push", json!({"egress_class": "write"})).await;
    let mut pushes = composition("pushes", json!([{"id": "a", "tool": "push", "input": {"text": 1}}]));
    pushes["egress_class"] = json!(declared);
    let (at, message) = house.refusal(pushes).await;
    let expected = format!(
        "`{declared}` is looser than `write`, which is what push@1.0.0 does, a tool that it calls: declare that, or leave the key out"
    );
    assert_eq!((at.as_str(), message), ("/egress_class", expected));
}

#[tokio::test]
async fn a_composition_may_be_declared_stricter_than_its_steps() {
    let house = House::new().await;
    house.say("say", json!({})).await;
    let mut says = composition("says", json!([{"id": "a", "tool": "say", "input": {"text": 1}}]));
    says["egress_class"] = json!("write");
    let saved = house.register(says).await;
    assert_eq!(saved.tool.spec.egress_class, EgressClass::Write);
    assert!(saved.tool.spec.requires_approval, "what writes asks");
}

/// A prompt leaves the house: the runtime says so, whatever its author does.
#[rstest]
#[case::silent(None, Some(EgressClass::ReadOnly))]
#[case::exact(Some("read_only"), Some(EgressClass::ReadOnly))]
#[case::other_spelling(Some("reads"), Some(EgressClass::ReadOnly))]
#[case::stricter(Some("write"), Some(EgressClass::Write))]
#[case::looser(Some("none"), None)]
#[tokio::test]
async fn a_declared_class_is_kept_when_it_is_stricter_and_refused_when_it_is_looser(
    #[case] declared: Option<&str>,
    #[case] saved: Option<EgressClass>,
) {
    let house = House::new().await;
    let mut asks = tool("ask", json!({"kind": "prompt", "template": "Say hello."}));
    if let Some(class) = declared {
        asks["egress_class"] = json!(class);
    }
    match saved {
        Some(class) => assert_eq!(house.register(asks).await.tool.spec.egress_class, class),
        None => {
            let (at, message) = house.refusal(asks).await;
            assert_eq!(at, "/egress_class");
            assert!(
                message.starts_with("`none` is looser than `read_only`, which is what the tool does"),
                "{message}"
            );
        }
    }
}

/// What its author did not say follows what it does, also when that changes.
#[tokio::test]
async fn a_change_that_says_nothing_of_the_class_may_only_make_it_stricter() {
    let house = House::new().await;
    house.say("say", json!({})).await;
    house.say("push", json!({"egress_class": "write"})).await;
    let steps = |tool: &str| json!([{"id": "a", "tool": tool, "input": {"text": 1}}]);
    let made = house.register(composition("works", steps("say"))).await;
    assert_eq!(made.tool.spec.egress_class, EgressClass::None);
    let caller = caller();
    let change = |patch: Value| {
        let Value::Object(patch) = patch else { panic!("an object") };
        house.engine.registry().patch(&caller, "works", patch)
    };
    let execution = |tool: &str| json!({"kind": "composition", "steps": steps(tool)});
    let pushes = change(json!({"execution": execution("push")})).await.unwrap();
    assert_eq!(pushes.tool.spec.egress_class, EgressClass::Write);
    let says = change(json!({"execution": execution("say")})).await.unwrap();
    assert_eq!(says.tool.spec.egress_class, EgressClass::Write, "nobody said that it may be looser");
    let freed = change(json!({"egress_class": null})).await.unwrap();
    assert_eq!(freed.tool.spec.egress_class, EgressClass::None, "`null` takes back what was declared");
    let refused = change(json!({"execution": execution("push"), "side_effects": "reads"})).await.unwrap_err();
    assert!(refused.to_string().contains("`read_only` is looser than `write`"), "{refused}");
    let restored = house.engine.registry().restore(&caller, "works", "1.0.0").await.unwrap();
    assert_eq!(restored.tool.spec.egress_class, EgressClass::None);
    house.say("say", json!({"version": "2.0.0", "egress_class": "read_only"})).await;
    let restored = house.engine.registry().restore(&caller, "works", "1.0.0").await.unwrap();
    assert_eq!(restored.tool.spec.egress_class, EgressClass::ReadOnly, "its step reads by now");
}
