//! Tools of kind `python`: scripts in a sandbox.

mod check;
mod config;
mod failure;
pub mod host;
mod limits;
mod locate;
mod nursery;
mod offer;
mod paused;
mod pool;
mod process;
mod run_python;
mod runtime;
mod sandbox;
mod seal;
mod self_test;
mod spawner;
mod tools;
mod wire;
mod worker;
mod worker_sandbox;

pub use config::{Choice, PythonConfig, Source};
pub use failure::{Failure, FailureKind};
pub use host::{HostAnswer, HostCalls, NoHostCalls, Progress};
pub use limits::PythonLimits;
pub use locate::{WorkerBuild, find_worker};
pub use offer::Offer;
pub use pool::PoolOptions;
pub use runtime::PythonRuntime;
pub use sandbox::{Answer, HostCall, Sandbox, SandboxRun, Script, Step};
pub use seal::{Binding, SealError, SnapshotSeal};
pub use self_test::self_test;
pub use worker::WorkerProgram;
pub use worker_sandbox::WorkerSandbox;
