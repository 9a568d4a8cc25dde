//! Quantiles under add-remove.

use super::answer_positions::{AnswerPositions, PARTS, end_parts, half_of_longest, no_interval};
use super::histogram::{CellNoise, CellShares, Fineness};
use super::order::{QuantileDraw, in_order};
use super::questions::ask;
use super::rank_sampling::{RankSampling, Sides};
use super::request::check_ranks;
use super::slack::{self, Slack};
use super::{Division, QuantileEstimands};
use crate::add_remove::AddRemoveStatistic;
use crate::add_remove::clip::{Weighing, division, factor_of_quantiles, rank_noise, side};
use crate::add_remove::expected::Guess;
use crate::add_remove::noisy_profile::NoisyProfile;
use crate::add_remove::people::People;
use crate::add_remove::release::{Outcome, discrete_laplace, error};
use crate::error::{OptionName, option};
use crate::private::session::{Account, Session};
use crate::{
    AddRemoveCandidate, AddRemoveRequest, Cells, EndsQuery, Estimator, ExpectedError, LevelTable,
    Neighbors, Noise, Options, PrivacyUnits, QuantileMethod, Rank, RankChoice, RankQuestions,
    RefinedCounts, Release, Result, Share,
};

/// Default share of the budget for intervals, and the largest factor by which it may increase the
/// expected error of the rank.
const USUAL_SHARE: f64 = 0.2;
const AFFORDABLE: f64 = 1.25;

/// Size of the dataset, estimated from noisy numbers.
#[derive(Debug, Clone, Copy)]
struct EffectiveSize {
    /// Estimate of Σ r.
    whole: f64,
    /// Lower bound on Σ r, which fails with at most a fifth of the probability that an interval may
    /// miss.
    at_least: f64,
}

impl AddRemoveRequest {
    /// Returns the number of quantiles; zero for other statistics.
    pub fn quantile_count(&self) -> usize {
        self.ranks().len()
    }

    /// Returns true if the division of the budget depends on the size of the dataset.
    fn needs_crowd(&self) -> bool {
        let Options { interval_share, method, .. } = self.options();
        *interval_share != Some(0.0) || *method == Some(QuantileMethod::Histogram)
    }
}

impl AddRemoveStatistic for QuantileEstimands {
    fn uses(&self) -> &'static [OptionName] {
        &[
            option::SIMULTANEOUS,
            option::INTERVAL_SHARE,
            option::STEP,
            option::ESTIMATOR,
            option::PER_PERSON,
        ]
    }

    fn check(&self) -> Result<()> {
        check_ranks(&self.ranks)
    }

    fn buys_profile(&self, request: &AddRemoveRequest, by: Estimator, account: &Account) -> bool {
        request.needs_crowd() || request.needs_profile(by, account)
    }

    fn expect(&self, mut guess: Guess<'_>) -> Result<AddRemoveCandidate> {
        let options = guess.request.options();
        // Expected noisy profile, without its noise.
        let seen = guess.seen()?;
        let (weighing, whole, _) = guess.weigh(factor(options, &self.ranks)?)?;
        let miss = (1.0 - options.confidence) / 5.0;
        let at_least = seen.total_at_least(weighing.clip.get(), miss);
        let way = Way::best(self, options, weighing, Some(EffectiveSize { whole, at_least }))?;
        Ok(AddRemoveCandidate {
            rank_half_width: way.half_width(),
            method: Some(way.division.method()),
            ..guess.candidate(way.weighing.clip, way.error())
        })
    }

    fn release(
        &self,
        request: &AddRemoveRequest,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let (bounds, QuantileEstimands { ranks, cells }) = (request.inside(), self);
        let (people, _) = People::with_numbers(table, bounds, Some(*cells))?;
        let (options, estimator) = (request.options(), request.estimator());
        let noisy_profile = match self.buys_profile(request, estimator, session.account()) {
            true => Some(NoisyProfile::measured(&people, request.budgets(), session)?),
            false => None,
        };
        let factor = factor(options, ranks)?;
        let weighing =
            request.weighing(estimator, session.account(), noisy_profile.as_ref(), factor);
        let tau = weighing.clip.get();
        let effective_size = noisy_profile.as_ref().map(|noisy_profile| EffectiveSize {
            whole: noisy_profile.total(tau),
            at_least: noisy_profile.total_at_least(tau, (1.0 - options.confidence) / 5.0),
        });
        let way = Way::best(self, options, weighing, effective_size)?;
        let units = PrivacyUnits::new(Share::ALL, way.weighing.clip)?;
        let over = (cells.steps(), cells.rows());
        let account = session.account();
        let by_level = people.by_level().iter();
        let records =
            by_level.map(|level_sums| (account.left(level_sums.epsilon), &level_sums.cells));
        let records = records.collect();
        let (drawn, noise): (Vec<QuantileDraw>, Noise) = match &way.slack {
            Some(slack) => {
                let (rule, whole) = (way.fineness().refinement(), way.whole().max(1.0) as u128);
                let counts = RefinedCounts::in_units(units, over, rule, whole, options.neighbors);
                let seen = session.measure(&counts, records)?;
                let shares = CellShares::new(seen, CellNoise::Independent);
                (
                    shares.read(ranks, slack, (*cells, bounds)),
                    discrete_laplace(counts.scale().clone(), None),
                )
            }
            None => {
                let parts = PARTS * ranks.len() as u64;
                let questions = way.questions.clone();
                let choice = RankChoice::in_units(units, over, questions, parts, options.neighbors);
                let answers = session.measure(&choice, records)?.into_iter();
                let answers: Vec<f64> = answers.map(|one| cells.value(bounds, one)).collect();
                let drawn = way.positions.iter().map(|position| position.drawn(&answers));
                let distribution = way.division.distribution();
                (drawn.collect(), Noise { distribution, scale: units.scale(), grid: None })
            }
        };

        // From here on: post-processing.
        let half_step = cells.half_step(bounds, options.whole);
        let split: Vec<_> = way.division.split(&way.positions, way.interval_share).collect();
        let ends = split.iter().fold(0.0, |ends, one| ends + one.interval);
        let found = Outcome {
            estimates: in_order(&drawn, bounds, half_step, options.confidence),
            error: way.error(),
            units,
            noise,
            split,
            together: way.division.together(ranks.len(), 1.0 - ends),
            no_interval: way.no_interval(),
        };
        Ok(request.published(found, table, session))
    }
}

/// Returns the noise factor c of these quantiles, for questions without a histogram.
fn factor(options: &Options, ranks: &[Rank]) -> Result<f64> {
    let usual = 1.0 - options.interval_share.unwrap_or(USUAL_SHARE);
    Ok(factor_of_quantiles(ranks, &rank_noise(options, ranks, &division(options, ranks)?, usual)))
}

/// Ranks to estimate, with options and candidates.
#[derive(Debug, Clone, Copy)]
struct AskedRanks<'a> {
    options: &'a Options,
    ranks: &'a [Rank],
    cells: Cells,
}

/// Way to estimate the quantiles of a dataset of this size.
#[derive(Debug, Clone)]
struct Way<'a> {
    asked: AskedRanks<'a>,
    weighing: Weighing,
    effective_size: Option<EffectiveSize>,
    division: Division,
    /// Share of the budget for the ends of intervals.
    interval_share: f64,
    questions: RankQuestions,
    positions: Vec<AnswerPositions>,
    /// Slack of ends that are read off a histogram.
    slack: Option<Slack>,
}

impl<'a> Way<'a> {
    /// Returns the way of least expected error, or the one asked for. A histogram is taken if its
    /// error is at most that of questions that also pay for intervals.
    fn best(
        QuantileEstimands { ranks, cells }: &'a QuantileEstimands,
        options: &'a Options,
        weighing: Weighing,
        effective_size: Option<EffectiveSize>,
    ) -> Result<Self> {
        let asked = AskedRanks { options, ranks, cells: *cells };
        let Options { interval_share, method, .. } = asked.options.clone();
        let histogram = || {
            let division = Division::Histogram { steps: asked.cells.steps() };
            Self::with_division(asked, weighing.clone(), effective_size, division)
        };
        if method == Some(QuantileMethod::Histogram) {
            return Ok(histogram());
        }
        let questions = Self::with_division(
            asked,
            weighing.clone(),
            effective_size,
            division(asked.options, asked.ranks)?,
        );
        // Its intervals cost nothing, which is its only advantage for a single quantile.
        let is_of_use = match interval_share {
            None => true,
            Some(share) => share == 0.0 && asked.ranks.len() > 1,
        };
        let is_seen = effective_size.is_some_and(|effective_size| effective_size.at_least > 0.0);
        let better = (method.is_none() && is_of_use && is_seen)
            .then(histogram)
            .filter(|way| !way.fineness().is_blind() && way.risk() <= questions.risk());
        Ok(better.unwrap_or(questions))
    }

    fn with_division(
        asked: AskedRanks<'a>,
        weighing: Weighing,
        effective_size: Option<EffectiveSize>,
        division: Division,
    ) -> Self {
        let positions = AnswerPositions::without_ends(asked.ranks);
        let questions = RankQuestions::alone(Vec::new());
        let mut way = Self {
            asked,
            weighing,
            effective_size,
            division,
            interval_share: 0.0,
            questions,
            positions,
            slack: None,
        };
        match way.division {
            Division::Histogram { .. } => way.slack = Some(way.slack()),
            Division::Even | Division::Recursion { .. } => way.ask(),
        }
        way
    }

    /// Sets the questions: estimates, and ends of intervals if they hardly harm the estimates.
    fn ask(&mut self) {
        let share = self.affordable();
        let end_parts = end_parts(share);
        let AskedRanks { ranks, .. } = self.asked;
        let part = end_parts as f64 / (PARTS * ranks.len() as u64) as f64;
        let has_ends = self.at_least() > 0.0 && end_parts > 0;
        let sides = has_ends.then(|| self.sampling().sides(self.miss()));
        let ends = |rank: Rank| match &sides {
            Some(sides) => self.ranks_of_ends(rank, part, sides),
            None => [None, None],
        };
        let (questions, positions) = ask(ranks, &self.division, end_parts, ends);
        (self.questions, self.positions) = (questions, positions);
        self.interval_share =
            if self.positions.iter().any(AnswerPositions::has_end) { share } else { 0.0 };
    }

    /// Returns the share of the budget for intervals: the one asked for, or a fifth if that hardly
    /// harms the estimates.
    fn affordable(&self) -> f64 {
        if let Some(share) = self.asked.options.interval_share {
            return share;
        }
        let risk = |share: f64| self.variances(share).map(|(own, sampling)| own + sampling).sum();
        let (with, without): (f64, f64) = (risk(USUAL_SHARE), risk(0.0));
        let is_affordable = with <= AFFORDABLE * AFFORDABLE * (1.0 + 1e-9) * without;
        if self.at_least() > 0.0 && is_affordable { USUAL_SHARE } else { 0.0 }
    }

    /// Returns the estimated total weight of all records; NaN if it was not measured.
    fn whole(&self) -> f64 {
        self.effective_size.map_or(f64::NAN, |effective_size| effective_size.whole)
    }

    fn at_least(&self) -> f64 {
        self.effective_size.map_or(0.0, |effective_size| effective_size.at_least)
    }

    /// Returns the fineness of a histogram for this dataset.
    fn fineness(&self) -> Fineness {
        Fineness::new(self.cell_noise(), self.asked.cells.steps())
    }

    /// Returns half the scale of the noise in a cell, as a share of all weight.
    fn cell_noise(&self) -> f64 {
        side_of_value(self.asked.options) / (2.0 * self.whole())
    }

    /// Returns for every rank the variances of its noise and of sampling, as shares of all people,
    /// if ends of intervals have this share of the budget.
    fn variances(&self, interval_share: f64) -> impl Iterator<Item = (f64, f64)> + '_ {
        let AskedRanks { options, ranks, .. } = self.asked;
        let whole = self.whole();
        let noise: Vec<f64> = match self.division {
            Division::Histogram { .. } => {
                let (noise, fineness) = (self.cell_noise(), self.fineness());
                ranks.iter().map(|rank| fineness.variance(noise, rank.get())).collect()
            }
            _ => {
                let noise = rank_noise(options, ranks, &self.division, 1.0 - interval_share);
                noise.into_iter().map(|noise| noise / (whole * whole)).collect()
            }
        };
        let square = self.weighing.square(options, whole) / (whole * whole);
        let sampling = move |rank: &Rank| rank.get() * (1.0 - rank.get()) * square;
        noise.into_iter().zip(ranks.iter().map(sampling))
    }

    fn risk(&self) -> f64 {
        self.variances(self.interval_share).map(|(noise, sampling)| noise + sampling).sum()
    }

    /// Returns the largest expected error of a rank, as a share of all people.
    fn error(&self) -> ExpectedError {
        if self.whole() <= 0.0 {
            return error(1.0, 0.0);
        }
        let errors = self.variances(self.interval_share).map(|(noise, sampling)| {
            let both = error(noise.sqrt().min(1.0), sampling.sqrt().min(1.0));
            ExpectedError { rmse: both.rmse.min(1.0), ..both }
        });
        let largest = errors.max_by(|one, other| one.rmse.total_cmp(&other.rmse));
        largest.filter(|_| self.effective_size.is_some()).unwrap_or(error(f64::NAN, f64::NAN))
    }

    /// Returns half the length of the longest interval, in ranks; `None` if some quantile has no
    /// interval.
    fn half_width(&self) -> Option<f64> {
        if let Some(slack) = &self.slack {
            return Some(self.fineness().half_width(slack, self.cell_noise()));
        }
        let ranks: Vec<Rank> = self.questions.ranks().collect();
        let all = self.positions.iter().all(AnswerPositions::has_end);
        all.then(|| half_of_longest(&self.positions, &ranks, self.error().noise_sd))
    }

    fn no_interval(&self) -> Option<&'static str> {
        let asked = self.asked.options.interval_share;
        no_interval(&self.positions, asked).filter(|_| self.slack.is_none())
    }

    /// Returns the probability with which an interval may miss: four fifths of the total, divided
    /// among intervals that hold simultaneously. The last fifth is for fewer people than
    /// `at_least`.
    fn miss(&self) -> f64 {
        let AskedRanks { options, ranks, .. } = self.asked;
        let at_once = if options.simultaneous { ranks.len() } else { 1 };
        4.0 * (1.0 - options.confidence) / (5 * at_once) as f64
    }

    /// Returns the effect of sampling on ranks.
    fn sampling(&self) -> RankSampling {
        match self.weighing.is_exact(self.asked.options) {
            true => RankSampling::none(),
            // No record weighs more than τ, and Chernoff's bound is worst for equal weights.
            false => {
                let most = (self.weighing.clip.get() / self.at_least()).min(1.0);
                RankSampling::for_independent(most)
            }
        }
    }

    fn slack(&self) -> Slack {
        let (sampling, miss) = (self.sampling(), self.miss() / 2.0);
        let (noise, fineness) = (self.cell_noise(), self.fineness());
        let sides = sampling.sides(miss);
        let of = |rank: &Rank| (sides.shortfalls(*rank), fineness.noise_sd(noise, rank.get()));
        Slack::new(self.asked.ranks.iter().map(of), miss)
    }

    /// Returns the ranks of both ends, for this share of the budget ([`slack::ends`]).
    fn ranks_of_ends(&self, rank: Rank, part: f64, sides: &Sides) -> [Option<Rank>; 2] {
        let AskedRanks { options, cells, .. } = self.asked;
        let (q, miss, whole) = (rank.get(), self.miss(), self.at_least());
        let sides = sides.shortfalls(rank);
        let ends = |side: f64| {
            let scale = 2.0 * side / (part * whole);
            slack::ends((scale, EndsQuery::others(cells.steps())), q, &sides, miss)
        };
        // A distance counts over 2·max(q', 1 − q'), the larger of both ranks q' (over 2 with both
        // neighbours). It is first taken to be at most 2, and then computed from the resulting
        // ranks, which contain all others.
        let (lower, upper) = ends(1.0);
        let larger = side(options, lower.unwrap_or(0.0)).max(side(options, upper.unwrap_or(1.0)));
        let (lower, upper) = ends(larger.min(1.0));
        [lower.and_then(Rank::nearest), upper.and_then(Rank::nearest)]
    }
}

/// Returns the most by which a record of weight 1 moves the weights of all cells.
fn side_of_value(options: &Options) -> f64 {
    if options.neighbors == Neighbors::Both { 2.0 } else { 1.0 }
}
