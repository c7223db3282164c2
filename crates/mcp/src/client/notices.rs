//! What an upstream says of a call while it runs: progress and log. It reaches that call and no other.

#![expect(deprecated, reason = "servers of the revisions up to 2025-11-25 speak of it")]

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use rmcp::model::{LoggingMessageNotificationParam, ProgressNotificationParam};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_domain::json::encoded_len;

use super::asks::{self, Inquiry};

/// Notices that wait for a call to read them; a call that is slower loses some.
const WAITING: usize = 256;

/// The end at which an upstream speaks. It travels with the request inside the process and is never sent.
#[derive(Clone)]
pub(super) struct Ear {
    notices: mpsc::Sender<Value>,
    /// Where the upstream asks something.
    pub(super) questions: mpsc::Sender<Inquiry>,
    max_bytes: usize,
    outgrown: Arc<AtomicBool>,
}

impl Ear {
    pub(super) fn new(max_bytes: usize) -> (Self, mpsc::Receiver<Value>, mpsc::Receiver<Inquiry>) {
        let (notices, heard) = mpsc::channel(WAITING);
        let (questions, inquiries) = mpsc::channel(asks::WAITING);
        (Self { notices, questions, max_bytes, outgrown: Arc::default() }, heard, inquiries)
    }

    /// The answer to the call is larger than anybody reads.
    pub(super) fn outgrown(&self) {
        self.outgrown.store(true, Ordering::Release);
    }

    pub(super) fn is_outgrown(&self) -> bool {
        self.outgrown.load(Ordering::Acquire)
    }

    pub(super) fn progress(&self, told: ProgressNotificationParam) {
        let mut notice = json!({"type": "progress", "progress": told.progress});
        if let Some(total) = told.total {
            notice["total"] = json!(total);
        }
        if let Some(message) = told.message {
            notice["message"] = message.into();
        }
        self.say(notice);
    }

    pub(super) fn log(&self, told: LoggingMessageNotificationParam) {
        let level = serde_json::to_value(told.level).unwrap_or_default();
        let mut notice = json!({"type": "log", "level": level, "data": told.data});
        if let Some(logger) = told.logger {
            notice["logger"] = logger.into();
        }
        self.say(notice);
    }

    /// Never waits: an upstream that talks much must not hold up what others say over the same connection.
    fn say(&self, notice: Value) {
        if encoded_len(&notice) <= self.max_bytes {
            let _ = self.notices.try_send(notice);
        }
    }
}
