//! Totals against their definitions: what one record moves, what that costs, and the noise.

use super::*;
use crate::people::Moves;
use crate::{ExactSum, Share};

type InUnits = Totals<PrivacyUnits>;

const POINTS: u64 = 4;
const BUCKETS: usize = 3;

/// One record: its budget and its value, a grid index, a category or a bucket.
type Record = (f64, u64);

const QUESTIONS: [TotalsQuestion; 11] = [
    TotalsQuestion::Sum(POINTS),
    TotalsQuestion::SumAndSpread(POINTS),
    TotalsQuestion::Moments(POINTS),
    TotalsQuestion::Ends(POINTS),
    TotalsQuestion::Squares(POINTS),
    TotalsQuestion::Centred(POINTS),
    TotalsQuestion::CentredSquares(POINTS),
    TotalsQuestion::Beyond(POINTS / 2, POINTS / 2),
    TotalsQuestion::CentredBeyond(POINTS / 2, POINTS / 2),
    TotalsQuestion::Counts(POINTS as usize + 1, 1),
    TotalsQuestion::Presence(BUCKETS),
];

const RELATIONS: [Neighbors; 2] = [Neighbors::AddRemove, Neighbors::Both];

/// A level for every record: sums do not care how records are grouped.
fn records(question: TotalsQuestion, records: &[Record]) -> Vec<Answers<Epsilon>> {
    let record = |(epsilon, value): &Record| {
        let budget = Epsilon::new(*epsilon).unwrap();
        let categories = (0..=POINTS).map(|category| i128::from(category == *value));
        let centred = 2 * i128::from(*value) - i128::from(POINTS);
        let sums = match question {
            TotalsQuestion::Counts(..) => categories.collect(),
            TotalsQuestion::Beyond(below, above) | TotalsQuestion::CentredBeyond(below, above) => {
                let distances =
                    [below.saturating_sub(*value), (value + above).saturating_sub(POINTS)];
                distances.map(i128::from).to_vec()
            }
            _ => vec![i128::from(*value), centred * centred],
        };
        let sums: Vec<ExactSum> = sums.into_iter().map(ExactSum::from_raw).collect();
        question.answers(budget, (1, &sums), *epsilon as usize % BUCKETS)
    };
    records.iter().map(record).collect()
}

fn units(share: f64, clip: f64) -> PrivacyUnits {
    PrivacyUnits::new(Share::new(share).unwrap(), Epsilon::new(clip).unwrap()).unwrap()
}

/// Below the clip, above it, public, and not to be used.
const BUDGETS: [f64; 4] = [0.3, 2.0, f64::INFINITY, 0.0];

/// All lists of up to two records.
fn datasets() -> Vec<Vec<Record>> {
    let records: Vec<Record> = BUDGETS
        .iter()
        .flat_map(|epsilon| (0..=POINTS).map(move |value| (*epsilon, value)))
        .collect();
    let mut datasets = vec![vec![]];
    datasets.extend(records.iter().map(|record| vec![*record]));
    datasets
        .extend(records.iter().flat_map(|one| records.iter().map(move |other| vec![*one, *other])));
    datasets
}

/// Returns the loss between two lists of records: Σ|A_c − A'_c|/b_c.
fn revealed(totals: &InUnits, one: &[Record], other: &[Record]) -> RBig {
    let [one, other] = [one, other].map(|list| totals.exact(records(totals.question, list)));
    let moved = one.iter().zip(&other).map(|(one, other)| (one - other).into_parts().1);
    let losses = moved.zip(totals.scales()).map(|(moved, b)| RBig::from_parts(moved.into(), b));
    losses.fold(RBig::ZERO, |sum, loss| sum + loss)
}

fn loss(sums: &InUnits, epsilon: f64) -> RBig {
    match sums.loss(Epsilon::new(epsilon).unwrap()) {
        Loss::Finite(loss) => loss,
        Loss::Unlimited => panic!("nobody's loss is unlimited"),
    }
}

/// P(x | sums A) ∝ exp(−Σ|x_c − A_c|/b), so the largest ratio of two of them is exp(Σ|A_c −
/// A'_c|/b), reached behind both. For whoever joins, also an empty table, that is never more
/// than the certified loss, and for some value exactly the part of it that a presence has of the
/// sensitivity: all of it, unless a change costs more and must not be told apart either.
#[test]
fn whoever_joins_or_leaves_loses_exactly_what_is_certified() {
    for (share, clip) in [(1.0, 1.0), (0.35, 0.1), (0.05, 0.5)] {
        for (question, neighbors) in everything() {
            let sums = Totals::in_units(units(share, clip), question, neighbors);
            for dataset in datasets() {
                for epsilon in BUDGETS {
                    let joined = |value| [dataset.clone(), vec![(epsilon, value)]].concat();
                    let all: Vec<RBig> = (0..=POINTS)
                        .map(|value| revealed(&sums, &dataset, &joined(value)))
                        .collect();
                    let certified = loss(&sums, epsilon);
                    let place = format!("{question:?} {neighbors:?} {dataset:?} {epsilon}");
                    assert!(all.iter().all(|one| *one <= certified), "{place}");
                    let Moves { presence, .. } = question.moves();
                    let most = all.into_iter().max().unwrap();
                    assert_eq!(most * sums.sensitivity(), &certified * &presence, "{place}");
                    assert!(presence == *sums.sensitivity() || neighbors == Neighbors::Both);
                }
            }
        }
    }
}

/// With both neighbour relations another value costs no more than is certified, and for some
/// pair of values exactly that. With add-remove neighbours it can cost twice as much.
#[test]
fn another_value_costs_what_is_certified_with_both() {
    let mut twice = 0;
    for (question, neighbors) in everything() {
        let sums = Totals::in_units(units(1.0, 1.0), question, neighbors);
        for (epsilon, other) in [(0.3, 0.7), (f64::INFINITY, 0.3)] {
            let values = (0..=POINTS).flat_map(|one| (0..=POINTS).map(move |two| (one, two)));
            let lost = values.map(|(one, two)| {
                let of = |value| vec![(other, 1), (epsilon, value)];
                revealed(&sums, &of(one), &of(two))
            });
            let most = lost.max().unwrap();
            let certified = loss(&sums, epsilon);
            if matches!(question, TotalsQuestion::Presence(_)) {
                assert_eq!(most, RBig::ZERO);
            } else if neighbors == Neighbors::Both {
                assert_eq!(most, certified, "{question:?}");
            } else {
                twice += u32::from(most == &certified + &certified);
            }
        }
    }
    assert_eq!(twice, 6, "of categories and of both distances");
}

/// All questions, for all neighbours that hide who takes part.
fn everything() -> impl Iterator<Item = (TotalsQuestion, Neighbors)> {
    QUESTIONS.into_iter().flat_map(|question| RELATIONS.map(|neighbors| (question, neighbors)))
}

#[test]
fn answers_are_those_of_the_values() {
    for value in 0..=POINTS {
        let told = |question| records(question, &[(0.3, value)])[0].sums.clone();
        let rest = POINTS - value;
        assert_eq!(told(TotalsQuestion::Sum(POINTS)), [IBig::from(value)]);
        let spread = [value, value * rest].map(IBig::from);
        assert_eq!(told(TotalsQuestion::SumAndSpread(POINTS)), spread);
        let centred = value as i64 - rest as i64;
        let moments = [centred, centred * centred].map(IBig::from);
        assert_eq!(told(TotalsQuestion::Moments(POINTS)), moments);
        let moments = [value * value, 2 * value * rest, rest * rest].map(IBig::from);
        assert_eq!(told(TotalsQuestion::Squares(POINTS)), moments);
        let middle = 2 * POINTS as i64 * (2 * value as i64 - POINTS as i64);
        let (product, half) = (4 * (value * rest) as i64, 2 * (POINTS * POINTS) as i64);
        let centred = [middle, product, half].map(IBig::from);
        assert_eq!(told(TotalsQuestion::CentredSquares(POINTS)), centred);
        // A range from 1 to 2.
        let (low, high) = (i64::from(value == 0), value.saturating_sub(2) as i64);
        let beyond = [low, high, 3 - low - high].map(IBig::from);
        assert_eq!(told(TotalsQuestion::Beyond(1, 2)), beyond);
        let centred = [2 * low - 1, 2 * high - 2, 3].map(IBig::from);
        assert_eq!(told(TotalsQuestion::CentredBeyond(1, 2)), centred);
    }
}

/// Σ|K|/b over many draws: a discrete Laplace of a huge scale b has mean |K| = b and variance
/// b².
fn spread(question: TotalsQuestion, dataset: &[Record], seed: u64) -> (f64, f64) {
    let sums = Totals::in_units(units(1.0, 1.0), question, Neighbors::Both);
    let exact = sums.exact(records(question, dataset));
    let mut randomness = Randomness::insecure(seed);
    let (mut sum, mut draws) = (0.0, 0.0);
    // At least 8000 numbers.
    for _ in 0..(8000 / exact.len()).max(4000) {
        let noisy = sums.noisy(records(question, dataset), &mut randomness);
        for ((noisy, exact), scale) in noisy.into_iter().zip(&exact).zip(sums.scales()) {
            let (_, magnitude) = (noisy - exact).into_parts();
            let share = RBig::from_parts(magnitude.into(), scale);
            sum += share.to_f64().value();
            draws += 1.0;
        }
    }
    (sum / draws, 1.0 / f64::sqrt(draws))
}

#[test]
fn what_is_released_is_the_sum_and_noise_of_that_scale() {
    for (seed, question) in QUESTIONS.into_iter().enumerate() {
        for dataset in [vec![], vec![(0.3, 2), (f64::INFINITY, 4)]] {
            let (mean, sd) = spread(question, &dataset, seed as u64);
            // Five standard deviations: a false alarm in a million runs. A tenth more or less
            // would be seen.
            assert!((mean - 1.0).abs() < 5.0 * sd, "{question:?}: {mean}");
            assert!(5.0 * sd < 0.06, "{sd}");
        }
    }
}
/// Released totals are exact ones and draws of the noise that is listed, in order.
#[test]
fn released_totals_have_the_noise_that_is_listed() {
    let draws = |scales: Vec<UBig>| {
        let mut randomness = Randomness::insecure(7);
        let draw = move |scale| DiscreteLaplace::new(scale).sample(&mut randomness);
        scales.into_iter().map(draw).collect::<Vec<IBig>>()
    };
    let profile: Profile = "0.3:1,2:1".parse().unwrap();
    for question in QUESTIONS {
        let dataset = [(0.3, 2), (2.0, 4)];
        let totals = Totals::in_units(units(1.0, 1.0), question, Neighbors::Both);
        let exact = totals.exact(records(question, &dataset)).into_iter();
        let noisy = exact.zip(draws(totals.scales().collect())).map(|(sum, noise)| sum + noise);
        let mut randomness = Randomness::insecure(7);
        let released = totals.noisy(records(question, &dataset), &mut randomness);
        assert_eq!(released, noisy.collect::<Vec<_>>(), "{question:?}");

        let weights = [3u32, 5].map(|weight| UBig::from(weight) << 40).to_vec();
        let totals = Totals::calibrated(&profile, weights, question);
        let answers = || {
            let levels = records(question, &dataset).into_iter().enumerate();
            levels.map(|(key, Answers { first, sums, .. })| Answers { key, first, sums })
        };
        let exact = totals.exact(answers()).into_iter();
        let noisy = exact.zip(draws(totals.scales().collect())).map(|(sum, noise)| sum + noise);
        let released = totals.noisy(answers(), &mut Randomness::insecure(7));
        assert_eq!(released, noisy.collect::<Vec<_>>(), "{question:?}");
    }
}

/// Of all values of small grids and all pairs of them, the most that a presence and a change move
/// is what is stated; the moments move less where no value lies at three quarters of the grid.
#[test]
fn no_record_on_a_small_grid_moves_more() {
    for points in 1..60u64 {
        let range = (points / 3, points - points / 3 - points / 4);
        for question in [
            TotalsQuestion::Sum(points),
            TotalsQuestion::SumAndSpread(points),
            TotalsQuestion::Moments(points),
            TotalsQuestion::Ends(points),
            TotalsQuestion::Squares(points),
            TotalsQuestion::Centred(points),
            TotalsQuestion::CentredSquares(points),
            TotalsQuestion::Beyond(range.0, range.1),
            TotalsQuestion::CentredBeyond(range.0, range.1),
        ] {
            let factors = question.noise_factors();
            let answers = |value: u64| {
                let centred = 2 * i128::from(value) - i128::from(points);
                let distances =
                    [range.0.saturating_sub(value), (value + range.1).saturating_sub(points)];
                let sums = match question {
                    TotalsQuestion::Beyond(..) | TotalsQuestion::CentredBeyond(..) => {
                        distances.map(i128::from)
                    }
                    _ => [i128::from(value), centred * centred],
                };
                question.answers((), (1, &sums.map(ExactSum::from_raw)), 0).sums
            };
            let size = |numbers: &mut dyn Iterator<Item = IBig>| {
                let parts = numbers.zip(&factors);
                let size = |(number, factor): (IBig, &u64)| {
                    RBig::from_parts(number.into_parts().1.into(), UBig::from(*factor))
                };
                parts.map(size).fold(RBig::ZERO, |sum, part| sum + part)
            };
            let all: Vec<Vec<IBig>> = (0..=points).map(answers).collect();
            let presence = all.iter().map(|one| size(&mut one.iter().cloned())).max().unwrap();
            let pairs = all.iter().flat_map(|one| all.iter().map(move |other| (one, other)));
            let change = pairs.map(|(one, other)| {
                size(&mut one.iter().zip(other).map(|(one, other)| one - other))
            });
            let change = change.max().unwrap();
            let Moves { presence: stated, change: stated_change } = question.moves();
            let place = format!("{question:?}");
            assert_eq!(presence, stated, "{place}");
            let is_between = matches!(question, TotalsQuestion::Moments(_)) && points % 4 != 0;
            if is_between {
                // No value lies at three quarters of the grid.
                let share = (change / stated_change).to_f64().value();
                assert!(share < 1.0 && (points < 10 || share > 0.977), "{place}: {share}");
            } else {
                assert_eq!(change, stated_change, "{place}");
            }
        }
    }
}

#[test]
fn spends_what_is_allowed_and_no_more() {
    let profile: Profile = "0.1:5,0.7:3,inf:2".parse().unwrap();
    for question in QUESTIONS {
        let weights = [1u32, 3, 4].map(|weight| UBig::from(weight) << 30).to_vec();
        let totals = Totals::calibrated(&profile, weights, question);
        for (position, level) in profile.levels().iter().enumerate() {
            assert!(totals.loss(position).within(level.epsilon));
        }
        assert!(totals.loss(0).rounded_up() > 0.0999999);
        assert_eq!(*totals.total_weight(), UBig::from(22u8) << 30);
    }
}

#[test]
fn totals_of_levels_are_those_of_the_definition() {
    // Only public records, so that there is no noise.
    let profile: Profile = "0:2,inf:4".parse().unwrap();
    let (points, indices) = (10, [0i128, 3, 10, 7]);
    let weights = [0u32, 5].map(UBig::from).to_vec();
    let totals = Totals::calibrated(&profile, weights, TotalsQuestion::SumAndSpread(points));
    let squares = indices.iter().map(|g| (2 * g - 10) * (2 * g - 10)).sum();
    let exact = [indices.iter().sum(), squares].map(ExactSum::from_raw);
    let unused = [7i128, 40].map(ExactSum::from_raw);
    let by_level = [
        ExactSums { position: 0, count: 2, sums: &unused },
        ExactSums { position: 1, count: 4, sums: &exact },
    ];
    let noisy = totals.release(&by_level, &mut Randomness::insecure(1));
    let spread: i128 = indices.iter().map(|g| g * (10 - g)).sum();
    assert_eq!(noisy, [IBig::from(5 * 20), IBig::from(5 * spread)]);
}
