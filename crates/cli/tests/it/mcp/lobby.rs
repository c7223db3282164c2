//! A door in front of the door: the suite cannot send a key, so somebody adds it on the way.

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use tokio::{net::TcpListener, task::JoinHandle};

use crate::mcp::gate::Gate;

/// Hands every request on as it came, `Host` and `Origin` too, with the key of the server behind.
pub(crate) struct Lobby {
    pub(crate) url: String,
    task: JoinHandle<()>,
}

#[derive(Clone)]
struct Behind {
    url: String,
    key: HeaderValue,
    http: reqwest::Client,
}

impl Lobby {
    pub(crate) async fn of(gate: &Gate) -> Self {
        let key = format!("Bearer {}", gate.key).parse().unwrap();
        let behind = Behind {
            url: gate.url.clone(),
            key,
            http: reqwest::Client::builder().tls_certs_only([]).build().unwrap(),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let router = axum::Router::new().fallback(hand_on).with_state(behind);
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, task }
    }
}

impl Drop for Lobby {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn hand_on(State(behind): State<Behind>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    parts.headers.insert(header::AUTHORIZATION, behind.key.clone());
    let sent = behind
        .http
        .request(parts.method, format!("{}{}", behind.url, parts.uri))
        .headers(parts.headers)
        .body(reqwest::Body::wrap_stream(body.into_data_stream()))
        .send()
        .await;
    match sent {
        Ok(answer) => {
            let (status, headers) = (answer.status(), answer.headers().clone());
            // Piece by piece: a stream of events is no good when it comes at the end.
            let mut response = Response::new(Body::from_stream(answer.bytes_stream()));
            *response.status_mut() = status;
            *response.headers_mut() = headers;
            response
        }
        Err(error) => (StatusCode::BAD_GATEWAY, error.to_string()).into_response(),
    }
}
