//! Collects what the script prints, and stops a script that is past one of its limits.
//!
//! The interpreter asks here every few hundred instructions whether there is something to flush. A limit that is raised
//! at that place carries the script's line and traceback; the interpreter's own checks, a little above, do not.

use std::{
    borrow::Cow,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use monty_types::{BASELINE_MEMORY, ExcType, LIVE_MEMORY, MontyException, PrintWriterCallback};

use crate::{alarm, message::Limits, report::Kind};

/// Milliseconds above the limit at which the kernel ends a run that does not notice it.
const ALARM_MARGIN_MS: u64 = 500;

pub(crate) struct Output {
    pub(crate) text: String,
    limits: Limits,
    running_since: Since,
    /// What the script had computed when it last went on, and what had passed meanwhile.
    run_time: Duration,
    passed: Duration,
    /// The limit that the script has passed. It stays: a script that catches the exception has failed all the same.
    stopped: Option<Kind>,
}

impl Output {
    pub(crate) fn new(text: String, run_time: Duration, limits: Limits) -> Self {
        let (running_since, passed) = (Since::now(), Duration::ZERO);
        let mut output = Self { text, limits, running_since, run_time, passed, stopped: None };
        output.go_on();
        output
    }

    pub(crate) fn stopped(&self) -> Option<Kind> {
        self.stopped
    }

    /// The clocks stand while the script waits for its parent.
    pub(crate) fn pause(&mut self) {
        self.run_time += self.running_since.computed();
        self.passed += self.running_since.passed();
        alarm::clear();
    }

    pub(crate) fn go_on(&mut self) {
        self.running_since = Since::now();
        let allowed = Duration::from_millis(self.limits.cpu_ms.saturating_add(ALARM_MARGIN_MS));
        // Zero would mean no alarm at all.
        alarm::set(allowed.saturating_sub(self.run_time).max(Duration::from_millis(1)));
    }

    pub(crate) fn run_time(&self) -> Duration {
        self.run_time
    }

    /// The clock that has run out. On a busy machine little is computed in much time.
    fn out_of_time(&self) -> Option<Kind> {
        // One thread computes no longer than passes, and what has passed is known without a system call.
        let passed = self.running_since.passed();
        let cpu_left = Duration::from_millis(self.limits.cpu_ms).saturating_sub(self.run_time);
        if passed >= cpu_left && self.running_since.computed() >= cpu_left {
            return Some(Kind::Cpu);
        }
        (self.passed + passed >= Duration::from_millis(self.limits.wall_ms)).then_some(Kind::Wall)
    }

    fn stop(&mut self, kind: Kind) -> MontyException {
        self.stopped = Some(kind);
        let exception = match kind {
            Kind::Cpu | Kind::Wall => ExcType::TimeoutError,
            _ => ExcType::MemoryError,
        };
        MontyException::new(exception, Some(self.reason(kind)))
    }

    pub(crate) fn reason(&self, kind: Kind) -> String {
        match kind {
            Kind::Cpu => format!("the script computed for longer than {} ms", self.limits.cpu_ms),
            Kind::Wall => format!("the script ran for longer than {} ms", self.limits.wall_ms),
            Kind::Output => format!("the script printed more than {} bytes", self.limits.max_output_bytes),
            _ => format!("the script used more than {} bytes of memory", self.limits.memory_bytes),
        }
    }

    fn push(&mut self, piece: &str) -> Result<(), MontyException> {
        if self.text.len() + piece.len() > self.limits.max_output_bytes {
            return Err(self.stop(Kind::Output));
        }
        self.text.push_str(piece);
        Ok(())
    }
}

/// A moment on both clocks.
struct Since {
    passed: Instant,
    computed: Duration,
}

impl Since {
    fn now() -> Self {
        Self { passed: Instant::now(), computed: alarm::cpu_time() }
    }

    fn computed(&self) -> Duration {
        alarm::cpu_time().saturating_sub(self.computed)
    }

    fn passed(&self) -> Duration {
        self.passed.elapsed()
    }
}

impl PrintWriterCallback for Output {
    fn stdout_write(&mut self, output: Cow<'_, str>) -> Result<(), MontyException> {
        self.push(&output)
    }

    fn stdout_push(&mut self, end: char) -> Result<(), MontyException> {
        self.push(end.encode_utf8(&mut [0; 4]))
    }

    fn poll_flush(&mut self) -> Result<(), MontyException> {
        if let Some(kind) = self.stopped {
            return Err(self.stop(kind));
        }
        let used =
            LIVE_MEMORY.load(Ordering::Relaxed).saturating_sub(BASELINE_MEMORY.load(Ordering::Relaxed));
        if used > self.limits.memory_bytes {
            return Err(self.stop(Kind::Memory));
        }
        self.out_of_time().map_or(Ok(()), |kind| Err(self.stop(kind)))
    }
}
