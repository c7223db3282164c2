//! Providers as they are configured.

use std::sync::Arc;

use rstest::rstest;
use serde_json::json;
use toolgate_agents::llm::{Api, ChatRequest, KeySource, Message, ProviderConfig, open};

use crate::llm::{
    host::{Host, json as json_reply},
    support::{KEY, NoWait, config, hello, opened, outside, said, streamed},
};

#[test]
fn a_name_and_a_format_are_enough() {
    let read: ProviderConfig =
        serde_json::from_value(json!({"name": "openai", "api": "openai_chat"})).unwrap();
    assert_eq!(read, ProviderConfig::new("openai", Api::OpenAiChat));
    assert_eq!((read.timeout_ms, read.idle_timeout_ms, read.max_retries), (600_000, 120_000, 2));
}

#[test]
fn a_whole_configuration_is_read_and_written() {
    let written = json!({
        "name": "local", "api": "anthropic", "base_url": "http://127.0.0.1:8091/v1", "api_key_env": "LOCAL_KEY", "stream": false,
        "timeout_ms": 1000, "idle_timeout_ms": 500, "max_retries": 1, "max_answer_bytes": 5000, "max_stream_events": 100,
        "headers": {"x-team": "blue"}, "models": ["small"],
        "prices": {"small": {"input": 1.0, "cached_input": 0.1, "output": 2.0}},
    });
    let read: ProviderConfig = serde_json::from_value(written.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), written);
}

#[rstest]
#[case(json!({"name": "x", "api": "openai_chat", "api_kye_env": "A"}))]
#[case(json!({"name": "x", "api": "openai"}))]
#[case(json!({"name": "x", "api": "gemini", "api_key": "sk-in-the-clear"}))]
fn what_is_not_known_is_refused(#[case] written: serde_json::Value) {
    serde_json::from_value::<ProviderConfig>(written).unwrap_err();
}

#[rstest]
#[case("ftp://example.com", "http or https")]
#[case("not an address", "not an address")]
#[case("https://user:hunter22@example.com/v1", "credentials")]
#[case("https://example.com/v1?key=hunter22", "query")]
#[tokio::test]
async fn an_address_that_cannot_be_is_refused_without_repeating_it(#[case] url: &str, #[case] reason: &str) {
    let config = ProviderConfig { base_url: Some(url.into()), ..ProviderConfig::new("x", Api::OpenAiChat) };
    let error = open(&config, None, &outside(&Arc::new(NoWait::default()))).err().unwrap();
    assert!(error.contains(reason) && !error.contains("hunter22"), "{error}");
}

#[test]
fn debug_shows_no_value_of_a_header() {
    let mut config = ProviderConfig::new("x", Api::OpenAiChat);
    config.headers.0.insert("api-key".into(), KEY.into());
    let shown = format!("{config:?}");
    assert!(shown.contains("api-key") && !shown.contains(KEY));
}

#[tokio::test]
async fn a_base_url_may_end_with_a_slash_and_have_a_path() {
    let host = Host::start(|_| json_reply(200, json!({"choices": [{"message": {"content": "hi"}}]}))).await;
    for path in ["", "/", "/openai/v1", "/openai/v1/"] {
        let base_url = Some(format!("http://{}{path}", host.address));
        let config = ProviderConfig { base_url, ..config(Api::OpenAiChat, &host) };
        opened(&config).0.chat(&hello(Api::OpenAiChat), None).await.unwrap();
        let expected = format!("POST {}/chat/completions HTTP/1.1", path.trim_end_matches('/'));
        assert_eq!(host.last().line, expected);
    }
}

#[tokio::test]
async fn without_a_key_none_is_sent() {
    let host = Host::start(|_| json_reply(200, json!({"choices": [{"message": {"content": "hi"}}]}))).await;
    let provider =
        open(&config(Api::OpenAiChat, &host), None, &outside(&Arc::new(NoWait::default()))).unwrap();
    let turn = provider.chat(&hello(Api::OpenAiChat), None).await.unwrap();
    assert_eq!(turn.text.as_deref(), Some("hi"));
    assert_eq!(host.last().header("authorization"), None);
    assert_eq!(provider.name(), "test");
}

#[test]
fn a_key_comes_from_a_file_or_is_the_tenants() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    std::fs::write(&path, format!("{KEY}\n")).unwrap();
    assert_eq!(KeySource::File(path).load().unwrap().expose(), KEY);
    assert!(KeySource::Secret("OPENAI".into()).load().unwrap_err().contains("tenant"));
    assert!(KeySource::Env("NO_SUCH_VARIABLE_HERE".into()).load().unwrap_err().contains("not set"));
}

#[tokio::test]
async fn a_script_is_a_provider_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("demo.yaml");
    std::fs::write(&script, "turns: [{text: hello}]").unwrap();
    let config = ProviderConfig { script: Some(script), ..ProviderConfig::new("demo", Api::Scripted) };
    let provider = open(&config, None, &outside(&Arc::new(NoWait::default()))).unwrap();
    let request = ChatRequest { messages: vec![Message::User("hi".into())], ..ChatRequest::default() };
    let turn = provider.chat(&request, None).await.unwrap();
    assert_eq!((provider.name(), turn.model.as_str()), ("demo", "scripted"));
    assert_eq!(turn.raw["scripted"], true);
}

#[tokio::test]
async fn a_server_that_cannot_stream_is_not_asked_to_and_is_heard_all_the_same() {
    let host = Host::start(|_| json_reply(200, json!({"choices": [{"message": {"content": "hi"}}]}))).await;
    let config = ProviderConfig { stream: false, ..config(Api::OpenAiChat, &host) };
    let (turn, deltas) = streamed(&opened(&config).0, &hello(Api::OpenAiChat)).await;
    assert_eq!((turn.unwrap().text.as_deref(), said(&deltas).as_str()), (Some("hi"), "hi"));
    assert_ne!(host.last().json()["stream"], true);
}
