//! The worker: load, lock down, warm up, run one script.

use std::{path::Path, process::ExitCode, sync::Arc};

use anyhow::{Context, anyhow, bail};
use memmap2::Mmap;
use wasmtime::{Engine, InstancePre, Linker, Module, Store};

use crate::{
    engine,
    guest::{self, State, Stop, Ticker},
    lockdown, manifest,
    protocol::{Failure, FailureKind, Report},
    wasi,
};

struct Worker {
    engine: Engine,
    interpreter: InstancePre<State>,
    stdlib: Arc<Mmap>,
    ticker: Ticker,
}

/// The parent broke the protocol.
const EXIT_PROTOCOL: u8 = 64;
/// The process could not be locked down, and ran nothing.
const EXIT_LOCKDOWN: u8 = 70;

/// `run DIR [STAMP]`.
pub(crate) fn run(directory: &Path, stamp: Option<&str>) -> anyhow::Result<ExitCode> {
    lockdown::close_inherited();
    let worker = load(directory, stamp)?;
    std::env::set_current_dir("/")?;
    // A thread of its own, because the interpreter wants more stack than a process is sure to have.
    let guest = std::thread::Builder::new()
        .name("guest".into())
        .stack_size(engine::THREAD_STACK_BYTES)
        .spawn(move || serve(&worker))?;
    guest.join().map_err(|_| anyhow!("the worker panicked"))?
}

#[expect(unsafe_code, reason = "the code was compiled by us and its checksum was verified just now")]
fn load(directory: &Path, stamp: Option<&str>) -> anyhow::Result<Worker> {
    let engine = engine::new()?;
    let manifest::Verified { module, stdlib, .. } = manifest::verify(directory, &engine, stamp)?;
    let module = unsafe { Module::deserialize_open_file(&engine, module) }?;
    let mut linker = Linker::new(&engine);
    wasi::add(&mut linker)?;
    guest::add(&mut linker)?;
    let interpreter = linker.instantiate_pre(&module)?;
    let ticker = Ticker::start(&engine)?;
    Ok(Worker { engine, interpreter, stdlib: Arc::new(stdlib), ticker })
}

/// One interpreter, one script, the end: nothing of a script is there when the next one comes.
fn serve(worker: &Worker) -> anyhow::Result<ExitCode> {
    if let Err(error) = lockdown::apply() {
        crate::complain(&format!("error: {error:#}"));
        return Ok(ExitCode::from(EXIT_LOCKDOWN));
    }
    let state = State::new(Arc::clone(&worker.stdlib), worker.ticker.clone());
    let mut store = Store::new(&worker.engine, state);
    State::limit(&mut store);
    worker.ticker.beat();
    let instance = worker.interpreter.instantiate(&mut store)?;
    store.data_mut().memory = instance.get_memory(&mut store, "memory");
    let ended = instance.get_typed_func::<(), i32>(&mut store, "run")?.call(&mut store, ());
    worker.ticker.rest();
    let state = store.data();
    let (failure, status) = match ended.map_err(wasmtime::Error::downcast::<Stop>) {
        Err(Ok(Stop::Finished | Stop::ParentGone)) => return Ok(ExitCode::SUCCESS),
        Err(Ok(Stop::Broken(why))) => {
            (Failure::new(FailureKind::Protocol, why), ExitCode::from(EXIT_PROTOCOL))
        }
        ended if !state.has_script() => {
            bail!("the interpreter did not start: {ended:?}: {}", state.printed())
        }
        Ok(status) => (exited(status), ExitCode::SUCCESS),
        Err(Ok(Stop::Exit(status))) => (exited(status), ExitCode::SUCCESS),
        Err(Ok(Stop::Failed(failure))) => (*failure, ExitCode::SUCCESS),
        Err(Err(trap)) => (guest::failure(&trap, state.is_starved()), ExitCode::SUCCESS),
    };
    let failure = State::locate(&mut store, failure);
    let report = Report::Error(Failure { stdout: store.data().printed(), ..failure });
    crate::frame::write(&mut std::io::stdout().lock(), &report).context("the parent cannot be told")?;
    Ok(status)
}

fn exited(status: i32) -> Failure {
    let message = format!("the script ended the interpreter with status {status}");
    Failure { exception_type: Some("SystemExit".into()), ..Failure::new(FailureKind::Exception, message) }
}
