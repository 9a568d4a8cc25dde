//! People with budgets and values, and what may be asked of them.

use suum_core::{
    AddRemoveRequest, Bounds, Categories, CellCounts, Cells, DeclaredBudgets, Epsilon, ExactSum,
    Grid, LevelSums, LevelTable, Measure, Numbers, Options, Rank, Request, Split, Statistics,
};

/// One record: its budget and its value in [0, 1].
pub(crate) type Person = (f64, f64);

/// What is asked, with bounds of [0, 1] or three categories.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Asked {
    Mean,
    Sum,
    Count,
    Frequency,
    Quantiles,
    Variance,
    Several,
}

impl Asked {
    pub(crate) const ALL: [Asked; 7] = [
        Asked::Mean,
        Asked::Sum,
        Asked::Count,
        Asked::Frequency,
        Asked::Quantiles,
        Asked::Variance,
        Asked::Several,
    ];

    pub(crate) fn request(self, budgets: &str, options: Options) -> AddRemoveRequest {
        self.try_request(declared(budgets), options).unwrap()
    }

    pub(crate) fn try_request(
        self,
        budgets: DeclaredBudgets,
        options: Options,
    ) -> suum_core::Result<AddRemoveRequest> {
        match self {
            Asked::Mean => Request::mean(options).add_remove(Bounds::UNIT, budgets),
            Asked::Sum => Request::sum(options).add_remove(Bounds::UNIT, budgets),
            Asked::Count => Request::count(options).add_remove(Bounds::UNIT, budgets),
            Asked::Frequency => {
                Request::frequency(categories(), options).add_remove(Bounds::UNIT, budgets)
            }
            Asked::Quantiles => {
                let ranks: Vec<Rank> = ["0.5", "0.9"].map(|rank| rank.parse().unwrap()).to_vec();
                Request::quantiles(cells(), ranks, options).add_remove(Bounds::UNIT, budgets)
            }
            Asked::Variance => Request::variance(options).add_remove(Bounds::UNIT, budgets),
            Asked::Several => {
                let statistics: Statistics = "mean,variance,q50,q90".parse().unwrap();
                let split = Split::even(&statistics);
                Request::summary(cells(), (statistics, split), options)
                    .add_remove(Bounds::UNIT, budgets)
            }
        }
    }

    pub(crate) fn table(self, people: &[Person]) -> LevelTable {
        match self {
            Asked::Frequency => in_categories(people),
            _ => with_numbers(people),
        }
    }
}

/// `0.1,1` for a range, `a=0.1,b=1` for tiers.
pub(crate) fn declared(text: &str) -> DeclaredBudgets {
    if !text.contains('=') {
        return text.parse().unwrap();
    }
    let tier = |pair: &str| {
        let (label, epsilon) = pair.split_once('=').unwrap();
        (label.to_owned(), epsilon.parse().unwrap())
    };
    DeclaredBudgets::tiers(text.split(',').map(tier)).unwrap()
}

pub(crate) fn categories() -> Categories {
    "low,middle,high".parse().unwrap()
}

pub(crate) fn cells() -> Cells {
    Cells::new(20).unwrap()
}

/// The budgets that occur, ascending, each with the values of its people.
fn levels(people: &[Person]) -> Vec<(Epsilon, Vec<f64>)> {
    let mut levels = std::collections::BTreeMap::<Epsilon, Vec<f64>>::new();
    for (epsilon, value) in people {
        levels.entry(Epsilon::new(*epsilon).unwrap()).or_default().push(*value);
    }
    levels.into_iter().collect()
}

/// Everything that can be added up over numbers.
pub(crate) fn with_numbers(people: &[Person]) -> LevelTable {
    let grid = Grid::new(Bounds::UNIT);
    let numbers = Numbers { grid, squares: true, cells: Some(cells()) };
    let level_sums = |(epsilon, values): (Epsilon, Vec<f64>)| {
        let (mut sum, mut squares) = (ExactSum::default(), 0);
        let mut counts = Vec::new();
        for value in &values {
            let index = grid.index(*value).unwrap();
            sum.add(index);
            squares += (2 * i128::from(index) - i128::from(grid.points())).pow(2);
            counts.push((cells().nearest_candidate(&grid, index), 1));
        }
        let cells = CellCounts::from_raw(counts);
        let sums = vec![sum, ExactSum::from_raw(squares)];
        LevelSums { label: None, epsilon, count: values.len() as u64, sums, cells }
    };
    let by_level = levels(people).into_iter().map(level_sums).collect();
    LevelTable::possibly_empty(Some("score".into()), Measure::Numbers(numbers), by_level).unwrap()
}

/// Values below a third are low, above two thirds high.
pub(crate) fn in_categories(people: &[Person]) -> LevelTable {
    let level_sums = |(epsilon, values): (Epsilon, Vec<f64>)| {
        let mut counts = [0i128; 3];
        for value in &values {
            counts[((value * 3.0) as usize).min(2)] += 1;
        }
        let sums = counts.map(ExactSum::from_raw).to_vec();
        let cells = Default::default();
        LevelSums { label: None, epsilon, count: values.len() as u64, sums, cells }
    };
    let by_level = levels(people).into_iter().map(level_sums).collect();
    LevelTable::possibly_empty(Some("score".into()), Measure::Categories(categories()), by_level)
        .unwrap()
}
