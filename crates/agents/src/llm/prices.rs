//! What tokens cost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Turn, Usage};

/// The price of a model, per million tokens, in whatever currency the operator counts in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub input: f64,
    /// What was read from the cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// What was written to the cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
    pub output: f64,
}

impl Price {
    pub fn cost(&self, usage: &Usage) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "nobody uses 2^53 tokens in a turn")]
        let millions = |tokens: u64| tokens as f64 / 1e6;
        let cached = usage.cached_input_tokens.min(usage.input_tokens);
        let written = usage.cache_write_tokens.min(usage.input_tokens - cached);
        millions(usage.input_tokens - cached - written) * self.input
            + millions(written) * self.cache_write.unwrap_or(self.input)
            + millions(cached) * self.cached_input.unwrap_or(self.input)
            + millions(usage.output_tokens) * self.output
    }
}

/// One line of the price table, as a configuration has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceLine {
    /// What the provider calls it. `name*` stands for every model whose name begins so.
    pub model: String,
    pub input: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// What was written to the cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
    pub output: f64,
}

/// What a turn cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settled {
    /// By the table; where it has no price or the tokens are not known, by the provider's own word.
    pub cost: Option<f64>,
    /// By the provider's own word.
    pub self_reported: Option<f64>,
}

/// Prices by model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Prices(pub BTreeMap<String, Price>);

impl Prices {
    /// The table that these lines make; the message says which one makes no sense.
    pub fn from_lines(lines: Vec<PriceLine>) -> Result<Self, String> {
        let mut prices = BTreeMap::new();
        for PriceLine { model, input, cached_input, cache_write, output } in lines {
            let is_price = |price: f64| price.is_finite() && price >= 0.0;
            if model.is_empty() || model == "*" {
                return Err("a price names its model".to_owned());
            }
            if ![Some(input), cached_input, cache_write, Some(output)].into_iter().flatten().all(is_price) {
                return Err(format!("the prices of `{model}` are numbers from 0 on, per million tokens"));
            }
            if prices.insert(model.clone(), Price { input, cached_input, cache_write, output }).is_some() {
                return Err(format!("`{model}` has two prices"));
            }
        }
        Ok(Self(prices))
    }

    /// These prices, and those of `others` for the models that have none here.
    #[must_use]
    pub fn over(mut self, others: &Self) -> Self {
        for (model, price) in &others.0 {
            self.0.entry(model.clone()).or_insert(*price);
        }
        self
    }

    /// The price of a model, also when it answers by the name of a dated snapshot (`gpt-4o-2024-08-06` for `gpt-4o`), or by one
    /// that begins as a line of the table does (`gpt-4o*`). The longest name wins.
    pub fn of(&self, model: &str) -> Option<&Price> {
        let longest = |fits: &dyn Fn(&str) -> bool| {
            let names = self.0.keys().filter(|name| fits(name));
            names.max_by_key(|name| name.len()).and_then(|name| self.0.get(name))
        };
        self.0
            .get(model)
            .or_else(|| longest(&|name| model.strip_prefix(name).is_some_and(is_snapshot)))
            .or_else(|| longest(&|name| name.strip_suffix('*').is_some_and(|begin| model.starts_with(begin))))
    }

    /// What a turn cost that `asked` was asked for: the model that answers may be a snapshot of it, or go by another name.
    pub fn settle(&self, asked: &str, turn: &Turn) -> Settled {
        let self_reported = self_reported(&turn.raw);
        let known = turn.usage.input_tokens + turn.usage.output_tokens > 0 || self_reported.is_none();
        let listed = self.cost(&turn.model, &turn.usage).or_else(|| self.cost(asked, &turn.usage));
        Settled { cost: listed.filter(|_| known).or(self_reported), self_reported }
    }

    /// What a turn cost; `None` when the model has no price.
    pub fn cost(&self, model: &str, usage: &Usage) -> Option<f64> {
        self.of(model).map(|price| price.cost(usage))
    }
}

/// What a provider says that its answer cost: a script, or a router of models that bills in its usage.
fn self_reported(raw: &Value) -> Option<f64> {
    let said = raw.get("cost_estimate").or_else(|| raw.get("usage")?.get("cost"))?.as_f64()?;
    (said.is_finite() && said >= 0.0).then_some(said)
}

/// A year at least, so that `claude-sonnet-4-5` is no snapshot of `claude-sonnet-4`.
fn is_snapshot(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix(['-', '@']) else { return false };
    rest == "latest" || (rest.len() >= 4 && rest.bytes().take(4).all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn prices() -> Prices {
        let price = |input| Price {
            input,
            cached_input: Some(input / 10.0),
            cache_write: Some(input * 1.25),
            output: input * 5.0,
        };
        Prices([("gpt-4o".into(), price(2.5)), ("claude-sonnet-4".into(), price(3.0))].into())
    }

    #[rstest]
    #[case("gpt-4o", true)]
    #[case("gpt-4o-2024-08-06", true)]
    #[case("claude-sonnet-4@20250514", true)]
    #[case("gpt-4o-mini", false)]
    #[case("claude-sonnet-4-5", false)]
    fn a_dated_snapshot_has_the_price_of_its_model(#[case] model: &str, #[case] has_price: bool) {
        assert_eq!(prices().of(model).is_some(), has_price);
    }

    #[test]
    fn what_is_read_from_a_cache_or_written_to_it_has_its_own_price() {
        let usage = Usage {
            input_tokens: 1_000_000,
            cached_input_tokens: 400_000,
            cache_write_tokens: 200_000,
            output_tokens: 100_000,
            reasoning_tokens: 0,
        };
        let cost = prices().cost("gpt-4o", &usage).unwrap();
        assert!((cost - (0.4 * 2.5 + 0.4 * 0.25 + 0.2 * 3.125 + 0.1 * 12.5)).abs() < 1e-9, "{cost}");
    }

    #[test]
    fn more_cached_than_asked_is_not_paid_back() {
        let usage = Usage { input_tokens: 10, cached_input_tokens: 20, ..Usage::default() };
        assert!(prices().cost("gpt-4o", &usage).unwrap() > 0.0);
    }

    fn line(model: &str, input: f64) -> PriceLine {
        PriceLine { model: model.into(), input, cached_input: None, cache_write: None, output: 1.0 }
    }

    #[test]
    fn a_table_is_made_of_lines_and_the_longest_name_that_fits_wins() {
        let table =
            Prices::from_lines(vec![line("gpt-*", 1.0), line("gpt-4o*", 2.0), line("gpt-4o", 3.0)]).unwrap();
        let input = |model: &str| table.of(model).map(|price| price.input);
        assert_eq!(input("gpt-4o"), Some(3.0));
        assert_eq!(input("gpt-4o-2024-08-06"), Some(3.0), "a snapshot");
        assert_eq!(input("gpt-4o-mini"), Some(2.0));
        assert_eq!(input("gpt-5"), Some(1.0));
        assert_eq!(input("claude"), None);
        let both = Prices::from_lines(vec![line("gpt-5", 9.0)]).unwrap().over(&table);
        assert_eq!((both.of("gpt-5").unwrap().input, both.of("gpt-4o").unwrap().input), (9.0, 3.0));
    }

    #[rstest]
    #[case(vec![line("", 1.0)])]
    #[case(vec![line("*", 1.0)])]
    #[case(vec![line("m", -1.0)])]
    #[case(vec![line("m", f64::NAN)])]
    #[case(vec![line("m", 1.0), line("m", 2.0)])]
    fn a_line_that_makes_no_sense_is_refused(#[case] lines: Vec<PriceLine>) {
        assert!(Prices::from_lines(lines).is_err());
    }

    #[rstest]
    #[case("gpt-4o", 1_000_000, serde_json::json!({}), Some(2.5), None)]
    #[case("gpt-4o", 1_000_000, serde_json::json!({"usage": {"cost": 9.0}}), Some(2.5), Some(9.0))]
    #[case("gpt-4o", 0, serde_json::json!({"usage": {"cost": 9.0}}), Some(9.0), Some(9.0))]
    #[case("other", 10, serde_json::json!({"cost_estimate": 0.5}), Some(0.5), Some(0.5))]
    #[case("other", 10, serde_json::json!({"cost_estimate": -1}), None, None)]
    fn the_table_counts_first_and_the_providers_word_where_it_says_nothing(
        #[case] model: &str,
        #[case] input_tokens: u64,
        #[case] raw: Value,
        #[case] cost: Option<f64>,
        #[case] self_reported: Option<f64>,
    ) {
        let turn = Turn {
            text: None,
            tool_calls: Vec::new(),
            stop: super::super::StopReason::End,
            usage: Usage { input_tokens, ..Usage::default() },
            model: model.to_owned(),
            raw,
        };
        assert_eq!(prices().settle("unlisted", &turn), Settled { cost, self_reported });
    }
}
