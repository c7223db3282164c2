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

impl Nursery {
    pub(super) fn start(program: &WorkerProgram) -> io::Result<Self> {
        let (socket, theirs) = UnixStream::pair()?;
        socket.set_read_timeout(Some(PATIENCE))?;
        socket.set_write_timeout(Some(PATIENCE))?;
        let mut command = program.command();
        command.arg("--nursery").stdin(OwnedFd::from(theirs)).stdout(Stdio::null());
        Ok(Self { child: command.spawn()?, socket })
    }

    /// One more worker with these pipes. It is a child of ours; the answer is its number.
    pub(super) fn bear(&mut self, input: &OwnedFd, output: &OwnedFd) -> io::Result<u32> {
        let pipes = [input.as_fd(), output.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        if !ancillary.push(SendAncillaryMessage::ScmRights(&pipes)) {
            return Err(io::Error::other("no room for two pipes"));
        }
        sendmsg(&self.socket, &[IoSlice::new(&[1])], &mut ancillary, SendFlags::NOSIGNAL)?;
        let mut pid = [0; 4];
        self.socket.read_exact(&mut pid)?;
        Ok(u32::from_le_bytes(pid))
    }
}

impl Drop for Nursery {
    fn drop(&mut self) {
        // Both fail only for a process that has ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
