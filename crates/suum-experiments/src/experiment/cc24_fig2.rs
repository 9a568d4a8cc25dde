//! CC24 Figure 2: HPF-CP and HPF-UP against their fast variants.

use serde::Deserialize;
use suum::Result;

use super::cc24_tables::{What, candidate, plan};
use crate::contest::Contest;
use crate::effort::{Effort, Progress};
use crate::outcome::{Axis, Chart, Finding, Outcome, Panel, Role, Series};
use crate::people::{Kind, People};
use crate::study::Study;
use crate::sweep::OURS;
use crate::value_with_error::ValueWithError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    sizes: Vec<usize>,
    categories: usize,
    correlated: Vec<String>,
    uncorrelated: Vec<String>,
}

/// Findings of one regime.
struct Half {
    series: Vec<Series>,
    /// True if the first two estimators had equal weights everywhere.
    equal: bool,
}

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let study = Study::<Setting>::new(
        include_str!("../../../../experiments/cc24-fig2.toml"),
        effort,
        progress,
    )?;
    let setting = &study.sheet.setting;
    study.expect(2 * setting.sizes.iter().sum::<usize>() as u64);
    let mut contest = Contest::default();
    let correlated = half(&study, &mut contest, Kind::Shifted, &setting.correlated)?;
    let uncorrelated = half(&study, &mut contest, Kind::Equal, &setting.uncorrelated)?;

    let findings = vec![
        compared(&correlated.series, 0, 1, "HPF-CP has {} times the error of HPF-CP-T"),
        Finding::check(
            uncorrelated.equal,
            "HPF-UP and HPF-UP-T have the same weights for every number of people: the second term \
            is the smaller one in both."
                .to_owned(),
        ),
        compared(&correlated.series, 2, 0, "Correlated, HPF-A has {} times the error of HPF-CP"),
        compared(&uncorrelated.series, 2, 0, "Uncorrelated, HPF-A has {} times the error of \
            HPF-UP"),
    ];
    let chart = |name: &str, caption: &str, half: Half| {
        Panel::Chart(Chart {
            name: name.to_owned(),
            caption: caption.to_owned(),
            x: Axis::logarithmic("people"),
            y: Axis::logarithmic("95 % quantile of the largest error"),
            series: half.series,
            marks: Vec::new(),
        })
    };
    let panels = vec![
        chart("correlated", "Budgets go with categories", correlated),
        chart("uncorrelated", "Budgets have nothing to do with categories", uncorrelated),
    ];
    Ok(study.outcome("cc24-fig2", panels, findings, contest))
}

fn half(
    study: &Study<'_, Setting>,
    contest: &mut Contest,
    kind: Kind,
    names: &[String],
) -> Result<Half> {
    let setting = &study.sheet.setting;
    let (correlated, regime) =
        (kind == Kind::Shifted, if kind == Kind::Shifted { "correlated" } else { "uncorrelated" });
    let line = |name: &str, role| Series { name: name.to_owned(), role, points: Vec::new() };
    let mut series: Vec<Series> = names.iter().map(|name| line(name, Role::Theirs)).collect();
    series.push(line(OURS, Role::Auto));
    let mut equal = true;
    for (number, size) in (0..).zip(&setting.sizes) {
        let point = number + if correlated { 0 } else { 100 };
        let seed = study.sheet.seed * 1000 + point;
        let people = People::draw(kind, *size, setting.categories, &study.effort.files, seed)?;
        let named = names.iter().map(String::as_str).chain([OURS]);
        let plan = plan(What::Frequency, &people, correlated)?;
        let candidates = named.map(|name| candidate(&plan, name)).collect::<Result<Vec<_>>>()?;
        equal &= match &candidates[..] {
            [program, fast, ..] => program.design.weights == fast.design.weights,
            _ => false,
        };
        let contenders: Vec<_> = candidates.iter().map(|candidate| (&plan, candidate)).collect();
        study.next(*size as u64);
        let errors =
            study.frequencies(point, study.trials, &contenders, &people.categories(correlated))?;
        let auto = ValueWithError::quantile(&errors[errors.len() - 1], 0.95);
        for (line, errors) in series.iter_mut().zip(&errors) {
            let measured = ValueWithError::quantile(errors, 0.95);
            line.points.push((*size as f64, measured));
            if line.role == Role::Theirs {
                contest.apart(&format!("{regime}, n = {size}"), auto, (&line.name, measured));
            }
        }
    }
    Ok(Half { series, equal })
}

/// Finding that one line is below another or not; their least and largest ratio replace `{}` in the
/// words.
fn compared(series: &[Series], first: usize, second: usize, words: &str) -> Finding {
    let pairs = series[first].points.iter().zip(&series[second].points);
    let ratios = pairs.map(|((_, a), (_, b))| a.value / b.value);
    let (low, high) = ratios.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), ratio| {
        (low.min(ratio), high.max(ratio))
    });
    let why = if high <= 1.0 {
        "."
    } else {
        "; which is better depends on how budgets go with categories, which the paper does not say."
    };
    Finding::check(high <= 1.0, words.replace("{}", &format!("{low:.2} to {high:.2}")) + why)
}
