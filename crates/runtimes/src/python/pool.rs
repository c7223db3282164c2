//! Warm workers. Each serves one run and is thrown away; the next is started in the background.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use toolgate_domain::Limits;

use super::{
    Failure, FailureKind,
    spawner::Spawner,
    worker::{Worker, WorkerProgram},
};

#[derive(Clone, Debug)]
pub struct PoolOptions {
    /// Workers that stand ready.
    pub min_idle: usize,
    /// Scripts that run at a time. With `min_idle` this bounds the processes.
    pub max_running: usize,
    /// Callers that wait for a worker at a time; above it they are refused.
    pub max_queued: usize,
    /// Milliseconds that a caller waits for a worker.
    pub max_queue_ms: u64,
    /// Milliseconds in which a fresh worker must be ready.
    pub worker_start_ms: u64,
}

impl PoolOptions {
    /// As the operator set them.
    pub fn of(limits: &Limits) -> Self {
        let size = |limit: u64| {
            usize::try_from(limit).unwrap_or(Semaphore::MAX_PERMITS).min(Semaphore::MAX_PERMITS / 2)
        };
        Self {
            min_idle: size(limits.python_idle_workers),
            max_running: size(limits.python_running),
            max_queued: size(limits.python_queued),
            max_queue_ms: limits.python_queue_ms,
            worker_start_ms: limits.python_worker_start_ms,
        }
    }
}

impl Default for PoolOptions {
    fn default() -> Self {
        Self::of(&Limits::default())
    }
}

#[derive(Clone)]
pub(super) struct Pool {
    inner: Arc<Inner>,
}

struct Inner {
    options: PoolOptions,
    spawner: Spawner,
    running: Arc<Semaphore>,
    /// Callers that wait or run.
    admitted: Arc<Semaphore>,
    idle: Mutex<Idle>,
}

#[derive(Default)]
struct Idle {
    ready: VecDeque<Worker>,
    starting: usize,
}

/// A worker for one run. The place is free again when it is dropped.
pub(super) struct Lease {
    pub(super) worker: Worker,
    pool: Pool,
    _running: OwnedSemaphorePermit,
    _admitted: OwnedSemaphorePermit,
}

impl Drop for Lease {
    /// The next worker starts now and not when this one was taken: then it would take the processor from the run.
    fn drop(&mut self) {
        self.pool.refill();
    }
}

impl Pool {
    /// Must be called inside a tokio runtime; the first workers start in the background.
    pub(super) fn new(program: WorkerProgram, options: PoolOptions) -> std::io::Result<Self> {
        let inner = Inner {
            spawner: Spawner::new(program)?,
            running: Arc::new(Semaphore::new(options.max_running)),
            admitted: Arc::new(Semaphore::new(options.max_running.saturating_add(options.max_queued))),
            idle: Mutex::new(Idle::default()),
            options,
        };
        let pool = Self { inner: Arc::new(inner) };
        pool.refill();
        Ok(pool)
    }

    pub(super) async fn take(&self) -> Result<Lease, Failure> {
        let busy = || Failure::new(FailureKind::Busy, "all sandboxes are busy");
        let admitted = Arc::clone(&self.inner.admitted).try_acquire_owned().map_err(|_| busy())?;
        let patience = Duration::from_millis(self.inner.options.max_queue_ms);
        let running = timeout(patience, Arc::clone(&self.inner.running).acquire_owned()).await;
        let running = running.map_err(|_| busy())?.map_err(|_| busy())?;
        let worker = match self.inner.pop() {
            Some(worker) => worker,
            None => self.inner.start().await?,
        };
        Ok(Lease { worker, pool: self.clone(), _running: running, _admitted: admitted })
    }

    /// Starts, in the background, what is missing of the idle workers. Without a runtime the process is ending, and needs none.
    fn refill(&self) {
        let Ok(runtime) = Handle::try_current() else { return };
        while self.inner.claim_start() {
            let inner = Arc::clone(&self.inner);
            runtime.spawn(async move {
                let started = inner.start().await;
                let mut idle = inner.idle();
                idle.starting -= 1;
                // A worker that does not start is no catastrophe here: the caller who needs one sees why.
                if let Ok(worker) = started {
                    idle.ready.push_back(worker);
                }
            });
        }
    }
}

impl Inner {
    fn idle(&self) -> std::sync::MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn claim_start(&self) -> bool {
        let mut idle = self.idle();
        let missing = idle.ready.len() + idle.starting < self.options.min_idle;
        idle.starting += usize::from(missing);
        missing
    }

    /// An idle worker may have died: it is skipped.
    fn pop(&self) -> Option<Worker> {
        let mut idle = self.idle();
        std::iter::from_fn(|| idle.ready.pop_front()).find(Worker::is_alive)
    }

    async fn start(&self) -> Result<Worker, Failure> {
        let patience = Duration::from_millis(self.options.worker_start_ms);
        timeout(patience, self.spawner.spawn()).await.unwrap_or_else(|_| {
            Err(Failure::new(FailureKind::Unavailable, "the sandbox worker does not get ready"))
        })
    }
}
