//! Twelve storage types, and how each may be shown.

use serde::{Deserialize, Serialize};

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum FieldType {
    Text,
    Number,
    Boolean,
    /// A date, a moment, or a time of day; the display says which.
    Date,
    /// One of a list, or several: the displays `multi_select` and `tags` hold an array.
    Enum,
    Url,
    Email,
    Phone,
    /// The address or the id of a file.
    Media,
    /// The id of an entity, or several: the display `multi_picker` holds an array.
    Relation,
    /// Fields of its own; with the display `json` any object.
    Object,
    /// Any number of one item.
    Array,
}

/// How a field is shown. Each type knows a few of these; the first is its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Display {
    Input,
    Textarea,
    Markdown,
    Code,
    Password,
    Slider,
    Currency,
    Percent,
    Rating,
    Switch,
    Checkbox,
    Date,
    Datetime,
    Time,
    Select,
    Radio,
    MultiSelect,
    Tags,
    File,
    Image,
    Video,
    Audio,
    Picker,
    MultiPicker,
    Group,
    Json,
    List,
    Table,
}

impl FieldType {
    pub const ALL: [Self; 12] = [
        Self::Text,
        Self::Number,
        Self::Boolean,
        Self::Date,
        Self::Enum,
        Self::Url,
        Self::Email,
        Self::Phone,
        Self::Media,
        Self::Relation,
        Self::Object,
        Self::Array,
    ];

    /// The displays of this type, its default first.
    pub fn displays(self) -> &'static [Display] {
        use Display as D;
        match self {
            Self::Text => &[D::Input, D::Textarea, D::Markdown, D::Code, D::Password],
            Self::Number => &[D::Input, D::Slider, D::Currency, D::Percent, D::Rating],
            Self::Boolean => &[D::Switch, D::Checkbox],
            Self::Date => &[D::Date, D::Datetime, D::Time],
            Self::Enum => &[D::Select, D::Radio, D::MultiSelect, D::Tags],
            Self::Url | Self::Email | Self::Phone => &[D::Input],
            Self::Media => &[D::File, D::Image, D::Video, D::Audio],
            Self::Relation => &[D::Picker, D::MultiPicker],
            Self::Object => &[D::Group, D::Json],
            Self::Array => &[D::List, D::Table],
        }
    }
}
