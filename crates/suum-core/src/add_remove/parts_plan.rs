//! What several statistics that hide participation would do, and statistics without declared
//! bounds, for people as one assumes them to be.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::expected::nobody;
use super::rough::{Rough, pay_for_profile};
use super::{AddRemovePlan, AddRemoveRequest, UnboundedAddRemove};
use crate::release::CLIPPED;
use crate::session::{Account, Cost};
use crate::{
    Asked, Bounds, Level, Neighbors, Plan, Profile, RangePlan, Result, Share, Spending, Target,
};

/// What a release of several parts would do that hides who takes part, for an assumed profile:
/// several statistics, each with its share of every budget, or a search for a range and what is
/// asked inside it.
///
/// The profile is a guess from public knowledge, which no release sees.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let mean = Request::mean(Neighbors::AddRemove);
/// let request = UnboundedAddRemove::new("0.1,1".parse()?, mean)?;
/// let plan = request.expected("0.1:3000,1:2000".parse()?)?;
/// let mean = plan.parts().next().unwrap().1;
/// assert!(mean.chosen().error.rmse < 0.1, "in standard deviations of the values");
/// assert!(plan.privacy().iter().all(|row| row.spent.within(row.epsilon)));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AddRemovePartsPlan {
    statistic: &'static str,
    assumed: Profile,
    bounds: Option<Bounds>,
    search: Option<RangePlan>,
    parts: Vec<(&'static str, AddRemovePlan)>,
    // Whether the mean is asked for that is measured with a variance.
    mean: bool,
    privacy: Vec<Spending>,
}

impl AddRemoveRequest {
    /// The plan for people as in `assumed`, of one statistic or of several.
    ///
    /// # Errors
    ///
    /// Refuses a profile in which no declared budget allows anything.
    pub fn plan(&self, assumed: Profile) -> Result<Plan> {
        match self.measured() {
            [] => self.expected(assumed).map(Plan::from),
            _ => AddRemovePartsPlan::of_several(self, assumed).map(Plan::from),
        }
    }
}

impl UnboundedAddRemove {
    /// What a release is expected to do for people as in `assumed`, whose values are normal: errors
    /// are in standard deviations of the values.
    ///
    /// # Errors
    ///
    /// Refuses a profile with which no range could be found.
    pub fn expected(&self, assumed: Profile) -> Result<AddRemovePartsPlan> {
        let mut account =
            Account::declared(self.budgets().clone(), self.request().options.neighbors);
        account.begin(self.share());
        pay_for_profile(&mut account)?;
        let rough = Rough::assumed(&assumed, &account);
        let left = |level: &Level| Level { epsilon: account.left(level.epsilon), ..*level };
        let left = Profile::new(assumed.levels().iter().map(left))?;
        if rough.people() == 0.0 {
            return Err(nobody());
        }
        let search = self.search(&left)?;
        for cost in search.units() {
            account.charge(Cost::OfAllowed(cost))?;
        }
        let inside = self.standard(&search, &left)?;
        let mut plan = AddRemovePartsPlan::of_several(&inside, assumed)?;
        for row in &mut plan.privacy {
            row.spent = row.spent.plus(&account.spent(row.epsilon));
        }
        Ok(AddRemovePartsPlan { bounds: None, search: Some(search), ..plan })
    }
}

impl AddRemovePartsPlan {
    fn of_several(request: &AddRemoveRequest, assumed: Profile) -> Result<Self> {
        let mean = matches!(request.asked(), Asked::Summary(asked) if asked.statistics.mean);
        let part = |(measured, part): &(&'static str, AddRemoveRequest)| {
            Ok((*measured, part.expected(assumed.clone())?))
        };
        let parts: Vec<(&'static str, AddRemovePlan)> = match request.measured() {
            [] => vec![(request.statistic(), request.expected(assumed.clone())?)],
            parts => parts.iter().map(part).collect::<Result<_>>()?,
        };
        let mut all = parts.iter().map(|(_, part)| part.chosen().privacy.clone());
        let mut privacy = all.next().unwrap_or_default();
        for part in all {
            for (row, more) in privacy.iter_mut().zip(part) {
                row.spent = row.spent.plus(&more.spent);
            }
        }
        let (statistic, bounds) = (request.statistic(), request.bounds());
        Ok(Self { statistic, assumed, bounds, search: None, parts, mean, privacy })
    }

    /// The statistic's name, `summary` of several.
    pub fn statistic(&self) -> &'static str {
        self.statistic
    }

    /// The profile that was assumed.
    pub fn assumed(&self) -> &Profile {
        &self.assumed
    }

    /// How a range would be searched, where no bounds are declared; then errors are in standard
    /// deviations of normal values.
    pub fn search(&self) -> Option<&RangePlan> {
        self.search.as_ref()
    }

    /// What would be measured, with its plan.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &AddRemovePlan)> {
        self.parts.iter().map(|(name, plan)| (*name, plan))
    }

    /// Whether the mean is asked for that is measured with a variance.
    pub fn asks_mean(&self) -> bool {
        self.mean
    }

    /// The part of every budget that each part may spend.
    pub fn shares(&self) -> impl Iterator<Item = (&'static str, Share)> {
        self.parts().map(|(name, plan)| (name, plan.request().options().share))
    }

    /// What every declared budget would spend on all of it.
    pub fn privacy(&self) -> &[Spending] {
        &self.privacy
    }

    /// Why a release would have no interval, or of several statistics those that have none.
    pub fn no_interval(&self) -> Option<&'static str> {
        let mut parts = self.parts().map(|(_, part)| part);
        let clipped = self.search.is_some() && parts.any(|part| part.request().cells().is_none());
        match clipped {
            true => Some(CLIPPED),
            false => self.parts().find_map(|(_, part)| part.no_interval()),
        }
    }

    /// Which datasets are neighbours, and what estimates are about; all parts are made alike.
    pub fn made(&self) -> (Neighbors, Target) {
        let options = self.parts.first().map(|(_, plan)| plan.request().options());
        options.map_or_else(Default::default, |options| (options.neighbors, options.target))
    }
}

/// As that of one statistic, with the parts in full.
impl Serialize for AddRemovePartsPlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Part<'a> {
            measured: &'static str,
            share: Share,
            #[serde(flatten)]
            plan: &'a AddRemovePlan,
        }
        let (neighbors, target) = self.made();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", self.statistic)?;
        map.serialize_entry("target", &target)?;
        map.serialize_entry("neighbors", &neighbors)?;
        match (&self.search, self.bounds) {
            (Some(search), _) => {
                map.serialize_entry("bounds", "auto")?;
                map.serialize_entry("unit", "standard deviation")?;
                map.serialize_entry("range", search)?;
                if let Some(why) = self.no_interval() {
                    map.serialize_entry("no_interval", why)?;
                }
            }
            (None, bounds) => map.serialize_entry("bounds", &bounds)?,
        }
        map.serialize_entry("profile", &self.assumed)?;
        map.serialize_entry("privacy", &self.privacy)?;
        let parts = self.parts.iter();
        let parts = parts.map(|(measured, plan)| Part {
            measured,
            share: plan.request().options().share,
            plan,
        });
        map.serialize_entry("parts", &parts.collect::<Vec<_>>())?;
        map.end()
    }
}
