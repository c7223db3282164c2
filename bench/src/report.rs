//! What was measured, and whether it is enough.

use serde::Serialize;

use crate::{
    args::Plan,
    machine::Facts,
    stats::{Rounds, Spread},
};

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unit {
    /// Of one.
    Share,
    Microseconds,
    Milliseconds,
    Megabytes,
    Count,
}

impl Unit {
    pub(crate) fn show(self, value: f64) -> String {
        match self {
            Self::Share => format!("{:.0} %", value * 100.0),
            Self::Microseconds => format!("{value:.1} µs"),
            Self::Milliseconds => format!("{value:.2} ms"),
            Self::Megabytes => format!("{value:.1} MB"),
            Self::Count => format!("{value:.0}"),
        }
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

impl Bound {
    fn holds(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
        }
    }

    fn show(self, unit: Unit) -> String {
        match self {
            Self::AtLeast(least) => format!("≥ {}", unit.show(least)),
            Self::AtMost(most) => format!("≤ {}", unit.show(most)),
        }
    }
}

/// The number that a row is about.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Figure {
    pub(crate) meaning: &'static str,
    unit: Unit,
    pub(crate) median: f64,
    low: f64,
    high: f64,
    target: Option<Bound>,
    pass: Option<bool>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) section: &'static str,
    pub(crate) what: String,
    pub(crate) per_second: Option<f64>,
    p50_ms: Option<f64>,
    p99_ms: Option<f64>,
    /// Microseconds of the server's processors per call.
    processor_us: Option<f64>,
    pub(crate) figure: Option<Figure>,
}

impl Row {
    pub(crate) const HEAD: [&'static str; 10] =
        ["", "what", "per second", "p50 ms", "p99 ms", "CPU µs", "figure", "spread", "target", ""];

    pub(crate) fn named(section: &'static str, what: &str) -> Self {
        Self {
            section,
            what: what.to_owned(),
            per_second: None,
            p50_ms: None,
            p99_ms: None,
            processor_us: None,
            figure: None,
        }
    }

    pub(crate) fn speed(section: &'static str, what: &str, rounds: &Rounds) -> Self {
        Self {
            per_second: Some(rounds.per_second()),
            p50_ms: Some(rounds.percentile_ms(50.0)),
            p99_ms: Some(rounds.percentile_ms(99.0)),
            processor_us: rounds.processor_us(),
            ..Self::named(section, what)
        }
    }

    pub(crate) fn with(
        mut self,
        meaning: &'static str,
        unit: Unit,
        spread: Spread,
        target: Option<Bound>,
    ) -> Self {
        let Spread { median, low, high } = spread;
        self.figure = Some(Figure {
            meaning,
            unit,
            median,
            low,
            high,
            target,
            pass: target.map(|bound| bound.holds(median)),
        });
        self
    }

    /// A figure that was taken once.
    pub(crate) fn single(self, meaning: &'static str, unit: Unit, value: f64, target: Option<Bound>) -> Self {
        self.with(meaning, unit, Spread::of([value].into_iter()), target)
    }

    /// The same, counted in rows of which every call writes `rows`.
    pub(crate) fn times(mut self, rows: f64) -> Self {
        self.per_second = self.per_second.map(|calls| calls * rows);
        self
    }

    pub(crate) fn cells(&self) -> [String; 10] {
        let number = |value: Option<f64>, decimals: usize| {
            value.map_or_else(String::new, |value| format!("{value:.decimals$}"))
        };
        let figure = self.figure.as_ref();
        let of = |show: &dyn Fn(&Figure) -> String| figure.map(show).unwrap_or_default();
        [
            self.section.to_owned(),
            self.what.clone(),
            number(self.per_second, 0),
            number(self.p50_ms, 3),
            number(self.p99_ms, 3),
            number(self.processor_us, 0),
            of(&|f| format!("{} {}", f.unit.show(f.median), f.meaning)),
            of(&|f| {
                if f.low == f.high {
                    String::new()
                } else {
                    format!("{} – {}", f.unit.show(f.low), f.unit.show(f.high))
                }
            }),
            of(&|f| f.target.map(|bound| bound.show(f.unit)).unwrap_or_default()),
            of(&|f| match f.pass {
                Some(true) => "PASS".to_owned(),
                Some(false) => "miss".to_owned(),
                None => String::new(),
            }),
        ]
    }
}

#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) machine: Facts,
    pub(crate) plan: Plan,
    pub(crate) rows: Vec<Row>,
}

impl Report {
    pub(crate) fn new(machine: Facts, plan: &Plan) -> Self {
        Self { machine, plan: plan.clone(), rows: Vec::new() }
    }

    pub(crate) fn add(&mut self, row: Row) {
        self.rows.push(row);
    }

    pub(crate) fn misses(&self) -> usize {
        self.rows
            .iter()
            .filter(|row| row.figure.as_ref().and_then(|figure| figure.pass) == Some(false))
            .count()
    }
}
