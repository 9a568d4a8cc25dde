//! CC23 Figure 1(A): the error of the mean of two groups as they grow.

use serde::Deserialize;
use suum::simulation::Data;
use suum::{Bounds, Options, Result};

use crate::effort::{Effort, Progress};
use crate::experiment::NamedEstimator;
use crate::outcome::{Axis, Chart, Finding, Outcome, Panel};
use crate::study::Study;
use crate::sweep::{self, Line, Point, SweepPoint};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    epsilons: [f64; 2],
    sizes: Vec<u64>,
    estimators: Vec<NamedEstimator>,
}

/// Positions of the lines in the file of parameters.
const ADPM: usize = 0;
const LDPE: usize = 1;
const SM: usize = 2;
const UNI: usize = 3;

/// Variance of uniform values between −½ and ½.
const UNIFORM: f64 = 1.0 / 12.0;

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let study = Study::<Setting>::new(
        include_str!("../../../../experiments/cc23-fig1a.toml"),
        effort,
        progress,
    )?;
    let setting = &study.sheet.setting;
    let [first, second] = setting.epsilons;
    let mut lines = NamedEstimator::lines(&setting.estimators)?;
    lines.push(Line::auto());
    let point = |size: &u64| {
        let data = Data::independent(|dice| dice.uniform() - 0.5, vec![0.0]);
        Ok(Point {
            x: *size as f64,
            profile: sweep::profile(&[(first, *size), (second, *size)])?,
            data,
        })
    };
    let points = setting.sizes.iter().map(point).collect::<Result<Vec<_>>>()?;
    let found =
        sweep::sweep(&study, (Bounds::new(-0.5, 0.5)?, &Options::default()), &lines, points)?;

    let chart = Chart {
        name: "scaled".to_owned(),
        caption: format!(
            "n² × mean squared error; n people at ε₁ = {first} and n at ε₂ = {second}; dots are \
            simulated, their lines exact"
        ),
        x: Axis::logarithmic("n"),
        y: Axis::linear("n² × mean squared error"),
        series: sweep::series(&lines, &found, |at| at.x * at.x, |at, line| at.exact(line, UNIFORM)),
        marks: Vec::new(),
    };
    let contest = sweep::contest(&lines, &found, |at| format!("n = {}", at.x));
    let findings = findings(&found);
    Ok(study.outcome("cc23-fig1a", vec![Panel::Chart(chart)], findings, contest))
}

fn findings(found: &[SweepPoint]) -> Vec<Finding> {
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return Vec::new() };
    let over = |at: &SweepPoint, line: usize, base: usize| {
        at.mean_squared(line).value / at.mean_squared(base).value
    };
    let ordered = found.iter().all(|at| over(at, UNI, ADPM) > 1.0 && over(at, LDPE, UNI) > 1.0);
    vec![
        Finding::check(
            ordered,
            format!(
                "LDPE is worse than UNI and UNI worse than ADPM at every n; at n = {} they have \
                {:.2} and {:.2} times its error.",
                first.x,
                over(first, LDPE, ADPM),
                over(first, UNI, ADPM)
            ),
        ),
        Finding::check(
            over(last, SM, ADPM) > over(first, SM, ADPM),
            format!(
                "SM drifts upward: {:.2} times the error of ADPM at n = {}, {:.2} times at n = {}.",
                over(first, SM, ADPM),
                first.x,
                over(last, SM, ADPM),
                last.x
            ),
        ),
        Finding::new(format!(
            "ADPM has {:.2} of its worst-case risk at n = {} and {:.2} at n = {}: uniform values \
            vary less than the worst ones.",
            first.mean_squared(ADPM).value / first.risk(ADPM),
            first.x,
            last.mean_squared(ADPM).value / last.risk(ADPM),
            last.x
        )),
    ]
}
