//! Quantiles of records whose number is private.

use super::clip::{Weighing, division, factor_of_quantiles, rank_noise, side};
use super::people::People;
use super::release::{Found, error};
use super::request::Asked as Statistic;
use super::rough::Rough;
use super::{AddRemoveOptions, AddRemoveRequest};
use crate::quantile::reach::{self, RankSampling};
use crate::quantile::{Division, Drawn, Place, half_of_longest, in_order, no_interval};
use crate::session::Session;
use crate::{
    Bounds, Cells, EndsQuery, ExpectedError, LevelTable, Noise, PrivacyUnits, QuantileSplit, Rank,
    RankQuery, RankQuestions, Release, Result, Share, UnitRanks,
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
pub(super) struct Crowd {
    /// Σ r.
    pub(super) whole: f64,
    /// What it is at least, except with a fifth of the probability that an interval may miss.
    pub(super) at_least: f64,
}

/// What quantiles would be like, for people as one assumes them to be.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlannedRanks {
    /// τ.
    pub(super) tau: f64,
    /// The error of the rank of which it is largest.
    pub(super) error: ExpectedError,
    /// Half the length of the longest interval, of the rank; `None` if some quantile has none.
    pub(super) half_width: Option<f64>,
}

impl AddRemoveRequest {
    /// How many quantiles are asked for: none, if the statistic is another one.
    pub fn quantile_count(&self) -> usize {
        match self.asked() {
            Statistic::Quantiles { ranks, .. } => ranks.len(),
            _ => 0,
        }
    }

    /// Whether several quantiles are asked for by recursion on the middle one, because their ranks
    /// have less noise then.
    pub fn asks_together(&self) -> bool {
        let Statistic::Quantiles { ranks, .. } = self.asked() else { return false };
        division(self.options(), ranks).is_ok_and(|division| division.tree().is_some())
    }

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
            noise: Noise {
                distribution: division.distribution(),
                scale: units.scale(),
                grid: None,
            },
            split,
            together,
            no_interval,
        };
        Ok(self.published(found, table, session))
    }
}

/// What each quantile had of the budget.
fn split(places: &[Place], choice: &UnitRanks, division: &Division) -> Vec<QuantileSplit> {
    let (questions, all) = (choice.questions(), choice.parts() as f64);
    let of_one = |place: &Place| {
        let alone = questions.alone.get(place.estimate).map_or(0, |query| query.parts);
        let estimate = match &questions.together {
            Some((_, parts)) => *parts as f64 / division.cost(places.len()).unwrap_or(1.0),
            None => alone as f64,
        };
        let ends = questions.ends.iter().find(|ends| ends.around == place.estimate);
        let interval = ends.map_or(0, |ends| ends.parts) as f64;
        QuantileSplit { q: place.rank, estimate: estimate / all, interval: interval / all }
    };
    places.iter().map(of_one).collect()
}

/// What is asked for, and how the budget of the estimates is divided.
pub(super) struct Asked<'a> {
    pub(super) options: &'a AddRemoveOptions,
    pub(super) ranks: &'a [Rank],
    pub(super) division: &'a Division,
}

impl Asked<'_> {
    /// What quantiles would be like for such a crowd.
    pub(super) fn planned(&self, cells: Cells, weighing: &Weighing, crowd: Crowd) -> PlannedRanks {
        let share = self.interval_share(weighing, Some(crowd));
        let (questions, places) = self.questions(cells, weighing, Some(crowd), share);
        let share = if places.iter().any(Place::has_end) { share } else { 0.0 };
        let ranks: Vec<Rank> = questions.ranks().collect();
        let all = places.iter().all(Place::has_end);
        let error = self.error(1.0 - share, weighing, Some(crowd));
        PlannedRanks {
            tau: weighing.clip.get(),
            error,
            half_width: all.then(|| half_of_longest(&places, &ranks, error.noise_sd)),
        }
    }

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
        let end_parts = 2 * (interval_share * PARTS as f64 / 2.0) as u64;
        let part = end_parts as f64 / (PARTS * self.ranks.len() as u64) as f64;
        let whole = crowd.map_or(0.0, |crowd| crowd.at_least);
        let mut questions = RankQuestions {
            together: tree.map(|tree| (tree.clone(), 0)),
            alone: Vec::new(),
            ends: Vec::new(),
        };
        let mut answers = self.ranks.len();
        let mut next = || {
            answers += 1;
            answers - 1
        };
        let mut places = Vec::with_capacity(self.ranks.len());
        for (estimate, rank) in self.ranks.iter().enumerate() {
            let (lower, upper) = match whole > 0.0 && end_parts > 0 {
                true => {
                    // Fewer people than that are the same miss for all quantiles.
                    let at_once = if options.simultaneous { self.ranks.len() } else { 1 };
                    let fifth = (1.0 - options.confidence) / (5 * at_once) as f64;
                    ranks_of_ends(*rank, (part, whole, fifth), cells, options, weighing)
                }
                false => (None, None),
            };
            // What ends that cannot be had do not cost is left to the estimate.
            let some = lower.is_some() || upper.is_some();
            let parts = if some { PARTS - end_parts } else { PARTS };
            match &mut questions.together {
                Some((_, together)) => *together += parts,
                None => questions.alone.push(RankQuery { rank: *rank, parts }),
            }
            if some {
                questions.ends.push(EndsQuery { around: estimate, lower, upper, parts: end_parts });
            }
            let mut place = |end: Option<Rank>| end.map(|_| next());
            let (lower, upper) = (place(lower), place(upper));
            places.push(Place { rank: *rank, estimate, lower, upper });
        }
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
/// Of the probability of a miss a fifth is for fewer people than that; the draw of both ends has
/// two fifths, and sampling one on either side. Of intervals that hold all at once each has its
/// part of the last four.
fn ranks_of_ends(
    rank: Rank,
    (part, whole, fifth): (f64, f64, f64),
    cells: Cells,
    options: &AddRemoveOptions,
    weighing: &Weighing,
) -> (Option<Rank>, Option<Rank>) {
    let q = rank.get();
    let (sampling, miss) = match weighing.is_exact(options) {
        true => (RankSampling::none(), 4.0 * fifth),
        // Nobody weighs more than τ, and Chernoff's bound is the worst where all weigh as much.
        false => {
            (RankSampling::of_independent((weighing.clip.get() / whole).min(1.0)), 2.0 * fifth)
        }
    };
    let (below, above) = (sampling.below(q, fifth), sampling.above(q, fifth));
    let draw = |side: f64| {
        let scale = 2.0 * side / (part * whole);
        reach::draw(scale, EndsQuery::others(cells.steps()), miss) + reach::ROUNDING
    };
    // A distance counts over 2·max(q', 1 − q'), the larger of both ranks q' (over 2 with both): at
    // most 2, and then what follows from the ranks that this gives, between which all others are.
    let widest = draw(1.0);
    let larger = side(options, q - widest - below).max(side(options, q + widest + above));
    let draw = draw(larger.min(1.0));
    (Rank::nearest(q - draw - below), Rank::nearest(q + draw + above))
}
