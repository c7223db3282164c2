//! The forms of a value that can be written down beforehand: itself, in hex, and in base64.

use data_encoding::{BASE64_NOPAD, BASE64URL_NOPAD, HEXLOWER, HEXUPPER};
use zeroize::Zeroizing;

/// Six bits of a base64 character that are partly the value's: the others belong to what stands next to it.
#[derive(Clone, Copy, PartialEq)]
struct Edge {
    mask: u8,
    bits: u8,
}

impl Edge {
    fn fits(self, character: Option<&u8>) -> bool {
        character.and_then(|character| sextet(*character)).is_some_and(|bits| bits & self.mask == self.bits)
    }
}

/// A form to search for. The edges are characters before and after it that must fit and are redacted with it.
#[derive(PartialEq)]
pub(super) struct Needle {
    pub(super) text: Zeroizing<Vec<u8>>,
    before: Option<Edge>,
    after: Option<Edge>,
}

impl Needle {
    pub(super) fn whole(text: impl Into<Vec<u8>>) -> Self {
        Self { text: Zeroizing::new(text.into()), before: None, after: None }
    }

    /// The forms of one value.
    pub(super) fn of_value(value: &str) -> Vec<Self> {
        let bytes = value.as_bytes();
        let mut needles = vec![
            Self::whole(bytes),
            Self::whole(HEXLOWER.encode(bytes)),
            Self::whole(HEXUPPER.encode(bytes)),
        ];
        needles.extend((0..3).flat_map(|offset| Self::base64(bytes, offset)));
        // Without letters both hex forms are one, and without `+` and `/` both alphabets are.
        needles.dedup();
        needles
    }

    /// How `value` reads in base64 when it starts `offset` bytes (modulo 3) into the encoded data. Both alphabets.
    fn base64(value: &[u8], offset: usize) -> [Self; 2] {
        let mut data = Zeroizing::new(vec![0; offset]);
        data.extend_from_slice(value);
        let end_bits = 8 * data.len();
        // The characters from `first` to `last` carry nothing but the value's bits.
        let (first, last) = ((8 * offset).div_ceil(6), end_bits / 6);
        // The neighbour's share of an edge is masked out; in `data` it is zero, and so it is in `bits`.
        let before_mask = [0, 0b00_1111, 0b00_0011][offset % 3];
        let after_mask = [0, 0b11_0000, 0b11_1100][(end_bits % 6) / 2];
        [BASE64_NOPAD, BASE64URL_NOPAD].map(|alphabet| {
            let encoded = Zeroizing::new(alphabet.encode(&data).into_bytes());
            let edge = |mask: u8, at: usize| {
                let bits = sextet(*encoded.get(at)?)?;
                (mask != 0).then_some(Edge { mask, bits: bits & mask })
            };
            Self {
                text: Zeroizing::new(encoded.get(first..last).unwrap_or_default().to_vec()),
                before: first.checked_sub(1).and_then(|at| edge(before_mask, at)),
                after: edge(after_mask, last),
            }
        })
    }

    /// The start of it, to find candidates by.
    pub(super) fn anchor(&self, max_bytes: usize) -> &[u8] {
        self.text.get(..max_bytes).unwrap_or(&self.text)
    }

    /// The length of a match, edges included.
    pub(super) fn len(&self) -> usize {
        self.text.len() + usize::from(self.before.is_some()) + usize::from(self.after.is_some())
    }

    /// The span of the match whose text starts at `at`, if the whole of it is there.
    pub(super) fn span_at(&self, haystack: &[u8], at: usize) -> Option<(usize, usize)> {
        let end = at.checked_add(self.text.len())?;
        if haystack.get(at..end)? != self.text.as_slice() {
            return None;
        }
        let start = match self.before {
            None => at,
            Some(edge) => at.checked_sub(1).filter(|before| edge.fits(haystack.get(*before)))?,
        };
        match self.after {
            None => Some((start, end)),
            Some(edge) => edge.fits(haystack.get(end)).then_some((start, end + 1)),
        }
    }
}

fn sextet(character: u8) -> Option<u8> {
    match character {
        b'A'..=b'Z' => Some(character - b'A'),
        b'a'..=b'z' => Some(character - b'a' + 26),
        b'0'..=b'9' => Some(character - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}
