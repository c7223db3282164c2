use std::{pin::pin, time::Duration};

use futures::{Stream, StreamExt as _};
use rmcp::{
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::{Transport as _, streamable_http_server::session::ServerSseMessage},
};
use serde_json::{Value, json};

use super::{
    manager::SessionsError,
    session::{Session, stream_of},
};

const LONG: Duration = Duration::from_secs(3_600);

pub(super) fn call(id: u64, token: Option<&str>) -> ClientJsonRpcMessage {
    let mut params = json!({"name": "t", "arguments": {}});
    if let Some(token) = token {
        params["_meta"] = json!({"progressToken": token});
    }
    read(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))
}

pub(super) fn taken_back(id: u64) -> ClientJsonRpcMessage {
    read(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}))
}

fn answer(id: u64) -> ServerJsonRpcMessage {
    read(json!({"jsonrpc": "2.0", "id": id, "result": {"content": [], "isError": false}}))
}

fn progress(token: &str, done: u64) -> ServerJsonRpcMessage {
    let params = json!({"progressToken": token, "progress": done});
    read(json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}))
}

fn changed() -> ServerJsonRpcMessage {
    read(json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}))
}

fn read<T: serde::de::DeserializeOwned>(message: Value) -> T {
    serde_json::from_value(message).unwrap()
}

/// The places of the events, and what they hold in short.
async fn all(events: impl Stream<Item = ServerSseMessage>) -> Vec<(String, String)> {
    let short = |event: ServerSseMessage| {
        let message = event.message.map_or(Value::Null, |message| serde_json::to_value(&*message).unwrap());
        let what = match (&message["params"]["progress"], &message["method"], &message["id"]) {
            (Value::Null, Value::Null, Value::Null) => "first".to_owned(),
            (Value::Null, Value::Null, id) => format!("answer {id}"),
            (Value::Null, method, _) => method.as_str().unwrap().to_owned(),
            (done, ..) => format!("progress {}", done.as_f64().unwrap()),
        };
        (event.event_id.unwrap_or_default(), what)
    };
    events.map(short).collect().await
}

fn said(places: &[(&str, &str)]) -> Vec<(String, String)> {
    places.iter().map(|(place, what)| ((*place).to_owned(), (*what).to_owned())).collect()
}

#[tokio::test]
async fn an_answer_comes_in_one_piece_with_what_came_before_it() {
    let (session, mut service) = Session::open(LONG);
    let (events, ()) = tokio::join!(session.request(call(7, Some("p"))), async {
        assert!(service.receive().await.is_some());
        service.send(progress("p", 1)).await.unwrap();
        service.send(answer(7)).await.unwrap();
    });
    let heard = all(events.unwrap()).await;
    assert_eq!(heard, said(&[("0/1", "first"), ("1/1", "progress 1"), ("2/1", "answer 7")]));
    assert!(session.streams().resume("1/1").is_none(), "what was heard is not kept");
}

#[tokio::test]
async fn an_answer_that_nobody_was_there_for_waits_for_the_client() {
    let (session, mut service) = Session::open(LONG);
    let events = session.request(call(7, Some("p"))).await.unwrap();
    assert!(service.receive().await.is_some());
    service.send(progress("p", 1)).await.unwrap();
    drop(events);
    service.send(progress("p", 2)).await.unwrap();
    let missed = session.streams().resume("0/1").unwrap();
    drop(missed);
    service.send(answer(7)).await.unwrap();
    let heard = all(stream_of(session.streams().resume("1/1").unwrap())).await;
    assert_eq!(heard, said(&[("2/1", "progress 2"), ("3/1", "answer 7")]));
    for unknown in ["1/9", "", "x", "1/x", "-1/1", "99999999999999999999/1"] {
        assert!(session.streams().resume(unknown).is_none(), "{unknown}");
    }
}

#[tokio::test]
async fn answers_that_nobody_comes_for_do_not_pile_up() {
    let (session, mut service) = Session::open(LONG);
    for id in 1..=40 {
        let ClientJsonRpcMessage::Request(request) = call(id, None) else { panic!("it is one") };
        drop(session.streams().open(&request));
        service.send(answer(id)).await.unwrap();
    }
    let kept = (1..=40).filter(|number| session.streams().resume(&format!("0/{number}")).is_some());
    assert_eq!(kept.collect::<Vec<_>>(), (25..=40).collect::<Vec<_>>());
}

#[tokio::test]
async fn what_a_client_took_back_is_not_answered() {
    let (session, mut service) = Session::open(LONG);
    let events = session.request(call(7, None)).await.unwrap();
    session.accept(taken_back(7)).await.unwrap();
    service.send(answer(7)).await.unwrap();
    assert_eq!(all(events).await, said(&[("0/1", "first")]));
}

#[tokio::test]
async fn the_first_listener_hears_what_nobody_heard_and_a_second_one_is_silent() {
    let (session, mut service) = Session::open(LONG);
    service.send(changed()).await.unwrap();
    let first = session.streams().listen();
    let second = session.streams().listen();
    service.send(progress("of nobody", 1)).await.unwrap();
    drop(first);
    let mut again = session.streams().listen();
    service.send(changed()).await.unwrap();
    assert_eq!(again.recv().await.unwrap().event_id.as_deref(), Some("3"), "the others were heard");
    drop(again);
    let resumed = session.streams().resume("1").unwrap();
    service.close().await.unwrap();
    let list_changed = "notifications/tools/list_changed";
    assert_eq!(all(stream_of(resumed)).await, said(&[("2", "progress 1"), ("3", list_changed)]));
    assert_eq!(all(stream_of(second)).await, said(&[]));
}

#[tokio::test]
async fn a_client_that_reads_slowly_gets_everything_in_order() {
    let (session, mut service) = Session::open(LONG);
    let events = session.request(call(7, Some("p"))).await.unwrap();
    let telling = async {
        for done in 1..=100 {
            service.send(progress("p", done)).await.unwrap();
        }
        service.send(answer(7)).await.unwrap();
    };
    let (heard, ()) = tokio::join!(all(events), telling);
    assert_eq!(heard.len(), 102);
    assert_eq!(heard[100..], said(&[("100/1", "progress 100"), ("101/1", "answer 7")]));
}

#[tokio::test]
async fn a_session_that_nobody_uses_ends_but_not_while_somebody_waits() {
    let idle = Duration::from_millis(10);
    let (session, mut service) = Session::open(idle);
    let mut events = pin!(session.request(call(7, None)).await.unwrap());
    assert!(service.receive().await.is_some());
    tokio::time::sleep(2 * idle).await;
    assert!(session.streams().idle_at(idle).is_some(), "somebody waits");
    service.send(answer(7)).await.unwrap();
    while events.next().await.is_some() {}
    assert!(service.receive().await.is_none());
}

#[tokio::test]
async fn whoever_waits_is_let_go_when_the_service_ends() {
    let (session, service) = Session::open(LONG);
    let events = session.request(call(7, None)).await.unwrap();
    let listening = session.streams().listen();
    drop(service);
    assert_eq!(all(events).await, said(&[("0/1", "first")]));
    assert_eq!(all(stream_of(listening)).await, said(&[]));
    assert!(matches!(session.request(call(8, None)).await.err(), Some(SessionsError::NotFound)));
}

#[tokio::test]
async fn an_answer_that_found_no_room_is_kept_for_a_client_that_goes_away() {
    let (session, mut service) = Session::open(LONG);
    let events = session.request(call(7, Some("p"))).await.unwrap();
    for done in 1..=16 {
        service.send(progress("p", done)).await.unwrap();
    }
    let mut telling = pin!(service.send(answer(7)));
    assert!(futures::poll!(&mut telling).is_pending(), "the client reads nothing");
    drop(events);
    telling.await.unwrap();
    let heard = all(stream_of(session.streams().resume("16/1").unwrap())).await;
    assert_eq!(heard, said(&[("17/1", "answer 7")]));
}

#[tokio::test]
async fn a_request_that_never_reached_the_service_keeps_nothing_open() {
    let idle = Duration::from_millis(10);
    let (session, _service) = Session::open(idle);
    for _ in 0..16 {
        session.accept(taken_back(1)).await.unwrap();
    }
    let mut asking = Box::pin(session.request(call(7, None)));
    assert!(futures::poll!(&mut asking).is_pending(), "there is no room for it");
    drop(asking);
    tokio::time::sleep(2 * idle).await;
    assert!(session.streams().idle_at(idle).is_none(), "nobody waits");
}
