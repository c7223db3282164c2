//! Memory and time of a guest.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use wasmtime::{ResourceLimiter, StoreContextMut, UpdateDeadline};

use super::{State, Ticker, stop::Stop};
use crate::protocol::{FailureKind, Limits};

/// What the interpreter may take until it waits for a script.
const WARM_UP_MEMORY_BYTES: usize = 256 << 20;
const WARM_UP_CPU: Duration = Duration::from_secs(60);
const WARM_UP_WALL: Duration = Duration::from_secs(600);
/// A module has a handful of tables and instances; a guest cannot make more.
const MAX_TABLE_ELEMENTS: usize = 1 << 20;

/// What the guest may take, and what it took.
pub(super) struct Allowance {
    memory_bytes: usize,
    cpu: Duration,
    cpu_from: Duration,
    wall: Duration,
    wall_from: Instant,
    ticker: Ticker,
    /// Whether memory was refused.
    pub(super) starved: bool,
    /// Whether it was just now, and nobody has looked where.
    unseen: bool,
}

impl Allowance {
    pub(super) fn new(ticker: Ticker) -> Self {
        Self {
            memory_bytes: WARM_UP_MEMORY_BYTES,
            cpu: WARM_UP_CPU,
            cpu_from: cpu_time(),
            wall: WARM_UP_WALL,
            wall_from: Instant::now(),
            ticker,
            starved: false,
            unseen: false,
        }
    }

    /// The script begins: from here on its own limits hold, beyond what the interpreter has already.
    pub(super) fn begin(&mut self, held_bytes: usize, limits: &Limits) {
        self.memory_bytes = held_bytes.saturating_add(limits.memory_bytes);
        self.cpu = Duration::from_millis(limits.cpu_ms);
        self.cpu_from = cpu_time();
        self.wall = Duration::from_millis(limits.wall_ms);
        self.wall_from = Instant::now();
    }

    /// What the parent takes for an answer is not the script's time.
    pub(super) fn pardon(&mut self, waited: Duration) {
        self.wall_from += waited;
    }

    pub(super) fn wall_left(&self) -> Duration {
        self.wall.saturating_sub(self.wall_from.elapsed())
    }

    pub(super) fn wall_passed(&self) -> Stop {
        let ms = self.wall.as_millis();
        Stop::failed(FailureKind::Wall, format!("the script ran for more than {ms} ms"))
    }
}

impl ResourceLimiter for Allowance {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let fits = desired <= self.memory_bytes;
        if !fits {
            (self.starved, self.unseen) = (true, true);
            self.ticker.call();
        }
        Ok(fits)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= MAX_TABLE_ELEMENTS)
    }
}

/// At every beat: has the guest computed, or been there, for long enough?
pub(super) fn at_beat(mut guest: StoreContextMut<'_, State>) -> wasmtime::Result<UpdateDeadline> {
    if std::mem::take(&mut guest.data_mut().allowance.unseen) {
        // The `MemoryError` unwinds the frames, and may have no memory to keep their traceback.
        starved_here(&mut guest);
    }
    let allowance = &guest.data().allowance;
    if cpu_time().saturating_sub(allowance.cpu_from) >= allowance.cpu {
        let ms = allowance.cpu.as_millis();
        return Err(
            Stop::failed(FailureKind::Cpu, format!("the script computed for more than {ms} ms")).into()
        );
    }
    if allowance.wall_left().is_zero() {
        return Err(allowance.wall_passed().into());
    }
    Ok(UpdateDeadline::Continue(1))
}

fn starved_here(guest: &mut StoreContextMut<'_, State>) {
    let Some(memory) = guest.data().memory else { return };
    let (memory, state) = memory.data_and_store_mut(guest);
    let calls = state.stack.calls(memory);
    // Unwinding takes memory too, and so does telling of the end.
    if calls.are_of_a_script() && !calls.are_outside(&state.starved_at) {
        state.starved_at = calls;
    }
}

/// Of this thread: waiting for an answer costs nothing.
pub(crate) fn cpu_time() -> Duration {
    duration(clock_gettime(ClockId::ThreadCPUTime))
}

pub(crate) fn duration(time: rustix::time::Timespec) -> Duration {
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
