//! What the host knows of a guest.

use std::{sync::Arc, time::Duration};

use memmap2::Mmap;
use wasmtime::{Memory, Store};

use super::{
    Random, Ticker,
    limits::{Allowance, at_beat},
    stop::Stop,
};
use crate::{
    protocol::{Failure, FailureKind, Limits},
    stack::{self, Calls, Stack},
    wasi::Files,
};

pub(crate) struct State {
    /// Set once the guest exists; its functions cannot be called before.
    pub(crate) memory: Option<Memory>,
    pub(crate) files: Files,
    pub(crate) random: Random,
    pub(crate) ticker: Ticker,
    pub(super) allowance: Allowance,
    pub(super) stack: Stack,
    /// Where memory was last refused.
    pub(super) starved_at: Calls,
    pub(super) limits: Limits,
    pub(super) functions: Vec<String>,
    pub(super) code: String,
    pub(super) host_calls: u64,
    pub(super) has_script: bool,
    /// The script is compiled and not run.
    pub(super) is_check: bool,
    output: Vec<u8>,
}

impl State {
    pub(crate) fn new(stdlib: Arc<Mmap>, ticker: Ticker) -> Self {
        Self {
            memory: None,
            files: Files::new(stdlib),
            random: Random::new(&[]),
            allowance: Allowance::new(ticker.clone()),
            ticker,
            stack: Stack::default(),
            starved_at: Calls::default(),
            limits: Limits::default(),
            functions: Vec::new(),
            code: String::new(),
            host_calls: 0,
            has_script: false,
            is_check: false,
            output: Vec::new(),
        }
    }

    pub(crate) fn limit(store: &mut Store<Self>) {
        store.limiter(|state| &mut state.allowance);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(at_beat);
    }

    pub(crate) fn is_starved(&self) -> bool {
        self.allowance.starved
    }

    /// Says where the script of a failure was.
    pub(crate) fn locate(store: &mut Store<Self>, failure: Failure) -> Failure {
        let Some(memory) = store.data().memory else { return failure };
        let (memory, state) = memory.data_and_store_mut(store);
        let mut calls = state.stack.calls(memory);
        if failure.kind == FailureKind::Memory && !calls.are_of_a_script() {
            calls = std::mem::take(&mut state.starved_at);
        }
        stack::locate(failure, &calls, &state.code)
    }

    pub(crate) fn wall_left(&self) -> Duration {
        self.allowance.wall_left()
    }

    pub(crate) fn wall_passed(&self) -> Stop {
        self.allowance.wall_passed()
    }

    pub(crate) fn has_script(&self) -> bool {
        self.has_script
    }

    /// What the script prints. What does not fit any more is cut, and ends the run.
    pub(crate) fn print(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let max = self.limits.max_output_bytes;
        let room = max.saturating_sub(self.output.len());
        self.output.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if bytes.len() > room {
            return Err(Stop::failed(
                FailureKind::Output,
                format!("the script printed more than {max} bytes"),
            ));
        }
        Ok(())
    }

    pub(crate) fn printed(&self) -> String {
        String::from_utf8_lossy(&self.output).into_owned()
    }
}
