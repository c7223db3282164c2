//! Memory and time of a guest.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use wasmtime::{ResourceLimiter, UpdateDeadline};

use super::{State, stop::Stop};
use crate::protocol::FailureKind;

/// What the interpreter may take until it waits for a script.
const WARM_UP_MEMORY_BYTES: usize = 256 << 20;
const WARM_UP_CPU: Duration = Duration::from_secs(60);
/// A module has a handful of tables and instances; a guest cannot make more.
const MAX_TABLE_ELEMENTS: usize = 1 << 20;

/// What the guest may take, and what it took.
pub(super) struct Allowance {
    memory_bytes: usize,
    cpu: Duration,
    cpu_from: Duration,
    /// Whether memory was refused.
    pub(super) starved: bool,
}

impl Allowance {
    pub(super) fn new() -> Self {
        Self { memory_bytes: WARM_UP_MEMORY_BYTES, cpu: WARM_UP_CPU, cpu_from: cpu_time(), starved: false }
    }

    /// The script begins: from here on its own limits hold, beyond what the interpreter has already.
    pub(super) fn begin(&mut self, held_bytes: usize, memory_bytes: usize, cpu_ms: u64) {
        self.memory_bytes = held_bytes.saturating_add(memory_bytes);
        self.cpu = Duration::from_millis(cpu_ms);
        self.cpu_from = cpu_time();
    }
}

impl ResourceLimiter for Allowance {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let fits = desired <= self.memory_bytes;
        self.starved |= !fits;
        Ok(fits)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= MAX_TABLE_ELEMENTS)
    }
}

/// At every beat: has the guest computed long enough?
pub(super) fn at_beat(state: &State) -> wasmtime::Result<UpdateDeadline> {
    let allowance = &state.allowance;
    if cpu_time().saturating_sub(allowance.cpu_from) < allowance.cpu {
        return Ok(UpdateDeadline::Continue(1));
    }
    let ms = allowance.cpu.as_millis();
    Err(Stop::failed(FailureKind::Cpu, format!("the script computed for more than {ms} ms")).into())
}

/// Of this thread: waiting for an answer costs nothing.
pub(crate) fn cpu_time() -> Duration {
    duration(clock_gettime(ClockId::ThreadCPUTime))
}

pub(crate) fn duration(time: rustix::time::Timespec) -> Duration {
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
