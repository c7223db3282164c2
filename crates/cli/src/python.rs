//! The Python runtimes: the default one runs in the worker beside this program, the full one where it was installed.

use std::{path::PathBuf, sync::Arc};

use anyhow::Context;
use rand::RngExt;
use toolgate_runtimes::python::{
    Offer, PoolOptions, PythonLimits, PythonRuntime, Sandbox, SnapshotSeal, WorkerBuild, WorkerProgram,
    WorkerSandbox, find_worker,
};
use toolgate_store::Settings;

use crate::{commands::sandbox, config::Config};

/// `None` when there is no worker: then tools of kind `python` cannot be saved or called, and the log says why.
pub(crate) async fn runtime(
    config: &Config,
    settings: &dyn Settings,
) -> anyhow::Result<Option<PythonRuntime>> {
    let (limits, pool) = (PythonLimits::of(&config.limits), PoolOptions::of(&config.limits));
    let given = config.sandbox.worker.as_deref();
    let default = match (find_worker(given), WorkerBuild::of(given)) {
        (Ok(worker), _) => {
            let sandbox = WorkerSandbox::default_runtime(WorkerProgram::new(worker), &limits, pool.clone())
                .context("the Python sandbox cannot be started")?;
            Offer::of(Arc::new(sandbox))
        }
        (Err(_), Some(build)) => {
            tracing::info!("the Python worker is being built: scripts wait for it");
            let (limits, pool) = (limits.clone(), pool.clone());
            Offer::opening("its worker is being built", move || {
                open_when_built(build.clone(), limits.clone(), pool.clone())
            })
        }
        (Err(why), None) => {
            tracing::warn!(%why, "Python tools are not offered");
            return Ok(None);
        }
    };
    default.begin();
    // Snapshots outlive the process, and go on in another one of the same installation.
    let key = settings.get_or_init("snapshot_key", &rand::rng().random::<[u8; 32]>()).await?;
    let key = key.as_slice().try_into().context("the key that seals snapshots has another length")?;
    let runtime = PythonRuntime::new(default, limits, SnapshotSeal::new(key));
    let directory = config.sandbox.full_dir.clone().unwrap_or_else(|| config.data_dir.join("sandbox"));
    if !directory.join("manifest.json").is_file() {
        return Ok(Some(runtime));
    }
    let worker = match sandbox::find_worker(config.sandbox.full_worker.as_deref()) {
        Ok(worker) => worker,
        Err(failure) => {
            tracing::warn!(why = %failure.message, "the full Python runtime is installed and not offered");
            return Ok(Some(runtime));
        }
    };
    // An interpreter of its own is heavy: one stands ready.
    let pool = PoolOptions { min_idle: pool.min_idle.min(1), ..pool };
    let full = Offer::opening("it is being checked", move || {
        open_full(worker.clone(), directory.clone(), pool.clone())
    });
    full.begin();
    Ok(Some(runtime.with_full(full)))
}

async fn open_when_built(
    build: WorkerBuild,
    limits: PythonLimits,
    pool: PoolOptions,
) -> Result<Arc<dyn Sandbox>, String> {
    let program = WorkerProgram::new(build.ended().await?);
    let sandbox = WorkerSandbox::default_runtime(program, &limits, pool).map_err(|e| e.to_string())?;
    Ok(Arc::new(sandbox))
}

/// What was installed is native code: it is held against its checksums once, and the workers are told the result.
async fn open_full(
    worker: PathBuf,
    directory: PathBuf,
    pool: PoolOptions,
) -> Result<Arc<dyn Sandbox>, String> {
    let directory = directory.canonicalize().map_err(|e| e.to_string())?;
    let manifest = sandbox::check(&worker, &directory).await.map_err(|e| e.to_string())??;
    let stamp = manifest["stamp"].as_str().ok_or("its manifest has no stamp")?.to_owned();
    let arguments = ["run".to_owned(), directory.display().to_string(), stamp];
    let program = WorkerProgram::new(worker).with_arguments(arguments);
    let sandbox = WorkerSandbox::full_runtime(program, pool).map_err(|e| e.to_string())?;
    Ok(Arc::new(sandbox))
}
