//! A small interpreter's memory, made by hand, and what can be wrong with it.

use super::{
    frames::{Calls, Frame, Stack},
    lines::line_at,
    locate,
};
use crate::protocol::{Failure, FailureKind};

/// Of a function of CPython 3.15 that begins in line 2, with the ranges of instructions that it tells of each line.
const TABLE: &[u8] = b"\x81\x00\xe0\x08\x09\xe0\x08\x09\x8d\x05\xf0\x07\x04\x09\x06\x80\x41\xf4\x0a\x00\x0e\x0f\x88\x01\
    \xd8\x0b\x0c\x88\x73\x8e\x37\xd8\x14\x15\xd8\x10\x11\xf5\x03\x01\x15\x12\xf3\x00\x01\x0d\x13\xf1\x05\x00\x0e\x0f\xf0\
    \x08\x04\x05\x0e\xdc\x0f\x10\x90\x11\xd8\x0e\x0f\xf4\x03\x01\x10\x11\xf1\x06\x00\x0d\x0e\xf8\x89\x41\xfa";
const RANGES: &[(u32, u32, u32)] = &[
    (0, 4, 2),
    (4, 6, 4),
    (6, 20, 6),
    (20, 24, 3),
    (24, 36, 8),
    (36, 54, 9),
    (54, 56, 10),
    (56, 58, 11),
    (58, 78, 10),
    (78, 82, 8),
    (82, 84, 12),
    (84, 96, 13),
    (96, 98, 14),
    (98, 108, 13),
    (108, 118, 16),
];

#[test]
fn the_table_of_a_real_function_is_read() {
    for (from, to, line) in RANGES {
        for at in (*from..*to).step_by(2) {
            assert_eq!(line_at(TABLE, 2, at), Some(*line), "at {at}");
        }
    }
    assert_eq!(line_at(TABLE, 2, 124), None, "there are no more instructions");
}

#[test]
fn a_table_that_is_none_has_no_lines() {
    for table in [&b""[..], b"\x00\x00", b"\xf0", b"\xf0\xff\xff\xff\xff\xff\xff\xff\xff", b"\xe8\x09"] {
        assert_eq!(line_at(table, 1, 0), None, "{table:x?}");
    }
    assert_eq!(line_at(b"\xe8\x05", 1, 0), None, "a line before the first");
}

const RUNTIME: u32 = 64;
const INTERPRETER: u32 = 1024;
const THREAD: u32 = 1088;
const MODULE: u32 = 1152;
const FUNCTION: u32 = 1408;
const FRAMES: u32 = 4096;
/// The offset of a code object's instructions.
const INSTRUCTIONS: u32 = 128;

struct Guest(Vec<u8>);

impl Guest {
    /// `<module>` of the script has called `größe`, twice.
    fn new() -> Self {
        let mut guest = Self(vec![0; 8192]);
        guest.put(RUNTIME, b"xdebugpy");
        let offsets = [(4, 924), (8, 16), (25, 56), (39, 4), (40, 0), (41, 28), (43, 38), (47, 80), (48, 84)];
        let others = [(50, 92), (51, 44), (55, INSTRUCTIONS), (86, 8), (87, 16), (89, 16), (90, 8), (91, 20)];
        for (index, offset) in [(0, 0x030f_00f0)].into_iter().chain(offsets).chain(others) {
            guest.put(RUNTIME + 8 + 8 * index, &u64::from(offset).to_le_bytes());
        }
        guest.word(RUNTIME + 924, INTERPRETER);
        guest.word(INTERPRETER + 16, THREAD);
        guest.text(1664, b"script.py", 1, true);
        guest.text(1728, b"<module>", 1, true);
        let name: Vec<_> = "größe".encode_utf16().flat_map(u16::to_le_bytes).collect();
        guest.text(1792, &name, 2, false);
        guest.code(MODULE, 1728, b"\xe8\x06", 1);
        guest.code(FUNCTION, 1792, b"\xe8\x00", 2);
        guest.word(THREAD + 56, FRAMES);
        guest.frame(0, FUNCTION, Some(1));
        guest.frame(1, FUNCTION, Some(2));
        guest.frame(2, MODULE, None);
        guest
    }

    fn put(&mut self, at: u32, bytes: &[u8]) {
        self.0[at as usize..][..bytes.len()].copy_from_slice(bytes);
    }

    fn word(&mut self, at: u32, value: u32) {
        self.put(at, &value.to_le_bytes());
    }

    fn text(&mut self, at: u32, characters: &[u8], width: u32, is_ascii: bool) {
        self.word(at + 8, u32::try_from(characters.len()).unwrap() / width);
        self.word(at + 16, width << 2 | 1 << 5 | u32::from(is_ascii) << 6);
        self.put(at + if is_ascii { 20 } else { 28 }, characters);
    }

    fn code(&mut self, at: u32, name: u32, lines: &[u8], first_line: u32) {
        let table = at + 160;
        self.word(at + 80, 1664);
        self.word(at + 84, name);
        self.word(at + 92, table);
        self.word(at + 44, first_line);
        self.word(table + 8, u32::try_from(lines.len()).unwrap());
        self.put(table + 16, lines);
    }

    fn frame(&mut self, index: u32, code: u32, previous: Option<u32>) {
        let at = FRAMES + 64 * index;
        self.word(at, code | 1);
        self.word(at + 4, previous.map_or(0, |previous| FRAMES + 64 * previous));
        self.word(at + 28, code + INSTRUCTIONS);
    }

    fn calls(&self) -> Calls {
        Stack::default().calls(&self.0)
    }
}

fn frame(name: &str, line: u32, times: u32) -> Frame {
    let place = (if name == "<module>" { MODULE } else { FUNCTION }, 0);
    Frame { file: "script.py".into(), name: name.into(), line: Some(line), place, times }
}

#[test]
fn frames_are_found_from_the_outermost_to_the_innermost() {
    let expected = vec![frame("<module>", 4, 1), frame("größe", 2, 2)];
    assert_eq!(Guest::new().calls(), Calls { frames: expected, is_cut: false });
}

#[test]
fn a_traceback_is_pythons() {
    let stop = Failure::new(FailureKind::Cpu, "too long");
    let failure = locate(stop, &Guest::new().calls(), "def größe():\n    größe()\n\ngröße()\n");
    assert_eq!(failure.line, Some(2));
    let expected = "Traceback (most recent call last):\n  \
          File \"script.py\", line 4, in <module>\n    größe()\n  \
          File \"script.py\", line 2, in größe\n    größe()\n  \
          File \"script.py\", line 2, in größe\n    größe()\n\
        TimeoutError: too long\n";
    assert_eq!(failure.traceback.as_deref(), Some(expected));
}

#[test]
fn what_a_guest_says_of_its_failure_stands() {
    let own = Failure { traceback: Some("own".into()), ..Failure::new(FailureKind::Exception, "") };
    let failure = locate(own, &Guest::new().calls(), "");
    assert_eq!((failure.traceback.as_deref(), failure.line), (Some("own"), None));
}

/// The guest had memory for the traceback of the outer frame only.
#[test]
fn half_a_traceback_is_made_whole() {
    let half = |lines: &[u32]| Failure {
        traceback: Some("half".into()),
        line: lines.last().map(|line| u64::from(*line)),
        lines: lines.iter().map(|line| Some(*line)).collect(),
        ..Failure::new(FailureKind::Memory, "no more")
    };
    for lines in [&[][..], &[4], &[4, 2]] {
        let whole = locate(half(lines), &Guest::new().calls(), "");
        assert_eq!(whole.line, Some(2), "{lines:?}");
        assert!(whole.traceback.unwrap().ends_with("in größe\nMemoryError: no more\n"), "{lines:?}");
    }
    for lines in [&[4, 2, 2][..], &[4, 2, 2, 2], &[3], &[4, 3]] {
        let other = locate(half(lines), &Guest::new().calls(), "");
        assert_eq!(other.traceback.as_deref(), Some("half"), "{lines:?} are of another time");
    }
}

#[test]
fn calls_that_are_unwound_are_known_by_their_outer_frames() {
    let mut guest = Guest::new();
    let inner = guest.calls();
    for outer in [1, 2] {
        guest.word(THREAD + 56, FRAMES + 64 * outer);
        assert!(guest.calls().are_outside(&inner), "{outer}");
        assert!(!inner.are_outside(&guest.calls()), "{outer}");
    }
    assert!(!inner.are_outside(&inner));
    guest.word(FRAMES + 64 * 2 + 28, MODULE + INSTRUCTIONS + 2);
    assert!(!guest.calls().are_outside(&inner), "it went on to the next instruction");
}

#[test]
fn frames_that_lead_to_each_other_end() {
    let mut guest = Guest::new();
    guest.frame(2, MODULE, Some(0));
    let calls = guest.calls();
    assert!(calls.is_cut && calls.frames.len() == 1_000, "{}", calls.frames.len());
    let failure = locate(Failure::new(FailureKind::Cpu, "too long"), &calls, &"x".repeat(100_000));
    assert!(failure.traceback.unwrap().len() < 17_000);
    guest.frame(1, FUNCTION, Some(1));
    let calls = guest.calls();
    assert_eq!(calls, Calls { frames: vec![frame("größe", 2, 10_000)], is_cut: true });
}

#[test]
fn lengths_that_lie_find_nothing() {
    let mut guest = Guest::new();
    guest.word(FUNCTION + 160 + 8, u32::MAX);
    assert_eq!(guest.calls().frames[1].line, None, "the table is longer than memory");
    guest.word(1664 + 8, u32::MAX);
    assert_eq!(guest.calls().frames[0].file.chars().count(), 500, "a text is cut");
    guest.word(THREAD + 56, u32::MAX - 1);
    assert_eq!(guest.calls(), Calls::default(), "the frame is nowhere");
}

#[test]
fn another_version_is_not_read() {
    let mut guest = Guest::new();
    guest.put(RUNTIME + 8, &0x0310_00f0_u64.to_le_bytes());
    assert_eq!(guest.calls(), Calls::default());
    assert_eq!(Stack::default().calls(&[]), Calls::default());
}

/// Whatever stands in memory: no panic, no endless loop, no long text.
#[test]
fn memory_that_says_anything_does_no_harm() {
    let mut random = 1_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap() % below
    };
    for _ in 0..20_000 {
        let Guest(mut memory) = Guest::new();
        for _ in 0..=next(8) {
            let at = (RUNTIME as usize + 16 + next(2_000)).max(next(FRAMES as usize + 192));
            let lie = [0, 1, 0x7f, 0x80, 0xff, u8::try_from(next(256)).unwrap()][next(6)];
            memory[at..][..1 + next(4)].fill(lie);
        }
        memory.truncate(memory.len() - next(4_096));
        let calls = Stack::default().calls(&memory);
        assert!(calls.frames.len() <= 1_000);
        let failure = locate(Failure::new(FailureKind::Cpu, "too long"), &calls, "x\n\ny");
        assert!(failure.traceback.is_none_or(|text| text.len() < 17_000));
    }
}
