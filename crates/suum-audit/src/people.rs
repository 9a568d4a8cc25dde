//! Small public datasets, chosen to reveal losses.

use std::collections::BTreeMap;

use suum_core::{
    Bounds, Categories, CellCounts, CellSums, Cells, Epsilon, ExactSum, Grid, LevelSums,
    LevelTable, Measure, Numbers, Profile, Result,
};

/// Record: its budget, and its value.
pub(crate) type Person = (Epsilon, f64);

/// Two datasets that differ in one record.
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    /// Position of the record's level in the profile.
    pub(crate) level: usize,
    pub(crate) difference: String,
    pub(crate) one: Vec<Person>,
    pub(crate) other: Vec<Person>,
}

/// Values of the other records while one record changes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Others {
    /// One value for all.
    At(f64),
    /// Two values in turn.
    InTurn(f64, f64),
}

impl Others {
    fn value(self, at: usize) -> f64 {
        match self {
            Others::At(value) => value,
            Others::InTurn(even, odd) => {
                if at.is_multiple_of(2) {
                    even
                } else {
                    odd
                }
            }
        }
    }

    fn describe(self) -> String {
        match self {
            Others::At(value) => format!("the others at {value}"),
            Others::InTurn(even, odd) => format!("the others at {even} and {odd}"),
        }
    }
}

/// Pairs for every level of the profile and every change: the last record of that level changes
/// from one value to another.
pub(crate) fn replacements(profile: &Profile, changes: &[(Others, f64, f64)]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (level, (from, one, other)) in (0..profile.levels().len())
        .flat_map(|level| changes.iter().map(move |change| (level, *change)))
    {
        let people = |value: f64| {
            let mut people = people_of(profile, from);
            let last: u64 = profile.levels()[..=level].iter().map(|level| level.count).sum();
            people[last as usize - 1].1 = value;
            people
        };
        let difference = format!("{one} or {other}, {}", from.describe());
        pairs.push(Pair { level, difference, one: people(one), other: people(other) });
    }
    pairs
}

/// Pairs for every level of the profile and every value: a record of that level with that value
/// takes part or not.
pub(crate) fn arrivals(profile: &Profile, changes: &[(Others, f64)]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (level, (others, value)) in (0..profile.levels().len())
        .flat_map(|level| changes.iter().map(move |change| (level, *change)))
    {
        let one = people_of(profile, others);
        let mut other = one.clone();
        other.push((profile.levels()[level].epsilon, value));
        let difference = format!("a record at {value} or none, {}", others.describe());
        pairs.push(Pair { level, difference, one, other });
        // Somebody alone, or nobody at all.
        let alone = vec![(profile.levels()[level].epsilon, value)];
        let difference = format!("a record at {value} or none, nobody else");
        pairs.push(Pair { level, difference, one: Vec::new(), other: alone });
    }
    pairs
}

fn people_of(profile: &Profile, others: Others) -> Vec<Person> {
    let budgets = profile.levels().iter().flat_map(|level| (0..level.count).map(|_| level.epsilon));
    budgets.enumerate().map(|(at, budget)| (budget, others.value(at))).collect()
}

/// Measure of values in the unit interval, or of categories 0, 1, 2, …
#[derive(Debug, Clone)]
pub(crate) enum Column {
    Numbers(Numbers),
    Categories(Categories),
}

impl Column {
    /// Sums of numbers in the unit interval.
    pub(crate) fn sums_only() -> Self {
        Column::Numbers(Grid::new(Bounds::UNIT).into())
    }

    /// Sums of numbers in the unit interval, and of their squares.
    pub(crate) fn with_squares() -> Self {
        Column::Numbers(Numbers { grid: Grid::new(Bounds::UNIT), squares: true, cells: None })
    }

    /// All measures of numbers in the unit interval.
    pub(crate) fn everything(cells: Cells) -> Self {
        Column::Numbers(Numbers {
            grid: Grid::new(Bounds::UNIT),
            squares: true,
            cells: Some(cells),
        })
    }

    /// Level table of these people, like that of a scan.
    pub(crate) fn table(&self, people: &[Person]) -> Result<LevelTable> {
        let mut levels = BTreeMap::<Epsilon, Vec<f64>>::new();
        for (budget, value) in people {
            levels.entry(*budget).or_default().push(*value);
        }
        let by_level = levels
            .into_iter()
            .map(|(epsilon, values)| {
                let (sums, cells) = self.sums(&values);
                LevelSums { label: None, epsilon, count: values.len() as u64, sums, cells }
            })
            .collect();
        LevelTable::possibly_empty(Some("value".to_owned()), self.measure(), by_level)
    }

    fn measure(&self) -> Measure {
        match self {
            Column::Numbers(numbers) => Measure::Numbers(*numbers),
            Column::Categories(categories) => Measure::Categories(categories.clone()),
        }
    }

    fn sums(&self, values: &[f64]) -> (Vec<ExactSum>, CellCounts) {
        match self {
            Column::Numbers(numbers) => {
                let points = i128::from(numbers.grid.points());
                let (mut sum, mut squares, mut cells) = (ExactSum::default(), 0i128, Vec::new());
                for index in values.iter().filter_map(|value| numbers.grid.index(*value)) {
                    sum.add(index);
                    let centred = 2 * i128::from(index) - points;
                    squares += centred * centred;
                    cells.extend(numbers.cells.map(|cells| {
                        let sums = CellSums {
                            indices: ExactSum::from_raw(i128::from(index)),
                            squares: ExactSum::from_raw(centred * centred),
                        };
                        (cells.nearest_candidate(&numbers.grid, index), 1, sums)
                    }));
                }
                let mut sums = vec![sum];
                if numbers.squares {
                    sums.push(ExactSum::from_raw(squares));
                }
                let cells = match numbers.cells.is_some_and(Cells::has_sums) {
                    true => CellCounts::with_sums(cells),
                    false => CellCounts::from_raw(
                        cells.into_iter().map(|(cell, count, _)| (cell, count)).collect(),
                    ),
                };
                (sums, cells)
            }
            Column::Categories(categories) => {
                let mut counts = vec![0i128; categories.len()];
                let steps = i128::from(categories.steps());
                for value in values {
                    // Where records have shares, 0.25 has three quarters in category 0.
                    let next = (value.fract() * steps as f64) as i128;
                    for (category, steps) in [(0, steps - next), (1, next)] {
                        if let Some(count) = counts.get_mut(*value as usize + category) {
                            *count += steps;
                        }
                    }
                }
                (counts.into_iter().map(ExactSum::from_raw).collect(), CellCounts::default())
            }
        }
    }
}
