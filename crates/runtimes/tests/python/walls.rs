//! The kernel's wall: what a worker that a script has taken over could still do.

use std::{
    os::unix::process::ExitStatusExt,
    process::{Command, ExitStatus, Stdio},
};

use rstest::rstest;

use crate::common::worker;

/// The signal of a system call that the filter does not allow.
const SIGSYS: i32 = 31;

fn probe(name: &str) -> ExitStatus {
    Command::new(worker())
        .args(["--probe", name])
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap()
}

/// Without this, a probe that never reaches its act would look like a wall.
#[rstest]
#[case("getpid")]
#[case("mmap_data")]
fn what_is_allowed_works(#[case] act: &str) {
    assert_eq!(probe(act).code(), Some(0));
}

#[test]
fn opening_a_file_is_refused() {
    assert_eq!(probe("openat").code(), Some(1));
}

#[rstest]
fn any_other_act_kills_the_worker(
    #[values(
        "socket",
        "socketpair",
        "connect",
        "bind",
        "openat2",
        "memfd_create",
        "clone",
        "clone3",
        "execve",
        "execveat",
        "ptrace",
        "process_vm_readv",
        "kill",
        "mmap_exec",
        "mmap_file",
        "mprotect_exec",
        "dup",
        "read_other",
        "write_other",
        "ioctl",
        "prctl",
        "prlimit64",
        "seccomp",
        "setuid",
        "unshare",
        "mount",
        "chroot",
        "unlinkat",
        "getdents64",
        "io_uring_setup",
        "bpf",
        "keyctl",
        "perf_event_open",
        "userfaultfd",
        "nanosleep"
    )]
    act: &str,
) {
    let status = probe(act);
    assert_eq!(status.signal(), Some(SIGSYS), "{act}: {status}");
}
