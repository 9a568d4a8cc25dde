//! Means of several estimators over a row of settings.

use serde::de::DeserializeOwned;
use suum::simulation::{Data, Errors};
use suum::{
    Bounds, Candidate, Choice, Estimator, Level, Options, Profile, Result, SampleThreshold,
    Statistic, WeightedPlan, WeightedRequest,
};

use crate::contest::Contest;
use crate::outcome::{Role, Series};
use crate::study::Study;
use crate::value_with_error::ValueWithError;

/// Estimator with its name in the paper.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) role: Role,
    /// Estimator, with the threshold of `sample`; `None` for the choice of suum.
    estimator: Option<(Estimator, SampleThreshold)>,
}

impl Line {
    /// Creates a published estimator with its name in the paper.
    pub(crate) fn theirs(name: &str, estimator: &str, threshold: SampleThreshold) -> Result<Self> {
        let estimator = Some((estimator.parse()?, threshold));
        Ok(Self { name: name.to_owned(), role: Role::Theirs, estimator })
    }

    pub(crate) fn auto() -> Self {
        Self { name: OURS.to_owned(), role: Role::Auto, estimator: None }
    }

    fn candidate(&self, plan: &WeightedPlan) -> Result<Candidate> {
        match self.estimator {
            Some((estimator, threshold)) => candidate(plan, estimator, threshold),
            None => Ok(plan.chosen().clone()),
        }
    }
}

/// Candidate of an estimator for the people of a plan; the estimator may be one for study.
pub(crate) fn candidate(
    plan: &WeightedPlan,
    estimator: Estimator,
    sample_threshold: SampleThreshold,
) -> Result<Candidate> {
    let setting = suum::Setting { sample_threshold, ..plan.setting().clone() };
    let design = estimator.design(&setting)?;
    Ok(Candidate { estimator, risk: design.risk(&setting), design })
}

/// Name of our choice in legends: for means the one that is best in the worst case, which the
/// papers compare.
pub(crate) const OURS: &str = "suum";

/// Options of a mean for the worst case, where `auto` would choose for values that spread less.
pub(crate) fn worst_case(options: Options) -> Options {
    match options.variance {
        None => Options { estimator: Choice::Named(Estimator::Affine), ..options },
        Some(_) => options,
    }
}

/// Setting: its position in the drawing, the budgets, and the values.
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) profile: Profile,
    pub(crate) data: Data<f64>,
}

/// Results at a point, in the order of the lines.
pub(crate) struct SweepPoint {
    pub(crate) x: f64,
    pub(crate) plan: WeightedPlan,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) errors: Vec<Errors>,
}

impl SweepPoint {
    /// Mean squared error of a line.
    pub(crate) fn mean_squared(&self, line: usize) -> ValueWithError {
        ValueWithError::mean_squared(&self.errors[line])
    }

    /// Exact worst-case risk of a line.
    pub(crate) fn risk(&self, line: usize) -> f64 {
        self.candidates[line].risk.total()
    }

    /// Exact risk of a line for values of this variance; `None` if it depends on more.
    pub(crate) fn exact(&self, line: usize, variance: f64) -> Option<f64> {
        let candidate = &self.candidates[line];
        let setting = suum::Setting { variance, ..self.plan.setting().clone() };
        let known = !candidate.estimator.is_for_study();
        known.then(|| candidate.design.risk(&setting).total())
    }

    /// Lower bound on the mean squared error of any mean.
    pub(crate) fn lower_bound(&self) -> Option<f64> {
        self.plan.lower_bound()
    }
}

/// Profile of levels (ε, count), without those that have no people.
pub(crate) fn profile(levels: &[(f64, u64)]) -> Result<Profile> {
    let people = levels.iter().filter(|(_, count)| *count > 0);
    let level = |(epsilon, count): &(f64, u64)| {
        Ok(Level { epsilon: suum::Epsilon::new(*epsilon)?, count: *count })
    };
    Profile::new(people.map(level).collect::<Result<Vec<_>>>()?)
}

/// Numbers from `low` to `high` in `steps` equal factors.
pub(crate) fn geometric(low: f64, high: f64, steps: usize) -> Vec<f64> {
    let factor = (high / low).ln() / (steps.max(2) - 1) as f64;
    (0..steps).map(|step| low * (factor * step as f64).exp()).collect()
}

/// Simulates every line at every point, unclamped as in exact risks.
pub(crate) fn sweep<P: DeserializeOwned>(
    study: &Study<'_, P>,
    (bounds, options): (Bounds, &Options),
    lines: &[Line],
    points: Vec<Point>,
) -> Result<Vec<SweepPoint>> {
    study.expect(points.iter().map(|point| point.profile.records()).sum());
    let mut found = Vec::new();
    for (number, point) in (0..).zip(points) {
        let request = WeightedRequest::new(Statistic::Mean, bounds, worst_case(options.clone()))?;
        let plan = request.plan(point.profile.clone())?;
        let candidates = lines.iter().map(|line| line.candidate(&plan));
        let candidates = candidates.collect::<Result<Vec<Candidate>>>()?;
        study.next(point.profile.records());
        let contenders: Vec<_> = candidates.iter().map(|candidate| (&plan, candidate)).collect();
        let errors = study.means(number, &contenders, &point.data)?;
        found.push(SweepPoint { x: point.x, plan, candidates, errors });
    }
    Ok(found)
}

/// Series of each line, with its exact risk if that is known, and of the lower bound: mean squared
/// errors changed by `scale` of a point.
pub(crate) fn series(
    lines: &[Line],
    found: &[SweepPoint],
    scale: impl Fn(&SweepPoint) -> f64,
    exact: impl Fn(&SweepPoint, usize) -> Option<f64>,
) -> Vec<Series> {
    let formula = |role, name: String, of: &dyn Fn(&SweepPoint) -> Option<f64>| {
        let at = |at: &SweepPoint| Some((at.x, ValueWithError::exact(of(at)?).times(scale(at))));
        let points: Vec<_> = found.iter().filter_map(at).collect();
        (!points.is_empty()).then_some(Series { name, role, points })
    };
    let mut all = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let measured = |at: &SweepPoint| (at.x, at.mean_squared(index).times(scale(at)));
        let points = found.iter().map(measured).collect();
        all.push(Series { name: line.name.clone(), role: line.role, points });
        let name = format!("{}, exact risk", line.name);
        all.extend(formula(Role::Exact, name, &|at| exact(at, index)));
    }
    all.extend(formula(Role::Bound, "lower bound".to_owned(), &SweepPoint::lower_bound));
    all
}

/// Compares `auto` with all others at every point; `cell` names a point.
pub(crate) fn contest(
    lines: &[Line],
    found: &[SweepPoint],
    cell: impl Fn(&SweepPoint) -> String,
) -> Contest {
    let mut contest = Contest::default();
    let Some(auto) = lines.iter().position(|line| line.role == Role::Auto) else { return contest };
    for at in found {
        for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.role == Role::Theirs)
        {
            contest.mean_squared(&cell(at), &at.errors[auto], (&line.name, &at.errors[index]));
        }
    }
    contest
}
