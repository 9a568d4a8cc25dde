//! Short text of several answers from one split of every budget.

use suum_core::{Releases, Survey, SurveyAnswer};

use super::{Beside, groups, tiers, write_answer, write_details, write_notes};
use crate::prose::{self, Text};
use crate::view::Sort;
use crate::{how, survey};

/// Writes each answer under its heading, the assumptions of all of them, and one table of what each
/// tier spent.
pub(crate) fn write(out: &mut Text, all: &Survey, beside: &Beside) {
    how::write_warning(out, all.is_private());
    let mut sorts = beside.sorts.iter().copied();
    let written = all.answers().iter().zip(survey::headings(all)).map(|(answer, heading)| {
        let mut text = Text::like(out);
        if answer.checks_bounds {
            // A few sentences below the answer that it belongs to.
            let checked = survey::checked(answer);
            checked.iter().for_each(|sentence| prose::indented(&mut text, sentence));
            return (text, Vec::new());
        }
        text.heading(&heading);
        let sort = sorts.next().flatten();
        let sentences = write_one(&mut text, answer, sort, beside);
        (text, sentences)
    });
    let (texts, sentences): (Vec<Text>, Vec<Vec<String>>) = written.unzip();
    let common = common(&sentences);
    for (text, sentences) in texts.into_iter().zip(&sentences) {
        out.append(text);
        let own = sentences.iter().filter(|sentence| !common.contains(sentence));
        own.for_each(|sentence| prose::indented(out, sentence));
    }
    if !common.is_empty() {
        out.heading("All answers");
        common.iter().for_each(|sentence| prose::indented(out, sentence));
    }
    write_notes(out, &beside.below);
    out.heading(survey::CERTIFICATE);
    let whom = survey::protects(all);
    tiers::write(out, all.certificate(), whom, "spent ε", &beside.tiers);
    prose::paragraph(out, &survey::sum(all));
    write_notes(out, &beside.last);
    write_details(out);
}

/// Writes an answer, and returns the remaining sentences on it.
fn write_one(
    out: &mut Text,
    answer: &SurveyAnswer,
    sort: Option<Sort>,
    beside: &Beside,
) -> Vec<String> {
    match &answer.releases {
        Releases::One(release) => write_answer(out, release, sort),
        Releases::Groups(groups) => groups::write_answer(out, groups),
        Releases::Survey(inner) => {
            write(out, inner, beside);
            Vec::new()
        }
    }
}

/// Sentences that all answers with any sentences share, if there are several such answers.
fn common(each: &[Vec<String>]) -> Vec<String> {
    let each: Vec<&Vec<String>> = each.iter().filter(|sentences| !sentences.is_empty()).collect();
    let Some((first, others)) = each.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Vec::new();
    };
    let of_all = |sentence: &&String| others.iter().all(|other| other.contains(sentence));
    first.iter().filter(of_all).cloned().collect()
}
