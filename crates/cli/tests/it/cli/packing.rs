//! `pack`: install, list, remove and test.

use std::path::{Path, PathBuf};

use crate::cli::support::{Ran, Server, fixture, sandbox_worker, toolgate};

/// A pack of one tool in a folder of its own.
fn folder(home: &Path, version: &str, change: (&str, &str)) -> PathBuf {
    let pack = home.join(format!("kit-{version}"));
    std::fs::create_dir_all(pack.join("greet")).unwrap();
    let manifest = format!(
        "name: kit\nversion: {version}\ntitle: Kit\ndescription: A kit.\nlicense: Apache-2.0\ntools: [greet]\n"
    );
    std::fs::write(pack.join("pack.yaml"), manifest).unwrap();
    std::fs::write(pack.join("README.md"), "# Kit\n").unwrap();
    let text = std::fs::read_to_string(fixture("greet.md")).unwrap();
    assert!(text.contains(change.0));
    std::fs::write(pack.join("greet/TOOL.md"), text.replace(change.0, change.1)).unwrap();
    pack
}

const SAME: (&str, &str) = ("name: greet", "name: greet");

#[test]
fn a_folder_is_installed_upgraded_listed_and_removed() {
    let server = Server::start();
    let kit = folder(server.home.path(), "1.0.0", SAME);
    let install = |pack: &Path, more: &[&str]| {
        server.run(&[&["pack", "install", pack.to_str().unwrap()], more].concat())
    };

    install(&kit, &["--dry-run"]).exits(0).says("would install kit 1.0.0").says("register greet@1.0.0");
    server.run(&["tool", "show", "greet"]).exits(5);
    install(&kit, &[]).exits(0).says("installed kit 1.0.0");
    server.run(&["tool", "call", "greet", "--input", "name=Ada"]).exits(0).says("Hello Ada!");
    install(&kit, &[]).exits(0).says("no change");
    let newer = folder(server.home.path(), "1.1.0", ("Says hello.", "Says hello again."));
    install(&newer, &[]).exits(0).says("upgraded kit 1.1.0 from 1.0.0").says("update greet@1.0.0");
    let listed = server.run(&["pack", "list", "--json"]).exits(0).json();
    assert_eq!(listed["items"][0]["version"], "1.1.0");
    install(&kit, &[]).exits(9).says("newer than 1.0.0");

    server.run(&["pack", "list"]).exits(0).says("kit").says("1.1.0");
    server.run(&["pack", "remove", "kit"]).exits(0).says("its tools are blocked");
    server.run(&["tool", "call", "greet", "--input", "name=Ada"]).exits(4);
    server.run(&["pack", "remove", "kit"]).exits(5);
    server.run(&["pack", "list"]).exits(0).says("no packs");
}

#[test]
fn what_ships_is_listed_and_what_does_not_exist_is_not_installed() {
    let server = Server::start();
    server.run(&["pack", "list", "--available"]).exits(0).says("analysis").says("calculateRoi");
    server.run(&["pack", "install", "no-such-pack"]).exits(5).says("analysis, commerce");
    server.run(&["pack", "install", "./nowhere"]).exits(6).says("no pack.yaml");
    server
        .run(&["pack", "install", "commerce", "--dry-run"])
        .exits(9)
        .says("none of its tools is for the tenant");
}

fn test(pack: &Path) -> Ran {
    let empty = tempfile::tempdir().unwrap();
    Ran::of(toolgate(empty.path()).args(["pack", "test"]).arg(pack).output().unwrap())
}

#[test]
fn a_pack_is_tested_offline() {
    let home = tempfile::tempdir().unwrap();
    test(&folder(home.path(), "1.0.0", SAME)).exits(0).says("2 passed, 0 failed");
    test(&folder(home.path(), "1.0.1", ("Hello Ada!", "Bye Ada!"))).exits(3).says("1 passed, 1 failed");
    test(&folder(home.path(), "1.0.2", ("name: greet", "name: hail"))).exits(6).says("is named `hail`");
    test(home.path()).exits(1).says("cannot be read");
}

#[test]
fn the_packs_that_ship_keep_their_promises_offline_too() {
    let empty = tempfile::tempdir().unwrap();
    for (name, tools) in [("analysis", 8), ("commerce", 5)] {
        let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs").join(name);
        let mut command = toolgate(empty.path());
        command.env("TOOLGATE_SANDBOX_WORKER", sandbox_worker()).args(["pack", "test", "--json"]).arg(pack);
        let report = Ran::of(command.output().unwrap()).exits(0).json();
        assert_eq!(report["files"].as_array().unwrap().len(), tools);
        assert_eq!((&report["failed"], &report["not_run"]), (&0.into(), &0.into()), "{report}");
        assert!(
            report["files"].as_array().unwrap().iter().all(|file| file["warnings"] == serde_json::json!([])),
            "{report}"
        );
    }
}
