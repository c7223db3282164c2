//! The rules of each tenant: people, roles, agents, what was assigned to them, and the tenant's own policy.
//!
//! Every change is one commit with its audit event (`document.rs`); every process then reads the tenant's rules anew
//! (`store.rs`), so that a decision asks nobody (`snapshot.rs`).

mod agents;
mod assignments;
mod attempts;
mod bearers;
mod circles;
mod clashes;
mod document;
mod error;
mod first_person;
mod logins;
mod names;
mod overrides;
mod passwords;
mod permissions;
mod policies;
mod powers;
mod profiles;
mod providers;
mod roles;
mod service;
mod sessions;
mod settings;
mod skills;
mod snapshot;
mod store;
mod tenants;
mod users;
mod webhooks;
mod workspaces;

pub use agents::{AgentFilter, NewAgent};
pub use attempts::{DeviceMark, SignInSource, device_mark_name};
pub use error::RuleError;
pub use logins::{NewLogin, csrf_of, is_csrf_of, tenant_of_login};
pub use permissions::PermissionEntry;
pub use policies::{PolicyVersion, Replay, ReplayedDecision};
pub use profiles::ProfileSpec;
pub use providers::ProviderSpec;
pub use sessions::LoginInfo;
pub use skills::SkillSpec;
pub use store::Rules;
pub use users::{NewUser, UserPatch};
pub use webhooks::WebhookSpec;

pub(crate) use overrides::Switch;
pub(crate) use passwords::Passwords;
pub(crate) use policies::compiled;
pub(crate) use powers::{BY_AGENT, must_change_powers};
pub(crate) use snapshot::{Overrides, TenantRules};
