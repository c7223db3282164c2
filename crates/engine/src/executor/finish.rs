//! A call that began ends, even when the one who made it has gone.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::runtime::Handle;

/// Runs where it is awaited, which costs nothing; when whoever awaits it goes away, the rest becomes a task of its own.
pub struct Finish<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    rest: Option<Pin<Box<F>>>,
}

impl<F> Finish<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    pub fn new(work: F) -> Self {
        Self { rest: Some(Box::pin(work)) }
    }
}

impl<F> Future for Finish<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Some(rest) = &mut self.rest else {
            // Nobody polls a future that is over.
            return Poll::Pending;
        };
        let polled = rest.as_mut().poll(context);
        if polled.is_ready() {
            self.rest = None;
        }
        polled
    }
}

impl<F> Drop for Finish<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    fn drop(&mut self) {
        // Without a runtime the process is ending, and the next start settles the call.
        if let (Some(rest), Ok(runtime)) = (self.rest.take(), Handle::try_current()) {
            drop(runtime.spawn(rest));
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn an_abandoned_call_goes_on() {
        let (begun, has_begun) = oneshot::channel();
        let (go_on, may_go_on) = oneshot::channel::<()>();
        let (ended, has_ended) = oneshot::channel();
        let caller = tokio::spawn(Finish::new(async move {
            let _ = begun.send(());
            let _ = may_go_on.await;
            let _ = ended.send("ended");
        }));
        has_begun.await.unwrap();
        caller.abort();
        assert!(caller.await.unwrap_err().is_cancelled());
        go_on.send(()).unwrap();
        assert_eq!(has_ended.await, Ok("ended"));
    }

    #[tokio::test]
    async fn what_is_over_is_not_run_again() {
        assert_eq!(Finish::new(async { 7 }).await, 7);
    }
}
