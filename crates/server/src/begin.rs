//! Calls that go on by themselves: the one who asks is answered as soon as the call has a row.

use tokio::sync::mpsc;
use toolgate_domain::Invocation;
use toolgate_engine::{Answer, Call, Progress};

use crate::{ApiCode, AppState, Problem};

pub(crate) enum Begun {
    /// It goes on.
    UnderWay(Box<Invocation>),
    /// It ended, or waits, before anybody could be told that it began.
    Answered(Answer),
}

/// Begins a call. Whoever asked may go: the call ends by itself.
pub(crate) async fn begin(state: &AppState, mut call: Call) -> Result<Begun, Problem> {
    // Only the beginning is of interest; what comes after it is in the log.
    let (watch, mut progress) = mpsc::channel(1);
    call.progress = Some(watch);
    let (tenant, engine) = (call.caller.tenant_id, state.engine.clone());
    let answering = tokio::spawn(async move { engine.invoke(call).await });
    if let Some(Progress::Started { invocation_id, .. }) = progress.recv().await
        && let Some(row) = state.engine.stores().invocations.get(tenant, invocation_id).await?
    {
        return Ok(Begun::UnderWay(Box::new(row)));
    }
    match answering.await {
        Ok(answer) => Ok(Begun::Answered(answer?)),
        Err(error) => {
            tracing::error!(%error, "a call broke off");
            Err(Problem::new(ApiCode::Internal, "the call broke off"))
        }
    }
}
