//! A range for an unknown number of records.

use super::super::ranges::Ranges;
use super::*;
use crate::private::mechanism::range_search::UNIT;
use crate::private::noise::oracle;
use crate::{CellBlocks, Share};

type InUnits = RangeChoice<PrivacyUnits>;

/// A record: what it has left, and its cell.
type Record = (f64, u32);

/// Below the clip, above it, and above the budget from which on it weighs more.
const BUDGETS: [f64; 3] = [0.3, 0.9, 1.6];
const CELLS: u32 = 3;

/// All ranges of three cells, with these slacks.
fn range((outside, within): (f64, f64)) -> InUnits {
    let ends = (0..CELLS).flat_map(|first| (first..CELLS).map(move |last| (first, last)));
    let ranges = ends.map(|(first, last)| CellRange { first, last });
    let slacks = [outside, within].map(|slack| (slack * UNIT as f64) as u64);
    let search = RangeSearch::new(
        CellBlocks::single(CELLS - 1),
        Ranges::Each(ranges.collect()),
        slacks.into(),
    );
    let share = |part| Share::new(part).unwrap();
    let units = PrivacyUnits::new(share(0.5), Epsilon::new(0.7).unwrap()).unwrap();
    RangeChoice::in_units(units.or_above(share(0.8), 0.8), search)
}

/// All lists of up to two records, and some of three.
fn datasets() -> Vec<Vec<Record>> {
    let all = BUDGETS.iter().flat_map(|epsilon| (0..CELLS).map(move |cell| (*epsilon, cell)));
    let all: Vec<Record> = all.collect();
    let mut datasets = vec![vec![]];
    datasets.extend(all.iter().map(|record| vec![*record]));
    let pairs = all.iter().flat_map(|one| all.iter().map(move |other| vec![*one, *other]));
    datasets.extend(pairs);
    let more = datasets.iter().skip(1).step_by(3);
    let more = more.map(|some| [some.clone(), vec![(1.6, 0), (0.9, 2)]].concat());
    let more: Vec<_> = more.collect();
    datasets.extend(more);
    datasets
}

/// Returns the distribution of the answer with noise times `change`: from the distances of the
/// mechanism itself, and the definition of permute-and-flip.
fn distribution(range: &InUnits, dataset: &[Record], change: f64) -> Vec<f64> {
    let cells: Vec<(Epsilon, CellCounts)> = dataset
        .iter()
        .map(|(left, cell)| (Epsilon::new(*left).unwrap(), CellCounts::from_raw(vec![(*cell, 1)])))
        .collect();
    let cells: Vec<(Epsilon, &CellCounts)> =
        cells.iter().map(|(left, cells)| (*left, cells)).collect();
    let ranks = Ranks::weighted(range.search.steps(), &range.weights, &cells);
    let ranges = range.search.ranges();
    let distances = range.search.distances::<UBig>(&ranges, &ranks, &range.scale).unwrap();
    let unit = range.scale.to_f64().value() * UNIT as f64;
    let distances: Vec<f64> =
        distances.iter().map(|distance| distance.to_f64().value() / unit).collect();
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let accepted = distances.iter().map(|d| (-(d - least) / 2.0 / change).exp());
    oracle::permute_and_flip(&accepted.collect::<Vec<_>>())
}

/// Returns the loss between two distributions of answers, over the loss certified for a record
/// of this budget.
fn ratio(range: &InUnits, one: &[f64], other: &[f64], left: f64) -> f64 {
    let told = one.iter().zip(other).map(|(p, q)| (p / q).ln().abs()).fold(0.0, f64::max);
    let Loss::Finite(loss) = range.loss(Epsilon::new(left).unwrap()) else {
        panic!("nobody's loss is unlimited")
    };
    told / loss.to_f64().value()
}

/// The largest ratio for a record that joins, and for one that has another value.
fn worst(slacks: (f64, f64), change: f64) -> [f64; 2] {
    let range = range(slacks);
    let [mut joins, mut changes] = [0.0f64; 2];
    for others in datasets() {
        let without = distribution(&range, &others, change);
        for left in BUDGETS {
            let with = |cell| [others.clone(), vec![(left, cell)]].concat();
            let all = (0..CELLS).map(|cell| distribution(&range, &with(cell), change));
            let all: Vec<Vec<f64>> = all.collect();
            for one in &all {
                joins = joins.max(ratio(&range, &without, one, left));
                for other in &all {
                    changes = changes.max(ratio(&range, other, one, left));
                }
            }
        }
    }
    [joins, changes]
}

#[test]
#[ignore = "takes seconds"]
fn neither_presence_nor_a_value_reveals_more_than_the_loss() {
    for slacks in [(0.0, 0.4), (0.2, 0.6), (0.5, 1.5)] {
        let all = worst(slacks, 1.0);
        assert!(all.iter().all(|worst| *worst <= 1.0 + 1e-9), "{slacks:?}: {all:?}");
        // Half of the noise would reveal more.
        let less = worst(slacks, 0.5);
        assert!(less.iter().all(|worst| *worst > 1.0 + 1e-9), "{slacks:?}: {less:?}");
    }
}
