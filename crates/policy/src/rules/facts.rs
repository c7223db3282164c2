//! What a rule may know about a call. Everything but `input` comes from verified sources: a tenant, a principal or an
//! agent is never read out of the input.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolgate_domain::{
    AgentId, Caller, EgressClass, Principal, Scope, Surface, Timestamp, Tool,
    tool::{Origin, Risk},
};

#[derive(Clone, Debug)]
pub struct Facts<'a> {
    pub caller: CallerFacts<'a>,
    /// The agent on whose behalf the call is made, if any.
    pub agent: Option<AgentFacts<'a>>,
    pub tool: ToolFacts<'a>,
    pub input: &'a Value,
    pub time: TimeFacts,
    pub surface: Surface,
}

#[derive(Clone, Debug)]
pub struct CallerFacts<'a> {
    /// The id of the key, user or agent, or `system`.
    pub principal: Cow<'a, str>,
    pub kind: CallerKind,
    pub scopes: Vec<Scope>,
    pub roles: Cow<'a, [String]>,
    /// The tenant's slug.
    pub tenant: Cow<'a, str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallerKind {
    Key,
    User,
    Agent,
    System,
}

#[derive(Clone, Debug)]
pub struct AgentFacts<'a> {
    pub id: AgentId,
    pub handle: Cow<'a, str>,
}

#[derive(Clone, Debug)]
pub struct ToolFacts<'a> {
    pub name: Cow<'a, str>,
    pub version: Cow<'a, str>,
    pub egress_class: EgressClass,
    pub risk: Risk,
    pub category: Cow<'a, str>,
    pub origin: Origin,
}

/// A moment in UTC, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeFacts {
    pub epoch_s: i64,
    pub hour: i8,
    pub minute: i8,
    /// 1 is Monday, 7 is Sunday.
    pub weekday: i8,
    /// `YYYY-MM-DD`.
    pub date: String,
}

impl<'a> Facts<'a> {
    /// The facts of one call. `roles` and `agent` come from the store: the caller's credential does not carry them.
    pub fn new(
        caller: &'a Caller,
        roles: &'a [String],
        agent: Option<AgentFacts<'a>>,
        tool: &'a Tool,
        input: &'a Value,
        at: Timestamp,
        surface: Surface,
    ) -> Self {
        Self {
            caller: CallerFacts {
                principal: Cow::Owned(caller.principal.to_string()),
                kind: CallerKind::of(&caller.principal),
                scopes: caller.scopes.iter().copied().collect(),
                roles: Cow::Borrowed(roles),
                tenant: Cow::Borrowed(&caller.tenant_slug),
            },
            agent,
            tool: ToolFacts {
                name: Cow::Borrowed(tool.spec.name.as_str()),
                version: Cow::Owned(tool.spec.version.to_string()),
                egress_class: tool.spec.egress_class,
                risk: tool.spec.risk,
                category: Cow::Borrowed(&tool.spec.category),
                origin: tool.origin,
            },
            input,
            time: TimeFacts::at(at),
            surface,
        }
    }
}

impl CallerKind {
    pub fn of(principal: &Principal) -> Self {
        match principal {
            // Who holds a webhook's link can only answer; should it ever call, it is a credential and no person.
            Principal::Key(_) | Principal::Webhook(_) => Self::Key,
            Principal::User(_) => Self::User,
            Principal::Agent(_) => Self::Agent,
            Principal::System => Self::System,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::User => "user",
            Self::Agent => "agent",
            Self::System => "system",
        }
    }
}

impl TimeFacts {
    pub fn at(moment: Timestamp) -> Self {
        let utc = jiff::tz::Offset::UTC.to_datetime(moment.inner());
        Self {
            epoch_s: moment.as_millis().div_euclid(1_000),
            hour: utc.hour(),
            minute: utc.minute(),
            weekday: utc.weekday().to_monday_one_offset(),
            date: utc.date().to_string(),
        }
    }
}
