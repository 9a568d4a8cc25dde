//! The release of a number in words.

use std::fmt::Write;

use suum_core::{Caveats, LearnedVariance, Plan, Protected, Release};

use crate::answer::{self, Answer};
use crate::caveats::{Facts, Said};
use crate::figures::{budget, count, percent, significant, tier};
use crate::how::{self, How, Person};
use crate::html::Shown;
use crate::prose;
use crate::range;
use crate::table::{Table, selection};
use crate::tiers::LINES;

/// The text of a release: the answer first, then where its error comes from, what each tier spent,
/// what else was considered, and what is guaranteed.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let grid = Grid::new(Bounds::new(0.0, 10.0)?);
/// let sums = vec![ExactSum::from_raw(500 * i128::from(grid.points()) / 2)];
/// let people = Cohort {
///     label: Some("standard".into()),
///     epsilon: Epsilon::new(0.5)?,
///     count: 500,
///     sums,
///     cells: Default::default(),
/// };
/// let table = LevelTable::new(Some("score".into()), Measure::Numbers(grid.into()), vec![people])?;
/// let plan =
///     Request::new(Statistic::Mean, grid.bounds(), Options::default())?.plan(table.profile()?)?;
/// let release = plan.release(table, &mut Randomness::insecure(1))?;
/// assert!(suum_report::release_text(&release).contains("mean of score"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn release_text(release: &Release) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = write_release(&mut out, release);
    out
}

fn write_release(out: &mut String, release: &Release) -> std::fmt::Result {
    let Some(plan) = &release.plan else { return write_count(out, release) };
    how::write_warning(out, release.private)?;
    answer::number(
        out,
        &Answer {
            name: release.statistic.name(),
            column: release.column.as_deref(),
            figures: &release.figures(),
            whom: how::estimand(plan),
            said: &said(release, plan),
        },
        release,
    )?;
    write_notes(out, release, plan)?;
    how::write(
        out,
        &How {
            plan,
            error: release.error,
            privacy: &release.privacy,
            person: Person::new(release.person.as_ref(), "the mean of their rows"),
            range: release.range.as_ref(),
        },
    )
}

/// What must be known of the answer.
pub(crate) fn said(release: &Release, plan: &Plan) -> Said {
    let declared = release.range.is_none();
    let facts = Facts {
        confidence: release.interval.map(|interval| interval.confidence),
        no_interval: release.no_interval(),
        bounds: declared.then_some(plan.setting().bounds),
        correlated: declared,
    };
    Said::of(release, &facts)
}

/// What has to be known of an estimate and its interval: shrinkage, a range or a variance that was
/// bought first, bias.
pub(crate) fn write_notes(out: &mut String, release: &Release, plan: &Plan) -> std::fmt::Result {
    for note in notes(release, plan) {
        prose::paragraph(out, &note);
    }
    if let Some(range) = &release.range {
        range::write_found(out, range)?;
    }
    Ok(())
}

/// What else has to be known of an estimate and its interval: shrinkage, a variance that was bought
/// first, bias.
pub(crate) fn notes(release: &Release, plan: &Plan) -> Vec<String> {
    let factor = plan.unit();
    let mut notes = Vec::new();
    if let Some(shrinkage) = plan.shrinkage() {
        notes.push(format!(
            "The estimate is shrunk towards the middle of the bounds: factor {}, error {} ({}).",
            significant(shrinkage.factor, 3),
            significant(shrinkage.risk.sqrt() * factor, 3),
            how::WORST,
        ));
    }
    match release.learned {
        Some(LearnedVariance { share, bound: Some(bound) }) => notes.push(format!(
            "{} of every budget bought a bound on the variance, {}; interval and weights are made \
             for it.",
            percent(share),
            significant(bound, 3),
        )),
        Some(LearnedVariance { share, bound: None }) if share > 0.0 => notes.push(format!(
            "{} of every budget went to a bound on the variance, which says no more than the \
             bounds do.",
            percent(share),
        )),
        Some(_) => notes.push(
            "With these budgets no bound on the variance could help: none was bought.".to_owned(),
        ),
        None => {}
    }
    notes
}

fn write_count(out: &mut String, release: &Release) -> std::fmt::Result {
    let whom = release.protects();
    writeln!(out, "Number of {}: {}", whom.many(), count(release.estimate as u64))?;
    prose::paragraph(out, &exact(whom));
    writeln!(out)?;
    let mut table = Table::new(1, ["tier", whom.many(), "allowed ε", "spent ε"]);
    for position in selection(release.privacy.len(), LINES) {
        let row = position.and_then(|position| release.privacy.get(position));
        table.row(match row {
            Some(row) => {
                [tier(&row.level, row.epsilon), count(row.count), budget(row.epsilon), "0".into()]
            }
            None => ["…".into(), String::new(), String::new(), String::new()],
        });
    }
    table.write(out);
    Ok(())
}

/// That a count costs nothing.
pub(crate) fn exact(whom: Protected) -> String {
    format!(
        "Exact, and it costs nobody any privacy: under replace-one neighbours the number of {} is \
         public.",
        whom.many()
    )
}
