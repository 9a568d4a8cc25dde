//! Random samples: each record stays with the probability of its level, independently of all
//! others.

use suum::{Profile, Randomness};
use suum_experiments::published::{SampledSum, SamplingProbability};

use crate::people::epsilon_of;

const PROFILE: &str = "0:500,0.2:60000,0.5:60000,1:60000,2:700,inf:300";

#[test]
fn each_level_is_kept_with_its_probability() {
    let profile: Profile = PROFILE.parse().unwrap();
    let sum = SampledSum::new(&profile, epsilon_of(2.0), 1 << 30);
    let mut randomness = Randomness::insecure(3);
    for level in profile.levels() {
        let probability = sum.sampling_probability(level.epsilon);
        let kept = (0..level.count).filter(|_| probability.decide(&mut randomness)).count() as f64;
        let (count, epsilon) = (level.count as f64, level.epsilon.get());
        let p = if epsilon >= 2.0 { 1.0 } else { epsilon.exp_m1() / 2f64.exp_m1() };
        // Five standard deviations.
        let allowed = 5.0 * (count * p * (1.0 - p)).sqrt();
        assert!((kept - count * p).abs() <= allowed, "{epsilon}: {kept} of {count}");
    }
}

/// Independent decisions agree over any distance in half of the cases, give or take five standard
/// deviations.
#[test]
fn decisions_are_independent() {
    const RECORDS: usize = 1600;
    let (probability, mut randomness) = (SamplingProbability::ratio(1, 2), Randomness::insecure(7));
    let decisions: Vec<bool> = (0..RECORDS).map(|_| probability.decide(&mut randomness)).collect();
    for distance in 1..RECORDS / 2 {
        let same =
            (distance..RECORDS).filter(|record| decisions[*record] == decisions[record - distance]);
        let (same, pairs) = (same.count() as f64, (RECORDS - distance) as f64);
        assert!((same - pairs * 0.5).abs() < 5.0 * pairs.sqrt() / 2.0, "{same} of {pairs}");
    }
    let others: Vec<bool> = (0..RECORDS).map(|_| probability.decide(&mut randomness)).collect();
    assert_ne!(decisions, others, "another sample of one randomness is another");
    let mut again = Randomness::insecure(7);
    assert_eq!(decisions, (0..RECORDS).map(|_| probability.decide(&mut again)).collect::<Vec<_>>());
}

#[test]
fn budgets_nobody_planned_for_are_dropped() {
    let sum = SampledSum::new(&"0.5:3,1:2".parse().unwrap(), epsilon_of(1.0), 1 << 30);
    assert!(sum.sampling_probability(epsilon_of(1.0)).is_always());
    for unknown in [0.4, 0.7, 3.0] {
        assert_eq!(sum.sampling_probability(epsilon_of(unknown)), SamplingProbability::NEVER);
        assert_eq!(sum.loss(epsilon_of(unknown)), suum::Loss::ZERO);
    }
}

/// Records that are always kept lose the whole threshold, whatever it is: less would cost accuracy
/// that the plan promises.
#[test]
fn a_sample_spends_its_threshold() {
    let profile: Profile = "0.2:10,2:10,inf:10".parse().unwrap();
    for threshold in [0.01, 0.3, 1.5, 7.0, 30.0] {
        let sum = SampledSum::new(&profile, epsilon_of(threshold), 1 << 30);
        let spent = sum.loss(suum::Epsilon::PUBLIC).rounded_up();
        assert!((threshold / spent - 1.0).abs() < 1e-6, "{threshold}: {spent}");
    }
}
