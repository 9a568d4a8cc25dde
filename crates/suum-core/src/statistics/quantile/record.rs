//! What a plan and a release of quantiles tell of themselves, and their JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{QuantileEstimator, QuantilePlan};
use crate::assumption::{Assumption, EQUAL, of_target};
use crate::facts::{Facts, Told};
use crate::number::Number;
use crate::plan::AnyPlan;
use crate::record::{ComparedQuantiles, EstimatorRecord, Levels, NoiseRecord};
use crate::release::{AnyProcedure, ComparedRecord, Record, SplitRecord};
use crate::session::{Cost, Session};
use crate::{
    Epsilon, Loss, PlannedInterval, QuantileMechanism, Release, Result, Share, Unit, WidthBasis,
};

impl Told for QuantilePlan {
    fn facts(&self) -> Facts<'_> {
        let rmse = Some(self.chosen().rank_error.rmse());
        Facts {
            statistic: "quantile",
            options: Some(self.request().options()),
            bounds: Some(self.request().bounds()),
            estimator: Some(self.chosen().estimator.name()),
            unit: Unit::Rank,
            rmse,
            relative_error: rmse,
            error: Some(self.expected_error()),
            no_interval: self.no_interval(),
            ..Facts::default()
        }
    }
}

impl AnyPlan for QuantilePlan {
    fn loss_of(&self, allowed: Epsilon) -> Loss {
        self.loss_of(allowed)
    }

    fn intervals(&self) -> Vec<PlannedInterval> {
        let interval = |half_width| PlannedInterval {
            of: "quantile",
            unit: Unit::Rank,
            half_width,
            confidence: self.request().options().confidence,
            basis: WidthBasis::Approximate,
        };
        self.rank_half_width().map(interval).into_iter().collect()
    }

    fn costs(&self, session: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        Ok(vec![session.part(self.part().share(), &self.measurement())?])
    }
}

impl AnyProcedure for QuantilePlan {
    fn no_interval(&self, _: &Release) -> Option<&'static str> {
        self.no_interval()
    }

    fn assumptions(&self, release: &Release) -> Vec<Assumption> {
        let options = self.request().options();
        let equal = self.chosen().weights.distance(self.profile()) < EQUAL;
        let mut assumed = of_target(options.target, release.protects(), equal);
        if self.stratified().is_some_and(|kept| kept.strata.len() > 1) {
            assumed.iter_mut().for_each(|one| *one = one.in_strata());
        }
        // Ranks are bounded without an approximation.
        assumed.retain(|one| *one != Assumption::SamplingIsNormal);
        assumed.extend(options.whole.then_some(Assumption::OnStep));
        assumed.extend(release.range().map(|_| Assumption::InRange));
        assumed
    }

    fn fill<'a>(&'a self, _: &'a Release, record: &mut Record<'a>) {
        let (request, chosen) = (self.request(), self.chosen());
        let (name, options) = (chosen.estimator.name(), request.options());
        record.method.estimator = Some(EstimatorRecord::new(name, chosen.tau));
        record.method.cells = Some(request.cells().steps());
        record.method.rows = Some(request.cells().rows());
        record.noise = Some(noise(self));
        record.split = Some(SplitRecord::Quantiles(self.split().collect()));
        record.simultaneous = (request.ranks().len() > 1).then_some(options.simultaneous);
        record.together = self.together();
        let compared = self.compared().into_iter().map(|candidate| ComparedQuantiles {
            name: candidate.estimator,
            rank_rmse: Number(candidate.rank_error.rmse()),
            rmse: Number(candidate.risk.sqrt()),
        });
        record.compared = Some(ComparedRecord::Quantiles(compared.collect()));
        record.strata = self.stratified().cloned();
    }
}

/// The JSON of `suum plan --statistic quantile`.
impl Serialize for QuantilePlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let options = self.request().options();
        map.serialize_entry("statistic", "quantile")?;
        map.serialize_entry("q", self.request().ranks())?;
        map.serialize_entry("target", &options.target)?;
        map.serialize_entry("neighbors", &options.neighbors)?;
        entries(&mut map, self)?;
        map.serialize_entry("profile", self.profile())?;
        if let Some(strata) = self.stratified() {
            map.serialize_entry("strata", strata)?;
        }
        map.serialize_entry("estimators", &candidates(self))?;
        map.serialize_entry("chosen", &self.chosen().estimator)?;
        map.serialize_entry("split", &self.split().collect::<Vec<_>>())?;
        if let Some(together) = self.together() {
            map.serialize_entry("together", &together)?;
        }
        if let Some(why) = self.no_interval() {
            map.serialize_entry("no_interval", why)?;
        }
        map.serialize_entry("privacy", &Levels::new(self.profile(), self.losses()))?;
        map.serialize_entry("noise", &noise(self))?;
        map.end()
    }
}

fn entries<M: SerializeMap>(map: &mut M, plan: &QuantilePlan) -> std::result::Result<(), M::Error> {
    map.serialize_entry("bounds", &plan.request().bounds())?;
    map.serialize_entry("cells", &plan.request().cells().steps())?;
    map.serialize_entry("rows", &plan.request().cells().rows())
}

/// The noise of quantiles: the largest scale.
fn noise(plan: &QuantilePlan) -> NoiseRecord {
    let scale = match plan.mechanism() {
        QuantileMechanism::Joint(choice) => choice.scale().to_string(),
        QuantileMechanism::Refined(counts) => counts.scale().to_string(),
        QuantileMechanism::PerLevel(levels) => levels
            .iter()
            .map(|(_, choice)| choice.scale())
            .max()
            .map_or_else(|| "0".into(), ToString::to_string),
    };
    NoiseRecord::of_scale(scale, plan.distribution(), None)
}

#[derive(Serialize)]
struct CandidateRecord<'a> {
    name: QuantileEstimator,
    #[serde(skip_serializing_if = "Option::is_none")]
    level_weights: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tau: Option<Number>,
    rank_noise_sd: Number,
    rank_sampling_sd: Number,
    rank_rmse: Number,
    risk: Number,
    rmse: Number,
}

fn candidates(plan: &QuantilePlan) -> Vec<CandidateRecord<'_>> {
    let all = plan.candidates().iter().map(|candidate| CandidateRecord {
        name: candidate.estimator,
        level_weights: candidate.level_weights.as_deref(),
        weights: candidate.level_weights.is_none().then(|| candidate.weights.per_level()),
        tau: candidate.tau.map(Number),
        rank_noise_sd: Number(candidate.rank_error.noise.sqrt()),
        rank_sampling_sd: Number(candidate.rank_error.sampling.sqrt()),
        rank_rmse: Number(candidate.rank_error.rmse()),
        risk: Number(candidate.risk),
        rmse: Number(candidate.risk.sqrt()),
    });
    all.collect()
}
