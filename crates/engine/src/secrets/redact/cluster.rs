//! Turns matches into text: matches that overlap become one mark, named after the longest of them.
//!
//! Taking the union, and not only the longest, leaves no remainder of one secret beside the mark of another.
//!
//! A mark that is there already is a wall: a value that is part of a mark (`redacted`, say), or that begins or ends with
//! a part of one, is not found where it needs that part. So redacting twice is redacting once.

use std::ops::Range;

use super::Redactor;

/// A match. Without a secret it is a mark that is there already.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) secret: Option<usize>,
}

/// Takes out of `spans`, which are in order, the matches that end within a mark. Those that start within one are seen
/// when they are written: their mark may have begun in an earlier piece.
pub(super) fn without_those_cut_by_a_mark(spans: &mut Vec<Span>) {
    let marks: Vec<_> =
        spans.iter().filter(|span| span.secret.is_none()).map(|mark| mark.start..mark.end).collect();
    // Marks do not overlap, so only the last that starts before a match ends can reach beyond it.
    let cut = |span: &Span| {
        let last = marks.partition_point(|mark| mark.start < span.end).checked_sub(1);
        last.and_then(|last| marks.get(last))
            .is_some_and(|mark| span.start < mark.start && span.end < mark.end)
    };
    spans.retain(|span| !cut(span));
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
    /// The last mark that was in the text before, without its first character.
    marked: Range<usize>,
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
                self.marked = span.start + 1..span.end;
                continue;
            };
            if span.end <= self.marked.end || self.marked.contains(&span.start) {
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
        self.marked = self.marked.start.saturating_sub(limit)..self.marked.end.saturating_sub(limit);
    }
}
