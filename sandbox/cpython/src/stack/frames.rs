//! From the interpreter's state to the frames of the calls that it is in.

use super::{layout::Layout, lines::line_at, peek::Peek};

/// Calls of Python in Python take none of the engine's stack: a script that lifts the limit can have a million.
const MAX_FRAMES: u32 = 10_000;
/// Of frames at one and the same place.
const MAX_RUNS: usize = 1_000;
/// Of location tables, over all frames: a script's own code takes a fraction.
const MAX_TABLE_BYTES: u32 = 16 << 20;
/// Of a name or the path of a file.
const MAX_TEXT_CHARS: u32 = 500;
/// Frames above this owner are the interpreter's own, and have no code.
const MAX_OWNER: u8 = 2;
/// The lowest bits of a reference say how it is counted.
const REFERENCE_TAG: u32 = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(super) file: String,
    pub(super) name: String,
    pub(super) line: Option<u32>,
    /// The code object, and the instruction in it, in bytes from the first.
    pub(super) place: (u32, u32),
    /// How often it follows itself: a function that calls itself is read once.
    pub(super) times: u32,
}

/// The calls of the one thread, outermost first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Calls {
    pub(super) frames: Vec<Frame>,
    /// There are more of them further out.
    pub(super) is_cut: bool,
}

impl Calls {
    /// Whether these are all of the other's but the innermost: it is being unwound.
    pub(crate) fn are_outside(&self, other: &Self) -> bool {
        let each = |calls: &Self| -> Vec<_> { each(&calls.frames, |frame| frame.place).collect() };
        !self.is_cut && !other.is_cut && self.frames != other.frames && each(other).starts_with(&each(self))
    }
}

/// Something of every frame, repeated ones too.
pub(super) fn each<T: Clone>(frames: &[Frame], of: impl Fn(&Frame) -> T) -> impl Iterator<Item = T> {
    frames.iter().flat_map(move |frame| std::iter::repeat_n(of(frame), frame.times as usize))
}

/// Looks at the calls of one guest. Where its state lies is searched once.
#[derive(Default)]
pub(crate) struct Stack {
    layout: Option<Layout>,
}

impl Stack {
    pub(crate) fn calls(&mut self, memory: &[u8]) -> Calls {
        let memory = Peek(memory);
        self.layout = self.layout.or_else(|| Layout::find(memory));
        self.layout.map(|layout| Reader { memory, layout }.calls()).unwrap_or_default()
    }
}

struct Reader<'a> {
    memory: Peek<'a>,
    layout: Layout,
}

impl Reader<'_> {
    fn calls(&self) -> Calls {
        let mut frames: Vec<Frame> = Vec::new();
        let mut next = self.innermost();
        let mut table_bytes_left = MAX_TABLE_BYTES;
        let mut last = None;
        let mut steps = 0..MAX_FRAMES;
        while let Some(at) = next.filter(|at| *at != 0) {
            if frames.len() == MAX_RUNS || steps.next().is_none() {
                break;
            }
            next = self.pointer(at, self.layout.frame_previous);
            let Some(place) = self.place(at) else { continue };
            match frames.last_mut() {
                Some(frame) if last == Some(place) => frame.times += 1,
                _ => {
                    let frame = self.frame(place, &mut table_bytes_left);
                    last = frame.is_some().then_some(place);
                    frames.extend(frame);
                }
            }
        }
        frames.reverse();
        Calls { frames, is_cut: next.is_some_and(|at| at != 0) }
    }

    fn innermost(&self) -> Option<u32> {
        let interpreter = self.pointer(self.layout.runtime, self.layout.runtime_interpreters)?;
        let thread = self.pointer(interpreter, self.layout.interpreter_threads)?;
        self.pointer(thread, self.layout.thread_frame)
    }

    fn pointer(&self, at: u32, offset: u32) -> Option<u32> {
        self.memory.u32(at.checked_add(offset)?)
    }

    fn place(&self, frame: u32) -> Option<(u32, u32)> {
        let owner = self.memory.u8(frame.checked_add(self.layout.frame_owner)?)?;
        let code = self.pointer(frame, self.layout.frame_code)? & !REFERENCE_TAG;
        let instruction = self.pointer(frame, self.layout.frame_instruction)?;
        let first = code.checked_add(self.layout.code_instructions)?;
        (owner <= MAX_OWNER).then_some((code, instruction.checked_sub(first)?))
    }

    fn frame(&self, place: (u32, u32), table_bytes_left: &mut u32) -> Option<Frame> {
        let (code, instruction) = place;
        let file = self.text(self.pointer(code, self.layout.code_file)?)?;
        let name = self.text(self.pointer(code, self.layout.code_name)?)?;
        Some(Frame { file, name, line: self.line(code, instruction, table_bytes_left), place, times: 1 })
    }

    fn line(&self, code: u32, instruction: u32, table_bytes_left: &mut u32) -> Option<u32> {
        let table = self.pointer(code, self.layout.code_lines)?;
        let length = self.pointer(table, self.layout.bytes_length)?;
        *table_bytes_left = table_bytes_left.checked_sub(length)?;
        let table = self.memory.bytes(table.checked_add(self.layout.bytes_data)?, length)?;
        line_at(table, self.pointer(code, self.layout.code_first_line)?, instruction)
    }

    /// A `str`. Its characters follow its head, one, two or four bytes each.
    fn text(&self, at: u32) -> Option<String> {
        let state = self.pointer(at, self.layout.text_state)?;
        let (width, is_compact, is_ascii) = ((state >> 2) & 7, state & (1 << 5) != 0, state & (1 << 6) != 0);
        let length = self.pointer(at, self.layout.text_length)?.min(MAX_TEXT_CHARS);
        if !is_compact || !matches!(width, 1 | 2 | 4) {
            return None;
        }
        // A head that is not ASCII's also has a pointer and a length, for a form in UTF-8.
        let head = self.layout.text_head + if is_ascii { 0 } else { 8 };
        let characters = self.memory.bytes(at.checked_add(head)?, length * width)?;
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte));
        let character = |bytes| char::from_u32(number(bytes)).unwrap_or(char::REPLACEMENT_CHARACTER);
        Some(characters.chunks_exact(width as usize).map(character).collect())
    }
}
