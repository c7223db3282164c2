//! The block of a composition, as its author wrote it.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value};
use toolgate_domain::tool::Execution;
use toolgate_engine::PlannedCall;

use crate::{
    binding::{Reference, references},
    builtin::{Language, check_query},
};

/// Steps of one composition, those in groups included.
pub(super) const MAX_STEPS: usize = 50;
/// Times that one step is tried again.
pub(super) const MAX_RETRIES: u64 = 3;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plan {
    pub(super) steps: Vec<Entry>,
    #[serde(default)]
    pub(super) output: Option<Value>,
}

/// One step, or several at a time.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Step(Step),
    Group(Group),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    pub(super) id: String,
    pub(super) parallel: Vec<Step>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) id: String,
    pub(super) tool: String,
    #[serde(default = "nothing")]
    pub(super) input: Value,
    /// JMESPath over `{input, steps}`; the step is skipped unless it gives something true.
    #[serde(default)]
    pub(super) when: Option<String>,
    #[serde(default)]
    pub(super) on_error: OnError,
    #[serde(default)]
    pub(super) retries: u64,
    /// Its place among all steps, in document order; the same in every run.
    #[serde(skip)]
    pub(super) index: u64,
}

fn nothing() -> Value {
    Value::Object(Map::new())
}

/// What a failed step means for the rest.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OnError {
    #[default]
    Fail,
    Continue,
    /// Goes on with this as the step's output.
    Default(Value),
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let read = if value.get("parallel").is_some() {
            Group::deserialize(value).map(Self::Group)
        } else {
            Step::deserialize(value).map(Self::Step)
        };
        read.map_err(serde::de::Error::custom)
    }
}

impl Entry {
    pub(super) fn steps(&self) -> &[Step] {
        match self {
            Self::Step(step) => std::slice::from_ref(step),
            Self::Group(group) => &group.parallel,
        }
    }

    fn steps_mut(&mut self) -> &mut [Step] {
        match self {
            Self::Step(step) => std::slice::from_mut(step),
            Self::Group(group) => &mut group.parallel,
        }
    }
}

impl Plan {
    /// Reads the block; the error begins with the place.
    pub(super) fn read(execution: &Execution) -> Result<Self, String> {
        toolgate_domain::tool::reject_unknown_keys(&execution.config, &["steps", "output"])
            .map_err(|e| e.to_string())?;
        let steps = execution.config.get("steps").and_then(Value::as_array);
        let steps = steps.ok_or("/steps: is the list of steps")?;
        let mut plan = Self { steps: Vec::new(), output: execution.config.get("output").cloned() };
        for (index, step) in steps.iter().enumerate() {
            plan.steps.push(Entry::deserialize(step).map_err(|e| format!("/steps/{index}: {e}"))?);
        }
        for (step, index) in plan.steps.iter_mut().flat_map(Entry::steps_mut).zip(0..) {
            step.index = index;
        }
        plan.check()?;
        Ok(plan)
    }

    /// Every step with its place in the block.
    fn placed(&self) -> impl Iterator<Item = (String, &Step)> {
        self.steps.iter().enumerate().flat_map(|(index, entry)| {
            let place = move |inner: usize| match entry {
                Entry::Step(_) => format!("/steps/{index}"),
                Entry::Group(_) => format!("/steps/{index}/parallel/{inner}"),
            };
            entry.steps().iter().enumerate().map(move |(inner, step)| (place(inner), step))
        })
    }

    fn check(&self) -> Result<(), String> {
        let count = self.placed().count();
        if count == 0 || count > MAX_STEPS {
            return Err(format!("/steps: a composition has 1 to {MAX_STEPS} steps, this one has {count}"));
        }
        let mut taken = BTreeSet::new();
        let mut take = |id: &str, place: &str| {
            let fits = (1..=64).contains(&id.len())
                && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
            if !fits {
                return Err(format!("{place}/id: has 1 to 64 letters, digits, `_` or `-`"));
            }
            if !taken.insert(id.to_owned()) {
                return Err(format!("{place}/id: `{id}` is the id of an earlier step"));
            }
            Ok(())
        };
        for (index, entry) in self.steps.iter().enumerate() {
            if let Entry::Group(group) = entry {
                take(&group.id, &format!("/steps/{index}"))?;
            }
        }
        for (place, step) in self.placed() {
            take(&step.id, &place)?;
        }
        self.check_references()
    }

    fn check_references(&self) -> Result<(), String> {
        let all: BTreeSet<&str> = self.placed().map(|(_, step)| step.id.as_str()).collect();
        let mut known = BTreeSet::new();
        let mut placed = self.placed();
        for entry in &self.steps {
            for (place, step) in placed.by_ref().take(entry.steps().len()) {
                step.check(&place)?;
                for reference in references(&step.input, &["input", "steps"]) {
                    check_reference(&reference, &known, &all)
                        .map_err(|message| format!("{place}/input{}: {message}", reference.pointer))?;
                }
            }
            known.extend(entry.steps().iter().map(|step| step.id.as_str()));
        }
        let output = self.output.as_ref();
        for reference in output.iter().flat_map(|output| references(output, &["input", "steps"])) {
            check_reference(&reference, &known, &all)
                .map_err(|message| format!("/output{}: {message}", reference.pointer))?;
        }
        Ok(())
    }

    pub(super) fn calls(&self) -> Vec<PlannedCall> {
        let planned = |(pointer, step): (String, &Step)| PlannedCall {
            pointer,
            tool: step.tool.clone(),
            certain: true,
            passes: step.input.as_object().map(|fields| fields.keys().cloned().collect()),
            repeats: step.retries > 0,
        };
        self.placed().map(planned).collect()
    }
}

impl Step {
    fn check(&self, place: &str) -> Result<(), String> {
        if !self.input.is_object() && references(&self.input, &["input", "steps"]).is_empty() {
            return Err(format!("{place}/input: is an object, or a reference to one"));
        }
        if self.retries > MAX_RETRIES {
            return Err(format!("{place}/retries: is at most {MAX_RETRIES}"));
        }
        if let Some(condition) = &self.when {
            check_query(Language::JmesPath, condition)
                .map_err(|message| format!("{place}/when: {message}"))?;
        }
        Ok(())
    }
}

/// A step can use what stands before it: neither itself, nor what runs beside it, nor what comes later.
fn check_reference(
    reference: &Reference<'_>,
    known: &BTreeSet<&str>,
    all: &BTreeSet<&str>,
) -> Result<(), String> {
    if reference.root == "input" {
        return Ok(());
    }
    let Some((id, rest)) = reference.path.split_first() else {
        return Err("`$steps` needs the id of a step: `$steps.id.output`".to_owned());
    };
    if !known.contains(id) {
        return Err(match all.contains(id) {
            true => format!("the step `{id}` has not run by then"),
            false => format!("there is no step `{id}`"),
        });
    }
    match rest.first() {
        None | Some(&"output" | &"error" | &"status" | &"invocation_id") => Ok(()),
        Some(other) => {
            Err(format!("a step has `output`, `error`, `status` and `invocation_id`, not `{other}`"))
        }
    }
}
