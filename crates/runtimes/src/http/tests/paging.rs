//! Page after page becomes one answer.

use serde_json::{Value, json};
use toolgate_domain::ErrorCode;

use super::{
    bench::Bench,
    host::{Asked, Host, json as answer, respond},
};

const HERE: &[&str] = &["127.0.0.1"];

fn paths(host: &Host) -> Vec<String> {
    host.asked().iter().map(|asked| asked.path().to_owned()).collect()
}

fn with(host: &Host, pagination: Value) -> Value {
    json!({"method": "GET", "url": host.url("/items?a=1"), "pagination": pagination})
}

#[tokio::test]
async fn links_are_followed_to_the_last() {
    let host = Host::start(|number, _| {
        let link = format!("</items?cursor={}>; rel=\"next\", </items>; rel=\"first\"", number + 1);
        let headers = [("content-type", "application/json"), ("link", link.as_str())];
        let kept = if number < 2 { &headers[..] } else { &headers[..1] };
        respond(200, kept, json!([number]).to_string())
    })
    .await;
    let answered =
        Bench::new(HERE).call(with(&host, json!({"style": "link_header"})), json!({})).await.unwrap();
    assert_eq!(answered.value["body"], json!([0, 1, 2]));
    assert_eq!((&answered.value["pages"], answered.value.get("truncated")), (&json!(3), None));
    assert_eq!(paths(&host), ["/items?a=1", "/items?cursor=1", "/items?cursor=2"]);
}

#[tokio::test]
async fn a_link_to_another_host_is_not_followed() {
    let other = Host::start(|_, _| answer(200, &json!([]))).await;
    let link = format!("<{}>; rel=next", other.url("/"));
    let host =
        Host::start(move |_, _| respond(200, &[("content-type", "application/json"), ("link", &link)], "[]"))
            .await;
    let error =
        Bench::new(HERE).call(with(&host, json!({"style": "link_header"})), json!({})).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ProviderError);
    assert!(other.asked().is_empty());
}

#[tokio::test]
async fn cursors_are_taken_from_the_body_in_either_language() {
    for (items, next) in [("$.data", "$.meta.next"), ("data", "meta.next"), ("$.data[*]", "$.meta.next")] {
        let host = Host::start(|number, _| {
            let next = if number < 2 { json!(format!("c&{number}")) } else { Value::Null };
            answer(200, &json!({"data": [number], "meta": {"next": next}}))
        })
        .await;
        let pagination = json!({"style": "cursor", "items": items, "next": next, "parameter": "after"});
        let answered = Bench::new(HERE).call(with(&host, pagination), json!({})).await.unwrap();
        assert_eq!(answered.value["body"], json!([0, 1, 2]), "{items}");
        assert_eq!(paths(&host), ["/items?a=1", "/items?a=1&after=c%260", "/items?a=1&after=c%261"]);
    }
}

#[tokio::test]
async fn a_cursor_that_leads_to_itself_ends() {
    let host = Host::start(|_, _| answer(200, &json!({"data": [1], "next": "same"}))).await;
    let pagination = json!({"style": "cursor", "items": "data", "next": "next"});
    let answered = Bench::new(HERE).call(with(&host, pagination), json!({})).await.unwrap();
    assert_eq!((&answered.value["body"], host.asked().len()), (&json!([1, 1]), 2));
}

#[tokio::test]
async fn pages_and_offsets_are_counted() {
    let three = |_, asked: &Asked| {
        let last = ["page=3", "offset=4"].iter().any(|end| asked.path().contains(end));
        answer(200, &if last { json!([9]) } else { json!([1, 2]) })
    };
    let host = Host::start(three).await;
    let pagination = json!({"style": "page", "size_parameter": "per", "size": 2});
    let answered = Bench::new(HERE).call(with(&host, pagination), json!({})).await.unwrap();
    assert_eq!(answered.value["body"], json!([1, 2, 1, 2, 9]));
    assert_eq!(paths(&host)[2], "/items?a=1&per=2&page=3");
    let host = Host::start(three).await;
    let answered =
        Bench::new(HERE).call(with(&host, json!({"style": "offset", "limit": 2})), json!({})).await.unwrap();
    assert_eq!(answered.value["body"], json!([1, 2, 1, 2, 9]));
    assert_eq!(
        paths(&host),
        ["/items?a=1&offset=0&limit=2", "/items?a=1&limit=2&offset=2", "/items?a=1&limit=2&offset=4"]
    );
}

#[tokio::test]
async fn pages_items_and_bytes_are_bounded() {
    let host = Host::start(|_, _| answer(200, &json!([1, 2]))).await;
    for (bounds, count, pages) in [(json!({"max_pages": 3}), 6, 3), (json!({"max_items": 5}), 5, 3)] {
        let mut pagination = json!({"style": "page"});
        for (key, value) in bounds.as_object().unwrap() {
            pagination[key] = value.clone();
        }
        let answered = Bench::new(HERE).call(with(&host, pagination), json!({})).await.unwrap();
        assert_eq!(answered.value["body"].as_array().unwrap().len(), count);
        assert_eq!((&answered.value["pages"], &answered.value["truncated"]), (&json!(pages), &json!(true)));
    }
    let mut config = with(&host, json!({"style": "page", "max_pages": 50}));
    config["max_response_bytes"] = json!(12);
    let error = Bench::new(HERE).call(config, json!({})).await.unwrap_err();
    assert_eq!(error.details.unwrap()["reason"], "too_large");
}

#[tokio::test]
async fn what_is_collected_is_mapped_as_one() {
    let host = Host::start(|number, _| {
        answer(200, &json!(if number < 2 { vec![json!({"n": number})] } else { vec![] }))
    })
    .await;
    let mut config = with(&host, json!({"style": "page"}));
    config["response"] = json!({"query": "sum([].n)", "as": "output"});
    assert_eq!(Bench::new(HERE).call(config, json!({})).await.unwrap().value, json!(1.0));
}

#[tokio::test]
async fn a_failing_page_fails_the_call() {
    let host = Host::start(|number, _| answer(if number == 1 { 404 } else { 200 }, &json!([1]))).await;
    let error = Bench::new(HERE).call(with(&host, json!({"style": "page"})), json!({})).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ProviderError);
}
