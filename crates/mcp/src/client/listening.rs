//! Listens before it asks. A server with sessions may put a question on the stream that we open beside our requests; one that is asked
//! before the stream is there loses its question, and its answer waits for ever.

use std::{sync::Arc, time::Duration};

use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage};
use tokio::sync::watch;

/// Servers that answer for the stream only when they have something to say are asked after this.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Requests in a session wait, once, until the session's stream is there or refused.
#[derive(Clone, Default)]
pub(super) struct Listening {
    /// The session whose stream was asked for.
    heard: Arc<watch::Sender<Option<Arc<str>>>>,
}

impl Listening {
    pub(super) async fn ready(&self, message: &ClientJsonRpcMessage, session: Option<&Arc<str>>) {
        // Only requests wait: the stream is opened after the notification that ends the greeting.
        if session.is_some() && matches!(message, JsonRpcMessage::Request(_)) {
            let mut heard = self.heard.subscribe();
            // Who waited once waits no more, whether it opened or not.
            if tokio::time::timeout(MAX_WAIT, heard.wait_for(|heard| heard.as_ref() == session))
                .await
                .is_err()
            {
                self.opened(session);
            }
        }
    }

    /// The stream is there, or never will be.
    pub(super) fn opened(&self, session: Option<&Arc<str>>) {
        self.heard.send_replace(session.cloned());
    }
}
