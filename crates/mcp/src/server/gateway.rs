//! What a client can ask.

#![expect(
    deprecated,
    reason = "logging and subscribing to one resource are deprecated in the newest revision and alive in all others"
)]

use std::sync::{Arc, OnceLock};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams, CompleteResult,
        GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult, Implementation,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
        PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
        ServerConfig, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter,
        UnsubscribeRequestParams, UpdateTaskParams,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use tokio_util::sync::DropGuard;
use toolgate_domain::Caller;
use toolgate_engine::Engine;

use super::{
    asker::Asker, logs::Level, outlook::Outlooks, resources::is_ours, subscriptions::Watching, who::Who,
};

const INSTRUCTIONS: &str = "Every call is checked, recorded, and leaves a receipt; `_meta` of a result names it. \
A call that needs a person's approval may be answered as pending: ask for it again as the answer says. \
A failed call begins with a stable code; what to do next follows.";

/// One connection of a client, or one request where a client keeps none.
pub struct Gateway {
    pub(super) engine: Arc<Engine>,
    pub(super) who: Who,
    /// How much the client wants to hear of what tools log.
    pub(super) level: Level,
    /// The resources that the client watches.
    pub(super) watching: Watching,
    /// What callers see, and who wants to hear of it.
    pub(super) outlooks: Arc<Outlooks>,
    /// Ends, with the connection, what follows its list of tools.
    pub(super) following: OnceLock<DropGuard>,
}

impl Gateway {
    /// For a server that puts the verified [`Caller`] into each request's extensions.
    pub(super) fn of_requests(engine: Arc<Engine>, outlooks: Arc<Outlooks>) -> Self {
        Self::new(engine, Who::Request, outlooks)
    }

    /// For a connection that is one caller's.
    pub fn of_caller(engine: Arc<Engine>, caller: Caller) -> Self {
        let outlooks = Outlooks::new(Arc::clone(&engine));
        Self::new(engine, Who::Always(Box::new(caller)), outlooks)
    }

    fn new(engine: Arc<Engine>, who: Who, outlooks: Arc<Outlooks>) -> Self {
        let (level, watching) = (Level::default(), Watching::default());
        Self { engine, who, level, watching, outlooks, following: OnceLock::new() }
    }
}

/// The SDK moves the future of a request about, and it is as large as that of the largest: so each keeps its own in a box.
impl ServerHandler for Gateway {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_logging()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_tasks()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("toolgate", env!("CARGO_PKG_VERSION")).with_title("Toolgate"),
            )
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Box::pin(self.tools(&self.who.of(&context.extensions)?, request.and_then(|page| page.cursor))).await
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let caller = self.who.of(&context.extensions)?;
        Box::pin(self.call(caller, request, &Asker::of(&context))).await
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let caller = self.who.of(&context.extensions)?;
        Ok(GetTaskResult::new(Box::pin(self.task(&caller, &request.task_id)).await?))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let caller = self.who.of(&context.extensions)?;
        Box::pin(self.update(&caller, &request.task_id, request.input_responses)).await
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let caller = self.who.of(&context.extensions)?;
        Box::pin(self.cancel_call(&caller, &request.task_id)).await
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        // What calls leave behind is found by the links in their results; a list of all of it would help nobody.
        Box::pin(self.resources(&self.who.of(&context.extensions)?, request.and_then(|page| page.cursor)))
            .await
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Box::pin(self.templates(&self.who.of(&context.extensions)?, request.and_then(|page| page.cursor)))
            .await
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let caller = self.who.of(&context.extensions)?;
        if is_ours(&request.uri) {
            return Ok(Box::pin(self.read(&caller, &request.uri)).await?.into());
        }
        Box::pin(self.read_of_others(caller, request, &Asker::of(&context))).await
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Box::pin(self.prompts(&self.who.of(&context.extensions)?, request.and_then(|page| page.cursor))).await
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let caller = self.who.of(&context.extensions)?;
        Box::pin(self.prompt(caller, request, &Asker::of(&context))).await
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let caller = self.who.of(&context.extensions)?;
        Box::pin(self.completion(caller, request, &Asker::of(&context))).await
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let caller = self.who.of(&context.extensions)?;
        Box::pin(self.watch(caller, request.uri, context.peer)).await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.watching.end(&request.uri);
        Ok(())
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.level.set(request.level);
        Ok(())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if let Ok(caller) = self.who.of(&context.extensions) {
            self.tell_changes(caller, context.peer);
        }
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let mut accepted = requested.clone();
        let most = usize::try_from(self.engine.limits().mcp_watches).unwrap_or(usize::MAX);
        accepted.resource_subscriptions.iter_mut().for_each(|uris| uris.truncate(most));
        Some(accepted)
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let caller = self.who.of(&subscription.request_context().extensions)?;
        Box::pin(self.tell_subscriber(caller, &subscription)).await;
        Ok(())
    }
}
