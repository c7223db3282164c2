//! Attachments leave with addresses that work without a key, for a while.

use toolgate_domain::{Attachment, Envelope};

use crate::AppState;

/// The receipt with addresses of blobs that work without a key, for a while.
pub(crate) fn signed(state: &AppState, mut envelope: Envelope) -> Envelope {
    sign_all(state, &mut envelope.attachments);
    envelope
}

pub(crate) fn sign_all(state: &AppState, attachments: &mut [Attachment]) {
    let ttl_ms =
        i64::try_from(state.engine.limits().blob_url_ttl_s.saturating_mul(1_000)).unwrap_or(i64::MAX);
    let expires = state.engine.clock().now().plus_ms(ttl_ms);
    for attachment in attachments {
        if let Some(id) = attachment.url.strip_prefix("/api/blobs/").and_then(|id| id.parse().ok()) {
            attachment.url = state.engine.signer().sign(id, expires);
        }
    }
}
