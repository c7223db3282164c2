//! The beat at which a guest looks at its limits; silent while no guest computes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::Thread,
    time::Duration,
};

use wasmtime::Engine;

const BEAT: Duration = Duration::from_millis(10);

#[derive(Clone)]
pub(crate) struct Ticker {
    engine: Engine,
    beating: Arc<AtomicBool>,
    thread: Thread,
}

impl Ticker {
    pub(crate) fn start(engine: &Engine) -> std::io::Result<Self> {
        let beating = Arc::new(AtomicBool::new(false));
        let (beaten, beats) = (engine.clone(), Arc::clone(&beating));
        let (started, has_started) = std::sync::mpsc::sync_channel(1);
        let thread =
            std::thread::Builder::new().name("ticker".into()).stack_size(64 << 10).spawn(move || {
                let _ = started.send(());
                loop {
                    while !beats.load(Ordering::Acquire) {
                        std::thread::park();
                    }
                    std::thread::sleep(BEAT);
                    beaten.increment_epoch();
                }
            })?;
        // A thread that is still starting makes calls that the filter of the process would refuse.
        has_started.recv().map_err(std::io::Error::other)?;
        Ok(Self { engine: engine.clone(), beating, thread: thread.thread().clone() })
    }

    pub(crate) fn beat(&self) {
        self.beating.store(true, Ordering::Release);
        self.thread.unpark();
    }

    /// A beat out of turn: the guest comes by before it does anything else.
    pub(super) fn call(&self) {
        self.engine.increment_epoch();
    }

    pub(crate) fn rest(&self) {
        self.beating.store(false, Ordering::Release);
    }
}
