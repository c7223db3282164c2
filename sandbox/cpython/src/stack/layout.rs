//! Where things lie in CPython's structures. The interpreter keeps a table of it for debuggers, `_Py_DebugOffsets`, at
//! the head of its state.

use super::peek::Peek;

const COOKIE: &[u8; 8] = b"xdebugpy";
/// The table is laid out anew with every minor version. This is 3.15's.
const VERSION: u64 = 0x030f;
/// The state is static data, and lies below everything that a script makes.
const MAX_SEARCH_BYTES: usize = 64 << 20;
/// The largest structure, the state of an interpreter, is a tenth of that.
const MAX_OFFSET: u64 = 1 << 20;

/// All offsets are from the start of the structure that the name begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// An address, unlike the others.
    pub(super) runtime: u32,
    pub(super) runtime_interpreters: u32,
    pub(super) interpreter_threads: u32,
    pub(super) thread_frame: u32,
    pub(super) frame_previous: u32,
    pub(super) frame_code: u32,
    pub(super) frame_instruction: u32,
    pub(super) frame_owner: u32,
    pub(super) code_file: u32,
    pub(super) code_name: u32,
    pub(super) code_lines: u32,
    pub(super) code_first_line: u32,
    pub(super) code_instructions: u32,
    pub(super) bytes_length: u32,
    pub(super) bytes_data: u32,
    pub(super) text_state: u32,
    pub(super) text_length: u32,
    /// The size of an ASCII text without its characters, which follow.
    pub(super) text_head: u32,
}

impl Layout {
    pub(super) fn find(memory: Peek<'_>) -> Option<Self> {
        let searched = &memory.0[..memory.0.len().min(MAX_SEARCH_BYTES)];
        let mut words = (0_u32..).step_by(8).zip(searched.chunks_exact(8));
        words.find_map(|(at, word)| if word == COOKIE { Self::read(memory, at) } else { None })
    }

    fn read(memory: Peek<'_>, runtime: u32) -> Option<Self> {
        let entry = |index: u32| memory.u64(runtime.checked_add(8 + 8 * index)?);
        if entry(0)? >> 16 != VERSION {
            return None;
        }
        let offset = |index| entry(index).filter(|offset| *offset <= MAX_OFFSET)?.try_into().ok();
        Some(Self {
            runtime,
            runtime_interpreters: offset(4)?,
            interpreter_threads: offset(8)?,
            thread_frame: offset(25)?,
            frame_previous: offset(39)?,
            frame_code: offset(40)?,
            frame_instruction: offset(41)?,
            frame_owner: offset(43)?,
            code_file: offset(47)?,
            code_name: offset(48)?,
            code_lines: offset(50)?,
            code_first_line: offset(51)?,
            code_instructions: offset(55)?,
            bytes_length: offset(86)?,
            bytes_data: offset(87)?,
            text_state: offset(89)?,
            text_length: offset(90)?,
            text_head: offset(91)?,
        })
    }
}
