//! All printing. Answers go to stdout, everything about them to stderr.

use std::{
    borrow::Cow,
    io::{ErrorKind, IsTerminal, Write},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use comfy_table::{
    Attribute, Cell, ColumnConstraint, ContentArrangement, Row, Table, Width, presets::NOTHING,
};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

/// Columns of text that the last column of a table gets, however narrow the terminal.
const MIN_LAST_COLUMN: u16 = 24;

/// Where a command's answer goes, and in which form.
pub(crate) struct Output {
    json: bool,
    terminal: bool,
    color: bool,
    /// Nobody reads stdout any more.
    closed: AtomicBool,
    trouble: OnceLock<std::io::Error>,
}

/// How one item of a report came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Good,
    Odd,
    Bad,
    Left,
}

impl Mark {
    fn style(self) -> &'static str {
        match self {
            Self::Good => "\u{1b}[32m",
            Self::Odd => "\u{1b}[33m",
            Self::Bad => "\u{1b}[31m",
            Self::Left => "\u{1b}[2m",
        }
    }
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        let terminal = std::io::stdout().is_terminal();
        let color = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { json, terminal, color, closed: AtomicBool::new(false), trouble: OnceLock::new() }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether a person can be asked: they see the question, and can type.
    pub(crate) fn can_ask(&self) -> bool {
        !self.json && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }

    /// Whether the reader has gone away: nothing is worth printing any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// What kept an answer from being printed, other than a reader that had enough.
    pub(crate) fn trouble(&self) -> Option<&std::io::Error> {
        self.trouble.get()
    }

    pub(crate) fn line(&self, text: impl AsRef<str>) {
        self.write(&format!("{}\n", clean(text.as_ref())));
    }

    /// Text without a line break after it.
    pub(crate) fn text(&self, text: impl AsRef<str>) {
        self.write(&clean(text.as_ref()));
        self.flush();
    }

    /// A line whose first word is coloured on a terminal.
    pub(crate) fn marked(&self, mark: Mark, word: &str, text: &str) {
        let (on, off) = if self.color { (mark.style(), "\u{1b}[0m") } else { ("", "") };
        self.write(&format!("{on}{}{off} {}\n", clean(word), clean(text)));
    }

    /// One document: laid out on a terminal, on one line otherwise.
    pub(crate) fn json(&self, value: &Value) {
        let text = if self.terminal { format!("{value:#}") } else { value.to_string() };
        self.write(&format!("{text}\n"));
    }

    /// The document with `--json`, else what a person reads.
    pub(crate) fn answer(&self, document: &Value, human: impl FnOnce()) {
        if self.json {
            self.json(document);
        } else {
            human();
        }
    }

    /// One document of many, on one line.
    pub(crate) fn json_line(&self, value: &Value) {
        self.write(&format!("{value}\n"));
        self.flush();
    }

    /// A part of a file, as it is.
    pub(crate) fn bytes(&self, bytes: &[u8]) {
        if !self.is_closed() {
            self.keep(std::io::stdout().lock().write_all(bytes));
        }
    }

    /// A list: each row is one line, cut where the terminal ends.
    pub(crate) fn table(&self, header: &[&str], rows: Vec<Vec<String>>) {
        self.print_table(header, rows, true);
    }

    /// A page of a list, or word that there is nothing, and word that there is more.
    pub(crate) fn page(
        &self,
        page: &Value,
        nothing: &str,
        header: &[&str],
        row: impl Fn(&Value) -> Vec<String>,
    ) {
        let items = page["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        if items.is_empty() {
            self.note(nothing);
            return;
        }
        self.table(header, items.iter().map(row).collect());
        if page["next_cursor"].is_string() {
            self.note("there are more: --all lists every one, --limit up to 200");
        }
    }

    /// A table whose last column runs over as many lines as it takes.
    pub(crate) fn wrapped_table(&self, header: &[&str], rows: Vec<Vec<String>>) {
        self.print_table(header, rows, false);
    }

    fn print_table(&self, header: &[&str], rows: Vec<Vec<String>>, one_line: bool) {
        let mut table = Table::new();
        table.load_style(NOTHING);
        if self.terminal {
            table.set_content_arrangement(ContentArrangement::Dynamic);
        } else {
            table.force_no_tty();
        }
        if self.color {
            table.enforce_styling();
        }
        table.set_header(header.iter().map(|title| {
            let cell = Cell::new(title);
            if self.color { cell.add_attribute(Attribute::Bold) } else { cell }
        }));
        for row in rows {
            let mut row = Row::from(row.iter().map(|text| flat(text)));
            if self.terminal && one_line {
                row.max_height(1);
            }
            table.add_row(row);
        }
        let last = header.len().saturating_sub(1);
        for (index, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, 2));
            // Ids and names are there to be copied: only the last column gives way.
            column.set_constraint(if index == last {
                ColumnConstraint::LowerBoundary(Width::Fixed(MIN_LAST_COLUMN))
            } else {
                ColumnConstraint::ContentWidth
            });
        }
        self.write(&format!("{}\n", table.trim_fmt()));
    }

    /// Something beside the answer.
    pub(crate) fn note(&self, text: &str) {
        complain(text);
    }

    pub(crate) fn flush(&self) {
        self.keep(std::io::stdout().lock().flush());
    }

    fn write(&self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn keep(&self, result: std::io::Result<()>) {
        if let Err(error) = result {
            self.closed.store(true, Ordering::Relaxed);
            if error.kind() != ErrorKind::BrokenPipe {
                let _ = self.trouble.set(error);
            }
        }
    }

    /// Something that takes an unknown time; shown on a terminal only.
    pub(crate) fn spinner(&self, message: &str) -> ProgressBar {
        let spinner = ProgressBar::new_spinner().with_message(message.to_owned());
        if self.json {
            return ProgressBar::hidden();
        }
        spinner.enable_steady_tick(Duration::from_millis(100));
        spinner
    }

    /// Something of which the length is known; shown on a terminal only.
    pub(crate) fn progress(&self, length: usize) -> ProgressBar {
        if self.json {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::new(length as u64).with_style(style)
    }
}

/// A line on stderr. When nobody can read that either, there is nobody to tell.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", clean(text));
}

/// Text from elsewhere must not steer the terminal: control characters and reversed writing become visible.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    let steers = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if text.contains(steers) {
        Cow::Owned(text.replace("\r\n", "\n").replace(steers, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A cell is one line.
fn flat(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text, with a sign that there is more.
pub(crate) fn short(text: &str, max_chars: usize) -> String {
    if text.chars().count() <= max_chars {
        return text.to_owned();
    }
    text.chars().take(max_chars.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_elsewhere_cannot_steer_the_terminal() {
        assert_eq!(clean("a\u{1b}[2Jb\r\nc\td\u{202e}"), "a\u{fffd}[2Jb\nc\td\u{fffd}");
        assert!(matches!(clean("plain\ntext"), Cow::Borrowed(_)));
    }
}
