//! Conversations with agents over REST: threads, messages, answers that are neither lost nor doubled.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::{InvocationId, Message, MessageId, MessageRole, Scope, TenantId, Timestamp};

use crate::server::common::{Events, House, definition};

const ECHOES: &str = "rules:
  - {contains: announce, turn: 1, replies: [{tool_calls: [{name: announce, arguments: {ms: 1}}]}]}
  - {after_tool: announce, replies: [{text: announced}]}
  - {contains: first, replies: [{deltas: [to the, ' first']}]}
  - {contains: again, replies: [{text: one}, {text: two}]}
  - {contains: second, replies: [{text: to the second}]}
  - {contains: break, replies: [{error: {code: PROVIDER_ERROR, message: broken}}]}
";

struct Room {
    house: House,
    thread: String,
}

impl Room {
    async fn new() -> Self {
        let house = House::with_script(ECHOES).await;
        house.register(definition("announce", "wait", json!({"egress_class": "write"}))).await;
        let agent = json!({"handle": "helper", "display_name": "helper", "custom_tools": ["announce"]});
        house.post("/api/agents", agent).await;
        let (status, thread) = house.post("/api/threads", json!({"agent": "helper", "title": "T"})).await;
        assert_eq!(status, StatusCode::CREATED, "{thread}");
        Self { thread: thread["id"].as_str().unwrap().to_owned(), house }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/threads/{}{rest}", self.thread)
    }

    async fn say(&self, content: &str) -> (StatusCode, Value) {
        self.house.post(&self.path("/messages"), json!({"content": content})).await
    }

    /// Says something, and waits for the answer.
    async fn ask(&self, content: &str) -> Value {
        let (status, said) = self.say(content).await;
        assert_eq!(status, StatusCode::ACCEPTED, "{said}");
        self.ended(&said).await;
        said
    }

    async fn ended(&self, said: &Value) -> Value {
        self.house.ended(said["run_id"].as_str().unwrap().trim_start_matches("run_")).await
    }

    async fn messages(&self, query: &str) -> Vec<Value> {
        let (status, page) = self.house.get(&self.path(&format!("/messages{query}"))).await;
        assert_eq!(status, StatusCode::OK, "{page}");
        page["items"].as_array().unwrap().clone()
    }

    /// What stands in the conversation.
    async fn contents(&self, query: &str) -> Vec<String> {
        let messages = self.messages(query).await;
        messages.iter().map(|message| message["content"].as_str().unwrap_or("-").to_owned()).collect()
    }
}

#[tokio::test]
async fn what_is_said_is_answered_and_the_next_run_knows_it() {
    let room = Room::new().await;
    let first = room.ask("the first").await;
    assert_eq!(first["message"]["role"], "user");
    room.ask("the second").await;
    assert_eq!(room.contents("").await, ["the first", "to the first", "the second", "to the second"]);
    let messages = room.messages("").await;
    assert_eq!(
        (&messages[1]["role"], &messages[1]["status"], &messages[1]["run_id"]),
        (&json!("assistant"), &json!("completed"), &first["run_id"])
    );
    let (_, run) = room.house.get(&format!("/api/runs/{}", messages[3]["run_id"].as_str().unwrap())).await;
    let (_, thread) = room.house.get(&room.path("")).await;
    assert_eq!(run["session_id"], thread["session_id"]);
    let (_, steps) = room.house.get(&format!("/api/runs/{}/steps", run["id"].as_str().unwrap())).await;
    let history = steps["items"][0]["body"]["history"].to_string();
    assert!(history.contains("the first") && history.contains("to the first"), "{history}");
    let (_, page) = room.house.get(&room.path("/messages?limit=3")).await;
    let cursor = page["next_cursor"].as_str().unwrap();
    assert_eq!(room.contents(&format!("?cursor={cursor}")).await, ["to the second"]);
}

#[tokio::test]
async fn an_answer_is_there_once_whoever_reads_it_and_after_a_restart() {
    let room = Room::new().await;
    let said = room.ask("the first").await;
    let beside = room.house.beside().await;
    let (_, page) = beside.ask(&room.house.key, Method::GET, &room.path("/messages"), None).await;
    assert_eq!(page["items"].as_array().unwrap().len(), 2);
    beside.stop().await;
    let room = Room { house: room.house.restart().await, thread: room.thread };
    let (_, run) = room.house.get(&format!("/api/runs/{}", said["run_id"].as_str().unwrap())).await;
    assert_eq!(run["response"], "to the first");
    let (_, events) = room.house.get(&format!("/api/threads/{}/messages", room.thread)).await;
    // The key after a restart is another's, who may read all threads and write to none of them.
    assert_eq!(events["items"][1]["content"], "to the first");
    let (status, _) = room.say("the second").await;
    assert_eq!(status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn an_answer_streams_and_the_thread_can_be_followed_from_anywhere() {
    let room = Room::new().await;
    let request = room
        .house
        .request(Method::POST, &room.path("/messages"))
        .header("accept", "text/event-stream")
        .json(&json!({"content": "the first"}));
    let mut events = Events::new(request.send().await.unwrap());
    let mut live = Vec::new();
    while let Some(event) = events.next().await {
        live.push(event);
    }
    let text: String = live
        .iter()
        .filter(|(kind, ..)| kind == "text.delta")
        .map(|(.., event)| event["data"]["text"].as_str().unwrap())
        .collect();
    assert_eq!((text.as_str(), live.last().unwrap().0.as_str()), ("to the first", "run.finished"));

    room.ask("the second").await;
    let follow = room
        .house
        .request(Method::GET, &room.path("/events"))
        .header("accept", "text/event-stream")
        .header("last-event-id", &live[1].1);
    let mut events = Events::new(follow.send().await.unwrap());
    for expected in &live[2..] {
        assert_eq!(events.next().await.as_ref(), Some(expected), "the first run goes on where it broke");
    }
    let (kind, _, begun) = events.next().await.unwrap();
    assert_eq!((kind.as_str(), &begun["data"]["message"]), ("run.started", &json!("the second")));
    let run = live[0].2["run_id"].as_str().unwrap();
    let (_, page) = room.house.get(&room.path(&format!("/events?run={run}"))).await;
    assert_eq!(page["items"].as_array().unwrap().len(), live.len());
    let other = "/events?run=run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11";
    assert_eq!(room.house.get(&room.path(other)).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_thread_has_one_run_at_a_time_also_when_two_speak_at_once() {
    let room = Room::new().await;
    let (_, said) = room.say("announce it").await;
    // It waits for a person, and so does whoever wants to say more.
    let (status, busy) = room.say("the second").await;
    assert_eq!((status, &busy["code"]), (StatusCode::CONFLICT, &json!("CONFLICT")), "{busy}");
    assert_eq!(busy["run_id"], said["run_id"]);
    let run = said["run_id"].as_str().unwrap();
    let (_, cancelled) = room.house.post(&format!("/api/runs/{run}/cancel"), json!({})).await;
    assert_eq!(cancelled["status"], "cancelled");
    let messages = room.messages("").await;
    assert_eq!((messages.len(), &messages[1]["status"]), (2, &json!("cancelled")));

    let both = tokio::join!(room.say("the first"), room.say("the first"));
    let mut statuses = [both.0.0, both.1.0];
    statuses.sort();
    let accepted = if both.0.0 == StatusCode::ACCEPTED { &both.0.1 } else { &both.1.1 };
    room.ended(accepted).await;
    if statuses[1] == StatusCode::CONFLICT {
        assert_eq!((statuses[0], room.messages("").await.len()), (StatusCode::ACCEPTED, 4));
    } else {
        assert_eq!(room.messages("").await.len(), 6, "one after the other");
    }
}

#[tokio::test]
async fn an_answer_that_waits_for_a_person_comes_when_they_agree() {
    let room = Room::new().await;
    let (_, said) = room.say("announce it").await;
    let mut ledger = room.house.engine.stores().signals.ledger();
    let waits = loop {
        ledger.mark_unchanged();
        let messages = room.messages("").await;
        if let Some(id) = messages[1]["waiting_for"][0].as_str() {
            break id.to_owned();
        }
        ledger.changed().await.unwrap();
    };
    let approver = room.house.key_with(&[Scope::ApprovalsDecide]).await;
    room.house
        .ask(&approver, Method::POST, &format!("/api/invocations/{waits}/approve"), Some(json!({})))
        .await;
    room.ended(&said).await;
    assert_eq!(room.contents("").await, ["announce it", "announced"]);
}

#[tokio::test]
async fn a_failed_answer_says_why_and_a_retry_drops_it_from_the_conversation_only() {
    let room = Room::new().await;
    room.ask("the first").await;
    let asked = room.ask("again").await;
    room.ask("break it").await;
    let failed = &room.messages("").await[5];
    assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!("PROVIDER_ERROR")));
    assert_eq!(room.contents("").await, ["the first", "to the first", "again", "one", "break it", "-"]);

    let (status, retried) =
        room.house.post(&room.path("/retry"), json!({"message_id": asked["message"]["id"]})).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{retried}");
    room.ended(&retried).await;
    assert_eq!(room.contents("").await, ["the first", "to the first", "again", "two"]);
    let all = room.messages("?dropped=true").await;
    assert_eq!((all.len(), all[2]["dropped_at"].is_string(), &all[3]["content"]), (8, true, &json!("one")));
    let (_, run) = room.house.get(&format!("/api/runs/{}/steps", retried["run_id"].as_str().unwrap())).await;
    let history = run["items"][0]["body"]["history"].to_string();
    assert!(history.contains("to the first") && !history.contains("break"), "{history}");

    let answer = room.messages("").await[3]["id"].clone();
    let (status, again) = room.house.post(&room.path("/retry"), json!({"message_id": answer})).await;
    assert_eq!(status, StatusCode::ACCEPTED, "by the answer: {again}");
    room.ended(&again).await;
    assert_eq!(room.contents("").await.len(), 4);
    let gone = json!({"message_id": asked["message"]["id"]});
    assert_eq!(room.house.post(&room.path("/retry"), gone).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_message_holds_the_thread_until_its_run_begins_under_the_id_that_was_written_down() {
    let room = Room::new().await;
    let engine = &room.house.engine;
    let caller = engine.keys().authenticate(&room.house.key).await.unwrap().unwrap();
    let thread = room.thread.parse().unwrap();
    // As if the process had died between the message and its run.
    let spoken =
        engine.say(&caller, thread, "the first".into(), None, toolgate_domain::Surface::Rest).await.unwrap();
    let (status, busy) = room.say("the second").await;
    assert_eq!(
        (status, &busy["run_id"]),
        (StatusCode::CONFLICT, &json!(spoken.run_id)),
        "it may still begin"
    );
    assert_eq!(room.messages("").await[1]["status"], "running");
    let id = InvocationId::from_uuid(spoken.run_id.uuid());
    engine.invoke(spoken.call).await.unwrap();
    room.house.ended(&id.to_string()).await;
    assert_eq!(
        room.contents("").await,
        ["the first", "to the first"],
        "the run has the id that was written down"
    );
}

#[tokio::test]
async fn a_message_that_a_dead_server_left_does_not_block_the_thread_for_ever() {
    let room = Room::new().await;
    let (thread, run_id) =
        (room.thread.parse().unwrap(), "019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11".parse().unwrap());
    let left = |seq, role, content: Option<&str>| Message {
        id: MessageId::from_uuid(uuid(seq)),
        tenant_id: TenantId::DEFAULT,
        thread_id: thread,
        seq,
        role,
        content: content.map(str::to_owned),
        run_id,
        created_at: Timestamp::EPOCH,
        dropped_at: None,
    };
    let left = [left(1, MessageRole::User, Some("the first")), left(2, MessageRole::Assistant, None)];
    let threads = &room.house.engine.stores().threads;
    threads.add_messages(TenantId::DEFAULT, thread, &left, None, Timestamp::EPOCH).await.unwrap();
    let messages = room.messages("").await;
    assert_eq!(
        (&messages[1]["status"], &messages[1]["error"]["code"]),
        (&json!("failed"), &json!("UNKNOWN"))
    );
    let (status, retried) =
        room.house.post(&room.path("/retry"), json!({"message_id": messages[0]["id"]})).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{retried}");
    room.ended(&retried).await;
    assert_eq!(room.contents("").await, ["the first", "to the first"]);
}

fn uuid(number: u64) -> toolgate_domain::ids::Uuid {
    toolgate_domain::ids::Uuid::from_u64_pair(7, number)
}

#[tokio::test]
async fn a_thread_is_its_owners() {
    let room = Room::new().await;
    room.ask("the first").await;
    let stranger = room.house.key_with(&[Scope::ToolsExecute]).await;
    let auditor = room.house.key_with(&[Scope::ToolsExecute, Scope::InvocationsRead]).await;
    let message = room.messages("").await[0]["id"].clone();
    let writes = [
        (Method::PATCH, "", json!({"title": "x"})),
        (Method::DELETE, "", json!({})),
        (Method::POST, "/messages", json!({"content": "x"})),
        (Method::POST, "/retry", json!({"message_id": message})),
    ];
    for (key, expected) in [(&stranger, StatusCode::NOT_FOUND), (&auditor, StatusCode::FORBIDDEN)] {
        for (method, rest, body) in &writes {
            let (status, _) = room.house.ask(key, method.clone(), &room.path(rest), Some(body.clone())).await;
            assert_eq!(status, expected, "{method} {rest}");
        }
    }
    for (key, expected) in [(&stranger, StatusCode::NOT_FOUND), (&auditor, StatusCode::OK)] {
        for rest in ["", "/messages", "/events"] {
            let (status, _) = room.house.ask(key, Method::GET, &room.path(rest), None).await;
            assert_eq!(status, expected, "{rest}");
        }
        let (_, list) = room.house.ask(key, Method::GET, "/api/threads", None).await;
        assert_eq!(list["items"], json!([]), "a list is of one's own");
    }
}

#[tokio::test]
async fn an_archived_thread_takes_no_messages_until_it_is_opened_again() {
    let room = Room::new().await;
    let (status, gone) = room.house.ask(&room.house.key, Method::DELETE, &room.path(""), None).await;
    assert_eq!((status, gone["archived_at"].is_string()), (StatusCode::OK, true));
    assert_eq!(room.house.get("/api/threads").await.1["items"], json!([]));
    assert_eq!(room.house.get("/api/threads?archived=true").await.1["items"][0]["id"], gone["id"]);
    assert_eq!(room.say("the first").await.0, StatusCode::CONFLICT);
    let opened = json!({"archived": false, "title": "New"});
    let (_, thread) = room.house.ask(&room.house.key, Method::PATCH, &room.path(""), Some(opened)).await;
    assert_eq!((&thread["title"], &thread["archived_at"]), (&json!("New"), &Value::Null));
    room.ask("the first").await;
    for bad in
        [json!({"content": ""}), json!({"content": "a\u{0}b"}), json!({"content": "x".repeat(100_001)})]
    {
        let (status, _) = room.house.post(&room.path("/messages"), bad).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let long = json!({"title": "x".repeat(201)});
    let (status, _) = room.house.ask(&room.house.key, Method::PATCH, &room.path(""), Some(long)).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let (status, _) = room.house.post("/api/threads", json!({"agent": "nobody"})).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}
