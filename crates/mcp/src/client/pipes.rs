//! The protocol over the pipes of a program: one message a line. Lines are bounded while they are read, and a program that does not keep to
//! the form loses its connection.

use std::{io, sync::Arc};

use bytes::{BufMut, Bytes, BytesMut};
use futures::StreamExt;
use rmcp::{
    RoleClient,
    model::{ClientJsonRpcMessage, ErrorData, RequestId, ServerJsonRpcMessage},
    transport::Transport,
};
use serde::Deserialize;
use tokio::{
    io::AsyncWriteExt,
    process::{ChildStdin, ChildStdout},
    sync::{mpsc, oneshot},
};
use tokio_util::codec::{FramedRead, LinesCodec, LinesCodecError};

use super::{
    failure::Fault,
    guard::Link,
    program::{Ends, Program, Start},
    stderr,
};

/// Messages that wait to be written.
const WRITE_QUEUE: usize = 64;
/// Lines that are no messages, which a program may print before its first message: some greet.
const MAX_GREETING_LINES: u32 = 100;

type Sent = oneshot::Sender<io::Result<()>>;

pub(super) struct Pipes {
    program: Program,
    writer: Option<mpsc::Sender<(Bytes, Sent)>>,
    lines: FramedRead<ChildStdout, LinesCodec>,
    link: Arc<Link>,
    /// How many lines of greeting are still borne; none once it has spoken.
    greeting: u32,
    is_over: bool,
}

impl Pipes {
    pub(super) fn open(
        start: Start<'_>,
        max_bytes: usize,
        link: Arc<Link>,
        errors_to: stderr::Sink,
    ) -> io::Result<Self> {
        let (program, Ends { input, output, errors }) = Program::start(start)?;
        let (writer, queue) = mpsc::channel(WRITE_QUEUE);
        tokio::spawn(write(input, queue));
        tokio::spawn(stderr::read(errors, errors_to));
        let lines = FramedRead::new(output, LinesCodec::new_with_max_length(max_bytes));
        Ok(Self { program, writer: Some(writer), lines, link, greeting: MAX_GREETING_LINES, is_over: false })
    }

    fn break_off(&mut self, fault: Fault) {
        self.is_over = true;
        self.link.break_off(fault);
    }

    /// What a line says; nothing, where it is to be passed over.
    fn read(&mut self, line: &str) -> Option<ServerJsonRpcMessage> {
        let line = line.trim();
        if line.is_empty() {
            return None;
        }
        if let Ok(message) = serde_json::from_str(line) {
            self.greeting = 0;
            return Some(message);
        }
        // An answer that cannot be understood is still the answer to a request: that one fails, and no other.
        if let Ok(Addressed { id }) = serde_json::from_str(line) {
            self.greeting = 0;
            let error = ErrorData::internal_error("its answer is none of the protocol's", None);
            return Some(ServerJsonRpcMessage::error(error, Some(id)));
        }
        match self.greeting.checked_sub(1) {
            Some(left) => self.greeting = left,
            None => self.break_off(Fault::BadJson),
        }
        None
    }
}

#[derive(Deserialize)]
struct Addressed {
    id: RequestId,
}

impl Transport<RoleClient> for Pipes {
    type Error = io::Error;

    fn send(&mut self, item: ClientJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let writer = self.writer.clone();
        async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            let mut line = BytesMut::new().writer();
            serde_json::to_writer(&mut line, &item)?;
            let mut line = line.into_inner();
            line.put_u8(b'\n');
            let (sent, is_sent) = oneshot::channel();
            writer.ok_or_else(closed)?.send((line.freeze(), sent)).await.map_err(|_| closed())?;
            is_sent.await.map_err(|_| closed())?
        }
    }

    /// May be dropped while it waits: what was read of a line stays.
    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        while !self.is_over {
            match self.lines.next().await {
                Some(Ok(line)) => {
                    if let Some(message) = self.read(&line) {
                        return Some(message);
                    }
                }
                Some(Err(LinesCodecError::MaxLineLengthExceeded)) => self.break_off(Fault::TooLarge),
                Some(Err(LinesCodecError::Io(error))) if error.kind() == io::ErrorKind::InvalidData => {
                    self.break_off(Fault::BadJson);
                }
                Some(Err(LinesCodecError::Io(_))) | None => self.break_off(Fault::Ended),
            }
        }
        None
    }

    async fn close(&mut self) -> io::Result<()> {
        self.is_over = true;
        self.writer = None;
        self.program.end().await;
        Ok(())
    }
}

/// Whole lines, one after the other, whoever gives up waiting for one.
async fn write(mut input: ChildStdin, mut queue: mpsc::Receiver<(Bytes, Sent)>) {
    while let Some((line, sent)) = queue.recv().await {
        let written = input.write_all(&line).await;
        let broke = written.is_err();
        let _ = sent.send(written);
        if broke {
            return;
        }
    }
}
