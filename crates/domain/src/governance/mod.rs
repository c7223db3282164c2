//! Who there is, and what they may do: the documents that the rules are made of.

mod action;
mod agent;
mod assignment;
mod hidden_text;
mod permission;
mod person;
mod profile;
mod provider;
mod question;
mod role;
mod settings;
mod skill;
mod task;
mod upstream;
mod upstream_diff;
mod upstream_hints;
mod upstream_lock;
mod upstream_names;
mod webhook;

pub use action::{ALL_ACTIONS, ActionCaps, ActionRefusal, ActionRules, MAX_ACTION_CHARS};
pub use agent::{Agent, AgentStatus, Guard, ModelParameters};
pub use assignment::{AgentTools, Assignment, PermissionStatus, StandingOverride, ToolPermission};
pub use hidden_text::{hidden_in, made_visible};
pub use permission::{PERMISSIONS, PermissionSet, is_permission_name};
pub use person::{OidcIdentity, User, UserStatus, Workspace};
pub use profile::{ApprovalTerms, Profile};
pub use provider::{ModelApi, ModelPrice, Provider};
pub use question::{Audience, Question, QuestionKind, Questions};
pub use role::{BUILT_IN_ROLES, Role};
pub use settings::{Budget, TenantSettings, ToolSettings};
pub use skill::Skill;
pub use task::{Assignee, Task, TaskAnswer, TaskStatus};
pub use upstream::{
    OauthGrant, OauthOwner, Upstream, UpstreamImport, UpstreamOauth, UpstreamState, UpstreamStatus,
    UpstreamTool, UpstreamToolRule, UpstreamTransport, content_blocks, fill_secrets, secrets_in,
    server_of_login,
};
pub use upstream_diff::{ChangeKind, Growth, Severity, UpstreamChange, changes, growth, notes};
pub use upstream_hints::{below_hints, is_below_hints};
pub use upstream_lock::{AcceptedTool, LockState, PendingTool, Sighting, ToolLock};
pub use upstream_names::{imported_name, keeps_name};
pub use webhook::{Delivery, DeliveryStatus, Webhook, WebhookEvent};
