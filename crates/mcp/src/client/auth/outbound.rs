//! The requests of OAuth itself: discovery, registration, tokens. They leave through the same outlet as those of the
//! protocol, so that the wall around addresses holds for them too.

use std::{sync::Arc, time::Duration};

use futures::StreamExt;
use rmcp::transport::auth::{OAuthHttpClient, OAuthHttpClientError, OAuthHttpClientFuture, OAuthHttpRequest};

use crate::client::Outlet;

/// No document of an authorization server is longer.
const MAX_BODY_BYTES: usize = 1_048_576;
const MAX_TIME: Duration = Duration::from_secs(30);

/// No redirect is followed: that of a token request would carry a secret elsewhere, and where discovery may lead the SDK decides itself.
pub struct Outbound(Arc<dyn Outlet>);

impl Outbound {
    pub fn new(outlet: Arc<dyn Outlet>) -> Self {
        Self(outlet)
    }
}

impl OAuthHttpClient for Outbound {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        let limit = request.timeout.unwrap_or(MAX_TIME).min(MAX_TIME);
        Box::pin(async move {
            let sent = async {
                let client = self.0.client(&request.request.uri().to_string()).await;
                execute(&client.map_err(|error| error.message)?, request.request).await
            };
            match tokio::time::timeout(limit, sent).await {
                Ok(answered) => answered,
                Err(_) => Err("it did not answer in time".into()),
            }
        })
    }
}

async fn execute(
    client: &reqwest::Client,
    request: http::Request<Vec<u8>>,
) -> Result<http::Response<Vec<u8>>, OAuthHttpClientError> {
    let request = reqwest::Request::try_from(request)?;
    let answered = client.execute(request).await.map_err(reqwest::Error::without_url)?;
    let mut response = http::Response::builder().status(answered.status());
    for (name, value) in answered.headers() {
        response = response.header(name, value);
    }
    let (mut body, mut chunks) = (Vec::new(), answered.bytes_stream());
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(reqwest::Error::without_url)?;
        if body.len() + chunk.len() > MAX_BODY_BYTES {
            return Err(format!("it answered with more than {MAX_BODY_BYTES} bytes").into());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(response.body(body)?)
}
