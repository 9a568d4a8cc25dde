//! Several statistics as JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::record::{Levels, caveats};
use crate::variance::Estimate;
use crate::{Share, Statistics, SummaryPlan, SummaryRelease};

/// The JSON of `suum summary`: the answers first, then every release it is made of in full, under
/// `parts`.
impl Serialize for SummaryRelease {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", "summary")?;
        map.serialize_entry("column", &self.column)?;
        if let Some(person) = &self.person {
            map.serialize_entry("person", person)?;
        }
        map.serialize_entry("statistics", &names(&self.statistics))?;
        if let Some(mean) = self.mean_estimate() {
            map.serialize_entry("mean", &mean)?;
        }
        if let Some(release) = &self.variance {
            map.serialize_entry("variance", &release.variance)?;
            map.serialize_entry("deviation", &release.deviation)?;
        }
        if let Some(release) = &self.quantiles {
            map.serialize_entry("quantiles", &release.quantiles)?;
        }
        map.serialize_entry("bounds", &self.bounds)?;
        caveats(&mut map, self)?;
        map.serialize_entry("split", &split(self.shares.iter().copied()))?;
        map.serialize_entry("privacy", &self.privacy)?;
        map.serialize_entry("parts", &Parts(self))?;
        map.serialize_entry("private", &self.private)?;
        map.end()
    }
}

/// The JSON of `suum plan --statistic mean,variance,q50`.
impl Serialize for SummaryPlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", "summary")?;
        map.serialize_entry("statistics", &names(self.statistics()))?;
        map.serialize_entry("bounds", &self.bounds())?;
        map.serialize_entry("profile", self.allowed())?;
        map.serialize_entry("split", &split(self.shares()))?;
        map.serialize_entry("privacy", &Levels::new(self.allowed(), self.losses().collect()))?;
        map.serialize_entry("parts", &PlanParts(self))?;
        map.end()
    }
}

impl SummaryRelease {
    /// The mean, where one was asked for.
    pub fn mean_estimate(&self) -> Option<Estimate> {
        if !self.statistics.mean {
            return None;
        }
        let alone = self.mean.as_ref();
        let alone = alone.and_then(|mean| {
            let interval = mean.interval?;
            Some(Estimate { estimate: mean.estimate, interval })
        });
        alone.or_else(|| self.variance.as_ref().map(|variance| variance.mean))
    }
}

/// The statistics by name, as on the command line.
fn names(statistics: &Statistics) -> Vec<String> {
    let moments = [("mean", statistics.mean), ("variance", statistics.variance)];
    let moments = moments.into_iter().filter(|(_, asked)| *asked).map(|(name, _)| name.to_owned());
    let quantiles = statistics.quantiles.iter().map(|rank| {
        // Percentages to the nine digits that a rank has.
        let percent = format!("{:.7}", rank.get() * 100.0);
        format!("q{}", percent.trim_end_matches('0').trim_end_matches('.'))
    });
    moments.chain(quantiles).collect()
}

#[derive(Serialize)]
struct SplitRecord {
    measured: &'static str,
    share: Share,
}

fn split(shares: impl Iterator<Item = (&'static str, Share)>) -> Vec<SplitRecord> {
    shares.map(|(measured, share)| SplitRecord { measured, share }).collect()
}

struct Parts<'a>(&'a SummaryRelease);

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let SummaryRelease { mean, variance, quantiles, .. } = self.0;
        let mut map = serializer.serialize_map(None)?;
        if let Some(mean) = mean {
            map.serialize_entry("mean", mean)?;
        }
        if let Some(variance) = variance {
            map.serialize_entry("variance", variance)?;
        }
        if let Some(quantiles) = quantiles {
            map.serialize_entry("quantile", quantiles)?;
        }
        map.end()
    }
}

struct PlanParts<'a>(&'a SummaryPlan);

impl Serialize for PlanParts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(mean) = self.0.mean_plan() {
            map.serialize_entry("mean", mean)?;
        }
        if let Some(variance) = self.0.variance_plan() {
            map.serialize_entry("variance", variance)?;
        }
        if let Some(quantiles) = self.0.quantile_plan() {
            map.serialize_entry("quantile", quantiles)?;
        }
        map.end()
    }
}
