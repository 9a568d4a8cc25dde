//! Single numbers, and counts: exact ones, and the words of those with noise.

use suum_core::{Options, Procedure, ProtectedUnit, Release, Target};

use super::{AddRemoveMeasurements, AddRemoveWords, AnswerWords, ReleaseWords};
use crate::answer::Answer;
use crate::content::Content;
use crate::figures::count;
use crate::html::Method;
use crate::prose::{self, Text, Tone};
use crate::short;
use crate::view::Sort;

/// Number without further words.
pub(crate) struct Number;

impl AnswerWords for Number {
    fn name(&self, release: &Release) -> String {
        release.statistic().to_owned()
    }
}

/// Exact count, and the form of any count.
pub(crate) struct CountWords;

impl ReleaseWords for CountWords {
    fn options(&self) -> Option<&Options> {
        None
    }

    fn cost(&self, _: &Release) -> Content {
        Content::default()
    }

    fn notes(&self, release: &Release) -> Vec<String> {
        vec![exact(release.protects())]
    }

    fn method(&self, _: &Release) -> Method {
        let mut method = Method::default();
        method.say("The records were counted. No noise was added.");
        method
    }
}

impl AnswerWords for CountWords {
    fn name(&self, release: &Release) -> String {
        let exact = release.procedure == Procedure::Exact;
        let what = if exact { release.protects().many() } else { "records" };
        format!("number of {what}")
    }

    fn brief(&self, out: &mut Text, answer: &Answer<'_>, _: Option<Sort>) {
        let whom = answer.release.protects();
        if answer.release.procedure != Procedure::Exact {
            return short::one(out, answer);
        }
        let said = format!("{} {}", count(answer.release.estimate() as u64), whom.many());
        out.pieces(&[(said, Tone::Answer), ("exact".to_owned(), Tone::Plain)]);
        prose::indented(out, &exact(whom));
    }
}

impl AddRemoveWords for CountWords {
    fn whom(&self, _: Target) -> &'static str {
        "the records with a declared budget"
    }

    fn method(&self, method: &mut Method, measured: &AddRemoveMeasurements<'_>) {
        method.say(
            "Noise of scale 1 is added to the sum of the weights:
             $ {Σ_i w_i + K}/{ε_min}",
        );
        method.moved_by_weight(measured);
    }
}

/// Note that a count costs nothing.
pub(crate) fn exact(whom: ProtectedUnit) -> String {
    format!(
        "Exact, and it costs nobody any privacy: under replace-one neighbours the number of {} is \
         public.",
        whom.many()
    )
}
