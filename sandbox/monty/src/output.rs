//! What the script prints.

use std::borrow::Cow;

use monty_types::{ExcType, MontyException, PrintWriterCallback};

pub(crate) struct Output {
    pub(crate) text: String,
    pub(crate) max_bytes: usize,
    /// The script printed more than it may. It stays set: a script that catches the error has failed all the same.
    pub(crate) overflowed: bool,
}

impl Output {
    pub(crate) fn new(text: String, max_bytes: usize) -> Self {
        Self { text, max_bytes, overflowed: false }
    }

    fn push(&mut self, piece: &str) -> Result<(), MontyException> {
        if self.overflowed || self.text.len() + piece.len() > self.max_bytes {
            self.overflowed = true;
            return Err(MontyException::new(ExcType::MemoryError, Some("the script prints too much".to_owned())));
        }
        self.text.push_str(piece);
        Ok(())
    }
}

impl PrintWriterCallback for Output {
    fn stdout_write(&mut self, output: Cow<'_, str>) -> Result<(), MontyException> {
        self.push(&output)
    }

    fn stdout_push(&mut self, end: char) -> Result<(), MontyException> {
        self.push(end.encode_utf8(&mut [0; 4]))
    }
}
