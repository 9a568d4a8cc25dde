//! Histogram of an unknown number of records.

use super::*;
use crate::private::mechanism::refinement::{FINE, scale_of_look};
use crate::{Rho, Share};

type InUnits = RefinedCounts<PrivacyUnits>;

const STEPS: u32 = 3;
const RELATIONS: [Neighbors; 2] = [Neighbors::AddRemove, Neighbors::Both];

/// One record: its budget, and the candidates of its rows.
type Record = (f64, Vec<u32>);

fn counts(rows: u32, neighbors: Neighbors) -> InUnits {
    let units = PrivacyUnits::new(Share::new(0.7).unwrap(), Epsilon::new(0.9).unwrap());
    let refinement = Refinement { start: 2, looks: 2, parts: 7000, heavy: 1 << 30 };
    RefinedCounts::in_units(units.unwrap(), (STEPS, rows), refinement, 10, neighbors)
}

/// All values of a record with so many rows, and all ways to cut the candidates into cells.
fn values(rows: u32) -> Vec<Vec<u32>> {
    let all = || 0..=STEPS;
    match rows {
        1 => all().map(|one| vec![one]).collect(),
        _ => all().flat_map(|one| all().map(move |two| vec![one, two])).collect(),
    }
}

fn cuts() -> impl Iterator<Item = Vec<u32>> {
    let inner = |set: u32| (1..=STEPS).filter(move |cut| set >> (cut - 1) & 1 == 1);
    (0..1 << STEPS).map(move |set| [vec![0], inner(set).collect(), vec![STEPS + 1]].concat())
}

/// Returns the loss of each cell in a look, |A_c − A'_c|/b, and the scale b.
fn revealed_by_cells(
    counts: &InUnits,
    [one, other]: [&[Record]; 2],
    (cuts, parts): (&[u32], u64),
) -> (Vec<RBig>, UBig) {
    let ranks = |records: &[Record]| {
        let of = |(epsilon, rows): &Record| {
            let cells = CellCounts::from_raw(rows.iter().map(|row| (*row, 1)).collect());
            (Epsilon::new(*epsilon).unwrap(), cells)
        };
        let cells: Vec<(Epsilon, CellCounts)> = records.iter().map(of).collect();
        let cells: Vec<_> = cells.iter().map(|(epsilon, cells)| (*epsilon, cells)).collect();
        Ranks::weighted(STEPS, &counts.weights, &cells)
    };
    let (one, other) = (ranks(one), ranks(other));
    let cell = |cell: &[u32]| {
        let [one, other] = [&one, &other].map(|ranks| ranks.between(cell[0], cell[1]));
        IBig::from(one) - IBig::from(other)
    };
    let scale = scale_of_look(counts.scale(), counts.rows, parts);
    let part =
        |cut: &[u32]| RBig::from_parts((cell(cut).into_parts().1 << FINE).into(), scale.clone());
    (cuts.windows(2).map(part).collect(), scale)
}

/// Returns the loss of all cells in a look together, Σ|A_c − A'_c|/b.
fn revealed(counts: &InUnits, records: [&[Record]; 2], look: (&[u32], u64)) -> RBig {
    let (cells, _) = revealed_by_cells(counts, records, look);
    cells.into_iter().fold(RBig::ZERO, |sum, cell| sum + cell)
}

/// The ρ of all cells of all looks, each with its own noise, whatever earlier answers made the
/// cells of the next look: never more than that of the whole loss at the scale that is listed.
#[test]
fn all_looks_together_have_at_most_the_rho_that_is_listed() {
    for (rows, neighbors) in [1, 2].into_iter().flat_map(|rows| RELATIONS.map(|n| (rows, n))) {
        let counts = counts(rows, neighbors);
        let looks = [7000, 7000, Refinement::PARTS - 14_000];
        for epsilon in [0.3, 2.0] {
            let loss = counts.loss(Epsilon::new(epsilon).unwrap());
            let Rho::Finite(listed) = Rho::for_laplace(&loss, counts.scale()) else { panic!() };
            let mut most = 0;
            let others = values(rows).into_iter().map(|other| vec![(epsilon, other)]);
            let others: Vec<Vec<Record>> = match neighbors {
                Neighbors::Both => others.chain([vec![]]).collect(),
                _ => vec![vec![]],
            };
            for (value, other) in
                values(rows).into_iter().flat_map(|v| others.iter().map(move |o| (v.clone(), o)))
            {
                let record = vec![(epsilon, value)];
                let rho = |cuts: Vec<u32>, parts: u64| {
                    let (cells, scale) =
                        revealed_by_cells(&counts, [&record, other], (&cuts, parts));
                    let of_cell = |cell| Rho::for_laplace(&Loss::Finite(cell), &scale);
                    match cells.into_iter().map(of_cell).fold(Rho::ZERO, Rho::plus) {
                        Rho::Finite(units) => units,
                        Rho::Unlimited => panic!("noise has a scale"),
                    }
                };
                // The worst cells that earlier answers can lead to, in every look.
                let worst = |parts| cuts().map(|cuts| rho(cuts, parts)).max().unwrap();
                let all: u64 = looks.into_iter().map(worst).sum();
                assert!(all <= listed, "{neighbors:?} {rows} {epsilon}: {all} > {listed}");
                most = most.max(all);
            }
            // Squares of the shares are 0.64 together, which is as near as looks come; of that
            // a change has half, for it moves two cells.
            assert!(most > listed / 4, "{neighbors:?} {rows} {epsilon}: {most} {listed}");
        }
    }
}

/// P(look | weights A) ∝ exp(−Σ|x_c − A_c|/b), so the largest ratio of two of them is
/// exp(Σ|A_c − A'_c|/b). For whoever joins some data, and with `both` for every other value,
/// that is never more than the part of the certified loss that the look has, and all but
/// rounding for some of them. With add-remove neighbours another value can cost twice as much.
#[test]
fn a_look_costs_its_part_of_what_is_certified() {
    for (rows, neighbors) in [1, 2].into_iter().flat_map(|rows| RELATIONS.map(|n| (rows, n))) {
        let counts = counts(rows, neighbors);
        let others: Vec<Vec<Record>> =
            [vec![], vec![(0.4, values(rows).pop().unwrap())], vec![(5.0, vec![1; 2])]].into();
        let (mut joined, mut changed) = (RBig::ZERO, RBig::ZERO);
        for epsilon in [0.0, 0.3, 2.0, f64::INFINITY] {
            let Loss::Finite(loss) = counts.loss(Epsilon::new(epsilon).unwrap()) else {
                panic!("nobody's loss is unlimited")
            };
            for (cuts, parts) in
                cuts().flat_map(|cuts| [1, 7000, 65_536].map(|p| (cuts.clone(), p)))
            {
                let part = &loss * RBig::from_parts(parts.into(), Refinement::PARTS.into());
                for (others, value) in
                    others.iter().flat_map(|o| values(rows).into_iter().map(move |v| (o, v)))
                {
                    let with = |value| [others.clone(), vec![(epsilon, value)]].concat();
                    let told = |other: &[Record]| {
                        revealed(&counts, [&with(value.clone()), other], (&cuts, parts))
                    };
                    let join = told(others);
                    assert!(join <= part, "{neighbors:?} {rows} {epsilon} {cuts:?}");
                    let change =
                        values(rows).into_iter().map(|value| told(&with(value))).max().unwrap();
                    if neighbors == Neighbors::Both {
                        assert!(change <= part, "{rows} {epsilon} {cuts:?}");
                    }
                    if loss != RBig::ZERO {
                        joined = joined.max(join / &part);
                        changed = changed.max(change / &part);
                    }
                }
            }
        }
        let about = |number: RBig, times: f64| (number.to_f64().value() / times - 1.0).abs() < 1e-9;
        let (join, change) = if neighbors == Neighbors::Both { (0.5, 1.0) } else { (1.0, 2.0) };
        assert!(
            about(joined.clone(), join) && about(changed.clone(), change),
            "{joined} {changed}"
        );
    }
}

/// Σ|Z|/b over 8000 draws: a discrete Laplace of a huge scale b has mean |Z| = b and variance
/// b². Five standard errors: a false alarm in a million runs. A tenth more or less would be
/// seen.
#[test]
fn every_cell_has_noise_of_the_scale_that_is_listed() {
    for neighbors in RELATIONS {
        let rule = Refinement { start: 2, looks: 0, parts: 0, heavy: 0 };
        let counts = InUnits { refinement: rule, ..counts(3, neighbors) };
        let unit = (counts.scale() * UBig::from(3u32)) << FINE;
        let mut randomness = Randomness::insecure(3);
        let mut sum = 0.0;
        for _ in 0..4000 {
            let seen = counts.release(&[], &mut randomness);
            assert_eq!((seen.cuts.as_slice(), &seen.scale), ([0, 2, 4].as_slice(), &unit));
            let sizes = seen.weights.iter().map(|weight| weight.to_f64().value().abs());
            sum += sizes.sum::<f64>() / unit.to_f64().value() / 8000.0;
        }
        assert!((sum - 1.0).abs() < 5.0 / 8000f64.sqrt(), "{neighbors:?}: {sum}");
    }
}

/// A cell is divided that has the share of all weight that the rule says, of what all are
/// thought to weigh.
#[test]
fn cells_become_fine_where_the_weight_is() {
    let units = PrivacyUnits::new(Share::ALL, Epsilon::new(1.0).unwrap()).unwrap();
    let refinement = Refinement { start: 8, looks: 2, parts: 7000, heavy: 1 << 29 };
    let cells = CellCounts::from_raw(vec![(3, 100), (42, 700), (90, 200)]);
    let records = [(Epsilon::new(1.0).unwrap(), &cells)];
    for (whole, found) in [(1000, true), (10_000_000, false)] {
        let counts = RefinedCounts::in_units(units, (99, 1), refinement, whole, Neighbors::Both);
        let seen = counts.release(&records, &mut Randomness::insecure(2));
        let at = seen.cuts.iter().position(|cut| *cut == 42);
        assert_eq!(at.is_some_and(|at| seen.cuts[at + 1] == 43), found, "{whole}");
    }
}
