//! Native code is run only as it was compiled.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
};

use tempfile::TempDir;

use crate::support::{BINARY, installed};

const FILES: [&str; 3] = ["manifest.json", "python.cwasm", "python-stdlib.zip"];

/// What a command says of a directory, and whether it succeeds.
fn ask(args: &[&Path]) -> (bool, String) {
    let output = Command::new(BINARY).args(args).stdin(Stdio::null()).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

/// A copy of the installation with one file changed.
fn changed(name: &str, change: impl FnOnce(&mut Vec<u8>)) -> TempDir {
    let copy = tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o700)).tempdir().unwrap();
    for file in FILES {
        let to = copy.path().join(file);
        fs::copy(installed().join(file), &to).unwrap();
        fs::set_permissions(&to, fs::Permissions::from_mode(0o600)).unwrap();
    }
    let path = copy.path().join(name);
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(&path, bytes).unwrap();
    copy
}

fn is_refused(directory: &Path, why: &str) {
    for command in ["check", "run"] {
        let (succeeds, said) = ask(&[command.as_ref(), directory]);
        assert!(!succeeds && said.contains(why), "{command}: {said}");
        assert!(!said.contains("ready"), "{said}");
    }
}

#[test]
fn an_installation_is_its_owners_alone_and_passes_its_check() {
    let (succeeds, said) = ask(&["check".as_ref(), &installed()]);
    assert!(succeeds && said.contains("\"engine\":\"wasmtime "), "{said}");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&installed()), 0o700);
    for file in FILES {
        assert_eq!(mode(&installed().join(file)), 0o600, "{file}");
    }
}

#[test]
fn one_changed_bit_of_the_code_is_found() {
    let middle = |bytes: &mut Vec<u8>| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
    };
    is_refused(changed("python.cwasm", middle).path(), "python.cwasm is not what was compiled");
    is_refused(changed("python-stdlib.zip", middle).path(), "python-stdlib.zip is not what was compiled");
}

#[test]
fn a_stamp_spares_the_reading_until_something_changes() {
    let copy = changed("manifest.json", |_| {});
    let stamp = stamp_of(copy.path());
    let run = || ask(&["run".as_ref(), copy.path(), stamp.as_ref()]);
    assert!(run().0);
    assert_eq!(stamp_of(copy.path()), stamp);
    // The same size and the same time of change, as far as anybody can set it.
    let module = copy.path().join("python.cwasm");
    let modified = fs::metadata(&module).unwrap().modified().unwrap();
    let file = fs::File::options().write(true).open(&module).unwrap();
    std::os::unix::fs::FileExt::write_at(&file, b"x", 200_000_000).unwrap();
    file.set_modified(modified).unwrap();
    let (succeeds, said) = run();
    assert!(!succeeds && said.contains("python.cwasm is not what was compiled"), "{said}");
}

fn stamp_of(directory: &Path) -> String {
    let (succeeds, said) = ask(&["check".as_ref(), directory]);
    assert!(succeeds, "{said}");
    serde_json::from_str::<serde_json::Value>(&said).unwrap()["stamp"].as_str().unwrap().to_owned()
}

#[test]
fn code_of_another_engine_or_another_wheel_is_refused() {
    let replace = |from: &'static str, to: &'static str| {
        move |bytes: &mut Vec<u8>| *bytes = String::from_utf8(bytes.clone()).unwrap().replace(from, to).into()
    };
    let old = changed("manifest.json", replace("wasmtime 48", "wasmtime 12"));
    is_refused(old.path(), "install it again");
    is_refused(changed("manifest.json", replace("3bfb0dcc", "00000000")).path(), "another wheel");
    is_refused(changed("manifest.json", |bytes| bytes.clear()).path(), "is no manifest");
}

#[test]
fn code_that_others_could_write_is_refused() {
    let copy = changed("manifest.json", |_| {});
    fs::set_permissions(copy.path().join("python.cwasm"), fs::Permissions::from_mode(0o620)).unwrap();
    is_refused(copy.path(), "can be written by others");
    let linked = changed("manifest.json", |_| {});
    fs::remove_file(linked.path().join("python.cwasm")).unwrap();
    std::os::unix::fs::symlink(installed().join("python.cwasm"), linked.path().join("python.cwasm")).unwrap();
    is_refused(linked.path(), "cannot be opened");
}

#[test]
fn another_file_is_not_compiled() {
    let directory = TempDir::new().unwrap();
    let wheel = directory.path().join("some.whl");
    fs::write(&wheel, b"PK not really").unwrap();
    let to = directory.path().join("out");
    let (succeeds, said) = ask(&["compile".as_ref(), &wheel, &to]);
    assert!(!succeeds && said.contains("wrong checksum"), "{said}");
    assert!(!to.exists());
}
