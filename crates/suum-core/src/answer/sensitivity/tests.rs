//! Laws of intervals for tiers that differ.

use proptest::prelude::*;

use super::*;

fn end(bias: f64) -> EndErrors {
    let noise = NoiseLaw::Laplace(vec![(0.02, 1.0)]);
    EndErrors { noise, sd: 0.06, fixed: 0.001, bias }
}

/// A mean of 2.84 between 0 and 77.
fn mean(tv: f64) -> Sensitivity {
    let published = Interval { confidence: 0.95, lower: 2.7, upper: 2.98 };
    let ends = Ends {
        published,
        confidence: 0.95,
        declared: 0.0,
        centre: 2.84,
        possible: Some([0.0, 77.0]),
        tiers_sd: 0.003,
        errors: [end(tv), end(tv)],
    };
    Sensitivity::from_ends(tv, 77.0, ends).unwrap()
}

#[test]
fn curve_starts_at_published_interval_and_grows_to_the_bounds() {
    let sensitivity = mean(0.46);
    let curve = sensitivity.curve();
    let differences: Vec<f64> = curve.iter().map(|point| point.difference).collect();
    assert_eq!(differences, [0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 77.0]);
    assert_eq!((curve[0].lower, curve[0].upper), (2.7, 2.98));
    for pair in curve.windows(2) {
        assert!(pair[1].lower <= pair[0].lower && pair[0].upper <= pair[1].upper, "{pair:?}");
    }
    let last = curve.last().unwrap();
    assert!(last.lower == 0.0 && last.upper < 77.0, "{last:?}");
    // Beyond noise it is the bias.
    let [lower, upper] = sensitivity.at(2.0);
    assert!(upper - 2.84 > 0.92 && upper - 2.84 < 0.92 + 0.2, "{lower} {upper}");
}

#[test]
fn breakdown_is_where_the_claim_fails() {
    let sensitivity = mean(0.46);
    let broken = sensitivity.breakdown(Claim::Above(2.5)).unwrap();
    assert!(sensitivity.at(broken * (1.0 - 1e-9))[0] > 2.5, "{broken}");
    assert!(sensitivity.at(broken * (1.0 + 1e-9))[0] <= 2.5, "{broken}");
    // About (2.84 − 2.5 − one-sided reach)/TV.
    assert!((0.45..0.65).contains(&broken), "{broken}");
    assert_eq!(sensitivity.breakdown(Claim::Above(2.7)), Some(0.0));
    assert_eq!(sensitivity.breakdown(Claim::Below(77.0)), Some(f64::INFINITY));
    assert_eq!(Sensitivity::from_rank(0.4, 0.4, 0.5, 0.0).breakdown(Claim::Above(0.1)), None);
}

#[test]
fn weights_that_are_equal_make_a_flat_curve() {
    let flat = mean(0.0);
    assert_eq!((flat.tv(), flat.curve().len()), (0.0, 2));
    assert_eq!(flat.at(77.0), [2.7, 2.98]);
}

#[test]
fn rank_moves_by_the_part_that_is_weighed_elsewhere() {
    let rank = Sensitivity::from_rank(0.4, 0.4, 0.9, 0.0);
    assert_eq!(rank.at(0.0), [0.9, 0.9]);
    assert_eq!(rank.at(0.5), [0.7, 1.0]);
    assert!(rank.is_of_rank() && rank.bias() == 0.4);
}

#[test]
fn biases_of_two_groups_add_up() {
    let interval = Interval { confidence: 0.95, lower: -0.2, upper: 0.2 };
    let of = |is_together: bool| {
        let (possible, sd) = (Some([-77.0, 77.0]), f64::hypot as fn(f64, f64) -> f64);
        let sd = is_together.then_some(sd);
        Sensitivity::from_difference(&mean(0.3), &mean(0.2), interval, possible, sd).unwrap()
    };
    let (together, apart) = (of(true), of(false));
    assert_eq!((together.tv(), together.bias(), apart.bias()), (0.5, 0.5, 0.5));
    for difference in [0.1, 1.0, 3.0] {
        let [lower, upper] = together.at(difference);
        assert!(upper >= 0.5 * difference && lower <= -0.5 * difference);
        let [low, high] = apart.at(difference);
        assert!(low <= lower && upper <= high, "{difference}");
    }
    assert_eq!(together.at(0.0), [-0.2, 0.2]);
    assert_eq!(apart.at(0.0), [-0.2, 0.2]);
    assert_eq!(apart.at(77.0)[0].max(-77.0), apart.at(77.0)[0]);
}

#[test]
fn what_is_written_is_read_again_and_agrees() {
    let interval = Interval { confidence: 0.95, lower: -0.2, upper: 0.2 };
    let all = [
        mean(0.46),
        mean(0.0),
        Sensitivity::from_rank(0.4, 0.4, 0.9, 0.0),
        Sensitivity::from_rank(0.4, 0.0, 0.9, 0.0),
        Sensitivity::from_difference(&mean(0.3), &mean(0.2), interval, None, None).unwrap(),
    ];
    for sensitivity in all {
        let record = SensitivityRecord::from(&sensitivity);
        let text = serde_json::to_string(&record).unwrap();
        let again: SensitivityRecord = serde_json::from_str(&text).unwrap();
        assert_eq!(again.read(), Some(sensitivity.clone()), "{text}");
        let [lower, upper] = sensitivity.at(0.0);
        assert_eq!(again.faults(Some((lower, upper)), None), Vec::<String>::new(), "{text}");
    }
    let record = SensitivityRecord::from(&mean(0.46));
    let text = serde_json::to_string(&record).unwrap();
    let forged = |from: &str, to: &str| {
        let text = text.replacen(from, to, 1);
        let record: SensitivityRecord = serde_json::from_str(&text).unwrap();
        record.faults(Some((2.7, 2.98)), Some(&[(100.0, 0.0), (100.0, 0.01)]))
    };
    assert_eq!(forged("0.46", "0.5"), Vec::<String>::new());
    assert_eq!(forged("\"tv\":0.46", "\"tv\":0.41").len(), 1);
    assert_eq!(forged("\"sd\":0.06", "\"sd\":0.01").len(), 2);
    assert_eq!(forged("\"lower\":2.7", "\"lower\":2.6").len(), 2 + 1);
}

/// Direct search over the corners of the means of tiers: all at either end of an interval.
fn largest_bias(shares: &[f64], weights: &[f64]) -> f64 {
    let corners = 0..1u32 << shares.len();
    let bias = |corner: u32| {
        let each = shares.iter().zip(weights).enumerate();
        let high = each.filter(|(at, _)| corner >> at & 1 == 1);
        high.map(|(_, (share, weight))| weight - share).sum::<f64>().abs()
    };
    corners.map(bias).fold(0.0, f64::max)
}

proptest! {
    /// TV is the largest bias of means in an interval of length 1, which is attained at corners.
    #[test]
    fn no_means_of_tiers_have_more_bias_than_tv(
        counts in prop::collection::vec(1.0f64..1000.0, 2..8),
        parts in prop::collection::vec(0.0f64..1.0, 8),
        means in prop::collection::vec(0.0f64..1.0, 8),
    ) {
        let records: f64 = counts.iter().sum();
        let whole: f64 = parts[..counts.len()].iter().sum::<f64>() + 1e-9;
        let shares: Vec<f64> = counts.iter().map(|count| count / records).collect();
        let least = 1e-9 / counts.len() as f64;
        let weights = parts[..counts.len()].iter().map(|part| (part + least) / whole);
        let weights: Vec<f64> = weights.collect();
        let tv: f64 = shares.iter().zip(&weights).map(|(p, w)| (p - w).max(0.0)).sum();
        prop_assert!((largest_bias(&shares, &weights) - tv).abs() < 1e-9);
        let each = shares.iter().zip(&weights).zip(&means);
        let bias: f64 = each.map(|((share, weight), mean)| (weight - share) * mean).sum();
        prop_assert!(bias.abs() <= tv + 1e-9);
    }
}
