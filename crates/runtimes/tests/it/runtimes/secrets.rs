//! Which secrets a definition must declare.

use rstest::rstest;
use serde_json::{Value, json};

use crate::runtimes::common::{House, tool};

fn asking(auth: Value, secrets: Value) -> Value {
    let execution =
        json!({"kind": "http", "method": "GET", "url": "https://api.example.com/x", "auth": auth});
    let mut definition = tool("ask", execution);
    (definition["egress_class"], definition["secrets"]) = ("read_only".into(), secrets);
    definition
}

#[rstest]
#[case::bearer(json!({"type": "bearer", "secret": "KEY"}), json!([]), "secret", "KEY")]
#[case::header(json!({"type": "header", "name": "X-Key", "secret": "KEY"}), json!(["OTHER"]), "secret", "KEY")]
#[case::query(json!({"type": "query", "name": "key", "secret": "KEY"}), json!([]), "secret", "KEY")]
#[case::user(json!({"type": "basic", "username_secret": "USER", "password_secret": "WORD"}), json!(["WORD"]), "username_secret", "USER")]
#[case::password(json!({"type": "basic", "username": "me", "password_secret": "WORD"}), json!([]), "password_secret", "WORD")]
#[case::client(json!({"type": "oauth2_client_credentials", "token_url": "https://id.example.com/t", "client_id_secret": "ID", "client_secret": "WORD"}), json!(["WORD"]), "client_id_secret", "ID")]
#[case::client_secret(json!({"type": "oauth2_client_credentials", "token_url": "https://id.example.com/t", "client_id": "me", "client_secret": "WORD"}), json!([]), "client_secret", "WORD")]
#[tokio::test]
async fn a_secret_that_is_not_declared_is_found_when_the_tool_is_saved(
    #[case] auth: Value,
    #[case] declared: Value,
    #[case] key: &str,
    #[case] name: &str,
) {
    let house = House::new().await;
    let (at, message) = house.refusal(asking(auth.clone(), declared.clone())).await;
    assert_eq!(at, format!("/execution/auth/{key}"));
    assert!(message.contains(&format!("`{name}`")), "{message}");
    let mut all = declared.as_array().unwrap().clone();
    all.push(name.into());
    house.register(asking(auth, all.into())).await;
}
