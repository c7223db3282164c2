//! What usage is reported by.

use serde::{Deserialize, Serialize};

/// Something that usage can be grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Dimension {
    /// In UTC.
    Day,
    Agent,
    Tool,
    Run,
    Provider,
    Model,
}

impl Dimension {
    pub const ALL: [Self; 6] = [Self::Day, Self::Agent, Self::Tool, Self::Run, Self::Provider, Self::Model];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Agent => "agent",
            Self::Tool => "tool",
            Self::Run => "run",
            Self::Provider => "provider",
            Self::Model => "model",
        }
    }
}

impl std::str::FromStr for Dimension {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|dimension| dimension.as_str() == text).ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            format!(
                "`{}` is nothing to group by; there are {known}",
                text.chars().take(64).collect::<String>()
            )
        })
    }
}
