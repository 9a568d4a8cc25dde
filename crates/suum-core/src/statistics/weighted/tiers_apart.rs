//! Means of which every tier is measured apart, with its own noise.
//!
//! Tiers are disjoint, and the tier of every record is public: each tier spends its budget on its
//! own mean and spread, which costs nobody more than one sum for all. Weighting the tiers is then
//! post-processing, for any difference that is considered afterwards.

use serde::Serialize;

use super::sensitivity::tiers_sd;
use crate::answer::interval::Interval;
use crate::answer::release::Estimate;
use crate::answer::sensitivity::{MeasuredTier, Sensitivity, TierErrors, TierMeans, tier_weights};
use crate::answer::spread::{LARGEST, furthest};
use crate::answer::tail::LaplaceSum;
use crate::error::{leave_out, option};
use crate::private::part::Part;
use crate::private::session::{Cost, Session};
use crate::{
    Design, Epsilon, Error, Grid, LevelName, LevelTable, Loss, Method, Quantity, Release, Result,
    Setting, Statistic, Step, TYPICAL_VARIANCE, Target, WeightedPlan, WeightedRequest, Weights,
};

/// Largest number of tiers that can be measured apart: with more, the intervals of all pairs would
/// be too long to be of use.
const MOST: usize = 20;

/// Plans of the means of all usable tiers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TiersApart {
    tiers: Vec<TierPlan>,
}

/// Plan of the mean of one tier.
#[derive(Debug, Clone, PartialEq)]
struct TierPlan {
    /// Position of the level in the profile of everything that is allowed.
    level: usize,
    plan: WeightedPlan,
}

/// Means of tiers that were measured apart, and their differences.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TierAnswers {
    /// Usable tiers, in ascending order of their budgets.
    pub tiers: Vec<TierMean>,
    /// Contrasts of all pairs of them.
    pub contrasts: Vec<TierContrast>,
}

/// Mean of the values of one tier.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TierMean {
    /// Name of the tier, or its ε if budgets are numbers.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub level: LevelName,
    /// Number of its records.
    pub records: u64,
    /// Noisy mean.
    pub mean: f64,
    /// Interval of the mean, at the stated confidence for itself.
    pub interval: Interval,
    /// Upper bound on the standard deviation of its values, which noise makes too small with a
    /// probability of at most about 1/8.
    pub deviation_at_most: f64,
}

/// Difference of the means of two tiers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TierContrast {
    /// Names of the tiers: the difference is the mean of the first less that of the second.
    #[cfg_attr(feature = "schema", schemars(with = "[String; 2]"))]
    pub between: [LevelName; 2],
    /// Difference of the means.
    pub difference: f64,
    /// Interval of the difference; those of all pairs hold together with the stated confidence.
    pub interval: Interval,
}

/// Refuses options that cannot be combined with tiers measured apart.
pub(super) fn check(request: &WeightedRequest) -> Result<()> {
    let options = request.options();
    let given = [
        (options.shrink, option::SHRINK),
        (options.strata.is_some(), option::STRATA),
        (options.variance.is_some(), option::VARIANCE),
        (options.estimator != crate::Choice::Auto, option::ESTIMATOR),
    ];
    if let Some((_, other)) = given.into_iter().find(|(given, _)| *given) {
        return Err(Error::request(
            option::TIERS_APART,
            "the mean of every tier is measured with its own noise and spread",
        )
        .with_fix(leave_out(other).say(", or").option(option::TIERS_APART)));
    }
    if options.target == Target::DatasetCorrelated {
        return Err(Error::request(
            option::TIERS_APART,
            "the target dataset-correlated allows for any difference of tiers already",
        )
        .with_fix(leave_out(option::TIERS_APART).say(", or use").set(option::TARGET, "dataset")));
    }
    Ok(())
}

impl TiersApart {
    /// Returns the plans for the levels of a part of their budgets.
    ///
    /// # Errors
    ///
    /// Refuses a single tier, and too many.
    pub(super) fn new(request: &WeightedRequest, part: &Part, grid: Grid) -> Result<Self> {
        part.profile().check_usable()?;
        let spendable = part.spendable();
        let usable = spendable.iter().enumerate().filter(|(_, epsilon)| !epsilon.is_unused());
        let usable: Vec<usize> = usable.map(|(level, _)| level).collect();
        if usable.len() < 2 || usable.len() > MOST {
            return Err(Error::request(
                option::TIERS_APART,
                format!("between 2 and {MOST} tiers are measured apart"),
            )
            .with_fix(leave_out(option::TIERS_APART)));
        }
        let plan = |level: usize| {
            let own = |position: usize| match position == level {
                true => spendable[position],
                false => Epsilon::UNUSED,
            };
            let own = Part::with_budgets(
                part.allowed().clone(),
                (0..spendable.len()).map(own).collect(),
            )?;
            let equal = |setting: &Setting| {
                let weights = Weights::proportional_to(&setting.profile, |_| 1.0);
                Design::weighted(weights)
            };
            let plan = WeightedPlan::with_design(&request.for_one_tier(), own, grid, equal);
            Ok(TierPlan { level, plan })
        };
        Ok(Self { tiers: usable.into_iter().map(plan).collect::<Result<_>>()? })
    }

    /// Returns the design of all tiers together, with the best weights for the difference that the
    /// interval is to allow for.
    pub(super) fn design(
        &self,
        request: &WeightedRequest,
        part: &Part,
        setting: &Setting,
    ) -> Design {
        let records = setting.records();
        let levels = part.allowed().levels();
        let facts: Vec<(f64, Option<f64>)> = levels
            .iter()
            .enumerate()
            .map(|(level, one)| {
                (one.count as f64 / records, self.planned(level, one.count, setting.target))
            })
            .collect();
        let difference = setting.difference.distance;
        let confidence = request.options().confidence;
        let each = tier_weights(&facts, (difference, confidence, tiers_sd(setting)));
        // Levels with equal spendable budgets are merged there, except those with none; here levels
        // are distinguished by what they allow.
        let mut level_weights = vec![0.0; setting.profile.levels().len()];
        for (level, weight) in each.into_iter().enumerate() {
            if let Some(position) = part.position(levels[level].epsilon) {
                level_weights[position] += weight;
            }
        }
        let per_record = level_weights.iter().zip(setting.profile.levels());
        let per_record = per_record.map(|(weight, level)| weight / level.count as f64).collect();
        let weights = Weights::from_levels(&setting.profile, per_record);
        let method = Method::LevelLaplace { level_weights };
        Design { weights, method, tau: None, objective: None }
    }

    /// Returns the variance for which weights are made, in units of the squared width; `None` for
    /// an unusable tier.
    fn planned(&self, level: usize, count: u64, target: Target) -> Option<f64> {
        let tier = self.tiers.iter().find(|tier| tier.level == level)?;
        let setting = tier.plan.setting();
        let noise = tier.plan.chosen().design.noise_scale(setting).unwrap_or(0.0);
        let sampling = match target {
            Target::Population => TYPICAL_VARIANCE,
            // The means are those of these very records, so without noise there is practically no
            // error.
            Target::Dataset | Target::DatasetCorrelated => 1e-12,
        };
        Some(sampling / count as f64 + 2.0 * noise * noise)
    }

    /// Returns the loss of one record of the level that allows this much.
    pub(super) fn loss_of(&self, allowed: Epsilon) -> Loss {
        let losses = self.tiers.iter().map(|tier| tier.plan.loss_of(allowed));
        losses.fold(Loss::ZERO, |one, other| one.plus(&other))
    }

    /// Returns the loss of one record of a level that may spend this much.
    pub(super) fn loss_at(&self, spendable: Epsilon) -> Loss {
        let own = self.tiers.iter().filter_map(|tier| {
            let position = tier.plan.setting().profile.position(spendable)?;
            (!spendable.is_unused()).then(|| tier.plan.mechanism().loss(position))
        });
        own.reduce(Loss::max).unwrap_or(Loss::ZERO)
    }

    /// Returns the costs of all tiers.
    pub(super) fn costs(&self, session: &Session<'_>) -> Result<Vec<Cost>> {
        self.tiers.iter().map(|tier| session.cost(&tier.plan.measurement())).collect()
    }

    /// Releases the mean of all records, computed from the means of tiers, in the current part of
    /// the session.
    pub(super) fn release(
        &self,
        whole: WeightedPlan,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let unit = whole.unit();
        let (bounds, setting) = (whole.setting().bounds, whole.setting());
        let (width, records) = (bounds.width(), setting.records());
        let together = self.tiers.len() * (self.tiers.len() - 1) / 2;
        let mut means = Vec::new();
        for tier in &self.tiers {
            let shares = tier.plan.measured_shares(table, session)?;
            let moments = tier.plan.moments(&shares);
            let moments = moments.ok_or_else(|| Error::internal("a tier has no spread"))?;
            means.push(tier.mean(moments, table, together)?);
        }

        // From here on: post-processing of noisy numbers and public facts.
        let levels = whole.allowed().levels().iter().enumerate();
        let tiers: Vec<MeasuredTier> = levels
            .map(|(level, one)| {
                let at = self.tiers.iter().position(|tier| tier.level == level);
                let measured = at.zip(self.planned(level, one.count, setting.target));
                MeasuredTier {
                    share: one.count as f64 / records,
                    measured: measured.map(|(at, planned)| TierErrors {
                        mean: means[at].errors.mean * unit,
                        scale: means[at].errors.scale * unit,
                        sd: means[at].errors.sd * unit,
                        planned: planned * width * width * unit * unit,
                        record: 1.0 / one.count as f64,
                    }),
                }
            })
            .collect();
        let confidence = whole.request().options().confidence;
        let [lower, upper] = [bounds.lower() * unit, bounds.upper() * unit];
        let mut all = TierMeans {
            published: Interval { confidence, lower, upper },
            declared: whole.request().difference_in_values(),
            possible: [lower, upper],
            tiers_sd: tiers_sd(setting) * unit,
            fixed: match setting.target {
                Target::Population => 0.5 * width * unit,
                Target::Dataset | Target::DatasetCorrelated => 0.0,
            },
            unit,
            tiers,
        };
        let (estimate, interval) = all.estimate(all.declared);
        let errors = all.errors(all.declared);
        all.published = interval;
        let of = match whole.request().statistic() {
            Statistic::Sum => Quantity::Sum,
            _ => Quantity::Mean,
        };
        let sensitivity = Sensitivity::from_tiers(width, all).map(Box::new);
        let estimate = Estimate { of, estimate, interval: Some(interval), sensitivity };
        let ends = vec![errors.clone(), errors];
        let answers = TierAnswers::from_means(&means, confidence);
        let mut release = whole.published(vec![estimate], table, session)?;
        release.ends = Some(ends);
        release.steps.push(Step::TiersApart(Box::new(answers)));
        Ok(release)
    }
}

/// Mean of one tier with its errors, in units of the data.
struct TierMeasurement {
    answer: TierMean,
    errors: TierErrors,
}

impl TierPlan {
    fn mean(
        &self,
        moments: crate::answer::spread::Moments,
        table: &LevelTable,
        together: usize,
    ) -> Result<TierMeasurement> {
        let plan = &self.plan;
        let (setting, bounds) = (plan.setting(), plan.setting().bounds);
        let width = bounds.width();
        let level = plan.allowed().levels().get(self.level).copied();
        let level = level.ok_or_else(|| Error::internal("a tier is none of the table's"))?;
        let share = moments.mean.clamp(0.0, 1.0);
        let spread = plan.spread(moments);
        let noise = plan.chosen().design.noise_scale(setting).unwrap_or(0.0);
        let confidence = plan.request().options().confidence;
        let record = match plan.request().options().target {
            Target::Population => 1.0 / level.count as f64,
            Target::Dataset | Target::DatasetCorrelated => 0.0,
        };
        // Larger standard deviation at both ends of an interval of this confidence.
        let variance = spread.at(share, width);
        let sd_at = |confidence: f64| {
            let reach = |variance: f64| {
                LaplaceSum::new([(noise, 1.0)], (variance * record).sqrt()).half_width(confidence)
            };
            let ends = [-1.0, 1.0].map(|side| {
                let at = |distance: f64| variance((share + side * distance).clamp(0.0, 1.0));
                at(furthest(reach(LARGEST), |distance| reach(at(distance))))
            });
            (ends[0].max(ends[1]) * record).sqrt()
        };
        let sd = sd_at(confidence);
        let fixed = 0.5 * record + 0.5 / plan.grid().points() as f64;
        let half_width = LaplaceSum::new([(noise, 1.0)], sd).half_width(confidence) + fixed;
        // For comparison with all others: the error at means at least as far as the ends for all
        // pairs.
        let sd = sd_at(1.0 - (1.0 - confidence) / together as f64);
        let name = table.by_level().iter().find(|sums| sums.epsilon == level.epsilon);
        let mean = bounds.lower() + width * moments.mean;
        let interval = Interval {
            confidence,
            lower: bounds.clamp(mean - width * half_width),
            upper: bounds.clamp(mean + width * half_width),
        };
        let answer = TierMean {
            level: name.map_or(LevelName::Budget(level.epsilon), |sums| sums.name()),
            records: level.count,
            mean: bounds.clamp(mean),
            interval,
            deviation_at_most: spread.bound.sqrt(),
        };
        let errors = TierErrors {
            mean,
            scale: noise * width,
            sd: sd * width,
            planned: 0.0,
            record: width * fixed,
        };
        Ok(TierMeasurement { answer, errors })
    }
}

impl TierAnswers {
    fn from_means(means: &[TierMeasurement], confidence: f64) -> Self {
        let pairs = means.len() * (means.len() - 1) / 2;
        // All pairs together miss at most as often as the confidence allows.
        let each = 1.0 - (1.0 - confidence) / pairs.max(1) as f64;
        let mut contrasts = Vec::new();
        for (at, one) in means.iter().enumerate() {
            for other in &means[at + 1..] {
                let (first, second) = (&one.errors, &other.errors);
                let scales = [(first.scale, 1.0), (second.scale, 1.0)];
                let reach = LaplaceSum::new(scales, first.sd.hypot(second.sd)).half_width(each)
                    + first.record
                    + second.record;
                let difference = first.mean - second.mean;
                let interval =
                    Interval { confidence, lower: difference - reach, upper: difference + reach };
                let between = [one.answer.level.clone(), other.answer.level.clone()];
                contrasts.push(TierContrast { between, difference, interval });
            }
        }
        Self { tiers: means.iter().map(|mean| mean.answer.clone()).collect(), contrasts }
    }
}

/// Returns the price of measuring all tiers apart, before anything is measured: the planned length
/// over that with one noise, less 1; `None` if tiers cannot be measured apart.
pub(super) fn price(
    request: &WeightedRequest,
    part: &Part,
    grid: Grid,
    setting: &Setting,
) -> Option<f64> {
    let apart = TiersApart::new(request, part, grid).ok()?;
    let coverage = request.coverage(true);
    let length =
        |design: &Design| super::tier_difference::planned_length(setting, design, &coverage);
    let plain = super::tier_difference::planned_design(setting, &coverage).ok()?;
    let price = length(&apart.design(request, part, setting)) / length(&plain) - 1.0;
    price.is_finite().then_some(price)
}
