//! A thread that starts workers.
//!
//! A worker dies with the thread that started it (so that none outlives the server). The runtime's own threads come and
//! go; this one lives as long as its pool. It also keeps the cost of a fork away from the calls that run.

use std::{io, sync::mpsc};

use tokio::{runtime::Handle, sync::oneshot};

use super::{
    Failure, FailureKind,
    worker::{Worker, WorkerProgram},
};

/// Starts that wait at a time; the pool asks for fewer.
const MAX_QUEUED: usize = 1_024;

type Reply = oneshot::Sender<io::Result<Worker>>;

pub(super) struct Spawner {
    jobs: mpsc::SyncSender<Reply>,
}

impl Spawner {
    /// Must be called inside a tokio runtime.
    pub(super) fn new(program: WorkerProgram) -> io::Result<Self> {
        let (jobs, queue) = mpsc::sync_channel::<Reply>(MAX_QUEUED);
        let runtime = Handle::current();
        std::thread::Builder::new().name("sandbox-spawner".to_owned()).spawn(move || {
            let _entered = runtime.enter();
            // Ends when the pool is gone, and its sender with it.
            for reply in queue {
                if !reply.is_closed() {
                    // A caller that gave up meanwhile drops the worker, which ends it.
                    let _ = reply.send(Worker::spawn(&program));
                }
            }
        })?;
        Ok(Self { jobs })
    }

    pub(super) async fn spawn(&self) -> Result<Worker, Failure> {
        let unavailable =
            |why: String| Failure::new(FailureKind::Unavailable, format!("no sandbox worker: {why}"));
        let (reply, worker) = oneshot::channel();
        self.jobs.try_send(reply).map_err(|e| unavailable(e.to_string()))?;
        let mut worker =
            worker.await.map_err(|e| unavailable(e.to_string()))?.map_err(|e| unavailable(e.to_string()))?;
        worker.ready().await.map_err(|failure| unavailable(failure.message))?;
        Ok(worker)
    }
}
