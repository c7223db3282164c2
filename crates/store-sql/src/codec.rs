//! How values become columns, the same way in both databases.

use serde::{Serialize, de::DeserializeOwned};
use toolgate_domain::{
    Decision, EgressClass, EventType, Lifecycle, Phase, Tool, ToolSpec,
    call::{ApprovalStatus, Status},
    tool::Origin,
};
use toolgate_store::StoreError;

pub(crate) fn corrupt(what: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(what.to_string())
}

/// A change that came too late.
pub(crate) fn overtaken() -> StoreError {
    StoreError::Conflict("it was changed or removed meanwhile".to_owned())
}

pub(crate) fn to_json<T: Serialize>(value: &T) -> String {
    // Values of the domain have string keys and finite numbers; they always encode.
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(corrupt)
}

pub(crate) fn parse<T: std::str::FromStr>(text: &str) -> Result<T, StoreError>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(corrupt)
}

pub(crate) fn phase(status: &str, approval: &str) -> Result<Phase, StoreError> {
    let (status, approval): (Status, ApprovalStatus) = (parse(status)?, parse(approval)?);
    Phase::from_fields(status, approval)
        .ok_or_else(|| corrupt(format!("{status:?}/{approval:?} is no state")))
}

/// A list column: absent when empty, which it nearly always is.
pub(crate) fn list_to_json<T: Serialize>(list: &[T]) -> Option<String> {
    if list.is_empty() { None } else { Some(to_json(&list)) }
}

pub(crate) fn list_from_json<T: DeserializeOwned>(text: Option<String>) -> Result<Vec<T>, StoreError> {
    text.map_or_else(|| Ok(Vec::new()), |text| from_json(&text))
}

pub(crate) fn decision(text: &str) -> Result<Decision, StoreError> {
    from_json(text)
}

pub(crate) fn egress_class(text: &str) -> Result<EgressClass, StoreError> {
    parse(text)
}

pub(crate) fn origin(text: &str) -> Result<Origin, StoreError> {
    match text {
        "code" => Ok(Origin::Code),
        "tenant_custom" => Ok(Origin::TenantCustom),
        other => Err(corrupt(format!("`{other}` is no origin"))),
    }
}

/// What the columns `lifecycle` and `stage` say together: a stage is a reason for being blocked.
pub(crate) fn lifecycle(lifecycle: &str, stage: Option<&str>) -> Result<Lifecycle, StoreError> {
    parse(stage.unwrap_or(lifecycle))
}

/// The columns `lifecycle` and `stage`.
pub(crate) fn lifecycle_columns(lifecycle: Lifecycle) -> (&'static str, Option<&'static str>) {
    match lifecycle {
        Lifecycle::Draft | Lifecycle::Archived => (Lifecycle::Blocked.as_str(), Some(lifecycle.as_str())),
        other => (other.as_str(), None),
    }
}

/// The definition, with the column that the egress guard watches put back into it.
pub(crate) fn spec(definition: &str, requires_approval: bool) -> Result<ToolSpec, StoreError> {
    let mut spec: ToolSpec = from_json(definition)?;
    spec.requires_approval = requires_approval;
    Ok(spec)
}

pub(crate) fn definition(tool: &Tool) -> String {
    to_json(&*tool.spec)
}

pub(crate) fn event_kind(text: &str) -> Result<EventType, StoreError> {
    parse::<EventType>(text)
}

/// After every name that begins with `prefix`, in the order of bytes.
pub(crate) fn after_prefix(prefix: &str) -> String {
    format!("{prefix}{}", char::MAX)
}
