//! Answers on record: plans, certificates, and answers with and without noise of every statistic,
//! relation, kind of bounds and of people.
//!
//! A redesign must not change weights, scales, losses, plans, answers, nor the random numbers that
//! an answer takes, unless that is its purpose: then the record shows which cases changed.
//! `INSTA_UPDATE=always cargo test -p suum-core on_record` writes it anew.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;
use suum_core::{
    Bounds, Categories, Cells, Choice, DeclaredBudgets, DiscreteLaplace, Epsilon, Estimand,
    Estimator, ExactSum, Grid, GroupReleases, Key, LevelSums, LevelTable, Measure, MemoryRecords,
    Neighbors, Numbers, Options, PersonValue, Plan, Profile, QuantileEstimator, QuantileMethod,
    Randomness, Rank, Records, Release, Request, Result, Share, Shares, Spending, Split,
    Statistics, Strata, StrataRecords, UnboundedAddRemove, UnboundedPlan,
};

use crate::dice::Dice;

/// Least number of cases with an answer, so that none gets lost.
const AT_LEAST: usize = 900;

const RELATIONS: [Neighbors; 3] = [Neighbors::ReplaceOne, Neighbors::AddRemove, Neighbors::Both];

const PEOPLE: usize = 3000;

/// Statistic with its options.
#[derive(Clone, Copy)]
struct Asked {
    name: &'static str,
    request: fn(Cells, Options) -> Request,
    // Statistics with unusual options are asked of plain records only.
    is_usual: bool,
}

const STATISTICS: [Asked; 25] = [
    usual("mean", |_, options| Request::mean(options)),
    usual("sum", |_, options| Request::sum(options)),
    usual("count", |_, options| Request::count(options)),
    usual("frequency", |_, options| shares("low,middle,high", options)),
    usual("quantile", |cells, options| quantiles(cells, &[50], options)),
    usual("quantiles", |cells, options| quantiles(cells, &[25, 50, 90], options)),
    usual("variance", |_, options| Request::variance(options)),
    usual("summary", |cells, options| {
        let statistics: Statistics = "mean,variance,q50".parse().unwrap();
        let split = Split::even(&statistics);
        Request::summary(cells, (statistics, split), options)
    }),
    special("mean learning", |_, options| Request::mean(Options { adapt: true, ..options })),
    special("sum learning", |_, options| Request::sum(Options { adapt: true, ..options })),
    special("mean of variance 4", |_, options| {
        Request::mean(Options { variance: Some(4.0), ..options })
    }),
    special("mean mixed", |_, options| Request::mean(by(Estimator::Mixed, options))),
    special("mean local", |_, options| Request::mean(by(Estimator::Local, options))),
    special("mean uniform", |_, options| Request::mean(by(Estimator::Uniform, options))),
    special("sum uniform", |_, options| Request::sum(by(Estimator::Uniform, options))),
    special("mean of tiers apart", |_, options| {
        Request::mean(Options { tiers_apart: true, ..options })
    }),
    special("mean of tiers that differ", |_, options| {
        Request::mean(Options { tiers_differ: Some("1".parse().unwrap()), ..options })
    }),
    special("two shares", |_, options| shares("low,high", options)),
    special("frequency mixed", |_, options| {
        shares("low,middle,high", by(Estimator::Mixed, options))
    }),
    special("frequency local", |_, options| {
        shares("low,middle,high", by(Estimator::Local, options))
    }),
    usual("shares of persons", |_, options| {
        Request::frequency("low,middle,high".parse::<Categories>().unwrap().divided(), options)
    }),
    special("shares of persons mixed", |_, options| {
        let categories = "low,middle,high".parse::<Categories>().unwrap();
        Request::frequency(categories.divided(), by(Estimator::Mixed, options))
    }),
    special("quantiles mixed", |cells, options| {
        let estimator = Choice::from(QuantileEstimator::Mixed);
        quantiles(cells, &[25, 90], Options { estimator, ..options })
    }),
    special("quantiles even", |cells, options| {
        quantiles(cells, &[25, 90], Options { method: Some(QuantileMethod::Even), ..options })
    }),
    special("quantiles by histogram", |cells, options| {
        quantiles(cells, &[25, 90], Options { method: Some(QuantileMethod::Histogram), ..options })
    }),
];

const fn usual(name: &'static str, request: fn(Cells, Options) -> Request) -> Asked {
    Asked { name, request, is_usual: true }
}

const fn special(name: &'static str, request: fn(Cells, Options) -> Request) -> Asked {
    Asked { name, request, is_usual: false }
}

fn by(estimator: Estimator, options: Options) -> Options {
    Options { estimator: Choice::Named(estimator), ..options }
}

fn shares(names: &str, options: Options) -> Request {
    Request::frequency(names.parse().unwrap(), options)
}

fn quantiles(cells: Cells, percent: &[u64], options: Options) -> Request {
    let ranks = percent.iter().map(|percent| Rank::new(*percent, 100).unwrap());
    Request::quantiles(cells, ranks.collect(), options)
}

/// Structure of the records of a case.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Structure {
    Plain,
    Strata,
    Groups,
    Persons,
    /// Groups of persons, in strata.
    All,
}

const STRUCTURES: [Structure; 5] =
    [Structure::Plain, Structure::Strata, Structure::Groups, Structure::Persons, Structure::All];

/// Budgets that people have. Under add-remove they are declared: as tiers, or as a range.
const BUDGETS: [(&str, &[f64]); 5] = [
    ("tiers", &[0.1, 0.5, 2.0]),
    ("public", &[0.3, 1.0, f64::INFINITY]),
    ("unused", &[0.0, 1e-7, 0.8]),
    ("all public", &[f64::INFINITY]),
    ("range", &[0.05, 0.06, 0.11, 0.2, 0.35, 0.7, 0.9, 1.0]),
];

/// One question to people who have the same values in all cases.
#[derive(Clone, Copy)]
struct Case {
    asked: Asked,
    neighbors: Neighbors,
    are_bounds_found: bool,
    structure: Structure,
    budgets: (&'static str, &'static [f64]),
}

/// Parts of an answer that are kept on record.
struct Answer {
    estimate: f64,
    scale: String,
    certificate: String,
    json: String,
}

impl Case {
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for asked in STATISTICS {
            for neighbors in RELATIONS {
                for are_bounds_found in [false, true] {
                    let structures =
                        if asked.is_usual { &STRUCTURES[..] } else { &STRUCTURES[..1] };
                    for structure in structures.iter().copied() {
                        all.extend(BUDGETS.map(|budgets| Self {
                            asked,
                            neighbors,
                            are_bounds_found,
                            structure,
                            budgets,
                        }));
                    }
                }
            }
        }
        all
    }

    fn name(&self) -> String {
        let bounds = if self.are_bounds_found { "found" } else { "declared" };
        let structure = format!("{:?}", self.structure).to_lowercase();
        format!("{} {bounds} {structure}, {}", self.neighbors.name(), self.budgets.0)
    }

    fn bounds() -> Bounds {
        Bounds::new(-1.0, 9.0).unwrap()
    }

    fn hides_people(&self) -> bool {
        self.neighbors.hides_participation()
    }

    fn has_persons(&self) -> bool {
        matches!(self.structure, Structure::Persons | Structure::All)
    }

    fn has_strata(&self) -> bool {
        matches!(self.structure, Structure::Strata | Structure::All)
    }

    fn groups(&self) -> usize {
        if matches!(self.structure, Structure::Groups | Structure::All) { 2 } else { 1 }
    }

    fn request(&self) -> Request {
        let rows = if self.has_persons() { 3 } else { 1 };
        let cells = Cells::new(40).unwrap().with_rows(rows).unwrap();
        let is_halved = self.groups() > 1 && self.neighbors == Neighbors::Both;
        let strata = self.has_strata().then(|| {
            let names = ["young", "old"].map(str::to_owned).to_vec();
            Strata::new("age", names, Shares::Population(vec![2000.0, 3000.0])).unwrap()
        });
        let options = Options {
            neighbors: self.neighbors,
            share: if is_halved { Share::HALF } else { Share::ALL },
            strata,
            ..Options::default()
        };
        (self.asked.request)(cells, options)
    }

    fn declared(&self) -> DeclaredBudgets {
        let (name, budgets) = self.budgets;
        let budget = |budget: &f64| Epsilon::new(*budget).unwrap();
        match (name, budgets) {
            ("range", [least, .., most]) => {
                DeclaredBudgets::range(budget(least), budget(most)).unwrap()
            }
            _ => {
                let tiers = budgets.iter().map(|one| (format!("t{one}"), budget(one)));
                DeclaredBudgets::tiers(tiers).unwrap()
            }
        }
    }

    /// Budget and value of every record of a group, for each stratum.
    fn people(&self, group: usize) -> Vec<Vec<(Epsilon, f64)>> {
        let mut dice = Dice(11);
        let mut strata = vec![Vec::new(); if self.has_strata() { 2 } else { 1 }];
        for at in 0..PEOPLE {
            let budget = Epsilon::new(self.budgets.1[dice.pick(self.budgets.1.len())]).unwrap();
            let budget =
                if self.hides_people() { self.declared().round_down(budget) } else { budget };
            // Whole numbers with a long tail, some of them beyond the bounds.
            let value = (dice.roll() * dice.roll() * 12.0).round();
            let stratum = at % strata.len();
            if self.groups() == 1 || (at % 5 < 3) == (group == 0) {
                strata[stratum].push((budget, value));
            }
        }
        strata
    }

    fn records(&self, request: &Request, group: usize) -> CaseRecords {
        let strata = self.people(group).into_iter().map(MemoryRecords::new);
        let is_sum = request.statistic() == "sum";
        let value = if is_sum { PersonValue::Total } else { PersonValue::Rows };
        CaseRecords {
            records: StrataRecords::new(strata.collect::<Result<_>>().unwrap()),
            persons: self.has_persons().then_some(value),
        }
    }

    /// The level table of a group.
    fn table(&self, request: &Request, group: usize) -> Result<LevelTable> {
        let mut records = self.records(request, group);
        if let Estimand::Frequency(categories) = &request.asked {
            let strata = self.people(group).into_iter().map(|people| {
                let mut levels: BTreeMap<Epsilon, Vec<i128>> = BTreeMap::new();
                for (budget, value) in people {
                    let counts = levels.entry(budget).or_insert(vec![0; categories.len()]);
                    let steps = i128::from(categories.steps());
                    // Where shares count, a third of each is in the first category.
                    counts[0] += steps / 3;
                    counts[(value as usize).min(categories.len() - 1)] += steps - steps / 3;
                }
                let by_level = levels.into_iter().map(|(epsilon, counts)| LevelSums {
                    label: None,
                    epsilon,
                    count: (counts.iter().sum::<i128>() / i128::from(categories.steps())) as u64,
                    sums: counts.into_iter().map(ExactSum::from_raw).collect(),
                    cells: Default::default(),
                });
                let measure = Measure::Categories(categories.clone());
                LevelTable::possibly_empty(None, measure, by_level.collect())
            });
            let table = LevelTable::in_strata(strata.collect::<Result<_>>()?)?;
            return Ok(records.mark_persons(table));
        }
        let grid = Grid::new(Self::bounds());
        let numbers = match self.hides_people() {
            true => request.clone().add_remove(Self::bounds(), self.declared())?.numbers(),
            false => Some(request.numbers(grid)),
        };
        records.table(numbers.unwrap_or(grid.into()))
    }

    /// The profile of a group.
    fn profile(&self, request: &Request, group: usize) -> Result<Profile> {
        self.records(request, group).table(Grid::new(Self::bounds()).into())?.profile()
    }

    /// The plan of a group; a count that is exact has none.
    fn plan(&self, group: usize) -> Result<Option<Plan>> {
        let (request, budgets) = (self.request(), self.declared());
        let profile = self.profile(&request, group)?;
        Ok(Some(match (self.are_bounds_found, self.hides_people()) {
            (false, false) if request.statistic() == "count" => return Ok(None),
            (false, false) => {
                let numbers = request.numbers(Grid::new(Self::bounds()));
                request.plan(profile, numbers)?
            }
            (false, true) => request.add_remove(Self::bounds(), budgets)?.plan(profile)?,
            (true, false) => UnboundedPlan::new(request, profile)?.into(),
            (true, true) => {
                let share = request.options.share;
                UnboundedAddRemove::new(budgets, request)?.spending(share).plan(profile)?.into()
            }
        }))
    }

    fn release(&self, group: usize, randomness: &mut Randomness) -> Result<Release> {
        let (request, budgets) = (self.request(), self.declared());
        let mut records = self.records(&request, group);
        match (self.are_bounds_found, self.hides_people()) {
            (false, false) => request.release(self.table(&request, group)?, randomness),
            (false, true) => {
                let table = self.table(&request, group)?;
                request.add_remove(Self::bounds(), budgets)?.release(table, randomness)
            }
            (true, false) => {
                let profile = self.profile(&request, group)?;
                UnboundedPlan::new(request, profile)?.release(&mut records, randomness)
            }
            (true, true) => {
                let share = request.options.share;
                let request = UnboundedAddRemove::new(budgets, request)?.spending(share);
                request.release(&mut records, randomness)
            }
        }
    }

    /// The releases of all groups, and the next number of the source of randomness.
    fn answer(&self, mut randomness: Randomness) -> Result<Answer> {
        let releases = (0..self.groups()).map(|group| self.release(group, &mut randomness));
        let releases = releases.collect::<Result<Vec<Release>>>()?;
        let next = DiscreteLaplace::new((1u64 << 40).into()).sample(&mut randomness);
        let estimate = releases[0].estimate();
        let scale = releases[0].measurements.last().and_then(|last| last.scale.clone());
        let scale = scale.map_or_else(|| "none".to_owned(), |scale| scale.0.to_string());
        let mut certificate = String::new();
        let list = |rows: &[Spending], certificate: &mut String| {
            for row in rows {
                write!(certificate, "{} {} {};", row.level, row.epsilon, row.spent).unwrap();
            }
        };
        for release in &releases {
            list(&release.privacy, &mut certificate);
            for measurement in &release.measurements {
                certificate += &serde_json::to_string(&**measurement).unwrap();
            }
        }
        let json = match self.groups() {
            1 => serde_json::to_value(&releases[0]).unwrap(),
            _ => {
                let named = ["north", "south"].into_iter().zip(releases.into_iter().map(Some));
                let releases = GroupReleases::new("site", named.collect())?;
                list(&releases.certificate(), &mut certificate);
                serde_json::to_value(&releases).unwrap()
            }
        };
        let json = format!("{} {next}", rounded(&json));
        Ok(Answer { estimate, scale, certificate, json })
    }

    /// The plans of all groups, with the exact loss of every level.
    fn plans(&self) -> Result<String> {
        let mut text = String::new();
        for group in 0..self.groups() {
            let Some(plan) = self.plan(group)? else { continue };
            write!(text, "{}", rounded(&serde_json::to_value(&plan).unwrap())).unwrap();
            for budget in self.budgets.1 {
                let loss = plan.loss_of(Epsilon::new(*budget).unwrap());
                write!(text, "{budget} {loss};").unwrap();
            }
        }
        Ok(text)
    }

    /// The record of the case, on one line.
    fn line(&self) -> Result<String> {
        let plans = hash(&self.plans()?);
        let exact = self.answer(Randomness::noiseless())?;
        let noisy = self.answer(Randomness::insecure(20))?;
        let mut certificate = hash(&exact.certificate);
        if exact.certificate != noisy.certificate {
            // Earlier answers decide later scales.
            certificate = format!("{certificate}/{}", hash(&noisy.certificate));
        }
        Ok(format!(
            "{:.5e} ({:.5e}), scale {}, plan {plans}, certificate {certificate}, answers {} {}",
            exact.estimate,
            noisy.estimate,
            noisy.scale,
            hash(&exact.json),
            hash(&noisy.json)
        ))
    }
}

/// Records of a case, which are persons or not.
struct CaseRecords {
    records: StrataRecords<MemoryRecords>,
    persons: Option<PersonValue>,
}

impl CaseRecords {
    fn mark_persons(&self, table: LevelTable) -> LevelTable {
        match self.persons {
            Some(value) => table.with_person("id".to_owned(), value),
            None => table,
        }
    }
}

impl Records for CaseRecords {
    fn budgets(&self) -> &[Epsilon] {
        self.records.budgets()
    }

    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>> {
        self.records.weigh(key, cuts, weights)
    }

    fn table(&mut self, numbers: Numbers) -> Result<LevelTable> {
        let table = self.records.table(numbers)?;
        Ok(self.mark_persons(table))
    }
}

/// JSON with ten digits of all numbers but integers: the last ones depend on the platform.
fn rounded(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), rounded(value))).collect()
        }
        Value::Array(items) => items.iter().map(rounded).collect(),
        Value::Number(number) if number.is_f64() => {
            let digits = format!("{:.9e}", number.as_f64().unwrap());
            Value::from(digits.parse::<f64>().unwrap())
        }
        _ => value.clone(),
    }
}

/// Hash of a text: half of the digits of FNV-1a.
fn hash(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{:08x}", hash >> 32)
}

#[test]
#[ignore = "takes seconds"]
fn answers_are_those_on_record() {
    let (mut text, mut answered) = (String::new(), 0);
    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut statistic = "";
    for case in Case::all() {
        if statistic != case.asked.name {
            statistic = case.asked.name;
            writeln!(text, "\n{statistic}").unwrap();
        }
        match case.line() {
            Ok(line) => {
                answered += 1;
                writeln!(text, "{}: {line}", case.name()).unwrap();
            }
            Err(error) => {
                let refusal = format!("{:?} of {:?}", error.kind(), error.at());
                refused.entry(refusal).or_default().push(format!("{statistic} {}", case.name()));
            }
        }
    }
    for (refusal, cases) in refused {
        write!(text, "\nrefused, {refusal}:\n{}\n", cases.join("\n")).unwrap();
    }
    assert!(answered >= AT_LEAST, "{answered} cases have answers");
    insta::assert_snapshot!(text);
}
