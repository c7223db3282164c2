//! The door itself.

use std::{panic::AssertUnwindSafe, sync::Arc, thread};

use futures::FutureExt;
use toolgate_domain::{ErrorCode, ToolError, Verdict};
use toolgate_store::Entry;

use super::{
    Answer, Call, Refused,
    admit::Admission,
    finish::Finish,
    prepare::{Preparation, Prepared},
};
use crate::Engine;

impl Engine {
    /// Makes one call. The answer comes after the call's record is durable; a call that was begun ends, even when the
    /// one who made it has gone.
    pub async fn invoke(self: &Arc<Self>, call: Call) -> Result<Answer, Refused> {
        self.begin(call)?.await.unwrap_or_else(|_| {
            Err(Refused::Unavailable("the call broke off; the server's log says more".to_owned()))
        })
    }

    /// Apart from the waiting: the work is large, and whoever awaits it would carry the room for it twice.
    fn begin(
        self: &Arc<Self>,
        call: Call,
    ) -> Result<Finish<impl Future<Output = thread::Result<Result<Answer, Refused>>> + Send + use<>>, Refused>
    {
        let engine = Arc::clone(self);
        let working = self.enter()?;
        let work = async move {
            let _working = working;
            match call.idempotency_key.clone() {
                Some(key) => Box::pin(engine.invoke_once(call, key)).await,
                None => engine.invoke_fresh(call).await,
            }
        };
        Ok(Finish::new(AssertUnwindSafe(work).catch_unwind()))
    }

    pub(super) async fn invoke_fresh(self: &Arc<Self>, call: Call) -> Result<Answer, Refused> {
        let bypasses = call.bypass_approval.then(|| call.caller.clone());
        let listed = call.knows_only_the_listed();
        let mut preparation = self.prepare(call, listed).await?;
        self.trace_judged(preparation.prepared_mut());
        match preparation {
            Preparation::Unknown(prepared, error) => {
                Ok(Answer::Unknown(Box::new(self.refuse(prepared, error).await?)))
            }
            Preparation::Refused(prepared, error) => {
                Ok(Answer::Done(Box::new(self.refuse(prepared, error).await?)))
            }
            Preparation::Ready(mut prepared, live) => match prepared.invocation.decision.verdict {
                Verdict::Allow => {
                    if let Some(caller) = &bypasses {
                        self.audit_bypass(caller, &prepared.invocation).await?;
                    }
                    let admission = self.admit(&mut prepared, &live).await;
                    match admission {
                        Admission::Refused(error) => {
                            Ok(Answer::Done(Box::new(self.refuse(prepared, error).await?)))
                        }
                        Admission::Cached(outcome) => {
                            Ok(Answer::Done(Box::new(self.seal_cached(prepared, outcome).await?)))
                        }
                        Admission::Run(place) => self.run(prepared, live, place).await,
                    }
                }
                // Nobody is asked about a call that cannot run, or shown a secret.
                Verdict::Ask => match prepared.cannot_wait() {
                    Some(error) => Ok(Answer::Done(Box::new(self.refuse(prepared, error).await?))),
                    None => self.park(prepared).await,
                },
                Verdict::Deny => {
                    let error = denied(&prepared);
                    Ok(Answer::Done(Box::new(self.refuse(prepared, error).await?)))
                }
            },
        }
    }

    pub(super) async fn record(&self, entry: Entry) -> Result<(), toolgate_store::LedgerError> {
        self.stores.ledger.record(entry).await
    }
}

fn denied(prepared: &Prepared) -> ToolError {
    let decision = &prepared.invocation.decision;
    let reasons: Vec<_> = decision.deciding().map(|evidence| evidence.because.as_str()).collect();
    ToolError::new(ErrorCode::PolicyDenied, reasons.join("; "))
        .with_details(crate::upstreams::denial_details(decision))
}
