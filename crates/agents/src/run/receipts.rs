//! The receipts of a run among its outputs. All of them stay, however much the tools said: what does not fit is shortened, and is
//! whole where the receipt names it.

use serde_json::Value;
use toolgate_domain::{
    Envelope,
    json::{encoded_len, preview},
};

/// The receipts, in `max_bytes` altogether and one of them once more.
pub(super) fn receipts(envelopes: &[Envelope], max_bytes: u64) -> Vec<Value> {
    let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
    let whole: Vec<Value> =
        envelopes.iter().map(|envelope| serde_json::to_value(envelope).unwrap_or_default()).collect();
    let sizes: Vec<usize> = whole.iter().map(encoded_len).collect();
    let largest = sizes.iter().max().copied().unwrap_or_default();
    let together = sizes.iter().fold(largest, |sum, size| sum.saturating_add(*size));
    // Half is left for the answer and for what stands around.
    if together <= max_bytes / 2 {
        return whole;
    }
    let share = max_bytes / 2 / (whole.len() + 1);
    let shortened = whole.into_iter().zip(sizes);
    shortened.map(|(receipt, size)| if size > share { short(receipt, share) } else { receipt }).collect()
}

fn short(mut receipt: Value, share: usize) -> Value {
    // Ids, names and times take the rest.
    for (key, part) in [("output", share / 2), ("input", share / 8), ("error", share / 8)] {
        if let Some(value) = receipt.get_mut(key) {
            *value = preview(value, part);
        }
    }
    receipt["truncated"] = true.into();
    receipt
}
