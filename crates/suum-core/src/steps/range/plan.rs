//! Plan of the search for a range: shares of the budget, clip levels and radius, all from public
//! facts.

use serde::Serialize;

use super::found_range::{FoundRange, NormalFit, normal_radius};
use crate::error::{declare_bounds, option};
use crate::private::mechanism::{FloatQuantile, RangeCheck, RangeKeys};
use crate::private::session::{Cost, Session};
use crate::strategy::weights::l2::{PowerSums, clip_level};
use crate::{
    Epsilon, Error, FloatOrder, Key, Loss, Neighbors, PrivacyUnits, Profile, Randomness, Rank,
    Records, Result, Share,
};

/// Shares of every budget for the centre, the radius, the check and the statistic.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RangeShares {
    /// Share for the centre of the range.
    pub centre: Share,
    /// Share for the radius.
    pub radius: Share,
    /// Share for the decision whether the data lie in the range.
    pub check: Share,
    /// Share for the statistic inside the range.
    pub statistic: Share,
}

/// Plan of a private search for a range that holds nearly all of bell-shaped data, wherever it lies
/// and whatever its scale.
///
/// # Method
///
/// Records count with min(sε, τ), where s is the share of the budget that a step may spend. The
/// centre m is a private weighted median, the radius a private quantile of the distances |x − m|,
/// both by [`FloatQuantile`]. A last noisy number decides whether the data lie there at all
/// ([`RangeCheck`]). The range is m ± k standard deviations, where the standard deviation is that
/// of normal data with this radius. This is how the `gaussian` estimator finds a range: the stages
/// of DG26 Algorithm 6, on weighted counts in place of random samples.
///
/// Each share is as small as makes its step nearly certain to succeed for data whose centre is up
/// to a million standard deviations from zero, but at least one or two hundredths. k is the largest
/// for which the error of the mean of normal data grows by at most a tenth, because a wide range
/// harms skewed data less.
///
/// # Example
///
/// ```
/// use suum_core::{Neighbors, RangePlan};
///
/// let plan = RangePlan::new(&"0.1:8767,1:4028,inf:560".parse()?, Neighbors::ReplaceOne)?;
/// assert!(plan.shares().statistic.get() > 0.9);
/// assert!(RangePlan::new(&"0.01:400".parse()?, Neighbors::ReplaceOne).is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RangePlan {
    shares: RangeShares,
    #[serde(skip)]
    centre: FloatQuantile,
    #[serde(skip)]
    radius: FloatQuantile,
    #[serde(skip)]
    check: RangeCheck,
    #[serde(rename = "radius_rank")]
    rank: Rank,
    half_width_sds: f64,
    // Share of the mean in what was left.
    #[serde(skip)]
    for_mean: f64,
    needed: u64,
}

/// Privacy units (Σ min(sε, τ)) that find a median among 2^60 candidates. Wrong candidates get a
/// factor of e^-27, and there are e^18 times as many if the centre is a million standard deviations
/// from zero.
const FOR_CENTRE: f64 = 110.0;
/// Privacy units with which a wrong range is accepted, or a right one refused, with a probability
/// of e^-8/2. A quarter of them is the slack.
const FOR_CHECK: f64 = 32.0;
/// Additional units if the number of people is private: then the margin must separate the data from
/// a slack of zero, that of an empty dataset.
const FOR_MARGIN: f64 = 16.0;
/// Possible ranks of the radius, a quantile: numerator and denominator, the units that it needs,
/// and the largest share of the budget that it is worth. Skewed data need high ranks; few records
/// can afford only the median.
const FOR_RADIUS: [(u64, u64, f64, f64); 3] =
    [(9, 10, 400.0, 0.03), (3, 4, 160.0, 0.05), (1, 2, 70.0, 0.25)];
/// Least and largest share of the budget for each step.
const CENTRE: (f64, f64) = (0.02, 0.35);
const RADIUS: (f64, f64) = (0.01, 0.25);
const CHECK: (f64, f64) = (0.005, 0.15);
/// Least units with which anything can be found, wherever the data lie.
const LEAST_FOR_CENTRE: f64 = 24.0;
const LEAST_FOR_CHECK: f64 = 8.0;
/// Largest probability of accepting a wrong range.
const WRONG: f64 = 0.01;
/// Largest factor by which a wider range may increase the error of the mean of normal data.
const AFFORDABLE: f64 = 1.1;
/// Half widths to consider, in standard deviations: least, largest, and step.
const HALF_WIDTHS: (f64, f64, f64) = (2.0, 6.0, 0.125);
/// Largest loss of any record in the search; more would gain nothing.
const MOST_SPENT: f64 = 64.0;

impl RangePlan {
    /// Name of the estimator on the command line and in JSON.
    pub const NAME: &str = "gaussian";

    /// Description of the estimator in one line, for lists of estimators.
    pub const ABOUT: &str = "a range from weighted ranks, then weights min(ε, τ)";

    /// Returns a search for records of this profile, which is public under replace-one neighbours
    /// and otherwise a noisy one.
    ///
    /// # Errors
    ///
    /// Refuses a profile with which no range could be found, wherever the data lie.
    pub fn new(profile: &Profile, neighbors: Neighbors) -> Result<Self> {
        Self::for_part(profile, neighbors, 1.0)
    }

    /// Returns a search if only the share `part` of every budget is left: `profile` has what is
    /// left, while the shares of the plan are those of whole budgets.
    pub(crate) fn for_part(profile: &Profile, neighbors: Neighbors, part: f64) -> Result<Self> {
        profile.check_usable()?;
        let (people, records) = (&PowerSums::new(profile), profile.records());
        let enough = needed(people, records);
        let (_, in_centre) = privacy_units(people, CENTRE.1, 1.0);
        let (_, in_check) = privacy_units(people, CHECK.1, 1.0);
        if in_centre < LEAST_FOR_CENTRE || in_check < LEAST_FOR_CHECK {
            return Err(not_enough(enough));
        }
        let for_centre = least_share(people, FOR_CENTRE, CENTRE);
        let (rank, for_radius) = radius(people)?;
        let add_remove = neighbors.hides_participation();
        let for_check =
            least_share(people, FOR_CHECK + if add_remove { FOR_MARGIN } else { 0.0 }, CHECK);
        let for_mean = 1.0 - for_centre - for_radius - for_check;
        let parts = [for_centre, for_radius, for_check, for_mean];
        let mut of_all: Vec<f64> = parts.iter().map(|share| share * part).collect();
        of_all.extend((part < 1.0).then_some(1.0 - part));
        let mut shares = Share::split(&of_all)?.into_iter();
        let mut next = || shares.next().unwrap_or_default();
        let shares =
            RangeShares { centre: next(), radius: next(), check: next(), statistic: next() };
        let units = |share: Share, part: f64| {
            PrivacyUnits::new(share, clip(privacy_units(people, part, 1.0).0)?)
        };
        let check_units = units(shares.check, for_check)?;
        // A wrong range fails by at least a quarter of all units, if their number is certain.
        let (_, in_check) = privacy_units(people, for_check, 1.0);
        let certain = if add_remove { 0.0 } else { in_check / 4.0 };
        let margin = (-(2.0 * WRONG).ln() - certain).max(0.0);
        Ok(Self {
            shares,
            centre: FloatQuantile::new(units(shares.centre, for_centre)?, Rank::MEDIAN, neighbors),
            radius: FloatQuantile::new(units(shares.radius, for_radius)?, rank, neighbors),
            check: RangeCheck::new(check_units, rank, (margin * 1024.0).ceil() as u32)?,
            rank,
            half_width_sds: half_width_sds(people, for_mean),
            for_mean,
            needed: enough,
        })
    }

    /// Returns the shares of every budget.
    pub fn shares(&self) -> RangeShares {
        self.shares
    }

    /// Returns the share of the data that the radius is meant to hold.
    pub fn rank(&self) -> Rank {
        self.rank
    }

    /// Returns the number of standard deviations that the range reaches to each side.
    pub fn half_width_sds(&self) -> f64 {
        self.half_width_sds
    }

    /// Returns the search for a range that reaches at least `least` standard deviations to each
    /// side.
    #[must_use]
    pub(crate) fn with_least_half_width_sds(self, least: f64) -> Self {
        Self { half_width_sds: self.half_width_sds.max(least), ..self }
    }

    /// Returns the approximate number of records with such budgets that make the search nearly
    /// certain to succeed, to two digits.
    pub fn needed(&self) -> u64 {
        self.needed
    }

    /// Returns τ of the mean inside the range, for people as in `profile`.
    pub(crate) fn clip_of_mean(&self, profile: &Profile) -> Result<Epsilon> {
        let c = 8.0 * self.half_width_sds * self.half_width_sds;
        clip(self.for_mean * clip_level(profile, c / (self.for_mean * self.for_mean)))
    }

    /// Returns the units of the three measurements: centre, radius and check.
    pub(crate) fn units(&self) -> [PrivacyUnits; 3] {
        [self.centre.units(), self.radius.units(), self.check.units()]
    }

    /// Returns the exact loss of a record that allows this budget.
    pub fn loss(&self, budget: Epsilon) -> Loss {
        self.centre.loss(budget).plus(&self.radius.loss(budget)).plus(&self.check.loss(budget))
    }

    /// Finds the range; `None` if it was decided, privately, that there is none.
    ///
    /// # Errors
    ///
    /// If the records cannot be read again.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Epsilon, Neighbors, Randomness, RangePlan, MemoryRecords};
    ///
    /// // 5000 people around 1000.
    /// let one = Epsilon::new(1.0)?;
    /// let mut people =
    ///     MemoryRecords::new((0..5000).map(|i| (one, 950.0 + f64::from(i % 101))).collect())?;
    /// let plan = RangePlan::new(&"1:5000".parse()?, Neighbors::ReplaceOne)?;
    /// let range = plan.find(&mut people, &mut Randomness::insecure(1))?.unwrap();
    /// assert!(range.bounds.lower() > 500.0 && range.bounds.upper() < 1500.0);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn find(
        &self,
        records: &mut dyn Records,
        randomness: &mut Randomness,
    ) -> Result<Option<FoundRange>> {
        let levels = records.budgets().to_vec();
        let neighbors = self.centre.neighbors();
        self.find_in(records, &mut Session::for_levels(levels, neighbors, randomness))
    }

    /// Returns the costs of the search in a session.
    pub(crate) fn costs(&self, session: &Session<'_>) -> Result<Vec<Cost>> {
        let (centre, radius) = (session.cost(&self.centre)?, session.cost(&self.radius)?);
        Ok(vec![centre, radius, session.cost(&self.check)?])
    }

    /// Finds the range in a session that goes on; see [`find`](Self::find).
    pub(crate) fn find_in(
        &self,
        records: &mut dyn Records,
        session: &mut Session<'_>,
    ) -> Result<Option<FoundRange>> {
        let centre_key = session.measure(&self.centre, (records, Key::Value))?;
        let centre = FloatOrder::value(centre_key);
        let distances = Key::Distance(centre);
        let radius_key = session.measure(&self.radius, (records, distances))?;
        let radius = FloatOrder::value(radius_key);
        let keys = RangeKeys {
            centre: centre_key,
            core: FloatOrder::key(radius / 8.0),
            radius: radius_key,
        };
        if !session.measure(&self.check, (records, distances, keys))? {
            return Ok(None);
        }
        let sd = radius / normal_radius(self.rank.get());
        let share = 1.0 - self.shares.statistic.get();
        let fit = NormalFit { centre, sd, half_width_sds: self.half_width_sds };
        Ok(Some(FoundRange { bounds: fit.bounds()?, share, fit }))
    }

    /// Returns the refusal of a search that found no range, without its cost, which the caller
    /// adds.
    pub(crate) fn no_range(&self) -> Error {
        not_enough(self.needed)
    }
}

fn not_enough(needed: u64) -> Error {
    Error::request(
        option::BOUNDS,
        format!(
            "not enough for a range at this privacy; need about {needed} records with such \
             budgets, whose values lie like a bell around their middle"
        ),
    )
    .with_fix(declare_bounds())
}

/// Returns the clip level τ of the weights min(sε, τ), and Σ min(sε, τ), for `factor` times as many
/// people.
fn privacy_units(people: &PowerSums, share: f64, factor: f64) -> (f64, f64) {
    // Clip level of least error for a mean (c = 8). Multiplying budgets by s turns c into c/s² and
    // τ into sτ.
    let tau = (share * people.clip_level(8.0 / (share * share * factor))).min(MOST_SPENT);
    let [units, _] = people.clipped(share, tau);
    (tau, factor * units)
}

fn clip(tau: f64) -> Result<Epsilon> {
    Epsilon::new(tau.clamp(Epsilon::MIN, MOST_SPENT))
}

/// Returns the least share in a range with this many units; the largest one if there is none.
fn least_share(people: &PowerSums, units: f64, (least, most): (f64, f64)) -> f64 {
    let enough = |share: f64| privacy_units(people, share, 1.0).1 >= units;
    if enough(least) {
        return least;
    }
    bisect(least, most, enough)
}

/// Returns the rank of the radius, and its share of the budget.
fn radius(people: &PowerSums) -> Result<(Rank, f64)> {
    let mut choice = (Rank::MEDIAN, RADIUS.1);
    for (numerator, denominator, units, worth) in FOR_RADIUS {
        choice = (Rank::new(numerator, denominator)?, least_share(people, units, RADIUS));
        if choice.1 <= worth {
            break;
        }
    }
    Ok(choice)
}

/// Returns the approximate number of records with such budgets that have the units of all steps.
fn needed(people: &PowerSums, records: u64) -> u64 {
    let enough = |factor: f64| {
        let units = |share| privacy_units(people, share, factor).1;
        units(CENTRE.1) >= FOR_CENTRE
            && units(RADIUS.1) >= FOR_RADIUS[2].2
            && units(CHECK.1) >= FOR_CHECK
    };
    let records = records as f64;
    let exact = records * bisect(1.0 / records, 1e15, enough);
    // Rounded to two digits, since it is an approximation.
    let unit = 10f64.powf((exact.log10() - 1.0).floor().max(0.0));
    ((exact / unit).ceil() * unit) as u64
}

/// Returns the half width of a range in standard deviations: the largest that keeps the error of
/// the mean of normal data affordable.
fn half_width_sds(people: &PowerSums, share: f64) -> f64 {
    let (least, most, step) = HALF_WIDTHS;
    let steps = ((most - least) / step) as u32;
    let half_widths = (0..=steps).map(|i| least + f64::from(i) * step);
    let errors: Vec<(f64, f64)> = half_widths
        .map(|half_width_sds| (half_width_sds, rmse(people, share, half_width_sds)))
        .collect();
    let best = errors.iter().map(|(_, error)| *error).fold(f64::INFINITY, f64::min);
    let affordable = errors.iter().filter(|(_, error)| *error <= best * AFFORDABLE);
    affordable.map(|(half_width_sds, _)| *half_width_sds).fold(least, f64::max)
}

/// Returns the error of the mean of normal data, in standard deviations, over a range of this half
/// width.
fn rmse(people: &PowerSums, share: f64, half_width_sds: f64) -> f64 {
    let c = 8.0 * half_width_sds * half_width_sds;
    let tau = share * people.clip_level(c / (share * share));
    if tau.is_infinite() {
        // All records are public, so there is no clipping and no noise.
        return 1.0 / people.usable().sqrt();
    }
    let [sum, square] = people.clipped(share, tau);
    (square + c).sqrt() / sum
}

/// Returns the least number in a range, up to a thousandth, from which on `enough` holds; the
/// larger end if it never does.
fn bisect(mut low: f64, mut high: f64, enough: impl Fn(f64) -> bool) -> f64 {
    while high / low > 1.001 {
        let middle = (low * high).sqrt();
        if enough(middle) { high = middle } else { low = middle }
    }
    high
}
