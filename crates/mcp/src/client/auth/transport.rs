//! Puts the token on each request, and reacts when the server refuses it.

use std::{collections::HashMap, sync::Arc};

use async_trait::async_trait;
use futures::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use rmcp::{
    model::ClientJsonRpcMessage,
    transport::streamable_http_client::{
        SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
    },
};
use sse_stream::Sse;

use super::{Answer, Login, LoginError};

/// How often one request asks a person. More would be a loop: each time the server wanted something else.
const MAX_CONSENTS: usize = 2;

/// Somebody who can be asked while a request waits. A server has nobody: there, people log in beforehand.
#[async_trait]
pub trait Consent: Send + Sync {
    /// Where the browser is sent back to.
    fn redirect_uri(&self) -> &str;

    async fn ask(&self, authorization_url: &str) -> Result<Answer, LoginError>;
}

/// An HTTP client that logs in.
#[derive(Clone)]
pub struct Authorized<C> {
    inner: C,
    login: Arc<Login>,
    consent: Option<Arc<dyn Consent>>,
}

impl<C> Authorized<C> {
    pub fn new(inner: C, login: Arc<Login>) -> Self {
        Self { inner, login, consent: None }
    }

    pub fn with_consent(mut self, consent: Arc<dyn Consent>) -> Self {
        self.consent = Some(consent);
        self
    }
}

/// Who finishes what a request started.
const BY_REQUEST: &str = "request";

type Refusal<C> = StreamableHttpError<<C as StreamableHttpClient>::Error>;

impl<C: StreamableHttpClient + Sync> Authorized<C> {
    /// 1. With the token that is there, or without one. 2. Refused: with a renewed one. 3. Refused: after asking, where there is
    ///    somebody to ask. Then the refusal is the answer.
    async fn send<T, F, Sent>(&self, call: F) -> Result<T, Refusal<C>>
    where
        F: Fn(Option<String>) -> Sent + Send,
        Sent: Future<Output = Result<T, Refusal<C>>> + Send,
        T: Send,
    {
        let token = self.login.bearer().await.map_err(refused::<C>)?;
        let mut answered = call(token.clone()).await;
        if matches!(answered, Err(StreamableHttpError::AuthRequired(_)))
            && let Some(token) = token
            && let Some(fresh) = self.login.instead_of(&token).await.map_err(refused::<C>)?
        {
            answered = call(Some(fresh)).await;
        }
        for _ in 0..MAX_CONSENTS {
            let challenge = match &answered {
                Err(StreamableHttpError::AuthRequired(error)) => error.www_authenticate_header.clone(),
                Err(StreamableHttpError::InsufficientScope(error)) => {
                    let challenge = error.www_authenticate_header.clone();
                    self.login.note_scopes(&challenge).await.map_err(refused::<C>)?;
                    challenge
                }
                _ => return answered,
            };
            if !self.log_in(&challenge).await.map_err(refused::<C>)? {
                return answered;
            }
            answered = call(self.login.bearer().await.map_err(refused::<C>)?).await;
        }
        answered
    }

    /// Whether there is a new token to try.
    async fn log_in(&self, challenge: &str) -> Result<bool, LoginError> {
        if self.login.is_machine() {
            return self.login.log_in_as_machine(challenge).await.map(|()| true);
        }
        let Some(consent) = &self.consent else { return Ok(false) };
        let started = self.login.start(BY_REQUEST, consent.redirect_uri(), Some(challenge)).await?;
        let answer = consent.ask(&started.authorization_url).await?;
        self.login.finish(BY_REQUEST, &answer).await.map(|()| true)
    }
}

/// The cause stays in the chain: whoever made the call finds the `LoginError` there.
fn refused<C: StreamableHttpClient>(error: LoginError) -> Refusal<C> {
    StreamableHttpError::Io(std::io::Error::other(error))
}

impl<C: StreamableHttpClient + Sync> StreamableHttpClient for Authorized<C> {
    type Error = C::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Refusal<C>> {
        self.send(|token| {
            self.inner.post_message(uri.clone(), message.clone(), session_id.clone(), token, headers.clone())
        })
        .await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Refusal<C>> {
        // Nobody is asked to log in for a goodbye.
        let token = self.login.bearer().await.map_err(refused::<C>)?;
        self.inner.delete_session(uri, session_id, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Refusal<C>> {
        self.send(|token| {
            let last_event_id = last_event_id.clone();
            self.inner.get_stream(uri.clone(), session_id.clone(), last_event_id, token, headers.clone())
        })
        .await
    }
}
