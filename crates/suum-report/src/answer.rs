//! The answer of a release in words: one number, or what several of them say together.

use std::fmt::{Result, Write};

use suum_core::{PostProcessing, Procedure, Quantity, Release};

use crate::caveats::{Said, useless};
use crate::crosstab::Crossed;
use crate::how;
use crate::html::figure::Figure;
use crate::prose::Text;
use crate::table::Table;
use crate::{add_remove, crosstab, frequencies, headline, prose, quantiles, summary, variance};

/// The numbers that a release answers with, and what must be known of them.
pub(crate) struct Answer<'a> {
    pub(crate) release: &'a Release,
    /// What was estimated.
    pub(crate) name: String,
    pub(crate) figures: Vec<Figure>,
    /// Whom the estimate is about.
    pub(crate) whom: &'static str,
    pub(crate) said: Said,
}

/// In what form numbers are shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Form {
    /// A number in a sentence.
    Number,
    /// The shares of categories, after this.
    Shares(PostProcessing),
    /// Several quantiles.
    Quantiles,
    /// A variance, and what comes with it.
    Moments,
    /// Several statistics.
    Statistics,
}

impl<'a> Answer<'a> {
    pub(crate) fn of(release: &'a Release) -> Self {
        let figures = Figure::all_of(release);
        let whom = match &release.procedure {
            Procedure::Weighted(plan) => how::estimand(plan),
            Procedure::Quantiles(plan) => how::of_target(plan.request().options().target),
            Procedure::Variance(plan) => how::of_target(plan.request().options().target),
            Procedure::AddRemove(how) => add_remove::whom(&how.request),
            // A count is about everybody, and each of several statistics says it itself.
            Procedure::Exact | Procedure::Summary { .. } => "",
        };
        let name = match (form(release), figures.as_slice()) {
            (Form::Shares(_), _) => "frequencies".to_owned(),
            (Form::Quantiles, _) => "quantiles".to_owned(),
            (Form::Statistics, _) => "statistics".to_owned(),
            (Form::Number, [one]) if one.is_of_rank() => one.name.clone(),
            _ => match (release.statistic(), &release.procedure) {
                ("count", Procedure::Exact) => format!("number of {}", release.protects().many()),
                ("count", _) => "number of records".to_owned(),
                (statistic, _) => statistic.to_owned(),
            },
        };
        Self { release, name, figures, whom, said: Said::of(release) }
    }

    pub(crate) fn form(&self) -> Form {
        form(self.release)
    }

    pub(crate) fn column(&self) -> Option<&'a str> {
        self.release.column.as_deref()
    }

    /// The names of the answers that say next to nothing.
    pub(crate) fn useless(&self) -> Vec<String> {
        headline::useless(self.release, &self.figures)
    }

    /// What each interval of a table is, and how shares were made to add up.
    pub(crate) fn alone(&self) -> String {
        match self.form() {
            Form::Shares(post) => {
                let alone = frequencies::alone(self.release);
                format!("{alone} {}", frequencies::post_words(post))
            }
            Form::Statistics => summary::alone(self.release),
            _ => quantiles::alone(self.release).to_owned(),
        }
    }

    /// The answer as text.
    pub(crate) fn write(&self, out: &mut Text) -> Result {
        let (interval, rows) = (interval_heading(&self.figures), self.figures.iter());
        let of = how::of_column(self.column());
        match self.form() {
            Form::Number => return number(out, self),
            Form::Moments => return moments(out, self),
            Form::Shares(_) => {
                prose::paragraph(out, &format!("Private {}{of}, for {}", self.name, self.whom));
                match Crossed::of(self.release) {
                    Some(crossed) => crosstab::write(out, &crossed),
                    None => frequencies::write_table(out, &self.figures, &interval),
                }
            }
            Form::Quantiles => {
                prose::paragraph(out, &format!("Private {}{of}, for {}", self.name, self.whom));
                let all: Vec<&Figure> = rows.clone().collect();
                prose::paragraph(out, &headline::text(&headline::several(&all)));
                quantiles::write_table(out, &self.figures, &interval);
            }
            Form::Statistics => {
                writeln!(out, "Private {}{of}", self.name)?;
                prose::paragraph(out, &headline::text(&summary::headline(&self.figures)));
                let mut table = Table::new(1, ["", "estimate", "interval"]);
                for figure in rows {
                    let estimate = figure.writing.text(figure.estimate);
                    table.row([figure.name.clone(), estimate, figure.interval_text()]);
                }
                out.table(&table);
            }
        }
        if let Some(sentence) = useless(&self.useless()) {
            prose::paragraph(out, &sentence);
        }
        prose::paragraph(out, &self.alone());
        self.said.write(out);
        Ok(())
    }
}

fn form(release: &Release) -> Form {
    let post = match &release.procedure {
        Procedure::Summary { .. } => return Form::Statistics,
        Procedure::Weighted(plan) => plan.request().options().post,
        Procedure::AddRemove(how) => how.request.options().post,
        _ => PostProcessing::default(),
    };
    match release.estimates.first().map(|one| &one.of) {
        Some(Quantity::Share(_)) => Form::Shares(post),
        Some(Quantity::Quantile(_)) if release.estimates.len() > 1 => Form::Quantiles,
        Some(Quantity::Variance) => Form::Moments,
        _ => Form::Number,
    }
}

/// The heading of the column of intervals.
pub(crate) fn interval_heading(figures: &[Figure]) -> String {
    match figures.iter().find_map(|figure| figure.interval) {
        Some(interval) => format!("{} interval", how::confidence(interval.confidence)),
        None => "interval".to_owned(),
    }
}

/// One number with its interval; or that there is no useful one.
fn number(out: &mut Text, answer: &Answer<'_>) -> Result {
    let Answer { release, name, figures, whom, said } = answer;
    let Some(figure) = figures.first() else { return Ok(()) };
    let of = how::of_column(answer.column());
    match figure.interval {
        _ if release.uninformative().contains(&figure.key) => {
            writeln!(out, "Private {name}{of}: no useful answer")?;
            let whom = release.protects();
            let sentence = headline::single(name, answer.column(), figure, true, whom);
            prose::paragraph(out, &headline::text(&sentence));
        }
        Some(interval) => {
            writeln!(out, "Private {name}{of}: {}", figure.writing.text(figure.estimate))?;
            let confidence = how::confidence(interval.confidence);
            let interval = figure.interval_text();
            prose::paragraph(
                out,
                &format!("{confidence} confidence interval: {interval}, for {whom}"),
            );
        }
        None => {
            let estimate = figure.writing.text(figure.estimate);
            writeln!(out, "Private {name}{of}: {estimate}, without a confidence interval")?;
            prose::paragraph(out, &format!("For {whom}."));
        }
    }
    said.write(out);
    Ok(())
}

/// The variance, then what was measured with it.
fn moments(out: &mut Text, answer: &Answer<'_>) -> Result {
    number(out, answer)?;
    let others = answer.figures.get(1..).unwrap_or(&[]);
    for (name, figure) in variance::NAMES.into_iter().zip(others) {
        let estimate = figure.writing.text(figure.estimate);
        writeln!(out, "{name}: {estimate} ({})", figure.interval_text())?;
    }
    if let Some(sentence) = useless(&headline::useless(answer.release, others)) {
        prose::paragraph(out, &sentence);
    }
    Ok(())
}
