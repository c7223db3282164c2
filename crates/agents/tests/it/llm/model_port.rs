//! Prompt tools over a provider.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::mpsc;
use toolgate_agents::llm::{Api, Price, Prices, ProviderModel, Scripted};
use toolgate_domain::{ErrorCode, TenantId};
use toolgate_engine::{Model, ModelMessage, ModelRequest, ModelRole};

use crate::llm::{
    host::{Host, json as json_reply, sse},
    support::provider,
};

fn question() -> ModelRequest {
    let message = |role, content: &str| ModelMessage { role, content: content.into() };
    ModelRequest {
        tenant_id: TenantId::from_uuid(uuid::Uuid::nil()),
        model: None,
        system: Some("terse".into()),
        messages: vec![
            message(ModelRole::User, "one?"),
            message(ModelRole::Assistant, "1"),
            message(ModelRole::User, "two?"),
        ],
        output_schema: None,
        max_output_tokens: Some(9),
        temperature: None,
    }
}

fn prices() -> Prices {
    Prices(
        [(
            "gpt-4o".to_owned(),
            Price { input: 1.0, cached_input: Some(0.5), cache_write: None, output: 2.0 },
        )]
        .into(),
    )
}

#[tokio::test]
async fn a_prompt_goes_to_the_default_model_and_its_cost_is_counted() {
    let host = Host::start(|_| {
        json_reply(200, json!({
            "model": "gpt-4o-2024-08-06",
            "choices": [{"message": {"content": "2"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1_000_000, "completion_tokens": 500_000, "prompt_tokens_details": {"cached_tokens": 500_000}},
        }))
    })
    .await;
    let model = ProviderModel::new(provider(Api::OpenAiChat, &host), "gpt-4o", prices());
    let reply = model.complete(question(), None).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.input_tokens, reply.output_tokens), ("2", 1_000_000, 500_000));
    assert_eq!(reply.cost_estimate, Some(0.5 + 0.25 + 1.0));
    assert_eq!((reply.cached_input_tokens, reply.self_reported_cost), (500_000, None));
    assert_eq!(reply.model.as_deref(), Some("gpt-4o-2024-08-06"), "who answered, not who was asked");
    assert!(reply.provider.is_some());
    let body = host.last().json();
    assert_eq!((&body["model"], &body["max_tokens"]), (&json!("gpt-4o"), &json!(9)));
    let roles: Vec<&str> =
        body["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
}

#[tokio::test]
async fn text_is_handed_on_as_it_comes() {
    let host = Host::start(|_| {
        sse("data: {\"choices\":[{\"delta\":{\"content\":\"tw\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"o\"},\"finish_reason\":\"stop\"}]}\n\n")
    })
    .await;
    let model = ProviderModel::new(provider(Api::OpenAiChat, &host), "small", prices());
    let (sender, mut receiver) = mpsc::channel(1);
    let listen = async {
        let mut texts = Vec::new();
        while let Some(text) = receiver.recv().await {
            texts.push(text);
        }
        texts
    };
    let (reply, texts) = tokio::join!(model.complete(question(), Some(sender)), listen);
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), reply.cost_estimate), ("two", None));
    assert_eq!(texts, ["tw", "o"]);
}

#[tokio::test]
async fn a_refusal_is_an_error() {
    let script =
        Arc::new(Scripted::parse("rules: [{replies: [{text: I will not, stop: refused}]}]").unwrap());
    let error =
        ProviderModel::new(script, "scripted", prices()).complete(question(), None).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ProviderError);
    assert_eq!(error.details.unwrap()["refusal"], "I will not");
}

#[tokio::test]
async fn a_script_says_itself_what_it_cost_and_how_it_fails() {
    let script = "rules: [{replies: [{text: a, cost_estimate: 0.25}, {error: {code: RATE_LIMIT, message: slow, retry_after_s: 4}}]}]";
    let model = ProviderModel::new(Arc::new(Scripted::parse(script).unwrap()), "scripted", prices());
    assert_eq!(model.complete(question(), None).await.unwrap().cost_estimate, Some(0.25));
    let error = model.complete(question(), None).await.unwrap_err();
    assert_eq!((error.code, error.retry_after_s), (ErrorCode::RateLimit, Some(4)));
}
