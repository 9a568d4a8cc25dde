//! Common parts of CC24 Tables 4 and 5: quantiles and mean squares of errors, dataset by dataset.

use serde::Deserialize;
use suum::simulation::Errors;
use suum::{
    Bounds, Candidate, Categories, Estimator, Options, PostProcessing, Result, SampleThreshold,
    Statistic, Target, WeightedPlan, WeightedRequest,
};

use crate::contest::Contest;
use crate::outcome::{Dots, Entry, Finding, Outcome, Panel, Role, Table};
use crate::people::{Dataset, People};
use crate::study::Study;
use crate::sweep::{self, OURS};
use crate::value_with_error::ValueWithError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Setting {
    columns: Vec<String>,
    datasets: Vec<Dataset>,
}

/// Statistic that is estimated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Frequency,
    Mean,
}

/// Plan that compares all estimators on these people.
pub(super) fn plan(what: What, people: &People, correlated: bool) -> Result<WeightedPlan> {
    let options = Options {
        target: if correlated { Target::DatasetCorrelated } else { Target::Dataset },
        post: PostProcessing::Clamp,
        ..Options::default()
    };
    let request = match what {
        What::Frequency => {
            let names = (0..people.count_of_categories).map(|category| category.to_string());
            WeightedRequest::frequency(Categories::new(names.collect())?, options)?
        }
        What::Mean => {
            WeightedRequest::new(Statistic::Mean, Bounds::UNIT, sweep::worst_case(options))?
        }
    };
    request.plan(people.profile.clone())
}

/// Candidate of a plan by the paper's name, with the noise of the paper; or ours with our own,
/// which adds up to zero for frequencies.
pub(super) fn candidate(plan: &WeightedPlan, name: &str) -> Result<Candidate> {
    let estimator: Estimator = match name {
        OURS => return Ok(plan.chosen().clone()),
        "PROP" => Estimator::Proportional,
        "UNI" => Estimator::Uniform,
        "SM" => Estimator::Sample,
        "LDP" => Estimator::Local,
        name => name.to_lowercase().parse()?,
    };
    // The largest ε, as in the paper.
    let candidate = sweep::candidate(plan, estimator, SampleThreshold::Max)?;
    if plan.setting().categories.is_none() {
        return Ok(candidate);
    }
    let design = candidate.design.with_independent_noise();
    Ok(Candidate { risk: design.risk(plan.setting()), design, ..candidate })
}

/// Measure of the errors of all trials.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    Quantile,
    MeanSquare,
}

impl Measure {
    fn evaluate(self, errors: &Errors) -> ValueWithError {
        match self {
            Measure::Quantile => ValueWithError::quantile(errors, 0.95),
            Measure::MeanSquare => ValueWithError::mean_squared(errors),
        }
    }

    /// Variant of HPF or HPM for this measure: CP, CE, UP or UE.
    fn variant(self, family: &str, correlated: bool) -> String {
        let regime = if correlated { 'C' } else { 'U' };
        format!("{family}-{regime}{}", if self == Measure::Quantile { 'P' } else { 'E' })
    }
}

pub(super) fn run(study: Study<'_, Setting>, what: What, id: &'static str) -> Result<Outcome> {
    let setting = &study.sheet.setting;
    let trials = |dataset: &Dataset| match study.effort.trials {
        crate::Trials::Full if !dataset.correlated => {
            (dataset.size as f64 * (dataset.size as f64).ln()) as usize
        }
        _ => study.trials,
    };
    study.expect(
        setting.datasets.iter().map(|dataset| (dataset.size * trials(dataset)) as u64).sum(),
    );
    let mut contest = Contest::default();
    let mut rows = Vec::new();
    // Panels of Figure 1: mean squares where budgets are correlated with categories, and quantiles
    // where they are not.
    let (mut mean_squares, mut quantiles) = (Vec::new(), Vec::new());
    let mut agreement = Agreement::default();
    let mut biases = Vec::new();
    for (number, dataset) in (0..).zip(&setting.datasets) {
        let (correlated, regime) = (dataset.correlated, if dataset.correlated { "C" } else { "U" });
        let seed = study.sheet.seed * 100 + number;
        let people = People::draw(
            dataset.people,
            dataset.size,
            dataset.categories,
            &study.effort.files,
            seed,
        )?;
        // Both variants of the first column, the other columns, and auto.
        let (family, others) = setting
            .columns
            .split_first()
            .map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
        let variants = [Measure::Quantile, Measure::MeanSquare]
            .map(|measure| measure.variant(family, correlated));
        let names = variants.iter().chain(others).map(String::as_str).chain([OURS]);
        let plan = plan(what, &people, correlated)?;
        let candidates = names.map(|name| candidate(&plan, name)).collect::<Result<Vec<_>>>()?;
        let contenders: Vec<_> = candidates.iter().map(|candidate| (&plan, candidate)).collect();
        study.next((dataset.size * trials(dataset)) as u64);
        let errors = match what {
            What::Frequency => study.frequencies(
                number,
                trials(dataset),
                &contenders,
                &people.categories(correlated),
            )?,
            What::Mean => study.means_released(
                number,
                trials(dataset),
                &contenders,
                &people.values(correlated),
            )?,
        };
        let auto = &errors[errors.len() - 1];
        for (measure, letter, published, variant) in [
            (Measure::Quantile, "P", &dataset.quantiles, 0),
            (Measure::MeanSquare, "E", &dataset.mean_squares, 1),
        ] {
            let cell = format!("{}, {regime}, {letter}", dataset.name);
            let of_columns: Vec<&Errors> =
                std::iter::once(&errors[variant]).chain(&errors[2..errors.len() - 1]).collect();
            let mut entries = Vec::new();
            for ((column, errors), published) in
                setting.columns.iter().zip(of_columns).zip(published)
            {
                match measure {
                    Measure::Quantile => contest.apart(
                        &cell,
                        measure.evaluate(auto),
                        (column, measure.evaluate(errors)),
                    ),
                    Measure::MeanSquare => contest.mean_squared(&cell, auto, (column, errors)),
                }
                entries.push(Entry {
                    published: Some(*published),
                    ours: Some(measure.evaluate(errors)),
                });
            }
            agreement.add(&cell, &entries);
            // If data keep their order, weights that are correlated with budgets have a bias.
            if what == What::Mean && correlated && measure == Measure::MeanSquare {
                let names = setting.columns.iter().skip(1);
                for (name, (_, candidate)) in names.zip(&contenders[2..]) {
                    let levels = people.profile.levels().iter();
                    let weights = candidate.design.weights.per_level().iter().zip(levels);
                    let weights: Vec<f64> = weights
                        .flat_map(|(w, level)| std::iter::repeat_n(*w, level.count as usize))
                        .collect();
                    biases.push((cell.clone(), name.clone(), people.bias(&weights)));
                }
            }
            entries.push(Entry { published: None, ours: Some(measure.evaluate(auto)) });
            match (measure, correlated) {
                (Measure::MeanSquare, true) => {
                    mean_squares.push((dataset.name.clone(), entries.clone()))
                }
                (Measure::Quantile, false) => {
                    quantiles.push((dataset.name.clone(), entries.clone()))
                }
                _ => {}
            }
            rows.push((cell, entries));
        }
    }
    let mut columns: Vec<(String, Role)> =
        setting.columns.iter().map(|name| (name.clone(), Role::Theirs)).collect();
    columns.push((OURS.to_owned(), Role::Auto));
    let gain = gain(&rows);
    let far = far(&columns, &rows, &biases);
    let dots = |name: &str, caption: &str, x: &str, groups| {
        Panel::Dots(Dots {
            name: name.to_owned(),
            caption: caption.to_owned(),
            x: x.to_owned(),
            columns: columns.clone(),
            groups,
        })
    };
    let mut panels = match what {
        What::Mean => Vec::new(),
        What::Frequency => vec![
            dots(
                "fig1a",
                "Figure 1(A): budgets go with categories",
                "mean square of the largest error",
                mean_squares,
            ),
            dots(
                "fig1b",
                "Figure 1(B): budgets have nothing to do with categories",
                "95 % quantile of the largest error",
                quantiles,
            ),
        ],
    };
    let table = Table {
        name: "errors".to_owned(),
        caption: "Ours, and below it the published number; the least in bold".to_owned(),
        corner: "data, regime, measure".to_owned(),
        columns,
        rows,
    };
    let mut findings = agreement.findings();
    findings.extend(far);
    findings.push(gain);
    panels.push(Panel::Table(table));
    Ok(study.outcome(id, panels, findings, contest))
}

/// Agreement of the order of columns with the published one.
#[derive(Default)]
struct Agreement {
    pairs: usize,
    same: usize,
    rows: usize,
    best: usize,
    elsewhere: Vec<String>,
}

impl Agreement {
    fn add(&mut self, cell: &str, entries: &[Entry]) {
        let both: Vec<(f64, f64)> = entries
            .iter()
            .filter_map(|entry| Some((entry.published?, entry.ours?.value)))
            .collect();
        for (index, a) in both.iter().enumerate() {
            for b in &both[index + 1..] {
                // Printed numbers that are equal have no order.
                if a.0 != b.0 {
                    self.pairs += 1;
                    self.same += usize::from((a.0 < b.0) == (a.1 < b.1));
                }
            }
        }
        let least = |of: fn(&(f64, f64)) -> f64| both.iter().map(of).fold(f64::INFINITY, f64::min);
        let (printed, ours) = (least(|pair| pair.0), least(|pair| pair.1));
        self.rows += 1;
        if both.iter().any(|pair| pair.0 == printed && pair.1 == ours) {
            self.best += 1;
        } else {
            self.elsewhere.push(cell.to_owned());
        }
    }

    fn findings(&self) -> Vec<Finding> {
        let share = self.same as f64 / self.pairs.max(1) as f64;
        let others = match &self.elsewhere[..] {
            [] => String::new(),
            cells => {
                format!(
                    "; not in {}, whose data or budgets the paper does not describe",
                    cells.join("; ")
                )
            }
        };
        let why = if share >= 0.8 {
            "."
        } else {
            ", since values, and how budgets go with them, are not described."
        };
        vec![
            Finding::check(
                share >= 0.8,
                format!(
                    "{} of {} pairs of columns within a row are in the published order ({:.0} \
                    %){why}",
                    self.same,
                    self.pairs,
                    100.0 * share
                ),
            ),
            Finding::check(
                self.best * 4 >= self.rows * 3,
                format!(
                    "The best published column is the same in {} of {} rows{others}.",
                    self.best, self.rows
                ),
            ),
        ]
    }
}

/// Factor from the published number, either way, beyond which ours is far.
const FAR: f64 = 10.0;

/// Findings on numbers far from the published ones: whether there are any, and for each such column
/// the farthest one, with its cause if it is known. `biases` are the exact ones of columns in rows
/// of mean squares.
fn far(
    columns: &[(String, Role)],
    rows: &[(String, Vec<Entry>)],
    biases: &[(String, String, f64)],
) -> Vec<Finding> {
    let factor = |printed: f64, ours: f64| (ours / printed).max(printed / ours);
    let (mut compared, mut many, mut farthest) = (0, 0, Vec::new());
    for (at, (column, _)) in columns.iter().enumerate() {
        let numbers = rows.iter().filter_map(|(cell, entries)| {
            let entry = entries.get(at)?;
            Some((cell, entry.published?, entry.ours?.value))
        });
        let numbers: Vec<_> = numbers.collect();
        compared += numbers.len();
        let far = numbers.iter().filter(|(_, printed, ours)| factor(*printed, *ours) > FAR);
        let far: Vec<_> = far.collect();
        many += far.len();
        let most = far
            .iter()
            .max_by(|one, other| factor(one.1, one.2).total_cmp(&factor(other.1, other.2)));
        if let Some((cell, printed, ours)) = most {
            let bias = biases.iter().find(|(row, name, _)| row == *cell && name == column);
            let bias = bias.map(|(_, _, bias)| *bias);
            farthest.push(far_number((column, cell), (*printed, *ours), bias));
        }
    }
    let text = format!(
        "{many} of {compared} numbers are more than {FAR} times the published ones, or less than \
         a tenth."
    );
    std::iter::once(Finding::check(many == 0, text)).chain(farthest).collect()
}

/// Finding on the distance of a number from the published one, and the part of it that is the bias
/// of its weights.
fn far_number(
    (column, cell): (&str, &str),
    (printed, ours): (f64, f64),
    bias: Option<f64>,
) -> Finding {
    let ratio = ours / printed;
    let ratio = if ratio > 1.0 { format!("{ratio:.0}") } else { format!("{ratio:.3}") };
    let mut text = format!("{column} in {cell} has {ratio} times the published number");
    match bias {
        Some(bias) => text.push_str(&format!(
            ": {:.0} % of its mean square is the squared bias of its weights. They make the mean \
             of the values here {:.3} too {}, as the values and budgets of these people go \
             together; the published number leaves room for {:.4}. How values were scaled, and \
             which budgets went with them, the paper does not say.",
            100.0 * bias * bias / ours,
            bias.abs(),
            if bias > 0.0 { "large" } else { "small" },
            printed.sqrt()
        )),
        None => text.push('.'),
    }
    Finding::check(false, text)
}

/// Finding on the error of `auto`, in the last column, relative to the best published column of
/// each row.
fn gain(rows: &[(String, Vec<Entry>)]) -> Finding {
    let ratios = rows.iter().filter_map(|(_, entries)| {
        let (auto, others) = entries.split_last()?;
        let least = others
            .iter()
            .filter_map(|entry| entry.ours)
            .map(|ours| ours.value)
            .fold(f64::INFINITY, f64::min);
        Some(auto.ours?.value / least)
    });
    let (low, high) = ratios.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), ratio| {
        (low.min(ratio), high.max(ratio))
    });
    Finding::new(format!(
        "`auto` has {low:.2} to {high:.2} times the error of the best published column of each \
        row, as we measure both."
    ))
}
