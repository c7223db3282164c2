//! The variables of one judgement, each made when a rule first asks for it.

use std::sync::OnceLock;

use cel::{
    common::{
        types::{CelBool, CelNull, CelString},
        value::CowVal,
    },
    context::VariableResolver,
};
use toolgate_domain::tool::Risk;

use super::{
    facts::Facts,
    meter::{Cost, Meter, parse_tick},
    values::{Boxed, Converted, convert, int, list, map, text},
};

/// Every name that an expression may use.
pub(super) const VARIABLES: [&str; 6] = ["caller", "agent", "tool", "input", "time", "surface"];

static TRUE: CelBool = CelBool::TRUE;

pub(super) struct Scope<'a> {
    facts: &'a Facts<'a>,
    pub meter: Meter,
    caller: OnceLock<Boxed<'a>>,
    agent: OnceLock<Boxed<'a>>,
    tool: OnceLock<Boxed<'a>>,
    input: OnceLock<Result<Converted<'a>, String>>,
    time: OnceLock<Boxed<'a>>,
    surface: OnceLock<Boxed<'a>>,
}

impl<'a> Scope<'a> {
    pub fn new(facts: &'a Facts<'a>) -> Self {
        Self {
            facts,
            meter: Meter::full(),
            caller: OnceLock::new(),
            agent: OnceLock::new(),
            tool: OnceLock::new(),
            input: OnceLock::new(),
            time: OnceLock::new(),
            surface: OnceLock::new(),
        }
    }

    /// Charges for one evaluation, and says why it may not happen.
    pub fn admit(&self, cost: Cost) -> Result<(), String> {
        let bytes = if cost.passes > 0 { self.input().as_ref().map_err(Clone::clone)?.bytes } else { 0 };
        if self.meter.charge(cost, bytes) { Ok(()) } else { Err(OUT_OF_WORK.to_owned()) }
    }

    fn input(&self) -> &Result<Converted<'a>, String> {
        self.input.get_or_init(|| convert(self.facts.input))
    }

    /// Loops over an input only run after it was converted; the size is zero where no rule asked for it.
    fn input_bytes(&self) -> u64 {
        self.input.get().and_then(|input| input.as_ref().ok()).map_or(0, |input| input.bytes)
    }
}

pub(super) const OUT_OF_WORK: &str =
    "judging this input by this policy takes more work than one call may cause";

impl VariableResolver for Scope<'_> {
    fn resolve<'b>(&'b self, variable: &str) -> Option<CowVal<'b, 'b>> {
        let facts = self.facts;
        let value: &'b Boxed<'b> = match variable {
            "caller" => self.caller.get_or_init(|| caller(facts)),
            "agent" => self.agent.get_or_init(|| agent(facts)),
            "tool" => self.tool.get_or_init(|| tool(facts)),
            "input" => &self.input().as_ref().ok()?.value,
            "time" => self.time.get_or_init(|| time(facts)),
            "surface" => self.surface.get_or_init(|| text(facts.surface.as_str())),
            other => {
                let per_turn = parse_tick(other)?;
                return self.meter.charge(per_turn, self.input_bytes()).then_some(CowVal::Borrowed(&TRUE));
            }
        };
        Some(CowVal::Borrowed(value.as_ref()))
    }
}

fn caller<'a>(facts: &'a Facts<'a>) -> Boxed<'a> {
    let caller = &facts.caller;
    map([
        ("principal", text(&caller.principal)),
        ("kind", text(caller.kind.as_str())),
        ("scopes", list(caller.scopes.iter().map(|scope| text(scope.as_str())).collect())),
        ("roles", list(caller.roles.iter().map(|role| text(role)).collect())),
        ("tenant", text(&caller.tenant)),
    ])
}

fn agent<'a>(facts: &'a Facts<'a>) -> Boxed<'a> {
    match &facts.agent {
        None => Box::new(CelNull),
        Some(agent) => {
            map([("id", Box::new(CelString::from(agent.id.to_string()))), ("handle", text(&agent.handle))])
        }
    }
}

fn tool<'a>(facts: &'a Facts<'a>) -> Boxed<'a> {
    let tool = &facts.tool;
    map([
        ("name", text(&tool.name)),
        ("version", text(&tool.version)),
        ("egress_class", text(tool.egress_class.as_str())),
        ("risk", text(risk(tool.risk))),
        ("category", text(&tool.category)),
        ("origin", text(tool.origin.as_str())),
    ])
}

fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::Low => "low",
        Risk::Medium => "medium",
        Risk::High => "high",
        Risk::Critical => "critical",
    }
}

fn time<'a>(facts: &'a Facts<'a>) -> Boxed<'a> {
    let time = &facts.time;
    map([
        ("epoch_s", int(time.epoch_s)),
        ("hour", int(time.hour)),
        ("minute", int(time.minute)),
        ("weekday", int(time.weekday)),
        ("date", text(&time.date)),
    ])
}
