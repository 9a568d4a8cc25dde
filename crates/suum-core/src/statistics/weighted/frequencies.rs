//! Release of frequencies: the share of every declared category.

use super::sensitivity::MOST_SHARES;
use crate::answer::interval::{Interval, possible_ends};
use crate::answer::release::Margin;
use crate::answer::spread::largest_variance;
use crate::private::session::Session;
use crate::{Error, Estimate, LevelTable, Quantity, Release, Result, Target, WeightedPlan};

impl WeightedPlan {
    /// Releases frequencies: adds noise to the weighted count of every category.
    ///
    /// # Formula
    ///
    /// y_c = (Σ_j W_j·count(j, c) + Z_c)/Σ W with [noise that adds up to
    /// zero](crate::SumZeroLaplace), then post-processing as requested. (CC24 Algorithm 1 has
    /// independent noise; so have `mixed`, for every level, and `local`, for every record.) A
    /// margin of a [table](crate::Crosstab) is the sum of its cells, and its interval has the noise
    /// of that sum.
    ///
    /// # Errors
    ///
    /// Refuses a table whose profile or categories are not those the plan was made for.
    pub(super) fn release_shares_in(
        self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let categories = match (table.categories(), self.request().categories()) {
            (Some(counted), Some(declared)) if counted == declared => counted.clone(),
            _ => {
                return Err(Error::table(
                    "level table",
                    "its categories are not those of the plan",
                )
                .with_fix("make the table with the same categories, or plan with the table's"));
            }
        };
        let noisy = self.noisy_shares(table, session)?;

        // From here on: post-processing.
        let published = self.request().options().post.apply(&noisy);
        let shares = |noisy: &[f64], published: &[f64], names: &[String], together: usize| {
            self.shares_of(noisy, published, names, together)
        };
        let frequencies = shares(&noisy, &published, categories.names(), 1);
        let margins = Margin::from_cells(&categories, &noisy, &published, shares);
        let mut release = self.published(frequencies, table, session)?;
        release.margins = margins;
        Ok(release)
    }

    /// Returns shares with their intervals, each of `together` categories combined.
    fn shares_of(
        &self,
        noisy: &[f64],
        published: &[f64],
        names: &[String],
        together: usize,
    ) -> Vec<Estimate> {
        let confidence = self.request().options().confidence;
        let certain = (self.setting().target == Target::DatasetCorrelated)
            .then(|| self.half_width_of(together));
        let all = self.half_widths_of(together);
        let half_widths = |share: f64| match certain {
            Some(half_width) => (half_width, half_width),
            // A share is a mean of ones and zeros, so its variance follows from it.
            None => {
                let share = share.clamp(0.0, 1.0);
                let [below, above] = all.around(share, |other| largest_variance(share, other));
                (below.half_width, above.half_width)
            }
        };
        let shares = names.iter().zip(noisy.iter().zip(published));
        let shares = shares.map(|(category, (noisy, estimate))| {
            let (below, above) = half_widths(*noisy);
            let (lower, upper) = possible_ends(*noisy, [below, above], (0.0, 1.0));
            // The interval is widened to contain the published estimate.
            let (lower, upper) = (lower.min(*estimate), upper.max(*estimate));
            let interval = Interval { confidence, lower, upper };
            let is_asked = names.len() <= MOST_SHARES || !self.setting().difference.is_none();
            let published = (*estimate, interval);
            let sensitivity =
                is_asked.then(|| self.sensitivity_of_share(*noisy, published, together)).flatten();
            Estimate {
                of: Quantity::Share(category.clone()),
                estimate: *estimate,
                interval: Some(self.interval_of(interval, sensitivity.as_deref())),
                sensitivity: sensitivity.filter(|_| names.len() <= MOST_SHARES),
            }
        });
        shares.collect()
    }
}
