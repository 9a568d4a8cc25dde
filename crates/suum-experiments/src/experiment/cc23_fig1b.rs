//! CC23 Figure 1(B): the error of the mean as the second group relaxes.

use serde::Deserialize;
use suum::simulation::Data;
use suum::{Bounds, Options, Result};

use crate::effort::{Effort, Progress};
use crate::experiment::NamedEstimator;
use crate::outcome::{Axis, Chart, Finding, Mark, Outcome, Panel};
use crate::study::Study;
use crate::sweep::{self, Line, Point, SweepPoint};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    strict: u64,
    relaxed: u64,
    epsilon: f64,
    relative: Vec<f64>,
    estimators: Vec<NamedEstimator>,
}

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let study = Study::<Setting>::new(
        include_str!("../../../../experiments/cc23-fig1b.toml"),
        effort,
        progress,
    )?;
    let setting = &study.sheet.setting;
    let critical = setting.epsilon + 8.0 / (setting.strict as f64 * setting.epsilon);
    let mut lines = NamedEstimator::lines(&setting.estimators)?;
    lines.push(Line::auto());
    let point = |relative: &f64| {
        let x = critical * relative;
        let profile = sweep::profile(&[(setting.epsilon, setting.strict), (x, setting.relaxed)])?;
        let data =
            Data::independent(|dice| if dice.uniform() < 0.5 { -0.5 } else { 0.5 }, vec![0.0]);
        Ok(Point { x, profile, data })
    };
    let points = setting.relative.iter().map(point).collect::<Result<Vec<_>>>()?;
    let found =
        sweep::sweep(&study, (Bounds::new(-0.5, 0.5)?, &Options::default()), &lines, points)?;

    let chart = Chart {
        name: "mse".to_owned(),
        caption: format!(
            "Mean squared error; n₁ = {}, n₂ = {}, ε₁ = {}; dots are simulated, their lines exact",
            setting.strict, setting.relaxed, setting.epsilon
        ),
        x: Axis::logarithmic("ε₂"),
        y: Axis::logarithmic("mean squared error"),
        series: sweep::series(&lines, &found, |_| 1.0, |at, line| Some(at.risk(line))),
        marks: vec![Mark { at: critical, label: format!("ε₁ + 8/(n₁ε₁) = {critical:.3}") }],
    };
    let findings = findings(&found, critical);
    let contest = sweep::contest(&lines, &found, |at| format!("ε₂ = {:.3}", at.x));
    Ok(study.outcome("cc23-fig1b", vec![Panel::Chart(chart)], findings, contest))
}

/// Positions of the lines in the file of parameters.
const ADPM: usize = 0;
const LDPE: usize = 1;
const PROP: usize = 2;

fn findings(found: &[SweepPoint], critical: f64) -> Vec<Finding> {
    let saturated: Vec<&SweepPoint> =
        found.iter().filter(|at| at.x >= critical * (1.0 - 1e-9)).collect();
    let rising: Vec<&SweepPoint> =
        found.iter().filter(|at| at.x <= critical * (1.0 + 1e-9)).collect();
    let (Some(first), Some(last)) = (saturated.first(), saturated.last()) else {
        return Vec::new();
    };
    let flat = saturated.iter().all(|at| (at.risk(ADPM) / first.risk(ADPM) - 1.0).abs() < 1e-9);
    let falls =
        rising.windows(2).all(|pair| pair[1].risk(ADPM) < pair[0].risk(ADPM) * (1.0 - 1e-6));
    let worse = saturated.windows(2).all(|pair| pair[1].risk(PROP) > pair[0].risk(PROP));
    let measured = found.iter().flat_map(|at| (0..at.candidates.len()).map(move |line| (at, line)));
    let off = measured
        .map(|(at, line)| {
            (at.mean_squared(line).value - at.risk(line)).abs() / at.mean_squared(line).error
        })
        .fold(0.0, f64::max);
    vec![
        Finding::check(
            flat && falls,
            format!(
                "The exact risk of ADPM falls until ε₂ = {critical:.3} and is constant from there \
                on, to nine digits: {:.3e}.",
                first.risk(ADPM)
            ),
        ),
        Finding::check(
            worse,
            format!(
                "PropDPM gets worse beyond the critical ε₂: {:.2} times the risk of ADPM at ε₂ = \
                {:.1}.",
                last.risk(PROP) / last.risk(ADPM),
                last.x
            ),
        ),
        Finding::check(
            last.risk(LDPE) / last.risk(ADPM) < 1.05,
            format!(
                "LDPE approaches ADPM without saturating: {:.2} times its risk at the critical ε₂, \
                {:.3} times at ε₂ = {:.1}.",
                first.risk(LDPE) / first.risk(ADPM),
                last.risk(LDPE) / last.risk(ADPM),
                last.x
            ),
        ),
        Finding::new(format!(
            "All measured errors are within {off:.1} standard errors of the exact risks, of {} \
            comparisons.",
            found.iter().map(|at| at.candidates.len()).sum::<usize>()
        )),
        Finding::new(format!(
            "At the critical ε₂ `auto` has {:.1} times the lower bound that holds for every \
            private mean.",
            first.risk(ADPM) / first.lower_bound().unwrap_or(f64::NAN)
        )),
    ]
}
