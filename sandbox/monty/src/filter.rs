//! The system calls that remain: an allow-list. Anything else kills the process.

use std::collections::BTreeMap;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
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

/// Compiled once; a nursery's workers install what it has compiled.
pub(crate) struct Filters([BpfProgram; 2]);

impl Filters {
    pub(crate) fn compile() -> Result<Self, String> {
        let refusals = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
        let refused = SeccompAction::Errno(libc::EACCES as u32);
        allowed()
            .and_then(|allowed| {
                Ok(Self([
                    // Of two filters the kernel follows the stricter answer: this one turns an allowed call into EACCES.
                    program(refusals, SeccompAction::Allow, refused)?,
                    program(allowed, SeccompAction::KillProcess, SeccompAction::Allow)?,
                ]))
            })
            .map_err(|e| e.to_string())
    }

    pub(crate) fn install(&self) -> Result<(), String> {
        self.0.iter().try_for_each(|program| apply_filter(program).map_err(|e| e.to_string()))
    }
}

fn program(
    rules: Rules,
    mismatch: SeccompAction,
    on_match: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, mismatch, on_match, arch)?.try_into()
}

fn allowed() -> Result<Rules, BackendError> {
    let mut rules: Rules = ALLOWED.iter().chain(REFUSED).map(|call| (*call, Vec::new())).collect();
    rules.insert(libc::SYS_read, vec![SeccompRule::new(vec![first(0)?])?]);
    rules.insert(
        libc::SYS_write,
        vec![SeccompRule::new(vec![first(1)?])?, SeccompRule::new(vec![first(2)?])?],
    );
    rules.insert(libc::SYS_mmap, vec![SeccompRule::new(vec![not_executable()?, anonymous()?])?]);
    // The alarm that ends a run which never comes back to its checks.
    rules.insert(libc::SYS_setitimer, vec![SeccompRule::new(vec![first(libc::ITIMER_PROF as u64)?])?]);
    rules.insert(libc::SYS_mprotect, vec![SeccompRule::new(vec![not_executable()?])?]);
    Ok(rules)
}

/// The call's first argument is this number.
fn first(number: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, number)
}

fn not_executable() -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(2, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(libc::PROT_EXEC as u64), 0)
}

fn anonymous() -> Result<SeccompCondition, BackendError> {
    let no_file = u64::from(u32::MAX);
    SeccompCondition::new(4, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, no_file)
}
