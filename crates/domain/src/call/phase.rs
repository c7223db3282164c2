//! The two status fields of an invocation, as one type in which only legal pairs exist.
//!
//! ```text
//!            ┌─ approve ─▶ approved ── start ─┐
//! pending ───┤                                ▼
//!            ├─ reject ──▶ rejected        running ── complete ▶ completed
//!            └─ cancel ──▶ cancelled          ├────── fail ────▶ failed
//!                                             └────── cancel ──▶ cancelled
//! ```
//! The triggers of both databases enforce the same table; the conformance suite holds them against this file.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! wire_enum {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $wire:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum $name { $($variant,)* }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)* }
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                Self::ALL.iter().copied().find(|v| v.as_str() == text).ok_or_else(|| {
                    let known: Vec<_> = Self::ALL.iter().map(|v| v.as_str()).collect();
                    format!("unknown status `{text}`; one of {}", known.join(", "))
                })
            }
        }
    };
}

wire_enum! {
    Status {
        Pending = "pending",
        Approved = "approved",
        Rejected = "rejected",
        Running = "running",
        Completed = "completed",
        Failed = "failed",
        Cancelled = "cancelled",
    }
}

wire_enum! {
    ApprovalStatus {
        Pending = "pending",
        Approved = "approved",
        Rejected = "rejected",
        NotRequired = "not_required",
    }
}

/// How a call got past the question whether a person must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    NotRequired,
    Approved,
}

/// Where an invocation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    Pending,
    Approved,
    Rejected,
    /// Withdrawn while it waited for a person.
    Withdrawn,
    Running(Gate),
    Completed(Gate),
    Failed(Gate),
    Cancelled(Gate),
}

/// What can happen to an invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    Approve,
    Reject,
    Start,
    Complete,
    Fail,
    Cancel,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an invocation that is {} cannot {}", .from.status().as_str(), format!("{:?}", .step).to_lowercase())]
pub struct IllegalTransition {
    pub from: Phase,
    pub step: Step,
}

impl Phase {
    pub const ALL: &'static [Self] = &[
        Self::Pending,
        Self::Approved,
        Self::Rejected,
        Self::Withdrawn,
        Self::Running(Gate::NotRequired),
        Self::Running(Gate::Approved),
        Self::Completed(Gate::NotRequired),
        Self::Completed(Gate::Approved),
        Self::Failed(Gate::NotRequired),
        Self::Failed(Gate::Approved),
        Self::Cancelled(Gate::NotRequired),
        Self::Cancelled(Gate::Approved),
    ];

    /// The phases in which a row may come into the world: parked, running, or already over.
    pub fn is_first(self) -> bool {
        matches!(
            self,
            Self::Pending
                | Self::Running(Gate::NotRequired)
                | Self::Completed(Gate::NotRequired)
                | Self::Failed(Gate::NotRequired)
                | Self::Cancelled(Gate::NotRequired)
        )
    }

    pub fn is_terminal(self) -> bool {
        !matches!(self, Self::Pending | Self::Approved | Self::Running(_))
    }

    pub fn advance(self, step: Step) -> Result<Self, IllegalTransition> {
        match (self, step) {
            (Self::Pending, Step::Approve) => Ok(Self::Approved),
            (Self::Pending, Step::Reject) => Ok(Self::Rejected),
            (Self::Pending, Step::Cancel) => Ok(Self::Withdrawn),
            (Self::Approved, Step::Start) => Ok(Self::Running(Gate::Approved)),
            (Self::Approved, Step::Fail) => Ok(Self::Failed(Gate::Approved)),
            (Self::Approved, Step::Cancel) => Ok(Self::Cancelled(Gate::Approved)),
            (Self::Running(gate), Step::Complete) => Ok(Self::Completed(gate)),
            (Self::Running(gate), Step::Fail) => Ok(Self::Failed(gate)),
            (Self::Running(gate), Step::Cancel) => Ok(Self::Cancelled(gate)),
            (from, step) => Err(IllegalTransition { from, step }),
        }
    }

    /// Every legal change, for the triggers and the suite that checks them.
    pub fn transitions() -> Vec<(Self, Self)> {
        const STEPS: [Step; 6] =
            [Step::Approve, Step::Reject, Step::Start, Step::Complete, Step::Fail, Step::Cancel];
        Self::ALL
            .iter()
            .flat_map(|from| STEPS.iter().filter_map(|step| Some((*from, from.advance(*step).ok()?))))
            .collect()
    }

    pub fn status(self) -> Status {
        match self {
            Self::Pending => Status::Pending,
            Self::Approved => Status::Approved,
            Self::Rejected => Status::Rejected,
            Self::Withdrawn | Self::Cancelled(_) => Status::Cancelled,
            Self::Running(_) => Status::Running,
            Self::Completed(_) => Status::Completed,
            Self::Failed(_) => Status::Failed,
        }
    }

    pub fn approval_status(self) -> ApprovalStatus {
        match self {
            Self::Pending => ApprovalStatus::Pending,
            Self::Rejected | Self::Withdrawn => ApprovalStatus::Rejected,
            Self::Approved
            | Self::Running(Gate::Approved)
            | Self::Completed(Gate::Approved)
            | Self::Failed(Gate::Approved)
            | Self::Cancelled(Gate::Approved) => ApprovalStatus::Approved,
            Self::Running(Gate::NotRequired)
            | Self::Completed(Gate::NotRequired)
            | Self::Failed(Gate::NotRequired)
            | Self::Cancelled(Gate::NotRequired) => ApprovalStatus::NotRequired,
        }
    }

    /// The phase that two stored fields stand for, when they are a legal pair.
    pub fn from_fields(status: Status, approval: ApprovalStatus) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|phase| phase.status() == status && phase.approval_status() == approval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_and_its_two_fields_are_the_same_thing() {
        for phase in Phase::ALL {
            assert_eq!(Phase::from_fields(phase.status(), phase.approval_status()), Some(*phase));
        }
    }

    #[test]
    fn nothing_follows_an_end() {
        for (from, _) in Phase::transitions() {
            assert!(!from.is_terminal(), "{from:?}");
        }
        assert_eq!(Phase::transitions().len(), 12);
    }

    #[test]
    fn a_rejected_call_never_runs() {
        let error = Phase::Rejected.advance(Step::Start).unwrap_err();
        assert_eq!(error.to_string(), "an invocation that is rejected cannot start");
    }
}
