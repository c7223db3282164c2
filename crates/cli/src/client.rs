//! The client of the REST surface: built in one place, with time limits on everything.

mod connect;
mod pages;
mod pieces;
mod problem;
mod session;
mod sse;

use std::time::Duration;

use anyhow::Context;
pub(crate) use connect::{KeySource, data_dir};
pub(crate) use pages::pages;
pub(crate) use pieces::Pieces;
pub(crate) use problem::{failure_of, unreachable};
use reqwest::{
    Method, Response, Url,
    header::{HeaderMap, HeaderValue},
    redirect::Policy,
};
use serde_json::Value;
pub(crate) use session::Session;
pub(crate) use sse::{SseEvent, SseStream};

use crate::{
    cli::ClientArgs,
    exit::{Exit, Failure},
};

const CONNECT: Duration = Duration::from_secs(5);
const ORDINARY: Duration = Duration::from_secs(30);
/// The longest timeout that a tool may have, and time to answer.
pub(crate) const CALL: Duration = Duration::from_secs(16 * 60);
/// A page of large rows is large; anything beyond this is no answer of ours.
const MAX_ANSWER_BYTES: usize = 512 * 1024 * 1024;

pub(crate) struct Client {
    http: reqwest::Client,
    base: Url,
    key: Option<HeaderValue>,
    source: KeySource,
}

/// A whole answer, good or bad.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Client {
    pub(crate) fn new(args: &ClientArgs) -> anyhow::Result<Self> {
        let base = connect::base_url(args.url.as_deref())?;
        let (key, source) = connect::find_key(args, &base)?;
        let mut builder = reqwest::Client::builder()
            // The server marks calls of this agent as the CLI's.
            .user_agent(concat!("toolgate-cli/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            // A redirect would carry the key to where nobody meant to send it.
            .redirect(Policy::none());
        if connect::is_local(&base) {
            builder = builder.no_proxy();
            if base.scheme() == "http" {
                // Reading the system's certificates takes longer than most commands, and none is needed here.
                builder = builder.tls_certs_only([]);
            }
        }
        let http = builder.build().context("the HTTP client cannot be made")?;
        Ok(Self { http, base, key, source })
    }

    pub(crate) fn base(&self) -> &Url {
        &self.base
    }

    pub(crate) fn is_local(&self) -> bool {
        connect::is_local(&self.base)
    }

    /// For what speaks to the server in a protocol of its own.
    pub(crate) fn parts(&self) -> (reqwest::Client, Option<HeaderValue>) {
        (self.http.clone(), self.key.clone())
    }

    pub(crate) fn key_source(&self) -> &KeySource {
        &self.source
    }

    pub(crate) fn get(&self, path: &[&str]) -> Ask<'_> {
        self.ask(Method::GET, path)
    }

    pub(crate) fn post(&self, path: &[&str], body: Value) -> Ask<'_> {
        Ask { body: Some(body), ..self.ask(Method::POST, path) }
    }

    pub(crate) fn put(&self, path: &[&str], body: Value) -> Ask<'_> {
        Ask { body: Some(body), ..self.ask(Method::PUT, path) }
    }

    pub(crate) fn patch(&self, path: &[&str], body: Value) -> Ask<'_> {
        Ask { body: Some(body), ..self.ask(Method::PATCH, path) }
    }

    pub(crate) fn delete(&self, path: &[&str]) -> Ask<'_> {
        self.ask(Method::DELETE, path)
    }

    fn ask(&self, method: Method, path: &[&str]) -> Ask<'_> {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        let headers = HeaderMap::new();
        Ask { client: self, method, url, body: None, headers, patience: ORDINARY, key: self.key.as_ref() }
    }
}

/// One request, before it is sent.
pub(crate) struct Ask<'a> {
    client: &'a Client,
    method: Method,
    url: Url,
    body: Option<Value>,
    headers: HeaderMap,
    patience: Duration,
    key: Option<&'a HeaderValue>,
}

impl<'a> Ask<'a> {
    pub(crate) fn without_key(mut self) -> Self {
        self.key = None;
        self
    }

    /// As a person who signed in, instead of with a key.
    pub(crate) fn in_session(mut self, session: &Session) -> Self {
        self.headers.extend(session.headers());
        self.without_key()
    }

    /// Adds to the query what is there.
    pub(crate) fn query(mut self, name: &str, value: Option<impl ToString>) -> Self {
        if let Some(value) = value {
            self.url.query_pairs_mut().append_pair(name, &value.to_string());
        }
        self
    }

    pub(crate) fn header(mut self, name: &'static str, value: Option<&str>) -> anyhow::Result<Self> {
        if let Some(value) = value {
            let value = HeaderValue::from_str(value).map_err(|_| {
                Failure::invalid(format!(
                    "`{name}` cannot carry this text: it holds characters that a header may not"
                ))
            })?;
            self.headers.insert(name, value);
        }
        Ok(self)
    }

    pub(crate) fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The document of a good answer; a bad one is an error.
    pub(crate) async fn value(self) -> anyhow::Result<Value> {
        let client = self.client;
        let answer = self.send().await?;
        if answer.status < 400 {
            return Ok(answer.body);
        }
        Err(failure_of(client, answer.status, answer.body).into())
    }

    /// The answer, whatever it is.
    pub(crate) async fn send(self) -> anyhow::Result<Answer> {
        let (client, patience) = (self.client, self.patience);
        let asked = async {
            let mut response = self.begin().await?;
            let (status, headers) = (response.status().as_u16(), std::mem::take(response.headers_mut()));
            let bytes = read_all(client, response).await?;
            // What is no JSON is kept as text: an error page of something in between, most likely.
            let text = String::from_utf8_lossy(&bytes);
            let body = serde_json::from_str(&text).unwrap_or_else(|_| Value::from(text.into_owned()));
            Ok(Answer { status, headers, body })
        };
        tokio::time::timeout(patience, asked).await.unwrap_or_else(|_| {
            let message = format!("{} did not answer within {} s", client.base, patience.as_secs());
            Err(Failure::new(Exit::Unreachable, message).hint("`toolgate doctor` looks at the server").into())
        })
    }

    /// Opens a stream of events.
    pub(crate) async fn stream(mut self) -> anyhow::Result<SseStream> {
        self.headers.insert("accept", HeaderValue::from_static("text/event-stream"));
        self.open().await.map(SseStream::new)
    }

    /// Opens an answer that is read piece by piece.
    pub(crate) async fn pieces(self) -> anyhow::Result<Pieces<'a>> {
        let client = self.client;
        Ok(Pieces::new(client, self.open().await?))
    }

    /// The beginning of a good answer; a bad one is an error.
    async fn open(self) -> anyhow::Result<Response> {
        let (client, patience) = (self.client, self.patience);
        let begun = tokio::time::timeout(patience, self.begin()).await;
        let response =
            begun.unwrap_or_else(|_| Err(unreachable(client, "it did not answer in time").into()))?;
        let status = response.status().as_u16();
        if status < 400 {
            return Ok(response);
        }
        let bytes = read_all(client, response).await?;
        let body = serde_json::from_str(&String::from_utf8_lossy(&bytes)).unwrap_or(Value::Null);
        Err(failure_of(client, status, body).into())
    }

    async fn begin(self) -> anyhow::Result<Response> {
        let client = self.client;
        let mut request = client.http.request(self.method, self.url).headers(self.headers);
        if let Some(key) = self.key {
            request = request.header("authorization", key);
        }
        if let Some(body) = &self.body {
            request = request.json(body);
        }
        request.send().await.map_err(|error| unreachable(client, &problem::root(&error)).into())
    }
}

async fn read_all(client: &Client, mut response: Response) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some(chunk) =
        response.chunk().await.map_err(|error| unreachable(client, &problem::root(&error)))?
    {
        if bytes.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(Failure::new(
                Exit::Failed,
                format!("the answer has more than {MAX_ANSWER_BYTES} bytes"),
            )
            .hint("ask for fewer rows with --limit")
            .into());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
