//! The JSON of a sensitivity, from which it can be read again.

use serde::{Deserialize, Serialize};

use super::{Apart, EQUAL, EndErrors, Ends, MeasuredTier, Model, NoiseLaw, Sensitivity, TierMeans};
use crate::Interval;

/// How the interval depends on how much tiers differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Sensitivity"))]
pub struct SensitivityRecord {
    /// `rank` of a quantile: `lower` and `upper` of the curve are then shares of the records, and
    /// `difference` is that of the shares of tiers below the quantile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    /// The total variation between what tiers weigh in the estimate and their shares of the
    /// records; of a difference the sum of both groups. The bias is at most this times the
    /// difference of the means of tiers (of a sum, times the number of records, too).
    tv: f64,
    /// The difference for which the published interval allows, where one was declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    declared: Option<f64>,
    /// The interval for differences from 0, which is the published one, to the largest that there
    /// can be.
    curve: Vec<IntervalAt>,
    /// From what intervals for other differences follow; not of ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    errors: Option<ErrorsRecord>,
}

/// An interval for a difference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IntervalAt {
    /// The largest difference of the means of two tiers, in units of the values; of shares, and
    /// below quantiles, that of two shares.
    pub difference: f64,
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

/// Errors of an estimate, or of two whose difference it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ErrorsOfEnds"))]
#[serde(untagged)]
enum ErrorsRecord {
    One {
        /// The confidence of the interval, where several hold at once that of each alone.
        confidence: f64,
        /// The estimate that the interval is around, before it was shrunk or made to add up.
        centre: f64,
        /// The least and the largest possible value, if there are such.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        possible: Option<[f64; 2]>,
        /// The standard deviation for a difference of 1 of what a sample makes of the shares of
        /// tiers.
        tiers_sd: f64,
        /// The errors at the lower end.
        below: EndRecord,
        /// The errors at the upper end.
        above: EndRecord,
    },
    /// Means of tiers that were measured apart, of which each difference has its own weights.
    Tiers {
        /// The confidence of the interval.
        confidence: f64,
        /// The least and the largest possible value.
        possible: [f64; 2],
        /// The standard deviation for a difference of 1 of what a sample makes of the shares of
        /// tiers.
        tiers_sd: f64,
        /// What is added to how far errors reach, of an estimate in which one record weighs all.
        fixed: f64,
        /// How many times a value the statistic is.
        unit: f64,
        /// All tiers, also those that may not be used.
        tiers: Vec<MeasuredTier>,
    },
    /// The difference has both errors, each with its own interval.
    Two {
        /// The least and the largest possible difference of the answers, if there are such.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        possible: Option<[f64; 2]>,
        /// The confidence of the interval.
        confidence: f64,
        /// The first group.
        first: Box<SensitivityRecord>,
        /// The second group.
        second: Box<SensitivityRecord>,
    },
}

/// Errors at one end of an interval for differences above 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ErrorsOfEnd"))]
struct EndRecord {
    /// Independent Laplace noises: scales, each with how many have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    laplace: Option<Vec<(f64, f64)>>,
    /// Of frequencies: the sum of some of several noises that add up to zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sum_zero: Option<SumZeroRecord>,
    /// The standard deviation of a normal sampling error.
    sd: f64,
    /// What is added to how far all of these reach.
    fixed: f64,
    /// The bias for a difference of 1.
    bias: f64,
}

/// Noises that add up to zero.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SumZeroNoise"))]
struct SumZeroRecord {
    /// How many noises there are.
    categories: usize,
    /// Of how many it is the sum.
    together: usize,
    /// Their scale.
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
    /// What was written; `None` where it cannot be.
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

/// As many noises as a release can have: levels, or categories.
const MOST: usize = 1 << 20;

/// Part by which numbers may differ that follow from each other by rounded arithmetic.
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
    /// TV, as it is listed.
    pub fn tv(&self) -> f64 {
        self.tv
    }

    /// The curve, as it is listed.
    pub fn curve(&self) -> &[IntervalAt] {
        &self.curve
    }

    /// What was written; `None` where it cannot be: an empty curve, a negative error.
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
                Some(Sensitivity::of_rank(self.tv, bias, first.lower, declared))
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
                Sensitivity::of_ends(self.tv, most, ends)
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
                Sensitivity::of_tiers(most, means)
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

    /// A part of the curve that does not follow from the errors and the published interval, or a
    /// total variation that does not follow from what each level weighs: each a sentence.
    ///
    /// `levels` has how many records each level has and what one of them weighs, where that is one
    /// number.
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
