//! `webhook`: where questions are sent.

use std::{
    io::{Read, Write},
    net::TcpListener,
    thread::JoinHandle,
};

use crate::cli::support::Server;

/// The receivers are on this machine, where webhooks lead only with the operator's word.
const ALLOWED: &[&str] = &["--allow-host", "127.0.0.1"];

/// Takes one letter, answers it with a status, and gives back what it said.
fn receive(listener: &TcpListener, status: &'static str) -> JoinHandle<String> {
    let listener = listener.try_clone().unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut text, mut piece) = (String::new(), [0; 4096]);
        // A letter is one JSON object, so it ends with its last brace.
        while !text.trim_end().ends_with('}') {
            let read = stream.read(&mut piece).unwrap();
            text.push_str(std::str::from_utf8(&piece[..read]).unwrap());
        }
        let answer = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
        stream.write_all(answer.as_bytes()).unwrap();
        text
    })
}

#[test]
fn a_webhook_is_made_tried_told_and_deleted() {
    let server = Server::start_with(ALLOWED);
    server.register("writes.md");
    server.run(&["webhook", "list"]).exits(0).says("no webhooks");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let made = server.run(&["webhook", "create", "chat", "--to", &url, "--json"]).exits(0).json();
    let id = made["id"].as_str().unwrap();
    assert!(made["secret"].as_str().unwrap().starts_with("whsec_"));
    server.run(&["webhook", "create", "chat", "--to", &url]).exits(9).says("already");
    server.run(&["webhook", "create", "inside", "--to", "https://10.0.0.1/x"]).exits(6).says("private");
    server.run(&["webhook", "list"]).exits(0).says("chat").says(&url).says("needs_approval");

    let letter = receive(&listener, "200 OK");
    server.run(&["webhook", "test", id]).exits(0).says("200");
    assert!(letter.join().unwrap().contains("webhook.test"));
    let letter = receive(&listener, "200 OK");
    server.run(&["tool", "call", "announce", "--input", "name=Ada"]).exits(8);
    let letter = letter.join().unwrap();
    assert!(letter.contains("approval.requested") && letter.contains(&server.url), "{letter}");
    server.run(&["webhook", "deliveries", id]).exits(0).says("inv_").says("dlv_");
    drop(listener);
    let unreached = server.run(&["webhook", "test", id]).exits(1).says("not received");
    assert!(!format!("{unreached:?}").contains("refused"), "a closed port is not told from an open one");
    let log = std::fs::read_to_string(server.home.path().join("log")).unwrap();
    let line = log.lines().find(|line| line.contains("a webhook cannot be reached")).unwrap();
    assert!(line.contains("Connection refused") && line.contains(id), "the operator reads the cause: {line}");
    server.run(&["webhook", "delete", id]).exits(0).says("deleted");
    server.run(&["webhook", "deliveries", id]).exits(5);
}

#[test]
fn a_killed_server_sends_again_what_was_not_received() {
    let server = Server::start_with(ALLOWED);
    server.register("writes.md");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let made = server.run(&["webhook", "create", "chat", "--to", &url, "--json"]).exits(0).json();
    let first = receive(&listener, "500 Oops");
    server.run(&["tool", "call", "announce", "--input", "name=Ada"]).exits(8);
    let first = first.join().unwrap();
    loop {
        let list = ["webhook", "deliveries", made["id"].as_str().unwrap(), "--json"];
        if server.run(&list).exits(0).json()["items"][0]["last_status"] == 500 {
            break;
        }
    }
    let second = receive(&listener, "200 OK");
    let _server = Server::start_again_with(server.kill(), ALLOWED);
    let second = second.join().unwrap();
    let delivery = |letter: &str| {
        let line = letter.lines().find(|line| line.starts_with("toolgate-delivery")).unwrap();
        line.trim().to_owned()
    };
    assert_eq!(delivery(&first), delivery(&second));
}

#[test]
fn a_webhook_leads_to_this_machine_only_where_the_operator_says_so() {
    let (here, inside) = ("http://127.0.0.1:9/hook", "https://10.0.0.1/hook");
    let server = Server::start();
    for url in [here, inside] {
        let made = server.run(&["webhook", "create", "chat", "--to", url]);
        made.exits(6).says("--allow-private-webhooks");
    }
    let server = Server::start_with(&["--allow-private-webhooks"]);
    for (name, url) in [("here", here), ("inside", inside)] {
        server.run(&["webhook", "create", name, "--to", url]).exits(0);
    }
    let metadata = ["webhook", "create", "cloud", "--to", "https://169.254.169.254/latest"];
    server.run(&metadata).exits(6).says("private");
}
