//! What an upstream is asked for in a call.

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, CompleteRequest, CompleteRequestParams,
    GetPromptRequest, GetPromptRequestParams, InputResponses, ReadResourceRequest, ReadResourceRequestParams,
};
use serde_json::{Map, Value};

#[derive(Clone, Debug)]
pub(super) enum What {
    Tool { name: String, arguments: Map<String, Value> },
    Prompt { name: String, arguments: Option<Map<String, Value>> },
    Resource { uri: String },
    Completion(Box<CompleteRequestParams>),
}

impl What {
    /// The request, with the answers to what the upstream asked before and what it wants back with them.
    pub(super) fn request(self, answers: Option<InputResponses>, state: Option<String>) -> ClientRequest {
        match self {
            Self::Tool { name, arguments } => {
                let mut params = CallToolRequestParams::new(name).with_arguments(arguments);
                (params.input_responses, params.request_state) = (answers, state);
                ClientRequest::CallToolRequest(CallToolRequest::new(params))
            }
            Self::Prompt { name, arguments } => {
                let mut params = GetPromptRequestParams::new(name);
                params.arguments = arguments;
                (params.input_responses, params.request_state) = (answers, state);
                ClientRequest::GetPromptRequest(GetPromptRequest::new(params))
            }
            Self::Resource { uri } => {
                let mut params = ReadResourceRequestParams::new(uri);
                (params.input_responses, params.request_state) = (answers, state);
                ClientRequest::ReadResourceRequest(ReadResourceRequest::new(params))
            }
            Self::Completion(params) => ClientRequest::CompleteRequest(CompleteRequest::new(*params)),
        }
    }
}
