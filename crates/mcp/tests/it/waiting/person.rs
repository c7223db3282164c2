//! A client of the protocol, with somebody in front of it.

use std::sync::{Arc, Mutex};

use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult,
        ElicitRequestParams, ElicitResult, ElicitationAction, Implementation, ListRootsResult,
        ProtocolVersion, Root, SamplingMessage,
    },
    service::RequestContext,
};
use serde_json::{Value, json};

#[derive(Clone)]
pub struct Person {
    pub revision: ProtocolVersion,
    pub can: ClientCapabilities,
    /// Asked something, they say nothing.
    pub is_silent: bool,
    /// What they were asked.
    pub heard: Arc<Mutex<Vec<String>>>,
}

impl Person {
    pub fn who_can(revision: &str, can: Value) -> Self {
        let known = ProtocolVersion::KNOWN_VERSIONS.iter().find(|known| known.as_str() == revision);
        Self {
            revision: known.unwrap().clone(),
            can: serde_json::from_value(can).unwrap(),
            is_silent: false,
            heard: Arc::default(),
        }
    }

    /// One who can be asked anything.
    pub fn of(revision: &str) -> Self {
        Self::who_can(revision, json!({"elicitation": {}, "sampling": {}, "roots": {}}))
    }

    pub fn with_tasks() -> Self {
        let tasks = json!({"io.modelcontextprotocol/tasks": {}});
        Self::who_can("2026-07-28", json!({"elicitation": {}, "extensions": tasks}))
    }

    fn hear(&self, said: &str) {
        self.heard.lock().unwrap().push(said.to_owned());
    }

    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(self.can.clone(), Implementation::new("person", "1"))
            .with_protocol_version(self.revision.clone())
    }

    async fn create_elicitation(
        &self,
        params: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = params else {
            return Err(ErrorData::invalid_params("only forms", None));
        };
        self.hear(&message);
        let mut answer = ElicitResult::new(ElicitationAction::Accept);
        if self.is_silent {
            std::future::pending::<()>().await;
        }
        let forms = self.heard().iter().filter(|said| said.ends_with('?')).count();
        answer.content = Some(json!({"name": format!("Ada{forms}")}));
        Ok(answer)
    }

    async fn create_message(
        &self,
        _params: CreateMessageRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.hear("model");
        Ok(CreateMessageResult::new(SamplingMessage::assistant_text("Paris"), "m".to_owned()))
    }

    async fn list_roots(&self, _context: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        self.hear("roots");
        Ok(ListRootsResult::new(vec![Root::new("file:///home/ada")]))
    }
}
