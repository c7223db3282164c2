//! `summarize_numbers`: what a list of numbers looks like.

use serde_json::{Map, Number, Value, json};
use toolgate_domain::{ToolError, ToolSpec, tool::SectionType};

use super::statistics::{histogram, mean_and_spread, percentile, sum};
use crate::builtin::{
    definition::{Definition, answers, refuses, section},
    tool::{Builtin, BuiltinContext, Weight},
};

const DESCRIPTION: &str = "Summarises a list of numbers: count, sum, mean, median, minimum, maximum, standard \
deviation (of a sample), percentiles and a histogram. Use it for any statistics over more than a few numbers, such \
as latencies, prices or a column from parse_csv, instead of estimating. Percentiles interpolate between neighbours \
(p5, p25, p50, p75, p90, p95 and p99 unless `percentiles` lists others); the histogram has `bins` bins of equal \
width, each holding its lower end, the last one both ends. `stdev` is null for a single number. Up to 100,000 \
numbers. Results are doubles (about 15 digits): for exact sums of money use calculate. Not for text, dates or \
missing values: leave those out first.";

const MAX_NUMBERS: usize = 100_000;
const MAX_PERCENTILES: usize = 50;
const MAX_BINS: u64 = 100;
const PERCENTILES: [f64; 7] = [5.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0];

/// Statistics over a list of numbers.
pub(in crate::builtin) struct SummarizeNumbers;

impl Builtin for SummarizeNumbers {
    fn spec(&self) -> ToolSpec {
        let mut chart = section("histogram", "Distribution", SectionType::Chart);
        chart.config = Some(Map::from_iter([
            ("kind".to_owned(), json!("bar")),
            ("x".to_owned(), json!("from")),
            ("y".to_owned(), json!("count")),
        ]));
        Definition {
            name: "summarize_numbers",
            category: "data",
            icon: "chart-column",
            description: DESCRIPTION,
            input_schema: json!({
                "type": "object",
                "properties": {
                    "numbers": {
                        "type": "array", "minItems": 1, "maxItems": MAX_NUMBERS, "items": {"type": "number"},
                        "description": "The numbers, in any order."
                    },
                    "percentiles": {
                        "type": "array", "minItems": 1, "maxItems": MAX_PERCENTILES,
                        "items": {"type": "number", "minimum": 0, "maximum": 100},
                        "default": PERCENTILES,
                        "description": "Which percentiles to compute, each 0 to 100."
                    },
                    "bins": {
                        "type": "integer", "minimum": 1, "maximum": MAX_BINS, "default": 10,
                        "description": "How many bins the histogram has."
                    }
                },
                "required": ["numbers"],
                "additionalProperties": false
            }),
            output_schema: output_schema(),
            examples: vec![
                answers(
                    "A few numbers",
                    json!({"numbers": [4, 1, 3, 2], "percentiles": [90], "bins": 3}),
                    json!({
                        "count": 4, "sum": 10, "mean": 2.5, "median": 2.5, "min": 1, "max": 4,
                        "stdev": 1.290_994_448_735_805_6,
                        "percentiles": [{"percent": 90, "value": 3.7}],
                        "histogram": [
                            {"from": 1, "to": 2, "count": 1},
                            {"from": 2, "to": 3, "count": 1},
                            {"from": 3, "to": 4, "count": 2}
                        ]
                    }),
                ),
                refuses("No numbers", json!({"numbers": []})),
                refuses("Numbers too large to add", json!({"numbers": [1.7e308, 1.7e308]})),
            ],
            output_sections: vec![
                section("mean", "Mean", SectionType::Summary),
                chart,
                section("percentiles", "Percentiles", SectionType::Table),
            ],
            repeatable: true,
        }
        .into_spec()
    }

    /// A thousand numbers are sorted in some tens of microseconds.
    fn weight(&self, input: &Value) -> Weight {
        const MAX_INLINE_NUMBERS: usize = 1_000;
        let count = input["numbers"].as_array().map_or(0, Vec::len);
        if count <= MAX_INLINE_NUMBERS { Weight::Inline } else { Weight::Blocking }
    }

    fn call(&self, input: &Value, _ctx: &BuiltinContext<'_>) -> Result<Value, ToolError> {
        let mut numbers = doubles(&input["numbers"])?;
        if numbers.is_empty() || numbers.len() > MAX_NUMBERS {
            return Err(ToolError::validation(format!(
                "`numbers` holds between 1 and {MAX_NUMBERS} numbers"
            )));
        }
        let percents = match &input["percentiles"] {
            Value::Null => PERCENTILES.to_vec(),
            given => doubles(given)?,
        };
        if percents.len() > MAX_PERCENTILES || percents.iter().any(|p| !(0.0..=100.0).contains(p)) {
            return Err(ToolError::validation("`percentiles` holds up to 50 numbers between 0 and 100"));
        }
        let bins = usize::try_from(input["bins"].as_u64().unwrap_or(10).clamp(1, MAX_BINS)).unwrap_or(10);

        let total = sum(&numbers);
        let (mean, spread) = mean_and_spread(&numbers);
        numbers.sort_by(f64::total_cmp);
        let count = numbers.len();
        let stdev = if count < 2 { Value::Null } else { number((spread / (count - 1) as f64).sqrt())? };
        let percentiles = percents
            .iter()
            .map(|&percent| {
                Ok(json!({"percent": number(percent)?, "value": number(percentile(&numbers, percent))?}))
            })
            .collect::<Result<Vec<_>, ToolError>>()?;
        let histogram = histogram(&numbers, bins)
            .iter()
            .map(|bin| Ok(json!({"from": number(bin.from)?, "to": number(bin.to)?, "count": bin.count})))
            .collect::<Result<Vec<_>, ToolError>>()?;
        Ok(json!({
            "count": count,
            "sum": number(total)?,
            "mean": number(mean)?,
            "median": number(percentile(&numbers, 50.0))?,
            "min": number(numbers.first().copied().unwrap_or_default())?,
            "max": number(numbers.last().copied().unwrap_or_default())?,
            "stdev": stdev,
            "percentiles": percentiles,
            "histogram": histogram,
        }))
    }
}

fn output_schema() -> Value {
    let statistic = |description: &str| json!({"type": "number", "description": description});
    json!({
        "type": "object",
        "properties": {
            "count": {"type": "integer", "description": "How many numbers there are."},
            "sum": statistic("Their sum."),
            "mean": statistic("Their arithmetic mean."),
            "median": statistic("The middle one, or the mean of the two in the middle."),
            "min": statistic("The smallest."),
            "max": statistic("The largest."),
            "stdev": {
                "type": ["number", "null"],
                "description": "The standard deviation of a sample; null for a single number."
            },
            "percentiles": {
                "type": "array",
                "description": "The percentiles asked for, in that order.",
                "items": {
                    "type": "object",
                    "properties": {
                        "percent": statistic("The share of numbers below the value, in percent."),
                        "value": statistic("The value of the percentile.")
                    },
                    "required": ["percent", "value"],
                    "additionalProperties": false
                }
            },
            "histogram": {
                "type": "array",
                "description": "Bins of equal width, from the smallest number to the largest.",
                "items": {
                    "type": "object",
                    "properties": {
                        "from": statistic("The lower end of the bin."),
                        "to": statistic("The upper end of the bin."),
                        "count": {"type": "integer", "description": "How many numbers are in the bin."}
                    },
                    "required": ["from", "to", "count"],
                    "additionalProperties": false
                }
            }
        },
        "required": ["count", "sum", "mean", "median", "min", "max", "stdev", "percentiles", "histogram"],
        "additionalProperties": false
    })
}

fn doubles(list: &Value) -> Result<Vec<f64>, ToolError> {
    let refused = || ToolError::validation("a list of numbers holds something that is no number");
    list.as_array().ok_or_else(refused)?.iter().map(|item| item.as_f64().ok_or_else(refused)).collect()
}

/// A result as JSON: whole numbers without a point, and no infinities.
fn number(value: f64) -> Result<Value, ToolError> {
    const MAX_SAFE: f64 = ((1_i64 << 53) - 1) as f64;
    if value.fract() == 0.0 && value.abs() <= MAX_SAFE {
        return Ok(Value::from(value as i64));
    }
    Number::from_f64(value).map(Value::Number).ok_or_else(|| {
        ToolError::validation("the numbers are too large: a result is beyond the range of doubles")
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::builtin::testing::{call, context, refusal};

    #[test]
    fn one_number_is_its_own_summary() {
        let output = call(&SummarizeNumbers, json!({"numbers": [7]}));
        assert_eq!((&output["median"], &output["stdev"]), (&json!(7), &Value::Null));
        assert_eq!(output["histogram"], json!([{"from": 7, "to": 7, "count": 1}]));
        assert_eq!(output["percentiles"].as_array().unwrap().len(), 7);
    }

    #[rstest]
    #[case::sum(json!([1e308, 1e308]))]
    #[case::spread(json!([1e200, -1e200]))]
    fn what_would_be_infinite_is_refused(#[case] numbers: Value) {
        assert!(refusal(&SummarizeNumbers, json!({"numbers": numbers})).contains("too large"));
    }

    #[test]
    fn the_largest_list_fits() {
        let numbers: Vec<u32> = (0..100_000).rev().collect();
        let output = call(&SummarizeNumbers, json!({"numbers": numbers, "bins": 100}));
        assert_eq!((&output["median"], &output["sum"]), (&json!(49_999.5), &json!(4_999_950_000_u64)));
        assert!(output["histogram"].as_array().unwrap().iter().all(|bin| bin["count"] == 1_000));
    }

    #[test]
    fn numbers_that_cannot_be_told_apart_share_a_bin() {
        let output = call(&SummarizeNumbers, json!({"numbers": [5e-324, 1e-323], "bins": 100}));
        assert_eq!(
            output["histogram"]
                .as_array()
                .unwrap()
                .iter()
                .map(|bin| bin["count"].as_u64().unwrap())
                .sum::<u64>(),
            2
        );
    }

    proptest! {
        #[test]
        fn any_doubles_are_summarised_or_refused_but_never_lost(
            numbers in prop::collection::vec(any::<f64>().prop_filter("finite", |x| x.is_finite()), 1..100),
            bins in 1_u64..=100,
        ) {
            let count = numbers.len() as u64;
            if let Ok(output) = SummarizeNumbers.call(&json!({"numbers": numbers, "bins": bins}), &context()) {
                let binned: u64 = output["histogram"].as_array().unwrap().iter().map(|bin| bin["count"].as_u64().unwrap()).sum();
                prop_assert_eq!(binned, count);
                let ends: Vec<f64> = output["histogram"].as_array().unwrap().iter().map(|bin| bin["from"].as_f64().unwrap()).collect();
                prop_assert!(ends.windows(2).all(|pair| pair[0] <= pair[1]));
            }
        }
    }
}
