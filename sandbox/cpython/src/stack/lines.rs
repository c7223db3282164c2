//! The location table of a code object: which instructions belong to which line.
//!
//! An entry begins with a byte `1cccclll`: `lll + 1` instructions, told in the form `cccc`. Columns are passed over.

/// Bytes of one instruction.
const INSTRUCTION_BYTES: u64 = 2;
/// Of six bits each: more would not fit a line.
const MAX_VARINT_BYTES: u32 = 6;

/// The line of the instruction `at` this many bytes from the first.
pub(super) fn line_at(table: &[u8], first_line: u32, at: u32) -> Option<u32> {
    let mut table = table.iter().copied();
    let (mut line, mut end) = (i64::from(first_line), 0_u64);
    while let Some(head) = table.next() {
        if head & 0x80 == 0 {
            return None;
        }
        end += (u64::from(head & 7) + 1) * INSTRUCTION_BYTES;
        line += match (head >> 3) & 15 {
            form @ 0..=9 => {
                let _columns = (form, table.next()?);
                0
            }
            form @ 10..=12 => {
                let _columns = (table.next()?, table.next()?);
                i64::from(form - 10)
            }
            13 => signed(&mut table)?,
            14 => {
                let lines = signed(&mut table)?;
                let _rest = (varint(&mut table)?, varint(&mut table)?, varint(&mut table)?);
                lines
            }
            // Instructions of no line: of the one before them.
            _ => 0,
        };
        if u64::from(at) < end {
            return u32::try_from(line).ok().filter(|line| *line > 0);
        }
    }
    None
}

fn varint(table: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let mut value = 0;
    for index in 0..MAX_VARINT_BYTES {
        let byte = table.next()?;
        value |= u64::from(byte & 63) << (6 * index);
        if byte & 64 == 0 {
            return Some(value);
        }
    }
    None
}

/// The lowest bit is the sign.
fn signed(table: &mut impl Iterator<Item = u8>) -> Option<i64> {
    let value = varint(table)?;
    let size = i64::try_from(value >> 1).ok()?;
    Some(if value & 1 == 1 { -size } else { size })
}
