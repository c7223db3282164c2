//! Numbers out of samples.

use std::time::Duration;

/// What one round of one subject gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Round {
    /// How long each wait was: of a call, or of a commit of many.
    pub(crate) took: Vec<Duration>,
    pub(crate) calls: usize,
    pub(crate) elapsed: Duration,
    /// What the server spent on processors, where a server was asked.
    pub(crate) processor: Duration,
}

impl Round {
    pub(crate) fn per_second(&self) -> f64 {
        self.calls as f64 / self.elapsed.as_secs_f64().max(f64::MIN_POSITIVE)
    }

    pub(crate) fn percentile_ms(&self, percent: f64) -> f64 {
        percentile_ms(self.took.clone(), percent)
    }
}

/// All rounds of one subject.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounds(pub(crate) Vec<Round>);

impl Rounds {
    pub(crate) fn per_second(&self) -> f64 {
        Spread::of(self.0.iter().map(Round::per_second)).median
    }

    /// What the server's processors did for one call: less disturbed by neighbours than anything else here.
    pub(crate) fn processor_us(&self) -> Option<f64> {
        let spent: f64 = self.0.iter().map(|round| round.processor.as_secs_f64()).sum();
        let calls: usize = self.0.iter().map(|round| round.calls).sum();
        (spent > 0.0 && calls > 0).then(|| spent * 1e6 / calls as f64)
    }

    /// Over the calls of all rounds together.
    pub(crate) fn percentile_ms(&self, percent: f64) -> f64 {
        percentile_ms(self.0.iter().flat_map(|round| &round.took).copied().collect(), percent)
    }

    /// Round by round, so that what disturbed a round disturbed both sides of it.
    pub(crate) fn ratio_to(&self, base: &Self) -> Spread {
        Spread::of(self.pairs(base).map(|(a, b)| a.per_second() / b.per_second()))
    }

    pub(crate) fn p99_above(&self, base: &Self) -> Spread {
        Spread::of(self.pairs(base).map(|(a, b)| a.percentile_ms(99.0) - b.percentile_ms(99.0)))
    }

    fn pairs<'a>(&'a self, base: &'a Self) -> impl Iterator<Item = (&'a Round, &'a Round)> {
        self.0.iter().zip(&base.0)
    }
}

/// The middle of several values, and how far they lie apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Spread {
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        let median = match values.len() {
            0 => 0.0,
            even if even % 2 == 0 => f64::midpoint(values[middle - 1], values[middle]),
            _ => values[middle],
        };
        Self {
            median,
            low: values.first().copied().unwrap_or(0.0),
            high: values.last().copied().unwrap_or(0.0),
        }
    }
}

fn percentile_ms(mut took: Vec<Duration>, percent: f64) -> f64 {
    if took.is_empty() {
        return 0.0;
    }
    let rank = (percent / 100.0 * took.len() as f64).ceil() as usize;
    let place = rank.clamp(1, took.len()) - 1;
    took.select_nth_unstable(place).1.as_secs_f64() * 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_a_value_that_was_seen() {
        let took = (1..=100).rev().map(Duration::from_millis).collect::<Vec<_>>();
        assert_eq!(percentile_ms(took.clone(), 50.0), 50.0);
        assert_eq!(percentile_ms(took.clone(), 99.0), 99.0);
        assert_eq!(percentile_ms(took, 100.0), 100.0);
    }

    #[test]
    fn the_median_lies_between_the_ends() {
        let spread = Spread::of([3.0, 1.0, 2.0, 10.0].into_iter());
        assert_eq!((spread.low, spread.median, spread.high), (1.0, 2.5, 10.0));
    }
}
