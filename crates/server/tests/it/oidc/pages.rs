//! Pages in a browser that call `/mcp`: those of sites that the operator named, and no others.

use reqwest::{Method, Response, StatusCode, header::HeaderMap};
use rstest::rstest;
use serde_json::json;
use toolgate_domain::{Caller, Scope, TenantId};
use toolgate_server::ServerOptions;

use crate::oidc::house::Serving;

const STUDIO: &str = "https://studio.example";
const FOREIGN: &str = "https://foreign.example";
const PUBLIC: &str = "https://tools.example";

async fn serving() -> Serving {
    let (listener, _) = Serving::listen().await;
    let options = ServerOptions {
        public_url: Some(PUBLIC.to_owned()),
        mcp_allowed_origins: vec![STUDIO.to_owned()],
        ..ServerOptions::default()
    };
    Serving::open(listener, options).await
}

async fn ask(house: &Serving, method: Method, headers: &[(&str, &str)]) -> Response {
    let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
    let mut request = http.request(method.clone(), format!("{}/mcp", house.url));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    if method == Method::POST {
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "page", "version": "1"},
        });
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        request = request.header("accept", "application/json, text/event-stream").json(&body);
    }
    request.send().await.unwrap()
}

fn said<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap())
}

fn exposes(headers: &HeaderMap, name: &str) -> bool {
    said(headers, "access-control-expose-headers").unwrap().split(", ").any(|exposed| exposed == name)
}

#[tokio::test]
async fn a_browser_is_told_that_a_page_of_a_named_site_may_ask() {
    let house = serving().await;
    let wanted = "authorization,content-type,mcp-protocol-version,mcp-session-id";
    let asked = [
        ("origin", STUDIO),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", wanted),
    ];
    let answer = ask(&house, Method::OPTIONS, &asked).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT, "without a key: a browser sends none here");
    let headers = answer.headers();
    assert_eq!(said(headers, "access-control-allow-origin"), Some(STUDIO));
    assert_eq!(said(headers, "access-control-allow-headers"), Some(wanted));
    assert_eq!(said(headers, "access-control-allow-methods"), Some("GET, POST, DELETE"));
    assert_eq!(said(headers, "vary"), Some("origin"));
    assert_eq!(said(headers, "access-control-allow-credentials"), None, "no cookie comes with it");
}

#[rstest]
#[case::another_site(FOREIGN)]
#[case::nowhere("null")]
#[case::the_named_site_without_tls("http://studio.example")]
#[tokio::test]
async fn a_page_of_any_other_site_is_told_nothing(#[case] origin: &str) {
    let house = serving().await;
    let asked = [("origin", origin), ("access-control-request-method", "POST")];
    for method in [Method::OPTIONS, Method::POST, Method::GET] {
        let answer = ask(&house, method, &asked).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN);
        assert!(answer.headers().keys().all(|name| !name.as_str().starts_with("access-control-")));
    }
}

#[tokio::test]
async fn a_page_reads_its_session_and_how_it_is_refused() {
    let house = serving().await;
    let refused = ask(&house, Method::POST, &[("origin", STUDIO)]).await;
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(said(refused.headers(), "access-control-allow-origin"), Some(STUDIO));
    assert!(refused.headers().contains_key("www-authenticate"));
    assert!(exposes(refused.headers(), "www-authenticate"));

    let admin = Caller::system(TenantId::DEFAULT, "default");
    let key = house.engine.keys().create(&admin, "page", &[Scope::ToolsRead], None).await.unwrap();
    let bearer = format!("Bearer {}", key.secret);
    let answer = ask(&house, Method::POST, &[("origin", STUDIO), ("authorization", &bearer)]).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(answer.headers().contains_key("mcp-session-id"));
    assert!(exposes(answer.headers(), "mcp-session-id"));
    assert_eq!(said(answer.headers(), "access-control-allow-origin"), Some(STUDIO));
}

#[tokio::test]
async fn a_program_is_told_nothing_of_pages() {
    let house = serving().await;
    let answer = ask(&house, Method::POST, &[]).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    assert!(answer.headers().keys().all(|name| !name.as_str().starts_with("access-control-")));
}
