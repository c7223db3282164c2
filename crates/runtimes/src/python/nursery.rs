//! The process that bears workers, from its parent's side. See `sandbox/monty/src/nursery.rs`.

use std::{
    io::{self, IoSlice, Read},
    mem::MaybeUninit,
    os::{
        fd::{AsFd, OwnedFd},
        unix::net::UnixStream,
    },
    process::{Child, Stdio},
    time::Duration,
};

use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

use super::worker::WorkerProgram;

/// For a fork it takes far less; a nursery that is slower is replaced.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) struct Nursery {
    child: Child,
    socket: UnixStream,
}

/// The number of a new worker, and our ends of its pipes.
pub(super) struct Born {
    pub(super) pid: u32,
    pub(super) input: OwnedFd,
    pub(super) output: OwnedFd,
}

impl Nursery {
    pub(super) fn start(program: &WorkerProgram) -> io::Result<Self> {
        let (socket, theirs) = UnixStream::pair()?;
        socket.set_read_timeout(Some(PATIENCE))?;
        socket.set_write_timeout(Some(PATIENCE))?;
        let mut command = program.command();
        command.arg("--nursery").stdin(OwnedFd::from(theirs)).stdout(Stdio::null());
        Ok(Self { child: command.spawn()?, socket })
    }

    /// One more worker, a child of ours. Each has pipes of its own, also when another try failed: perhaps one was born and not told of.
    pub(super) fn bear(&mut self) -> io::Result<Born> {
        let (their_input, input) = io::pipe()?;
        let (output, their_output) = io::pipe()?;
        let pipes = [their_input.as_fd(), their_output.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        if !ancillary.push(SendAncillaryMessage::ScmRights(&pipes)) {
            return Err(io::Error::other("no room for two pipes"));
        }
        sendmsg(&self.socket, &[IoSlice::new(&[1])], &mut ancillary, SendFlags::NOSIGNAL)?;
        let mut pid = [0; 4];
        self.socket.read_exact(&mut pid)?;
        Ok(Born { pid: u32::from_le_bytes(pid), input: input.into(), output: output.into() })
    }
}

impl Drop for Nursery {
    fn drop(&mut self) {
        // Both fail only for a process that has ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
