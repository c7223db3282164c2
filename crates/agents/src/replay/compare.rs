//! What came out, beside what had come out.

use serde_json::{Value, json};
use toolgate_domain::{Envelope, Invocation, Status};

use super::{Difference, recorded::named};
use crate::bundle::{Bundle, CallRecord};

const END: &str = "the end";

/// Every difference, in the order of the run.
pub(super) fn compare(bundle: &Bundle, outer: &Envelope, calls: &[Invocation]) -> Vec<Difference> {
    let mut found = Vec::new();
    for then in &bundle.calls {
        let now = calls.iter().find(|row| row.seq == then.place);
        found.extend(compare_call(then, now));
    }
    let more = calls.iter().filter(|row| bundle.calls.iter().all(|call| call.place != row.seq));
    found.extend(more.map(|row| {
        let tool = format!("{}@{}", row.tool_name, row.tool_version);
        Difference::new(format!("call {} ({tool})", row.seq), "", Value::Null, json!({"input": row.input}))
    }));
    found.extend(compare_end(bundle, outer));
    found
}

fn compare_call(then: &CallRecord, now: Option<&Invocation>) -> Option<Difference> {
    let at = named(then);
    let Some(now) = now else {
        return Some(Difference::new(at, "", json!({"call_id": then.call_id}), Value::Null));
    };
    let asked = |tool: &str, version: &str, call_id: &str, input: &Value| json!({"tool": format!("{tool}@{version}"), "call_id": call_id, "input": input});
    let recorded = asked(&then.tool, &then.version, &then.call_id, &then.input);
    let made = asked(&now.tool_name, &now.tool_version, &now.call_id, &now.input);
    if let Some(found) = Difference::of(&at, "", &recorded, &made) {
        return Some(found);
    }
    let envelope = then.envelope.as_ref()?;
    if then.version.is_empty() {
        // What is said of a tool that is not there names those that were.
        let code = |error: &Option<toolgate_domain::ToolError>| json!(error.as_ref().map(|error| error.code));
        return Difference::of(&at, "/error/code", &code(&envelope.error), &code(&now.outcome.error));
    }
    let recorded = json!({"output": envelope.output, "error": envelope.error});
    let answered = json!({"output": now.outcome.output, "error": now.outcome.error});
    Difference::of(&at, "", &recorded, &answered)
}

/// A run that somebody ended, or that is not over, has no end that could come out again: its calls are all there is.
fn compare_end(bundle: &Bundle, outer: &Envelope) -> Option<Difference> {
    let ending = &bundle.ending;
    match (bundle.run.status, &ending.error) {
        (Status::Completed, _) => {
            let output = outer.output.clone().unwrap_or_default();
            let recorded = json!({
                "response": ending.response,
                "tool_order": ending.tool_order,
                "last_tool": ending.last_tool,
                "error": Value::Null,
            });
            let now = json!({
                "response": output["response"],
                "tool_order": output["tool_order"],
                "last_tool": output["last_tool"]["call_id"],
                "error": outer.error,
            });
            Difference::of(END, "", &recorded, &now)
        }
        (Status::Failed, Some(error)) => {
            let recorded = json!({"code": error.code, "message": error.message});
            let now = outer.error.as_ref().map(|now| json!({"code": now.code, "message": now.message}));
            Difference::of(END, "/error", &recorded, &now.unwrap_or_default())
        }
        _ => None,
    }
}

/// Whether the run had all the turns that it might have.
pub(super) fn ended_by_turns(bundle: &Bundle) -> bool {
    let details = bundle.ending.error.as_ref().and_then(|error| error.details.as_ref());
    details.is_some_and(|details| details["reason"] == "guard.max_iterations")
}
