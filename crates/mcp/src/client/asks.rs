//! What an upstream asks in the middle of a call: for a person's word (elicitation), for a model's (sampling), for directories (roots). No
//! such question is answered here: it is refused in the protocol's words, nothing of the kind is offered when we introduce ourselves, and a
//! result that only asks (`InputRequiredResult`) fails its call in `answer.rs`.

#![expect(deprecated, reason = "servers of the revisions up to 2025-11-25 speak of it")]

use rmcp::{
    ClientHandler, ErrorData,
    model::{
        ClientCapabilities, ClientConfig, CreateMessageRequestMethod, CreateMessageRequestParams,
        CreateMessageResult, ElicitRequestParams, ElicitResult, ElicitationCreateRequestMethod,
        Implementation, ListRootsRequestMethod, ListRootsResult, ProtocolVersion,
    },
    service::{RequestContext, RoleClient},
};

/// The handler of one connection.
pub(super) struct Asks;

impl ClientHandler for Asks {
    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new("toolgate", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), us)
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn create_message(
        &self,
        _params: CreateMessageRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        Err(ErrorData::method_not_found::<CreateMessageRequestMethod>())
    }

    async fn create_elicitation(
        &self,
        _params: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Err(ErrorData::method_not_found::<ElicitationCreateRequestMethod>())
    }

    async fn list_roots(&self, _context: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListRootsRequestMethod>())
    }
}
