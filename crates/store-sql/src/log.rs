//! How events become rows of the log, the same way in both databases. The log keeps only what the invocation's row does not hold, and
//! tells of a call that begins and ends in one commit in one row.

use serde_json::{Value, json};
use toolgate_domain::{Event, EventType, InvocationId, NewEvent, Outcome, SessionId, TenantId, Timestamp};
use toolgate_store::StoreError;

use crate::codec::{corrupt, from_json};

/// One row to be appended.
pub(crate) struct Line<'a> {
    pub(crate) event: &'a NewEvent,
    /// The moment of the `tool.started` that the row tells of as well. That event has the id before the row's own.
    pub(crate) began_at: Option<Timestamp>,
}

/// The rows that tell of these events.
pub(crate) fn lines(mut events: &[NewEvent]) -> impl Iterator<Item = Line<'_>> {
    std::iter::from_fn(move || {
        let (line, rest) = match events {
            [start, end, rest @ ..] if is_whole_call(start, end) => {
                (Line { event: end, began_at: Some(start.created_at) }, rest)
            }
            [event, rest @ ..] => (Line { event, began_at: None }, rest),
            [] => return None,
        };
        events = rest;
        Some(line)
    })
}

fn is_whole_call(start: &NewEvent, end: &NewEvent) -> bool {
    start.kind == EventType::Started
        && matches!(end.kind, EventType::Completed | EventType::Failed | EventType::Cancelled)
        && start.invocation_id == end.invocation_id
        && start.session_id == end.session_id
        && start.data.is_none()
        && end.data.is_none()
}

/// One row as it is read, with the columns of the invocation's row that its events show.
pub(crate) struct Told {
    pub(crate) id: i64,
    pub(crate) tenant_id: TenantId,
    pub(crate) session_id: SessionId,
    pub(crate) kind: EventType,
    pub(crate) invocation_id: InvocationId,
    pub(crate) created_at: Timestamp,
    pub(crate) began_at: Option<Timestamp>,
    pub(crate) tool_name: String,
    pub(crate) tool_version: String,
    pub(crate) call_id: String,
    pub(crate) input: String,
    pub(crate) outcome: Outcome,
    pub(crate) chunk: Option<String>,
}

/// The first `limit` events of these rows that come after `after`.
pub(crate) fn events(rows: Vec<Told>, after: i64, limit: usize) -> Result<Vec<Event>, StoreError> {
    let mut events = Vec::with_capacity(rows.len().min(limit));
    for row in rows {
        if let Some(began_at) = row.began_at
            && row.id - 1 > after
        {
            events.push(row.event(row.id - 1, EventType::Started, began_at)?);
        }
        events.push(row.event(row.id, row.kind, row.created_at)?);
    }
    events.truncate(limit);
    Ok(events)
}

impl Told {
    fn event(&self, id: i64, kind: EventType, created_at: Timestamp) -> Result<Event, StoreError> {
        Ok(Event {
            id,
            tenant_id: self.tenant_id,
            session_id: self.session_id,
            kind,
            invocation_id: self.invocation_id,
            data: self.data(kind)?,
            created_at,
        })
    }

    fn data(&self, kind: EventType) -> Result<Value, StoreError> {
        let mut data = json!({"name": self.tool_name, "version": self.tool_version, "call_id": self.call_id});
        match kind {
            EventType::Started | EventType::NeedsApproval => data["input"] = from_json(&self.input)?,
            EventType::OutputAppended => {
                data["chunk"] = self.chunk.as_deref().map_or(Ok(Value::Null), from_json)?;
            }
            EventType::Completed | EventType::Failed | EventType::Cancelled => {
                let Outcome { output, error, cached, truncated, .. } = &self.outcome;
                if let Some(output) = output {
                    data["output"] = output.clone();
                }
                if let Some(error) = error {
                    data["error"] = serde_json::to_value(error).map_err(corrupt)?;
                }
                for (flag, set) in [("cached", *cached), ("truncated", *truncated)] {
                    if set {
                        data[flag] = true.into();
                    }
                }
            }
            EventType::Approved => {}
        }
        Ok(data)
    }
}
