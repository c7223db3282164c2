//! The accept loop: bounded connections, bounded heads, time limits, a drain at the end.

use std::{sync::Arc, time::Duration};

use axum::Router;
use hyper::{Request, body::Incoming};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{net::TcpListener, sync::Semaphore};
use tower::ServiceBuilder;

use crate::{AppState, router, source::Peer, webhooks};

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("connections cannot be accepted: {0}")]
    Accept(#[from] std::io::Error),
}

/// Serves until `stop` is done, then lets what is under way finish.
pub async fn serve(
    listener: TcpListener,
    state: AppState,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let limits = state.engine.limits().clone();
    let address = listener.local_addr()?;
    // A state that serves twice is reached at the first address too.
    let _ = state.listening.set(address);
    webhooks::start(&state, address);
    let app: Router = router(state.clone());
    let places = Arc::new(Semaphore::new(usize::try_from(limits.max_connections).unwrap_or(1).max(1)));
    let graceful = GracefulShutdown::new();
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(Duration::from_millis(limits.request_read_timeout_ms))
        .max_buf_size(usize::try_from(limits.max_header_bytes).unwrap_or(usize::MAX).max(8_192))
        .keep_alive(true);
    let mut stop = std::pin::pin!(stop);
    loop {
        // Beyond the bound, connections wait in the listener's backlog, which the kernel bounds.
        let place = tokio::select! {
            () = &mut stop => break,
            place = Arc::clone(&places).acquire_owned() => place,
        };
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, from) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, most likely: wait for some to come back.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        // Answers are small and awaited: do not hold them back.
        let _ = stream.set_nodelay(true);
        let peer = Peer(from.ip());
        let told = ServiceBuilder::new().map_request(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer);
            request
        });
        let service = TowerToHyperService::new(told.service(app.clone()));
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            let _place = place;
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended badly");
            }
        });
    }
    drop(listener);
    state.stopping.cancel();
    tokio::join!(state.engine.stop(), async {
        let patience = Duration::from_millis(limits.drain_ms) + Duration::from_secs(5);
        if tokio::time::timeout(patience, graceful.shutdown()).await.is_err() {
            tracing::warn!("some connections did not end");
        }
    });
    Ok(())
}
