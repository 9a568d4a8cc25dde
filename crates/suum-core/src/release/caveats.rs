//! What a release says of its own limits.

use super::{AddRemoveProcedure, Estimate, Procedure, Quantity, Release};
use crate::add_remove::EXACT;
use crate::assumption::{Assumption, EQUAL, of_target};
use crate::{Bounds, Estimator, Protected, Target};

/// Why an estimate without declared bounds has no interval.
pub(crate) const CLIPPED: &str = "the bounds were learned from the data, and values beyond them \
    were moved to them; by how much that changes the estimate is not known, and it can be many \
    times the expected error";

/// The expected error of a rank, as a share of all records, from which on an estimate without an
/// interval says next to nothing: a rank drawn blindly is off by 0.29 or more.
const BLIND: f64 = 0.25;

/// What every release says of its own limits: whom it protects, what its intervals take for
/// granted, and which of its answers say next to nothing.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let grid = Grid::new(Bounds::new(0.0, 10.0)?);
/// let sums = vec![ExactSum::from_raw(i128::from(grid.points()))];
/// let two = Cohort {
///     label: None,
///     epsilon: Epsilon::new(0.1)?,
///     count: 2,
///     sums,
///     cells: Default::default(),
/// };
/// let table = LevelTable::new(None, Measure::Numbers(grid.into()), vec![two])?;
/// let request = WeightedRequest::new(Statistic::Mean, grid.bounds(), Options::default())?;
/// let plan = WeightedPlan::new(&request, table.profile()?, grid)?;
/// let release = plan.release(table, &mut Randomness::insecure(1))?;
/// assert_eq!(release.uninformative(), ["mean"]);
/// # Ok::<(), suum_core::Error>(())
/// ```
impl Release {
    /// Whom the guarantee is about.
    pub fn protects(&self) -> Protected {
        Protected::by(self.person.as_deref())
    }

    /// Why there is no interval, or why some quantiles have none; `None` if all have one.
    pub fn no_interval(&self) -> Option<&'static str> {
        match &self.procedure {
            Procedure::Quantiles(plan) => plan.no_interval(),
            Procedure::AddRemove(how) if how.request.cells().is_some() => how.no_interval,
            // Of several statistics each part says its own.
            Procedure::Summary { .. } => None,
            _ => self.interval().is_none().then_some(CLIPPED),
        }
    }

    /// What the intervals take for granted; nothing, where all numbers are exact or no estimate has
    /// an interval.
    pub fn assumptions(&self) -> Vec<Assumption> {
        // Whether quantiles have intervals can depend on noisy numbers; what is taken for granted
        // does not.
        let depends = matches!(&self.procedure, Procedure::AddRemove(how)
            if how.request.cells().is_some());
        if !depends && self.estimates.iter().all(|one| one.interval.is_none()) {
            return Vec::new();
        }
        let whom = self.protects();
        match &self.procedure {
            Procedure::Exact => Vec::new(),
            Procedure::Weighted(plan) => {
                let mut assumed = plan.assumptions(whom);
                assumed.extend(self.range().map(|_| Assumption::LittleBeyond));
                assumed
            }
            Procedure::Quantiles(plan) => {
                let options = plan.request().options();
                let equal = plan.chosen().weights.distance(plan.profile()) < EQUAL;
                let mut assumed = of_target(options.target, whom, equal);
                if plan.stratified().is_some_and(|kept| kept.strata.len() > 1) {
                    assumed.iter_mut().for_each(|one| *one = one.in_strata());
                }
                // Ranks are bounded without an approximation.
                assumed.retain(|one| *one != Assumption::SamplingIsNormal);
                assumed.extend(options.whole.then_some(Assumption::OnStep));
                assumed.extend(self.range().map(|_| Assumption::InRange));
                assumed
            }
            Procedure::Variance(plan) => {
                let equal = plan.weights().distance(plan.profile()) < EQUAL;
                let mut assumed = of_target(plan.request().options().target, whom, equal);
                // The noises of the sum and of the squares.
                assumed.extend((plan.noise_scale() > 0.0).then_some(Assumption::NoiseIsNormal));
                assumed
            }
            Procedure::Summary { parts, .. } => {
                let mut assumed = Vec::new();
                for one in parts.iter().flat_map(|part| part.release.assumptions()) {
                    if !assumed.contains(&one) {
                        assumed.push(one);
                    }
                }
                assumed
            }
            Procedure::AddRemove(how) => self.assumptions_of_add_remove(how),
        }
    }

    fn assumptions_of_add_remove(&self, how: &AddRemoveProcedure) -> Vec<Assumption> {
        let (request, options) = (&how.request, how.request.options());
        let many = request.categories().is_some_and(|categories| categories.len() > EXACT + 1);
        // The law of so many noises together is computed; of more it is not, nor that of the square
        // of the noise that a variance has.
        let squared = request.statistic() == "variance";
        let normal = (many || squared).then_some(Assumption::NoiseIsNormal);
        // No sampling error: a count, or equal weights and the target dataset. What is assumed must
        // not depend on the data, so the error itself is not asked.
        let equal = options.target == Target::Dataset && request.estimator() == Estimator::Uniform;
        if request.statistic() == "count" || equal {
            return normal.into_iter().collect();
        }
        let mut assumed = of_target(options.target, self.protects(), false);
        assumed.retain(|one| *one != Assumption::SamplingIsNormal);
        // Ranks are bounded without an approximation.
        if request.cells().is_none() {
            assumed.push(Assumption::SamplingIsEstimated);
        }
        assumed.extend(normal);
        assumed.extend(options.whole.then_some(Assumption::OnStep));
        assumed.extend(self.range().map(|_| Assumption::InRange));
        assumed
    }

    /// The answers whose intervals are nearly all that the answer can be at all: a statistic, a
    /// category, or a quantile such as `0.5`.
    ///
    /// A quantile without an interval is one of them if its rank is expected to be about as far off
    /// as a blind guess.
    pub fn uninformative(&self) -> Vec<String> {
        let useless: Vec<&Quantity> = match &self.procedure {
            // Each part knows its own errors.
            Procedure::Summary { parts, .. } => {
                let useless = parts.iter().flat_map(|part| {
                    let release = &part.release;
                    release.estimates.iter().filter(|one| release.says_nothing(one))
                });
                let asked = useless.filter(|one| self.estimate_of(&one.of).is_some());
                asked.map(|one| &one.of).collect()
            }
            _ => {
                let useless = self.estimates.iter().filter(|one| self.says_nothing(one));
                useless.map(|one| &one.of).collect()
            }
        };
        useless.into_iter().map(Quantity::to_string).collect()
    }

    fn says_nothing(&self, one: &Estimate) -> bool {
        match one.interval {
            Some(interval) => {
                let (least, most) = self.range_of(&one.of);
                interval.is_nearly_all_of(least, most)
            }
            None => {
                matches!(one.of, Quantity::Quantile(_))
                    && self.error.is_some_and(|error| error.rmse >= BLIND)
            }
        }
    }

    /// All that an estimate of this quantity can be.
    fn range_of(&self, quantity: &Quantity) -> (f64, f64) {
        let (bounds, unit) = match &self.procedure {
            Procedure::Weighted(plan) => (plan.request().bounds(), plan.unit()),
            Procedure::Quantiles(plan) => (plan.request().bounds(), 1.0),
            Procedure::Variance(plan) => (plan.request().bounds(), 1.0),
            Procedure::Summary { bounds, .. } => (*bounds, 1.0),
            Procedure::AddRemove(how) => (how.request.bounds().unwrap_or(Bounds::UNIT), 1.0),
            Procedure::Exact => (Bounds::UNIT, 1.0),
        };
        let hidden = matches!(self.procedure, Procedure::AddRemove(_));
        let half = bounds.width() / 2.0;
        match quantity {
            Quantity::Share(_) => (0.0, 1.0),
            Quantity::Variance => (0.0, half * half),
            Quantity::Deviation => (0.0, half),
            // Sums and counts have no largest value where the number of records is private; and an
            // exact count is no less than all there is to know.
            Quantity::Count => (0.0, f64::INFINITY),
            Quantity::Sum if hidden => (f64::NEG_INFINITY, f64::INFINITY),
            Quantity::Sum | Quantity::Mean | Quantity::Quantile(_) => {
                (bounds.lower() * unit, bounds.upper() * unit)
            }
        }
    }
}
