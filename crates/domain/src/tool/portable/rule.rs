//! What clients refuse, rule by rule.

/// Which side of a tool a schema describes. Input schemas are handed to models as well; output schemas are only validated with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Input,
    Output,
}

/// What a complaint costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The client keeps the tool and reads less of it than is written.
    Loosens,
    /// The client drops the tool, or refuses every tool beside it.
    Blocks,
}

/// A way in which a schema is not read by every client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    RootObject,
    RootProperties,
    RootUnion,
    Dialect,
    DraftFour,
    Reference,
    LocalReference,
    OpenEmpty,
    OpenObject,
    BooleanSchema,
    TypeList,
    NoType,
    NoItems,
    PropertyName,
    RequiredUnknown,
    MixedEnum,
    Pattern,
    Keyword,
    Depth,
    Size,
}

impl Rule {
    pub const ALL: [Self; 20] = [
        Self::RootObject,
        Self::RootProperties,
        Self::RootUnion,
        Self::Dialect,
        Self::DraftFour,
        Self::Reference,
        Self::LocalReference,
        Self::OpenEmpty,
        Self::OpenObject,
        Self::BooleanSchema,
        Self::TypeList,
        Self::NoType,
        Self::NoItems,
        Self::PropertyName,
        Self::RequiredUnknown,
        Self::MixedEnum,
        Self::Pattern,
        Self::Keyword,
        Self::Depth,
        Self::Size,
    ];

    /// As the documentation names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RootObject => "root_object",
            Self::RootProperties => "root_properties",
            Self::RootUnion => "root_union",
            Self::Dialect => "dialect",
            Self::DraftFour => "draft_four",
            Self::Reference => "reference",
            Self::LocalReference => "local_reference",
            Self::OpenEmpty => "open_empty",
            Self::OpenObject => "open_object",
            Self::BooleanSchema => "boolean_schema",
            Self::TypeList => "type_list",
            Self::NoType => "no_type",
            Self::NoItems => "no_items",
            Self::PropertyName => "property_name",
            Self::RequiredUnknown => "required_unknown",
            Self::MixedEnum => "mixed_enum",
            Self::Pattern => "pattern",
            Self::Keyword => "keyword",
            Self::Depth => "depth",
            Self::Size => "size",
        }
    }

    /// Who refuses it, or reads less of it.
    pub fn clients(self) -> &'static [&'static str] {
        match self {
            Self::RootObject => &["TypeScript SDK", "Claude", "OpenAI", "Codex CLI"],
            Self::RootProperties => &["OpenAI", "Codex CLI"],
            Self::RootUnion => &["Claude", "OpenAI", "Codex CLI", "opencode"],
            Self::Dialect => &["Claude", "TypeScript SDK"],
            Self::DraftFour => &["Claude"],
            Self::Reference => &["TypeScript SDK", "Gemini CLI"],
            Self::LocalReference => &["Gemini CLI", "Qwen Code"],
            Self::OpenEmpty => &["OpenAI Agents SDK"],
            Self::OpenObject => &["OpenAI strict"],
            Self::BooleanSchema => &["Codex CLI", "Gemini CLI"],
            Self::TypeList => &["Gemini", "Codex CLI"],
            Self::NoType => &["Gemini CLI", "Codex CLI"],
            Self::NoItems => &["VS Code", "OpenAI", "Gemini"],
            Self::PropertyName => &["Claude"],
            Self::RequiredUnknown => &["Gemini"],
            Self::MixedEnum => &["Gemini"],
            Self::Pattern => &["TypeScript SDK", "opencode", "LangChain"],
            Self::Keyword => &["OpenAI strict", "Gemini", "TypeScript SDK"],
            Self::Depth => &["OpenAI strict"],
            Self::Size => &["OpenAI strict", "Gemini"],
        }
    }

    pub fn severity(self, role: Role) -> Severity {
        match (self, role) {
            (
                Self::RootObject
                | Self::RootUnion
                | Self::Dialect
                | Self::Reference
                | Self::Pattern
                | Self::DraftFour,
                _,
            )
            | (
                Self::RootProperties
                | Self::OpenEmpty
                | Self::BooleanSchema
                | Self::NoType
                | Self::NoItems
                | Self::PropertyName
                | Self::RequiredUnknown
                | Self::MixedEnum,
                Role::Input,
            ) => Severity::Blocks,
            _ => Severity::Loosens,
        }
    }

    /// Whether a reader of the published schema knows less than its author wrote. The rest is only spelt differently.
    pub fn is_told_to_authors(self) -> bool {
        matches!(
            self,
            Self::RootObject
                | Self::RootUnion
                | Self::Reference
                | Self::PropertyName
                | Self::Pattern
                | Self::Depth
                | Self::Size
        )
    }
}
