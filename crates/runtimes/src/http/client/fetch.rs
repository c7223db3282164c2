//! One request, its redirects, and the body at the end of them.

use std::{sync::Arc, time::Duration};

use bytes::{Bytes, BytesMut};
use reqwest::{
    Method,
    header::{ACCEPT_ENCODING, HeaderMap, HeaderValue},
};
use tokio::time::Instant;
use toolgate_domain::rate::RateLimit;

use super::{Bounds, Failure, Gate, Outgoing, Response, pins::Pins, redirect, unpack};
use crate::http::{
    HttpLimits,
    wall::{Refusal, Wall},
};

/// The client behind the wall.
pub(in crate::http) struct Client {
    http: reqwest::Client,
    pins: Pins,
    gate: Gate,
    limits: HttpLimits,
}

impl Client {
    pub(in crate::http) fn new(
        limits: HttpLimits,
        trusted: Vec<reqwest::Certificate>,
    ) -> Result<Self, reqwest::Error> {
        let pins = Pins::default();
        let http = reqwest::Client::builder()
            .user_agent(concat!("toolgate/", env!("CARGO_PKG_VERSION")))
            // Every hop is judged by the wall, so hops are taken by hand.
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .http1_only()
            .tls_certs_merge(trusted)
            .http1_max_headers(limits.max_response_headers)
            .connect_timeout(Duration::from_millis(limits.connect_timeout_ms))
            .pool_max_idle_per_host(limits.pool_idle_per_host)
            .pool_idle_timeout(Duration::from_millis(limits.pool_idle_ms))
            .dns_resolver(Arc::new(pins.clone()))
            .build()?;
        let gate = Gate::new(limits.max_hosts, Duration::from_millis(limits.max_wait_ms));
        Ok(Self { http, pins, gate, limits })
    }

    /// Sends, follows what may be followed, and reads the answer. It ends by the deadline.
    pub(in crate::http) async fn fetch(
        &self,
        wall: &Wall,
        request: Outgoing,
        bounds: Bounds,
    ) -> Result<Response, Failure> {
        match tokio::time::timeout_at(bounds.deadline, self.hops(wall, request, bounds)).await {
            Ok(result) => result,
            Err(_) => Err(Failure::timeout(bounds.timeout_ms)),
        }
    }

    async fn hops(&self, wall: &Wall, mut request: Outgoing, bounds: Bounds) -> Result<Response, Failure> {
        let mut followed = 0;
        loop {
            let admitted = wall.admit(&request.url).await.map_err(|refusal| match refusal {
                // The caller's own URL was screened before: this one is the host's.
                Refusal::Url(why) if followed > 0 => {
                    Failure::provider("redirect", format!("the host redirects to where nobody can go: {why}"))
                }
                refusal => refusal.into(),
            })?;
            let _turn = self.turn(&request, bounds.deadline).await?;
            let _pin = self.pins.hold(&admitted);
            let response = self.send(&request).await?;
            let (status, headers) = (response.status(), response.headers().clone());
            self.check_headers(&headers)?;
            if bounds.max_redirects > 0
                && let Some(next) = redirect::next(&request, status, &headers)?
            {
                if followed == bounds.max_redirects {
                    let message = format!("the host redirects more than {followed} times");
                    return Err(Failure::provider("redirects", message));
                }
                followed += 1;
                request = next;
                continue;
            }
            let (packed, cut) = read(response, bounds.max_response_bytes).await?;
            if cut && headers.contains_key(reqwest::header::CONTENT_ENCODING) {
                let message = format!("the packed body has more than {} bytes", bounds.max_response_bytes);
                return Err(Failure::provider("too_large", message));
            }
            let (body, truncated) = self.unpack(&headers, packed, bounds.max_response_bytes).await?;
            return Ok(Response { status, headers, body, truncated: cut || truncated, url: request.url });
        }
    }

    async fn turn(&self, request: &Outgoing, deadline: Instant) -> Result<impl Sized + use<>, Failure> {
        let rate = RateLimit {
            limit: self.limits.host_requests_per_s,
            window_s: 1,
            concurrency: Some(self.limits.host_concurrency),
        };
        self.gate.enter(&host_key(request), rate, deadline).await
    }

    async fn send(&self, request: &Outgoing) -> Result<reqwest::Response, Failure> {
        let mut headers = request.headers.clone();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(unpack::ACCEPTED));
        let mut sent = self.http.request(request.method.clone(), request.url.clone()).headers(headers);
        match &request.body {
            Some(body) => sent = sent.body(body.clone()),
            // Servers want a length from methods that usually have a body.
            None if [Method::POST, Method::PUT, Method::PATCH].contains(&request.method) => {
                sent = sent.body(Bytes::new());
            }
            None => {}
        }
        Ok(sent.send().await?)
    }

    fn check_headers(&self, headers: &HeaderMap) -> Result<(), Failure> {
        let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
        if headers.len() > self.limits.max_response_headers || bytes > self.limits.max_response_header_bytes {
            return Err(Failure::provider("headers", "the response has more headers than are read"));
        }
        Ok(())
    }

    /// Unpacking is work for a thread that may block, and the work is bounded by the bytes.
    async fn unpack(
        &self,
        headers: &HeaderMap,
        packed: Bytes,
        max_bytes: u64,
    ) -> Result<(Bytes, bool), Failure> {
        if !headers.contains_key(reqwest::header::CONTENT_ENCODING) {
            return Ok((packed, false));
        }
        let (headers, limits) = (headers.clone(), self.limits.clone());
        tokio::task::spawn_blocking(move || unpack::unpack(&headers, packed, max_bytes, &limits))
            .await
            .unwrap_or_else(|_| Err(Failure::provider("encoding", "the body cannot be unpacked")))
    }
}

fn host_key(request: &Outgoing) -> String {
    format!(
        "{}:{}",
        request.url.host_str().unwrap_or_default(),
        request.url.port_or_known_default().unwrap_or_default()
    )
}

/// Reads until the bound, and no byte further.
async fn read(mut response: reqwest::Response, max_bytes: u64) -> Result<(Bytes, bool), Failure> {
    let max = usize::try_from(max_bytes).unwrap_or(usize::MAX);
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await? {
        let left = max - body.len();
        if chunk.len() > left {
            body.extend_from_slice(&chunk[..left]);
            return Ok((body.freeze(), true));
        }
        body.extend_from_slice(&chunk);
    }
    Ok((body.freeze(), false))
}
