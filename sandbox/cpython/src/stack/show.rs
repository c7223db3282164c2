//! The frames as Python shows them.

use super::frames::{Calls, Frame, each};
use crate::protocol::{Failure, FailureKind};

/// What the script is compiled as, in `bootstrap.py`.
const SCRIPT: &str = "script.py";
/// Of the same place, before only their number is shown.
const MAX_REPEATED: u32 = 3;
const MAX_SOURCE_CHARS: usize = 500;
/// Half of it are the outermost frames, half the innermost.
const MAX_TRACEBACK_BYTES: usize = 16_000;

impl Calls {
    pub(crate) fn are_of_a_script(&self) -> bool {
        self.frames.iter().any(|frame| frame.file == SCRIPT)
    }
}

/// Says where the script was, of a failure that does not say it yet.
pub(crate) fn locate(failure: Failure, Calls { frames, is_cut }: &Calls, code: &str) -> Failure {
    // What called the script is ours.
    let outer = if *is_cut { 0 } else { frames.iter().take_while(|frame| frame.file != SCRIPT).count() };
    let frames = &frames[outer..];
    let Some(innermost) = frames.iter().rfind(|frame| frame.file == SCRIPT) else { return failure };
    let is_half = failure.kind == FailureKind::Memory && !is_cut && goes_on(frames, &failure.lines);
    if failure.traceback.is_some() && !is_half {
        return failure;
    }
    let line = failure.line.filter(|_| !is_half).or(innermost.line.map(u64::from));
    let end = match &failure.exception_type {
        Some(exception) => format!("{exception}: {}\n", failure.message),
        None => format!("{}\n", failure.message),
    };
    let lines: Vec<_> = code.lines().collect();
    let begin = if *is_cut { "  …\n" } else { "" };
    let traceback = format!("Traceback (most recent call last):\n{begin}{}{end}", shown(frames, &lines));
    Failure { line, traceback: Some(cut(traceback)), ..failure }
}

/// Whether the frames begin with these lines, and there are more.
fn goes_on(frames: &[Frame], lines: &[Option<u32>]) -> bool {
    let mut of_frames = each(frames, |frame| frame.line);
    lines.iter().all(|line| of_frames.next() == Some(*line)) && of_frames.next().is_some()
}

/// Without the marks that Python puts under a part of a line: a limit has no part of a line that is to blame.
fn shown(frames: &[Frame], source: &[&str]) -> String {
    let mut text = String::new();
    for frame in frames {
        let one = show(frame, source);
        text.extend((0..frame.times.min(MAX_REPEATED)).map(|_| one.as_str()));
        match frame.times.saturating_sub(MAX_REPEATED) {
            0 => {}
            1 => text += "  [Previous line repeated 1 more time]\n",
            more => text += &format!("  [Previous line repeated {more} more times]\n"),
        }
    }
    text
}

fn show(Frame { file, name, line, .. }: &Frame, source: &[&str]) -> String {
    let number = line.map_or("?".to_owned(), |line| line.to_string());
    let head = format!("  File \"{file}\", line {number}, in {name}\n");
    let index = line.and_then(|line| (line as usize).checked_sub(1)).filter(|_| file == SCRIPT);
    match index.and_then(|index| source.get(index)).map(|text| text.trim()) {
        Some(text) if !text.is_empty() => {
            let text: String = text.chars().take(MAX_SOURCE_CHARS).collect();
            format!("{head}    {text}\n")
        }
        _ => head,
    }
}

fn cut(text: String) -> String {
    if text.len() <= MAX_TRACEBACK_BYTES {
        return text;
    }
    let head = text.floor_char_boundary(MAX_TRACEBACK_BYTES / 2);
    let tail = text.ceil_char_boundary(text.len() - MAX_TRACEBACK_BYTES / 2);
    format!("{}\n…\n{}", &text[..head], &text[tail..])
}
