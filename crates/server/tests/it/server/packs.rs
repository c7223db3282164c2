//! Packs over REST.

use reqwest::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};

use crate::server::common::{Database, House, definition};

const GREET: &str = "---\nname: greet\nversion: 1.0.0\ndescription: Greets.\ninput_schema: {type: object}\nexecution:\n  kind: builtin\n  handler: render_template\n  arguments: {template: Hello, values: \"$input\"}\n---\n# Greet\n";

fn upload(version: &str, file: &str, dry_run: bool) -> Value {
    let manifest = format!(
        "name: kit\nversion: {version}\ntitle: Kit\ndescription: A kit.\nlicense: MIT\ntools: [greet]\n"
    );
    json!({"manifest": manifest, "files": {"greet/TOOL.md": file}, "dry_run": dry_run})
}

#[rstest]
#[case::embedded(Database::Sqlite)]
#[case::shared(Database::Postgres)]
#[tokio::test]
async fn a_pack_of_ones_own_is_tried_installed_upgraded_and_removed(#[case] database: Database) {
    let house = House::on(database).await;
    let (status, plan) = house.post("/api/packs", upload("1.0.0", GREET, true)).await;
    assert_eq!((status, &plan["change"]), (StatusCode::OK, &json!("install")), "{plan}");
    assert_eq!(plan["steps"][0]["does"], "register");
    assert_eq!(house.get("/api/tools/greet").await.0, StatusCode::NOT_FOUND);

    let (status, _) = house.post("/api/packs", upload("1.0.0", GREET, false)).await;
    assert_eq!(status, StatusCode::CREATED);
    let (_, called) = house.post("/api/tools/greet/invoke", json!({})).await;
    assert_eq!(called["output"]["text"], "Hello");
    let (status, same) = house.post("/api/packs", upload("1.0.0", GREET, false)).await;
    assert_eq!((status, &same["change"]), (StatusCode::OK, &json!("none")));
    let newer = GREET.replace("1.0.0", "1.1.0");
    let (status, upgraded) = house.post("/api/packs", upload("1.1.0", &newer, false)).await;
    assert_eq!((status, &upgraded["from"]), (StatusCode::CREATED, &json!("1.0.0")), "{upgraded}");
    let (_, packs) = house.get("/api/packs").await;
    assert_eq!(packs["items"][0]["tools"], json!([{"name": "greet", "version": "1.1.0"}]));

    // Another server on the same database knows the pack, and runs its tools.
    let house = house.restart().await;
    assert_eq!(house.get("/api/packs").await.1["items"][0]["version"], "1.1.0");
    let (_, called) = house.post("/api/tools/greet/invoke", json!({})).await;
    assert_eq!(
        (&called["output"]["text"], &called["version"]),
        (&json!("Hello"), &json!("1.1.0")),
        "{called}"
    );

    let (status, removed) = house.ask(&house.key, Method::DELETE, "/api/packs/kit", None).await;
    assert_eq!((status, &removed["state"]), (StatusCode::OK, &json!("removed")), "{removed}");
    let (status, _) = house.post("/api/tools/greet/invoke", json!({})).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (_, packs) = house.get("/api/packs").await;
    assert_eq!(packs["items"], json!([]));
}

#[tokio::test]
async fn a_refusal_names_every_place() {
    let house = House::new().await;
    let (status, problem) = house.post("/api/packs", upload("1.0.0", "no front matter", false)).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["errors"][0]["place"], "greet/TOOL.md", "{problem}");

    house.register(definition("greet", "wait", json!({}))).await;
    let (status, problem) = house.post("/api/packs", upload("1.0.0", GREET, false)).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("CONFLICT")));
    assert!(problem["errors"][0]["message"].as_str().unwrap().contains("the tenant's own"), "{problem}");

    for body in
        [json!({}), json!({"name": "analysis", "manifest": "x"}), json!({"name": "a", "files": {"a": "b"}})]
    {
        assert_eq!(house.post("/api/packs", body).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let (status, problem) = house.post("/api/packs", json!({"name": "../../etc"})).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(problem["detail"].as_str().unwrap().contains("analysis, commerce"), "{problem}");
}
