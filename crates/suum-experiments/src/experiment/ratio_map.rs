//! Common parts of CZ26 Figures 1 and 2: the risk of `threshold` over that of `affine`, for two
//! groups of which one varies.

use serde::Deserialize;
use suum::simulation::{Data, Errors};
use suum::{
    Bounds, Candidate, Estimator, Options, Result, Statistic, Target, WeightedPlan, WeightedRequest,
};

use crate::contest::Contest;
use crate::outcome::{Axis, Chart, Cut, Finding, Heatmap, Outcome, Panel, Role, Series, Surface};
use crate::study::Study;
use crate::sweep::{self, OURS};
use crate::value_with_error::ValueWithError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Setting {
    second: Group,
    counts: Range,
    epsilons: Range,
    cut_counts: Vec<f64>,
    cut_epsilons: Vec<f64>,
    /// Largest ratio that the paper proves.
    most: f64,
    /// True if the paper says that few profiles gain.
    narrow: bool,
    example: Example,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    epsilon: f64,
    count: u64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    from: f64,
    to: f64,
    steps: usize,
}

/// Profile whose ratio the paper prints.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    first: Group,
    second: Group,
    ratio: f64,
    within: f64,
}

/// Resolution of pictures relative to tables: a ridge is narrower than a cell.
const FINER: usize = 4;

impl Range {
    fn all(self) -> Vec<f64> {
        sweep::geometric(self.from, self.to, self.steps)
    }

    /// Positions at the resolution of a picture.
    fn fine(self) -> Vec<f64> {
        sweep::geometric(self.from, self.to, FINER * (self.steps - 1) + 1)
    }
}

/// Plan for the interval [0, 1] and the worst variance.
pub(super) fn plan(levels: &[(f64, u64)]) -> Result<WeightedPlan> {
    let options = sweep::worst_case(Options::default());
    WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options)?.plan(sweep::profile(levels)?)
}

/// Exact risk of an estimator among those that a plan compares.
pub(super) fn risk(plan: &WeightedPlan, estimator: Estimator) -> f64 {
    candidate(plan, estimator).map_or(f64::NAN, |candidate| candidate.risk.total())
}

fn candidate(plan: &WeightedPlan, estimator: Estimator) -> Option<&Candidate> {
    plan.candidates().iter().find(|candidate| candidate.estimator == estimator)
}

/// Risk of `threshold` over that of `affine`.
pub(super) fn ratio(plan: &WeightedPlan) -> f64 {
    risk(plan, Estimator::Threshold) / risk(plan, Estimator::Affine)
}

/// Ratio at all positions of a picture. Only the two estimators are evaluated; a plan would compare
/// far more.
fn surface(setting: &Setting) -> Result<Surface> {
    let (x, y) = (setting.counts.fine(), setting.epsilons.fine());
    let second = (setting.second.epsilon, setting.second.count);
    let at = |count: f64, epsilon: f64| {
        let people = sweep::profile(&[(epsilon, count.round() as u64), second])?;
        let setting = suum::Setting::new(people, Bounds::UNIT, Target::Population);
        let risk = |estimator: Estimator| -> Result<f64> {
            Ok(estimator.design(&setting)?.risk(&setting).total())
        };
        Ok(risk(Estimator::Threshold)? / risk(Estimator::Affine)?)
    };
    let row = |epsilon: &f64| x.iter().map(|count| at(*count, *epsilon)).collect();
    let values = y.iter().map(row).collect::<Result<Vec<Vec<f64>>>>()?;
    Ok(Surface { x, y, values })
}

/// Ratio of mean squared errors of `threshold` and `affine` on values at both ends, and its
/// distance from the exact one in standard errors.
pub(super) fn simulated<P: serde::de::DeserializeOwned>(
    study: &Study<'_, P>,
    point: u64,
    levels: &[(f64, u64)],
) -> Result<(ValueWithError, f64)> {
    let plan = plan(levels)?;
    let contenders =
        [Estimator::Threshold, Estimator::Affine].map(|estimator| candidate(&plan, estimator));
    let contenders: Vec<_> =
        contenders.into_iter().flatten().map(|candidate| (&plan, candidate)).collect();
    let coins = Data::independent(|dice| f64::from(u8::from(dice.uniform() < 0.5)), vec![0.5]);
    study.next(plan.setting().profile.records());
    let errors = study.means(point, &contenders, &coins)?;
    let [above, below] = [0, 1].map(|line| errors[line].mean_squared().0);
    let value = above / below;
    // The errors of both in the same trial go together, which makes their ratio more certain than
    // either.
    let pairs = errors[0].all().iter().zip(errors[1].all());
    let (_, error) = Errors::new(pairs.map(|(a, b)| a * a - value * b * b).collect()).mean();
    let error = error / below;
    Ok((ValueWithError { value, error }, (value - ratio(&plan)).abs() / error))
}

pub(super) fn run(study: Study<'_, Setting>, id: &'static str) -> Result<Outcome> {
    let setting = &study.sheet.setting;
    let second = (setting.second.epsilon, setting.second.count);
    let at = |count: f64, epsilon: f64| plan(&[(epsilon, count.round() as u64), second]);
    let (counts, epsilons) = (setting.counts.all(), setting.epsilons.all());
    let example =
        [setting.example.first, setting.example.second].map(|group| (group.epsilon, group.count));
    study.expect(example[0].1 + example[1].1);

    let mut contest = Contest::default();
    let mut values = Vec::new();
    let mut highest = (0.0, 0.0, 0.0);
    let mut above = 0usize;
    for epsilon in &epsilons {
        let mut row = Vec::new();
        for count in &counts {
            let plan = at(*count, *epsilon)?;
            let ratio = ratio(&plan);
            let auto = ValueWithError::exact(plan.chosen().risk.total());
            let cell = format!("n₁ = {count:.0}, ε₁ = {epsilon:.2e}");
            let rival = ValueWithError::exact(risk(&plan, Estimator::Threshold));
            contest.apart(&cell, auto, ("unique threshold", rival));
            highest = if ratio > highest.0 { (ratio, *count, *epsilon) } else { highest };
            above += usize::from(ratio > 1.01);
            row.push(ratio);
        }
        values.push(row);
    }
    let cells = counts.len() * epsilons.len();

    let by_count = setting.cut_epsilons.iter().map(|epsilon| {
        let points = counts
            .iter()
            .map(|count| Ok((*count, ValueWithError::exact(ratio(&at(*count, *epsilon)?)))));
        line(format!("ε₁ = {epsilon}"), Role::Theirs, points.collect())
    });
    let by_epsilon = setting.cut_counts.iter().map(|count| {
        let points = epsilons
            .iter()
            .map(|epsilon| Ok((*epsilon, ValueWithError::exact(ratio(&at(*count, *epsilon)?)))));
        line(format!("n₁ = {count}"), Role::Theirs, points.collect())
    });
    let cut = setting.cut_epsilons[setting.cut_epsilons.len() / 2];
    let risks = |name: &str, role, of: &dyn Fn(&WeightedPlan) -> Option<f64>| {
        let points = counts.iter().filter_map(|count| {
            at(*count, cut)
                .map(|plan| Some((*count, ValueWithError::exact(of(&plan)?))))
                .transpose()
        });
        line(name.to_owned(), role, points.collect())
    };
    let panels = vec![
        Panel::Heatmap(Heatmap {
            name: "ratio".to_owned(),
            caption: "Risk of the unique threshold over that of the best affine estimator"
                .to_owned(),
            x: ("n₁".to_owned(), counts.clone()),
            y: ("ε₁".to_owned(), epsilons.clone()),
            z: "ratio".to_owned(),
            values,
            fine: surface(setting)?,
            contours: [1.01, 1.1, 1.5, 2.0, 3.0]
                .into_iter()
                .filter(|level| *level < setting.most)
                .collect(),
            cuts: (setting.cut_epsilons.iter().map(|at| Cut::AtY(*at)))
                .chain(setting.cut_counts.iter().map(|at| Cut::AtX(*at)))
                .collect(),
        }),
        chart(
            "rows",
            "Rows of the heatmap",
            Axis::logarithmic("n₁"),
            Axis::linear("ratio"),
            by_count.collect::<Result<_>>()?,
        ),
        chart(
            "columns",
            "Columns of the heatmap",
            Axis::logarithmic("ε₁"),
            Axis::linear("ratio"),
            by_epsilon.collect::<Result<_>>()?,
        ),
        chart(
            "risks",
            &format!("The risks themselves, at ε₁ = {cut}"),
            Axis::logarithmic("n₁"),
            Axis::logarithmic("mean squared error"),
            vec![
                risks("unique threshold", Role::Theirs, &|plan| {
                    Some(risk(plan, Estimator::Threshold))
                })?,
                risks("best affine", Role::Theirs, &|plan| Some(risk(plan, Estimator::Affine)))?,
                risks(OURS, Role::Auto, &|plan| Some(plan.chosen().risk.total()))?,
                risks("lower bound", Role::Bound, &WeightedPlan::lower_bound)?,
            ],
        ),
    ];

    let exact = ratio(&plan(&example)?);
    let (measured, off) = simulated(&study, 0, &example)?;
    let Example { ratio: printed, within, .. } = setting.example;
    let region = format!(
        "Where there is a gain: {:.0} % of the cells are above 1.01, of axes that span {:.1} and \
        {:.1} decades.",
        100.0 * above as f64 / cells as f64,
        (setting.counts.to / setting.counts.from).log10(),
        (setting.epsilons.to / setting.epsilons.from).log10()
    );
    let findings = vec![
        Finding::check(
            highest.0 <= setting.most,
            format!(
                "The largest ratio of {cells} cells is {:.3}, below the {} of the theorem, at n₁ = \
                {:.0} and ε₁ = {:.2e}.",
                highest.0, setting.most, highest.1, highest.2
            ),
        ),
        if setting.narrow {
            Finding::check(above * 2 < cells, region)
        } else {
            Finding::new(region)
        },
        Finding::check(
            (exact - printed).abs() <= within,
            format!(
                "The example of the text has the ratio {exact:.4} (printed: {printed:.3}); \
                simulated {:.3} ± {:.3}, {off:.1} standard errors away.",
                measured.value, measured.error
            ),
        ),
    ];
    Ok(study.outcome(id, panels, findings, contest))
}

fn line(name: String, role: Role, points: Result<Vec<(f64, ValueWithError)>>) -> Result<Series> {
    Ok(Series { name, role, points: points? })
}

fn chart(name: &str, caption: &str, x: Axis, y: Axis, series: Vec<Series>) -> Panel {
    Panel::Chart(Chart {
        name: name.to_owned(),
        caption: caption.to_owned(),
        x,
        y,
        series,
        marks: Vec::new(),
    })
}
