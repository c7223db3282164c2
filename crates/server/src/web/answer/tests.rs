use axum::body::to_bytes;
use rstest::rstest;
use sha2::{Digest, Sha256};

use super::*;

/// A build of the application, as small as one can be.
struct Small;

const INDEX_TEXT: &str = "<!doctype html><title>app</title>";

impl Site for Small {
    fn file(&self, path: &str) -> Option<File> {
        let text = match path {
            "index.html" => INDEX_TEXT,
            "sw.js" => "self.skipWaiting()",
            "manifest.webmanifest" => "{}",
            "assets/app-4f2a.js" => "let app = 'in full'",
            "assets/app-4f2a.js.br" => "as brotli",
            "assets/app-4f2a.js.gz" => "as gzip",
            "assets/icon-1.svg" => "<svg/>",
            "assets/style-9.css" => "body{}",
            ".gitkeep" => "hidden",
            _ => return None,
        };
        Some(File { bytes: Cow::Borrowed(text.as_bytes()), sha256: Sha256::digest(text).into() })
    }
}

/// A program that was built without the application.
struct Nothing;

impl Site for Nothing {
    fn file(&self, _path: &str) -> Option<File> {
        None
    }
}

const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

async fn ask(site: &impl Site, method: &str, path: &str, headers: &[(&str, &str)]) -> (Response, String) {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let (parts, body) = respond(site, &request.body(Body::empty()).unwrap()).into_parts();
    let text = String::from_utf8(to_bytes(body, 1 << 20).await.unwrap().to_vec()).unwrap();
    (Response::from_parts(parts, Body::empty()), text)
}

fn header_of<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

#[rstest]
#[case::the_first_page("/", &[])]
#[case::a_page("/tools", &[BROWSER])]
#[case::a_page_with_a_name("/tools/calculate", &[BROWSER])]
#[case::a_name_with_a_dot("/tools/my.tool", &[BROWSER])]
#[case::a_run("/runs/run_1", &[BROWSER])]
#[case::nearly_reserved("/apis", &[BROWSER])]
#[case::with_a_query("/invocations?invocation=inv_1", &[BROWSER])]
#[tokio::test]
async fn every_place_of_the_application_is_its_page(#[case] path: &str, #[case] headers: &[(&str, &str)]) {
    let (response, text) = ask(&Small, "GET", path, headers).await;
    assert_eq!((response.status(), text.as_str()), (StatusCode::OK, INDEX_TEXT));
    assert_eq!(header_of(&response, "content-type"), "text/html; charset=utf-8");
    assert_eq!(header_of(&response, "cache-control"), "no-cache");
    assert!(header_of(&response, "content-security-policy").contains("script-src 'self';"));
}

#[rstest]
#[case::of_the_api("/api/unknown")]
#[case::of_the_sources("/ai/agents")]
#[case::of_the_docs("/docs/other.js")]
#[case::well_known("/.well-known/security.txt")]
#[case::of_mcp("/mcp/sse")]
#[case::an_asset_that_is_gone("/assets/app-old.js")]
#[case::an_asset_above("/assets/../index.htm")]
#[case::no_asset("/assets/")]
#[tokio::test]
async fn what_is_missing_elsewhere_is_no_page(#[case] path: &str) {
    let (response, text) = ask(&Small, "GET", path, &[BROWSER]).await;
    assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
    assert_eq!(header_of(&response, "content-type"), "application/problem+json");
    assert!(text.contains("NOT_FOUND"), "{text}");
}

#[rstest]
#[case::a_program("GET", "/tools", &[("accept", "*/*")])]
#[case::an_image("GET", "/favicon.ico", &[("accept", "image/avif,image/webp,*/*")])]
#[case::not_html("GET", "/tools", &[("accept", "application/json, text/html;q=0")])]
#[case::a_change("POST", "/tools", &[BROWSER])]
#[case::a_change_of_a_file("DELETE", "/assets/app-4f2a.js", &[BROWSER])]
#[case::what_is_hidden("GET", "/.gitkeep", &[("accept", "*/*")])]
#[case::what_is_packed("GET", "/assets/app-4f2a.js.br", &[BROWSER])]
#[tokio::test]
async fn who_asks_for_no_page_gets_none(
    #[case] method: &str,
    #[case] path: &str,
    #[case] headers: &[(&str, &str)],
) {
    assert_eq!(ask(&Small, method, path, headers).await.0.status(), StatusCode::NOT_FOUND);
}

#[rstest]
#[case("/assets/app-4f2a.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable")]
#[case("/assets/style-9.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable")]
#[case("/assets/icon-1.svg", "image/svg+xml", "public, max-age=31536000, immutable")]
#[case("/sw.js", "text/javascript; charset=utf-8", "no-cache")]
#[case("/manifest.webmanifest", "application/manifest+json", "no-cache")]
#[case("/index.html", "text/html; charset=utf-8", "no-cache")]
#[tokio::test]
async fn a_file_is_kept_for_ever_when_its_name_changes_with_it(
    #[case] path: &str,
    #[case] kind: &str,
    #[case] keep: &str,
) {
    let (response, text) = ask(&Small, "GET", path, &[("accept", "*/*")]).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(header_of(&response, "content-type"), kind);
    assert_eq!(header_of(&response, "cache-control"), keep);
    assert!(!text.is_empty());
}

#[rstest]
#[case::both("gzip, deflate, br", "br", "as brotli")]
#[case::older("gzip, deflate", "gzip", "as gzip")]
#[case::brotli_refused("br;q=0, gzip;q=0.5", "gzip", "as gzip")]
#[case::none("identity", "", "let app = 'in full'")]
#[tokio::test]
async fn a_file_comes_as_the_browser_can_unpack_it(
    #[case] accepted: &str,
    #[case] encoding: &str,
    #[case] expected: &str,
) {
    let (response, text) = ask(&Small, "GET", "/assets/app-4f2a.js", &[("accept-encoding", accepted)]).await;
    assert_eq!((header_of(&response, "content-encoding"), text.as_str()), (encoding, expected));
    assert_eq!(header_of(&response, "vary"), "accept-encoding");
    assert_eq!(header_of(&response, "content-type"), "text/javascript; charset=utf-8");
}

#[tokio::test]
async fn a_browser_that_has_the_file_is_told_so() {
    let (first, _) = ask(&Small, "GET", "/", &[]).await;
    let tag = header_of(&first, "etag").to_owned();
    for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}")] {
        let (again, text) = ask(&Small, "GET", "/tools", &[BROWSER, ("if-none-match", &known)]).await;
        assert_eq!((again.status(), text.as_str()), (StatusCode::NOT_MODIFIED, ""));
        assert_eq!(
            (header_of(&again, "etag"), header_of(&again, "cache-control")),
            (tag.as_str(), "no-cache")
        );
    }
    let (other, text) = ask(&Small, "GET", "/", &[("if-none-match", "\"other\"")]).await;
    assert_eq!((other.status(), text.as_str()), (StatusCode::OK, INDEX_TEXT));
    let packed = ask(&Small, "GET", "/assets/app-4f2a.js", &[("accept-encoding", "br")]).await.0;
    let plain = ask(&Small, "GET", "/assets/app-4f2a.js", &[]).await.0;
    assert_ne!(header_of(&packed, "etag"), header_of(&plain, "etag"), "other bytes have another tag");
}

#[tokio::test]
async fn a_program_without_the_application_says_how_to_build_it() {
    let (response, text) = ask(&Nothing, "GET", "/", &[BROWSER]).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert!(text.contains("make web"), "{text}");
    assert_eq!(header_of(&response, "cache-control"), "no-cache");
    assert!(header_of(&response, "content-security-policy").contains("frame-ancestors 'none'"));
    assert_eq!(ask(&Nothing, "GET", "/assets/app.js", &[BROWSER]).await.0.status(), StatusCode::NOT_FOUND);
}
