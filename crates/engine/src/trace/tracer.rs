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
    /// For the writer, which has it only as long as this is there.
    _store: Arc<dyn Spans>,
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
        tokio::spawn(write_all(Arc::downgrade(&spans), notes, dropped.clone()));
        Self { queue, sink, dropped, _store: spans }
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

#[cfg(test)]
mod tests {
    use toolgate_domain::{RunId, SpanId, SpanKind, TenantId, Timestamp, TraceId, ids::Uuid};
    use toolgate_store_sql::sqlite::{Sqlite, SqliteOptions};

    use super::*;

    fn span(nth: u64, run_id: Option<RunId>, ended_at: Option<Timestamp>) -> Span {
        Span {
            tenant_id: TenantId::DEFAULT,
            trace_id: TraceId::of(Uuid::max()),
            span_id: SpanId::of(Uuid::max(), "chat", nth),
            parent_span_id: None,
            name: "chat".to_owned(),
            kind: SpanKind::Client,
            started_at: Timestamp::EPOCH,
            ended_at,
            error: None,
            attributes: serde_json::Map::new(),
            links: Vec::new(),
            run_id,
            invocation_id: None,
        }
    }

    /// On one thread, so that nothing is written before the test waits for it.
    #[tokio::test]
    async fn what_does_not_fit_is_counted_and_nobody_waits() {
        let directory = tempfile::tempdir().unwrap();
        let (store, _) = Sqlite::open(&SqliteOptions::new(directory.path().join("t.db"))).unwrap();
        let (store, dropped) = (Arc::new(store), Counter::default());
        let limits = Limits { max_span_queue: 3, ..Limits::default() };
        let tracer = Tracer::start(store.clone(), None, &limits, dropped.clone());
        let run = Some(RunId::from_uuid(Uuid::max()));
        tracer.tell(span(0, None, None));
        tracer.tell(span(1, run, None));
        tracer.tell(span(1, run, Some(Timestamp::EPOCH)));
        tracer.tell(span(2, run, None));
        assert_eq!(dropped.get(), 0);
        tracer.tell(span(3, run, None));
        assert_eq!(dropped.get(), 1);
        tracer.flush().await;
        let kept = store.spans(TenantId::DEFAULT, TraceId::of(Uuid::max()), 10).await.unwrap();
        assert_eq!(kept.len(), 2, "those of runs, each once");
        assert!(kept.contains(&span(1, run, Some(Timestamp::EPOCH))), "as it was told of last");
        tracer.tell(span(3, run, None));
        tracer.flush().await;
        assert_eq!(store.spans(TenantId::DEFAULT, TraceId::of(Uuid::max()), 10).await.unwrap().len(), 3);
    }
}
