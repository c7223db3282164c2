//! A guest's memory, to be looked at and not believed.

#[derive(Clone, Copy)]
pub(super) struct Peek<'a>(pub(super) &'a [u8]);

impl<'a> Peek<'a> {
    pub(super) fn bytes(self, at: u32, length: u32) -> Option<&'a [u8]> {
        let start = at as usize;
        self.0.get(start..start.checked_add(length as usize)?)
    }

    fn word<const N: usize>(self, at: u32) -> Option<[u8; N]> {
        self.0.get(at as usize..)?.first_chunk().copied()
    }

    pub(super) fn u8(self, at: u32) -> Option<u8> {
        self.word(at).map(u8::from_le_bytes)
    }

    pub(super) fn u32(self, at: u32) -> Option<u32> {
        self.word(at).map(u32::from_le_bytes)
    }

    pub(super) fn u64(self, at: u32) -> Option<u64> {
        self.word(at).map(u64::from_le_bytes)
    }
}
