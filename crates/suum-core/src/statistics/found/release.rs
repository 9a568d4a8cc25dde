//! Release of the shares of categories that are found.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::answer::FoundCountText;
use super::{FoundCategories, FoundPlan};
use crate::answer::release;
use crate::private::level_mechanism::ExactSums;
use crate::private::mechanism::FoundCount;
use crate::private::session::Session;
use crate::values::found_law::CountLaw;
use crate::{Error, Estimate, LevelTable, Procedure, Quantity, Randomness, Release, Result, Step};

impl FoundPlan {
    /// Spends the budgets: adds noise to the weighted count of every category, and publishes those
    /// above the threshold.
    ///
    /// The table has all categories that occur. A category whose name has control characters is
    /// never published, whatever its count: its records are among all others.
    ///
    /// # Formula
    ///
    /// A share is (y − (u − d))/(s·Σ W), the noisy count less the mean of its noise. All others
    /// have the rest, and its interval has the sums of the ends of those that show.
    ///
    /// # Errors
    ///
    /// Refuses a table without categories, or whose profile is not the one the plan was made for.
    pub fn release(self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        let mut session = Session::for_profile(self.allowed(), randomness);
        self.release_in(&table, &mut session)
    }

    /// Releases the shares in a session that may have spent other parts of the budgets; see
    /// [`release`](Self::release).
    pub(crate) fn release_in(
        self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let steps = self.mechanism().steps();
        let counted = table.categories().filter(|categories| categories.steps() == steps);
        let Some(categories) = counted else {
            return Err(Error::table("level table", "it does not count categories as planned")
                .with_fix("make it with the categories that occur, or name the data"));
        };
        table.check_for(self.allowed())?;
        self.check_delta()?;
        session.begin(self.part().share());
        let by_level = self.part().by_level(table)?.into_iter().map(ExactSums::from_level);
        let found = session.measure(&self.measurement(), by_level.collect())?;

        // From here on: post-processing.
        let names = categories.names();
        let named = found.into_iter().filter_map(|one| Some((names.get(one.category)?, one)));
        let shown: Vec<(&String, FoundCount)> =
            named.filter(|(name, _)| !name.contains(char::is_control)).collect();
        let options = self.request().options();
        let (confidence, each) = (options.confidence, self.confidence_of_each(shown.len()));
        let whole = self.mechanism().total_weight();
        let counts: Vec<CountLaw> = shown.iter().map(|(_, one)| one.law(&whole)).collect();
        let shares = self.law(each).shares(&counts, (confidence, each), options.post);
        let all = shown.iter().map(|(name, _)| Quantity::Share(String::clone(name)));
        let all = all.chain([Quantity::OtherShares]).zip(shares);
        let estimates = all.map(|(of, (estimate, interval))| Estimate {
            of,
            estimate,
            interval: Some(interval),
            sensitivity: None,
        });
        let step = Step::Categories(Box::new(FoundCategories {
            delta: self.request().delta(),
            threshold: self.threshold(),
            shown_by_half: self.share_shown_by_half(),
            counts: shown.iter().map(|(_, one)| one.text()).collect(),
        }));
        let weights = self.weights().per_level();
        let mut privacy = release::certificate(table, self.part(), weights, session)?;
        for row in &mut privacy {
            row.delta = Some(self.delta_of(row.epsilon));
        }
        let (estimates, error) = (estimates.collect(), Some(self.error()));
        let procedure = Procedure::Found(Box::new(self));
        let mut release = Release::new(table, session, estimates, error, privacy, procedure);
        release.steps.push(step);
        Ok(release)
    }

    /// Checks in exact arithmetic that no record has a larger δ than requested.
    fn check_delta(&self) -> Result<()> {
        let (mechanism, allowed) = (self.mechanism(), self.request().delta().exact());
        let mut all = (0..mechanism.weights().len()).map(|position| mechanism.delta(position));
        match all.all(|delta| delta <= allowed) {
            true => Ok(()),
            false => Err(Error::internal("a δ would exceed the one that was requested")),
        }
    }
}

impl FoundCount {
    /// Returns the noisy count as a share of all weight.
    fn law(&self, whole: &UBig) -> CountLaw {
        CountLaw { noisy: share(&self.noisy, whole), is_always: self.is_always }
    }

    fn text(&self) -> FoundCountText {
        FoundCountText { noisy: self.noisy.to_string(), public: self.is_always }
    }
}

/// Returns a number of steps as a share of all weight.
pub(crate) fn share(noisy: &IBig, whole: &UBig) -> f64 {
    RBig::from_parts(noisy.clone(), whole.clone()).to_f64().value()
}
