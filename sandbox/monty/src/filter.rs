//! The system calls that remain: an allow-list. Anything else kills the process.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Calls that carry no reach beyond the process.
const ALLOWED: &[i64] = &[
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_futex,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_sigaltstack,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigprocmask,
    libc::SYS_clock_gettime,
    libc::SYS_getrandom,
    libc::SYS_sched_yield,
    libc::SYS_restart_syscall,
    libc::SYS_getpid,
    libc::SYS_gettid,
];

/// Calls that libraries make on their own (the overcommit mode in `/proc`, the number of cores): refused, not deadly.
const REFUSED: &[i64] = &[libc::SYS_openat, libc::SYS_sched_getaffinity];

pub(crate) fn install() -> Result<(), String> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|e| e.to_string())?;
    let refusals = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    // Of two filters the kernel follows the stricter answer: this one turns an allowed call into EACCES.
    apply(refusals, SeccompAction::Allow, SeccompAction::Errno(libc::EACCES as u32), arch)?;
    apply(allowed().map_err(|e| e.to_string())?, SeccompAction::KillProcess, SeccompAction::Allow, arch)
}

fn apply(
    rules: Rules,
    mismatch: SeccompAction,
    on_match: SeccompAction,
    arch: TargetArch,
) -> Result<(), String> {
    let filter = SeccompFilter::new(rules, mismatch, on_match, arch).map_err(|e| e.to_string())?;
    let program: BpfProgram = filter.try_into().map_err(|e: seccompiler::BackendError| e.to_string())?;
    apply_filter(&program).map_err(|e| e.to_string())
}

fn allowed() -> Result<Rules, seccompiler::BackendError> {
    let mut rules: Rules = ALLOWED.iter().chain(REFUSED).map(|call| (*call, Vec::new())).collect();
    rules.insert(libc::SYS_read, vec![SeccompRule::new(vec![first(0)?])?]);
    rules.insert(
        libc::SYS_write,
        vec![SeccompRule::new(vec![first(1)?])?, SeccompRule::new(vec![first(2)?])?],
    );
    rules.insert(libc::SYS_mmap, vec![SeccompRule::new(vec![not_executable()?, anonymous()?])?]);
    // The alarm that ends a run which never comes back to its checks.
    rules.insert(libc::SYS_setitimer, vec![SeccompRule::new(vec![first(libc::ITIMER_REAL as u64)?])?]);
    rules.insert(libc::SYS_mprotect, vec![SeccompRule::new(vec![not_executable()?])?]);
    Ok(rules)
}

/// The call's first argument is this number.
fn first(number: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, number)
}

fn not_executable() -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(2, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(libc::PROT_EXEC as u64), 0)
}

fn anonymous() -> Result<SeccompCondition, seccompiler::BackendError> {
    let no_file = u64::from(u32::MAX);
    SeccompCondition::new(4, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, no_file)
}
