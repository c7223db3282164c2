//! `webhook`: where questions are sent.

use std::{
    io::{Read, Write},
    net::TcpListener,
    thread::JoinHandle,
};

use crate::support::Server;

/// Takes one letter, answers it, and gives back what it said.
fn receive(listener: &TcpListener) -> JoinHandle<String> {
    let listener = listener.try_clone().unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut text, mut piece) = (String::new(), [0; 4096]);
        // A letter is one JSON object, so it ends with its last brace.
        while !text.trim_end().ends_with('}') {
            let read = stream.read(&mut piece).unwrap();
            text.push_str(std::str::from_utf8(&piece[..read]).unwrap());
        }
        stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").unwrap();
        text
    })
}

#[test]
fn a_webhook_is_made_tried_told_and_deleted() {
    let server = Server::start();
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

    let letter = receive(&listener);
    server.run(&["webhook", "test", id]).exits(0).says("204");
    assert!(letter.join().unwrap().contains("webhook.test"));
    let letter = receive(&listener);
    server.run(&["tool", "call", "announce", "--input", "name=Ada"]).exits(8);
    let letter = letter.join().unwrap();
    assert!(letter.contains("approval.requested") && letter.contains(&server.url), "{letter}");
    server.run(&["webhook", "deliveries", id]).exits(0).says("inv_").says("dlv_");
    drop(listener);
    server.run(&["webhook", "test", id]).exits(1).says("not received");
    server.run(&["webhook", "delete", id]).exits(0).says("deleted");
    server.run(&["webhook", "deliveries", id]).exits(5);
}
