//! Upstreams that are programs, and behave.

use rstest::rstest;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde_json::json;
use tokio::io::unix::AsyncFd;
use toolgate_domain::ErrorCode;

use crate::client::common::{House, PROGRAM, failure, text};

#[rstest]
#[case::oldest("2024-11-05")]
#[case::with_sessions("2025-11-25")]
#[case::newest("2026-07-28")]
#[tokio::test]
async fn every_revision_is_listed_and_called(#[case] revision: &str) {
    let house = House::new().await;
    let added = house.add_program("rude", &[revision]).await;
    assert_eq!(added.error, None);
    assert_eq!(added.upstream.status.revision.as_deref(), Some(revision));
    assert_eq!(added.upstream.status.server.as_deref(), Some("rude 1"));
    assert_eq!(house.text("rude_echo", json!({"text": "hello"})).await, "hello");
}

#[rstest]
#[case::greets("greets")]
#[case::ends_at_words_it_does_not_know("fragile")]
#[tokio::test]
async fn programs_with_habits_are_borne(#[case] manner: &str) {
    let house = House::new().await;
    assert_eq!(house.add_program("rude", &["2025-06-18", manner]).await.error, None);
    assert_eq!(house.text("rude_echo", json!({"text": "hello"})).await, "hello");
}

#[tokio::test]
async fn calls_share_one_process_and_an_idle_one_ends_with_its_children() {
    let house = House::new().await;
    house.add_program("rude", &["2025-11-25"]).await;
    let first = house.text("rude_pid", json!({})).await;
    assert_eq!(house.text("rude_pid", json!({})).await, first);
    let family = house.text("rude_family", json!({})).await;
    let ends: Vec<_> = family.split(' ').map(|pid| ending(pid.parse().unwrap())).collect();
    house.upstreams.sweep();
    assert_eq!(house.text("rude_pid", json!({})).await, first, "it is not idle for long enough");
    house.later_by_ms(600_000);
    house.upstreams.sweep();
    for end in ends {
        end.await;
    }
    assert_ne!(house.text("rude_pid", json!({})).await, first);
}

/// Waits for the end of a process that need not be ours.
#[expect(deprecated, reason = "the other way is unsafe code, and an owned descriptor is sound")]
fn ending(pid: i32) -> impl Future<Output = ()> {
    let handle = pidfd_open(Pid::from_raw(pid).unwrap(), PidfdFlags::NONBLOCK).unwrap();
    async move { drop(AsyncFd::new(handle).unwrap().readable().await.unwrap()) }
}

#[tokio::test]
async fn progress_and_log_of_a_call_reach_that_call_in_order() {
    let house = House::new().await;
    house.add_program("rude", &["2025-11-25"]).await;
    let done = house.call("rude_progress", json!({})).await;
    assert_eq!(text(&done), "done");
    let record = house.record(&done).await;
    let places: Vec<_> = [0, 1, 2]
        .map(|step| {
            record
                .find(&format!("\"progress\": Number({step}.0)"))
                .unwrap_or_else(|| panic!("{step} in {record}"))
        })
        .into();
    assert!(places.is_sorted(), "{places:?}");
    assert!(!record.contains("Number(99.0)"), "what is somebody else's is not told");
    assert!(record.contains("\"logger\": String(\"me\")"), "{record}");
}

#[tokio::test]
async fn a_program_gets_what_it_is_given_and_nothing_else() {
    let house = House::new().await;
    house.keep_secret("THE_TOKEN", "hunter2-of-the-upstream").await;
    let transport = json!({
        "kind": "stdio", "command": "python3", "args": [PROGRAM, "2025-11-25"], "env": {"TOKEN": "{$secret.THE_TOKEN}"},
    });
    assert_eq!(house.add("rude", transport).await.error, None);
    let seen = house.call("rude_env", json!({})).await;
    let names = text(&seen);
    assert!(names.split(',').any(|name| name == "TOKEN") && names.contains("PATH"), "{names}");
    assert!(!names.contains("CARGO"), "{names}");
    let echoed = house.call("rude_echo", json!({"text": "x"})).await;
    for call in [&seen, &echoed] {
        assert!(!house.record(call).await.contains("hunter2"), "a secret is in the record");
    }
}

#[tokio::test]
async fn a_program_that_the_operator_did_not_name_is_not_started() {
    let house = House::new().await;
    let spec =
        json!({"name": "evil", "transport": {"kind": "stdio", "command": "sh", "args": ["-c", "true"]}});
    let spec = serde_json::from_value(spec).unwrap();
    let refused =
        house.engine.upstreams().create(&crate::client::common::operator(), spec, false).await.unwrap_err();
    assert!(refused.to_string().contains("mcp_stdio_commands"), "{refused}");
}

#[tokio::test]
async fn a_secret_that_is_missing_is_named() {
    let house = House::new().await;
    house.keep_secret("THE_TOKEN", "hunter2-of-the-upstream").await;
    let transport = json!({
        "kind": "stdio", "command": "python3", "args": [PROGRAM, "2025-11-25"], "env": {"TOKEN": "{$secret.THE_TOKEN}"},
    });
    house.add("rude", transport).await;
    let name = "THE_TOKEN".parse().unwrap();
    let tenants = toolgate_engine::SecretTarget::Tenant;
    house.engine.secrets().delete(&crate::client::common::operator(), &name, &tenants).await.unwrap();
    let refused = house.call("rude_echo", json!({})).await;
    assert_eq!(failure(&refused).0, ErrorCode::AuthRequired);
    assert!(refused.error.unwrap().message.contains("THE_TOKEN"));
}
