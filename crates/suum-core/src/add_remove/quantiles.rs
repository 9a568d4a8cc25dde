//! Quantiles of records whose number is private.

use super::clip::{Weighing, factor_of_quantiles, rank_noise};
use super::people::People;
use super::release::{Found, error};
use super::rough::Rough;
use super::{
    AddRemoveAnswer, AddRemoveNoise, AddRemoveOptions, AddRemoveRelease, AddRemoveRequest,
    QuantileSplit,
};
use crate::interval::half_width;
use crate::{
    Bounds, CellCounts, Cells, Epsilon, ExpectedError, Interval, LevelTable, PrivacyUnits,
    Quantile, Randomness, Rank, RankQuery, Result, Share, UnitRanks,
};

/// Parts into which the budget of one quantile is divided between the estimate and the ends of its
/// interval.
const PARTS: u64 = 1 << 16;

/// The part of the budget that buys intervals, unless told otherwise, and by what factor it may
/// enlarge the expected error of the rank.
pub(super) const USUAL_SHARE: f64 = 0.2;
const AFFORDABLE: f64 = 1.1;

/// Where the answers about one quantile stand among all answers.
struct Place {
    rank: Rank,
    estimate: usize,
    ends: Option<Ends>,
}

/// The questions at ranks q ∓ δ; `None` where such a rank is not between 0 and 1.
struct Ends {
    lower: Option<usize>,
    upper: Option<usize>,
}

/// What noisy numbers tell of how many people there are.
#[derive(Debug, Clone, Copy)]
struct Crowd {
    /// Σ r, and what it is at least, with some confidence.
    whole: f64,
    at_least: f64,
}

impl AddRemoveRequest {
    pub(super) fn release_quantiles(
        &self,
        bounds: Bounds,
        cells: Cells,
        ranks: &[Rank],
        table: &LevelTable,
        randomness: &mut Randomness,
    ) -> Result<AddRemoveRelease> {
        let (people, _) = People::with_numbers(table, bounds, Some(cells))?;
        let (options, estimator) = (self.options(), self.options().estimator());
        let mut purse = self.purse();
        // The profile tells how many people there are, too, without which there are neither errors
        // nor intervals.
        let rough =
            match self.needs_profile(estimator, &purse) || options.interval_share != Some(0.0) {
                true => Some(Rough::measured(&people, self.budgets(), &mut purse, randomness)?),
                false => None,
            };
        let part = (1.0 - options.interval_share.unwrap_or(USUAL_SHARE)) / ranks.len() as f64;
        let weighing =
            self.weighing(estimator, &purse, rough.as_ref(), factor_of_quantiles(ranks, part));
        let crowd = rough.as_ref().map(|rough| Crowd::of(rough, weighing.clip.get()));
        let interval_share = interval_share(options, ranks, &weighing, crowd);
        let (queries, places) = questions(options, cells, ranks, &weighing, crowd, interval_share);

        let units = PrivacyUnits::new(Share::ALL, weighing.clip)?;
        let choice = UnitRanks::new(
            units,
            (cells.steps(), cells.rows()),
            queries,
            PARTS * ranks.len() as u64,
        );
        let before = purse.ask(units);
        let cohorts = people.cohorts().iter();
        let records: Vec<(Epsilon, &CellCounts)> =
            cohorts.map(|cohort| (before.left(cohort.epsilon), &cohort.cells)).collect();
        let answers = choice.release(&records, randomness);

        // From here on: post-processing.
        let answers: Vec<f64> =
            answers.into_iter().map(|candidate| cells.value(bounds, candidate)).collect();
        let quantiles = in_order(options, bounds, cells, &places, &answers);
        let split = places.iter().map(|place| place.split(&choice)).collect();
        let found = Found {
            answer: AddRemoveAnswer::Quantiles { quantiles, cells, split },
            error: error_of_ranks(
                options,
                ranks,
                (1.0 - interval_share) / ranks.len() as f64,
                &weighing,
                crowd,
            ),
            estimator,
            units,
            noise: AddRemoveNoise {
                distribution: "permute-and-flip",
                scale: units.scale(),
                grid: None,
            },
            bounds: Some(bounds),
        };
        Ok(self.published(found, &purse, table, randomness))
    }
}

impl Crowd {
    fn of(rough: &Rough, tau: f64) -> Self {
        let (whole, noise) = (rough.total(tau), rough.total_noise(tau));
        Self { whole, at_least: whole - 2.0 * noise }
    }
}

impl Place {
    fn split(&self, choice: &UnitRanks) -> QuantileSplit {
        let parts = |at: usize| choice.queries().get(at).map_or(0, |query| query.parts);
        let ends = self.ends.iter().flat_map(|ends| ends.lower.into_iter().chain(ends.upper));
        let all = choice.parts() as f64;
        QuantileSplit {
            q: self.rank,
            estimate: parts(self.estimate) as f64 / all,
            interval: ends.map(parts).sum::<u64>() as f64 / all,
        }
    }
}

/// The error that ranks would have where Σ r = `whole`, without any doubt about that.
pub(super) fn expected_of_ranks(
    options: &AddRemoveOptions,
    ranks: &[Rank],
    weighing: &Weighing,
    whole: f64,
) -> ExpectedError {
    let crowd = Some(Crowd { whole, at_least: whole });
    let part = (1.0 - interval_share(options, ranks, weighing, crowd)) / ranks.len() as f64;
    error_of_ranks(options, ranks, part, weighing, crowd)
}

/// The part of the budget that buys intervals: as told, or a fifth where that hardly harms the
/// estimate.
fn interval_share(
    options: &AddRemoveOptions,
    ranks: &[Rank],
    weighing: &Weighing,
    crowd: Option<Crowd>,
) -> f64 {
    if let Some(share) = options.interval_share {
        return share;
    }
    let Some(crowd) = crowd.filter(|crowd| crowd.at_least > 0.0) else { return 0.0 };
    let risk = |share: f64| {
        let part = (1.0 - share) / ranks.len() as f64;
        let each = ranks.iter().map(|rank| rank.get());
        each.map(|q| {
            rank_noise(q, part) / (crowd.whole * crowd.whole)
                + sampling(q, options, weighing, crowd.whole)
        })
        .sum::<f64>()
    };
    if risk(USUAL_SHARE) <= AFFORDABLE * AFFORDABLE * risk(0.0) { USUAL_SHARE } else { 0.0 }
}

/// The variance of a rank by sampling.
fn sampling(q: f64, options: &AddRemoveOptions, weighing: &Weighing, whole: f64) -> f64 {
    q * (1.0 - q) * weighing.square(options, whole) / (whole * whole)
}

/// The questions to ask, and where their answers stand.
fn questions(
    options: &AddRemoveOptions,
    cells: Cells,
    ranks: &[Rank],
    weighing: &Weighing,
    crowd: Option<Crowd>,
    interval_share: f64,
) -> (Vec<RankQuery>, Vec<Place>) {
    let end_parts = (interval_share * PARTS as f64 / 2.0) as u64;
    let all = (PARTS * ranks.len() as u64) as f64;
    let mut queries = Vec::new();
    let mut ask = |rank, parts| {
        queries.push(RankQuery { rank, parts });
        queries.len() - 1
    };
    let crowd = crowd.filter(|crowd| crowd.at_least > 0.0 && end_parts > 0);
    let places = ranks.iter().map(|rank| {
        let q = rank.get();
        let part = (1.0 - interval_share) / ranks.len() as f64;
        let reach = crowd
            .filter(|crowd| {
                lost_among_empty(cells, q, part, crowd.at_least) <= (1.0 - options.confidence) / 4.0
            })
            .map(|crowd| rank_reach(q, end_parts as f64 / all, options, weighing, crowd.at_least));
        let ranks = reach.map(|reach| (Rank::nearest(q - reach), Rank::nearest(q + reach)));
        // What an end that cannot be had does not cost is left to the estimate.
        let ends = ranks.map_or(0, |(lower, upper)| [lower, upper].iter().flatten().count() as u64);
        let estimate = ask(*rank, PARTS - ends * end_parts);
        let ends = ranks.map(|(lower, upper)| Ends {
            lower: lower.map(|rank| ask(rank, end_parts)),
            upper: upper.map(|rank| ask(rank, end_parts)),
        });
        Place { rank: *rank, estimate, ends }
    });
    let places = places.collect();
    (queries, places)
}

/// A bound on the probability that an estimate lies beyond all data, whatever the data are: if a
/// single candidate is at the quantile, and all others are where no data are.
fn lost_among_empty(cells: Cells, q: f64, part: f64, whole: f64) -> f64 {
    let (near, far) = (q.min(1.0 - q), q.max(1.0 - q));
    (f64::from(cells.steps()) + 1.0) * (-part * whole * near / (2.0 * far)).exp()
}

/// How far below q the rank asked for must lie so that the answer is below the quantile, at this
/// confidence.
fn rank_reach(
    q: f64,
    part: f64,
    options: &AddRemoveOptions,
    weighing: &Weighing,
    whole: f64,
) -> f64 {
    let sampling = (q * (1.0 - q) * weighing.cautious_square(options, whole)).sqrt() / whole;
    let reach = |side: f64| half_width(options.confidence, 2.0 * side / (part * whole), sampling);
    // The noise of a rank further out is larger; twice as far is further than it gets.
    let side = q.max(1.0 - q);
    reach((side + 2.0 * reach(side)).min(1.0))
}

/// The quantiles in the order asked for. Sorting them by rank never takes one further from the
/// truth.
fn in_order(
    options: &AddRemoveOptions,
    bounds: Bounds,
    cells: Cells,
    places: &[Place],
    answers: &[f64],
) -> Vec<Quantile> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|at| places[*at].rank);
    let sorted = |answer: &dyn Fn(&Place) -> f64| {
        let mut values: Vec<f64> = order.iter().map(|at| answer(&places[*at])).collect();
        values.sort_by(f64::total_cmp);
        let mut placed = vec![0.0; values.len()];
        order.iter().zip(values).for_each(|(at, value)| placed[*at] = value);
        placed
    };
    let estimates = sorted(&|place| answers[place.estimate]);
    // A value can be half a step away from its candidate, unless values are candidates.
    let half_step =
        if options.whole { 0.0 } else { bounds.width() / (2.0 * f64::from(cells.steps())) };
    // An end on the wrong side of its estimate was lost among candidates without data: it says
    // nothing.
    let end = |place: &Place, at: fn(&Ends) -> Option<usize>| {
        place.ends.as_ref().and_then(at).map(|at| answers[at])
    };
    let lower = sorted(&|place| match end(place, |ends| ends.lower) {
        Some(end) if end <= answers[place.estimate] => bounds.clamp(end - half_step),
        _ => bounds.lower(),
    });
    let upper = sorted(&|place| match end(place, |ends| ends.upper) {
        Some(end) if end >= answers[place.estimate] => bounds.clamp(end + half_step),
        _ => bounds.upper(),
    });
    let quantile = |(at, place): (usize, &Place)| Quantile {
        q: place.rank,
        estimate: estimates[at],
        // Never without the estimate itself: widening covers no less.
        interval: Interval {
            confidence: options.confidence,
            lower: lower[at].min(estimates[at]),
            upper: upper[at].max(estimates[at]),
        },
    };
    places.iter().enumerate().map(quantile).collect()
}

/// The expected error of the rank of which it is largest, as a share of all people.
fn error_of_ranks(
    options: &AddRemoveOptions,
    ranks: &[Rank],
    part: f64,
    weighing: &Weighing,
    crowd: Option<Crowd>,
) -> ExpectedError {
    let Some(crowd) = crowd else { return error(f64::NAN, f64::NAN) };
    if crowd.whole <= 0.0 {
        return error(1.0, 0.0);
    }
    let errors = ranks.iter().map(|rank| {
        let q = rank.get();
        let noise = rank_noise(q, part).sqrt() / crowd.whole;
        let both =
            error(noise.min(1.0), sampling(q, options, weighing, crowd.whole).sqrt().min(1.0));
        ExpectedError { rmse: both.rmse.min(1.0), ..both }
    });
    errors.max_by(|one, other| one.rmse.total_cmp(&other.rmse)).unwrap_or(error(f64::NAN, f64::NAN))
}
