//! Spans for a collector: the real binary, and a collector that reads what it is sent.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::any_value::Value,
    trace::v1::{Span, status::StatusCode},
};
use prost::Message;

use crate::cli::support::Server;

struct Letter {
    head: Vec<String>,
    body: Vec<u8>,
}

/// Takes letters until nobody is left to read them.
fn collector() -> (String, mpsc::Receiver<Letter>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, letters) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            if sender.send(read(stream.unwrap())).is_err() {
                return;
            }
        }
    });
    (url, letters)
}

fn read(mut stream: TcpStream) -> Letter {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_owned()),
        }
    }
    let length = head.iter().find_map(|line| line.strip_prefix("content-length: ")).unwrap().parse().unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let answer = "HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    stream.write_all(answer.as_bytes()).unwrap();
    Letter { head, body }
}

fn text<'a>(span: &'a Span, key: &str) -> &'a str {
    let found = span.attributes.iter().find(|attribute| attribute.key == key);
    match found.and_then(|attribute| attribute.value.as_ref()).and_then(|value| value.value.as_ref()) {
        Some(Value::StringValue(text)) => text,
        other => panic!("{key} of {}: {other:?}", span.name),
    }
}

#[test]
fn a_collector_is_told_of_every_call_in_the_trace_of_who_made_it() {
    let (url, letters) = collector();
    let server = Server::start_with(&[
        "--otlp-endpoint",
        &url,
        "--otlp-header",
        "x-collector-key=open-sesame",
        "--otlp-service-name",
        "gate-7",
    ]);
    let (trace, caller) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
    let key = std::fs::read_to_string(server.data_dir().join("admin.key")).unwrap();
    let mut stream = TcpStream::connect(server.url.trim_start_matches("http://")).unwrap();
    let body = "{\"expression\":\"40404+1\"}";
    write!(
        stream,
        "POST /api/tools/calculate/invoke HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\nconnection: close\r\n\
         traceparent: 00-{trace}-{caller}-01\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        key.trim(),
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("40405"), "{answer}");
    server.run(&["tool", "call", "no_such_tool"]).exits(5);
    let (_, code, _) = server.stop();
    assert_eq!(code, Some(0));

    let letters: Vec<Letter> = letters.try_iter().collect();
    assert!(!letters.is_empty(), "what was told is sent before the server ends");
    let mut spans = Vec::new();
    for letter in letters {
        assert!(letter.head[0].starts_with("POST /v1/traces "), "{:?}", letter.head);
        assert!(letter.head.contains(&"x-collector-key: open-sesame".to_owned()), "{:?}", letter.head);
        let said = String::from_utf8_lossy(&letter.body).into_owned();
        assert!(!said.contains("40404") && !said.contains("40405"), "what was asked and answered stays here");
        for resource in ExportTraceServiceRequest::decode(&*letter.body).unwrap().resource_spans {
            assert!(format!("{:?}", resource.resource).contains("gate-7"));
            spans.extend(resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
    }
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let named = |name: &str| spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("{name}"));
    let call = named("execute_tool calculate");
    assert_eq!((hex(&call.trace_id), hex(&call.parent_span_id)), (trace.to_owned(), caller.to_owned()));
    assert_eq!(text(call, "gen_ai.operation.name"), "execute_tool");
    assert_eq!(text(call, "toolgate.status"), "completed");
    assert!(call.start_time_unix_nano <= call.end_time_unix_nano);
    for within in ["guard", "tool builtin"] {
        let span = spans.iter().find(|span| span.name == within && span.trace_id == call.trace_id).unwrap();
        assert_eq!(span.parent_span_id, call.span_id, "{within}");
    }
    let missing = named("execute_tool no_such_tool");
    assert!(missing.parent_span_id.is_empty(), "nobody said who made it");
    assert_eq!(missing.status.as_ref().unwrap().code, StatusCode::Error as i32);
    assert_eq!(text(missing, "error.type"), "VALIDATION_ERROR");
}

#[test]
fn a_run_reaches_the_collector_as_one_trace() {
    let (url, letters) = collector();
    let home = tempfile::tempdir().unwrap();
    let script = "rules:
  - {after_tool: calculate, replies: [{text: it is 4}]}
  - {replies: [{tool_calls: [{name: calculate, arguments: {expression: 2+2}}], usage: {input_tokens: 7, output_tokens: 3}}]}
";
    std::fs::write(home.path().join("model.yaml"), script).unwrap();
    let settings = format!("model_script = \"model.yaml\"\notlp_endpoint = \"{url}\"\n");
    std::fs::write(home.path().join("toolgate.toml"), settings).unwrap();
    let server = Server::start_in(home, "127.0.0.1:0");
    server.run(&["agent", "create", "clerk", "--name", "Clerk", "--tool", "calculate"]).exits(0);
    server.run(&["agent", "permit", "clerk", "--tool", "calculate", "--status", "always_allow"]).exits(0);
    let run = server.run(&["run", "start", "clerk", "add", "--json"]).exits(0).json();
    let trace = run["id"].as_str().unwrap().trim_start_matches("run_").replace('-', "");
    server.stop();
    let spans: Vec<Span> = letters
        .try_iter()
        .flat_map(|letter| ExportTraceServiceRequest::decode(&*letter.body).unwrap().resource_spans)
        .flat_map(|resource| resource.scope_spans)
        .flat_map(|scope| scope.spans)
        .filter(|span| span.trace_id.iter().map(|byte| format!("{byte:02x}")).collect::<String>() == trace)
        .collect();
    let named = |name: &str| {
        spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("{name}: {spans:?}"))
    };
    let root = named("invoke_agent clerk");
    assert_eq!(
        (text(root, "gen_ai.operation.name"), text(root, "gen_ai.agent.name")),
        ("invoke_agent", "clerk")
    );
    let asks: Vec<&Span> = spans.iter().filter(|span| span.name == "chat scripted").collect();
    assert_eq!(asks.len(), 2, "{spans:?}");
    assert!(asks.iter().all(|span| span.parent_span_id == root.span_id));
    assert_eq!(named("execute_tool calculate").parent_span_id, root.span_id);
    assert_eq!(named("tool builtin").parent_span_id, named("execute_tool calculate").span_id);
}

#[test]
fn the_trace_of_a_run_that_is_not_there_is_not_found() {
    let server = Server::start();
    server.run(&["run", "trace", "run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11"]).exits(5).says("no trace");
}
