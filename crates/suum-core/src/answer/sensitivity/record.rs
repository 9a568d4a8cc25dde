//! JSON record of a sensitivity, which can be read back.

use serde::{Deserialize, Serialize};

use super::{Apart, EQUAL, EndErrors, Ends, MeasuredTier, Model, NoiseLaw, Sensitivity, TierMeans};
use crate::Interval;

/// Dependence of the interval on the difference between tiers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Sensitivity"))]
pub struct SensitivityRecord {
    /// Quantity of the curve if it is not the estimate: `rank` for a quantile. Then `lower` and
    /// `upper` of the curve are shares of the records, and `difference` is that of the shares of
    /// tiers below the quantile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    /// Total variation between the weights of tiers in the estimate and their shares of the
    /// records; for a difference the sum of both groups. The bias is at most this times the
    /// difference of the means of tiers (for a sum, also times the number of records).
    tv: f64,
    /// Difference that the published interval allows for, if one was declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    declared: Option<f64>,
    /// Intervals for differences from 0, which is the published one, to the largest possible
    /// difference.
    curve: Vec<IntervalAt>,
    /// Errors from which intervals for other differences follow; absent for ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    errors: Option<ErrorsRecord>,
}

/// Interval for a difference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IntervalAt {
    /// Largest difference of the means of two tiers, in units of the values; for shares, and below
    /// quantiles, that of two shares.
    pub difference: f64,
    /// Lower end.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

/// Errors of an estimate, or of two estimates and their difference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ErrorsOfEnds"))]
#[serde(untagged)]
enum ErrorsRecord {
    One {
        /// Confidence of the interval; if several hold together, that of each alone.
        confidence: f64,
        /// Estimate at the centre of the interval, before it was shrunk or made to add up.
        centre: f64,
        /// Least and largest possible value, if there are limits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        possible: Option<[f64; 2]>,
        /// Standard deviation of the error from the shares of tiers in a sample, for a difference
        /// of 1.
        tiers_sd: f64,
        /// Errors at the lower end.
        below: EndRecord,
        /// Errors at the upper end.
        above: EndRecord,
    },
    /// Means of tiers that were measured apart, weighted anew for each difference.
    Tiers {
        /// Confidence of the interval.
        confidence: f64,
        /// Least and largest possible value.
        possible: [f64; 2],
        /// Standard deviation of the error from the shares of tiers in a sample, for a difference
        /// of 1.
        tiers_sd: f64,
        /// Fixed distance added to the reach of errors, for an estimate with all weight on one
        /// record.
        fixed: f64,
        /// Factor from a value to the statistic.
        unit: f64,
        /// All tiers, including unusable ones.
        tiers: Vec<MeasuredTier>,
    },
    /// Difference of two estimates, each with its own interval.
    Two {
        /// Least and largest possible difference of the answers, if there are limits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        possible: Option<[f64; 2]>,
        /// Confidence of the interval.
        confidence: f64,
        /// First group.
        first: Box<SensitivityRecord>,
        /// Second group.
        second: Box<SensitivityRecord>,
    },
}

/// Errors at one end of an interval for differences above 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ErrorsOfEnd"))]
struct EndRecord {
    /// Independent Laplace noises: scales, each with the number of noises that have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    laplace: Option<Vec<(f64, f64)>>,
    /// Sum of some of several noises that add up to zero, for frequencies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sum_zero: Option<SumZeroRecord>,
    /// Standard deviation of a normal sampling error.
    sd: f64,
    /// Fixed distance that is added to the reach of these errors.
    fixed: f64,
    /// Bias for a difference of 1.
    bias: f64,
}

/// Noises that add up to zero.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SumZeroNoise"))]
struct SumZeroRecord {
    /// Number of noises.
    categories: usize,
    /// Number of noises in the sum.
    together: usize,
    /// Scale of the noises.
    scale: f64,
}

impl From<&EndErrors> for EndRecord {
    fn from(end: &EndErrors) -> Self {
        let EndErrors { noise, sd, fixed, bias } = end;
        let (laplace, sum_zero) = match noise {
            NoiseLaw::Laplace(scales) => (Some(scales.clone()), None),
            NoiseLaw::SumZero { categories, together, scale } => {
                let (categories, together, scale) = (*categories, *together, *scale);
                (None, Some(SumZeroRecord { categories, together, scale }))
            }
        };
        Self { laplace, sum_zero, sd: *sd, fixed: *fixed, bias: *bias }
    }
}

impl EndRecord {
    /// Returns the errors that were written; `None` if they are impossible.
    fn read(&self) -> Option<EndErrors> {
        let noise = match (&self.laplace, &self.sum_zero) {
            (_, Some(SumZeroRecord { categories, together, scale })) => {
                let (categories, together, scale) = (*categories, *together, *scale);
                let is_some = together >= 1 && together < categories && categories <= MOST;
                is_some.then_some(NoiseLaw::SumZero { categories, together, scale })?
            }
            (Some(scales), None) if scales.len() <= MOST => NoiseLaw::Laplace(scales.clone()),
            _ => return None,
        };
        let scales = match &noise {
            NoiseLaw::Laplace(scales) => scales.clone(),
            NoiseLaw::SumZero { scale, .. } => vec![(*scale, 1.0)],
        };
        let is_scale = |(scale, count): &(f64, f64)| *scale >= 0.0 && *count >= 0.0;
        let is_possible = scales.iter().all(is_scale) && self.sd >= 0.0 && self.bias >= 0.0;
        let (sd, fixed, bias) = (self.sd, self.fixed, self.bias);
        is_possible.then_some(EndErrors { noise, sd, fixed, bias })
    }
}

/// Largest number of noises of a release: levels, or categories.
const MOST: usize = 1 << 20;

/// Relative difference allowed between numbers that follow from each other by rounded arithmetic.
const ROUNDING: f64 = 1e-6;

impl From<&Sensitivity> for SensitivityRecord {
    fn from(sensitivity: &Sensitivity) -> Self {
        let errors = match &sensitivity.model {
            Model::Ends(ends) => {
                let [below, above] = ends.errors.each_ref().map(EndRecord::from);
                Some(ErrorsRecord::One {
                    confidence: ends.confidence,
                    centre: ends.centre,
                    possible: ends.possible,
                    tiers_sd: ends.tiers_sd,
                    below,
                    above,
                })
            }
            Model::Tiers(means) => {
                let TierMeans { published, possible, tiers_sd, fixed, unit, tiers, .. } = &**means;
                Some(ErrorsRecord::Tiers {
                    confidence: published.confidence,
                    possible: *possible,
                    tiers_sd: *tiers_sd,
                    fixed: *fixed,
                    unit: *unit,
                    tiers: tiers.clone(),
                })
            }
            Model::Apart(apart) => {
                let [first, second] = apart.both.each_ref().map(|one| Box::new(Self::from(one)));
                let (possible, confidence) = (apart.possible, apart.published.confidence);
                Some(ErrorsRecord::Two { possible, confidence, first, second })
            }
            Model::Rank { .. } => None,
        };
        Self {
            of: sensitivity.is_of_rank().then(|| "rank".to_owned()),
            tv: sensitivity.tv,
            declared: Some(sensitivity.declared()).filter(|declared| *declared > 0.0),
            curve: sensitivity.curve(),
            errors,
        }
    }
}

impl SensitivityRecord {
    /// Returns TV, as it is listed.
    pub fn tv(&self) -> f64 {
        self.tv
    }

    /// Returns the curve, as it is listed.
    pub fn curve(&self) -> &[IntervalAt] {
        &self.curve
    }

    /// Returns the sensitivity that was written; `None` if it is impossible, such as an empty curve
    /// or a negative error.
    pub fn read(&self) -> Option<Sensitivity> {
        let (first, last) = (self.curve.first()?, self.curve.last()?);
        let (most, declared) = (last.difference, self.declared.unwrap_or(0.0));
        let is_in_order = first.difference == 0.0
            && most > 0.0
            && (0.0..=2.0).contains(&self.tv)
            && declared >= 0.0;
        if !is_in_order || !first.lower.le(&first.upper) {
            return None;
        }
        match &self.errors {
            None if self.of.as_deref() == Some("rank") && first.lower == first.upper => {
                let is_flat = last.lower == first.lower && last.upper == first.upper;
                let bias = if is_flat { 0.0 } else { self.tv };
                Some(Sensitivity::from_rank(self.tv, bias, first.lower, declared))
            }
            None => None,
            Some(ErrorsRecord::One { confidence, centre, possible, tiers_sd, below, above }) => {
                let errors = [below.read()?, above.read()?];
                let is_confidence = *confidence > 0.0 && *confidence < 1.0;
                if !is_confidence || *tiers_sd < 0.0 {
                    return None;
                }
                let (lower, upper) = (first.lower, first.upper);
                let published = Interval { confidence: *confidence, lower, upper };
                let (centre, possible, tiers_sd) = (*centre, *possible, *tiers_sd);
                let confidence = *confidence;
                let ends =
                    Ends { published, confidence, declared, centre, possible, tiers_sd, errors };
                Sensitivity::from_ends(self.tv, most, ends)
            }
            Some(ErrorsRecord::Tiers { confidence, possible, tiers_sd, fixed, unit, tiers }) => {
                if tiers.len() > MOST || !(*confidence > 0.0 && *confidence < 1.0) {
                    return None;
                }
                let (confidence, lower, upper) = (*confidence, first.lower, first.upper);
                let published = Interval { confidence, lower, upper };
                let (possible, tiers_sd, fixed) = (*possible, *tiers_sd, *fixed);
                let (unit, tiers) = (*unit, tiers.clone());
                let means =
                    TierMeans { published, declared, possible, tiers_sd, fixed, unit, tiers };
                Sensitivity::from_tiers(most, means)
            }
            Some(ErrorsRecord::Two { possible, confidence, first: one, second }) => {
                let both = [one.read()?, second.read()?];
                let (confidence, lower, upper) = (*confidence, first.lower, first.upper);
                let published = Interval { confidence, lower, upper };
                let apart = Apart { published, possible: *possible, both };
                Some(Sensitivity { tv: self.tv, most, model: Model::Apart(Box::new(apart)) })
            }
        }
    }

    /// Returns sentences about parts of the curve that do not follow from the errors and the
    /// published interval, and about a total variation that does not follow from the weights of
    /// levels.
    ///
    /// `levels` has the number of records of each level and the weight of one of them, if all have
    /// the same.
    pub fn faults(
        &self,
        published: Option<(f64, f64)>,
        levels: Option<&[(f64, f64)]>,
    ) -> Vec<String> {
        let Some(read) = self.read() else {
            return vec!["sensitivity: it cannot be computed again".to_owned()];
        };
        let mut faults = Vec::new();
        let (first, last) = (self.curve.first(), self.curve.last());
        let room = first.zip(last).map_or(0.0, |(first, last)| {
            ROUNDING * (last.upper - last.lower).max(first.upper - first.lower)
        });
        let near = |one: f64, other: f64| (one - other).abs() <= room;
        let agrees = |listed: &IntervalAt| {
            let [lower, upper] = read.at(listed.difference);
            near(listed.lower, lower) && near(listed.upper, upper)
        };
        if !self.curve.iter().all(agrees) {
            faults.push("sensitivity: the curve does not follow from its errors".to_owned());
        }
        let starts = |(lower, upper): (f64, f64)| {
            first.is_some_and(|first| first.lower == lower && first.upper == upper)
        };
        if !read.is_of_rank() && !published.is_none_or(starts) {
            faults.push("sensitivity: the curve does not start at the interval".to_owned());
        }
        if let Some(levels) = levels {
            let records: f64 = levels.iter().map(|(count, _)| count).sum();
            let short = |(count, weight): &(f64, f64)| (count / records - count * weight).max(0.0);
            let tv: f64 = levels.iter().map(short).sum();
            if (tv - self.tv).abs() > ROUNDING + EQUAL {
                faults.push("sensitivity: tv does not follow from the weights".to_owned());
            }
        }
        faults
    }
}
