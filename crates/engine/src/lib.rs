//! The sole door. [`Engine::invoke`] is the only way to run a tool; every surface and every runtime goes through it.

mod approvals;
mod at_hand;
mod audit;
mod chat;
mod compiled;
mod engine;
mod executor;
mod keys;
mod ledger;
mod metrics;
mod onlookers;
mod packs;
mod ports;
mod registry;
mod rules;
mod runs;
mod secrets;
mod signing;
mod tasks;
mod trace;
mod upstreams;
mod usage;
mod webhooks;

pub use approvals::{Approval, DecideError, Ruling, Separation};
pub use at_hand::Turn;
pub use audit::{
    ExportError, Finding, FindingKind, HeadSigner, KeySource, PublicKey, PublicKeyError, Totals,
    Verification, verify_file,
};
pub use chat::{ChatError, Heard, Spoken, ThreadPatch};
pub use compiled::Compiled;
pub use engine::{Engine, EngineOptions, StartError};
pub use executor::{
    Answer, Asked, BatchAnswer, Call, CallInput, CancelError, Explanation, Finish, House, Inner, Invoker,
    NOT_MADE, Parent, PendingFilter, Progress, RecordedBlob, Refused, RunRecord, RunSpan, Tokens,
    TurnAllowance,
};
pub use keys::{KeyError, Keyring, NewKey};
pub use metrics::Metrics;
pub use packs::{Bundle, Pack, PackChange, PackError, PackPlan, PackProblem, PackStep, Packs};
pub use ports::{
    Adviser, Halt, Letter, Model, ModelMessage, ModelReply, ModelRequest, ModelRole, ModelSource,
    NewAttachment, Notifier, Output, PlannedCall, Ports, ProviderJudge, ResourceWatch, Resumed, RunContext,
    Runtime, SendError, SpanSink, UpstreamCatalog, UpstreamList, UpstreamNews, UpstreamOffer,
    UpstreamSecrets, UpstreamSource, Waiting,
};
pub use registry::{
    AuthorError, Definition, DefinitionError, Difference, NameClash, OldNames, Patched, RegisterError,
    Registered, Registry, RegistryError, SchemaValidator, ToolFilter, Toolset, UsageLine, compile_schema,
    complaints, definition_from_json, parse_tool_md, referred_tools,
};
pub use rules::{
    AgentFilter, DeviceMark, LoginInfo, NewAgent, NewLogin, NewUser, PermissionEntry, PolicyVersion,
    ProfileSpec, ProviderSpec, Replay, ReplayedDecision, RuleError, Rules, SignInSource, SkillSpec,
    UserPatch, WebhookSpec, csrf_of, device_mark_name, is_csrf_of, tenant_of_login,
};
pub use runs::{AgentRunEvents, RUN_TOOL, RunEvent, RunEventFilter, RunWatch, Watched};
pub use secrets::{
    MasterKey, MasterKeyError, Redactor, RedactorError, Rekeyed, Resolved, RunSecrets, SealedSecret,
    SecretError, SecretInfo, SecretName, SecretNameError, SecretPlace, SecretScope, SecretTarget,
    SecretValue, SecretValueError, Secrets, StreamRedactor, Vault, VaultError, WrappedKey, rekey,
    resolve_scope, sealed_by,
};
pub use signing::BlobSigner;
pub use tasks::{Asking, NewQuestions, NewTask, TaskFilter};
pub use toolgate_policy::rules::PolicyDocument;
pub use toolgate_store::Admission;
pub use trace::Trace;
pub use upstreams::{Moved, Refreshed, Reviewed, UpstreamSpec, Upstreams, redact_definition};
pub use usage::{UsageGroup, UsageReport, UsageRequest};
pub use webhooks::Tested;
