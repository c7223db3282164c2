//! Talking with an agent from the terminal.

use serde_json::json;

use crate::cli::runs::scripted;

#[test]
fn lines_are_messages_and_answers_stream() {
    let script = json!({"rules": [
        {"contains": "hello", "replies": [{"deltas": ["Good", " day."]}]},
        {"contains": "bye", "replies": [{"text": "Farewell."}]},
        {"contains": "announce", "replies": [{"tool_calls": [{"name": "announce", "arguments": {"name": "Ada"}}]}]},
        {"after_tool": "announce", "replies": [{"text": "announced"}]},
        {"contains": "break", "replies": [{"error": {"code": "PROVIDER_ERROR", "message": "broken"}}]},
    ]});
    let server = scripted(&script, &["calculate"]);
    let talk =
        server.run_with_stdin(&["chat", "helper", "--title", "T"], "hello\n\nbreak it\nbye\n").exits(0);
    assert_eq!(talk.out, "Good day.\nFarewell.\n");
    let thread = talk
        .err
        .split_whitespace()
        .find(|word| word.starts_with("thr_"))
        .unwrap()
        .trim_end_matches(':')
        .to_owned();
    talk.says("broken (PROVIDER_ERROR)");
    server.run(&["chat", "--thread", &thread, "--message", "hello"]).exits(0).says("Good day.");
    server.run(&["chat", "--thread", &thread, "--message", "break it"]).exits(3);
    server.run(&["chat", "nobody", "--message", "hello"]).exits(5);

    let mut asking = server
        .command(&["chat", "--thread", &thread, "--message", "announce it"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut notices = std::io::BufReader::new(asking.stderr.take().unwrap());
    let asked = loop {
        let line = crate::cli::support::read_line(&mut notices);
        if let Some((_, id)) = line.split_once("toolgate approve ") {
            break id.to_owned();
        }
    };
    server.run(&["chat", "--thread", &thread, "--message", "hello"]).exits(9).says("run_");
    let approver = server.approver("grace", "approvals:decide");
    server.run(&["--key", &approver, "approve", &asked]).exits(0);
    let done = asking.wait_with_output().unwrap();
    assert_eq!(
        (done.status.code(), String::from_utf8(done.stdout).unwrap().as_str()),
        (Some(0), "announced\n")
    );
}
