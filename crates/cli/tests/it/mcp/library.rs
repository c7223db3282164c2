//! A server of somebody else that has a prompt and a book, and tells when the book changed; or one that does harm.

use std::{
    borrow::Cow,
    sync::{Arc, Mutex},
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult, ListResourcesResult,
        PaginatedRequestParams, Prompt, PromptMessage, ProtocolVersion, ReadResourceRequestParams,
        ReadResourceResponse, ReadResourceResult, Resource, ResourceContents,
        ResourceUpdatedNotificationParam, Role, ServerCapabilities, ServerConfig, SubscribeRequestParams,
        SubscriptionFilter, UnsubscribeRequestParams,
    },
    service::{Peer, RequestContext, SubscriptionContext, SubscriptionSink},
    transport::{
        StreamableHttpServerConfig, StreamableHttpService,
        streamable_http_server::session::local::LocalSessionManager,
    },
};
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};

pub(crate) const BOOK: &str = "lib://book";
pub(crate) const HUGE: &str = "lib://huge";

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Manners {
    Good,
    /// Ten thousand prompts, and a resource of 50 MB.
    Floods,
    /// Never tells what it has.
    Hangs,
}

enum Reader {
    Old(Peer<RoleServer>),
    New(SubscriptionSink),
}

#[derive(Clone)]
struct Librarian {
    manners: Manners,
    newest: ProtocolVersion,
    readers: Arc<Mutex<Vec<Reader>>>,
    watched_by: watch::Sender<usize>,
}

pub(crate) struct Library {
    pub(crate) url: String,
    librarian: Librarian,
    task: JoinHandle<()>,
}

impl Library {
    pub(crate) async fn open(manners: Manners, newest: ProtocolVersion) -> Self {
        let librarian =
            Librarian { manners, newest, readers: Arc::default(), watched_by: watch::Sender::new(0) };
        let inside = librarian.clone();
        let service = StreamableHttpService::new(
            move || Ok(inside.clone()),
            LocalSessionManager::default().into(),
            StreamableHttpServerConfig::default(),
        );
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let router = axum::Router::new().route_service("/mcp", service);
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, librarian, task }
    }

    /// Waits until so many watch the book.
    pub(crate) async fn is_watched_by(&self, readers: usize) {
        self.librarian.watched_by.subscribe().wait_for(|now| *now == readers).await.unwrap();
    }

    /// The book is another now.
    pub(crate) async fn write(&self) {
        let readers = std::mem::take(&mut *self.librarian.readers.lock().unwrap());
        for reader in &readers {
            match reader {
                Reader::Old(peer) => {
                    peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(BOOK)).await.unwrap();
                }
                Reader::New(sink) => sink.notify_resource_updated(BOOK).await.unwrap(),
            }
        }
        *self.librarian.readers.lock().unwrap() = readers;
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Librarian {
    fn admit(&self, reader: Reader) {
        let mut readers = self.readers.lock().unwrap();
        readers.push(reader);
        self.watched_by.send_replace(readers.len());
    }

    fn leave(&self) {
        let mut readers = self.readers.lock().unwrap();
        readers.pop();
        self.watched_by.send_replace(readers.len());
    }
}

impl ServerHandler for Librarian {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder()
            .enable_prompts()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_tools();
        ServerConfig::new(can.build())
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::known_up_to(&self.newest))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompt = |name: String| Prompt::new(name, Some("Greets"), None);
        Ok(ListPromptsResult::with_all_items(match self.manners {
            Manners::Good => vec![prompt("greet".to_owned())],
            Manners::Floods => (0..10_000).map(|n| prompt(format!("p{n:05}"))).collect(),
            Manners::Hangs => std::future::pending().await,
        }))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name != "greet" {
            return Err(ErrorData::invalid_params("nobody greets like that", None));
        }
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, "Hello!")]).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let uri = if self.manners == Manners::Floods { HUGE } else { BOOK };
        Ok(ListResourcesResult::with_all_items(vec![Resource::new(uri, "A book")]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let text = match request.uri.as_str() {
            BOOK => "Once upon a time".to_owned(),
            HUGE => "x".repeat(50_000_000),
            _ => return Err(ErrorData::resource_not_found("nobody wrote that", None)),
        };
        Ok(ReadResourceResult::new(vec![ResourceContents::text(text, request.uri)]).into())
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.admit(Reader::Old(context.peer));
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.leave();
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.admit(Reader::New(context.sink().clone()));
        context.cancelled().await;
        self.leave();
        Ok(())
    }
}
