//! One frame: a length in four bytes (little endian), then that many bytes of JSON.

use std::io::{self, Read, Write};

use serde_json::Value;

/// Bytes of one frame, in either direction.
pub(crate) const MAX_FRAME_BYTES: usize = 16 * 1024 * 1024;
/// Levels of nesting in a frame that comes in: the deepest value (64), and the message around it.
const MAX_DEPTH: usize = 72;

pub(crate) enum Incoming {
    Message(Value),
    /// The parent has closed its end.
    End,
    /// What came is no frame of ours.
    Broken(&'static str),
}

pub(crate) fn read(input: &mut impl Read) -> io::Result<Incoming> {
    let mut head = [0; 4];
    match input.read_exact(&mut head) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(Incoming::End),
        Err(error) => return Err(error),
    }
    let length = u32::from_le_bytes(head) as usize;
    if length > MAX_FRAME_BYTES {
        return Ok(Incoming::Broken("the frame is too long"));
    }
    let mut body = Vec::new();
    // Memory grows with what arrives, not with what the header promises.
    if input.take(length as u64).read_to_end(&mut body)? != length {
        return Ok(Incoming::Broken("the frame ends early"));
    }
    if too_deep(&body) {
        return Ok(Incoming::Broken("the frame nests too deeply"));
    }
    let message = std::str::from_utf8(&body).ok().and_then(|text| serde_json::from_str(text).ok());
    Ok(message.map_or(Incoming::Broken("the frame is not JSON"), Incoming::Message))
}

pub(crate) fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    let length = u32::try_from(body.len()).ok().filter(|_| body.len() <= MAX_FRAME_BYTES);
    let length = length.ok_or_else(|| io::Error::other("a frame that is too long to send"))?;
    output.write_all(&length.to_le_bytes())?;
    output.write_all(&body)?;
    output.flush()
}

/// One pass over the bytes before anything is built from them.
fn too_deep(bytes: &[u8]) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return true;
                }
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}
