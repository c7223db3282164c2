//! What the process gives up before any script is near it. The engine is the wall; this stands behind the wall.

use std::collections::BTreeMap;

use anyhow::Context;
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

const MAX_OPEN_FILES: u64 = 16;

/// Descriptors that the parent left open are not ours. Called before anything is opened.
#[expect(unsafe_code, reason = "no descriptor above stderr is in use yet")]
pub(crate) fn close_inherited() {
    // An old kernel does not know the call; then they stay, and the filter keeps them from being used.
    unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, 0_u32) };
}

/// For every thread of the process, for good.
pub(crate) fn apply() -> anyhow::Result<()> {
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    for resource in [Resource::Core, Resource::Fsize, Resource::Nproc, Resource::Memlock] {
        setrlimit(resource, none).context("a limit of the process cannot be set")?;
    }
    let files = Rlimit { current: Some(MAX_OPEN_FILES), maximum: Some(MAX_OPEN_FILES) };
    setrlimit(Resource::Nofile, files).context("a limit of the process cannot be set")?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    rustix::thread::set_no_new_privs(true)?;
    let filter = filter()?;
    seccompiler::apply_filter_all_threads(&filter).context("the filter of system calls cannot be set")
}

/// Reading from the parent, writing to it, memory, time and threads that wait for each other. No call that takes a path,
/// an address of the network or a process is among them, and no memory becomes executable any more.
fn filter() -> anyhow::Result<BpfProgram> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    let is =
        |argument, value| SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value);
    let rule = |condition| SeccompRule::new(vec![condition]);
    rules.insert(libc::SYS_read, vec![rule(is(0, 0)?)?]);
    rules.insert(libc::SYS_write, vec![rule(is(0, 1)?)?, rule(is(0, 2)?)?]);
    let executable = libc::PROT_EXEC as u64;
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        let masked = SeccompCmpOp::MaskedEq(executable);
        let condition = SeccompCondition::new(2, SeccompCmpArgLen::Dword, masked, 0)?;
        rules.insert(call, vec![rule(condition)?]);
    }
    // What is refused fails instead of killing: the allocator asks for a setting in /proc, and lives without it.
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Errno(libc::EACCES as u32),
        SeccompAction::Allow,
        std::env::consts::ARCH.try_into()?,
    )?;
    Ok(filter.try_into()?)
}

const ALLOWED: &[i64] = &[
    libc::SYS_brk,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_getpid,
    libc::SYS_getrandom,
    libc::SYS_gettid,
    libc::SYS_madvise,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
    libc::SYS_ppoll,
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_yield,
    libc::SYS_sigaltstack,
];
