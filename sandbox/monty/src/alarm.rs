//! A deadline that the kernel keeps: one long operation inside the interpreter may never ask for the time.
//!
//! It counts what the process computes, not what passes: on a busy machine a script has as much as on a quiet one.

use std::{ptr, time::Duration};

/// Ends the process with SIGPROF after this much computing. The parent reads the signal as a run that computed too long.
pub(crate) fn set(after: Duration) {
    arm(after.as_secs(), after.subsec_micros());
}

/// The clock stands while the script waits for its parent.
pub(crate) fn clear() {
    arm(0, 0);
}

/// What this process has computed so far.
pub(crate) fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec. A refusal is impossible: every process has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

fn arm(seconds: u64, micros: u32) {
    let at = libc::timeval {
        tv_sec: libc::time_t::try_from(seconds).unwrap_or(libc::time_t::MAX),
        tv_usec: libc::suseconds_t::from(micros),
    };
    let never = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let timer = libc::itimerval { it_interval: never, it_value: at };
    // SAFETY: the pointer is to a live itimerval. A refusal is impossible: the values are in range.
    unsafe { libc::setitimer(libc::ITIMER_PROF, &timer, ptr::null_mut()) };
}
