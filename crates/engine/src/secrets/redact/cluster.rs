//! Turns matches into text: matches that overlap become one mark, named after the longest of them.
//!
//! Taking the union, and not only the longest, leaves no remainder of one secret beside the mark of another.

use super::Redactor;

/// A match. Without a secret it is a mark that is there already.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) secret: Option<usize>,
}

struct Open {
    end: usize,
    longest: usize,
    secret: usize,
}

/// What carries over from one piece of a text to the next. Positions count from the start of the piece.
#[derive(Default)]
pub(super) struct Clusters {
    /// Matches that later ones may still overlap.
    open: Option<Open>,
    /// Where the last mark ends that was in the text before. A value that is part of its own mark (`redacted`, say) is
    /// not redacted within it, so that redacting twice is redacting once.
    marked_until: usize,
}

impl Clusters {
    /// Writes `text` up to `limit`. `spans` are all matches that start before it, in order; the next piece starts there.
    pub(super) fn write(
        &mut self,
        redactor: &Redactor,
        text: &str,
        spans: Vec<Span>,
        limit: usize,
        out: &mut String,
    ) {
        let mut written = 0;
        for span in spans {
            let Some(secret) = span.secret else {
                self.marked_until = span.end;
                continue;
            };
            if span.end <= self.marked_until {
                continue;
            }
            let len = span.end - span.start;
            match &mut self.open {
                Some(open) if span.start < open.end => {
                    open.end = open.end.max(span.end);
                    if len > open.longest {
                        (open.longest, open.secret) = (len, secret);
                    }
                }
                open => {
                    if let Some(closed) = open.take() {
                        out.push_str(&redactor.mark_of(closed.secret));
                        written = closed.end;
                    }
                    // Matches start and end at characters: a value is whole characters, and its other forms are ASCII.
                    out.push_str(&text[written..span.start]);
                    *open = Some(Open { end: span.end, longest: len, secret });
                }
            }
        }
        if let Some(closed) = self.open.take_if(|open| open.end <= limit) {
            out.push_str(&redactor.mark_of(closed.secret));
            written = closed.end;
        }
        match &mut self.open {
            Some(open) => open.end -= limit,
            None => out.push_str(&text[written..limit]),
        }
        self.marked_until = self.marked_until.saturating_sub(limit);
    }
}
