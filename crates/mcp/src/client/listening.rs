//! Listens before it asks. A server with sessions may put a question on the stream that we open beside our requests; one that is asked
//! before the stream is there loses its question, and its answer waits for ever.

use std::{collections::HashMap, sync::Arc, time::Duration};

use futures::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use rmcp::{
    model::{ClientJsonRpcMessage, JsonRpcMessage},
    transport::streamable_http_client::{
        SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
    },
};
use sse_stream::Sse;
use tokio::sync::watch;

/// Servers that answer for the stream only when they have something to say are asked after this.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// An HTTP client whose requests in a session wait, once, until the session's stream is there or refused.
#[derive(Clone)]
pub struct Listening<C> {
    inner: C,
    is_open: Arc<watch::Sender<bool>>,
}

type Failure<C> = StreamableHttpError<<C as StreamableHttpClient>::Error>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

impl<C> Listening<C> {
    pub fn new(inner: C) -> Self {
        Self { inner, is_open: Arc::new(watch::Sender::new(false)) }
    }

    async fn ready(&self, message: &ClientJsonRpcMessage, session_id: Option<&Arc<str>>) {
        // Only requests wait: the stream is opened after the notification that ends the greeting.
        if session_id.is_some() && matches!(message, JsonRpcMessage::Request(_)) {
            let mut opened = self.is_open.subscribe();
            // Who waited once waits no more, whether it opened or not.
            if tokio::time::timeout(MAX_WAIT, opened.wait_for(|is_open| *is_open)).await.is_err() {
                self.is_open.send_replace(true);
            }
        }
    }
}

impl<C: StreamableHttpClient + Sync> StreamableHttpClient for Listening<C> {
    type Error = C::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure<C>> {
        self.ready(&message, session_id.as_ref()).await;
        self.inner.post_message(uri, message, session_id, token, headers).await
    }

    async fn post_message_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        max_bytes: usize,
    ) -> Result<StreamableHttpPostResponse, Failure<C>> {
        self.ready(&message, session_id.as_ref()).await;
        let inner = &self.inner;
        inner.post_message_with_max_sse_event_size(uri, message, session_id, token, headers, max_bytes).await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure<C>> {
        self.inner.delete_session(uri, session_id, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<Events, Failure<C>> {
        let opened = self.inner.get_stream(uri, session_id, last_event_id, token, headers).await;
        self.is_open.send_replace(true);
        opened
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        max_bytes: usize,
    ) -> Result<Events, Failure<C>> {
        let inner = &self.inner;
        let opened = inner
            .get_stream_with_max_sse_event_size(uri, session_id, last_event_id, token, headers, max_bytes)
            .await;
        self.is_open.send_replace(true);
        opened
    }
}
