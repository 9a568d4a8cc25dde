//! Releases and plans for people to read, as text and as pages of HTML, and as JSON for programs.
//!
//! Text is written for somebody who has never heard of differential privacy, and must still be true
//! to somebody who has: every figure is in the units of the data, losses are rounded up, and what
//! is an assumption is said to be one. Nothing here sees a private number: all input is a
//! [`suum_core::Plan`] or a [`suum_core::Release`].
//!
//! # What is where
//!
//! * `statistic/` has what is particular to a statistic, a file each, behind three small traits;
//!   its `mod.rs` is the one place that knows all of them.
//! * `release`, `groups`, `survey`, `plan` and `group_plans` put a `document` together: all there
//!   is to say, as `content` of sections, `sentence`s and `table`s. Texts that say all and pages
//!   are two ways to write it; `record` makes one of numbers alone, where no release is at hand.
//!   `answer`, `certificate`, `guarantee`, `caveats`, `headline`,
//!   `comparison`, `expected_errors`, `people_needed` and `how` are parts of it.
//! * `brief/` is the short text, with the answers of `short`; `text` chooses between it and the
//!   long one, by the `view` of whoever reads. `prose` is text under way, as wide as the screen.
//! * `assumed`: what intervals take for granted, in a line or two; `caveats` has all of it.
//! * `axis`: what drawings and lines of intervals in texts share.
//! * `figure` and `figures` (numbers), `data_value` (dates and times), `tiers`, `crosstab` and
//!   `strata` are what all share.
//! * `bounds_check`: how many values lie at bounds, in a few sentences beside an answer; `remarks`:
//!   what any answer may have to say besides; `verification`: what came of checking a certificate;
//!   `sensitivity`: what happens if budgets have to do with values; `accounts` and `ledger`: what
//!   is left; `letter` and `dossier`: what a ledger says to a person, and to whoever oversees;
//!   `changed`: what another profile would change.
//! * `html/` writes content as pages (`docs/how-to/report.md`), with formulas and drawings; all
//!   text goes through `markup`, which escapes it.
//! * `what_if/`: the part of a plan's page in which people move tiers about. `plan.js` and
//!   `losses.js` add up what Rust has put beside them, `figures.js` has the digits of a plan's
//!   text, `section.js`, `scales.js`, `curve.js` and `page.js` what people touch; `steps.js` looks
//!   up plans that Rust has made. Tests compare both with the plan, in a browser.

mod accounts;
mod answer;
mod assumed;
mod axis;
mod bounds_check;
mod brief;
mod caveats;
mod certificate;
mod changed;
mod comparison;
mod content;
mod crosstab;
mod csv;
mod data_value;
mod document;
mod dossier;
mod expected_errors;
mod figure;
mod figures;
mod group_plans;
mod groups;
mod guarantee;
mod headline;
mod how;
mod html;
mod ledger;
mod letter;
mod markdown;
mod notice;
mod people_needed;
mod plan;
mod planned_error;
mod prose;
mod record;
mod release;
mod remarks;
mod rounding;
mod sensitivity;
mod sentence;
mod sentinel;
mod short;
mod statistic;
mod strata;
mod survey;
mod table;
mod text;
mod tiers;
mod tiers_apart;
mod verification;
mod view;
mod what_if;

pub use accounts::{Account, accounts_text, effect_text, sparkline};
pub use bounds_check::check_heading;
pub use brief::{Beside, details_text};
pub use changed::Before;
pub use csv::releases_csv;
pub use dossier::{Dossier, DossierPart, DossierRow, DossierSection, DossierTable};
pub use expected_errors::{ExpectedErrors, ExpectedEstimate, expected_text, expected_words};
pub use group_plans::{GroupPlan, group_plans_page, group_plans_text, planned_difference};
pub use groups::{memberships_words, small_groups_words};
pub use html::{Page, drawn_fragment, ledger_page, survey_plan_page};
pub use ledger::{LedgerDataset, LedgerRelease, LeftOverTime};
pub use letter::{Letter, LetterPart, LetterSection};
pub use markdown::escaped_markdown;
pub use notice::under_headline;
pub use people_needed::{PeopleNeeded, needed_text, needed_words};
pub use plan::{plan_markdown, plan_page, plan_text, what_if_page, what_if_text};
pub use prose::{fitted, fitted_command};
pub use record::Record;
pub use remarks::{ConsentRemark, Remarks, StepOfType};
pub use sensitivity::{SensitivityAnswer, sensitivity_text};
pub use survey::{answer_heading, answer_split, group_sizes_heading};
pub use text::{
    groups_page, groups_text, release_page, release_text, releases_markdown, survey_page,
    survey_text,
};
pub use tiers::Tier;
pub use verification::verification_text;
pub use view::{Sort, View};

use serde::Serialize;
use suum_core::{Error, Result};

/// A plan or release as indented JSON, with a final line break.
///
/// # Errors
///
/// None is expected: plans and releases always have a JSON form.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Plan, Statistic, WeightedRequest};
///
/// let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?;
/// let plan = Plan::from(request.plan("0.1:50,inf:2".parse()?)?);
/// assert!(suum_report::json(&plan)?.contains("\"chosen\": \"typical\""));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn json(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value).map_err(|error| {
        Error::io("json", format!("could not be written ({:?})", error.classify()))
            .with_fix("give a plan or a release, or what else has a JSON form")
    })?;
    Ok(text + "\n")
}
