//! What a tool says while it runs, as the protocol tells it: progress and log messages.

#![expect(deprecated, reason = "logging is deprecated in the newest revision and alive in all others")]

use std::sync::atomic::{AtomicU8, Ordering};

use rmcp::{
    RoleServer,
    model::{LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken},
    service::Peer,
};
use serde_json::Value;
use tokio::sync::mpsc;
use toolgate_engine::Progress;

use super::asker::Asker;

const LEVELS: [LoggingLevel; 8] = [
    LoggingLevel::Debug,
    LoggingLevel::Info,
    LoggingLevel::Notice,
    LoggingLevel::Warning,
    LoggingLevel::Error,
    LoggingLevel::Critical,
    LoggingLevel::Alert,
    LoggingLevel::Emergency,
];
/// Until a client says otherwise.
const FIRST: LoggingLevel = LoggingLevel::Info;

fn rank(level: LoggingLevel) -> u8 {
    LEVELS.iter().zip(0u8..).find(|(known, _)| **known == level).map_or(0, |(_, rank)| rank)
}

/// The least that is worth telling.
pub(super) struct Level(AtomicU8);

impl Default for Level {
    fn default() -> Self {
        Self(AtomicU8::new(rank(FIRST)))
    }
}

impl Level {
    pub(super) fn set(&self, level: LoggingLevel) {
        self.0.store(rank(level), Ordering::Relaxed);
    }

    /// For one request; nothing when the client does not want to hear of logs. The newest revision asks with each request anew.
    fn of(&self, asker: &Asker) -> Option<u8> {
        let asked = asker.log_level.map(rank);
        if asker.newest { asked } else { Some(asked.unwrap_or_else(|| self.0.load(Ordering::Relaxed))) }
    }
}

/// Who is told what of one call.
pub(super) struct Listener {
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    level: Option<u8>,
    /// Progress only ever goes up.
    progress: f64,
}

impl Listener {
    /// Nobody, when the client wants to hear nothing.
    pub(super) fn of(asker: &Asker, level: &Level) -> Option<Self> {
        let (token, level) = (asker.progress.clone(), level.of(asker));
        let peer = asker.peer.clone().filter(|_| token.is_some() || level.is_some())?;
        Some(Self { peer, token, level, progress: 0.0 })
    }

    /// Tells until the call has nothing more to say. A client that has gone is no reason to stop the call.
    pub(super) async fn tell(mut self, mut words: mpsc::Receiver<Progress>) {
        while let Some(word) = words.recv().await {
            if let Progress::Chunk(chunk) = word {
                self.tell_chunk(&chunk).await;
            }
        }
    }

    async fn tell_chunk(&mut self, chunk: &Value) {
        if chunk["type"] == "log" {
            return self.tell_log(chunk).await;
        }
        let Some(token) = self.token.clone() else { return };
        let said = (chunk["type"] == "progress").then(|| chunk["progress"].as_f64()).flatten();
        let next = said.unwrap_or(self.progress + 1.0);
        // What does not go up is a repetition, and the protocol forbids it.
        if next <= self.progress && self.progress > 0.0 {
            return;
        }
        self.progress = next;
        let mut param = ProgressNotificationParam::new(token, next);
        param.total = chunk["total"].as_f64().filter(|_| said.is_some());
        param.message = message_of(chunk);
        let _ = self.peer.notify_progress(param).await;
    }

    async fn tell_log(&self, chunk: &Value) {
        let level: LoggingLevel = serde_json::from_value(chunk["level"].clone()).unwrap_or(FIRST);
        if self.level.is_none_or(|least| rank(level) < least) {
            return;
        }
        let mut param = LoggingMessageNotificationParam::new(level, chunk["data"].clone());
        param.logger = chunk["logger"].as_str().map(str::to_owned);
        let _ = self.peer.notify_logging_message(param).await;
    }
}

/// What a piece of output says to a person who waits.
fn message_of(chunk: &Value) -> Option<String> {
    match chunk {
        Value::String(text) => Some(text.clone()),
        other => other["message"].as_str().or_else(|| other["text"].as_str()).map(str::to_owned),
    }
}
