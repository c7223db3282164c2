//! Frames: a length of four bytes, little endian, and a JSON text of that length.

use std::io::{ErrorKind, Read, Write};

use anyhow::{bail, ensure};
use serde::Serialize;

pub(crate) const MAX_BYTES: usize = 8 << 20;
pub(crate) const MAX_NESTING: usize = 64;

/// The next frame's text; `None` where the other side has gone.
pub(crate) fn read(from: &mut impl Read) -> anyhow::Result<Option<String>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = usize::try_from(u32::from_le_bytes(length))?;
    ensure!(length <= MAX_BYTES, "a frame of {length} bytes is too large");
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    let text = String::from_utf8(bytes)?;
    ensure!(nesting(text.as_bytes()) <= MAX_NESTING, "a frame is nested too deeply");
    Ok(Some(text))
}

pub(crate) fn write(to: &mut impl Write, message: &impl Serialize) -> anyhow::Result<()> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = frame.len() - 4;
    if length > MAX_BYTES {
        bail!("a frame of {length} bytes is too large");
    }
    frame[..4].copy_from_slice(&u32::try_from(length)?.to_le_bytes());
    to.write_all(&frame)?;
    Ok(to.flush()?)
}

/// The bytes of a JSON text that are not inside of a string.
fn outside_of_strings(text: &[u8]) -> impl Iterator<Item = u8> {
    let (mut in_string, mut escaped) = (false, false);
    text.iter().copied().filter(move |byte| match byte {
        _ if escaped => {
            escaped = false;
            false
        }
        b'\\' if in_string => {
            escaped = true;
            false
        }
        b'"' => {
            in_string = !in_string;
            true
        }
        _ => !in_string,
    })
}

/// How deep a JSON text is nested, without parsing it: parsers recurse.
pub(crate) fn nesting(text: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in outside_of_strings(text) {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Whether a JSON text has an integer beyond 2^53-1, which readers silently round.
pub(crate) fn has_wide_integer(text: &[u8]) -> bool {
    const MAX_SAFE: u64 = (1 << 53) - 1;
    let (mut value, mut is_float) = (0_u64, false);
    for byte in outside_of_strings(text).chain([b' ']) {
        match byte {
            b'0'..=b'9' => value = value.saturating_mul(10).saturating_add(u64::from(byte - b'0')),
            b'.' | b'e' | b'E' => is_float = true,
            b'-' | b'+' => {}
            _ => {
                if value > MAX_SAFE && !is_float {
                    return true;
                }
                (value, is_float) = (0, false);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_is_counted_outside_of_strings() {
        assert_eq!(nesting(b"1"), 0);
        assert_eq!(nesting(br#"{"a":[[],[{}]]}"#), 4);
        assert_eq!(nesting(br#"["[[[\"[[["]"#), 1);
    }

    #[test]
    fn integers_that_readers_round_are_found_and_floats_are_not() {
        for wide in ["9007199254740992", "[1,-9007199254740992]", r#"{"a":123456789012345678901234567890}"#] {
            assert!(has_wide_integer(wide.as_bytes()), "{wide}");
        }
        for safe in ["9007199254740991", "1.2345678901234567e+30", r#"["9007199254740992", 1, true]"#] {
            assert!(!has_wide_integer(safe.as_bytes()), "{safe}");
        }
    }

    #[test]
    fn a_frame_is_read_as_it_was_written() {
        let mut wire = Vec::new();
        write(&mut wire, &serde_json::json!({"type": "ready"})).unwrap();
        let mut wire = wire.as_slice();
        assert_eq!(read(&mut wire).unwrap().as_deref(), Some(r#"{"type":"ready"}"#));
        assert_eq!(read(&mut wire).unwrap(), None);
    }

    #[test]
    fn what_is_too_large_or_too_deep_is_refused() {
        let long = u32::try_from(MAX_BYTES + 1).unwrap().to_le_bytes();
        assert!(read(&mut long.as_slice()).is_err());
        let mut deep = 130_u32.to_le_bytes().to_vec();
        deep.extend([b'['; 65].iter().chain(&[b']'; 65]));
        assert!(read(&mut deep.as_slice()).is_err());
    }
}
