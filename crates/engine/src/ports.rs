//! The ports that the rooms above plug into.

use std::{any::Any, sync::Arc};

use async_trait::async_trait;
use bytes::Bytes;
use serde_json::Value;
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;
use toolgate_domain::{
    AttachmentKind, Caller, EgressClass, ErrorCode, InvocationId, Scope, Span, TaskId, TenantId, Timestamp,
    Tool, ToolError, ToolSpec, UpstreamId,
    governance::{Audience, Provider, Upstream, UpstreamTool},
    tool::Execution,
};

use crate::{Compiled, Invoker, OldNames, RunSecrets};

/// What a tool answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    pub value: Value,
    /// What the call cost, by the tool's own word.
    pub cost_estimate: Option<f64>,
    /// What belongs to the answer and is no JSON.
    pub attachments: Vec<NewAttachment>,
}

impl From<Value> for Output {
    fn from(value: Value) -> Self {
        Self { value, cost_estimate: None, attachments: Vec::new() }
    }
}

/// Bytes that become a blob of the call.
#[derive(Clone, Debug, PartialEq)]
pub struct NewAttachment {
    pub kind: AttachmentKind,
    pub content_type: String,
    pub bytes: Bytes,
}

/// Why a run stopped without an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt {
    Failed(ToolError),
    /// It goes on later, in this process or in another.
    Waiting(Waiting),
}

impl From<ToolError> for Halt {
    fn from(error: ToolError) -> Self {
        Self::Failed(error)
    }
}

/// What a run that waits leaves behind. It waits for the calls that it made and that have not ended, or for a task.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Waiting {
    pub task: Option<TaskId>,
    /// What it goes on from. Without it, the run begins again: whatever it asks the invoker for a second time is answered from the
    /// record. Whoever reads it later must be able to tell that it was not tampered with.
    pub state: Option<Bytes>,
    /// It goes on at this moment at the latest.
    pub until: Option<Timestamp>,
}

/// What a runtime tells the executor while it runs.
pub(crate) enum Word {
    Chunk(Value),
    /// The call must be on record before it goes on.
    Record(oneshot::Sender<Result<(), ToolError>>),
}

/// What a runtime knows of the call it runs. The tenant comes from the verified caller.
#[derive(Clone)]
pub struct RunContext {
    pub tenant_id: TenantId,
    pub invocation_id: InvocationId,
    /// The call's place in its run.
    pub seq: u64,
    /// Fires when the call is cancelled or out of time; what the runtime still does then is for nobody.
    pub cancel: CancellationToken,
    pub deadline: Timestamp,
    /// Milliseconds from the beginning of the run to its deadline.
    pub timeout_ms: u64,
    /// The secrets that the tool declares, for the length of the run. Whatever the run says is redacted of them.
    pub secrets: RunSecrets,
    /// The only way to another tool.
    pub invoker: Invoker,
    /// The run was begun before. With a state, it goes on from there.
    pub resumed: Option<Resumed>,
    /// What the one who made the call can be asked, where that is known.
    pub audience: Option<Audience>,
    /// The tool's execution block, as [`Runtime::compile`] made it.
    pub(crate) compiled: Compiled,
    pub(crate) words: mpsc::Sender<Word>,
}

/// A run that goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resumed {
    pub state: Option<Bytes>,
}

impl RunContext {
    /// What [`Runtime::compile`] made of the tool's execution block, by the type that it has there.
    pub fn plan<T: Any + Send + Sync>(&self) -> Result<&T, ToolError> {
        let other = || ToolError::new(ErrorCode::Unknown, "the tool was compiled by another runtime");
        self.compiled.get().ok_or_else(other)
    }

    /// Streams a piece of output. It is recorded in order; a slow ledger slows the tool.
    pub async fn emit(&self, chunk: Value) {
        // The executor stops listening only when nobody waits for the call any more.
        let _ = self.words.send(Word::Chunk(chunk)).await;
    }
}

/// A call of another tool, as far as it is known before it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedCall {
    /// Where it stands in the execution block: a JSON pointer.
    pub pointer: String,
    pub tool: String,
    /// It belongs to every run but for conditions. Otherwise code decides while it runs.
    pub certain: bool,
    /// The inputs that it passes, where they are laid down.
    pub passes: Option<Vec<String>>,
    /// It may be made again after a failure.
    pub repeats: bool,
}

impl PlannedCall {
    /// A call that code may make.
    pub fn possible(tool: String) -> Self {
        Self { pointer: String::new(), tool, certain: false, passes: None, repeats: false }
    }
}

/// Runs one kind of tool.
#[async_trait]
pub trait Runtime: Send + Sync {
    /// The `execution.kind` it serves.
    fn kind(&self) -> &'static str;

    /// Reads an execution block. It is done once for a tool, when it is first called; every call then finds the result with
    /// [`RunContext::plan`]. The message says what is wrong with the block. One that begins with a JSON pointer and `: ` names the
    /// place inside it.
    fn compile(&self, _execution: &Execution) -> Result<Compiled, String> {
        Ok(Compiled::default())
    }

    /// Whether it can run this execution block: asked when a tool is saved, with messages as those of `compile`.
    fn check(&self, execution: &Execution) -> Result<(), String> {
        self.compile(execution).map(drop)
    }

    /// Whether a call of this caller could ever get through. Where it could not, the tool is not offered to them; the runtime refuses
    /// such calls itself.
    fn serves(&self, _tool: &Tool, _caller: &Caller) -> bool {
        true
    }

    /// What the person must hold who agrees to such a call of an agent, because agreeing carries out a change.
    fn agreeing_needs(&self, _tool: &Tool, _input: &Value) -> Option<Scope> {
        None
    }

    /// What it asks of an input beyond the schema. Nobody is asked about a call that this refuses.
    fn check_input(&self, _tool: &Tool, _input: &Value) -> Result<(), ToolError> {
        Ok(())
    }

    /// The least that a tool of this execution does to the world: its author cannot declare less.
    fn egress_floor(&self, _execution: &Execution) -> EgressClass {
        EgressClass::None
    }

    /// The secrets that it uses, each after the JSON pointer inside the block at which it is named.
    fn secrets(&self, _execution: &Execution) -> Vec<(String, String)> {
        Vec::new()
    }

    /// What a call is told for which these secrets are not set, where there is more to say than "set them".
    fn lacks_secrets(&self, _tool: &Tool, _names: &[String]) -> Option<ToolError> {
        None
    }

    /// The tools that it calls, as its author named them.
    fn calls(&self, _execution: &Execution) -> Vec<String> {
        Vec::new()
    }

    /// The same with what is known of each call before it is made; it is held against the tools there are when a tool is saved.
    fn planned(&self, execution: &Execution) -> Vec<PlannedCall> {
        self.calls(execution).into_iter().map(PlannedCall::possible).collect()
    }

    /// The agents to whom it hands work, by handle or id: the tools that they were given count as called.
    fn delegates(&self, _execution: &Execution) -> Vec<String> {
        Vec::new()
    }

    /// Whether everything a tool of this execution does to the world it does through the invoker. Then a run that was interrupted can
    /// begin again: the calls it made are not made twice.
    fn replays(&self, _execution: &Execution) -> bool {
        false
    }

    /// Whether each of its calls is the run of an agent, with a trace of its own. One kind of tool at most is.
    fn is_run(&self) -> bool {
        false
    }

    /// A call that waits was taken back: what is kept for it here is for nobody any more.
    fn forget(&self, _invocation: InvocationId) {}

    /// Runs a call whose input is valid. Dropping the future ends the call.
    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt>;
}

/// One turn of a conversation with a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelMessage {
    pub role: ModelRole,
    pub content: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelRole {
    User,
    Assistant,
}

/// A question to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRequest {
    pub tenant_id: TenantId,
    /// The provider's default when absent.
    pub model: Option<String>,
    pub system: Option<String>,
    pub messages: Vec<ModelMessage>,
    /// The answer shall be JSON of this schema. The one who asks checks it.
    pub output_schema: Option<Value>,
    pub max_output_tokens: Option<u64>,
    pub temperature: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelReply {
    pub text: String,
    /// Includes what was cached.
    pub input_tokens: u64,
    pub cached_input_tokens: u64,
    /// Includes what was thought.
    pub output_tokens: u64,
    pub reasoning_tokens: u64,
    /// By the price table; where that has no price, by the provider's own word.
    pub cost_estimate: Option<f64>,
    /// By the provider's own word.
    pub self_reported_cost: Option<f64>,
    /// Who answered, where that is known.
    pub provider: Option<String>,
    pub model: Option<String>,
}

/// Answers for the prompt tools. Which provider stands behind it is not the runtime's business.
#[async_trait]
pub trait Model: Send + Sync {
    /// Who is asked, and for which model, unless a request names another.
    fn names(&self) -> (&str, &str);

    /// Asks once. Text is sent to `deltas` as it comes, where the provider streams; the reply has it whole.
    async fn complete(
        &self,
        request: ModelRequest,
        deltas: Option<mpsc::Sender<String>>,
    ) -> Result<ModelReply, ToolError>;
}

/// Which models prompt tools can ask.
#[async_trait]
pub trait ModelSource: Send + Sync {
    /// Opens the model of this name for the one who made the call; without a name, the default. Fails when there is none, and says
    /// what to do about it.
    async fn open(&self, asker: &Invoker, name: Option<&str>) -> Result<Arc<dyn Model>, ToolError>;
}

/// Looks at a definition with the eyes of those who will read it, when it is saved.
pub trait Adviser: Send + Sync {
    /// What its author should know; nothing is refused for it.
    fn warnings(&self, spec: &ToolSpec) -> Vec<String>;
}

/// Says whether a provider of models that a tenant brings can be used: asked when it is saved, without its key.
pub trait ProviderJudge: Send + Sync {
    /// The message says why not.
    fn check(&self, provider: &Provider) -> Result<(), String>;
}

/// The values of the secrets that an upstream names.
pub type UpstreamSecrets = RunSecrets;

/// What an upstream offers.
#[derive(Clone, Debug, PartialEq)]
pub struct UpstreamOffer {
    /// Its name and version, by its own word.
    pub server: String,
    /// The revision of the protocol that it speaks.
    pub revision: String,
    pub tools: Vec<UpstreamTool>,
}

/// What an upstream has besides tools, each thing as the protocol shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpstreamCatalog {
    pub prompts: Vec<Value>,
    pub resources: Vec<Value>,
    /// Templates of the addresses of resources.
    pub templates: Vec<Value>,
    /// It has resources, listed or not.
    pub has_resources: bool,
}

/// What changed at an upstream besides its tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpstreamNews {
    pub tenant_id: TenantId,
    pub upstream_id: UpstreamId,
    pub list: UpstreamList,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpstreamList {
    Prompts,
    Resources,
}

/// A resource of an upstream that is watched, for as long as this is held.
pub struct ResourceWatch {
    /// Changes when the resource did; ends when the upstream is gone.
    pub updates: watch::Receiver<u64>,
    pub held: Box<dyn Any + Send + Sync>,
}

/// Asks MCP servers of others what tools they have.
#[async_trait]
pub trait UpstreamSource: Send + Sync {
    /// Whether a server like this may be used at all: its address, its command. The message says why not.
    fn check(&self, upstream: &Upstream) -> Result<(), String>;

    /// What the server offers now, asked within a bounded time. `secrets` are those that the upstream names, resolved for whoever asks.
    /// An error whose details have `"reason": "open"` says that it failed so often that nobody asks it for a while.
    async fn offers(
        &self,
        tenant: TenantId,
        upstream: &Upstream,
        secrets: &UpstreamSecrets,
    ) -> Result<UpstreamOffer, ToolError>;

    /// What it has besides tools, asked now or not long ago, within a bounded time. Nothing in it shows a secret.
    async fn catalog(
        &self,
        _tenant: TenantId,
        _upstream: &Upstream,
        _secrets: &UpstreamSecrets,
    ) -> Result<Arc<UpstreamCatalog>, ToolError> {
        Ok(Arc::default())
    }

    /// Watches a resource; nothing where the upstream does not tell of changes.
    async fn watch_resource(
        &self,
        _tenant: TenantId,
        _upstream: &Upstream,
        _secrets: &UpstreamSecrets,
        _uri: &str,
    ) -> Result<Option<ResourceWatch>, ToolError> {
        Ok(None)
    }

    /// Hears which catalogs changed.
    fn news(&self) -> Option<broadcast::Receiver<UpstreamNews>> {
        None
    }
}

/// What may be plugged into an engine and may be absent.
#[derive(Clone, Default)]
pub struct Ports {
    pub advisers: Vec<Arc<dyn Adviser>>,
    /// Under which names tools of the program, and their parameters, are understood besides.
    pub old_names: OldNames,
    pub provider_judge: Option<Arc<dyn ProviderJudge>>,
    /// Without it there are no upstreams.
    pub upstreams: Option<Arc<dyn UpstreamSource>>,
    /// Who else is told of spans. With one, calls outside runs are told of as well.
    pub spans: Option<Arc<dyn SpanSink>>,
    /// Where people reach this server, for the addresses of traces; without it they begin at its root.
    pub public_url: Option<String>,
}

/// Takes spans out of the house, each once, when it ended.
pub trait SpanSink: Send + Sync {
    /// Must not wait: it is called beside calls.
    fn export(&self, span: &Span);

    /// Sends what it still has, within a bounded time. It may block.
    fn stop(&self) {}
}

/// A signed message to somebody outside.
#[derive(Clone, Debug)]
pub struct Letter {
    pub url: String,
    /// The same for every attempt: whoever has seen it already need not read on.
    pub delivery: String,
    /// Unix seconds of this attempt; signed with the body, so that an old letter cannot be passed off as new.
    pub sent_at_s: i64,
    /// `t=<sent_at_s>,v1=<hex>`.
    pub signature: String,
    pub body: String,
}

/// Why a letter got no answer. The message is what the tenant is shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The address, as it is written, may not be sent to.
    #[error("{0}")]
    Refused(String),
    /// One text for every cause: several would tell a tenant which ports of which machines are open. The detail is for the log.
    #[error(
        "the receiver could not be reached: check that its address is right, that its certificate is valid, and that it answers in time"
    )]
    Unreached { detail: String },
}

/// Carries letters out of the house. The engine knows no HTTP.
#[async_trait]
pub trait Notifier: Send + Sync {
    /// Whether letters may go to this address; the message says why not.
    async fn check(&self, url: &str) -> Result<(), String>;

    /// Sends, within a bounded time, and answers the status with which the letter was received.
    async fn send(&self, letter: Letter) -> Result<u16, SendError>;
}
