//! The formulas, chosen so that rounding does not pile up and nothing becomes infinite on the way.

/// A sum that keeps what each addition rounds off (Neumaier's variant of Kahan's).
pub(super) fn sum(numbers: &[f64]) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    for &x in numbers {
        let next = sum + x;
        lost += if sum.abs() >= x.abs() { (sum - next) + x } else { (x - next) + sum };
        sum = next;
    }
    sum + lost
}

/// Mean and sum of squared distances from it, in one pass (Welford).
pub(super) fn mean_and_spread(numbers: &[f64]) -> (f64, f64) {
    let (mut mean, mut spread) = (0.0_f64, 0.0_f64);
    for (index, &x) in numbers.iter().enumerate() {
        let delta = x - mean;
        mean += delta / (index + 1) as f64;
        spread += delta * (x - mean);
    }
    (mean, spread)
}

/// The value below which `percent` of the sorted numbers lie, interpolated between neighbours.
pub(super) fn percentile(sorted: &[f64], percent: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let place = percent / 100.0 * last as f64;
    let below = (place.floor() as usize).min(last);
    let above = (below + 1).min(last);
    let share = place - below as f64;
    let (low, high) = (sorted.get(below).copied().unwrap_or(0.0), sorted.get(above).copied().unwrap_or(0.0));
    // Not `low + (high - low) * share`: the difference of two finite doubles may be infinite.
    if share == 0.0 { low } else { low * (1.0 - share) + high * share }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bin {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) count: u64,
}

/// Bins of equal width. Each holds its lower end but not its upper one; the last holds both.
pub(super) fn histogram(sorted: &[f64], bins: usize) -> Vec<Bin> {
    let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
        return Vec::new();
    };
    let width = max / bins as f64 - min / bins as f64;
    // Equal numbers, or so close that bins between them could not be told apart.
    if bins <= 1 || min + width <= min {
        return vec![Bin { from: min, to: max, count: sorted.len() as u64 }];
    }
    let edge = |index: usize| {
        if index >= bins { max } else { (min + width * index as f64).min(max) }
    };
    let mut start = 0;
    (0..bins)
        .map(|index| {
            let rest = sorted.get(start..).unwrap_or_default();
            let count =
                if index + 1 == bins { rest.len() } else { rest.partition_point(|&x| x < edge(index + 1)) };
            start += count;
            Bin { from: edge(index), to: edge(index + 1), count: count as u64 }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_not_lost_beside_large_ones() {
        assert_eq!(sum(&[1e100, 1.0, -1e100, 1.0]), 2.0);
        assert_eq!(sum(&vec![0.1; 1_000_000]), 100_000.0);
    }

    #[test]
    fn the_spread_of_nearly_equal_large_numbers_is_not_noise() {
        let (mean, spread) = mean_and_spread(&[1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0]);
        assert_eq!((mean, spread), (1e9 + 10.0, 90.0));
    }

    #[test]
    fn percentiles_interpolate() {
        let sorted = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(percentile(&sorted, 0.0), 1.0);
        assert_eq!(percentile(&sorted, 50.0), 2.5);
        assert_eq!(percentile(&sorted, 100.0), 4.0);
        assert_eq!(percentile(&[-1e308, 1e308], 50.0), 0.0);
    }

    #[test]
    fn every_number_is_in_one_bin() {
        let bins = histogram(&[0.0, 1.0, 2.0, 3.0, 4.0, 10.0], 5);
        assert_eq!(bins.iter().map(|bin| bin.count).collect::<Vec<_>>(), [2, 2, 1, 0, 1]);
        assert_eq!((bins[0].from, bins[4].to), (0.0, 10.0));
        assert_eq!(histogram(&[5.0, 5.0], 10), [Bin { from: 5.0, to: 5.0, count: 2 }]);
        let wide = histogram(&[-1.7e308, 0.0, 1.7e308], 3);
        assert!(wide.iter().all(|bin| bin.from.is_finite() && bin.to.is_finite()));
    }
}
