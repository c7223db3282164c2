//! Where a person is asked: for approval, and for what is missing.

use rexpect::session::{PtySession, spawn_command};

use crate::cli::support::Server;

#[test]
fn a_call_that_must_ask_waits_with_an_exit_code_of_its_own() {
    let server = Server::start();
    server.register("writes.md");
    let parked = server.run(&["tool", "call", "announce", "--input", "name=Ada", "--json"]).exits(8).json();
    assert_eq!(parked["status"], "pending");
    server.run(&["tool", "call", "announce", "--input", "name=Ada"]).exits(8).says("waits for a person");
    server.run(&["tool", "call", "announce", "--input", "name=Ada", "--stream"]).exits(8);
    server.run(&["invocations", "cancel", parked["id"].as_str().unwrap()]).exits(0).says("is cancelled");
}

/// A call at a terminal of its own.
fn at_a_terminal(server: &Server, args: &[&str]) -> PtySession {
    spawn_command(server.command(&[&["tool", "call"], args].concat()), Some(20_000)).unwrap()
}

fn answer(terminal: &mut PtySession, question: &str, keys: &str) {
    terminal.exp_string(question).unwrap();
    terminal.send(keys).unwrap();
    terminal.flush().unwrap();
}

#[test]
fn a_missing_field_is_asked_for_on_a_terminal() {
    let server = Server::start();
    let mut terminal = at_a_terminal(&server, &["calculate"]);
    answer(&mut terminal, "expression (string)", "6*7\r");
    terminal.exp_string("result: 42").unwrap();
    terminal.exp_eof().unwrap();
}

#[test]
fn the_question_fits_the_field() {
    let server = Server::start();
    server.register("moods.md");
    let mut terminal = at_a_terminal(&server, &["describe_mood", "--input", "who.name=Ada"]);
    // One of a few is chosen: the second, here.
    answer(&mut terminal, "mood", "\u{1b}[B\r");
    answer(&mut terminal, "loud (boolean)", "y\r");
    // What does not fit is asked for again.
    answer(&mut terminal, "times (integer)", "many\r");
    terminal.exp_string("`times` takes integer").unwrap();
    answer(&mut terminal, "times (integer)", "3\r");
    answer(&mut terminal, "who.age (integer)", "36\r");
    terminal.exp_string("text: Ada (36) is merry 3 times, aloud").unwrap();
    terminal.exp_eof().unwrap();
}

#[test]
fn nothing_is_called_when_the_question_is_left_unanswered() {
    let server = Server::start();
    let mut terminal = at_a_terminal(&server, &["calculate"]);
    answer(&mut terminal, "expression (string)", "\u{3}");
    terminal.exp_string("nothing was called").unwrap();
    terminal.exp_eof().unwrap();
    server.run(&["invocations"]).exits(0).says("no calls match");
}
