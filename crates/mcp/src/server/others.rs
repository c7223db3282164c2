//! Reading what is an upstream's: a call of one of our tools, whose output becomes a result of the protocol again.

use rmcp::{
    ErrorData,
    model::{
        ErrorCode as RpcCode, InputRequiredResult, InputResponses, JsonObject, MetaObject,
        ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResultType,
    },
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use toolgate_domain::{Caller, Envelope, ErrorCode, Invocation, Surface, ToolError};
use toolgate_engine::Call;

use super::{
    Gateway,
    asker::Asker,
    pending::{Asked, Outcome},
    resources::not_found,
    results::{receipt, unavailable},
};
use crate::client::READ_RESOURCE;

/// What a client asks for that an upstream has.
pub(super) struct Reading {
    pub(super) method: &'static str,
    /// The tool that reads it, and with which input.
    pub(super) tool: &'static str,
    pub(super) input: Value,
    /// What the client called it.
    pub(super) name: String,
    pub(super) state: Option<String>,
    pub(super) answers: Option<InputResponses>,
}

/// What came of it.
pub(super) enum Read<T> {
    Done(T, MetaObject),
    InputRequired(InputRequiredResult),
}

impl Gateway {
    /// Makes the call, and reads its output as what the protocol answers with.
    pub(super) async fn read_from_upstream<T: DeserializeOwned>(
        &self,
        caller: Caller,
        reading: Reading,
        asker: &Asker,
    ) -> Result<Read<T>, ErrorData> {
        let (tool, input) = (reading.tool.to_owned(), reading.input.clone());
        let asked = Asked {
            caller,
            method: reading.method,
            name: reading.name,
            arguments: reading.input,
            state: reading.state,
            answers: reading.answers,
            may_be_task: false,
        };
        let traceparent = asker.traceparent;
        let call = |caller| Call { traceparent, ..Call::new(caller, Surface::Mcp, tool, input) };
        match self.converse(asked, call, asker).await? {
            Outcome::Done(envelope) => self.output_of(&envelope).await,
            // Whoever may not read does not learn what there is.
            Outcome::Unknown(_) => Err(ErrorData::invalid_params("there is nothing of this name", None)),
            Outcome::InputRequired(asks) => Ok(Read::InputRequired(*asks)),
            Outcome::Task(_) => Err(unavailable(&"a task that nobody may be answered with")),
            Outcome::Pending(row) => Err(pending(&row)),
        }
    }

    async fn output_of<T: DeserializeOwned>(&self, envelope: &Envelope) -> Result<Read<T>, ErrorData> {
        if let Some(error) = &envelope.error {
            return Err(failed(error, envelope));
        }
        let whole = match envelope.truncated {
            true => self.whole_output(envelope).await?,
            false => envelope.output.clone(),
        };
        let Some(whole) = whole else {
            let data = json!({"code": "RESULT_TOO_LARGE", "invocation_id": envelope.invocation_id});
            return Err(ErrorData::internal_error(
                "what was read is too large for this protocol",
                Some(data),
            ));
        };
        let result = serde_json::from_value(whole).map_err(|error| unavailable(&error))?;
        let meta = JsonObject::from_iter([("toolgate/receipt".to_owned(), receipt(envelope))]);
        Ok(Read::Done(result, MetaObject(meta)))
    }

    pub(super) async fn read_of_others(
        &self,
        caller: Caller,
        request: ReadResourceRequestParams,
        asker: &Asker,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let shelves = self.shelves(&caller, READ_RESOURCE).await?;
        let owner = shelves.owner(&uri).ok_or_else(|| not_found(&uri))?;
        let reading = Reading {
            method: "resources/read",
            tool: READ_RESOURCE,
            input: json!({"server": owner.name, "uri": uri}),
            name: uri.clone(),
            state: request.request_state,
            answers: request.input_responses,
        };
        match self.read_from_upstream::<ReadResourceResult>(caller, reading, asker).await {
            Ok(Read::Done(mut result, meta)) => {
                (result.result_type, result.meta) = (Some(ResultType::COMPLETE), Some(meta));
                Ok(result.into())
            }
            Ok(Read::InputRequired(asks)) => Ok(ReadResourceResponse::InputRequired(asks)),
            // The newest revision has no code of its own for this.
            Err(mut error) if is_from_upstream(&error) && error.code == RpcCode::INVALID_PARAMS => {
                error.code = RpcCode::RESOURCE_NOT_FOUND;
                Err(with_uri(error, &uri))
            }
            Err(error) if error.code == RpcCode::RESOURCE_NOT_FOUND => Err(with_uri(error, &uri)),
            Err(error) => Err(error),
        }
    }
}

fn is_from_upstream(error: &ErrorData) -> bool {
    error.data.as_ref().is_some_and(|data| data["upstream"] == true)
}

fn with_uri(mut error: ErrorData, uri: &str) -> ErrorData {
    if let Some(data) = error.data.as_mut().and_then(Value::as_object_mut) {
        data.insert("uri".to_owned(), uri.into());
    }
    error
}

/// What an upstream refused in the protocol's words is refused in the same; the rest has a stable code of ours.
fn failed(error: &ToolError, envelope: &Envelope) -> ErrorData {
    let mut data = json!({"code": error.code, "invocation_id": envelope.invocation_id});
    let details = error.details.as_ref();
    let said =
        details.and_then(|details| details["rpc_code"].as_i64()).and_then(|code| i32::try_from(code).ok());
    let relayed = [RpcCode::INVALID_PARAMS, RpcCode::RESOURCE_NOT_FOUND, RpcCode::METHOD_NOT_FOUND];
    if let Some(code) = relayed.into_iter().find(|code| said == Some(code.0)) {
        let words = details.and_then(|details| details["rpc_message"].as_str()).unwrap_or(&error.message);
        data["upstream"] = true.into();
        return ErrorData::new(code, words.to_owned(), Some(data));
    }
    if let Some(seconds) = error.retry_after_s {
        data["retry_after_s"] = json!(seconds);
    }
    let code = match error.code {
        ErrorCode::ValidationError => RpcCode::INVALID_PARAMS,
        ErrorCode::PolicyDenied | ErrorCode::AuthRequired => RpcCode::INVALID_REQUEST,
        _ => RpcCode::INTERNAL_ERROR,
    };
    ErrorData::new(code, error.to_string(), Some(data))
}

fn pending(row: &Invocation) -> ErrorData {
    let why = if row.approval_required() { "a person must approve it" } else { "it goes on by itself" };
    let message = format!("PENDING: the call {} waits: {why}. Ask again later.", row.id);
    let data = json!({"code": "PENDING", "invocation_id": row.id, "expires_at": row.approval_expires_at});
    ErrorData::new(RpcCode::INTERNAL_ERROR, message, Some(data))
}
