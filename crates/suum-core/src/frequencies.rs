//! The release of frequencies: the share of every declared category.

use crate::interval::Interval;
use crate::session::Session;
use crate::{
    Error, ExpectedError, LevelTable, Measure, Plan, Randomness, Replacement, Result, Spending,
};

/// The estimated share of one category.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Frequency {
    /// The category, as declared.
    pub category: String,
    /// Its share of the target, after post-processing.
    pub estimate: f64,
    /// An interval for this share alone at the stated confidence, around the estimate before
    /// post-processing.
    pub interval: Interval,
}

/// Private frequencies with everything about them that may be published, and nothing else.
///
/// It serialises to the JSON of the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct FrequencyRelease {
    /// The name of the column.
    pub column: Option<String>,
    /// The column that names persons, where a record is a person.
    pub person: Option<String>,
    /// What stands in place of missing values, if anything does.
    pub missing: Option<Replacement>,
    /// The categories, in the order declared.
    pub frequencies: Vec<Frequency>,
    /// The expected largest error over the categories, before post-processing.
    pub error: ExpectedError,
    /// Per cohort: allowed and spent.
    pub privacy: Vec<Spending>,
    /// The plan that was followed.
    pub plan: Plan,
    /// Whether the noise came from secret entropy. If not, the release protects nobody.
    pub private: bool,
}

impl Plan {
    /// Spends the budgets: adds noise to the weighted count of every category.
    ///
    /// # Formula
    ///
    /// y_c = (Σ_j W_j·count(j, c) + K_c)/Σ W with independent discrete Laplace noise K_c (CC24
    /// Algorithm 1), then post-processing as requested.
    ///
    /// # Errors
    ///
    /// Refuses a table whose profile or categories are not those the plan was made for.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::*;
    ///
    /// let categories: Categories = "yes,no".parse()?;
    /// let sums = [7000, 3000].map(ExactSum::from_raw).to_vec();
    /// let cohort = Cohort {
    ///     label: None,
    ///     epsilon: Epsilon::new(0.5)?,
    ///     count: 10_000,
    ///     sums,
    ///     cells: Default::default(),
    /// };
    /// let table = LevelTable::new(
    ///     Some("answer".into()),
    ///     Measure::Categories(categories.clone()),
    ///     vec![cohort],
    /// )?;
    ///
    /// let plan = Request::frequency(categories, Options::default())?.plan(table.profile()?)?;
    /// let release = plan.release_frequencies(table, &mut Randomness::insecure(1))?;
    /// assert!((release.frequencies[0].estimate - 0.7).abs() < 0.01);
    /// assert!(release.privacy[0].spent.within(Epsilon::new(0.5)?));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn release_frequencies(
        self,
        table: LevelTable,
        randomness: &mut Randomness,
    ) -> Result<FrequencyRelease> {
        let categories = match (table.measure(), self.request().categories()) {
            (Measure::Categories(counted), Some(declared)) if counted == declared => {
                counted.clone()
            }
            _ => {
                return Err(Error::table("level table: its categories are not those of the plan")
                    .with_hint(
                        "make the table with the same categories, or plan with the table's",
                    ));
            }
        };
        let mut session = Session::known(self.allowed(), randomness);
        let noisy = self.noisy_shares(&table, &mut session)?;

        // From here on: post-processing.
        let published = self.request().options().post.apply(&noisy);
        let confidence = self.request().options().confidence;
        let reach = self.reach();
        let frequencies = categories
            .names()
            .iter()
            .zip(noisy.iter().zip(published))
            .map(|(category, (noisy, estimate))| {
                // Never without the published estimate itself: widening covers no less.
                let lower = (noisy - reach).clamp(0.0, 1.0).min(estimate);
                let upper = (noisy + reach).clamp(0.0, 1.0).max(estimate);
                Frequency {
                    category: category.clone(),
                    estimate,
                    interval: Interval { confidence, lower, upper },
                }
            })
            .collect();
        Ok(FrequencyRelease {
            column: table.column().map(str::to_owned),
            person: table.person().map(str::to_owned),
            missing: table.missing().cloned(),
            frequencies,
            error: self.expected_error(),
            privacy: self.certificate(&table, &session),
            plan: self,
            private: session.is_private(),
        })
    }
}
