//! Page of an audit: a table of all mechanisms first, then the levels of each.

use suum_audit::{LevelReport, Report, SubjectReport, Verdict};
use suum_report::{Dossier, DossierPart, DossierRow, DossierSection, DossierTable, Page};

/// Page of the findings of an audit.
pub(super) fn page(report: &Report) -> Page {
    let broken = report.subjects.iter().filter(|one| one.verdict() == Verdict::Broken).count();
    let all = report.subjects.len();
    let title = match broken {
        0 => format!("No promise was disproved: {}", plural(all, "mechanism")),
        _ => format!("Broken promises: {broken} of {}", plural(all, "mechanism")),
    };
    let warning = (broken > 0).then(|| {
        let names: Vec<&str> = report
            .subjects
            .iter()
            .filter(|one| one.verdict() == Verdict::Broken)
            .map(|one| one.name.as_str())
            .collect();
        format!("Broken promises: {}.", names.join(", "))
    });
    let summary = DossierSection {
        id: "summary".to_owned(),
        heading: "All mechanisms".to_owned(),
        parts: vec![
            DossierPart::Table(summary(report)),
            DossierPart::Paragraph(meaning(report)),
            DossierPart::Small(how(report)),
        ],
    };
    let each = report.subjects.iter().flat_map(|subject| {
        let words = level_words(subject);
        let words = words.into_iter().map(DossierPart::Paragraph);
        [DossierPart::Heading(subject.name.clone()), DossierPart::Table(levels(subject))]
            .into_iter()
            .chain(words)
    });
    let each = DossierSection {
        id: "levels".to_owned(),
        heading: "Level by level".to_owned(),
        parts: each.collect(),
    };
    let kind = "Audit: an attempt to disprove what mechanisms promise".to_owned();
    let sections = vec![summary, each];
    Dossier { kind, title, warning, notices: Vec::new(), sections }.page()
}

/// Table with a row for each mechanism: of its levels the one that surely lost the largest part of
/// its promise.
fn summary(report: &Report) -> DossierTable {
    let row = |subject: &SubjectReport| {
        let most = subject.levels.iter().filter_map(|level| Some((part(level)?, level)));
        let most = most.max_by(|(one, _), (other, _)| one.total_cmp(other));
        let levels = subject.levels.len().to_string();
        let mut cells = vec![subject.name.clone(), subject.verdict().describe().to_owned(), levels];
        cells.extend(match most {
            Some((_, level)) => figures(level),
            None => ["–".to_owned(), "–".to_owned()],
        });
        DossierRow { cells, share: most.map(|(part, _)| part.min(1.0)) }
    };
    DossierTable {
        caption: "Of each mechanism the level that surely loses the largest part of its promise, \
                  in ε"
            .to_owned(),
        headings: ["mechanism", "verdict", "levels", "certified", "at least"]
            .map(str::to_owned)
            .to_vec(),
        share: "part of the promise".to_owned(),
        rows: report.subjects.iter().map(row).collect(),
    }
}

/// Table of the levels of a mechanism.
fn levels(subject: &SubjectReport) -> DossierTable {
    let is_known = subject.levels.iter().any(|level| level.exact.is_some());
    let row = |level: &LevelReport| {
        let [certified, found] = figures(level);
        let exact = level.exact.as_ref().map_or("–".to_owned(), suum_audit::loss_text);
        let verdict = level.verdict.describe().to_owned();
        let exact = is_known.then_some(exact);
        let cells = [level.level.clone(), verdict, certified, found].into_iter().chain(exact);
        DossierRow { cells: cells.collect(), share: part(level).map(|part| part.min(1.0)) }
    };
    let exactly = is_known.then_some("exactly");
    let headings = ["level", "verdict", "certified", "at least"].into_iter().chain(exactly);
    DossierTable {
        caption: format!("Levels of {}, in ε", subject.name),
        headings: headings.map(str::to_owned).collect(),
        share: "part of the promise".to_owned(),
        rows: subject.levels.iter().map(row).collect(),
    }
}

/// Certified loss, and the lower bound on the real one.
fn figures(level: &LevelReport) -> [String; 2] {
    let found = level.evidence.as_ref();
    let found = found.map_or("–".to_owned(), |evidence| suum_audit::figure_text(evidence.loss));
    [suum_audit::loss_text(&level.certified), found]
}

/// Part of the promise that is surely lost, which is more than 1 if it is broken.
fn part(level: &LevelReport) -> Option<f64> {
    let (promised, lost) = (level.certified.rounded_up(), level.evidence.as_ref()?.loss);
    Some(match promised > 0.0 {
        true => lost / promised,
        false if lost > 0.0 => f64::INFINITY,
        false => 0.0,
    })
}

/// Sentences on the events that break promises.
fn level_words(subject: &SubjectReport) -> Vec<String> {
    let broken = subject.levels.iter().filter(|level| level.verdict == Verdict::Broken);
    broken.flat_map(suum_audit::broken_words).collect()
}

/// Meaning of the table.
fn meaning(report: &Report) -> String {
    let broken = report.verdict() == Verdict::Broken;
    let proof = match broken {
        true => "A broken promise is proved up to the stated probability.",
        false => {
            "That no promise was disproved is no proof: it shows that no event that was looked for \
             tells a record apart by more than was certified."
        }
    };
    format!(
        "Certified is what a release says that it spends. At least is what a record surely loses, \
         from counted releases of two neighbours. {proof}"
    )
}

/// Number of runs and the confidence.
fn how(report: &Report) -> String {
    format!(
        "{} counted runs of either neighbour for every level, seed {}. With probability {} all \
         lower bounds hold at once.",
        report.runs, report.seed, report.confidence
    )
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
