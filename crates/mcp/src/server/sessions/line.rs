//! One stream of events to a client. A client whose connection broke takes it up again where it was.

use std::{collections::VecDeque, time::Duration};

use rmcp::{model::ServerJsonRpcMessage, transport::streamable_http_server::session::ServerSseMessage};
use tokio::sync::mpsc::{self, Receiver, Sender, error::TrySendError};

/// Events that wait for a slow client, and events that are kept for one that comes back.
const CAPACITY: usize = 16;
/// When a client whose connection broke should come back.
const RETRY: Duration = Duration::from_secs(3);

/// An event for which there is no room yet, and where it goes.
pub(super) type Delayed = (Sender<ServerSseMessage>, ServerSseMessage);

pub(super) struct Line {
    /// Which request's line it is; the session's own has no number.
    number: Option<u64>,
    to: Sender<ServerSseMessage>,
    /// The place of the last event.
    last: u64,
    /// The place of the last one that somebody was there for.
    heard: u64,
    kept: VecDeque<(u64, ServerSseMessage)>,
}

impl Line {
    /// With nobody at the other end.
    pub(super) fn unheard(number: Option<u64>) -> Self {
        let (to, _) = mpsc::channel(1);
        Self { number, to, last: 0, heard: 0, kept: VecDeque::new() }
    }

    pub(super) fn open(number: u64) -> (Self, Receiver<ServerSseMessage>) {
        let (to, events) = mpsc::channel(CAPACITY);
        (Self { to, ..Self::unheard(Some(number)) }, events)
    }

    pub(super) fn number(&self) -> Option<u64> {
        self.number
    }

    pub(super) fn is_heard(&self) -> bool {
        !self.to.is_closed()
    }

    /// What the client needs in order to come back if its connection breaks before there is anything else.
    pub(super) fn first_event(number: u64) -> ServerSseMessage {
        ServerSseMessage::priming(place(0, Some(number)), RETRY)
    }

    /// Something that is followed by more.
    pub(super) fn tell(&mut self, message: ServerJsonRpcMessage) -> Option<Delayed> {
        let event = self.next_event(message);
        self.keep(event.clone());
        self.give(event).err()
    }

    /// The last thing it tells. The line itself comes back, without a listener, if that has not reached one.
    pub(super) fn end(mut self, message: ServerJsonRpcMessage) -> (Option<Delayed>, Option<Self>) {
        let event = self.next_event(message);
        if self.is_heard() && self.to.capacity() > 0 {
            return (self.give(event).err(), None);
        }
        self.keep(event.clone());
        let delayed = self.give(event).err();
        self.hang_up();
        (delayed, Some(self))
    }

    /// Goes on with what came after that place, to a client that has come back.
    pub(super) fn resume(&mut self, after: u64) -> Receiver<ServerSseMessage> {
        let (to, events) = mpsc::channel(CAPACITY + self.kept.len());
        for (_, event) in self.kept.iter().filter(|(place, _)| *place > after) {
            // There is room for each of them.
            let _ = to.try_send(event.clone());
        }
        (self.to, self.heard) = (to, self.last);
        events
    }

    /// Goes on with what nobody was there for.
    pub(super) fn listen(&mut self) -> Receiver<ServerSseMessage> {
        self.resume(self.heard)
    }

    /// Lets whoever listens go.
    pub(super) fn hang_up(&mut self) {
        (self.to, _) = mpsc::channel(1);
    }

    fn next_event(&mut self, message: ServerJsonRpcMessage) -> ServerSseMessage {
        self.last += 1;
        ServerSseMessage::new(place(self.last, self.number), message)
    }

    fn keep(&mut self, event: ServerSseMessage) {
        if self.kept.len() == CAPACITY {
            self.kept.pop_front();
        }
        self.kept.push_back((self.last, event));
    }

    fn give(&mut self, event: ServerSseMessage) -> Result<(), Delayed> {
        match self.to.try_send(event) {
            Ok(()) => self.heard = self.last,
            Err(TrySendError::Closed(_)) => {}
            Err(TrySendError::Full(event)) => {
                self.heard = self.last;
                return Err((self.to.clone(), event));
            }
        }
        Ok(())
    }
}

/// How the place of an event is written: `Last-Event-ID` brings it back.
fn place(index: u64, number: Option<u64>) -> String {
    number.map_or_else(|| index.to_string(), |number| format!("{index}/{number}"))
}

/// The place and the number of the line, out of a `Last-Event-ID`.
pub(super) fn read_place(text: &str) -> Option<(u64, Option<u64>)> {
    match text.split_once('/') {
        Some((index, number)) => Some((index.parse().ok()?, Some(number.parse().ok()?))),
        None => Some((text.parse().ok()?, None)),
    }
}
