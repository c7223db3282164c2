//! The web application's files are everybody's; what its pages show is not. And what every answer tells a browser.

use reqwest::{Method, Response, StatusCode, header};
use rstest::rstest;

use crate::server::common::{House, read};

async fn browse(house: &House, method: Method, path: &str) -> Response {
    let request = house.http.request(method, format!("{}{path}", house.url));
    request.header(header::ACCEPT, "text/html,*/*;q=0.8").send().await.unwrap()
}

fn header_of<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn pages_are_public_and_data_is_not() {
    let house = House::new().await;
    for path in
        ["/", "/sign-in", "/tools", "/tools/calculate", "/runs/run_1", "/admin/tools", "/operate/audit"]
    {
        let page = browse(&house, Method::GET, path).await;
        assert_eq!(page.status(), StatusCode::OK, "{path}");
        assert_eq!(header_of(&page, "content-type"), "text/html; charset=utf-8", "{path}");
        assert!(page.text().await.unwrap().contains("<title>"), "{path}");
    }
    for path in ["/api/tools", "/docs", "/openapi.json", "/metrics", "/runs/run_1/trace", "/mcp"] {
        assert_eq!(browse(&house, Method::GET, path).await.status(), StatusCode::UNAUTHORIZED, "{path}");
    }
    for path in ["/api", "/api/nothing", "/mcp/nothing", "/docs/nothing", "/assets/nothing.js"] {
        let (status, problem) = read(browse(&house, Method::GET, path).await).await;
        assert_eq!((status, &problem["code"]), (StatusCode::NOT_FOUND, &"NOT_FOUND".into()), "{path}");
    }
}

#[tokio::test]
async fn the_head_of_a_page_is_that_of_the_page() {
    let house = House::new().await;
    let (page, head) =
        (browse(&house, Method::GET, "/tools").await, browse(&house, Method::HEAD, "/tools").await);
    assert_eq!(head.status(), StatusCode::OK);
    for name in ["content-type", "content-length", "cache-control", "etag", "content-security-policy"] {
        assert_eq!(header_of(&head, name), header_of(&page, name), "{name}");
    }
    assert!(head.bytes().await.unwrap().is_empty());
}

/// Paths of each sort: a page, data, a refusal, a server's own page.
#[rstest]
#[case::x_content_type_options("x-content-type-options", "nosniff")]
#[case::resource("cross-origin-resource-policy", "same-origin")]
#[tokio::test]
async fn every_answer_carries(#[case] name: &str, #[case] value: &str) {
    let house = House::new().await;
    for path in ["/", "/tools", "/healthz", "/api/tools", "/docs", "/api/nothing", "/assets/nothing.js"] {
        assert_eq!(header_of(&browse(&house, Method::GET, path).await, name), value, "{path}");
    }
    let known = house.request(Method::GET, "/api/tools").send().await.unwrap();
    assert_eq!((known.status(), header_of(&known, name)), (StatusCode::OK, value));
}

#[rstest]
#[case::x_frame_options("x-frame-options", "DENY")]
#[case::opener("cross-origin-opener-policy", "same-origin")]
#[case::referrer("referrer-policy", "same-origin")]
#[case::permissions(
    "permissions-policy",
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
)]
#[tokio::test]
async fn what_a_browser_could_show_carries(#[case] name: &str, #[case] value: &str) {
    let house = House::new().await;
    for path in ["/", "/tools", "/docs", "/metrics"] {
        assert_eq!(header_of(&browse(&house, Method::GET, path).await, name), value, "{path}");
    }
}

#[tokio::test]
async fn a_page_runs_no_script_but_the_applications_own() {
    let house = House::new().await;
    let page = browse(&house, Method::GET, "/tools").await;
    let policy = header_of(&page, "content-security-policy");
    let directive = |name: &str| {
        let of_name = |part: &'_ str| part.trim().strip_prefix(name).map(|rest| rest.trim().to_owned());
        policy.split(';').find_map(of_name).unwrap_or_else(|| panic!("{name} is not in {policy}"))
    };
    assert_eq!(directive("default-src"), "'none'");
    assert_eq!(directive("script-src"), "'self'");
    assert_eq!(directive("connect-src"), "'self'");
    assert_eq!(directive("img-src"), "'self' data: blob:");
    assert_eq!(directive("worker-src"), "'self'");
    assert_eq!(directive("manifest-src"), "'self'");
    assert_eq!(directive("base-uri"), "'none'");
    assert_eq!(directive("form-action"), "'self'");
    assert_eq!(directive("frame-ancestors"), "'none'");
    assert!(!policy.contains("unsafe-eval") && !policy.contains("http"), "{policy}");
}

#[tokio::test]
async fn data_is_kept_by_no_browser_and_taken_for_nothing_else() {
    let house = House::new().await;
    for path in ["/api/tools", "/api/auth/me", "/openapi.json"] {
        let data = house.request(Method::GET, path).send().await.unwrap();
        assert_eq!(header_of(&data, "cache-control"), "no-store", "{path}");
        assert_eq!(header_of(&data, "content-type"), "application/json", "{path}");
        assert_eq!(header_of(&data, "x-content-type-options"), "nosniff", "{path}");
    }
}
