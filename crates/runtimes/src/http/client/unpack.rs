//! Bodies that come packed: unpacked here, and counted while they are, so that a small one cannot become a flood.

use std::io::Read;

use bytes::Bytes;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};

use super::Failure;
use crate::http::HttpLimits;

pub(super) const ACCEPTED: &str = "gzip, deflate, br";
const BROTLI_BUFFER_BYTES: usize = 8 * 1024;

/// The unpacked body, and whether it was cut. `whole` says that `packed` is all there was.
pub(super) fn unpack(
    headers: &HeaderMap,
    packed: Bytes,
    max_bytes: u64,
    limits: &HttpLimits,
) -> Result<(Bytes, bool), Failure> {
    let encoding =
        headers.get(CONTENT_ENCODING).map(|value| value.to_str().unwrap_or("?").trim().to_ascii_lowercase());
    let reader: Box<dyn Read + '_> = match encoding.as_deref() {
        None | Some("" | "identity") => return Ok((packed, false)),
        _ if packed.is_empty() => return Ok((packed, false)),
        Some("gzip" | "x-gzip") => Box::new(flate2::read::MultiGzDecoder::new(&*packed)),
        Some("deflate") => Box::new(flate2::read::ZlibDecoder::new(&*packed)),
        Some("br") => Box::new(brotli_decompressor::Decompressor::new(&*packed, BROTLI_BUFFER_BYTES)),
        Some(_) => {
            return Err(Failure::provider("encoding", "the body is packed in a way that was not asked for"));
        }
    };
    let by_ratio =
        (packed.len() as u64).saturating_mul(limits.max_unpack_ratio).max(limits.unpack_ratio_from_bytes);
    let mut unpacked = Vec::new();
    reader
        .take(max_bytes.min(by_ratio) + 1)
        .read_to_end(&mut unpacked)
        .map_err(|_| Failure::provider("encoding", "the body cannot be unpacked"))?;
    let bytes = unpacked.len() as u64;
    if bytes > by_ratio {
        let message = format!("the body unpacks to more than {} times its size", limits.max_unpack_ratio);
        return Err(Failure::provider("unpack_ratio", message));
    }
    let truncated = bytes > max_bytes;
    unpacked.truncate(usize::try_from(max_bytes).unwrap_or(usize::MAX));
    Ok((unpacked.into(), truncated))
}
