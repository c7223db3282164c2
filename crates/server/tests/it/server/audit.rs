//! The audit trail over REST: read, proven, taken away.

use reqwest::{Method, StatusCode};
use serde_json::json;
use toolgate_domain::Scope;
use toolgate_engine::verify_file;

use crate::server::common::{House, definition, read};

#[tokio::test]
async fn changes_are_listed_newest_first_and_filtered() {
    let house = House::new().await;
    for name in ["one", "two", "three"] {
        let made = house.post("/api/keys", json!({"name": name, "scopes": ["tools:read"]})).await;
        assert_eq!(made.0, StatusCode::CREATED);
    }
    house.register(definition("greet", "render_template", json!({}))).await;
    let (_, page) = house.get("/api/audit?limit=2").await;
    assert_eq!(page["items"][0]["action"], "tool.register");
    assert_eq!(page["items"][0]["actor"].as_str().unwrap()[..4], *"key_");
    let cursor = page["next_cursor"].as_str().unwrap();
    let (_, rest) = house.get(&format!("/api/audit?action=key.&cursor={cursor}")).await;
    let names: Vec<_> =
        rest["items"].as_array().unwrap().iter().map(|event| event["after"]["name"].clone()).collect();
    assert_eq!(names, [json!("two"), json!("one"), json!("test")]);
    let target = page["items"][0]["target"].as_str().unwrap();
    let (_, found) = house.get(&format!("/api/audit?target={target}&actor=nobody")).await;
    assert_eq!((&found["items"], &found["next_cursor"]), (&json!([]), &json!(null)));
    assert_eq!(house.get("/api/audit?cursor=yesterday").await.0, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_change_is_found_by_its_moment_and_by_its_id() {
    let house = House::new().await;
    house.post("/api/keys", json!({"name": "one", "scopes": ["tools:read"]})).await;
    house.post("/api/keys", json!({"name": "two", "scopes": ["tools:read"]})).await;
    let (_, page) = house.get("/api/audit?action=key.create&limit=2").await;
    let (newest, older) = (&page["items"][0], &page["items"][1]);
    let (at, before) = (newest["at"].as_str().unwrap(), older["at"].as_str().unwrap());
    let named = |found: &serde_json::Value| -> Vec<_> {
        found["items"].as_array().unwrap().iter().map(|event| event["after"]["name"].clone()).collect()
    };
    let (_, since) = house.get(&format!("/api/audit?action=key.&since={at}")).await;
    assert_eq!(named(&since), [json!("two")]);
    let (_, between) = house.get(&format!("/api/audit?action=key.&since={before}&until={at}")).await;
    assert_eq!(named(&between), [json!("one")]);
    assert_eq!(house.get("/api/audit?since=yesterday").await.0, StatusCode::BAD_REQUEST);

    let (status, found) = house.get(&format!("/api/audit/{}", newest["id"].as_str().unwrap())).await;
    assert_eq!((status, &found), (StatusCode::OK, newest));
    let nobody = house.get("/api/audit/aud_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11").await;
    assert_eq!(nobody.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_trail_proves_itself_here_and_elsewhere() {
    let house = House::new().await;
    house.post("/api/tools/calculate/invoke", json!({"expression": "0.1+0.2"})).await;
    house.post("/api/tools/no_such_tool/invoke", json!({})).await;
    let key = house.key_with(&[Scope::AuditRead]).await;
    let ask = |path: &str| house.http.get(format!("{}{path}", house.url)).bearer_auth(&key).send();
    let (status, found) = read(ask("/api/audit/verify").await.unwrap()).await;
    assert_eq!((status, &found["ok"], &found["finding"]), (StatusCode::OK, &json!(true), &json!(null)));
    assert_eq!(found["receipts"], 2, "{found}");

    let export = ask("/api/audit/export").await.unwrap();
    assert_eq!(export.headers()["content-type"], "application/jsonl");
    let file = export.bytes().await.unwrap();
    let trusted = found["public_key"].as_str().unwrap().parse().unwrap();
    let offline = verify_file(&mut &*file, Some(trusted), &mut |_| ()).unwrap();
    assert_eq!((offline.ok, offline.totals.receipts), (true, 2), "{:?}", offline.finding);
    assert!(house.request(Method::POST, "/api/audit").send().await.unwrap().status().is_client_error());
}
