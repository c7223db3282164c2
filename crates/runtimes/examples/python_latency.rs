//! Measures what `1 + 1` costs in the default Python runtime: warm (a worker stands ready), cold (none does), and in a
//! closed loop that runs faster than workers start.
//!
//! `cargo run --release --example python_latency -- path/to/toolgate-sandbox`

#![expect(clippy::print_stdout, reason = "the numbers are what this program is for")]

use std::{path::Path, time::Duration, time::Instant};

use toolgate_runtimes::python::{
    Failure, NoHostCalls, PoolOptions, PythonLimits, Sandbox, Script, WorkerProgram, WorkerSandbox,
    find_worker, host,
};

const RUNS: usize = 200;

#[tokio::main]
async fn main() -> Result<(), String> {
    let given = std::env::args().nth(1);
    let program = WorkerProgram::new(find_worker(given.as_deref().map(Path::new))?);
    let limits = PythonLimits::default();
    let sandbox = |min_idle| {
        let options = PoolOptions { min_idle, ..PoolOptions::default() };
        WorkerSandbox::default_runtime(program.clone(), &limits, options).map_err(|e| e.to_string())
    };
    let warm = sandbox(8)?;
    report("warm", measure(&warm, &limits, Duration::from_millis(20)).await);
    report("closed loop", measure(&warm, &limits, Duration::ZERO).await);
    report("cold", measure(&sandbox(0)?, &limits, Duration::from_millis(5)).await);
    Ok(())
}

/// Microseconds of each run, sorted; `pause` lies between two runs.
async fn measure(
    sandbox: &dyn Sandbox,
    limits: &PythonLimits,
    pause: Duration,
) -> Result<Vec<u128>, Failure> {
    let script = Script { code: "1 + 1".to_owned(), ..Script::default() };
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let begun = Instant::now();
        host::run(sandbox, &script, limits, &NoHostCalls).await?;
        times.push(begun.elapsed().as_micros());
        tokio::time::sleep(pause).await;
    }
    times.sort_unstable();
    Ok(times)
}

fn report(name: &str, times: Result<Vec<u128>, Failure>) {
    match times {
        Ok(times) => {
            println!("{name:12} median {:>6} µs   p95 {:>6} µs", times[RUNS / 2], times[RUNS * 95 / 100]);
        }
        Err(failure) => println!("{name:12} failed: {}", failure.summary()),
    }
}
