//! No secret is in a bundle, whoever said it.

use serde_json::json;
use toolgate_agents::replay::Live;
use toolgate_engine::{SecretTarget, SecretValue};

use super::stage::{bundle_of, file_of, replayed};
use crate::run::common::{House, caller};

const SECRET: &str = "s3cr3t-0f-the-tool";

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_a_model_and_a_tool_say_of_a_secret_is_redacted_and_the_replay_holds() {
    let script = json!({"turns": [
        {"tool_calls": [
            {"name": "sign", "arguments": {"text": format!("with {SECRET}")}},
            // This one has no secrets of its own: its receipt has the value.
            {"name": "render_template", "arguments": {"template": format!("key={SECRET}")}},
        ]},
        {"text": format!("I used {SECRET}.")},
    ]});
    let house = House::new(&script.to_string()).await;
    house
        .define(json!({
            "name": "sign", "version": "1.0.0", "description": "signs", "secrets": ["SIGNING_KEY"],
            "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
            "execution": {"kind": "builtin", "handler": "hash_text"},
        }))
        .await;
    let (name, value) = ("SIGNING_KEY".parse().unwrap(), SecretValue::new(SECRET.to_owned()).unwrap());
    house.engine.secrets().set(&caller(), &name, &SecretTarget::Tenant, &value).await.unwrap();
    house.agent("helper", &["sign", "render_template"]).await;
    let envelope = house.run("helper", &format!("the key is {SECRET}")).await;
    let file = String::from_utf8(file_of(&house, envelope.invocation_id).await).unwrap();
    assert!(file.contains("SIGNING_KEY") && file.contains("I used"), "it is about the secret: {file}");
    assert!(!file.contains(SECRET), "{file}");
    let bundle = bundle_of(&house, envelope.invocation_id).await;
    assert_eq!(bundle.calls.len(), 2);
    let ids: Vec<String> = bundle.calls.iter().map(|call| call.call_id.clone()).collect();
    assert_eq!(bundle.ending.tool_order, ids);
    let report = replayed(bundle, Live::default()).await;
    assert_eq!(report.differences, []);
}
