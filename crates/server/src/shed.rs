//! Load is shed, not queued: a request beyond the bound is told at once to come back.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    extract::Request,
    response::{IntoResponse, Response},
};
use futures::future::{Either, Ready, ready};
use pin_project_lite::pin_project;
use tokio::sync::OwnedSemaphorePermit;
use tower::{Layer, Service};

use crate::{ApiCode, AppState, Problem};

#[derive(Clone)]
pub(crate) struct ShedLayer(pub(crate) AppState);

#[derive(Clone)]
pub(crate) struct Shed<S> {
    inner: S,
    state: AppState,
}

impl<S> Layer<S> for ShedLayer {
    type Service = Shed<S>;

    fn layer(&self, inner: S) -> Shed<S> {
        Shed { inner, state: self.0.clone() }
    }
}

impl<S> Service<Request> for Shed<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Either<Ready<Result<Response, Infallible>>, Held<S::Future>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        // Those who watch over the server must reach it when it is busy, above all.
        let place = if matches!(request.uri().path(), "/healthz" | "/readyz" | "/metrics") {
            None
        } else if let Ok(place) = Arc::clone(&self.state.requests).try_acquire_owned() {
            Some(place)
        } else {
            self.state.engine.metrics().shed.inc();
            let busy = "too many requests are under way: try again in a moment";
            return Either::Left(ready(Ok(Problem::new(ApiCode::Overloaded, busy).into_response())));
        };
        Either::Right(Held { future: self.inner.call(request), _place: place })
    }
}

pin_project! {
    /// A request under way, with its place among those that may be.
    pub(crate) struct Held<F> {
        #[pin]
        future: F,
        _place: Option<OwnedSemaphorePermit>,
    }
}

impl<F: Future> Future for Held<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.project().future.poll(context)
    }
}
