//! A call of a tool: in at the door, out as a result.

use rmcp::{
    ErrorData, RoleServer,
    model::{CallToolRequestParams, CallToolResponse},
    service::RequestContext,
};
use serde_json::Value;
use tokio::sync::mpsc;
use toolgate_domain::{Caller, InvocationId, SpanRef, Surface, Tool};
use toolgate_engine::{Answer, Call, Refused};

use super::{
    Gateway,
    logs::Listener,
    results::{protocol_error, refused},
};

/// Words of a call that wait for a slow client. The rest is in the record.
const QUEUE: usize = 256;

impl Gateway {
    pub(super) async fn call(
        &self,
        caller: Caller,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = self.engine.registry().get(&caller, Surface::Mcp, &request.name).await.ok();
        let id = InvocationId::generate(self.engine.ids());
        let input = Value::Object(request.arguments.unwrap_or_default());
        let mut call = Call::new(caller.clone(), Surface::Mcp, request.name.into_owned(), input);
        call.id = Some(id);
        call.traceparent = traceparent(&context);
        let answer = self.invoke(call, id, &caller, &context).await?;
        self.answer(&caller, tool.as_deref(), answer, &context).await
    }

    /// Makes the call; the client may hear of it while it runs, and may take it back.
    async fn invoke(
        &self,
        mut call: Call,
        id: InvocationId,
        caller: &Caller,
        context: &RequestContext<RoleServer>,
    ) -> Result<Answer, ErrorData> {
        let telling = Listener::of(context, &self.level).map(|listener| {
            let (sender, words) = mpsc::channel(QUEUE);
            call.progress = Some(sender);
            tokio::spawn(listener.tell(words))
        });
        let mut making = std::pin::pin!(self.engine.invoke(call));
        let answer = tokio::select! {
            answer = &mut making => answer,
            () = context.ct.cancelled() => {
                // Its row ends `cancelled`; the client does not listen any more.
                if let Err(error) = self.engine.cancel_for(caller, id).await {
                    tracing::debug!(%error, invocation = %id, "a call that a client took back was not there");
                }
                making.await
            }
        };
        if let Some(telling) = telling {
            // What the tool said comes before what it answered.
            let _ = telling.await;
        }
        answer.map_err(|why: Refused| refused(&why))
    }

    /// What the client is told.
    pub(super) async fn answer(
        &self,
        caller: &Caller,
        tool: Option<&Tool>,
        answer: Answer,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match answer {
            Answer::Done(envelope) => Ok(self.result_of(tool, &envelope).await?.into()),
            Answer::Unknown(envelope) => Err(protocol_error(&envelope)),
            Answer::Parked(row) => self.pending(caller, tool, *row, context).await,
        }
    }
}

/// The span that the client calls from: in the request itself, or in its headers.
fn traceparent(context: &RequestContext<RoleServer>) -> Option<SpanRef> {
    let said = context.meta.0.get("traceparent").and_then(Value::as_str).map(str::to_owned);
    let header = || {
        let parts = context.extensions.get::<http::request::Parts>()?;
        Some(parts.headers.get("traceparent")?.to_str().ok()?.to_owned())
    };
    SpanRef::from_traceparent(&said.or_else(header)?)
}
