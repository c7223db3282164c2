//! HTTP tools in the whole server, against a host on this machine.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    sync::{Arc, Mutex},
};

use memchr::memmem;
use serde_json::{Value, json};

use crate::cli::support::{Ran, Server, toolgate};

const SECRET: &str = "s3cr3t/of+the shop";

/// Answers every request the same, and keeps what it was asked.
pub(crate) struct Host {
    pub(crate) address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Host {
    pub(crate) fn start(content_type: &'static str, body: impl Fn(&str) -> Vec<u8> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, asked) = (listener.local_addr().unwrap(), Arc::new(Mutex::new(Vec::new())));
        let kept = Arc::clone(&asked);
        // It ends with the process of the test.
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = read(&stream);
                kept.lock().unwrap().push(request.clone());
                let body = body(&request);
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(&[head.as_bytes(), &body].concat());
            }
        });
        Self { address, asked }
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// Head and body of a request.
fn read(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    while reader.read_line(&mut request).unwrap() > 2 {}
    let length = request
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).unwrap();
    request + &String::from_utf8(body).unwrap()
}

fn register(server: &Server, text: &str) {
    std::fs::write(server.home.path().join("TOOL.md"), text).unwrap();
    server.run(&["tool", "register", "--file", "TOOL.md", "--apply"]).exits(0);
}

/// The files of tools that the guide shows.
fn guide() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/http.md");
    let page = std::fs::read_to_string(page).unwrap();
    page.split("```yaml\n").skip(1).map(|block| block.split_once("```").unwrap().0.to_owned()).collect()
}

#[test]
fn the_tools_of_the_guide_can_be_registered() {
    let empty = tempfile::tempdir().unwrap();
    let tools = guide();
    assert_eq!(tools.len(), 3);
    for tool in tools {
        let path = empty.path().join("TOOL.md");
        std::fs::write(&path, tool).unwrap();
        Ran::of(toolgate(empty.path()).args(["tool", "test"]).arg(path).output().unwrap()).exits(0);
    }
}

#[test]
fn the_guides_first_tool_asks_its_host_and_its_secret_is_nowhere_else() {
    // The host gives back what it was sent, as hosts do in error messages.
    let host = Host::start("application/json", |request| {
        json!({"orders": [{"id": 7, "total": 12.5, "more": 1}], "debug": request}).to_string().into_bytes()
    });
    let server = Server::start_with(&["--allow-host", &host.address.to_string()]);
    let tool = guide()[0].replace("https://shop.example.com", &format!("http://{}", host.address));
    register(&server, &tool);
    let echo = tool
        .replace("name: list_orders", "name: echo_orders")
        .replace("response: {query", "retries: {max: 0} # {query");
    let query = echo.replace("{type: bearer, secret", "{type: query, name: key, secret");
    register(&server, &echo);
    register(&server, &query.replace("name: echo_orders", "name: query_orders"));

    let missing =
        server.run(&["tool", "call", "list_orders", "--input", "customer=c/1", "--json"]).exits(3).json();
    assert_eq!(missing["error"]["code"], "AUTH_REQUIRED");
    assert!(host.asked().is_empty());
    server.run_with_stdin(&["secret", "set", "SHOP_TOKEN", "--scope", "tenant"], SECRET).exits(0);

    let call =
        |name: &str| server.run(&["tool", "call", name, "--input", "customer=c/1", "--json"]).exits(0).json();
    let answered = call("list_orders");
    assert_eq!(answered["output"]["body"], json!([{"id": 7, "total": 12.5}]));
    assert_eq!(answered["output"]["url"], format!("http://{}/customers/c%2F1/orders", host.address));
    let asked = &host.asked()[0];
    assert!(asked.starts_with("GET /customers/c%2F1/orders?sort=newest HTTP/1.1"), "{asked}");
    assert!(asked.contains(&format!("authorization: Bearer {SECRET}")), "{asked}");

    let echoed = call("echo_orders");
    assert!(
        echoed["output"]["body"]["debug"].as_str().unwrap().contains("[redacted:SHOP_TOKEN]"),
        "{echoed}"
    );
    call("query_orders");
    assert!(host.asked()[2].contains("key=s3cr3t%2Fof%2Bthe+shop"), "{}", host.asked()[2]);

    let (_, _, home) = server.stop();
    let spellings = [SECRET, "s3cr3t%2Fof%2Bthe+shop", "s3cr3t%2Fof%2Bthe%20shop"];
    let mut files = vec![home.path().to_owned()];
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        for spelling in spellings {
            let found = memmem::find(&bytes, spelling.as_bytes()).is_some();
            assert!(!found, "{} holds the secret as {spelling}", path.display());
        }
    }
}

#[test]
fn a_host_that_nobody_allowed_is_not_asked() {
    let host = Host::start("text/plain", |_| b"inside".to_vec());
    let server = Server::start();
    let tool = guide()[1].replace("https://tracker.example.com", &format!("http://{}", host.address));
    std::fs::write(server.home.path().join("TOOL.md"), tool).unwrap();
    let refused = server.run(&["tool", "register", "--file", "TOOL.md", "--apply"]).exits(6);
    refused.says("loopback").says("--allow-host");
    let request = json!({"method": "GET", "url": format!("http://{}/", host.address)}).to_string();
    // Nobody is asked about a call that the wall would refuse.
    server.run(&["tool", "call", "http_request", "--input-json", &request]).exits(4).says("loopback");
    // It writes as far as anybody knows, so otherwise a person is asked.
    let outside = json!({"method": "GET", "url": "https://shop.example/"}).to_string();
    server.run(&["tool", "call", "http_request", "--input-json", &outside, "--json"]).exits(8);
    assert!(host.asked().is_empty());
}

#[test]
fn an_image_is_attached_and_the_method_decides_the_egress_class() {
    let host = Host::start("image/png", |_| b"\x89PNG\r\n\x1a\n".to_vec());
    let server = Server::start_with(&["--allow-host", "127.0.0.0/8"]);
    let url = format!("http://{}", host.address);
    let tool = |name: &str, method: &str| {
        format!(
            "---\nname: {name}\nversion: 1.0.0\ndescription: Gets a picture.\ninput_schema: {{type: object}}\n\
            execution: {{kind: http, method: {method}, url: \"{url}\"}}\n---\n"
        )
    };
    register(&server, &tool("get_picture", "GET"));
    register(&server, &tool("drop_picture", "DELETE"));
    let class =
        |name: &str| server.run(&["tool", "show", name, "--json"]).exits(0).json()["egress_class"].clone();
    assert_eq!((class("get_picture"), class("drop_picture")), (json!("read_only"), json!("write")));
    let answered =
        server.run(&["tool", "call", "get_picture", "--input-json", "{}", "--json"]).exits(0).json();
    assert_eq!(answered["output"]["body"], json!({"attachment": 0, "content_type": "image/png", "bytes": 8}));
    let attachment = &answered["attachments"][0];
    assert_eq!(
        (&attachment["kind"], &attachment["content_type"], &attachment["bytes"]),
        (&json!("image"), &json!("image/png"), &json!(8))
    );
    server.run(&["tool", "call", "drop_picture", "--input-json", "{}"]).exits(8);
}

#[test]
fn a_search_is_there_for_tenants_that_switched_it_on_and_have_a_key() {
    let host = Host::start("application/json", |_| {
        json!({"results": [{"title": "T", "url": "https://t.example", "text": "about T"}]})
            .to_string()
            .into_bytes()
    });
    let server = Server::start_with(&["--search-url", &format!("http://{}", host.address)]);
    let call = || server.run(&["tool", "call", "webSearch", "--input", "query=what is T", "--json"]);
    call().exits(5);
    server.run(&["tool", "settings", "webSearch", "--enable"]).exits(0);
    let missing = call().exits(3).json();
    assert_eq!(
        (&missing["error"]["code"], &missing["error"]["details"]["missing"]),
        (&json!("AUTH_REQUIRED"), &json!(["EXA_API_KEY"]))
    );
    server.run_with_stdin(&["secret", "set", "EXA_API_KEY", "--scope", "tenant"], "exa-key-1").exits(0);
    let found = call().exits(0).json();
    let expected: Value = json!({"query": "what is T", "results": [{
        "title": "T", "url": "https://t.example", "snippet": "about T", "published_date": null, "author": null, "score": null,
    }]});
    assert_eq!(found["output"], expected);
    assert!(host.asked()[0].contains("x-api-key: exa-key-1"));
}
