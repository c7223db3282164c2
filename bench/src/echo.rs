//! The bare server that others are compared with: axum, and nothing behind it.

use axum::{
    Router,
    routing::{get, post},
    serve::ListenerExt,
};
use bytes::Bytes;
use tokio::net::TcpListener;

use crate::output;

pub(crate) async fn serve() -> anyhow::Result<()> {
    let app = Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .route("/echo", post(|body: Bytes| async move { body }));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    output::announce(&format!("listening on http://{}", listener.local_addr()?));
    // As Toolgate's own accept loop does.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, app).await?;
    Ok(())
}
