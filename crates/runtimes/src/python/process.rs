//! A worker's process, held by a descriptor: no signal can reach another one that came after it under its number.

use std::{
    io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::process::ExitStatusExt,
    },
    process::ExitStatus,
    sync::{Arc, mpsc},
};

use super::spawner::Job;
use rustix::{
    io::retry_on_intr,
    process::{
        Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitIdStatus, pidfd_open, pidfd_send_signal, waitid,
    },
};

/// Killed when dropped; the spawner's thread then waits for its end.
pub(super) struct Process {
    handle: Arc<OwnedFd>,
    spawner: mpsc::Sender<Job>,
}

impl Process {
    /// A child of ours that nobody waits for. Until we do, its number is its own.
    pub(super) fn of_child(pid: u32, spawner: mpsc::Sender<Job>) -> io::Result<Self> {
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
        let pid = pid.ok_or_else(|| io::Error::other("no number of a process"))?;
        Ok(Self { handle: Arc::new(pidfd_open(pid, PidfdFlags::empty())?), spawner })
    }

    pub(super) fn is_alive(&self) -> bool {
        let peek = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        matches!(waitid(WaitId::PidFd(self.handle.as_fd()), peek), Ok(None))
    }

    /// How it ended. Waits for the end; whoever gives up drops the process, which brings the end.
    pub(super) async fn ended(&self) -> io::Result<ExitStatus> {
        let handle = Arc::clone(&self.handle);
        let status = tokio::task::spawn_blocking(move || wait(&handle)).await??;
        status.map(exit_status).ok_or_else(|| io::Error::other("it ended without a word"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only for what is over already: a process that has ended, a pool that is gone.
        let _ = pidfd_send_signal(&self.handle, Signal::KILL);
        let _ = self.spawner.send(Job::Bury(Arc::clone(&self.handle)));
    }
}

/// Waits for the end of a process.
pub(super) fn wait(handle: &OwnedFd) -> rustix::io::Result<Option<WaitIdStatus>> {
    retry_on_intr(|| waitid(WaitId::PidFd(handle.as_fd()), WaitIdOptions::EXITED))
}

fn exit_status(status: WaitIdStatus) -> ExitStatus {
    let code = status.exit_status().map(|code| code << 8);
    ExitStatus::from_raw(code.or(status.terminating_signal()).unwrap_or_default())
}
