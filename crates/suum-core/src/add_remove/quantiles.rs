//! Quantiles of records whose number is private.

use super::clip::{Weighing, division, factor_of_quantiles, rank_noise, side};
use super::people::People;
use super::release::{Found, error};
use super::rough::Rough;
use super::{AddRemoveOptions, AddRemoveRequest};
use crate::quantile::reach::{self, RankSampling};
use crate::quantile::{Division, Drawn, Place, in_order, no_interval};
use crate::session::Session;
use crate::{
    Bounds, Cells, ExpectedError, LevelTable, Noise, PrivacyUnits, QuantileSplit, Rank, RankQuery,
    RankQuestions, Release, Result, Share, UnitRanks,
};

/// Parts into which the budget of one quantile is divided between the estimate and the ends of its
/// interval.
const PARTS: u64 = 1 << 16;

/// The part of the budget that buys intervals, unless told otherwise, and by what factor it may
/// enlarge the expected error of the rank.
pub(super) const USUAL_SHARE: f64 = 0.2;
const AFFORDABLE: f64 = 1.25;

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
        let division = division(options, ranks)?;
        let usual = 1.0 - options.interval_share.unwrap_or(USUAL_SHARE);
        let factor = factor_of_quantiles(ranks, &rank_noise(options, ranks, &division, usual));
        let weighing = self.weighing(estimator, session.account(), rough.as_ref(), factor);
        let tau = weighing.clip.get();
        let crowd = rough.as_ref().map(|rough| Crowd {
            whole: rough.total(tau),
            at_least: rough.total_at_least(tau, (1.0 - options.confidence) / 5.0),
        });
        let asked = Asked { options, ranks, division: &division };
        let interval_share = asked.interval_share(&weighing, crowd);
        let (questions, places) = asked.questions(cells, &weighing, crowd, interval_share);
        let interval_share = if places.iter().any(Place::has_end) { interval_share } else { 0.0 };

        let units = PrivacyUnits::new(Share::ALL, weighing.clip)?;
        let choice = UnitRanks::new(
            units,
            (cells.steps(), cells.rows()),
            questions,
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
        let split = split(&places, &choice, &division);
        let ends = split.iter().fold(0.0, |ends, one: &QuantileSplit| ends + one.interval);
        let together = division.together(ranks.len(), 1.0 - ends);
        let found = Found {
            estimates: quantiles,
            error: asked.error(1.0 - interval_share, &weighing, crowd),
            units,
            noise: Noise { distribution: "permute-and-flip", scale: units.scale(), grid: None },
            split,
            together,
            no_interval,
        };
        Ok(self.published(found, table, session))
    }
}

/// What each quantile had of the budget.
fn split(places: &[Place], choice: &UnitRanks, division: &Division) -> Vec<QuantileSplit> {
    let questions = choice.questions();
    let (before, together) = match &questions.together {
        Some((tree, parts)) => (tree.nodes().len(), *parts as f64),
        None => (0, 0.0),
    };
    let all = choice.parts() as f64;
    let parts = |at: usize| match at.checked_sub(before) {
        Some(at) => questions.alone.get(at).map_or(0.0, |query| query.parts as f64),
        None => together / division.cost(places.len()),
    };
    let of_one = |place: &Place| QuantileSplit {
        q: place.rank,
        estimate: parts(place.estimate) / all,
        interval: place.ends().map(parts).fold(0.0, |sum, parts| sum + parts) / all,
    };
    places.iter().map(of_one).collect()
}

/// The error that ranks would have where Σ r = `whole`, without any doubt about that.
pub(super) fn expected_of_ranks(
    options: &AddRemoveOptions,
    ranks: &[Rank],
    division: &Division,
    weighing: &Weighing,
    whole: f64,
) -> ExpectedError {
    let asked = Asked { options, ranks, division };
    let crowd = Some(Crowd { whole, at_least: whole });
    asked.error(1.0 - asked.interval_share(weighing, crowd), weighing, crowd)
}

/// What is asked for, and how the budget of the estimates is divided.
struct Asked<'a> {
    options: &'a AddRemoveOptions,
    ranks: &'a [Rank],
    division: &'a Division,
}

impl Asked<'_> {
    /// The part of the budget that buys intervals: as told, or a fifth where that hardly harms the
    /// estimate.
    fn interval_share(&self, weighing: &Weighing, crowd: Option<Crowd>) -> f64 {
        if let Some(share) = self.options.interval_share {
            return share;
        }
        let Some(crowd) = crowd.filter(|crowd| crowd.at_least > 0.0) else { return 0.0 };
        let risk = |share: f64| {
            let noise = rank_noise(self.options, self.ranks, self.division, 1.0 - share);
            let each = self.ranks.iter().zip(noise);
            each.map(|(rank, noise)| {
                noise / (crowd.whole * crowd.whole)
                    + sampling(rank.get(), self.options, weighing, crowd.whole)
            })
            .sum::<f64>()
        };
        if risk(USUAL_SHARE) <= AFFORDABLE * AFFORDABLE * (1.0 + 1e-9) * risk(0.0) {
            USUAL_SHARE
        } else {
            0.0
        }
    }

    /// The questions to ask, and where their answers stand.
    fn questions(
        &self,
        cells: Cells,
        weighing: &Weighing,
        crowd: Option<Crowd>,
        interval_share: f64,
    ) -> (RankQuestions, Vec<Place>) {
        let (options, tree) = (self.options, self.division.tree());
        let end_parts = (interval_share * PARTS as f64 / 2.0) as u64;
        let part = end_parts as f64 / (PARTS * self.ranks.len() as u64) as f64;
        let before = tree.map_or(0, |tree| tree.nodes().len());
        let (mut alone, mut together) = (Vec::new(), 0);
        let mut ask = |rank, parts| {
            alone.push(RankQuery { rank, parts });
            before + alone.len() - 1
        };
        let whole = crowd.map_or(0.0, |crowd| crowd.at_least);
        let places = self.ranks.iter().enumerate().map(|(asked, rank)| {
            let ranks = match whole > 0.0 && end_parts > 0 {
                true => ranks_of_ends(*rank, part, whole, cells, options, weighing),
                false => (None, None),
            };
            // What an end that cannot be had does not cost is left to the estimate.
            let ends = [ranks.0, ranks.1].iter().flatten().count() as u64;
            let parts = PARTS - ends * end_parts;
            let estimate = match tree {
                Some(_) => {
                    together += parts;
                    asked
                }
                None => ask(*rank, parts),
            };
            Place {
                rank: *rank,
                estimate,
                lower: ranks.0.map(|rank| ask(rank, end_parts)),
                upper: ranks.1.map(|rank| ask(rank, end_parts)),
            }
        });
        let places = places.collect();
        let questions = RankQuestions {
            together: tree.map(|tree| (tree.clone(), together)),
            alone,
            ends: Vec::new(),
        };
        (questions, places)
    }

    /// The expected error of the rank of which it is largest, as a share of all people, where the
    /// estimates have this share of the budget together.
    fn error(&self, share: f64, weighing: &Weighing, crowd: Option<Crowd>) -> ExpectedError {
        let Some(crowd) = crowd else { return error(f64::NAN, f64::NAN) };
        if crowd.whole <= 0.0 {
            return error(1.0, 0.0);
        }
        let noise = rank_noise(self.options, self.ranks, self.division, share);
        let errors = self.ranks.iter().zip(noise).map(|(rank, noise)| {
            let noise = noise.sqrt() / crowd.whole;
            let sampling = sampling(rank.get(), self.options, weighing, crowd.whole).sqrt();
            let both = error(noise.min(1.0), sampling.min(1.0));
            ExpectedError { rmse: both.rmse.min(1.0), ..both }
        });
        let largest = errors.max_by(|one, other| one.rmse.total_cmp(&other.rmse));
        largest.unwrap_or(error(f64::NAN, f64::NAN))
    }
}

/// The variance of a rank by sampling.
fn sampling(q: f64, options: &AddRemoveOptions, weighing: &Weighing, whole: f64) -> f64 {
    q * (1.0 - q) * weighing.square(options, whole) / (whole * whole)
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
