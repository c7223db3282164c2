//! Finding what was called.

use reqwest::{Method, StatusCode};
use serde_json::json;
use toolgate_domain::Limits;

use crate::server::common::{Events, House, definition, read};

#[tokio::test]
async fn invocations_are_listed_newest_first_and_filtered() {
    let house = House::new().await;
    for n in 0..12 {
        house.post("/api/tools/calculate/invoke", json!({"expression": format!("{n}+1")})).await;
    }
    house.post("/api/tools/calculate/invoke", json!({})).await;
    house.post("/api/tools/hash_text/invoke", json!({"text": "x"})).await;
    let (_, page) = house.get("/api/invocations?limit=5").await;
    assert_eq!(page["items"][0]["tool_name"], "hash_text");
    let (_, next) = house
        .get(&format!("/api/invocations?limit=200&cursor={}", page["next_cursor"].as_str().unwrap()))
        .await;
    assert_eq!(next["items"].as_array().unwrap().len(), 9);
    let (_, failed) = house.get("/api/invocations?status=failed&tool=calculate").await;
    assert_eq!(failed["items"].as_array().unwrap().len(), 1);
    let since = page["items"][0]["created_at"].as_str().unwrap();
    let (_, late) = house.get(&format!("/api/invocations?since={since}")).await;
    assert_eq!(late["items"].as_array().unwrap().len(), 1);
    let bare = page["items"][0]["id"].as_str().unwrap().trim_start_matches("inv_").to_owned();
    assert_eq!(
        house.get(&format!("/api/invocations/{bare}")).await.0,
        StatusCode::OK,
        "a bare UUID is an id too"
    );
}

#[tokio::test]
async fn a_brief_list_leaves_out_what_is_long() {
    let house = House::new().await;
    house.post("/api/tools/hash_text/invoke", json!({"text": "x".repeat(5_000)})).await;
    house.post("/api/tools/hash_text/invoke", json!({"text": "short"})).await;
    let (_, page) = house.get("/api/invocations?brief=true").await;
    let [short, long] = [0, 1].map(|n| page["items"][n].clone());
    assert_eq!((&short["input"]["text"], &long["input"]), (&json!("short"), &json!(null)));
    for row in [short, long] {
        assert_eq!((&row["output"], &row["status"]), (&json!(null), &json!("completed")));
        assert_eq!(row["decision"]["evidence"], json!([]));
        let (_, whole) = house.get(&format!("/api/invocations/{}", row["id"].as_str().unwrap())).await;
        assert!(whole["output"].is_object() && whole["decision"]["evidence"] != json!([]), "{whole}");
    }
}

#[tokio::test]
async fn whoever_reads_records_learns_the_names_in_them_and_no_more() {
    let house = House::new().await;
    let new = json!({"email": "max@example.org", "name": "Max Member", "roles": ["member"]});
    let (_, user) = house.post("/api/users", new).await;
    let (_, agent) = house.post("/api/agents", json!({"handle": "ada", "display_name": "Ada"})).await;
    let (_, key) = house.post("/api/keys", json!({"name": "nightly", "scopes": ["tools:read"]})).await;
    let ids = [&user, &agent, &key].map(|made| made["id"].as_str().unwrap().to_owned());
    let reader = house.key_with(&[toolgate_domain::Scope::InvocationsRead]).await;
    let ask = |ids: String| {
        let request = house.http.get(format!("{}/api/principals?ids={ids}", house.url)).bearer_auth(&reader);
        async { read(request.send().await.unwrap()).await }
    };
    let (status, found) = ask(format!("{},system,nobody,usr_1", ids.join(","))).await;
    let expected = json!([
        {"id": ids[0], "kind": "user", "name": "Max Member"},
        {"id": ids[1], "kind": "agent", "name": "Ada"},
        {"id": ids[2], "kind": "key", "name": "nightly"},
        {"id": "system", "kind": "system", "name": "Toolgate"},
    ]);
    assert_eq!((status, &found["items"]), (StatusCode::OK, &expected));
    let (_, tenant) = house.post("/api/tenants", json!({"slug": "other", "name": "Other"})).await;
    let theirs = house.http.get(format!("{}/api/principals?ids={}", house.url, ids.join(",")));
    let asked = theirs.bearer_auth(tenant["admin_key"].as_str().unwrap()).send().await.unwrap();
    assert_eq!(read(asked).await.1["items"], json!([]), "names do not cross the wall");
    assert_eq!(ask(vec!["system"; 101].join(",")).await.0, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_session_is_read_followed_and_resumed() {
    let house = House::new().await;
    let session = "ses_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11";
    let path = format!("/api/sessions/{session}/events");
    let call = |n: u32| {
        let body = json!({"input": {"expression": format!("{n}+1")}, "session_id": session});
        async { house.post("/api/tools/calculate/invoke", body).await }
    };
    call(1).await;
    let (_, list) = house.get(&path).await;
    let kinds: Vec<_> =
        list["items"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["tool.started", "tool.completed"]);
    assert_eq!(list["items"][0]["data"]["input"]["expression"], "1+1");
    assert_eq!(list["items"][1]["data"]["output"]["result"], "2");

    let follow = |last: Option<String>| {
        let mut request = house.request(Method::GET, &path).header("accept", "text/event-stream");
        if let Some(id) = last {
            request = request.header("last-event-id", id);
        }
        async { Events::new(request.send().await.unwrap()) }
    };
    let mut live = follow(None).await;
    let (kind, first_id, _) = live.next().await.unwrap();
    assert_eq!(kind, "tool.started");
    live.next().await.unwrap();
    call(2).await;
    let (kind, _, event) = live.next().await.unwrap();
    assert_eq!((kind.as_str(), &event["data"]["input"]["expression"]), ("tool.started", &json!("2+1")));
    drop(live);
    let mut resumed = follow(Some(first_id)).await;
    let (kind, _, event) = resumed.next().await.unwrap();
    assert_eq!(
        (kind.as_str(), &event["data"]["output"]["result"]),
        ("tool.completed", &json!("2")),
        "it goes on where it broke"
    );
}

#[tokio::test]
async fn the_tenants_stream_begins_with_the_present_and_says_where_that_is() {
    let house = House::new().await;
    house.post("/api/tools/calculate/invoke", json!({"expression": "1+1"})).await;
    let mut live = Events::new(
        house.request(Method::GET, "/api/events").header("accept", "text/event-stream").send().await.unwrap(),
    );
    let (_, list) = house.get("/api/events").await;
    house.post("/api/tools/hash_text/invoke", json!({"text": "x"})).await;
    assert_eq!(live.next().await.unwrap().2["data"]["name"], "hash_text");
    let present = list["next_after"].to_string();
    assert_eq!(live.began_at.as_deref(), Some(present.as_str()), "a client can resume from there");
}

#[tokio::test]
async fn a_big_output_is_read_through_its_signed_address() {
    let house =
        House::with(Limits { max_output_bytes: 2_000, max_preview_bytes: 200, ..Limits::default() }).await;
    let text = "y".repeat(50_000);
    house.register(definition("copy", "render_template", json!({
        "execution": {"kind": "builtin", "handler": "render_template", "arguments": {"template": "{{ text }}", "values": "$input"}},
    }))).await;
    let (status, envelope) = house.post("/api/tools/copy/invoke", json!({"text": text})).await;
    assert_eq!((status, &envelope["truncated"]), (StatusCode::OK, &json!(true)), "{envelope}");
    let url = envelope["attachments"][0]["url"].as_str().unwrap();
    let full = read(house.http.get(format!("{}{url}", house.url)).send().await.unwrap()).await;
    assert_eq!((full.0, &full.1["text"]), (StatusCode::OK, &json!(text)), "no key is needed");
    let forged = url.replace("signature=", "signature=0");
    assert_eq!(
        read(house.http.get(format!("{}{forged}", house.url)).send().await.unwrap()).await.0,
        StatusCode::FORBIDDEN
    );
    let (bare, _) = url.split_once('?').unwrap();
    assert_eq!(
        house.http.get(format!("{}{bare}", house.url)).send().await.unwrap().status(),
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(house.get(bare).await.0, StatusCode::OK, "a key opens it too");
}
