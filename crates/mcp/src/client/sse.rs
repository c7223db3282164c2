//! Event streams whose events are bounded while they are read. The parser behind it keeps what it has read of an event, however long.

use bytes::Bytes;
use futures::{Stream, StreamExt, stream};

use super::wire::WireError;

/// Ends with an error at the first event that has more bytes than this. The SDK hides that error, so it is told aside as well.
pub(super) fn bounded<S>(
    bytes: S,
    max_bytes: usize,
    too_large: impl Fn() + Send + Sync + Clone + 'static,
) -> impl Stream<Item = Result<Bytes, WireError>> + Send + Unpin
where
    S: Stream<Item = Result<Bytes, reqwest::Error>> + Send + 'static,
{
    let state = (bytes.boxed(), Event::default(), false);
    stream::unfold(state, move |(mut bytes, mut event, is_over)| {
        let too_large = too_large.clone();
        async move {
            if is_over {
                return None;
            }
            match bytes.next().await? {
                Ok(chunk) if event.grow(&chunk) <= max_bytes => Some((Ok(chunk), (bytes, event, false))),
                Ok(_) => {
                    too_large();
                    Some((Err(WireError::TooLarge { max_bytes }), (bytes, event, true)))
                }
                Err(error) => Some((Err(error.into()), (bytes, event, true))),
            }
        }
    })
    .boxed()
}

/// How long the event is that is being read.
#[derive(Default)]
struct Event {
    bytes: usize,
    /// The line so far is empty: one more line break ends the event.
    at_line_start: bool,
}

impl Event {
    /// The longest that an event got within this chunk.
    fn grow(&mut self, chunk: &[u8]) -> usize {
        let mut longest = self.bytes;
        for &byte in chunk {
            self.bytes += 1;
            match byte {
                b'\n' if self.at_line_start => self.bytes = 0,
                b'\n' => self.at_line_start = true,
                b'\r' => {}
                _ => self.at_line_start = false,
            }
            longest = longest.max(self.bytes);
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn longest(chunks: &[&str]) -> usize {
        let mut event = Event::default();
        chunks.iter().map(|chunk| event.grow(chunk.as_bytes())).max().unwrap_or_default()
    }

    #[test]
    fn events_count_one_by_one_wherever_they_are_cut() {
        assert_eq!(longest(&["data: 1\n\ndata: 2\n\n"]), 8);
        assert_eq!(longest(&["data", ": 1\n", "\nda", "ta: 2\n\n"]), 8);
        assert_eq!(longest(&["data: 1\r\n\r\ndata: 2\r\n\r\n"]), 10);
        assert_eq!(longest(&["data: 1\ndata: 2\n\n"]), 16);
    }

    #[test]
    fn a_line_without_end_counts_while_it_comes() {
        assert_eq!(longest(&["data: ", &"x".repeat(1000)]), 1006);
    }
}
