//! What a program says beside the protocol: to the log, bounded and without secrets.

use std::sync::Arc;

use futures::StreamExt;
use tokio::process::ChildStderr;
use tokio_util::codec::{FramedRead, LinesCodec, LinesCodecError};
use toolgate_engine::Redactor;

const MAX_LINE_BYTES: usize = 4 * 1024;
/// Lines of one connection that are logged; the rest is read and forgotten.
const MAX_LINES: u64 = 1_000;

pub(super) struct Sink {
    pub(super) upstream: String,
    pub(super) redactor: Arc<Redactor>,
}

/// Reads to the end: a program whose errors nobody reads stops when the pipe is full.
pub(super) async fn read(errors: ChildStderr, sink: Sink) {
    let mut lines = FramedRead::new(errors, LinesCodec::new_with_max_length(MAX_LINE_BYTES));
    let (mut logged, mut erred) = (0_u64, false);
    loop {
        let Some(line) = lines.next().await else {
            // After an error the reader stops once, and goes on when it is asked again.
            match std::mem::take(&mut erred) {
                true => continue,
                false => return,
            }
        };
        erred = line.is_err();
        match line {
            Ok(line) if logged < MAX_LINES => {
                logged += 1;
                let line: String = line.chars().filter(|c| !c.is_control()).collect();
                let line = sink.redactor.redact_text(&line);
                tracing::info!(upstream = %sink.upstream, %line, "an upstream says");
                if logged == MAX_LINES {
                    tracing::warn!(upstream = %sink.upstream, "an upstream says too much: no more of it is logged");
                }
            }
            // A line that is too long is passed over.
            Ok(_) | Err(LinesCodecError::MaxLineLengthExceeded) => {}
            Err(LinesCodecError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData => {}
            Err(LinesCodecError::Io(_)) => return,
        }
    }
}
