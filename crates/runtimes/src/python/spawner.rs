//! A thread that starts workers, and waits for those that have ended.
//!
//! A worker dies with the thread that started it (so that none outlives the server). The runtime's own threads come and
//! go; this one lives as long as its pool. It also keeps the cost of a start away from the calls that run.

use std::{
    io,
    os::fd::OwnedFd,
    sync::{Arc, mpsc},
};

use tokio::{runtime::Handle, sync::oneshot};

use super::{
    Failure, FailureKind,
    nursery::{Born, Nursery},
    process::{self, Process},
    worker::{Worker, WorkerProgram},
};

/// The queue is as long as the pool has processes, which it bounds.
pub(super) enum Job {
    /// The sender is the new worker's, to say when it has ended.
    Start(oneshot::Sender<io::Result<Worker>>, mpsc::Sender<Job>),
    /// A process that was killed.
    Bury(Arc<OwnedFd>),
}

pub(super) struct Spawner {
    jobs: mpsc::Sender<Job>,
}

impl Spawner {
    /// Must be called inside a tokio runtime.
    pub(super) fn new(program: WorkerProgram) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel();
        let mut starts = Starts { program, nursery: None };
        let runtime = Handle::current();
        std::thread::Builder::new().name("sandbox-spawner".to_owned()).spawn(move || {
            let _entered = runtime.enter();
            // Ends when the pool is gone, and every worker with it.
            for job in queue {
                match job {
                    // A caller that gives up meanwhile drops the worker, which ends it.
                    Job::Start(reply, jobs) if !reply.is_closed() => drop(reply.send(starts.start(jobs))),
                    Job::Start(..) => {}
                    // It fails where somebody has waited for this one already.
                    Job::Bury(handle) => drop(process::wait(&handle)),
                }
            }
        })?;
        Ok(Self { jobs })
    }

    pub(super) async fn spawn(&self) -> Result<Worker, Failure> {
        let unavailable =
            |why: String| Failure::new(FailureKind::Unavailable, format!("no sandbox worker: {why}"));
        let (reply, worker) = oneshot::channel();
        self.jobs.send(Job::Start(reply, self.jobs.clone())).map_err(|e| unavailable(e.to_string()))?;
        let mut worker =
            worker.await.map_err(|e| unavailable(e.to_string()))?.map_err(|e| unavailable(e.to_string()))?;
        worker.ready().await.map_err(|failure| unavailable(failure.message))?;
        Ok(worker)
    }
}

/// How workers start: each by itself, or from a nursery.
struct Starts {
    program: WorkerProgram,
    nursery: Option<Nursery>,
}

impl Starts {
    fn start(&mut self, jobs: mpsc::Sender<Job>) -> io::Result<Worker> {
        if !self.program.has_nursery {
            let mut child = self.program.command().spawn()?;
            let process = Process::of_child(child.id(), jobs)?;
            return match (child.stdin.take(), child.stdout.take()) {
                (Some(input), Some(output)) => Worker::new(process, input.into(), output.into()),
                _ => Err(io::Error::other("the worker has no pipes")),
            };
        }
        let Born { pid, input, output } = self.bear()?;
        Worker::new(Process::of_child(pid, jobs)?, input, output)
    }

    /// A nursery that has gone is replaced once.
    fn bear(&mut self) -> io::Result<Born> {
        if let Some(nursery) = &mut self.nursery
            && let Ok(born) = nursery.bear()
        {
            return Ok(born);
        }
        self.nursery = None;
        self.nursery.insert(Nursery::start(&self.program)?).bear()
    }
}
