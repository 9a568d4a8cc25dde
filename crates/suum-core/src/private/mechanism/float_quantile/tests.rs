//! Draws against the definition, with all values and weights known.

use super::*;
use crate::{FloatOrder, MemoryRecords, Share};
use proptest::prelude::*;

fn units(clip: u32) -> PrivacyUnits {
    PrivacyUnits::new(Share::ALL, Epsilon::new(f64::from(clip)).unwrap()).unwrap()
}

/// The probability of a place in each part between `cuts`, by the definition, with all values
/// and weights known.
fn parts(values: &[(Epsilon, f64)], rank: Rank, neighbors: Neighbors, cuts: &[f64]) -> Vec<f64> {
    let delta = match neighbors {
        Neighbors::ReplaceOne | Neighbors::Both => 1.0,
        Neighbors::AddRemove => rank.get().max(1.0 - rank.get()),
    };
    let total: f64 = values.iter().map(|(budget, _)| budget.get()).sum();
    let mut ends: Vec<u64> = values
        .iter()
        .flat_map(|(_, value)| [FloatOrder::key(*value), FloatOrder::key(*value) + 1])
        .collect();
    ends.extend(cuts.iter().map(|cut| FloatOrder::key(*cut)));
    for range in FloatOrder::candidates(Key::Value) {
        ends.extend([range.start, range.end]);
    }
    ends.sort_unstable();
    ends.dedup();
    let mut masses = vec![0.0; cuts.len() + 1];
    for pair in ends.windows(2) {
        if !FloatOrder::candidates(Key::Value).iter().any(|range| range.contains(&pair[0])) {
            continue;
        }
        let below: f64 = values
            .iter()
            .filter(|(_, value)| FloatOrder::key(*value) < pair[0])
            .map(|(b, _)| b.get())
            .sum();
        let upto: f64 = values
            .iter()
            .filter(|(_, value)| FloatOrder::key(*value) <= pair[0])
            .map(|(b, _)| b.get())
            .sum();
        let target = rank.get() * total;
        let distance = (below - target).max(target - upto).max(0.0);
        let part = cuts.partition_point(|cut| FloatOrder::key(*cut) <= pair[0]);
        masses[part] += (pair[1] - pair[0]) as f64 * (-distance / (2.0 * delta)).exp();
    }
    let sum: f64 = masses.iter().sum();
    masses.into_iter().map(|mass| mass / sum).collect()
}

/// χ² of 800 draws against the probabilities of `assumed` records.
fn chi2(
    records: &[(Epsilon, f64)],
    assumed: &[(Epsilon, f64)],
    rank: Rank,
    neighbors: Neighbors,
    cuts: &[f64],
) -> f64 {
    let choice = FloatQuantile::new(units(1 << 10), rank, neighbors);
    let mut source = MemoryRecords::new(records.to_vec()).unwrap();
    let mut randomness = Randomness::insecure(7);
    let mut counts = vec![0.0; cuts.len() + 1];
    for _ in 0..800 {
        let key = choice.choose(&mut source, Key::Value, &mut randomness).unwrap();
        counts[cuts.partition_point(|cut| FloatOrder::key(*cut) <= key)] += 1.0;
    }
    let expected = parts(assumed, rank, neighbors, cuts);
    counts
        .iter()
        .zip(expected)
        .filter(|(_, p)| *p > 1e-9)
        .map(|(c, p)| (c - 800.0 * p).powi(2) / (800.0 * p))
        .sum()
}

fn records(budget: f64) -> Vec<(Epsilon, f64)> {
    // Ties, both signs, a wide and a narrow part; and a budget of its own for a third of them.
    let values = (0..36).map(|i| {
        [7.0, 7.0, -3.0, 7.0 + f64::from(i) * 1e-3, f64::from(i) * 40.0, 0.0][i as usize % 6]
    });
    values
        .enumerate()
        .map(|(i, value)| (Epsilon::new(if i % 3 == 0 { budget } else { 1.0 }).unwrap(), value))
        .collect()
}

const CUTS_BETWEEN: [f64; 6] = [-3.0, 0.0, 1.0, 7.0, 7.03, 300.0];

#[test]
#[ignore = "takes seconds"]
fn draws_follow_the_definition() {
    for (rank, neighbors) in [
        (Rank::MEDIAN, Neighbors::ReplaceOne),
        (Rank::MEDIAN, Neighbors::AddRemove),
        ("0.9".parse().unwrap(), Neighbors::ReplaceOne),
        ("0.75".parse().unwrap(), Neighbors::AddRemove),
    ] {
        let value = chi2(&records(2.0), &records(2.0), rank, neighbors, &CUTS_BETWEEN);
        // 6 degrees of freedom: P(χ² > 30) = 4e-5 for each.
        assert!(value < 30.0, "{rank}, {neighbors:?}: χ² = {value}");
    }
}

#[test]
#[ignore = "takes seconds"]
fn other_weights_are_told_apart() {
    for neighbors in [Neighbors::ReplaceOne, Neighbors::AddRemove] {
        let value = chi2(&records(2.0), &records(0.3), Rank::MEDIAN, neighbors, &CUTS_BETWEEN);
        assert!(value > 30.0, "{neighbors:?}: χ² = {value}");
    }
}

#[test]
fn one_candidate_among_very_many_is_found() {
    // All records at one place: it is a single key, 2^-60 of all candidates, at the distance
    // 300 from the others.
    let people = vec![(Epsilon::new(2.0).unwrap(), 1234.5); 300];
    let choice = FloatQuantile::new(units(8), Rank::MEDIAN, Neighbors::ReplaceOne);
    let mut source = MemoryRecords::new(people).unwrap();
    let key = choice.choose(&mut source, Key::Value, &mut Randomness::insecure(1)).unwrap();
    assert_eq!(FloatOrder::value(key), 1234.5);
}

proptest! {
    // The definition itself keeps the promise: no part of the candidates becomes likelier by
    // more than e^W.
    #[test]
    fn one_record_changes_no_probability_by_more_than_its_weight(
        values in prop::collection::vec((0usize..3, -3..4i32), 1..9),
        other in -3..4i32,
        rank in 1u64..8,
    ) {
        let budgets = [0.3, 0.9, 2.5].map(|budget| Epsilon::new(budget).unwrap());
        let rank = Rank::new(rank, 8).unwrap();
        let people: Vec<_> =
            values.iter().map(|(level, value)| (budgets[*level], f64::from(*value))).collect();
        let mut replaced = people.clone();
        replaced[0].1 = f64::from(other);
        let cuts: Vec<f64> =
            (-3..4).flat_map(|cut| [f64::from(cut), f64::from(cut).next_up()]).collect();
        for (neighbor, relation) in [
            (&replaced[..], Neighbors::ReplaceOne),
            (&people[1..], Neighbors::AddRemove),
            (&replaced[..], Neighbors::Both),
            (&people[1..], Neighbors::Both),
        ] {
            let (before, after) =
                (parts(&people, rank, relation, &cuts), parts(neighbor, rank, relation, &cuts));
            for (before, after) in before.iter().zip(after).filter(|(before, _)| **before > 0.0)
            {
                prop_assert!((before / after).ln().abs() <= people[0].0.get() * (1.0 + 1e-9));
            }
        }
    }
}

#[test]
fn no_records_no_preference() {
    let choice = FloatQuantile::new(units(8), Rank::MEDIAN, Neighbors::AddRemove);
    let mut source = MemoryRecords::new(Vec::new()).unwrap();
    let mut randomness = Randomness::insecure(1);
    let negative = (0..400)
        .filter(|_| {
            choice.choose(&mut source, Key::Value, &mut randomness).unwrap() < FloatOrder::key(0.0)
        })
        .count();
    // Five standard deviations of 10.
    assert!((150..250).contains(&negative), "{negative}");
}
