//! A sandbox is offered once it has passed its self-test. The test takes a moment, so it runs beside the start of the server.

use std::{pin::Pin, sync::Arc};

use tokio::sync::OnceCell;

use super::{Failure, FailureKind, Sandbox, self_test};

type Opening = Pin<Box<dyn Future<Output = Result<Arc<dyn Sandbox>, String>> + Send>>;

pub struct Offer {
    /// The sandbox, where it was there from the beginning.
    untested: Option<Arc<dyn Sandbox>>,
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
        Arc::new(Self { untested, open: Box::new(open), verdict: OnceCell::new() })
    }

    /// A sandbox that must be made first.
    pub fn opening<F>(open: impl Fn() -> F + Send + Sync + 'static) -> Arc<Self>
    where
        F: Future<Output = Result<Arc<dyn Sandbox>, String>> + Send + 'static,
    {
        let open = Box::new(move || Box::pin(open()) as Opening);
        Arc::new(Self { untested: None, open, verdict: OnceCell::new() })
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

    pub(super) async fn get(&self) -> Result<&Arc<dyn Sandbox>, Failure> {
        let verdict = self.verdict.get_or_init(|| async {
            let sandbox = (self.open)().await?;
            match self_test(&*sandbox).await {
                Ok(()) => Ok(sandbox),
                Err(escapes) => Err(format!("it failed its self-test: {}", escapes.join("; "))),
            }
        });
        verdict.await.as_ref().map_err(|why| unavailable(why))
    }

    /// The sandbox to compile with, which runs nothing: it need not have passed its test, only not have failed it.
    pub(super) fn to_compile(&self) -> Result<&Arc<dyn Sandbox>, Failure> {
        match (self.verdict.get(), &self.untested) {
            (Some(verdict), _) => verdict.as_ref().map_err(|why| unavailable(why)),
            (None, Some(sandbox)) => Ok(sandbox),
            (None, None) => Err(unavailable("its self-test still runs: try again in a moment")),
        }
    }
}

fn unavailable(why: &str) -> Failure {
    Failure::new(FailureKind::Unavailable, format!("this Python runtime is not offered: {why}"))
}
