//! The engine's settings. Compiled code is bound to them: whoever changes one gives every installation a new identity.

use std::hash::{Hash, Hasher};

use sha2::{Digest, Sha256};
use wasmtime::{Config, Engine};

/// What CPython's own frames may take; the guest's thread has room for the host's functions below them.
const WASM_STACK_BYTES: usize = 8 << 20;
pub(crate) const THREAD_STACK_BYTES: usize = WASM_STACK_BYTES + (4 << 20);

pub(crate) fn new() -> anyhow::Result<Engine> {
    let mut config = Config::new();
    config
        // How the time limit stops a loop that never calls anybody.
        .epoch_interruption(true)
        .max_wasm_stack(WASM_STACK_BYTES)
        // Unused, but it must not be smaller.
        .async_stack_size(THREAD_STACK_BYTES)
        // CPython's build uses exceptions for setjmp; nothing else is needed beyond the defaults.
        .wasm_exceptions(true)
        // Nobody reads the addresses of the interpreter's own functions, and they are a third of the file.
        .generate_address_map(false)
        .wasm_backtrace_max_frames(None);
    Ok(Engine::new(&config)?)
}

/// Which code this engine can run: its version, its settings and the processor it compiles for.
pub(crate) fn identity(engine: &Engine) -> String {
    let mut digest = Feed(Sha256::new());
    engine.precompile_compatibility_hash().hash(&mut digest);
    let digest = crate::manifest::hex(&digest.0.finalize());
    format!("wasmtime {} {}", version(), &digest[..16])
}

/// The engine does not say its version, the lock file does.
fn version() -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry =
        lock.split("[[package]]").find(|entry| entry.trim_start().starts_with("name = \"wasmtime\"\n"));
    entry.and_then(|entry| entry.split("version = \"").nth(1)?.split('"').next()).unwrap_or("unknown")
}

/// The standard hasher may change with the compiler; this one does not.
struct Feed(Sha256);

impl Hasher for Feed {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}
