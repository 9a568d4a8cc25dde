//! Variance, and the estimates that are released with it.

use suum_core::{
    Bounds, ExpectedError, Neighbors, Options, Phrase, Plan, Profile, ProtectedUnit, Release,
    Target, Unit, VariancePlan, option,
};

use super::{AddRemoveMeasurements, AddRemoveWords, AnswerWords, PlanWords, ReleaseWords};
use crate::answer::{self, Answer};
use crate::caveats;
use crate::certificate::SpendingTable;
use crate::content::Content;
use crate::figure::Figure;
use crate::figures::significant;
use crate::headline;
use crate::how;
use crate::html::{Check, Method, Source};
use crate::planned_error::PlannedError;
use crate::prose::{self, Text};
use crate::sentence::Sentence;
use crate::short;
use crate::tiers::{self, Tier};
use crate::view::Sort;

/// Variance, followed by the standard deviation and the mean that comes with it.
pub(crate) struct Moments;

impl AnswerWords for Moments {
    fn name(&self, release: &Release) -> String {
        release.statistic().to_owned()
    }

    fn clipped(&self, _: &Release) -> String {
        "The estimates are those of these clipped values: clipping makes a variance smaller, by \
         nobody knows how much. With declared bounds there are intervals."
            .to_owned()
    }

    fn show(&self, answer: &Answer<'_>, _: Option<Sort>) -> Content {
        let mut content = answer::one(answer);
        content.say_all(others(&answer.figures).map(|other| other.say(".")));
        let others = answer.figures.get(1..).unwrap_or_default();
        content
            .say_all(caveats::useless(&headline::useless(answer.release, others), answer.release));
        content
    }

    fn brief(&self, out: &mut Text, answer: &Answer<'_>, _: Option<Sort>) {
        short::one(out, answer);
        let others: Vec<String> = others(&answer.figures).map(|other| other.text()).collect();
        prose::indented(out, &format!("{}.", others.join(". ")));
    }
}

impl AddRemoveWords for Moments {
    fn sampling(&self) -> &'static str {
        "sampling: the records are a sample, of the distribution that is hardest to sample"
    }

    fn method(&self, method: &mut Method, measured: &AddRemoveMeasurements<'_>) {
        method.sums_of_units(measured, true);
        method.say("With m for the mean of y, the variance is");
        method.formula(match measured.both() {
            false => "h^2 ({A}/{A + B + C} − m^2 + s^2)",
            true => "h^2 (m (1 − m) − {S}/{2 H} + s^2)",
        });
        method.say(
            "where s² is the variance of the noise in m; and that divided by 1 minus the sum of \
             the squared shares of the weights, for a population.",
        );
        method.moved_by_weight(measured);
    }
}

/// Estimates that are released beside the variance.
fn others(figures: &[Figure]) -> impl Iterator<Item = Sentence> {
    let others = figures.iter().skip(1).zip(["Standard deviation", "Mean, measured with it"]);
    others.map(|(figure, name)| {
        let said = Sentence::from(format!("{name}: ")).and(figure.show());
        said.say(" (").and(figure.show_interval()).say(")")
    })
}

/// Description of the weights.
const ABOUT: &str = "weights min(ε, τ), τ optimal for the variance that is hardest to sample";

impl ReleaseWords for VariancePlan {
    fn options(&self) -> Option<&Options> {
        Some(self.request().options())
    }

    fn error(&self, release: &Release) -> Content {
        let basis = match release.range() {
            None => BASIS,
            Some(_) => "at the distribution hardest to sample, if no value lies beyond the range",
        };
        let whom = release.protects();
        release.error.map_or_else(Content::default, |error| errors(error, whom, basis, 3))
    }

    fn comparison(&self, _: &Release) -> Content {
        let words = format!("Estimator: affine ({ABOUT}).");
        how::compared("The estimator", Content::from_sentences([words]))
    }

    fn method(&self, _: &Release) -> Method {
        method(self)
    }

    fn check(&self) -> Check {
        check(self)
    }

    fn better(&self, release: &Release) -> Option<Phrase> {
        how::mostly_noise(release)
    }
}

impl PlanWords for VariancePlan {
    fn name(&self) -> String {
        "the variance".to_owned()
    }

    fn errors(&self, _: bool) -> Vec<PlannedError> {
        let by = "at the distribution that is hardest to sample".to_owned();
        let error = PlannedError::new("the variance", self.error().rmse, "", by);
        vec![PlannedError { kind: Unit::Square, ..error }]
    }

    fn error_of_mean(&self) -> Option<PlannedError> {
        let by = "measured with the variance".to_owned();
        Some(PlannedError::new("the mean", Self::error_of_mean(self).rmse, "", by))
    }

    fn notes(&self, _: bool) -> Vec<String> {
        let said = "That is the root mean squared error at the distribution that is hardest to \
            sample, with the estimator affine, if budgets do not depend on values.";
        vec![said.to_owned()]
    }

    fn notes_in_range(&self) -> String {
        "That is the root mean squared error at the distribution inside the range that is hardest \
         to sample, if budgets do not depend on values."
            .to_owned()
    }

    fn more(&self) -> Vec<String> {
        vec![how::would_be_for(how::describe_target(self.request().options().target))]
    }

    fn cost(&self) -> Content {
        let mut cost = Content::default();
        let errors = errors(self.error(), ProtectedUnit::Record, BASIS, 4);
        cost.section("error", how::ERRORS, errors);
        cost
    }

    fn spent(&self, tiers: &[Tier]) -> SpendingTable {
        let lines = tiers::lines_of(tiers, |tier| {
            let position = self.position(tier.epsilon)?;
            let weight = self.weights().per_level().get(position).copied();
            Some((self.loss_of(tier.epsilon), weight))
        });
        SpendingTable::for_plan(lines, Neighbors::ReplaceOne, false)
    }

    fn method(&self) -> Method {
        method(self)
    }

    fn check(&self) -> Check {
        check(self)
    }

    fn again(&self, profile: Profile) -> Option<Plan> {
        Some(self.request().plan(profile).ok()?.into())
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(self.request().bounds())
    }
}

/// Data for which the errors hold that are known in advance.
const BASIS: &str = "at the distribution that is hardest to sample, before seeing the data";

/// Table of an expected error in its parts, and of the data for which it holds.
pub(super) fn errors(
    error: ExpectedError,
    whom: ProtectedUnit,
    basis: &str,
    digits: i32,
) -> Content {
    let meanings = [how::noise_of(whom), how::SAMPLING, how::TOGETHER];
    how::errors("standard deviation", basis, &how::error_rows(error, 1.0, meanings), digits)
}

/// Command that makes this plan.
fn check(plan: &VariancePlan) -> Check {
    let (declared, options) = (plan.request().bounds(), plan.request().options());
    let settings = vec![
        (option::TARGET, options.target.name().into()),
        (option::STATISTIC, "variance".into()),
        Check::bounds(declared),
    ];
    let whole = options.share.get() == 1.0;
    Check::for_plan(plan.allowed(), settings, whole)
}

fn method(plan: &VariancePlan) -> Method {
    let mut method = Method::default();
    method.say(
        "Estimator: affine. The values are moved to u between −1 and 1. Two noisy weighted means, \
         of u and of u², are made together:
         $ m_1 = Σ_i w_i u_i + K_1
         $ m_2 = Σ_i w_i u_i^2 + K_2
         $ w_i = {min(ε_i, τ)}/{Σ_j min(ε_j, τ)}
         K are two noises of the same scale η. From them the variance is",
    );
    method.formula(match plan.request().options().target {
        Target::Population => "{m_2 − m_1^2 + 2 η^2}/{1 − Σ_i w_i^2}",
        Target::Dataset | Target::DatasetCorrelated => {
            "{n − 1}/{n} {m_2 − m_1^2 + 2 η^2}/{1 − Σ_i w_i^2}"
        }
    });
    method.say(&format!(
        "in units of half the width of the bounds, squared. τ = {} is the clip level of least \
         error at the distribution whose variance is hardest to sample.",
        significant(plan.tau(), 4)
    ));
    method.say(
        "Replacing u by v moves the two sums by |u − v| and |u² − v²|, together by at most 9/4. So \
         somebody of weight w loses
         $ {9 w}/{4 η}",
    );
    method.integers();
    method.sources.push(Source::Cc23);
    method
}
