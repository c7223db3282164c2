//! A sandbox made of worker processes that speak the protocol. Which Python is inside is the worker's affair.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use data_encoding::BASE64;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::{
    Answer, Failure, FailureKind, HostCall, PoolOptions, PythonLimits, Sandbox, SandboxRun, Script, Step,
    WorkerProgram, check,
    pool::{Lease, Pool},
    wire::with_answer,
};

/// A worker keeps the clock itself; this long it may take to say where its script was. Then it is killed.
const LAST_WORD: Duration = Duration::from_secs(1);

pub struct WorkerSandbox {
    name: &'static str,
    can_snapshot: bool,
    program: WorkerProgram,
    pool: Pool,
}

impl WorkerSandbox {
    /// The full runtime: CPython. Must be called inside a tokio runtime, and so must the other.
    pub fn full_runtime(program: WorkerProgram, options: PoolOptions) -> std::io::Result<Self> {
        let pool = Pool::new(program.clone(), options)?;
        Ok(Self { name: "full", can_snapshot: false, pool, program })
    }

    /// The default runtime: the embedded interpreter, with process bounds that fit the limits of a run.
    pub fn default_runtime(
        program: WorkerProgram,
        limits: &PythonLimits,
        options: PoolOptions,
    ) -> std::io::Result<Self> {
        const OWN_BYTES: u64 = 128 * 1024 * 1024;
        let address_space = limits.memory_bytes.saturating_mul(2).saturating_add(OWN_BYTES);
        let cpu_s = limits.cpu_ms.div_ceil(1_000).saturating_add(1);
        let program = program.with_nursery().with_arguments([
            "--address-space-bytes".to_owned(),
            address_space.to_string(),
            "--cpu-s".to_owned(),
            cpu_s.to_string(),
        ]);
        let pool = Pool::new(program.clone(), options)?;
        Ok(Self { name: "default", can_snapshot: true, pool, program })
    }

    async fn open(&self, message: Value, limits: &PythonLimits) -> Result<Box<dyn SandboxRun>, Failure> {
        let lease = self.pool.take().await?;
        let wall_left = Duration::from_millis(limits.wall_ms).saturating_add(LAST_WORD);
        let mut run = WorkerRun { lease, wall_left, paused: false };
        run.send(&message).await?;
        Ok(Box::new(run))
    }
}

#[async_trait]
impl Sandbox for WorkerSandbox {
    fn name(&self) -> &'static str {
        self.name
    }

    fn can_snapshot(&self) -> bool {
        self.can_snapshot
    }

    fn check(&self, code: &str) -> Result<(), Failure> {
        check::check(&self.program, code)
    }

    async fn start(&self, script: &Script, limits: &PythonLimits) -> Result<Box<dyn SandboxRun>, Failure> {
        if script.code.len() as u64 > limits.max_code_bytes {
            let message = format!("the script is longer than {} bytes", limits.max_code_bytes);
            return Err(Failure::new(FailureKind::Syntax, message));
        }
        let message = json!({
            "type": "start",
            "code": script.code,
            "inputs": script.inputs,
            "functions": script.functions,
            "limits": limits.wire(),
        });
        self.open(message, limits).await
    }

    async fn restore(
        &self,
        snapshot: &[u8],
        answer: Answer,
        limits: &PythonLimits,
    ) -> Result<Box<dyn SandboxRun>, Failure> {
        let message = json!({"type": "restore", "data": BASE64.encode(snapshot), "limits": limits.wire()});
        self.open(with_answer(message, answer), limits).await
    }
}

struct WorkerRun {
    lease: Lease,
    /// The clock on the wall runs while the worker works, and stands while it waits for us.
    wall_left: Duration,
    paused: bool,
}

impl WorkerRun {
    /// Gives the worker what is left of its time. A worker that is late is killed with the run.
    async fn within<T>(
        wall_left: &mut Duration,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let begun = Instant::now();
        let result = timeout(*wall_left, work).await;
        *wall_left = wall_left.saturating_sub(begun.elapsed());
        result.unwrap_or_else(|_| Err(Failure::new(FailureKind::Wall, "the script ran longer than it may")))
    }

    async fn send(&mut self, message: &Value) -> Result<(), Failure> {
        Self::within(&mut self.wall_left, self.lease.worker.send(message)).await
    }

    async fn receive(&mut self) -> Result<Value, Failure> {
        Self::within(&mut self.wall_left, self.lease.worker.receive()).await
    }

    fn must_be_paused(&self) -> Result<(), Failure> {
        if self.paused {
            Ok(())
        } else {
            Err(Failure::new(FailureKind::Protocol, "the script is not paused on a host call"))
        }
    }
}

#[async_trait]
impl SandboxRun for WorkerRun {
    async fn step(&mut self) -> Result<Step, Failure> {
        let mut message = self.receive().await?;
        match message["type"].as_str() {
            Some("host_call") => {
                self.paused = true;
                host_call(&mut message).map(Step::HostCall)
            }
            Some("done") => Ok(Step::Done {
                value: message["value"].take(),
                stdout: message["stdout"].as_str().unwrap_or_default().to_owned(),
            }),
            Some("error") => Err(Failure::from_wire(&message)),
            _ => Err(unexpected()),
        }
    }

    async fn resume(&mut self, answer: Answer) -> Result<(), Failure> {
        self.must_be_paused()?;
        self.paused = false;
        self.send(&with_answer(json!({"type": "resume"}), answer)).await
    }

    async fn snapshot(&mut self) -> Result<Vec<u8>, Failure> {
        self.must_be_paused()?;
        self.send(&json!({"type": "snapshot"})).await?;
        let message = self.receive().await?;
        let data =
            message["data"].as_str().filter(|_| message["type"] == "snapshot").ok_or_else(unexpected)?;
        BASE64.decode(data.as_bytes()).map_err(|_| unexpected())
    }
}

fn unexpected() -> Failure {
    Failure::new(FailureKind::Protocol, "the sandbox worker said something out of turn")
}

fn host_call(message: &mut Value) -> Result<HostCall, Failure> {
    let seq = message["seq"].as_u64().ok_or_else(unexpected)?;
    let function = message["function"].as_str().ok_or_else(unexpected)?.to_owned();
    let (Value::Array(args), Value::Object(kwargs)) = (message["args"].take(), message["kwargs"].take())
    else {
        return Err(unexpected());
    };
    let kwargs: Map<String, Value> = kwargs;
    Ok(HostCall { seq, function, args, kwargs })
}
