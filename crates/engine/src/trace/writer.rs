//! Writes spans beside the calls, not in their way.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
    time::Duration,
};

use prometheus_client::metrics::counter::Counter;
use tokio::{
    sync::{mpsc, oneshot},
    time::{sleep, timeout_at},
};
use toolgate_domain::{Span, SpanId, TenantId, TraceId};
use toolgate_store::Spans;

/// Spans of one write.
const MAX_BATCH: usize = 500;
/// How long spans wait for others. A call that begins and ends within it is written once.
const GATHER: Duration = Duration::from_millis(100);
const ATTEMPTS: u32 = 4;
const PAUSE: Duration = Duration::from_millis(100);

pub(super) enum Note {
    Span(Box<Span>),
    /// Answered when everything before it is written.
    Flush(oneshot::Sender<()>),
}

/// It holds the store only while it writes: an engine that is gone must not keep its database.
pub(super) async fn write_all(store: Weak<dyn Spans>, mut notes: mpsc::Receiver<Note>, dropped: Counter) {
    while let Some(first) = notes.recv().await {
        let (batch, waiting) = gather(first, &mut notes).await;
        if !batch.is_empty() {
            let Some(store) = store.upgrade() else {
                return;
            };
            let lost = write(store, &batch).await;
            dropped.inc_by(lost);
        }
        if let Some(waiting) = waiting {
            // Whoever asked may have given up.
            let _ = waiting.send(());
        }
    }
}

/// What comes until the batch is full, its time is over, or somebody waits for it.
async fn gather(first: Note, notes: &mut mpsc::Receiver<Note>) -> (Vec<Span>, Option<oneshot::Sender<()>>) {
    let until = tokio::time::Instant::now() + GATHER;
    let (mut batch, mut next) = (Batch::default(), Some(first));
    while let Some(note) = next.take() {
        match note {
            Note::Flush(waiting) => return (batch.spans(), Some(waiting)),
            Note::Span(span) => batch.add(*span),
        }
        if batch.0.len() < MAX_BATCH {
            next = timeout_at(until, notes.recv()).await.unwrap_or_default();
        }
    }
    (batch.spans(), None)
}

/// Every span once, as it was told of last; what ended does not change any more.
#[derive(Default)]
struct Batch(HashMap<(TenantId, TraceId, SpanId), Span>);

impl Batch {
    fn add(&mut self, mut span: Span) {
        let key = (span.tenant_id, span.trace_id, span.span_id);
        if let Some(earlier) = self.0.get_mut(&key) {
            if earlier.ended_at.is_some() {
                return;
            }
            if span.links.is_empty() {
                span.links = std::mem::take(&mut earlier.links);
            }
        }
        self.0.insert(key, span);
    }

    fn spans(self) -> Vec<Span> {
        self.0.into_values().collect()
    }
}

/// Answers how many could not be written.
async fn write(store: Arc<dyn Spans>, batch: &[Span]) -> u64 {
    for attempt in 0..ATTEMPTS {
        if attempt > 0 {
            sleep(PAUSE * 2_u32.pow(attempt)).await;
        }
        match store.add_spans(batch).await {
            Ok(()) => return 0,
            Err(error) => tracing::warn!(%error, attempt, "spans cannot be written yet"),
        }
    }
    batch.len() as u64
}
