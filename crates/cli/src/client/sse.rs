//! Server-sent events, as far as Toolgate sends them.

use std::{collections::VecDeque, time::Duration};

use reqwest::Response;

/// The server sends a sign of life every 15 seconds.
const SILENCE: Duration = Duration::from_secs(60);
const MAX_EVENT_BYTES: usize = 64 * 1024 * 1024;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SseEvent {
    pub(crate) name: String,
    pub(crate) data: String,
    pub(crate) id: Option<String>,
}

/// Why a stream ended before its time.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Broken {
    #[error("the connection broke: {0}")]
    Connection(String),
    #[error("nothing came for {} s", SILENCE.as_secs())]
    Silence,
    #[error("an event has more than {MAX_EVENT_BYTES} bytes")]
    TooLong,
}

pub(crate) struct SseStream {
    response: Response,
    parser: Parser,
    ready: VecDeque<SseEvent>,
}

impl SseStream {
    pub(super) fn new(response: Response) -> Self {
        Self { response, parser: Parser::default(), ready: VecDeque::new() }
    }

    /// The next event; `None` when the server has ended the stream.
    pub(crate) async fn next(&mut self) -> Result<Option<SseEvent>, Broken> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(event));
            }
            let chunk =
                tokio::time::timeout(SILENCE, self.response.chunk()).await.map_err(|_| Broken::Silence)?;
            match chunk.map_err(|error| Broken::Connection(super::problem::root(&error)))? {
                Some(bytes) => self.parser.push(&bytes, &mut self.ready)?,
                None => return Ok(None),
            }
        }
    }

    /// The id of the last event, also of one that carried nothing else.
    pub(crate) fn last_id(&self) -> Option<&str> {
        self.parser.last_id.as_deref()
    }
}

#[derive(Default)]
struct Parser {
    buffer: Vec<u8>,
    name: String,
    data: Option<String>,
    last_id: Option<String>,
}

impl Parser {
    fn push(&mut self, bytes: &[u8], ready: &mut VecDeque<SseEvent>) -> Result<(), Broken> {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            self.buffer.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            let line = std::mem::take(&mut self.buffer);
            let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(&line)).into_owned();
            ready.extend(self.line(&line)?);
        }
        self.buffer.extend_from_slice(rest);
        if self.buffer.len() > MAX_EVENT_BYTES { Err(Broken::TooLong) } else { Ok(()) }
    }

    fn line(&mut self, line: &str) -> Result<Option<SseEvent>, Broken> {
        if line.is_empty() {
            let name = std::mem::take(&mut self.name);
            return Ok(self.data.take().map(|data| SseEvent { name, data, id: self.last_id.clone() }));
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.name = value.to_owned(),
            "id" => self.last_id = Some(value.to_owned()),
            "data" => match &mut self.data {
                None => self.data = Some(value.to_owned()),
                Some(data) => {
                    if data.len() + value.len() > MAX_EVENT_BYTES {
                        return Err(Broken::TooLong);
                    }
                    data.push('\n');
                    data.push_str(value);
                }
            },
            // Comments keep the connection alive; `retry` is not for us.
            _ => {}
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = ": hello\r\n\r\nid: 7\nevent: tool.started\ndata: {\"a\":\ndata: 1}\n\nid: 8\n\ndata:x\n\nevent: half";

    #[test]
    fn events_are_the_same_however_the_bytes_arrive() {
        for size in 1..TEXT.len() {
            let (mut parser, mut ready) = (Parser::default(), VecDeque::new());
            for piece in TEXT.as_bytes().chunks(size) {
                parser.push(piece, &mut ready).unwrap();
            }
            let event = |name: &str, data: &str, id: &str| SseEvent {
                name: name.to_owned(),
                data: data.to_owned(),
                id: Some(id.to_owned()),
            };
            assert_eq!(
                ready,
                [event("tool.started", "{\"a\":\n1}", "7"), event("", "x", "8")],
                "in pieces of {size}"
            );
            assert_eq!(parser.last_id.as_deref(), Some("8"));
        }
    }
}
