//! What one rendering may spend.

use std::sync::atomic::{AtomicU64, Ordering};

use minijinja::{
    Error, ErrorKind,
    value::{Value, ValueKind},
};

/// Bytes of the finished text.
pub(super) const MAX_OUTPUT_BYTES: u64 = 1024 * 1024;
/// Bytes of any one value on the way.
pub(super) const MAX_VALUE_BYTES: u64 = 1024 * 1024;
/// Levels of lists and maps within each other.
const MAX_DEPTH: u32 = 70;
/// Bytes that are looked at, all operators and filters taken together.
const MAX_WORK_BYTES: u64 = 50_000_000;
/// What a value takes besides its text.
const OVERHEAD_BYTES: u64 = 8;

/// The account of one rendering.
#[derive(Default)]
pub(super) struct Budget {
    output_bytes: AtomicU64,
    work_bytes: AtomicU64,
}

impl Budget {
    /// Pays for text that goes into the output.
    pub(super) fn emit(&self, bytes: usize) -> Result<(), Error> {
        let bytes = bytes as u64;
        if self.output_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes > MAX_OUTPUT_BYTES {
            return Err(refused(format!("the text becomes larger than {MAX_OUTPUT_BYTES} bytes")));
        }
        Ok(())
    }

    /// Pays for looking at `bytes` bytes.
    pub(super) fn work(&self, bytes: u64) -> Result<(), Error> {
        if self.work_bytes.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) > MAX_WORK_BYTES {
            return Err(refused("the template does too much work".to_owned()));
        }
        Ok(())
    }

    /// Pays for looking at all of `value`, and answers how large it is.
    pub(super) fn look(&self, value: &Value) -> Result<u64, Error> {
        let bytes = size(value, 0)?;
        self.work(bytes)?;
        Ok(bytes)
    }

    /// A value that a filter or operator made, if it is not too large. Lazy sequences become lists, since lazy ones
    /// over lazy ones would nest without a bound.
    pub(super) fn settle(&self, value: Value) -> Result<Value, Error> {
        let value = if value.kind() == ValueKind::Iterable {
            let mut items = Vec::new();
            for item in value.try_iter()? {
                self.work(OVERHEAD_BYTES)?;
                items.push(item);
            }
            Value::from(items)
        } else {
            value
        };
        self.look(&value)?;
        Ok(value)
    }
}

/// Refuses a length before anything of that length is made.
pub(super) fn check_bytes(bytes: u64) -> Result<(), Error> {
    if bytes > MAX_VALUE_BYTES {
        return Err(refused(format!("a value becomes larger than {MAX_VALUE_BYTES} bytes")));
    }
    Ok(())
}

/// Whether a value is neither text nor holds others.
pub(super) fn is_scalar(value: &Value) -> bool {
    !matches!(
        value.kind(),
        ValueKind::String | ValueKind::Bytes | ValueKind::Seq | ValueKind::Iterable | ValueKind::Map
    )
}

pub(super) fn refused(message: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, message)
}

/// Bytes of a value, text shared between its parts counted each time: that is what printing it would take.
fn size(value: &Value, depth: u32) -> Result<u64, Error> {
    if depth > MAX_DEPTH {
        return Err(refused(format!("a value nests deeper than {MAX_DEPTH} levels")));
    }
    let mut bytes = OVERHEAD_BYTES;
    match value.kind() {
        ValueKind::String => bytes += value.as_str().map_or(0, str::len) as u64,
        ValueKind::Bytes => bytes += value.as_bytes().map_or(0, <[u8]>::len) as u64,
        ValueKind::Seq | ValueKind::Iterable => {
            for item in value.try_iter()? {
                bytes += size(&item, depth + 1)?;
                check_bytes(bytes)?;
            }
        }
        ValueKind::Map => {
            for key in value.try_iter()? {
                bytes += size(&key, depth + 1)? + size(&value.get_item(&key)?, depth + 1)?;
                check_bytes(bytes)?;
            }
        }
        _ => {}
    }
    check_bytes(bytes)?;
    Ok(bytes)
}
