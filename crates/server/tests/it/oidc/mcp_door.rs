//! Who gets through to `/mcp`, what the others are told, and whose a session is.

use reqwest::{Method, RequestBuilder, Response, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::{Caller, Scope, TenantId};

use crate::oidc::access_tokens::Trap;

const SESSION_ID: &str = "mcp-session-id";

fn request(trap: &Trap, method: Method) -> RequestBuilder {
    let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
    http.request(method, format!("{}/mcp", trap.house.url))
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-06-18")
}

fn initialize(trap: &Trap) -> RequestBuilder {
    request(trap, Method::POST).json(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    }}))
}

fn list_tools(trap: &Trap) -> RequestBuilder {
    request(trap, Method::POST).json(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}))
}

async fn key(trap: &Trap, scope: Scope) -> String {
    let admin = Caller::system(TenantId::DEFAULT, "default");
    trap.house.engine.keys().create(&admin, "test", &[scope], None).await.unwrap().secret
}

fn challenge(response: &Response) -> &str {
    response.headers()["www-authenticate"].to_str().unwrap()
}

#[tokio::test]
async fn a_client_without_a_token_is_told_where_to_get_one_and_then_it_gets_in() {
    let trap = Trap::new().await;
    let metadata =
        format!("resource_metadata=\"{}/.well-known/oauth-protected-resource/mcp\"", trap.house.url);
    let refused = initialize(&trap).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    let expected = format!("Bearer realm=\"toolgate\", scope=\"tools:read tools:execute\", {metadata}");
    assert_eq!(challenge(&refused), expected);

    for bad in [trap.token(json!({"aud": "https://other.example"})), "tg_0000".to_owned()] {
        let refused = initialize(&trap).bearer_auth(bad).send().await.unwrap();
        assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
        assert!(challenge(&refused).contains("error=\"invalid_token\""), "{}", challenge(&refused));
        assert!(challenge(&refused).contains(&metadata));
    }
    for narrow in [trap.token(json!({"scope": "openid"})), trap.token(json!({"scope": "agents:read"}))] {
        let refused = initialize(&trap).bearer_auth(narrow).send().await.unwrap();
        assert_eq!(refused.status(), StatusCode::FORBIDDEN);
        let expected = "error=\"insufficient_scope\", scope=\"tools:read tools:execute\"";
        assert!(challenge(&refused).contains(expected), "{}", challenge(&refused));
        assert!(challenge(&refused).contains(&metadata));
    }
    let answer = initialize(&trap).bearer_auth(trap.token(json!({}))).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let session = answer.headers()[SESSION_ID].to_str().unwrap().to_owned();
    let listed = list_tools(&trap).bearer_auth(trap.token(json!({}))).header(SESSION_ID, session);
    assert_eq!(listed.send().await.unwrap().status(), StatusCode::OK);
}

#[rstest]
#[case::no_browser(None, None, StatusCode::OK)]
#[case::our_own_page(None, Some("own"), StatusCode::OK)]
#[case::rebound(Some("rebound.example"), Some("http://rebound.example"), StatusCode::FORBIDDEN)]
#[case::rebound_without_a_page(Some("rebound.example"), None, StatusCode::FORBIDDEN)]
#[case::a_foreign_page(None, Some("http://rebound.example"), StatusCode::FORBIDDEN)]
#[case::a_page_from_nowhere(None, Some("null"), StatusCode::FORBIDDEN)]
#[tokio::test]
async fn a_page_of_another_site_does_not_get_through_whatever_it_brings(
    #[case] host: Option<&str>,
    #[case] origin: Option<&str>,
    #[case] expected: StatusCode,
) {
    let trap = Trap::new().await;
    let key = key(&trap, Scope::ToolsRead).await;
    let mut request = initialize(&trap).bearer_auth(key);
    if let Some(host) = host {
        request = request.header("host", host);
    }
    if let Some(origin) = origin {
        request = request.header("origin", origin.replace("own", &trap.house.url));
    }
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), expected);
    if expected == StatusCode::FORBIDDEN {
        assert!(answer.headers().get("www-authenticate").is_none(), "no token would help");
        let problem: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert_eq!(problem["code"], "FORBIDDEN");
    }
}

#[tokio::test]
async fn a_session_answers_its_owner_only() {
    let trap = Trap::new().await;
    let (mine, theirs) = (key(&trap, Scope::ToolsRead).await, key(&trap, Scope::Admin).await);
    let opened = initialize(&trap).bearer_auth(&mine).send().await.unwrap();
    let session = opened.headers()[SESSION_ID].to_str().unwrap().to_owned();
    let told = async |request: RequestBuilder, key: &str, session: &str| {
        let answer = request.bearer_auth(key).header(SESSION_ID, session).send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    };
    for method in [Method::POST, Method::GET, Method::DELETE] {
        let request = || match method {
            Method::POST => list_tools(&trap),
            _ => request(&trap, method.clone()),
        };
        let foreign = told(request(), &theirs, &session).await;
        let missing = told(request(), &theirs, "00000000-0000-4000-8000-000000000000").await;
        assert_eq!(foreign, missing, "{method}: somebody else's is as good as none");
        assert_eq!(foreign.0, StatusCode::NOT_FOUND, "{method}");
    }
    assert_eq!(told(list_tools(&trap), &mine, &session).await.0, StatusCode::OK);
    let ended = told(request(&trap, Method::DELETE), &mine, &session).await.0;
    assert!(ended.is_success(), "{ended}");
    assert_eq!(told(list_tools(&trap), &mine, &session).await.0, StatusCode::NOT_FOUND);
}
