//! What an author should know about a tool that was made.

/// More than this nobody reads.
const MAX_NOTES: usize = 20;

#[derive(Debug, Default)]
pub(super) struct Notes(Vec<String>);

impl Notes {
    /// The same thing is said once.
    pub(super) fn add(&mut self, note: impl Into<String>) {
        let note = note.into();
        if self.0.len() < MAX_NOTES && !self.0.contains(&note) {
            self.0.push(note);
        }
    }

    pub(super) fn into_vec(self) -> Vec<String> {
        self.0
    }
}

/// A piece of the document, as it can stand in a sentence.
pub(super) fn short(text: &str) -> String {
    let shown: String = text.chars().filter(|c| !c.is_control()).take(80).collect();
    if shown.len() < text.len() { shown + "…" } else { shown }
}
