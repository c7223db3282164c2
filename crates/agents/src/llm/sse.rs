//! A body as server-sent events, bounded in bytes, events and silence.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use eventsource_stream::{EventStreamError, Eventsource};
use futures::{Stream, StreamExt, stream};
use reqwest::Response;
use toolgate_domain::ErrorCode;

use super::{LlmError, failure::broken};

/// How much of an answer is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) total: Duration,
    pub(super) idle: Duration,
    pub(super) max_answer_bytes: usize,
    pub(super) max_stream_events: usize,
}

/// The data of each event, in order.
pub(super) fn events(
    response: Response,
    bounds: Bounds,
) -> impl Stream<Item = Result<String, LlmError>> + Send {
    let events = lines(response, bounds).eventsource().enumerate();
    events.map(move |(number, event)| match event {
        _ if number >= bounds.max_stream_events => Err(LlmError::new(
            ErrorCode::ProviderError,
            format!("the stream has more than {} events", bounds.max_stream_events),
        )),
        Ok(event) => Ok(event.data),
        Err(EventStreamError::Transport(error)) => Err(error),
        Err(EventStreamError::Utf8(_)) => Err(broken("the stream is not UTF-8")),
        Err(EventStreamError::Parser(_)) => Err(broken("the stream is not one of server-sent events")),
    })
}

/// The body in whole lines: the decoder looks at its line from the start with every piece that it gets, so a long line in small pieces
/// would cost its square. Each piece must come in time, and all together must fit.
fn lines(response: Response, bounds: Bounds) -> impl Stream<Item = Result<Bytes, LlmError>> + Send {
    let begun = Reading { response: Some(response), seen: 0, pending: BytesMut::new() };
    stream::try_unfold(begun, move |mut reading| async move {
        let lines = reading.lines(bounds).await?;
        Ok(lines.map(|lines| (lines, reading)))
    })
    .boxed()
}

struct Reading {
    /// Until it has ended.
    response: Option<Response>,
    seen: usize,
    /// The beginning of a line.
    pending: BytesMut,
}

impl Reading {
    async fn lines(&mut self, bounds: Bounds) -> Result<Option<Bytes>, LlmError> {
        while let Some(response) = &mut self.response {
            let chunk = tokio::time::timeout(bounds.idle, response.chunk()).await;
            let chunk =
                chunk.map_err(|_| stalled(bounds.idle))?.map_err(|_| broken("the answer broke off"))?;
            let Some(chunk) = chunk else {
                self.response = None;
                // An empty line ends the last event, should the server have left it out.
                self.pending.extend_from_slice(b"\n\n");
                return Ok(Some(self.pending.split().freeze()));
            };
            self.seen = self.seen.saturating_add(chunk.len());
            if self.seen > bounds.max_answer_bytes {
                return Err(too_large(bounds.max_answer_bytes));
            }
            let begun = self.pending.len();
            self.pending.extend_from_slice(&chunk);
            if let Some(end) = chunk.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) {
                return Ok(Some(self.pending.split_to(begun + end + 1).freeze()));
            }
        }
        Ok(None)
    }
}

/// The whole body, for answers that are not streamed: silence is what they begin with, so only the total time counts.
pub(super) async fn whole(mut response: Response, max_bytes: usize) -> Result<Vec<u8>, LlmError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| broken("the answer broke off"))? {
        if body.len().saturating_add(chunk.len()) > max_bytes {
            return Err(too_large(max_bytes));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The beginning of a body that explains a failure. What cannot be read is left out: the status says enough.
pub(super) async fn beginning(mut response: Response, max_bytes: usize) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() >= max_bytes {
            body.truncate(max_bytes);
            break;
        }
    }
    body
}

fn stalled(idle: Duration) -> LlmError {
    LlmError::new(ErrorCode::Timeout, format!("the stream was silent for {} ms", idle.as_millis()))
        .retryable()
}

fn too_large(max_bytes: usize) -> LlmError {
    LlmError::new(ErrorCode::ProviderError, format!("the answer has more than {max_bytes} bytes"))
}
