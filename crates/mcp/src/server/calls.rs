//! A call of a tool: in at the door, out as a result.

use futures::future::OptionFuture;
use rmcp::{
    ErrorData,
    model::{CallToolRequestParams, CallToolResponse, ErrorCode},
};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_domain::{Caller, Envelope, InvocationId, Surface};
use toolgate_engine::{Answer, Call, Refused};

use super::{
    Gateway,
    asker::Asker,
    logs::Listener,
    pending::{Asked, Outcome, still_waits},
    results::{protocol_error, refused},
};

/// Words of a call that wait for a slow client. The rest is in the record.
const QUEUE: usize = 256;

impl Gateway {
    pub(super) async fn call(
        &self,
        caller: Caller,
        request: CallToolRequestParams,
        asker: &Asker,
    ) -> Result<CallToolResponse, ErrorData> {
        let tenant = caller.tenant_id;
        let (name, input) = (request.name.into_owned(), Value::Object(request.arguments.unwrap_or_default()));
        let asked = Asked {
            caller,
            method: "tools/call",
            name: name.clone(),
            arguments: input.clone(),
            state: request.request_state,
            answers: request.input_responses,
            may_be_task: true,
        };
        let traceparent = asker.traceparent;
        let call = |caller| Call { traceparent, ..Call::new(caller, Surface::Mcp, name, input) };
        let outcome = self.converse(asked, call, asker).await?;
        Ok(match outcome {
            Outcome::Done(envelope) => match lacks_capability(&envelope) {
                Some(error) => return Err(error),
                None => self.result_of(tenant, *envelope).await?.into(),
            },
            Outcome::Unknown(envelope) => return Err(protocol_error(&envelope)),
            Outcome::InputRequired(asks) => CallToolResponse::InputRequired(*asks),
            Outcome::Task(task) => CallToolResponse::Task(*task),
            Outcome::Pending(row) => {
                let tool = self.engine.registry().version(tenant, &row.tool_name, &row.tool_version).await;
                still_waits(tool.as_deref(), &row).into()
            }
        })
    }

    /// Makes the call; the client may hear of it while it runs, and may take it back.
    pub(super) async fn invoke(
        &self,
        mut call: Call,
        id: InvocationId,
        caller: &Caller,
        asker: &Asker,
    ) -> Result<Answer, ErrorData> {
        let telling = Listener::of(asker, &self.level).map(|listener| {
            let (sender, words) = mpsc::channel(QUEUE);
            call.progress = Some(sender);
            Box::pin(listener.tell(words))
        });
        let making = async {
            let mut making = std::pin::pin!(self.engine.invoke(call));
            tokio::select! {
                answer = &mut making => answer,
                () = asker.gone.cancelled() => {
                    // Its row ends `cancelled`; the client does not listen any more. Whoever cancels waits for the end of the call,
                    // and the call comes to its end only while it is waited for as well.
                    let (answer, taken_back) = tokio::join!(making, Box::pin(self.engine.cancel_for(caller, id)));
                    if let Err(error) = taken_back {
                        tracing::debug!(%error, invocation = %id, "a call that a client took back was not there");
                    }
                    answer
                }
            }
        };
        // What the tool said comes before what it answered.
        let (answer, _) = tokio::join!(making, OptionFuture::from(telling));
        answer.map_err(|why: Refused| refused(&why))
    }
}

/// What the server behind a tool demands of the client itself, which only the client can hear as the protocol says it.
fn lacks_capability(envelope: &Envelope) -> Option<ErrorData> {
    let details = envelope.error.as_ref()?.details.as_ref()?;
    let code = ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY;
    let is_it = details["rpc_code"].as_i64() == Some(i64::from(code.0));
    let data = json!({"requiredCapabilities": details["required_capabilities"]});
    is_it.then(|| {
        ErrorData::new(code, "the tool needs a capability that the client does not have", Some(data))
    })
}
