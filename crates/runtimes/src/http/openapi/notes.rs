//! What an author should know about a tool that was made, and how large its schemas may get.

/// More than this nobody reads.
const MAX_NOTES: usize = 20;
/// Bytes that the schemas of one tool may come to, in about: references can repeat a large part many times.
const MAX_SCHEMA_BYTES: usize = 192 * 1024;

#[derive(Debug)]
pub(super) struct Notes {
    said: Vec<String>,
    /// What is left for the tool's schemas, all together.
    pub(super) left_bytes: usize,
}

impl Default for Notes {
    fn default() -> Self {
        Self { said: Vec::new(), left_bytes: MAX_SCHEMA_BYTES }
    }
}

impl Notes {
    /// The same thing is said once.
    pub(super) fn add(&mut self, note: impl Into<String>) {
        let note = note.into();
        if self.said.len() < MAX_NOTES && !self.said.contains(&note) {
            self.said.push(note);
        }
    }

    pub(super) fn into_vec(self) -> Vec<String> {
        self.said
    }
}

/// A piece of the document, as it can stand in a sentence.
pub(super) fn short(text: &str) -> String {
    let shown: String = text.chars().filter(|c| !c.is_control()).take(80).collect();
    if shown.len() < text.len() { shown + "…" } else { shown }
}
