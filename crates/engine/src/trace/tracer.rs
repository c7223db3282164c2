use std::{sync::Arc, time::Duration};

use prometheus_client::metrics::counter::Counter;
use tokio::sync::{mpsc, oneshot};
use toolgate_domain::{Limits, Span};
use toolgate_store::Spans;

use super::writer::{Note, write_all};
use crate::SpanSink;

/// How long a reader waits for what is under way to be written.
const FLUSH_PATIENCE: Duration = Duration::from_secs(5);

/// Takes spans in.
pub(crate) struct Tracer {
    queue: mpsc::Sender<Note>,
    sink: Option<Arc<dyn SpanSink>>,
    dropped: Counter,
}

impl Tracer {
    pub(crate) fn start(
        spans: Arc<dyn Spans>,
        sink: Option<Arc<dyn SpanSink>>,
        limits: &Limits,
        dropped: Counter,
    ) -> Self {
        let most = usize::try_from(limits.max_span_queue).unwrap_or(usize::MAX);
        let (queue, notes) = mpsc::channel(most.clamp(1, tokio::sync::Semaphore::MAX_PERMITS));
        // Ends with the tracer, which holds the other end.
        tokio::spawn(write_all(spans, notes, dropped.clone()));
        Self { queue, sink, dropped }
    }

    /// Whether somebody outside is told of every call.
    pub(crate) fn exports(&self) -> bool {
        self.sink.is_some()
    }

    /// Tells of a span: those of runs are kept, and those that ended are exported.
    pub(crate) fn tell(&self, span: Span) {
        if span.ended_at.is_some()
            && let Some(sink) = &self.sink
        {
            sink.export(&span);
        }
        self.keep(span);
    }

    pub(crate) fn tell_all(&self, spans: Vec<Span>) {
        spans.into_iter().for_each(|span| self.tell(span));
    }

    /// Keeps a span that was told of before, by a process that may have died before it was written.
    pub(crate) fn keep(&self, span: Span) {
        if span.run_id.is_some() && self.queue.try_send(Note::Span(Box::new(span))).is_err() {
            self.dropped.inc();
        }
    }

    /// Everything is written and sent; nothing is told any more.
    pub(crate) async fn stop(&self) {
        self.flush().await;
        if let Some(sink) = self.sink.clone()
            && let Err(error) = tokio::task::spawn_blocking(move || sink.stop()).await
        {
            tracing::warn!(%error, "the last spans could not be exported");
        }
    }

    /// Waits until everything that was told so far is written, but not for ever.
    pub(crate) async fn flush(&self) {
        let flushed = async {
            let (done, is_done) = oneshot::channel();
            if self.queue.send(Note::Flush(done)).await.is_ok() {
                let _ = is_done.await;
            }
        };
        if tokio::time::timeout(FLUSH_PATIENCE, flushed).await.is_err() {
            tracing::warn!("spans are written too slowly; some are not there yet");
        }
    }
}
