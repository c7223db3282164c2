//! A sandbox is offered once it has passed its self-test. The test takes a moment, so it runs beside the start of the server.

use std::{pin::Pin, sync::Arc, time::Duration};

use tokio::{sync::OnceCell, time::timeout};

use super::{Failure, FailureKind, Sandbox, self_test};

type Opening = Pin<Box<dyn Future<Output = Result<Arc<dyn Sandbox>, String>> + Send>>;

pub(super) const SELF_TEST: &str = "its self-test runs";

pub struct Offer {
    /// The sandbox, where it was there from the beginning.
    untested: Option<Arc<dyn Sandbox>>,
    /// The reason why a script waits until there is a verdict.
    pending: &'static str,
    open: Box<dyn Fn() -> Opening + Send + Sync>,
    /// Said once: a sandbox that failed is not tried again.
    verdict: OnceCell<Result<Arc<dyn Sandbox>, String>>,
}

impl Offer {
    /// A sandbox that is there.
    pub fn of(sandbox: Arc<dyn Sandbox>) -> Arc<Self> {
        let untested = Some(Arc::clone(&sandbox));
        let open = move || {
            let sandbox = Arc::clone(&sandbox);
            Box::pin(async move { Ok(sandbox) }) as Opening
        };
        Arc::new(Self { untested, pending: SELF_TEST, open: Box::new(open), verdict: OnceCell::new() })
    }

    /// A sandbox that must be made first; `pending` says what is done meanwhile, such as "it is being built".
    pub fn opening<F>(pending: &'static str, open: impl Fn() -> F + Send + Sync + 'static) -> Arc<Self>
    where
        F: Future<Output = Result<Arc<dyn Sandbox>, String>> + Send + 'static,
    {
        let open = Box::new(move || Box::pin(open()) as Opening);
        Arc::new(Self { untested: None, pending, open, verdict: OnceCell::new() })
    }

    /// Begins the test in the background. Must be called inside a tokio runtime.
    pub fn begin(self: &Arc<Self>) {
        let offer = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(failure) = offer.get().await {
                tracing::error!(why = %failure.message, "a Python runtime is not offered");
            }
        });
    }

    async fn get(&self) -> Result<&Arc<dyn Sandbox>, Failure> {
        let verdict = self.verdict.get_or_init(|| async {
            let sandbox = (self.open)().await?;
            match self_test(&*sandbox).await {
                Ok(()) => Ok(sandbox),
                Err(escapes) => Err(format!("it failed its self-test: {}", escapes.join("; "))),
            }
        });
        verdict.await.as_ref().map_err(|why| unavailable(why))
    }

    /// The reason to wait, while there is no verdict.
    pub(super) fn pending(&self) -> Option<&'static str> {
        self.verdict.get().is_none().then_some(self.pending)
    }

    /// The sandbox, when it is there within this time.
    pub(super) async fn within(&self, time: Duration) -> Result<&Arc<dyn Sandbox>, Failure> {
        timeout(time, self.get()).await.unwrap_or_else(|_| Err(unavailable(&self.not_yet())))
    }

    fn not_yet(&self) -> String {
        format!("{}: try again in a moment", self.pending)
    }

    /// The sandbox to compile with, which runs nothing: it need not have passed its test, only not have failed it.
    pub(super) fn to_compile(&self) -> Result<&Arc<dyn Sandbox>, Failure> {
        match (self.verdict.get(), &self.untested) {
            (Some(verdict), _) => verdict.as_ref().map_err(|why| unavailable(why)),
            (None, Some(sandbox)) => Ok(sandbox),
            (None, None) => Err(unavailable(&self.not_yet())),
        }
    }
}

fn unavailable(why: &str) -> Failure {
    Failure::new(FailureKind::Unavailable, format!("this Python runtime is not offered: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_that_waited_in_vain_says_what_it_waited_for() {
        let offer = Offer::opening("its worker is being built", std::future::pending);
        let failure = offer.within(Duration::ZERO).await.map(drop).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unavailable);
        assert!(failure.message.contains("its worker is being built: try again"), "{}", failure.message);
    }
}
