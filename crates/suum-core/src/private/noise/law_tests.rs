//! Samplers against their exact laws.
//!
//! | sampler | test of its law |
//! |---|---|
//! | uniform integers, coins, exp(−γ), geometric, marked items | here |
//! | `DiscreteLaplace` | `discrete_laplace::passes_at_the_right_scale` |
//! | `SumZeroLaplace` | `sum_zero::every_vector_has_its_probability` |
//! | coins with bounded probabilities | `exponential::coins_have_the_probability_they_should` |
//! | permute-and-flip | `permute_and_flip::draws_follow_the_definition` |
//! | permute-and-flip over runs | `run_flips::all_draws_follow_the_definition` |
//! | exponential mechanism over runs | `run_choice::draws_follow_the_definition` |
//! | exponential mechanism over doubles | `float_quantile::draws_follow_the_definition` |
//! | several ranks by recursion | `rank_tree::draws_follow_the_definition` |
//! | ranks alone, and their ends | `rank_choice::answers_follow_the_definition` |
//! | the same in privacy units | `rank_choice::unit_tests::answers_follow_the_definition` |
//! | ranges of cells | `range_choice::draws_follow_the_definition` |
//! | check of a range | `range_check::the_decision_has_the_probability_of_the_formula` |
//! | randomised response | `rappor::flips_with_the_logistic_probability` |
//! | totals | `totals::released_totals_have_the_noise_that_is_listed` |
//! | refined counts | `refined_counts::the_last_look_has_the_noise_that_is_left` |
//! | independent noise of cells | `every_cell_has_noise_of_the_scale_that_is_listed` |

use dashu_int::UBig;

use super::Randomness;

/// Sampler of cells, and the probability of each cell.
type Case = (&'static str, fn(&mut Randomness) -> usize, Vec<f64>);

const DRAWS: u32 = 60_000;

/// 7 and 3, times a power of two that no machine word holds.
fn large_fraction() -> (UBig, UBig) {
    (UBig::from(7u8) << 200, UBig::from(3u8) << 200)
}

fn small(number: UBig) -> usize {
    usize::try_from(number).unwrap()
}

/// Probabilities of k heads among `coins` fair coins, those from `first` on, with both tails in the
/// first and the last cell.
fn binomial(coins: u32, first: usize, cells: usize) -> Vec<f64> {
    let mut probabilities = vec![0.0; cells];
    let mut ways = 0.5f64.powi(coins as i32);
    for heads in 0..=coins {
        probabilities[(heads as usize).saturating_sub(first).min(cells - 1)] += ways;
        ways *= f64::from(coins - heads) / f64::from(heads + 1);
    }
    probabilities
}

/// Probabilities of a geometric variable in steps of this many scales, with all from the last cell
/// on together.
fn geometric(step: f64, cells: i32) -> Vec<f64> {
    let from = |cell: i32| if cell == cells { 0.0 } else { (-step * f64::from(cell)).exp() };
    (0..cells).map(|cell| from(cell) - from(cell + 1)).collect()
}

fn cases() -> Vec<Case> {
    let exponential = |gamma: f64| vec![1.0 - (-gamma).exp(), (-gamma).exp()];
    vec![
        ("bit", |randomness| usize::from(randomness.bit()), vec![0.5; 2]),
        ("index below 6", |randomness| randomness.index_below(6) as usize, vec![1.0 / 6.0; 6]),
        (
            // A quarter of all words are drawn again.
            "index below 3·2^62",
            |randomness| (randomness.index_below(3 << 62) >> 61) as usize,
            vec![1.0 / 6.0; 6],
        ),
        ("below 6", |randomness| small(randomness.below(&6u8.into())), vec![1.0 / 6.0; 6]),
        (
            "below 6·2^200",
            |randomness| small(randomness.below(&(UBig::from(6u8) << 200)) >> 200),
            vec![1.0 / 6.0; 6],
        ),
        ("heads of 3", |randomness| randomness.heads(3) as usize, binomial(3, 0, 4)),
        (
            "heads of 70",
            |randomness| (randomness.heads(70) as usize).clamp(28, 42) - 28,
            binomial(70, 28, 15),
        ),
        (
            "exp(−7/3)",
            |randomness| usize::from(randomness.bernoulli_exp(&7u8.into(), &3u8.into())),
            exponential(7.0 / 3.0),
        ),
        (
            "exp(−7/3) of large numbers",
            |randomness| {
                let (numerator, denominator) = large_fraction();
                usize::from(randomness.bernoulli_exp(&numerator, &denominator))
            },
            exponential(7.0 / 3.0),
        ),
        (
            "exp(−3/7) of large numbers",
            |randomness| {
                let (denominator, numerator) = large_fraction();
                usize::from(randomness.bernoulli_exp_below_one(&numerator, &denominator))
            },
            exponential(3.0 / 7.0),
        ),
        (
            "geometric of scale 3",
            |randomness| small(randomness.geometric(&3u8.into())).min(11),
            geometric(1.0 / 3.0, 12),
        ),
        (
            "geometric of scale 2^200",
            |randomness| small(randomness.geometric(&(UBig::ONE << 200)) >> 198).min(11),
            geometric(0.25, 12),
        ),
        (
            // C(3, i)² of C(6, 3) ways.
            "marked of 3",
            |randomness| randomness.marked(3),
            [1.0, 9.0, 9.0, 1.0].map(|ways| ways / 20.0).to_vec(),
        ),
    ]
}

/// χ² of the counts of cells, and a limit for it: the mean, five standard deviations and a little,
/// a false alarm of less than 1e-5 for each of the fixed seeds.
fn fits(counts: &[f64], probabilities: &[f64]) -> bool {
    let cells = counts.iter().zip(probabilities);
    let chi2: f64 = cells
        .map(|(count, p)| (p * f64::from(DRAWS), count))
        .map(|(expected, count)| (count - expected).powi(2) / expected)
        .sum();
    let freedom = (counts.len() - 1) as f64;
    chi2 < freedom + 5.0 * (2.0 * freedom).sqrt() + 10.0
}

#[test]
#[ignore = "takes seconds"]
fn small_samplers_follow_their_laws_and_no_others() {
    for (seed, (name, draw, probabilities)) in (1..).zip(cases()) {
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{name}");
        let mut randomness = Randomness::insecure(seed);
        let mut counts = vec![0.0; probabilities.len()];
        (0..DRAWS).for_each(|_| counts[draw(&mut randomness)] += 1.0);
        assert!(fits(&counts, &probabilities), "{name}: {counts:?}");
        // Every other cell a tenth less probable.
        let tilt = |(cell, p): (usize, &f64)| if cell % 2 == 0 { 0.9 * p } else { *p };
        let tilted: Vec<f64> = probabilities.iter().enumerate().map(tilt).collect();
        let all: f64 = tilted.iter().sum();
        let tilted: Vec<f64> = tilted.into_iter().map(|p| p / all).collect();
        assert!(!fits(&counts, &tilted), "{name} also fits another law");
    }
}
