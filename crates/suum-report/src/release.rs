//! A release in words.

use std::fmt::Write;

use suum_core::{Procedure, Protected, Release, SummaryProcedure};

use crate::answer::Answer;
use crate::figures::{budget, count, significant, tier};
use crate::prose::Text;
use crate::table::{Table, selection};
use crate::tiers::LINES;
use crate::{
    adaptive, add_remove, how, moment, prose, quantiles, range, strata, summary, variance,
};

/// All there is to say of a release: the answer first, then where its error comes from, what each
/// tier spent, what else was considered, and what is guaranteed.
pub(crate) fn write(out: &mut Text, release: &Release) -> std::fmt::Result {
    if release.procedure == Procedure::Exact {
        return write_count(out, release);
    }
    how::write_warning(out, release.private)?;
    Answer::of(release).write(out)?;
    for note in notes(release) {
        prose::paragraph(out, &note);
    }
    if let Some(range) = release.range() {
        range::write_found(out, release, range)?;
    }
    match &release.procedure {
        Procedure::Exact => Ok(()),
        Procedure::Weighted(plan) => how::write(out, plan, release),
        Procedure::Quantiles(plan) => quantiles::write_how(out, plan, release),
        Procedure::Variance(_) => variance::write_how(out, release),
        Procedure::Summary(SummaryProcedure { parts, .. }) => {
            summary::write_how(out, parts, release)
        }
        Procedure::AddRemove(how) => add_remove::write_how(out, how, release),
    }
}

/// What else has to be known of an estimate and its interval: strata, shrinkage, a range that
/// was learned, a spread that was measured.
pub(crate) fn notes(release: &Release) -> Vec<String> {
    let mut notes: Vec<String> = strata::shares_kept(release).into_iter().collect();
    if let Procedure::Weighted(plan) = &release.procedure
        && let Some(shrinkage) = plan.shrinkage()
    {
        notes.push(format!(
            "The estimate is shrunk towards the middle of the bounds: factor {}, error {}{} ({}).",
            significant(shrinkage.factor, 3),
            significant(shrinkage.risk.sqrt() * plan.unit(), 3),
            moment::unit(release.scale()),
            how::WORST,
        ));
    }
    let bounds = match &release.procedure {
        Procedure::Weighted(plan) => Some(plan.request().bounds()),
        Procedure::AddRemove(how) => how.request.bounds(),
        _ => None,
    };
    notes.extend(bounds.into_iter().flat_map(|bounds| adaptive::notes(release, bounds)));
    notes.extend(release.spread().map(|spread| {
        let (known, most) = (spread.variance.sqrt(), spread.bound.sqrt());
        let unit = moment::unit(release.scale());
        format!(
            "The standard deviation {} was measured beside the estimate, which cost nobody \
             anything more: about {}{unit}, and for all the noise hardly above {}{unit}.",
            adaptive::of_what(release.learned_range()),
            significant(known, 3),
            significant(most, 3),
        )
    }));
    notes
}

fn write_count(out: &mut Text, release: &Release) -> std::fmt::Result {
    let whom = release.protects();
    writeln!(out, "Number of {}: {}", whom.many(), count(release.estimate() as u64))?;
    prose::paragraph(out, &exact(whom));
    writeln!(out)?;
    let mut table = Table::new(1, ["tier", whom.many(), "allowed ε", "spent ε"]);
    for position in selection(release.privacy.len(), LINES) {
        let row = position.and_then(|position| release.privacy.get(position));
        table.row(match row {
            Some(row) => {
                let people = row.count.map_or_else(String::new, count);
                [tier(&row.level, row.epsilon), people, budget(row.epsilon), "0".into()]
            }
            None => ["…".into(), String::new(), String::new(), String::new()],
        });
    }
    out.table(&table);
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
