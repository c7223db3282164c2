//! Letters leave the house by the operator's notifier.

use std::{net::SocketAddr, sync::Arc};

use crate::AppState;

/// Lets this process send what is due. Links lead to `address` unless the operator named a better one.
pub(crate) fn start(state: &AppState, address: SocketAddr) {
    let Some(notifier) = &state.options.notifier else { return };
    let here = || format!("http://{address}");
    let public_url = state.options.public_url.clone().unwrap_or_else(here);
    state.engine.deliver_by(Arc::clone(notifier), &public_url);
}
