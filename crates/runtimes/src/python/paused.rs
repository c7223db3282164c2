//! What a script that waits leaves behind: the call that it waits for, and where it stood.

use toolgate_domain::json::parse;

use super::HostCall;

/// Nesting of a call's arguments; it was bounded when the call was made.
const MAX_DEPTH: usize = 100;

pub(super) struct Paused {
    pub(super) call: HostCall,
    pub(super) snapshot: Vec<u8>,
}

impl Paused {
    /// `length of the call ‖ call ‖ snapshot`
    pub(super) fn encode(&self) -> Result<Vec<u8>, String> {
        let call = serde_json::to_vec(&self.call).map_err(|e| e.to_string())?;
        let length = u32::try_from(call.len()).map_err(|e| e.to_string())?;
        Ok([&length.to_le_bytes(), call.as_slice(), self.snapshot.as_slice()].concat())
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (call, snapshot) = rest.split_at_checked(length)?;
        let call = serde_json::from_value(parse(call, MAX_DEPTH).ok()?).ok()?;
        Some(Self { call, snapshot: snapshot.to_vec() })
    }
}
