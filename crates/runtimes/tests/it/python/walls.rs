//! The kernel's wall: what a worker that a script has taken over could still do.

use std::process::{Command, ExitStatus, Stdio};

use rstest::rstest;
use toolgate_runtimes::python::{PoolOptions, Sandbox, WorkerProgram, WorkerSandbox};

use crate::python::common::{limits, script, worker};

/// A system call that the filter does not allow.
const SIGSYS: [&str; 2] = ["signal: 31 (SIGSYS)"; 2];

/// How a probe ends in a worker that starts by itself, and in one that a nursery bore.
async fn probe(name: &str) -> [String; 2] {
    [alone(name).to_string(), born(name).await]
}

async fn born(name: &str) -> String {
    let arguments = ["--probe", name].map(str::to_owned);
    let program = WorkerProgram::new(worker()).with_nursery().with_arguments(arguments);
    let options = PoolOptions { min_idle: 0, ..PoolOptions::default() };
    let sandbox = WorkerSandbox::full_runtime(program, options).unwrap();
    let Err(failure) = sandbox.start(&script("1"), &limits()).await else {
        panic!("a probe serves no script")
    };
    failure.message.rsplit_once("crashed (").unwrap().1.strip_suffix(')').unwrap().to_owned()
}

fn alone(name: &str) -> ExitStatus {
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
#[tokio::test]
async fn what_is_allowed_works(#[case] act: &str) {
    assert_eq!(probe(act).await, ["exit status: 0"; 2]);
}

#[tokio::test]
async fn opening_a_file_is_refused() {
    assert_eq!(probe("openat").await, ["exit status: 1"; 2]);
}

#[rstest]
#[tokio::test]
async fn any_other_act_kills_the_worker(
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
    assert_eq!(probe(act).await, SIGSYS);
}
