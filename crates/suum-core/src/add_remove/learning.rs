//! Range learning under add-remove: a mean or a sum first learns where the values lie.

use super::AddRemoveRequest;
use super::beyond::NoisyBeyond;
use super::clip::Weighing;
use super::noisy_answer::{NoisyAnswer, NoisySums, measure};
use super::noisy_profile::{NoisyProfile, pay_for_profile, top};
use super::people::People;
use super::ratio::{Ratio, RatioNoise};
use super::release::error;
use crate::private::session::{Account, Cost, Session};
use crate::statistics::count::Count;
use crate::steps::adaptive::{
    C, Learning, MOST_BEYOND, OF_PLAIN, RangeRule, expected_length, shortest, usual_variance,
};
use crate::{
    AdaptingCost, CellBlocks, CellRange, Epsilon, Estimator, ExpectedError, Grid, LevelTable, Loss,
    Neighbors, PrivacyUnits, Profile, RangeChoice, Result, Share, Spending,
};

/// Mean, as a share of the range, at which noise is about as large as usual.
const USUAL_MEAN: f64 = 0.25;

/// Learned range, with the records whose values were clamped to it.
pub(crate) struct ClampedRecords {
    range_rule: RangeRule,
    range: CellRange,
    /// Ratio of the width of the range to the width that was chosen.
    wider: f64,
    /// Records with clamped values.
    pub(crate) inside: LevelTable,
    pub(crate) grid: Grid,
    /// Grid of the declared bounds.
    pub(crate) whole: Grid,
    /// Noisy profile of what people have left after learning.
    pub(crate) noisy_profile: NoisyProfile,
    /// Expected error of a mean that learns no range.
    plain: ExpectedError,
    /// Loss of every declared budget so far, in the order of the declared rows.
    learning: Vec<Loss>,
}

/// Noisy sums of values in a range, and of the distances of those beyond it.
pub(crate) struct RangeSums {
    pub(crate) weighing: Weighing,
    pub(crate) sums: NoisySums,
    pub(crate) beyond: Option<NoisyBeyond>,
    /// Costs of learning and of the cut-off part, for every declared budget that is not public.
    pub(crate) costs: Vec<AdaptingCost>,
}

impl RangeSums {
    /// Returns the estimated number of records, if all have the same weight.
    pub(crate) fn count(&self) -> Count {
        let each = self.weighing.clip.get();
        let [above, below] = self.sums.ends();
        let (scale, noises) = match self.sums.seen {
            NoisyAnswer::Ends(_) => (1.0, 2.0),
            NoisyAnswer::Moments(_) => (1.0, 3.0),
            // Σ r/2 was measured, so the noise doubles.
            NoisyAnswer::Centred { .. } => (2.0, 1.0),
        };
        Count { records: (above + below) / each, scales: vec![(scale / each, noises)] }
    }
}

/// Weights for measuring the mean, with the errors expected of it and of the part beyond the range.
struct Way {
    weighing: Weighing,
    error: ExpectedError,
    /// Expected scale of the noise of the part beyond the range.
    beyond: f64,
}

impl AddRemoveRequest {
    /// Returns true if a range is to be learned, provided that enough people take part.
    pub(crate) fn may_learn(&self, people: &People<'_>) -> bool {
        self.adapts() && people.cells_of_sums().is_some()
    }

    /// Learns where the values lie. Returns `None` if no range is to be learned, or too few people
    /// are seen to take part.
    ///
    /// Weights and slacks follow from declared budgets and the noisy profile.
    pub(crate) fn learn(
        &self,
        people: &People<'_>,
        grid: &Grid,
        noisy_profile: Option<&NoisyProfile>,
        session: &mut Session<'_>,
    ) -> Result<Option<ClampedRecords>> {
        let (Some(cells), Some(noisy_profile)) = (people.cells_of_sums(), noisy_profile) else {
            return Ok(None);
        };
        if !self.may_learn(people) || !session.account().checks_all() {
            return Ok(None);
        }
        let learning = self.learning(noisy_profile).filter(|_| RangeRule::is_possible(grid, cells));
        let Some(learning) = learning else { return Ok(None) };
        let left = noisy_profile.left();
        let (units, of_mean) = (learning.units(&left), learning.units_of_mean(&left));
        let blocks = CellBlocks::new(cells, grid);
        let least = RangeRule::least(grid.bounds(), self.options());
        let range_rule = RangeRule { blocks, units, of_mean, least };
        let plain = self.plain_error(session.account(), noisy_profile, grid.bounds().width());
        if let Some(kept) = learning.amount_kept_in_units()? {
            session.keep(kept)?;
        }
        let choice = RangeChoice::in_units(learning.in_units()?, range_rule.search());
        let account = session.account();
        let records = people.by_level().iter();
        let records =
            records.map(|level_sums| (account.left(level_sums.epsilon), &level_sums.cells));
        let records = records.collect();
        let chosen = session.measure(&choice, records)?;
        let (range, wider) = range_rule.widened(chosen);
        let inside = people.table().clamped(range.first, range.last)?;
        let part = *inside.grid().unwrap_or(grid);
        let noisy_profile = noisy_profile
            .with_left(|left| left - learning.amount_kept(left) - learning.spent(left));
        let learning = self.lost(session.account());
        let whole = *grid;
        Ok(Some(ClampedRecords {
            range_rule,
            range,
            wider,
            inside,
            grid: part,
            whole,
            noisy_profile,
            plain,
            learning,
        }))
    }

    /// Returns the spending on learning by people as in `noisy_profile`. Returns `None` if no range
    /// is to be learned, or there are too few people.
    fn learning(&self, noisy_profile: &NoisyProfile) -> Option<Learning> {
        let tau = noisy_profile.clip_level(C * self.times_noise());
        let learning = Learning::new(&noisy_profile.left(), tau, self.options().spare);
        learning.filter(|_| self.adapts())
    }

    /// Returns, for people as assumed, the spending of every declared budget after learning, and
    /// the most that learning and the release can spend together.
    pub(crate) fn planned_learning(&self, assumed: &Profile) -> Result<Option<[Vec<Spending>; 2]>> {
        let numbers = self.numbers().filter(|numbers| {
            numbers.cells.is_some_and(|cells| RangeRule::is_possible(&numbers.grid, cells))
        });
        if numbers.is_none() || !self.adapts() {
            return Ok(None);
        }
        let mut account = self.account();
        pay_for_profile(&mut account)?;
        let learning = self.learning(&NoisyProfile::assumed(assumed, &account));
        let Some(learning) = learning else { return Ok(None) };
        if let Some(kept) = learning.amount_kept_in_units()? {
            account.charge(Cost::Kept(kept))?;
        }
        account.charge(Cost::OfLeft(learning.in_units()?))?;
        let cost = self.certificate(&account);
        // Records without a limit spend no more than the mean and the part beyond the range need.
        account.charge(Cost::OfLeft(PrivacyUnits::new(Share::ALL, top(&account))?))?;
        account.charge(Cost::OfLeft(PrivacyUnits::new(Share::ALL, Epsilon::new(MOST_BEYOND)?)?))?;
        Ok(Some([cost, self.certificate(&account)]))
    }

    /// Returns the approximate ratio of the noise variance to that of add-remove neighbours.
    fn times_noise(&self) -> f64 {
        if self.options().neighbors == Neighbors::Both { 2.0 } else { 1.0 }
    }

    /// Returns the expected error of a mean without learning, at a usual variance.
    fn plain_error(
        &self,
        account: &Account,
        noisy_profile: &NoisyProfile,
        width: f64,
    ) -> ExpectedError {
        let c = 2.0 * self.times_noise() / usual_variance(1.0);
        let weighing = self.weighing(Estimator::Typical, account, Some(noisy_profile), c);
        let made = self.ratio_noise(self.tells_spread(&weighing));
        self.expected_in(&weighing, noisy_profile, (made, usual_variance(1.0)), width)
    }

    /// Returns the expected error of a mean with these weights, for values of this variance (a
    /// share of the squared width).
    fn expected_in(
        &self,
        weighing: &Weighing,
        noisy_profile: &NoisyProfile,
        (made, variance): (RatioNoise, f64),
        width: f64,
    ) -> ExpectedError {
        let whole = noisy_profile.total(weighing.clip.get());
        let noise = Ratio::noise_variance(USUAL_MEAN, made, whole).sqrt();
        let sampling = (variance * weighing.square(self.options(), whole)).sqrt() / whole;
        error(noise * width, sampling * width)
    }

    /// Returns the loss of every declared budget in this part of the release.
    fn lost(&self, account: &Account) -> Vec<Loss> {
        let rows = self.budgets().rows().into_iter();
        rows.map(|(_, epsilon)| account.spent_in_part(epsilon)).collect()
    }
}

impl ClampedRecords {
    /// Returns, for the lower and the upper side, true if the range ends inside the bounds.
    pub(crate) fn cut(&self) -> [bool; 2] {
        self.range_rule.cut(self.range)
    }

    /// Returns the records with clamped values.
    pub(crate) fn people(&self) -> People<'_> {
        People::present(&self.inside)
    }

    /// Measures the mean of the values in the range, and then the distances beyond it, with people
    /// who have `noisy_profile` left.
    pub(crate) fn measure(
        &self,
        request: &AddRemoveRequest,
        table: &LevelTable,
        noisy_profile: &NoisyProfile,
        session: &mut Session<'_>,
    ) -> Result<RangeSums> {
        let Way { weighing, .. } = self.way(request, noisy_profile, session.account())?;
        let (people, spread) = (self.people(), request.tells_spread(&weighing));
        let sums = measure(&people, &self.grid, &weighing, spread, session)?;
        let after = request.lost(session.account());
        let spent = |left: f64| (weighing.share.get() * left).min(weighing.clip.get());
        let noisy_profile = noisy_profile.with_left(|left| left - spent(left));
        let beyond = NoisyBeyond::measured(self.sides(), table, &noisy_profile, session)?;
        let all = request.lost(session.account());
        let costs = request.budgets().rows().into_iter().enumerate();
        let costs = costs.filter(|(_, (_, epsilon))| !epsilon.is_public());
        let costs = costs.filter_map(|(at, (level, _))| {
            let learning = self.learning.get(at)?.clone();
            let beyond = all.get(at)?.without(after.get(at)?);
            Some(AdaptingCost { level, learning, beyond })
        });
        Ok(RangeSums { weighing, sums, beyond, costs: costs.collect() })
    }

    /// Chooses the weights of the mean. If values were cut off, a share of the budget is kept for
    /// measuring them.
    fn way(
        &self,
        request: &AddRemoveRequest,
        noisy_profile: &NoisyProfile,
        account: &Account,
    ) -> Result<Way> {
        let (options, cut) = (request.options(), self.cut());
        let variance = usual_variance(self.wider);
        let c = 2.0 * request.times_noise() / variance;
        let (inner, width) = (self.grid.bounds().width(), self.whole.bounds().width());
        let way = |kept: f64| {
            let share = Share::new(1.0 - kept)?;
            let part = noisy_profile.with_left(|left| share.get() * left);
            let typical = Estimator::Typical;
            let weighing = request.weighing_of_part(typical, account, Some(&part), c, share);
            let made = request.ratio_noise(request.tells_spread(&weighing));
            let error = request.expected_in(&weighing, &part, (made, variance), inner);
            let clip = weighing.clip.get();
            let rest = noisy_profile.with_left(|left| left - (share.get() * left).min(clip));
            let units = rest.total(MOST_BEYOND);
            let beyond = (width - inner) * request.times_noise().sqrt() / units;
            Ok(Way { weighing, error, beyond })
        };
        if cut == [false; 2] {
            return way(0.0);
        }
        let error = |way: &Way| way.error.rmse;
        let length = |way: &Way| {
            let scale = way.error.noise_sd / std::f64::consts::SQRT_2;
            let mean = (scale, way.error.sampling_sd);
            expected_length(options.confidence, mean, way.beyond, cut)
        };
        shortest(way, error, length, OF_PLAIN * self.plain.rmse)
    }

    /// Returns the cells below and above the range, as pairs of first and last cell; `None` for a
    /// side on which nothing is cut off.
    fn sides(&self) -> [Option<(u32, u32)>; 2] {
        let steps = self.range_rule.blocks.steps();
        let [below, above] = self.cut();
        [below.then(|| (0, self.range.first - 1)), above.then(|| (self.range.last + 1, steps))]
    }
}
