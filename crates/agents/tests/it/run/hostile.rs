//! Runs whose model breaks every rule: the real loop and the real adapters, against a server that speaks each wire format.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::Barrier;
use toolgate_agents::{
    llm::{Api, Prices, ProviderConfig},
    run::Opened,
};
use toolgate_domain::{Envelope, ErrorCode, Tool, tool::Execution};
use toolgate_engine::{Halt, Output, RunContext, Runtime};

use crate::run::{
    common::House,
    host::{Host, OPEN_STREAM, Reply, json as json_reply, respond, sse},
    speaking::{Asks, answers, asks, cut_short, turn},
    world::{NoWait, config, model, opened},
};

/// A house whose agent asks a server of the test's own.
struct Scene {
    house: House,
    host: Host,
    pace: Arc<NoWait>,
    api: Api,
}

impl Scene {
    /// The server answers by the number of the question.
    async fn new(api: Api, answer: impl Fn(usize) -> Reply + Send + Sync + 'static) -> Self {
        Self::with(api, |_| {}, Vec::new(), answer).await
    }

    async fn with(
        api: Api,
        adjust: impl FnOnce(&mut ProviderConfig),
        runtimes: Vec<Arc<dyn Runtime>>,
        answer: impl Fn(usize) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let host = Host::start(answer).await;
        let mut config = config(api, &host);
        adjust(&mut config);
        let (provider, pace) = opened(&config);
        let opened = Opened { provider, model: model(api).to_owned(), prices: Prices::default() };
        let house = House::built(tempfile::tempdir().unwrap(), opened, Vec::new(), runtimes).await;
        Self { house, host, pace, api }
    }

    async fn run(&self) -> Envelope {
        self.house.agent("helper", &["calculate"]).await;
        self.house.run("helper", "go").await
    }

    /// What the model was told of its calls when it was asked this time.
    fn told(&self, question: usize) -> Vec<(String, String)> {
        answers(self.api, &self.host.asked()[question].json())
    }
}

/// The turns of a model, one for each question; the last one stays.
fn turns(api: Api, turns: Vec<(&str, Vec<Asks>)>) -> impl Fn(usize) -> Reply + Send + Sync + 'static {
    let streams: Vec<String> = turns.iter().map(|(text, calls)| turn(api, text, calls)).collect();
    move |number| sse(&streams[number.min(streams.len() - 1)])
}

fn sum(id: &str, expression: &str) -> Asks {
    asks(id, "calculate", json!({"expression": expression}))
}

/// The receipts of a run, in the order of its calls.
fn receipts(output: &Value) -> Vec<Value> {
    let order = output["tool_order"].as_array().unwrap().iter();
    order.map(|id| output["tools_by_id"][id.as_str().unwrap()].clone()).collect()
}

/// A tool that a runtime of the test's own runs.
fn tool(name: &str, kind: &str) -> Value {
    json!({
        "name": name, "version": "1.0.0", "description": "a test's own", "egress_class": "none",
        "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
        "execution": {"kind": kind},
    })
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_breaks_off_ends_the_run_with_an_error(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let scene = Scene::new(api, move |_| sse(cut_short(api, "hel"))).await;
    let error = scene.run().await.error.unwrap();
    assert_eq!(error.code, ErrorCode::ProviderError, "{error}");
    assert_eq!(scene.host.asked().len(), 1, "what was said cannot be taken back");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_are_not_json_and_tools_that_do_not_exist_are_told_to_the_model_and_the_run_goes_on(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let calls = vec![
        asks("a", "calculate", "{\"expression\": "),
        asks("b", "no_such_tool", "{}"),
        asks("c", "Böse/../\u{1}\u{202e}näme", "{}"),
        sum("d", "6*7"),
    ];
    let scene = Scene::new(api, turns(api, vec![("", calls), ("It is 42.", vec![])])).await;
    let output = scene.run().await.output.unwrap();
    assert_eq!(output["response"], "It is 42.");
    let receipts = receipts(&output);
    let codes: Vec<&Value> = receipts.iter().map(|receipt| &receipt["error"]["code"]).collect();
    let bad = json!("VALIDATION_ERROR");
    assert_eq!(codes, [&bad, &bad, &bad, &Value::Null]);
    let told = scene.told(1);
    assert_eq!(told.len(), 4);
    assert!(told[..3].iter().all(|(_, answer)| answer.contains("VALIDATION_ERROR")), "{told:?}");
    assert!(told[1].1.contains("unknown_tool") && told[3].1.contains("42"), "{told:?}");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn too_many_questions_then_an_answer_is_an_answer(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let good = turn(api, "hello", &[]);
    let scene = Scene::new(api, move |number| match number {
        0 => respond(429, &[("retry-after", "7")], ""),
        _ => sse(&good),
    })
    .await;
    assert_eq!(scene.run().await.output.unwrap()["response"], "hello");
    assert_eq!(*scene.pace.0.lock().unwrap(), [Duration::from_secs(7)], "it waits as it was told");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_always_fails_fails_the_run_after_a_few_tries(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let scene = Scene::new(api, |_| respond(500, &[], "oh no")).await;
    let error = scene.run().await.error.unwrap();
    assert_eq!((error.code, scene.host.asked().len()), (ErrorCode::ProviderError, 3), "{error}");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn silence_in_the_middle_of_an_answer_is_a_timeout(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let bytes = [OPEN_STREAM, cut_short(api, "hel").as_bytes()].concat();
    let short = |config: &mut ProviderConfig| config.idle_timeout_ms = 30;
    let scene = Scene::with(api, short, vec![], move |_| Reply::Hang(bytes.clone())).await;
    let error = scene.run().await.error.unwrap();
    assert_eq!(error.code, ErrorCode::Timeout, "{error}");
    // The line is given up as well: nothing is left hanging.
    scene.host.hung_up.notified().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn two_calls_of_one_id_are_both_made_and_answered_apart(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let twins = vec![sum("same", "1+1"), sum("same", "2+2")];
    // And the same id once more, a turn later.
    let scene =
        Scene::new(api, turns(api, vec![("", twins), ("", vec![sum("same", "3+3")]), ("done", vec![])]))
            .await;
    let output = scene.run().await.output.unwrap();
    let results: Vec<Value> =
        receipts(&output).iter().map(|receipt| receipt["output"]["result"].clone()).collect();
    assert_eq!(results, ["2", "4", "6"]);
    let told = scene.told(2);
    let ids: Vec<&str> = told.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["same", "same_2", "same_3"]);
    for ((_, answer), result) in told.iter().zip(["\"2\"", "\"4\"", "\"6\""]) {
        assert!(answer.contains(result), "{answer}");
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_200_with_an_error_in_it_is_an_error(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
    #[values(false, true)] is_stream: bool,
) {
    let body = json!({"error": {"message": "no such model"}});
    let scene = Scene::new(api, move |_| match is_stream {
        true => sse(format!("data: {body}\n\n")),
        false => json_reply(200, &body),
    })
    .await;
    let error = scene.run().await.error.unwrap();
    assert_eq!((error.code, scene.host.asked().len()), (ErrorCode::ProviderError, 1), "{error}");
    assert!(error.message.contains("no such model"), "{error}");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_calls_in_one_turn_are_bounded_and_every_one_is_answered(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let many: Vec<Asks> = (0..500).map(|n| sum(&format!("c{n}"), &format!("{n}+1"))).collect();
    let scene = Scene::new(api, turns(api, vec![("", many), ("enough", vec![])])).await;
    let output = scene.run().await.output.unwrap();
    assert_eq!(output["response"], "enough");
    let receipts = receipts(&output);
    let made = receipts.iter().filter(|receipt| receipt["error"].is_null()).count();
    assert_eq!((made, receipts.len()), (25, 200), "as many as a run makes, and as many as one call asks for");
    let told = scene.told(1);
    assert_eq!(told.len(), 500, "no call is left without an answer");
    assert_eq!(told.iter().filter(|(_, answer)| answer.contains("POLICY_DENIED")).count(), 475);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_with_nothing_in_it_ends_the_run(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let scene = Scene::new(api, turns(api, vec![("", vec![])])).await;
    let output = scene.run().await.output.unwrap();
    assert_eq!((&output["response"], &output["tool_order"]), (&json!(""), &json!([])));
    assert_eq!(scene.host.asked().len(), 1);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_ten_megabytes_goes_to_a_blob(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    // Responses say everything twice, and are read within their bound all the same.
    let megabytes = if api == Api::OpenAiResponses { 7 } else { 10 };
    let text = "ten chars ".repeat(megabytes * 1024 * 1024 / 10);
    let body = turn(api, &text, &[]);
    let scene = Scene::new(api, move |_| sse(&body)).await;
    let envelope = scene.run().await;
    assert_eq!(envelope.error, None);
    assert!(envelope.truncated);
    assert!(envelope.attachments[0].bytes.unwrap() >= text.len() as u64);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_in_many_words_streams_in_fewer_pieces() {
    let api = Api::OpenAiChat;
    let word =
        |n: usize| format!("data: {}\n\n", json!({"choices": [{"delta": {"content": format!("{n} ")}}]}));
    let body: String = (0..30_000).map(word).chain([turn(api, "end", &[])]).collect();
    let scene = Scene::new(api, move |_| sse(&body)).await;
    let output = scene.run().await.output.unwrap();
    let said = output["response"].as_str().unwrap();
    assert!(said.starts_with("0 1 2 ") && said.ends_with("29999 end"));
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn arguments_ten_thousand_deep_harm_nobody(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic)] api: Api,
) {
    let deep = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    let scene =
        Scene::new(api, turns(api, vec![("", vec![asks("a", "calculate", deep)]), ("sorry", vec![])])).await;
    let output = scene.run().await.output.unwrap();
    assert_eq!(output["response"], "sorry");
    assert_eq!(receipts(&output)[0]["error"]["code"], "VALIDATION_ERROR");
}

/// Where arguments are part of the event and not text in it, the event cannot be read.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_ten_thousand_deep_is_no_answer() {
    let deep = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    let body = format!(
        "data: {{\"candidates\": [{{\"content\": {{\"parts\": [{{\"functionCall\": {{\"name\": \"calculate\", \"args\": {deep}}}}}]}}}}]}}\n\n"
    );
    let scene = Scene::new(Api::Gemini, move |_| sse(&body)).await;
    let error = scene.run().await.error.unwrap();
    assert_eq!((error.code, scene.host.asked().len()), (ErrorCode::ProviderError, 3), "{error}");
}

/// Answers with as many bytes as it is asked for.
struct Verbose;

#[async_trait]
impl Runtime for Verbose {
    fn kind(&self) -> &'static str {
        "verbose"
    }

    fn check(&self, _execution: &Execution) -> Result<(), String> {
        Ok(())
    }

    async fn run(&self, _tool: Arc<Tool>, input: Value, _context: RunContext) -> Result<Output, Halt> {
        let bytes = usize::try_from(input["n"].as_u64().unwrap()).unwrap();
        Ok(json!({"text": "x".repeat(bytes)}).into())
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_large_result_is_cut_for_the_model_and_whole_in_the_receipt(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
    #[values(1, 5)] megabytes: usize,
) {
    let bytes = megabytes * 1024 * 1024;
    let calls = vec![asks("a", "talk", json!({"n": bytes}))];
    let answer = turns(api, vec![("", calls), ("long", vec![])]);
    let scene = Scene::with(api, |_| {}, vec![Arc::new(Verbose)], answer).await;
    scene.house.define(tool("talk", "verbose")).await;
    scene.house.agent("helper", &["talk"]).await;
    let envelope = scene.house.run("helper", "talk").await;
    let (_, told) = scene.told(1).remove(0);
    assert!(told.len() < 17_000, "{}", told.len());
    assert!(told.contains("(cut; the receipt has all of it)"));
    let output = envelope.output.unwrap();
    assert!(!envelope.truncated, "the outputs of a run are all there, whatever its tools said");
    assert_eq!((&output["response"], output["last_tool"].is_object()), (&json!("long"), true));
    let shown = &receipts(&output)[0];
    assert_eq!(shown["truncated"], true);
    let whole = scene.house.row(shown["invocation_id"].as_str().unwrap().parse().unwrap()).await;
    let whole = whole.envelope().unwrap();
    match megabytes {
        1 => assert_eq!(whole.output.unwrap()["text"].as_str().unwrap().len(), bytes),
        // More than an envelope holds is in its blob.
        _ => assert!(whole.attachments[0].bytes.unwrap() >= bytes as u64),
    }
}

/// Waits until as many calls are here as it was made for.
struct Meeting(Barrier);

#[async_trait]
impl Runtime for Meeting {
    fn kind(&self) -> &'static str {
        "meeting"
    }

    fn check(&self, _execution: &Execution) -> Result<(), String> {
        Ok(())
    }

    async fn run(&self, _tool: Arc<Tool>, _input: Value, _context: RunContext) -> Result<Output, Halt> {
        self.0.wait().await;
        Ok(json!({"met": true}).into())
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn the_calls_of_a_turn_run_at_the_same_time(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let eight = (0..8).map(|n| asks(&format!("c{n}"), "meet", json!({"n": n}))).collect();
    let answer = turns(api, vec![("", eight), ("all met", vec![])]);
    let scene = Scene::with(api, |_| {}, vec![Arc::new(Meeting(Barrier::new(8)))], answer).await;
    scene.house.define(tool("meet", "meeting")).await;
    scene.house.agent("helper", &["meet"]).await;
    // One after the other they would wait for ever.
    let output = scene.house.run("helper", "meet").await.output.unwrap();
    assert_eq!((&output["response"], receipts(&output).len()), (&json!("all met"), 8));
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_fails_again_and_again_is_stopped(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let scene = Scene::new(api, turns(api, vec![("", vec![sum("a", "1/0")])])).await;
    let error = scene.run().await.error.unwrap();
    assert_eq!(
        (error.code, error.details.unwrap()["reason"].clone()),
        (ErrorCode::PolicyDenied, json!("repeated_failure"))
    );
    assert_eq!(scene.host.asked().len(), 3, "twice it may fail, and the third time it is not made");
}
