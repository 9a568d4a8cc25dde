//! Quantiles of records whose number is private.

use super::clip::{Weighing, factor_of_quantiles, rank_noise, side};
use super::people::People;
use super::release::{Found, error};
use super::rough::Rough;
use super::{AddRemoveOptions, AddRemoveRequest};
use crate::quantile::reach::{self, RankSampling};
use crate::quantile::{Drawn, Place, in_order, no_interval};
use crate::session::Session;
use crate::{
    Bounds, Cells, ExpectedError, LevelTable, Noise, PrivacyUnits, QuantileSplit, Rank, RankQuery,
    Release, Result, Share, UnitRanks,
};

/// Parts into which the budget of one quantile is divided between the estimate and the ends of its
/// interval.
const PARTS: u64 = 1 << 16;

/// The part of the budget that buys intervals, unless told otherwise, and by what factor it may
/// enlarge the expected error of the rank.
pub(super) const USUAL_SHARE: f64 = 0.2;
const AFFORDABLE: f64 = 1.1;

/// What noisy numbers tell of how many people there are.
#[derive(Debug, Clone, Copy)]
struct Crowd {
    /// Σ r.
    whole: f64,
    /// What it is at least, except with a fifth of the probability that an interval may miss.
    at_least: f64,
}

impl AddRemoveRequest {
    pub(super) fn release_quantiles(
        &self,
        bounds: Bounds,
        cells: Cells,
        ranks: &[Rank],
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let (people, _) = People::with_numbers(table, bounds, Some(cells))?;
        let (options, estimator) = (self.options(), self.estimator());
        // The profile tells how many people there are, too, without which there are neither errors
        // nor intervals.
        let rough = match self.needs_profile(estimator, session.account())
            || options.interval_share != Some(0.0)
        {
            true => Some(Rough::measured(&people, self.budgets(), session)?),
            false => None,
        };
        let part = (1.0 - options.interval_share.unwrap_or(USUAL_SHARE)) / ranks.len() as f64;
        let weighing = self.weighing(
            estimator,
            session.account(),
            rough.as_ref(),
            factor_of_quantiles(options, ranks, part),
        );
        let tau = weighing.clip.get();
        let crowd = rough.as_ref().map(|rough| Crowd {
            whole: rough.total(tau),
            at_least: rough.total_at_least(tau, (1.0 - options.confidence) / 5.0),
        });
        let interval_share = interval_share(options, ranks, &weighing, crowd);
        let (queries, places) = questions(options, cells, ranks, &weighing, crowd, interval_share);
        let interval_share = if places.iter().any(Place::has_end) { interval_share } else { 0.0 };

        let units = PrivacyUnits::new(Share::ALL, weighing.clip)?;
        let choice = UnitRanks::new(
            units,
            (cells.steps(), cells.rows()),
            queries,
            PARTS * ranks.len() as u64,
            options.neighbors,
        );
        let account = session.account();
        let cohorts = people.cohorts().iter();
        let records = cohorts.map(|cohort| (account.left(cohort.epsilon), &cohort.cells));
        let records = records.collect();
        let answers = session.measure(&choice, records)?;

        // From here on: post-processing.
        let answers: Vec<f64> =
            answers.into_iter().map(|candidate| cells.value(bounds, candidate)).collect();
        let drawn: Vec<Drawn> = places.iter().map(|place| place.drawn(&answers)).collect();
        let half_step = cells.half_step(bounds, options.whole);
        let quantiles = in_order(&drawn, bounds, half_step, options.confidence);
        let no_interval = no_interval(&places, options.interval_share);
        let split = places.iter().map(|place| split(place, &choice)).collect();
        let found = Found {
            estimates: quantiles,
            error: error_of_ranks(
                options,
                ranks,
                (1.0 - interval_share) / ranks.len() as f64,
                &weighing,
                crowd,
            ),
            units,
            noise: Noise { distribution: "permute-and-flip", scale: units.scale(), grid: None },
            split,
            no_interval,
        };
        Ok(self.published(found, table, session))
    }
}

/// What a quantile had of the budget.
fn split(place: &Place, choice: &UnitRanks) -> QuantileSplit {
    let parts = |at: usize| choice.queries().get(at).map_or(0, |query| query.parts);
    let all = choice.parts() as f64;
    QuantileSplit {
        q: place.rank,
        estimate: parts(place.estimate) as f64 / all,
        interval: place.ends().map(parts).sum::<u64>() as f64 / all,
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
            rank_noise(options, q, part) / (crowd.whole * crowd.whole)
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
    let part = end_parts as f64 / (PARTS * ranks.len() as u64) as f64;
    let mut queries = Vec::new();
    let mut ask = |rank, parts| {
        queries.push(RankQuery { rank, parts });
        queries.len() - 1
    };
    let whole = crowd.map_or(0.0, |crowd| crowd.at_least);
    let places = ranks.iter().map(|rank| {
        let ranks = match whole > 0.0 && end_parts > 0 {
            true => ranks_of_ends(*rank, part, whole, cells, options, weighing),
            false => (None, None),
        };
        // What an end that cannot be had does not cost is left to the estimate.
        let ends = [ranks.0, ranks.1].iter().flatten().count() as u64;
        Place {
            rank: *rank,
            estimate: ask(*rank, PARTS - ends * end_parts),
            lower: ranks.0.map(|rank| ask(rank, end_parts)),
            upper: ranks.1.map(|rank| ask(rank, end_parts)),
        }
    });
    let places = places.collect();
    (queries, places)
}

/// The ranks of both ends, for people who weigh `whole` at least ([`reach`]).
///
/// Of the probability of a miss a fifth is for fewer people than that; each end has a fifth for its
/// draw and one for sampling.
fn ranks_of_ends(
    rank: Rank,
    part: f64,
    whole: f64,
    cells: Cells,
    options: &AddRemoveOptions,
    weighing: &Weighing,
) -> (Option<Rank>, Option<Rank>) {
    let fifth = (1.0 - options.confidence) / 5.0;
    let (sampling, miss) = match weighing.is_exact(options) {
        true => (RankSampling::none(), 2.0 * fifth),
        // Nobody weighs more than τ, and Chernoff's bound is the worst where all weigh as much.
        false => (RankSampling::of_independent((weighing.clip.get() / whole).min(1.0)), fifth),
    };
    let end = |q: f64, below: bool| {
        let sampling = if below { sampling.below(q, fifth) } else { sampling.above(q, fifth) };
        // A distance counts over 2·max(q', 1 − q'), q' the rank of the end (over 2 with both): at
        // most 2, and then what follows from the reach that this gives.
        let reach = |side: f64| {
            let scale = 2.0 * side / (part * whole);
            reach::draw(scale, cells.steps(), miss) + sampling + reach::ROUNDING
        };
        let reach = reach((side(options, q) + reach(1.0)).min(1.0));
        Rank::nearest(if below { q - reach } else { q + reach })
    };
    (end(rank.get(), true), end(rank.get(), false))
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
        let noise = rank_noise(options, q, part).sqrt() / crowd.whole;
        let both =
            error(noise.min(1.0), sampling(q, options, weighing, crowd.whole).sqrt().min(1.0));
        ExpectedError { rmse: both.rmse.min(1.0), ..both }
    });
    errors.max_by(|one, other| one.rmse.total_cmp(&other.rmse)).unwrap_or(error(f64::NAN, f64::NAN))
}
