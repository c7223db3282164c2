//! Reading and writing a guest's memory, every address checked.

use wasmtime::Caller;

use super::errno::Errno;
use crate::guest::State;

/// A guest in the middle of a call.
pub(crate) trait Guest {
    /// Its memory, and what the host knows of it.
    fn parts(&mut self) -> (&mut [u8], &mut State);
}

impl Guest for Caller<'_, State> {
    fn parts(&mut self) -> (&mut [u8], &mut State) {
        match self.data().memory {
            Some(memory) => memory.data_and_store_mut(self),
            None => (&mut [], self.data_mut()),
        }
    }
}

pub(crate) fn bytes(memory: &[u8], at: u32, length: u32) -> Result<&[u8], Errno> {
    memory.get(at as usize..at as usize + length as usize).ok_or(Errno::Fault)
}

pub(super) fn bytes_mut(memory: &mut [u8], at: u32, length: u32) -> Result<&mut [u8], Errno> {
    memory.get_mut(at as usize..at as usize + length as usize).ok_or(Errno::Fault)
}

pub(super) fn put(memory: &mut [u8], at: u32, value: &[u8]) -> Result<(), Errno> {
    let length = u32::try_from(value.len()).map_err(|_| Errno::Fault)?;
    bytes_mut(memory, at, length)?.copy_from_slice(value);
    Ok(())
}

pub(crate) fn put_u32(memory: &mut [u8], at: u32, value: u32) -> Result<(), Errno> {
    put(memory, at, &value.to_le_bytes())
}

pub(super) fn put_u64(memory: &mut [u8], at: u32, value: u64) -> Result<(), Errno> {
    put(memory, at, &value.to_le_bytes())
}

pub(super) fn u32_at(memory: &[u8], at: u32) -> Result<u32, Errno> {
    let word = bytes(memory, at, 4)?.first_chunk().ok_or(Errno::Fault)?;
    Ok(u32::from_le_bytes(*word))
}

pub(super) fn u64_at(memory: &[u8], at: u32) -> Result<u64, Errno> {
    let word = bytes(memory, at, 8)?.first_chunk().ok_or(Errno::Fault)?;
    Ok(u64::from_le_bytes(*word))
}

/// Buffers that one call reads into or writes from.
const MAX_BUFFERS: u32 = 1024;

/// The addresses and lengths of a call's buffers.
pub(super) fn buffers(memory: &[u8], at: u32, count: u32) -> Result<Vec<(u32, u32)>, Errno> {
    if count > MAX_BUFFERS {
        return Err(Errno::Invalid);
    }
    let at = |index: u32| at.checked_add(8 * index).ok_or(Errno::Fault);
    (0..count)
        .map(|index| Ok((u32_at(memory, at(index)?)?, u32_at(memory, at(index)?.saturating_add(4))?)))
        .collect()
}
