//! Finds a value whose characters were escaped: percent-encoding, JSON strings, HTML entities.
//!
//! Encoders differ in which characters they escape and how they write the digits, so the forms are not listed but read:
//! at each position the value is followed character by character, each one as itself or as any of its escapes.

/// `&#x10FFFF;` and `&#1114111;`
const MAX_ENTITY_BYTES: usize = 10;
/// `\u0061`, twice for a character outside the basic plane.
const JSON_UNIT_BYTES: usize = 6;

#[derive(Clone, Copy)]
enum Family {
    Percent,
    Json,
    Html,
}

/// No escaped form of `value` is longer.
pub(super) fn max_len(value: &str) -> usize {
    value.chars().map(|character| MAX_ENTITY_BYTES.max(JSON_UNIT_BYTES * character.len_utf16())).sum()
}

/// Whether `text` holds anything that could be an escape; without one there is nothing to look for.
pub(super) fn possible(text: &[u8]) -> bool {
    text.iter().any(|byte| matches!(byte, b'%' | b'+' | b'\\' | b'&'))
}

/// Where an escaped form of `value` that starts at the head of `text` ends. The longest, if there are several.
pub(super) fn match_at(text: &[u8], value: &str) -> Option<usize> {
    let first = text.first()?;
    if !matches!(first, b'%' | b'+' | b'\\' | b'&') && value.as_bytes().first() != Some(first) {
        return None;
    }
    let families = [Family::Percent, Family::Json, Family::Html];
    families.into_iter().filter_map(|family| follow(text, value, family)).max()
}

fn follow(text: &[u8], value: &str, family: Family) -> Option<usize> {
    let mut at = 0;
    for wanted in value.chars() {
        let rest = text.get(at..)?;
        at += match family {
            Family::Percent => percent(rest, wanted),
            Family::Json => json(rest, wanted).or_else(|| plain(rest, wanted)),
            Family::Html => html(rest, wanted).or_else(|| plain(rest, wanted)),
        }?;
    }
    Some(at)
}

fn plain(text: &[u8], wanted: char) -> Option<usize> {
    let mut buffer = [0; 4];
    let encoded = wanted.encode_utf8(&mut buffer).as_bytes();
    text.starts_with(encoded).then_some(encoded.len())
}

fn percent(text: &[u8], wanted: char) -> Option<usize> {
    if wanted == ' ' && text.first() == Some(&b'+') {
        return Some(1);
    }
    let mut buffer = [0; 4];
    let mut at = 0;
    for byte in wanted.encode_utf8(&mut buffer).bytes() {
        let rest = text.get(at..)?;
        at += match rest {
            [b'%', digits @ ..] if number(digits, 2, 16) == Some(u32::from(byte)) => 3,
            [first, ..] if *first == byte => 1,
            _ => return None,
        };
    }
    Some(at)
}

fn json(text: &[u8], wanted: char) -> Option<usize> {
    let short = |plain: char| (wanted == plain).then_some(2);
    match text {
        [b'\\', b'u', ..] => {
            let mut units = [0; 2];
            let units = wanted.encode_utf16(&mut units);
            let written = |(index, unit): (usize, &u16)| match text.get(JSON_UNIT_BYTES * index..) {
                Some([b'\\', b'u', digits @ ..]) => number(digits, 4, 16) == Some(u32::from(*unit)),
                _ => false,
            };
            units.iter().enumerate().all(written).then_some(JSON_UNIT_BYTES * units.len())
        }
        [b'\\', b'b', ..] => short('\u{8}'),
        [b'\\', b'f', ..] => short('\u{c}'),
        [b'\\', b'n', ..] => short('\n'),
        [b'\\', b'r', ..] => short('\r'),
        [b'\\', b't', ..] => short('\t'),
        [b'\\', same @ (b'"' | b'\\' | b'/'), ..] => short(char::from(*same)),
        _ => None,
    }
}

fn html(text: &[u8], wanted: char) -> Option<usize> {
    let body = text.strip_prefix(b"&")?;
    let end = body.iter().take(MAX_ENTITY_BYTES - 1).position(|byte| *byte == b';')?;
    let code = match body.get(..end)? {
        b"amp" => u32::from('&'),
        b"lt" => u32::from('<'),
        b"gt" => u32::from('>'),
        b"quot" => u32::from('"'),
        b"apos" => u32::from('\''),
        b"nbsp" => 0xa0,
        [b'#', b'x' | b'X', digits @ ..] => number(digits, digits.len(), 16)?,
        [b'#', digits @ ..] => number(digits, digits.len(), 10)?,
        _ => return None,
    };
    (code == u32::from(wanted)).then_some(end + 2)
}

/// The number that the first `count` bytes write, if they are all digits.
fn number(text: &[u8], count: usize, radix: u32) -> Option<u32> {
    let digits = text.get(..count).filter(|digits| !digits.is_empty())?;
    digits.iter().try_fold(0_u32, |sum, digit| {
        sum.checked_mul(radix)?.checked_add(char::from(*digit).to_digit(radix)?)
    })
}
