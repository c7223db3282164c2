//! Gives up everything that a script must not have, in an order in which each step is still allowed.

use std::io;

use crate::filter::Filters;

/// The bounds of the whole process, from the command line. They stand behind the limits of the single run.
pub(crate) struct Ceilings {
    address_space_bytes: u64,
    cpu_s: u64,
    /// Whether it bears workers and is none itself.
    pub(crate) is_nursery: bool,
    /// A forbidden act to try after the lock-down, instead of serving. The escape suite uses it.
    pub(crate) probe: Option<String>,
}

impl Ceilings {
    const DEFAULT_ADDRESS_SPACE_BYTES: u64 = 512 * 1024 * 1024;
    const DEFAULT_CPU_S: u64 = 60;

    pub(crate) fn from_args(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut ceilings = Self {
            address_space_bytes: Self::DEFAULT_ADDRESS_SPACE_BYTES,
            cpu_s: Self::DEFAULT_CPU_S,
            is_nursery: false,
            probe: None,
        };
        while let Some(flag) = args.next() {
            if flag == "--nursery" {
                ceilings.is_nursery = true;
                continue;
            }
            let value = args.next().ok_or_else(|| format!("{flag} needs a value"))?;
            let number = || value.parse::<u64>().map_err(|_| format!("{flag} needs a whole number"));
            match flag.as_str() {
                "--address-space-bytes" => ceilings.address_space_bytes = number()?,
                "--cpu-s" => ceilings.cpu_s = number()?,
                "--probe" => ceilings.probe = Some(value),
                other => return Err(format!("unknown argument {other}")),
            }
        }
        Ok(ceilings)
    }
}

/// What even a nursery does without; its forks inherit it.
pub(crate) fn withdraw() -> Result<(), String> {
    die_with_parent()?;
    close_inherited_files()?;
    forget_environment();
    hide_memory()
}

/// After this the process can compute, read stdin, write stdout and stderr, and end.
pub(crate) fn engage(ceilings: &Ceilings, filters: &Filters) -> Result<(), String> {
    // Once more: a fork does not inherit the first, and has its nursery's files.
    die_with_parent()?;
    close_inherited_files()?;
    limit_resources(ceilings)?;
    filters.install()
}

fn checked(what: &str, result: libc::c_int) -> Result<(), String> {
    if result == 0 { Ok(()) } else { Err(format!("{what}: {}", io::Error::last_os_error())) }
}

fn die_with_parent() -> Result<(), String> {
    // SAFETY: plain integers in, no memory involved.
    checked("PR_SET_PDEATHSIG", unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) })
}

fn close_inherited_files() -> Result<(), String> {
    // SAFETY: nothing in this process owns a descriptor above stderr yet.
    let result = unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, 0_u32) };
    checked("close_range", libc::c_int::from(result != 0))
}

fn forget_environment() {
    // SAFETY: the process has one thread, and nothing holds a pointer into the environment.
    unsafe { libc::clearenv() };
}

fn limit_resources(ceilings: &Ceilings) -> Result<(), String> {
    let limits = [
        ("RLIMIT_AS", libc::RLIMIT_AS, ceilings.address_space_bytes),
        ("RLIMIT_CPU", libc::RLIMIT_CPU, ceilings.cpu_s),
        ("RLIMIT_NOFILE", libc::RLIMIT_NOFILE, 3),
        ("RLIMIT_NPROC", libc::RLIMIT_NPROC, 0),
        ("RLIMIT_FSIZE", libc::RLIMIT_FSIZE, 0),
        ("RLIMIT_CORE", libc::RLIMIT_CORE, 0),
    ];
    for (name, resource, value) in limits {
        // The second between the two tells a process that has used up its time (SIGXCPU) from one that was killed.
        let grace = u64::from(resource == libc::RLIMIT_CPU);
        let limit = libc::rlimit { rlim_cur: value, rlim_max: value + grace };
        // SAFETY: the pointer is to a live rlimit.
        checked(name, unsafe { libc::setrlimit(resource, &limit) })?;
    }
    Ok(())
}

/// No debugger and no core dump reads what a script was given; and no later step gains a privilege.
fn hide_memory() -> Result<(), String> {
    // SAFETY: plain integers in, no memory involved.
    checked("PR_SET_DUMPABLE", unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0) })?;
    // SAFETY: as above.
    checked("PR_SET_NO_NEW_PRIVS", unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) })
}
