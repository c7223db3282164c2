//! What an upstream asks in the middle of a call: for a person's word (elicitation), for a model's (sampling), for directories (roots).
//!
//! A question belongs to a call, and is answered by whoever made that one. Over HTTP it comes on the stream of its call. Over a pipe, or on a
//! stream of its own, nothing says where it belongs: then it is the call's that is alone on the connection, and refused where there are more.

#![expect(deprecated, reason = "servers of the revisions up to 2025-11-25 speak of it")]

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use rmcp::{
    ClientHandler, ErrorData,
    model::{
        ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult,
        ElicitRequestParams, ElicitResult, Extensions, Implementation, InputRequest, ListRootsResult,
        ProtocolVersion, RequestId,
    },
    service::{InboundStreamOrigin, RequestContext, RoleClient},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot};
use toolgate_domain::governance::{Audience, Question, QuestionKind};

use super::guard::Link;

/// Questions of one call that wait to be heard.
pub(super) const WAITING: usize = 8;

/// A question, and where its answer goes.
pub(super) struct Inquiry {
    pub(super) question: Question,
    pub(super) reply: oneshot::Sender<Result<Value, ErrorData>>,
}

/// The calls under way on a connection, with the ends at which their questions are heard.
#[derive(Default)]
pub(super) struct Desk {
    calls: Mutex<HashMap<RequestId, mpsc::Sender<Inquiry>>>,
}

impl Desk {
    pub(super) fn begin(&self, id: RequestId, questions: mpsc::Sender<Inquiry>) {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).insert(id, questions);
    }

    pub(super) fn end(&self, id: &RequestId) {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    fn whose(&self, extensions: &Extensions) -> Option<mpsc::Sender<Inquiry>> {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(InboundStreamOrigin::OutboundRequest(id)) = extensions.get::<InboundStreamOrigin>() {
            return calls.get(id).cloned();
        }
        let mut all = calls.values();
        all.next().filter(|_| all.next().is_none()).cloned()
    }
}

/// What is said of somebody who can be asked this.
pub(super) fn capabilities(audience: Audience) -> ClientCapabilities {
    let mut can = Map::new();
    let ways = [("form", audience.elicitation), ("url", audience.elicitation_url)];
    let sampling = [("tools", audience.sampling_tools), ("context", audience.sampling_context)];
    let set = |of: [(&str, bool); 2]| {
        of.iter()
            .filter(|(_, can)| *can)
            .map(|(name, _)| ((*name).to_owned(), json!({})))
            .collect::<Map<_, _>>()
    };
    if audience.elicitation || audience.elicitation_url {
        can.insert("elicitation".to_owned(), set(ways).into());
    }
    if audience.sampling {
        can.insert("sampling".to_owned(), set(sampling).into());
    }
    if audience.roots {
        can.insert("roots".to_owned(), json!({}));
    }
    serde_json::from_value(Value::Object(can)).unwrap_or_default()
}

/// A question inside an answer, in everybody's words.
pub(super) fn question_of(request: &InputRequest) -> Question {
    let whole = serde_json::to_value(request).unwrap_or_default();
    let kind = match request {
        InputRequest::CreateMessage(_) => QuestionKind::Sampling,
        InputRequest::ListRoots(_) => QuestionKind::Roots,
        _ if whole["params"]["mode"] == "url" => QuestionKind::ElicitationUrl,
        _ => QuestionKind::Elicitation,
    };
    question(kind, whole["params"].clone())
}

fn question(kind: QuestionKind, mut params: Value) -> Question {
    if params.is_null() {
        params = json!({});
    }
    // What is the protocol's own between two others is nothing to a third.
    if let Some(params) = params.as_object_mut() {
        params.remove("_meta");
    }
    Question { kind, params }
}

/// The handler of one connection.
pub(super) struct Asks {
    pub(super) link: Arc<Link>,
}

impl Asks {
    async fn ask<T: DeserializeOwned>(
        &self,
        kind: QuestionKind,
        params: &impl Serialize,
        context: RequestContext<RoleClient>,
    ) -> Result<T, ErrorData> {
        let Some(questions) = self.link.desk.whose(&context.extensions) else {
            let message = "it cannot be told which call this belongs to: ask on the stream of the call, or while it is \
                 the only one on this connection";
            return Err(ErrorData::invalid_request(message, None));
        };
        let nobody = || ErrorData::invalid_request("nobody waits for this call any more", None);
        let question = question(kind, serde_json::to_value(params).unwrap_or_default());
        let (reply, answer) = oneshot::channel();
        questions.try_send(Inquiry { question, reply }).map_err(|_| nobody())?;
        let answer = tokio::select! {
            answer = answer => answer.map_err(|_| nobody())??,
            () = context.ct.cancelled() => return Err(nobody()),
        };
        serde_json::from_value(answer).map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }
}

impl ClientHandler for Asks {
    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new("toolgate", env!("CARGO_PKG_VERSION"));
        // A connection is shared by callers of all kinds; each call says what its own caller can be asked, where the revision has words
        // for that.
        ClientConfig::new(capabilities(Audience::ALL), us)
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.ask(QuestionKind::Sampling, &params, context).await
    }

    async fn create_elicitation(
        &self,
        params: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let kind = match &params {
            ElicitRequestParams::UrlElicitationParams { .. } => QuestionKind::ElicitationUrl,
            _ => QuestionKind::Elicitation,
        };
        self.ask(kind, &params, context).await
    }

    async fn list_roots(&self, context: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        self.ask(QuestionKind::Roots, &json!({}), context).await
    }
}
