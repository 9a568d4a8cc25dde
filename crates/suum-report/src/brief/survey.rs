//! Short text of several answers from one split of every budget.

use suum_core::{AnswerRole, Phrase, Releases, Survey, SurveyAnswer};

use super::{
    Beside, groups, tiers, write_answer, write_details, write_notes, write_protected,
    write_sentences,
};
use crate::prose::{self, Text};
use crate::statistic::answered;
use crate::view::Sort;
use crate::{assumed, how, sensitivity, survey};

/// Writes each answer under its heading, the assumptions of all of them, and one table of what each
/// tier spent.
pub(crate) fn write(out: &mut Text, all: &Survey, beside: &Beside) {
    how::write_warning(out, all.is_private());
    let mut sorts = beside.sorts.iter().copied();
    // Assumptions are said once, if all intervals are about the same population.
    let together = survey::together(all);
    let is_whole = together.is_none();
    let written = all.answers().iter().zip(survey::headings(all)).map(|(answer, heading)| {
        let mut text = Text::like(out);
        if answer.role == AnswerRole::BoundsCheck {
            // A few sentences below the answer that it belongs to.
            let checked = survey::checked(answer);
            checked.iter().for_each(|sentence| prose::indented(&mut text, sentence));
            return (text, Vec::new());
        }
        text.heading(&heading);
        let sort = match answer.role {
            AnswerRole::Requested => sorts.next().flatten(),
            AnswerRole::BoundsCheck | AnswerRole::GroupSizes => None,
        };
        let sentences = write_one(&mut text, answer, sort, beside, is_whole);
        (text, sentences)
    });
    let (texts, sentences): (Vec<Text>, Vec<Vec<String>>) = written.unzip();
    let common = common(&sentences);
    for (text, sentences) in texts.into_iter().zip(&sentences) {
        out.append(text);
        let own = sentences.iter().filter(|sentence| !common.contains(sentence));
        own.for_each(|sentence| prose::indented(out, sentence));
    }
    if !common.is_empty() || together.is_some() {
        out.heading("All answers");
        write_sentences(out, together.as_slice());
        common.iter().for_each(|sentence| prose::indented(out, sentence));
    }
    write_notes(out, &beside.below);
    out.heading(survey::CERTIFICATE);
    let whom = survey::protects(all);
    tiers::write(out, all.certificate(), whom, "spent ε", &beside.tiers);
    if let Some(release) = survey::first_with_noise(all) {
        write_protected(out, release);
    }
    prose::paragraph(out, &survey::sum(all));
    write_notes(out, &beside.last);
    write_details(out);
}

/// Writes an answer, and returns the remaining sentences on it; without that on its intervals
/// unless it `is_whole`.
fn write_one(
    out: &mut Text,
    answer: &SurveyAnswer,
    sort: Option<Sort>,
    beside: &Beside,
    is_whole: bool,
) -> Vec<String> {
    let spoken = |out: &Text, sentences: &[Phrase]| -> Vec<String> {
        sentences.iter().map(|sentence| out.render(sentence)).collect()
    };
    match &answer.releases {
        Releases::One(release) => {
            let strata = write_answer(out, release, sort);
            let answer = answered(release);
            let sentences = match is_whole {
                true => assumed::sentences(&answer),
                false => assumed::sentences_with(&answer, None, sensitivity::line(release)),
            };
            strata.into_iter().chain(spoken(out, &sentences)).collect()
        }
        Releases::Groups(all) => {
            groups::write_answer(out, all, sort);
            spoken(out, &groups::sentences(all, is_whole))
        }
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
