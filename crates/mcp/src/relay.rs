//! A pipe to a server that is elsewhere: for clients that can start a program and nothing more.

use std::collections::HashMap;

use http::{HeaderValue, header};
use rmcp::{
    RoleClient, RoleServer,
    transport::{
        IntoTransport, StreamableHttpClientTransport, Transport, stdio,
        streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use tokio_util::sync::CancellationToken;

/// Hands every message on, in both directions, until one side hangs up or it shall stop.
pub async fn relay_stdio(
    client: reqwest::Client,
    url: &str,
    authorization: Option<HeaderValue>,
    stopping: CancellationToken,
) -> Result<(), String> {
    let mut config = StreamableHttpClientTransportConfig::with_uri(url);
    config.custom_headers = HashMap::from_iter(authorization.map(|value| (header::AUTHORIZATION, value)));
    let mut there = IntoTransport::<RoleClient, _, _>::into_transport(
        StreamableHttpClientTransport::with_client(client, config),
    );
    let mut here = IntoTransport::<RoleServer, _, _>::into_transport(stdio());
    loop {
        tokio::select! {
            () = stopping.cancelled() => break,
            message = here.receive() => match message {
                Some(message) => there.send(message).await.map_err(|error| error.to_string())?,
                None => break,
            },
            message = there.receive() => match message {
                Some(message) => here.send(message).await.map_err(|error| error.to_string())?,
                None => return Err("the server hung up".to_owned()),
            },
        }
    }
    // Ends the session on the other side.
    there.close().await.map_err(|error| error.to_string())
}
