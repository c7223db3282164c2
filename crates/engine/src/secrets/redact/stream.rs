//! Redacts a text that arrives in pieces.

use std::{borrow::Cow, sync::Arc};

use zeroize::Zeroizing;

use super::{Redactor, cluster::Clusters};

/// Says what [`Redactor::redact_text`] would say of the whole, wherever the pieces were cut. For that it lags behind by
/// the length of the longest form of a secret and of a mark.
pub struct StreamRedactor {
    redactor: Arc<Redactor>,
    held: Zeroizing<String>,
    clusters: Clusters,
}

impl StreamRedactor {
    pub fn new(redactor: Arc<Redactor>) -> Self {
        Self { redactor, held: Zeroizing::default(), clusters: Clusters::default() }
    }

    /// What can be said now that `chunk` has arrived. It may be empty.
    pub fn push<'c>(&mut self, chunk: &'c str) -> Cow<'c, str> {
        if self.redactor.is_empty() {
            return Cow::Borrowed(chunk);
        }
        self.held.push_str(chunk);
        // A match that starts before this has arrived to its last byte, and so has a mark that starts within it.
        let decided = (self.held.len() + 1).saturating_sub(self.redactor.max_reach_bytes);
        Cow::Owned(self.release(self.held.floor_char_boundary(decided)))
    }

    /// The rest, when nothing more comes.
    pub fn finish(mut self) -> String {
        self.release(self.held.len())
    }

    fn release(&mut self, limit: usize) -> String {
        let mut out = String::new();
        if limit > 0 {
            let spans = self.redactor.find(self.held.as_bytes(), limit);
            self.clusters.write(&self.redactor, &self.held, spans, limit, &mut out);
            self.held.drain(..limit);
        }
        out
    }
}

impl std::fmt::Debug for StreamRedactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StreamRedactor").field("redactor", &self.redactor).finish_non_exhaustive()
    }
}
