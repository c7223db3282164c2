//! Starting, stopping, keys, health.

use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use crate::cli::support::{Ran, Server, toolgate};

#[test]
fn the_first_start_shows_a_key_once_and_a_term_signal_ends_the_server_well() {
    let mut server = Server::start();
    let line = server.line();
    let key = line.strip_prefix("admin key: ").unwrap().to_owned();
    assert!(key.starts_with("tg_"), "{key}");
    let file = server.data_dir().join("admin.key");
    assert_eq!(std::fs::read_to_string(&file).unwrap().trim(), key);
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::metadata(server.data_dir()).unwrap().permissions().mode() & 0o777, 0o700);
    let (_, code, home) = server.stop();
    assert_eq!(code, Some(0));

    let again = Server::start_in(home, "127.0.0.1:0");
    again.run(&["tool", "list"]).exits(0).says("calculate");
    let (rest, code, _) = again.stop();
    assert_eq!((rest.as_str(), code), ("", Some(0)), "the key is shown once");
}

#[test]
fn a_first_start_that_fails_takes_no_key_with_it() {
    let home = tempfile::tempdir().unwrap();
    let serve = |listen: &str| {
        let args = ["serve", "--data-dir", "state", "--listen", listen];
        Ran::of(toolgate(home.path()).args(args).output().unwrap())
    };
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    serve(&taken.local_addr().unwrap().to_string()).exits(1).says("cannot be listened on");
    // Nor one that cannot be written down.
    let file = home.path().join("state/admin.key");
    std::fs::create_dir(&file).unwrap();
    serve("127.0.0.1:0").exits(1).says("admin.key cannot be written");
    std::fs::remove_dir(&file).unwrap();
    // What another start left there before it was killed opens nothing, and is replaced, with its mode.
    std::fs::write(&file, "tg_left_behind\n").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();

    let mut server = Server::start_in(home, "127.0.0.1:0");
    let key = server.line().strip_prefix("admin key: ").unwrap().to_owned();
    assert_eq!(std::fs::read_to_string(server.data_dir().join("admin.key")).unwrap().trim(), key);
    let mode = std::fs::metadata(server.data_dir().join("admin.key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    server.run(&["tool", "list"]).exits(0).says("calculate");
}

#[test]
fn a_key_may_what_its_scopes_say_until_it_is_revoked() {
    let server = Server::start();
    let made = server
        .run(&["key", "create", "reader", "--scope", "tools:read", "--expires-at", "30d", "--json"])
        .exits(0)
        .json();
    let (id, key) = (made["id"].as_str().unwrap(), made["key"].as_str().unwrap());
    server.run(&["key", "list"]).exits(0).says("reader").says("tools:read").says("until ");
    server.run(&["--key", key, "tool", "list"]).exits(0).says("calculate");
    server
        .run(&["--key", key, "tool", "call", "calculate", "--input", "expression=1"])
        .exits(4)
        .says("tools:execute");
    server.run(&["key", "revoke", id]).exits(0);
    server.run(&["--key", key, "tool", "list"]).exits(4).says("UNAUTHENTICATED");
    server.run(&["key", "list"]).exits(0).says("revoked ");
    server.run(&["key", "revoke", "key_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11"]).exits(5);
    server.run(&["key", "create", "x", "--scope", "everything"]).exits(2).says("tools:execute");
    server
        .run(&["key", "create", "x", "--scope", "admin", "--expires-at", "someday"])
        .exits(2)
        .says("someday");
}

#[test]
fn a_client_says_what_it_lacks() {
    let server = Server::start();
    let empty = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| Ran::of(toolgate(empty.path()).args(args).output().unwrap());
    run(&["--url", &server.url, "tool", "list"]).exits(4).says("data/admin.key").says("--data-dir");
    run(&["--url", &server.url, "--key", "tg_wrong", "tool", "list"]).exits(4).says("not valid");
    run(&["--url", "http://127.0.0.1:1", "--key", "tg_x", "tool", "list"]).exits(7).says("toolgate serve");
    run(&["--url", "gopher://x", "tool", "list"]).exits(2).says("--url");
    let refused = run(&["--url", &server.url, "--json", "tool", "list"]).exits(4).json();
    assert_eq!(refused["code"], "UNAUTHENTICATED");
    let away = run(&["--url", "http://127.0.0.1:1", "--json", "tool", "list"]).exits(7).json();
    assert_eq!(away["code"], "UNREACHABLE");
    let by_environment = toolgate(server.home.path())
        .env("TOOLGATE_URL", &server.url)
        .env("TOOLGATE_DATA_DIR", "state")
        .args(["tool", "list"])
        .output();
    Ran::of(by_environment.unwrap()).exits(0).says("calculate");
}

#[test]
fn the_doctor_finds_a_healthy_server_well_and_an_open_key_file_ill() {
    let server = Server::start();
    let report = server.run(&["doctor", "--json"]).exits(0).json();
    assert_eq!(report["healthy"], true);
    assert!(report["checks"].as_array().unwrap().iter().all(|check| check["health"] == "ok"), "{report}");
    server.run(&["doctor"]).exits(0).says("tools:execute").says("mode 0700");
    let key = server.data_dir().join("admin.key");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    server.run(&["doctor"]).exits(1).says("chmod 600");
    server.run(&["doctor", "--url", "http://127.0.0.1:1"]).exits(1).says("toolgate serve");
}

/// Everything below a directory, with its mode.
fn files_below(directory: &Path) -> Vec<(PathBuf, u32)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        found.push((path.clone(), std::fs::metadata(&path).unwrap().permissions().mode()));
        if path.is_dir() {
            found.extend(files_below(&path));
        }
    }
    found
}

#[test]
fn files_of_a_server_are_its_owners_alone_under_any_umask() {
    let home = tempfile::tempdir().unwrap();
    let state = home.path().join("state");
    std::fs::create_dir(&state).unwrap();
    std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o755)).unwrap();
    let small = ["--limit", "max_output_bytes=2000", "--limit", "max_preview_bytes=200"];
    let server = Server::start_careless(home, &small);
    // More than an envelope keeps makes a blob.
    let input =
        serde_json::json!({"template": "{{ text }}", "values": {"text": "y".repeat(50_000)}}).to_string();
    let called = server.run(&["tool", "call", "render_template", "--input-json", &input, "--json"]);
    assert_eq!(called.exits(0).json()["truncated"], true);
    let files = files_below(&server.data_dir());
    let blobs = server.data_dir().join("blobs");
    assert!(files.iter().any(|(path, _)| path.starts_with(&blobs) && path.is_file()), "{files:?}");
    for name in ["toolgate.db", "toolgate.db-wal", "toolgate.db-shm", "toolgate.lock", "secrets.key"] {
        assert!(files.iter().any(|(path, _)| path.ends_with(name)), "{name}: {files:?}");
    }
    for (path, mode) in &files {
        let wanted = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode & 0o777, wanted, "{} has mode {mode:04o}", path.display());
    }
    let log = std::fs::read_to_string(server.home.path().join("log")).unwrap();
    assert!(log.contains("others can look into the data directory: chmod 700 it"), "{log}");
    server.run(&["doctor"]).exits(1).says("chmod 700");
}

#[test]
fn files_that_an_older_server_left_open_are_reported_and_closed_at_the_start() {
    let server = Server::start();
    let home = server.stop().2;
    let open = |name: &str, mode| {
        let path = home.path().join("state").join(name);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    open("toolgate.db", 0o644);
    open("toolgate.lock", 0o664);
    open("blobs", 0o755);
    let doctor = toolgate(home.path())
        .args(["doctor", "--url", "http://127.0.0.1:1", "--data-dir", "state"])
        .output()
        .unwrap();
    Ran::of(doctor).exits(1).says("toolgate.db has mode 0644").says("blobs has mode 0755").says("chmod go= ");
    let server = Server::start_in(home, "127.0.0.1:0");
    let state = server.data_dir();
    let mode = |name: &str| std::fs::metadata(state.join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!([mode("toolgate.db"), mode("toolgate.lock"), mode("blobs")], [0o600, 0o600, 0o700]);
    server.run(&["doctor"]).exits(0).says("are their owner's alone");
}

#[test]
fn migrating_twice_changes_nothing_the_second_time() {
    let home = tempfile::tempdir().unwrap();
    let run = || {
        Ran::of(toolgate(home.path()).args(["migrate", "--data-dir", "state", "--json"]).output().unwrap())
            .exits(0)
            .json()
    };
    assert!(!run()["applied"].as_array().unwrap().is_empty());
    assert!(run()["applied"].as_array().unwrap().is_empty());
}

#[test]
fn help_version_and_completions_need_nothing() {
    let home = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| Ran::of(toolgate(home.path()).args(args).output().unwrap()).exits(0);
    run(&["--version"]).says(env!("CARGO_PKG_VERSION"));
    run(&["--help"]).says("Exit codes:").says("TOOLGATE_URL");
    for command in [
        &["serve"][..],
        &["migrate"],
        &["key", "create"],
        &["secret", "set"],
        &["secret", "rekey"],
        &["tool", "call"],
        &["tool", "register"],
        &["tool", "test"],
        &["invocations"],
        &["events"],
        &["audit", "verify"],
        &["approve"],
        &["agent", "permit"],
        &["tool", "assign"],
        &["profile", "create"],
        &["policy", "replay"],
        &["settings", "set"],
        &["user", "create"],
        &["role", "put"],
        &["workspace", "create"],
        &["tenant", "create"],
        &["whoami"],
        &["doctor"],
    ] {
        run(&[command, &["--help"]].concat()).says("Examples:");
    }
    for shell in ["bash", "zsh", "fish"] {
        run(&["completions", shell]).says("toolgate").says("doctor");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_crash() {
    let server = Server::start();
    let list = server
        .command(&["tool", "list", "--json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut list = list;
    drop(list.stdout.take());
    let ended = list.wait_with_output().unwrap();
    assert!(!String::from_utf8_lossy(&ended.stderr).contains("panicked"));
    assert_eq!(ended.status.code(), Some(0));
}
