//! The recursion by its definition, on domains small enough to go through everything.

use super::*;
use crate::CellCounts;
use crate::private::noise::oracle;

/// A dataset: for each record its weight and its candidate.
type Records = Vec<(u64, u32)>;

/// Rule that draws a position of a part: from acceptance probabilities to the distribution of the
/// position.
type Drawing = fn(&[f64]) -> Vec<f64>;

fn exponential(acceptance: &[f64]) -> Vec<f64> {
    let all: f64 = acceptance.iter().sum();
    acceptance.iter().map(|mass| mass / all).collect()
}

/// Ranks on few candidates, each of which is cut into `spread` parts.
struct Small {
    tree: RankTree,
    ranks: Vec<f64>,
    candidates: u32,
    /// b: the scale of the noise.
    scale: f64,
}

impl Small {
    fn new(ranks: &str, candidates: u32, spread: u64, scale: f64) -> Self {
        let ranks: Vec<Rank> = ranks.split(',').map(|rank| rank.parse().unwrap()).collect();
        let tree = RankTree { spread, ..RankTree::new(&ranks).unwrap() };
        let ranks = ranks.into_iter().map(Rank::get).collect();
        Self { tree, ranks, candidates, scale }
    }

    fn last(&self) -> u64 {
        u64::from(self.candidates) * self.tree.spread
    }

    /// The weight below a position, from the definition: each part of a cell counts one by one.
    fn below(&self, records: &Records, position: u64) -> f64 {
        let parts = |candidate: u32| {
            let first = u64::from(candidate) * self.tree.spread;
            (first..first + self.tree.spread).filter(|part| *part < position).count()
        };
        let weigh = |(weight, candidate): &(u64, u32)| {
            *weight as f64 * parts(*candidate) as f64 / self.tree.spread as f64
        };
        records.iter().map(weigh).sum()
    }

    /// The probability of every list of positions, one for each rank from the least to the
    /// largest, with scores divided by 2·cost·b.
    fn distribution(&self, records: &Records, cost: f64, draw: Drawing) -> Vec<(Vec<u64>, f64)> {
        let mut order: Vec<usize> = (0..self.ranks.len()).collect();
        order.sort_by(|one, other| self.ranks[*one].total_cmp(&self.ranks[*other]));
        let sorted: Vec<f64> = order.iter().map(|at| self.ranks[*at]).collect();
        self.between(records, &sorted, (0.0, 1.0), (0, self.last()), &|acceptance| {
            draw(
                &acceptance
                    .iter()
                    .map(|score| (-score / (2.0 * cost * self.scale)).exp())
                    .collect::<Vec<_>>(),
            )
        })
    }

    fn between(
        &self,
        records: &Records,
        ranks: &[f64],
        (low, high): (f64, f64),
        (from, to): (u64, u64),
        draw: &dyn Fn(&[f64]) -> Vec<f64>,
    ) -> Vec<(Vec<u64>, f64)> {
        if ranks.is_empty() {
            return vec![(Vec::new(), 1.0)];
        }
        let fraction = |rank: f64| (rank - low) / (high - low);
        let half = ranks.len() / 2;
        let off = |at: usize| (fraction(ranks[at]) - 0.5).abs();
        let even = ranks.len().is_multiple_of(2);
        let middle = if even && off(half - 1) <= off(half) + 1e-12 { half - 1 } else { half };
        let f = fraction(ranks[middle]);
        let (least, most) = (self.below(records, from), self.below(records, to));
        let score = |position: u64| {
            let below = self.below(records, position);
            ((1.0 - f) * (below - least) - f * (most - below)).abs()
        };
        let drawn = draw(&(from..=to).map(score).collect::<Vec<_>>());
        let mut all = Vec::new();
        for (position, probability) in (from..=to).zip(drawn) {
            let part = |ranks: &[f64], of, ends| self.between(records, ranks, of, ends, draw);
            let lower = part(&ranks[..middle], (low, ranks[middle]), (from, position));
            let upper = part(&ranks[middle + 1..], (ranks[middle], high), (position, to));
            for (one, p) in &lower {
                for (other, q) in &upper {
                    let positions = [&one[..], &[position], &other[..]].concat();
                    all.push((positions, probability * p * q));
                }
            }
        }
        all
    }

    /// The largest ratio of what replacing (or, with `presence`, adding or removing) the first
    /// record reveals to W/b, where scores are divided by 2·`change`·cost·b, over all datasets.
    fn worst(&self, weights: &[u64], presence: bool, change: f64, draw: Drawing) -> f64 {
        let cost = if presence { self.tree.cost_of_presence() } else { self.tree.cost() };
        let cost = change * cost as f64 / RankTree::UNIT as f64;
        let of = |records: &Records| self.distribution(records, cost, draw);
        let others = weights[1..].iter().fold(vec![vec![]], |all: Vec<Records>, weight| {
            let longer = |records: &Records| {
                let records = records.clone();
                (0..self.candidates).map(move |at| [records.clone(), vec![(*weight, at)]].concat())
            };
            all.iter().flat_map(longer).collect()
        });
        let loss = weights[0] as f64 / self.scale;
        let mut worst = 0.0f64;
        for others in others {
            let with = |at| of(&[vec![(weights[0], at)], others.clone()].concat());
            let mut all: Vec<_> = (0..self.candidates).map(with).collect();
            let pairs: Vec<(usize, usize)> = if presence {
                all.push(of(&others));
                (0..all.len() - 1).map(|one| (one, all.len() - 1)).collect()
            } else {
                (0..all.len()).flat_map(|one| (0..one).map(move |other| (one, other))).collect()
            };
            for (one, other) in pairs {
                for ((same, p), (positions, q)) in all[one].iter().zip(&all[other]) {
                    assert_eq!(same, positions);
                    worst = worst.max((p / q).ln().abs() / loss);
                }
            }
        }
        worst
    }
}

/// Ranks, candidates, parts of a cell, the scale, and the weights of the records: the first
/// changes.
type Domain = (&'static str, u32, u64, f64, &'static [u64]);

/// Cells are cut, so that records lie in two parts or more; few records leave parts empty.
const DOMAINS: [Domain; 7] = [
    ("0.5,0.25,0.75", 3, 2, 3.0, &[2]),
    ("0.5,0.25,0.75", 3, 2, 3.0, &[2, 1]),
    ("0.333333333,0.666666667", 4, 2, 2.0, &[3, 1, 2]),
    ("0.1,0.5,0.6", 4, 1, 5.0, &[5, 5, 2]),
    ("0.9,0.95", 3, 3, 40.0, &[1, 30, 7]),
    ("0.2,0.4,0.6,0.8", 2, 2, 1.0, &[1, 1]),
    ("0.02,0.03,0.04", 4, 1, 60.0, &[9, 50, 50]),
];

#[test]
fn no_change_of_a_record_reveals_more_than_its_loss() {
    for (ranks, candidates, spread, scale, weights) in DOMAINS {
        let small = Small::new(ranks, candidates, spread, scale);
        for draw in [exponential as Drawing, oracle::permute_and_flip] {
            // Permute-and-flip goes through all orders: of few positions only.
            if draw(&[1.0, 0.5]) != exponential(&[1.0, 0.5]) && small.last() > 6 {
                continue;
            }
            for presence in [false, true] {
                let worst = small.worst(weights, presence, 1.0, draw);
                assert!(worst <= 1.0 + 1e-9, "{ranks} {weights:?} {presence}: {worst}");
            }
        }
    }
}

/// Scores divided by half of the cost reveal more: no half of it would do.
#[test]
fn less_than_the_cost_reveals_more() {
    for presence in [false, true] {
        let small = Small::new("0.5,0.25,0.75", 6, 1, 1.0);
        let worst = small.worst(&[1, 3, 1], presence, 0.5, exponential);
        let kept = small.worst(&[1, 3, 1], presence, 1.0, exponential);
        assert!(worst > 1.1 && kept <= 1.0, "{presence}: {worst}, {kept}");
    }
}

/// The cost is the largest sum over pairs of ways, here by going through all pairs.
#[test]
fn costs_are_those_of_the_dearest_ways() {
    for m in 1..40u64 {
        let ranks: Vec<Rank> = (1..=m).map(|of| Rank::new(of * of, m * m + 3).unwrap()).collect();
        let tree = RankTree::new(&ranks).unwrap();
        // A way is the list of nodes from the root on.
        let mut ways: Vec<Vec<usize>> = vec![vec![0]];
        let mut at = 0;
        while at < ways.len() {
            let way = ways[at].clone();
            let last = &tree.nodes[way[way.len() - 1]];
            ways.extend(last.parts.iter().flatten().map(|part| [&way[..], &[*part]].concat()));
            at += 1;
        }
        let sides = |way: &[usize]| -> f64 {
            let side = |node: &usize| {
                let (numerator, denominator) = &tree.nodes[*node].fraction;
                let f = numerator.to_f64().value() / denominator.to_f64().value();
                f.max(1.0 - f)
            };
            way.iter().map(side).sum()
        };
        let cost = |one: &Vec<usize>, other: &Vec<usize>| {
            let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
            same as f64 + sides(&one[same..]) + sides(&other[same..])
        };
        let unit = RankTree::UNIT as f64;
        let pairs = ways.iter().flat_map(|one| ways.iter().map(move |other| cost(one, other)));
        let (dearest, own) = (pairs.fold(0.0, f64::max), tree.cost() as f64 / unit);
        assert!(own >= dearest - 1e-12 && own <= dearest + 1e-7, "{m}: {own} {dearest}");
        let longest = ways.iter().map(|way| sides(way)).fold(0.0, f64::max);
        let presence = tree.cost_of_presence() as f64 / unit;
        assert!(presence >= longest - 1e-12 && presence <= longest + 1e-7, "{m}");
        assert!(presence <= own, "a change of value costs no less than that of presence");
    }
}

#[test]
fn a_tree_is_a_function_of_the_ranks_alone() {
    let rank = |of: u64| Rank::new(of, 10).unwrap();
    let tree = RankTree::new(&[rank(9), rank(5), rank(1), rank(3)]).unwrap();
    // Of 0.3 and 0.5 the second is nearer to half, and 0.3 is nearer to half of that than 0.1.
    let asked: Vec<usize> = tree.nodes().iter().map(|node| node.asked).collect();
    assert_eq!(asked, [1, 3, 2, 0]);
    assert!(RankTree::new(&[rank(1), rank(1)]).is_err());
}

/// χ² of so many draws against the definition at `assumed` times the cost, and its degrees of
/// freedom.
fn chi2(small: &Small, records: &Records, assumed: f64, seed: u64) -> (f64, f64) {
    const DRAWS: u32 = 20_000;
    let cells: Vec<(UBig, CellCounts)> = records
        .iter()
        .map(|(weight, at)| (UBig::from(*weight), CellCounts::from_raw(vec![(*at, 1)])))
        .collect();
    let weighted = cells.iter().map(|(weight, cells)| (weight, cells));
    let ranks = Ranks::new(small.candidates - 1, weighted);
    let scale = UBig::from(2 * small.scale as u64) * UBig::from(small.tree.cost());
    let mut randomness = Randomness::insecure(seed);
    let mut counts = std::collections::HashMap::new();
    for _ in 0..DRAWS {
        let positions =
            small.tree.positions(&ranks, &UBig::from(RankTree::UNIT), &scale, &mut randomness);
        let mut sorted = positions.clone();
        sorted.sort_unstable();
        *counts.entry(sorted).or_insert(0u32) += 1;
    }
    let cost = assumed * small.tree.cost() as f64 / RankTree::UNIT as f64;
    // What is rare is counted together.
    let (mut value, mut cells, mut rare) = (0.0, 0.0, (0.0, 0.0));
    let mut together = std::collections::HashMap::new();
    for (positions, p) in small.distribution(records, cost, exponential) {
        *together.entry(positions).or_insert(0.0) += p;
    }
    let mut add = |count: f64, expected: f64| {
        value += (count - expected).powi(2) / expected;
        cells += 1.0;
    };
    for (positions, p) in together {
        let count = f64::from(counts.get(&positions).copied().unwrap_or(0));
        let expected = p * f64::from(DRAWS);
        if expected < 10.0 {
            rare = (rare.0 + count, rare.1 + expected);
        } else {
            add(count, expected);
        }
    }
    if rare.1 > 1.0 {
        add(rare.0, rare.1);
    }
    (value, cells - 1.0)
}

/// Draws follow the definition, and draws with other noise are told apart from it.
#[test]
#[ignore = "takes seconds"]
fn draws_follow_the_definition() {
    let cases: [(Small, Records); 3] = [
        (Small::new("0.5,0.25", 3, 2, 1.0), vec![(1, 0), (2, 1), (1, 2)]),
        (Small::new("0.333333333,0.666666667", 4, 2, 2.0), vec![(5, 1), (5, 1), (2, 3)]),
        (Small::new("0.9,0.95", 5, 3, 1.0), vec![(2, 0), (9, 4)]),
    ];
    for (seed, (small, records)) in (1..).zip(&cases) {
        let limit = |freedom: f64| freedom + 5.0 * (2.0 * freedom).sqrt();
        let (value, freedom) = chi2(small, records, 1.0, seed);
        assert!(value < limit(freedom), "{records:?}: χ² = {value}, {freedom}");
        for off in [0.7, 1.4] {
            let (value, freedom) = chi2(small, records, off, seed);
            assert!(value > limit(freedom), "{records:?} at {off}: χ² = {value}, {freedom}");
        }
    }
}

/// With public records only there is no noise: every position is one of the nearest.
#[test]
fn without_noise_the_fractions_are_exact() {
    let cells = CellCounts::from_raw(vec![(1, 40), (7, 60)]);
    let ranks = Ranks::new(9, [(&UBig::ONE, &cells)]);
    let asked: Vec<Rank> = (1..10).map(|tenth| Rank::new(tenth, 10).unwrap()).collect();
    let tree = RankTree::new(&asked).unwrap();
    let drawn = tree.draw(&ranks, &UBig::ONE, &UBig::ZERO, &mut Randomness::insecure(1));
    assert!(drawn[..3] == [1; 3] && drawn[4..] == [7; 5], "{drawn:?}");
    // The rank 0.4 is everywhere in the gap.
    assert!((1..=7).contains(&drawn[3]), "{drawn:?}");
}
