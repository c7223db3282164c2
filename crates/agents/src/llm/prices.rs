//! What tokens cost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Usage;

/// The price of a model, per million tokens, in whatever currency the operator counts in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub input: f64,
    /// What was read from the cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    pub output: f64,
}

impl Price {
    pub fn cost(&self, usage: &Usage) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "nobody uses 2^53 tokens in a turn")]
        let millions = |tokens: u64| tokens as f64 / 1e6;
        let cached = usage.cached_input_tokens.min(usage.input_tokens);
        millions(usage.input_tokens - cached) * self.input
            + millions(cached) * self.cached_input.unwrap_or(self.input)
            + millions(usage.output_tokens) * self.output
    }
}

/// Prices by model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Prices(pub BTreeMap<String, Price>);

impl Prices {
    /// The price of a model, also when it answers by the name of a dated snapshot (`gpt-4o-2024-08-06` for `gpt-4o`).
    pub fn of(&self, model: &str) -> Option<&Price> {
        self.0.get(model).or_else(|| {
            let snapshot = |name: &&String| model.strip_prefix(name.as_str()).is_some_and(is_snapshot);
            self.0.keys().filter(snapshot).max_by_key(|name| name.len()).and_then(|name| self.0.get(name))
        })
    }

    /// What a turn cost; `None` when the model has no price.
    pub fn cost(&self, model: &str, usage: &Usage) -> Option<f64> {
        self.of(model).map(|price| price.cost(usage))
    }
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
        let price = |input| Price { input, cached_input: Some(input / 10.0), output: input * 5.0 };
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
    fn cached_input_has_its_own_price() {
        let usage = Usage {
            input_tokens: 1_000_000,
            cached_input_tokens: 400_000,
            output_tokens: 100_000,
            reasoning_tokens: 0,
        };
        let cost = prices().cost("gpt-4o", &usage).unwrap();
        assert!((cost - (0.6 * 2.5 + 0.4 * 0.25 + 0.1 * 12.5)).abs() < 1e-9, "{cost}");
    }

    #[test]
    fn more_cached_than_asked_is_not_paid_back() {
        let usage = Usage { input_tokens: 10, cached_input_tokens: 20, ..Usage::default() };
        assert!(prices().cost("gpt-4o", &usage).unwrap() > 0.0);
    }
}
