//! What the steps left so far: what mappings and conditions see, and what the answer shows.

use serde_json::{Map, Value, json};
use toolgate_domain::{Envelope, ToolError};

use super::plan::{Entry, OnError, Plan, Step};
use crate::{
    binding::bind,
    builtin::{Language, evaluate, measure::is_small},
};

/// How one step ended.
pub(super) enum Left {
    Skipped,
    Completed(Box<Envelope>),
    Failed(Box<Envelope>, ToolError),
}

pub(super) struct State<'a> {
    input: &'a Value,
    steps: Value,
}

impl<'a> State<'a> {
    pub(super) fn new(input: &'a Value) -> Self {
        Self { input, steps: Value::Object(Map::new()) }
    }

    /// What the step is called with; nothing when its condition does not hold.
    pub(super) async fn input_of(&self, step: &Step) -> Result<Option<Value>, ToolError> {
        if let Some(condition) = &step.when {
            let data = json!({"input": self.input, "steps": self.steps});
            let said = query(data, condition.clone()).await.map_err(|message| {
                ToolError::validation(format!("the condition of step `{}`: {message}", step.id))
            })?;
            if !is_true(&said) {
                return Ok(None);
            }
        }
        Ok(Some(self.bound(&step.input)))
    }

    fn bound(&self, mapping: &Value) -> Value {
        bind(mapping, &[("input", self.input), ("steps", &self.steps)])
    }

    /// Notes how a step ended; the error when that ends everything.
    pub(super) fn note(&mut self, step: &Step, left: Left) -> Result<(), ToolError> {
        let noted = match left {
            Left::Skipped => json!({"status": "skipped"}),
            Left::Completed(envelope) => {
                json!({"status": "completed", "output": envelope.output, "invocation_id": envelope.invocation_id})
            }
            Left::Failed(envelope, error) => match &step.on_error {
                OnError::Fail => return Err(failed(step, &envelope, error)),
                OnError::Continue => {
                    json!({"status": "failed", "error": error, "invocation_id": envelope.invocation_id})
                }
                OnError::Default(value) => json!({
                    "status": "defaulted", "output": value, "error": error, "invocation_id": envelope.invocation_id,
                }),
            },
        };
        if let Some(steps) = self.steps.as_object_mut() {
            steps.insert(step.id.clone(), noted);
        }
        Ok(())
    }

    /// The mapping that the author gave; without one, what the last entry answered, and every step.
    pub(super) fn answer(self, plan: &Plan) -> Value {
        if let Some(output) = &plan.output {
            return self.bound(output);
        }
        let of = |step: &Step| self.steps[&step.id]["output"].clone();
        let output = match plan.steps.last() {
            Some(Entry::Step(step)) => of(step),
            Some(Entry::Group(group)) => {
                Value::Object(group.parallel.iter().map(|step| (step.id.clone(), of(step))).collect())
            }
            None => Value::Null,
        };
        json!({"output": output, "steps": self.steps})
    }
}

/// On a thread that may block, where the data is large.
async fn query(data: Value, condition: String) -> Result<Value, String> {
    if is_small(&data) {
        return evaluate(Language::JmesPath, &data, &condition);
    }
    let job = tokio::task::spawn_blocking(move || evaluate(Language::JmesPath, &data, &condition));
    job.await.unwrap_or_else(|_| Err("it broke down".to_owned()))
}

/// As JMESPath has it: nothing, false and what is empty are false.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is) => *is,
        Value::Number(_) => true,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

fn failed(step: &Step, envelope: &Envelope, error: ToolError) -> ToolError {
    let message = format!("step `{}` ({}) failed: {}", step.id, step.tool, error.message);
    ToolError { message, ..error.clone() }.with_details(json!({
        "step": step.id, "tool": step.tool, "invocation_id": envelope.invocation_id, "cause": error.details,
    }))
}
