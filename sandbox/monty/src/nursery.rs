//! Bears workers: a process whose interpreter is warm forks for each script, and the fork locks itself down and serves.
//!
//! A fork costs a fraction of a start. The nursery itself never reads a script: its parent tells it only "one more", with
//! the two pipes of the new worker. All workers of one nursery have the same layout of memory; none can look at another.

use std::{
    io::{self, IoSliceMut, Write},
    mem::{ManuallyDrop, MaybeUninit},
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::ExitCode,
};

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};

use crate::{
    filter::Filters,
    lockdown::{self, Ceilings},
    serve,
};

/// Serves until the parent closes its end.
pub(crate) fn run(ceilings: &Ceilings) -> Result<ExitCode, String> {
    lockdown::withdraw()?;
    let filters = Filters::compile()?;
    serve::warm_up();
    // Not std's stdin: what that had read ahead, each worker would find in its own.
    let parent = rustix::stdio::stdin().try_clone_to_owned().map(UnixStream::from);
    // A worker must not close it at its end: by then it may not close anything.
    let mut parent = ManuallyDrop::new(parent.map_err(|e| format!("the parent cannot be heard: {e}"))?);
    loop {
        let pipes = match next_order(&parent) {
            Ok(Some(pipes)) => pipes,
            Ok(None) => return Ok(ExitCode::SUCCESS),
            Err(error) => return Err(format!("the parent cannot be understood: {error}")),
        };
        match fork_sibling().map_err(|e| format!("no fork: {e}"))? {
            Some(pid) => parent.write_all(&pid.to_le_bytes()).map_err(|e| format!("no answer: {e}"))?,
            None => {
                adopt(pipes).map_err(|e| format!("the pipes are not usable: {e}"))?;
                return serve::locked_down(ceilings, &filters);
            }
        }
    }
}

struct Pipes {
    input: OwnedFd,
    output: OwnedFd,
}

/// Nothing when the parent is gone.
fn next_order(parent: &UnixStream) -> io::Result<Option<Pipes>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut order = [0];
    let received = recvmsg(parent, &mut [IoSliceMut::new(&mut order)], &mut ancillary, RecvFlags::empty())?;
    if received.bytes == 0 {
        return Ok(None);
    }
    let mut files = ancillary.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(files) => Some(files),
        _ => None,
    });
    let mut files = files.next().into_iter().flatten();
    match (files.next(), files.next()) {
        (Some(input), Some(output)) => Ok(Some(Pipes { input, output })),
        _ => Err(io::Error::other("an order without its two pipes")),
    }
}

/// The new process is a child of our parent, which waits for it as for one that it started. Nothing in the child itself.
fn fork_sibling() -> io::Result<Option<u32>> {
    let nothing = 0_usize;
    // SAFETY: a plain fork (no stack, no thread pointer is given); the process has one thread, so no lock is held.
    let pid = unsafe {
        let flags = libc::CLONE_PARENT | libc::SIGCHLD;
        libc::syscall(libc::SYS_clone, flags, nothing, nothing, nothing, nothing)
    };
    match u32::try_from(pid) {
        Ok(0) => Ok(None),
        Ok(pid) => Ok(Some(pid)),
        Err(_) => Err(io::Error::last_os_error()),
    }
}

/// Makes the pipes stdin and stdout. The nursery's own socket is closed by it, and with everything above stderr later.
fn adopt(pipes: Pipes) -> io::Result<()> {
    rustix::stdio::dup2_stdin(&pipes.input)?;
    rustix::stdio::dup2_stdout(&pipes.output)?;
    Ok(())
}
