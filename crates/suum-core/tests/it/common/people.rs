//! Simulated people: values on the grid, sums, squares and counts, as a data reader would add them
//! up.

use suum_core::{
    CellCounts, CellSums, ExactSum, Grid, LevelSums, LevelTable, Measure, Numbers, Profile,
};

use crate::dice::Dice;

/// How values are distributed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Values {
    /// 1 with this probability, else 0.
    Bernoulli(f64),
    Uniform,
    /// Standard normal.
    Normal,
    /// The exponential of a standard normal.
    Lognormal,
    /// Of mean 1.
    Exponential,
    /// 0, 1, 2, …, each less likely than the one before by this factor.
    Geometric(f64),
    Constant(f64),
}

impl Values {
    pub(crate) fn draw(self, dice: &mut Dice) -> f64 {
        match self {
            Values::Bernoulli(p) => f64::from(dice.roll() < p),
            Values::Uniform => dice.roll(),
            Values::Normal => {
                let (radius, angle) = ((-2.0 * (1.0 - dice.roll()).ln()).sqrt(), dice.roll());
                radius * (std::f64::consts::TAU * angle).cos()
            }
            Values::Lognormal => Values::Normal.draw(dice).exp(),
            Values::Exponential => -(1.0 - dice.roll()).ln(),
            Values::Geometric(factor) => ((1.0 - dice.roll()).ln() / factor.ln()).floor(),
            Values::Constant(value) => value,
        }
    }
}

/// The level table of values drawn level by level; with several rows each, a record counts in sums
/// by their mean.
pub(crate) fn table(
    profile: &Profile,
    numbers: Numbers,
    mut value: impl FnMut() -> f64,
) -> LevelTable {
    let grid: Grid = numbers.grid;
    let points = i128::from(grid.points());
    let rows = numbers.cells.map_or(1, |cells| cells.rows());
    let by_level =
        profile.levels().iter().map(|level| {
            let (mut sum, mut squares, mut cells) = (0i128, 0i128, Vec::new());
            let mut summed = Vec::new();
            for _ in 0..level.count {
                let values: Vec<f64> = (0..rows).map(|_| value()).collect();
                let mean = values.iter().sum::<f64>() / f64::from(rows);
                let index = grid.index(mean).unwrap();
                let centred = 2 * i128::from(index) - points;
                sum += i128::from(index);
                squares += centred * centred;
                if let Some(candidates) = numbers.cells.filter(|cells| cells.has_sums()) {
                    let [indices, squares] = [i128::from(index), centred * centred];
                    let [indices, squares] = [indices, squares].map(ExactSum::from_raw);
                    let sums = CellSums { indices, squares };
                    summed.push((candidates.nearest_candidate(&grid, index), 1, sums));
                } else if let Some(candidates) = numbers.cells {
                    cells.extend(values.iter().map(|v| {
                        (candidates.nearest_candidate(&grid, grid.index(*v).unwrap()), 1)
                    }));
                }
            }
            let sums = [Some(sum), numbers.squares.then_some(squares)].into_iter().flatten();
            LevelSums {
                label: None,
                epsilon: level.epsilon,
                count: level.count,
                sums: sums.map(ExactSum::from_raw).collect(),
                cells: match summed.is_empty() {
                    true => CellCounts::from_raw(cells),
                    false => CellCounts::with_sums(summed),
                },
            }
        });
    LevelTable::new(Some("value".into()), Measure::Numbers(numbers), by_level.collect()).unwrap()
}
