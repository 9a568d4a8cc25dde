//! The JSON contract: what a plan and a release look like to programs.
//!
//! Numbers are JSON numbers, except that infinity is the string `"inf"`; integers beyond 2^53 are strings.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::number::Number;
use crate::{Epsilon, Estimator, Loss, Plan, Release, Shrinkage, WeightedSum};

/// The JSON of `suum mean`, `suum sum` and `suum count`.
impl Serialize for Release {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", &self.statistic)?;
        map.serialize_entry("column", &self.column)?;
        map.serialize_entry("estimate", &self.estimate)?;
        map.serialize_entry("interval", &self.interval)?;
        map.serialize_entry(
            "error",
            &ErrorRecord {
                noise_sd: Number(self.error.noise_sd),
                sampling_sd: Number(self.error.sampling_sd),
                rmse: Number(self.error.rmse),
            },
        )?;
        match &self.plan {
            Some(plan) => {
                let chosen = plan.chosen();
                map.serialize_entry(
                    "estimator",
                    &EstimatorRecord { name: chosen.estimator.name(), tau: chosen.design.tau.map(Number) },
                )?;
                map.serialize_entry("target", &plan.setting().target)?;
                map.serialize_entry("neighbors", &self.neighbors())?;
                map.serialize_entry("bounds", &plan.setting().bounds)?;
            }
            None => {
                map.serialize_entry("estimator", &EstimatorRecord { name: "exact", tau: None })?;
                map.serialize_entry("neighbors", &self.neighbors())?;
            }
        }
        map.serialize_entry("privacy", &self.privacy)?;
        match &self.plan {
            Some(plan) => {
                map.serialize_entry("noise", &NoiseRecord(plan.mechanism()))?;
                if let Some(shrinkage) = plan.shrinkage() {
                    map.serialize_entry("shrinkage", &shrinkage)?;
                }
                map.serialize_entry("compared", &Compared(plan))?;
            }
            None => map.serialize_entry("noise", &NoNoise { distribution: "none", scale: "0" })?,
        }
        map.serialize_entry("private", &self.private)?;
        map.end()
    }
}

#[derive(Serialize)]
struct ErrorRecord {
    noise_sd: Number,
    sampling_sd: Number,
    rmse: Number,
}

#[derive(Serialize)]
struct EstimatorRecord {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tau: Option<Number>,
}

#[derive(Serialize)]
struct NoNoise {
    distribution: &'static str,
    scale: &'static str,
}

/// Every estimator that was compared, with its expected error for a mean.
struct Compared<'a>(&'a Plan);

impl Serialize for Compared<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.candidates().iter().map(|candidate| ComparedRecord {
            name: candidate.estimator,
            rmse: Number(candidate.risk.rmse()),
        }))
    }
}

#[derive(Serialize)]
struct ComparedRecord {
    name: Estimator,
    rmse: Number,
}

/// The JSON of `suum plan`.
impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", &self.request().statistic())?;
        map.serialize_entry("target", &self.setting().target)?;
        map.serialize_entry("neighbors", &self.request().options().neighbors)?;
        map.serialize_entry("bounds", &self.setting().bounds)?;
        map.serialize_entry("variance", &self.setting().variance)?;
        map.serialize_entry("beta", &self.setting().beta)?;
        map.serialize_entry("profile", &self.setting().profile)?;
        map.serialize_entry("estimators", &Candidates(self))?;
        map.serialize_entry("chosen", &self.chosen().estimator)?;
        map.serialize_entry("lower_bound", &self.lower_bound().map(Number))?;
        map.serialize_entry("gap", &self.gap().map(Number))?;
        map.serialize_entry("personalization_gain", &self.personalization_gain().map(Number))?;
        map.serialize_entry("ratio_bound", &self.ratio_bound())?;
        if let Some(shrinkage) = self.shrinkage() {
            map.serialize_entry("shrinkage", &shrinkage)?;
        }
        map.serialize_entry("privacy", &Levels(self))?;
        map.serialize_entry("noise", &NoiseRecord(self.mechanism()))?;
        map.end()
    }
}

impl Serialize for Shrinkage {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("factor", &self.factor)?;
        map.serialize_entry("risk", &Number(self.risk))?;
        map.serialize_entry("rmse", &Number(self.risk.sqrt()))?;
        map.end()
    }
}

struct Candidates<'a>(&'a Plan);

impl Serialize for Candidates<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let setting = &self.0.setting();
        serializer.collect_seq(self.0.candidates().iter().map(|candidate| CandidateRecord {
            name: candidate.estimator,
            weights: candidate.design.weights.per_level(),
            noise_scale: Number(setting.bounds.width() * candidate.design.weights.noise(&setting.profile)),
            risk: Number(candidate.risk.total()),
            rmse: Number(candidate.risk.rmse()),
            noise_sd: Number(candidate.risk.noise_sd()),
            sampling_sd: Number(candidate.risk.sampling_sd()),
            tau: candidate.design.tau.map(Number),
            objective: candidate.design.objective.map(Number),
        }))
    }
}

#[derive(Serialize)]
struct CandidateRecord<'a> {
    name: Estimator,
    weights: &'a [f64],
    noise_scale: Number,
    risk: Number,
    rmse: Number,
    noise_sd: Number,
    sampling_sd: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    tau: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    objective: Option<Number>,
}

struct Levels<'a>(&'a Plan);

impl Serialize for Levels<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let levels = self.0.setting().profile.levels();
        serializer.collect_seq(levels.iter().zip(self.0.losses()).zip(self.0.mechanism().weights()).map(
            |((level, loss), weight)| LevelRecord {
                epsilon: level.epsilon,
                count: level.count,
                spent: loss,
                integer_weight: weight.to_string(),
            },
        ))
    }
}

#[derive(Serialize)]
struct LevelRecord {
    epsilon: Epsilon,
    count: u64,
    spent: Loss,
    integer_weight: String,
}

/// The noise as JSON shows it: `{"distribution":"discrete-laplace","scale":"123","grid":1073741824}`.
struct NoiseRecord<'a>(&'a WeightedSum);

impl Serialize for NoiseRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let scale = self.0.scale().to_string();
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("distribution", if scale == "0" { "none" } else { "discrete-laplace" })?;
        map.serialize_entry("scale", &scale)?;
        map.serialize_entry("grid", &self.0.points())?;
        map.end()
    }
}
