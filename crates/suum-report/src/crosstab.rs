//! Cross table of two columns: the share of each cell, and both margins, which are its sums.

use suum_core::{Crosstab, Estimate, Interval, Release};

use crate::figure::{ALL, Figure, Writing};
use crate::figures::{decimals, places};
use crate::prose::Text;
use crate::sentence::{Piece, Sentence};
use crate::table::Table;

/// Largest number of rows of a table; the JSON form has all.
pub(crate) const LINES: usize = 200;

/// Largest number of additional digits of shares, so that they lie in their intervals.
const MORE_DIGITS: i32 = 3;

/// Cross table as it is shown, with the margins as its last row and its last column.
#[derive(Debug, Clone)]
pub(crate) struct CrosstabTable {
    /// Names of the columns of data: that of the rows first.
    pub(crate) columns: [String; 2],
    /// Labels of the rows and of the columns.
    pub(crate) labels: [Vec<String>; 2],
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// Share in a cell of the table.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) estimate: f64,
    /// Share as it is shown: the shown shares of cells add up to those of the margins.
    pub(crate) text: String,
    /// Ends of its interval as they are shown, and the interval itself.
    pub(crate) interval: Option<([String; 2], Interval)>,
}

impl CrosstabTable {
    /// Cross table of a release, if it has one.
    pub(crate) fn from_release(release: &Release) -> Option<Self> {
        let writing = Figure::from_estimate(release.estimates.first()?, release).writing;
        let error = if let Writing::Share(error) = writing { error } else { 0.0 };
        // A share that is rounded so that all add up can leave its interval by a digit: then it
        // gets more digits.
        let finer = (0..=MORE_DIGITS).map(|more| error / 10f64.powi(more));
        let mut tables = finer.map_while(|error| Self::to_error(release, error)).peekable();
        let coarsest = tables.peek().cloned();
        tables.find(Self::is_in_intervals).or(coarsest)
    }

    /// Table with shares written to the second digit of an error.
    fn to_error(release: &Release, error: f64) -> Option<Self> {
        let crosstab = release.crosstab()?;
        let [of_rows, of_columns] = release.margins.as_slice() else { return None };
        let (writing, places) = (Writing::Share(error), places(error * 100.0));
        let shares: Vec<f64> = release.estimates.iter().map(|one| one.estimate).collect();
        let unit = 100.0 * 10f64.powi(places);
        let units: Vec<f64> = shares.iter().map(|share| share * unit).collect();
        let width = of_columns.shares.len();
        let shown = with_sums(&rounded(&units, width));
        let cell = |one: Option<&Estimate>, units: &i64| {
            let text = decimals(*units as f64 / 10f64.powi(places), places);
            let interval = one.and_then(|one| one.interval);
            Cell {
                estimate: one.map_or_else(|| shares.iter().sum(), |one| one.estimate),
                text: format!("{text} %"),
                interval: interval.map(|interval| (writing.ends(interval), interval)),
            }
        };
        let margin = of_columns.shares.iter().map(Some).chain([None]);
        let rows = release.estimates.chunks(width).zip(&of_rows.shares);
        let rows = rows.map(|(row, all)| row.iter().chain([all]).map(Some).collect::<Vec<_>>());
        let rows = rows.chain([margin.collect()]).zip(&shown);
        let rows = rows.map(|(row, shown)| {
            row.into_iter().zip(shown).map(|(one, units)| cell(one, units)).collect()
        });
        Some(Self {
            columns: crosstab.columns().clone(),
            labels: labels(crosstab),
            rows: rows.collect(),
        })
    }

    /// Returns true if each share lies in its interval, as both are shown.
    fn is_in_intervals(&self) -> bool {
        let number = |text: &str| text.trim_end_matches(" %").replace(',', "").parse::<f64>().ok();
        let is_in = |cell: &Cell| {
            let Some(([lower, upper], _)) = &cell.interval else { return true };
            number(lower) <= number(&cell.text) && number(&cell.text) <= number(upper)
        };
        self.rows.iter().flatten().all(is_in)
    }

    /// Figures of the cells, row by row, each with the text of the table.
    pub(crate) fn as_shown(&self, figures: &[Figure]) -> Vec<Figure> {
        let cells = self.rows.iter().flat_map(|row| row.iter().take(row.len().saturating_sub(1)));
        let shown = figures.iter().zip(cells).map(|(figure, cell)| {
            let shown = Some(cell.text.clone());
            Figure { shown, ..figure.clone() }
        });
        shown.collect()
    }

    /// Largest share of a cell that is no margin.
    fn most(&self) -> f64 {
        let rows = self.rows.iter().rev().skip(1);
        let cells = rows.flat_map(|row| row.iter().rev().skip(1));
        cells.map(|cell| cell.estimate).fold(0.0, f64::max)
    }

    /// Sentence on the contents of the table.
    pub(crate) fn sentence(&self) -> Sentence {
        let [row, column] = &self.columns;
        let said = Sentence::from("Shares of each pair of ").label(row).say(" and ").label(column);
        said.say(", and their sums for each of both.")
    }

    /// Exchanges rows and columns.
    fn turned(&self) -> Self {
        let [rows, columns] = self.labels.clone();
        let [row, column] = self.columns.clone();
        let turned = (0..columns.len())
            .map(|at| self.rows.iter().filter_map(|row| row.get(at)).cloned().collect());
        Self { columns: [column, row], labels: [columns, rows], rows: turned.collect() }
    }

    /// Whole table, each interval below its share, and cells shaded by their shares.
    pub(crate) fn whole(&self, caption: &str) -> Table {
        let most = self.most();
        let [height, width] = self.labels.each_ref().map(Vec::len);
        let rows: Vec<_> = self.labels[0].iter().zip(&self.rows).enumerate().collect();
        let mut table = Table::at_most(LINES, caption, &rows)
            .words(self.columns.join(" / "), |(_, (name, _))| Sentence::from_label(*name));
        for (at, heading) in self.labels[1].iter().enumerate() {
            table = table.number(Sentence::from_label(heading), |(row, (_, cells))| {
                let Some(cell) = cells.get(at) else { return Sentence::default() };
                // Margins are sums, and have no place on the scale of cells.
                match row + 1 < height && at + 1 < width && most > 0.0 {
                    true => cell.sentence().with(Piece::Shade(cell.estimate / most)),
                    false => cell.sentence(),
                }
            });
        }
        table.into()
    }

    /// Table of the columns at these positions, as text: each interval below its share.
    fn table(&self, from: usize, count: usize) -> Table {
        let named = self.labels[0].iter().zip(&self.rows);
        let rows: Vec<(&str, &Vec<Cell>, bool)> = named
            .flat_map(|(name, cells)| [(name.as_str(), cells, false), ("", cells, true)])
            .collect();
        let mut table = Table::at_most(2 * LINES, "", &rows)
            .words(self.columns.join(" / "), |(name, _, _)| Sentence::from_label(*name));
        for (at, heading) in self.labels[1].iter().enumerate().skip(from).take(count) {
            table = table.number(Sentence::from_label(heading), |(_, cells, is_below)| {
                let cell = cells.get(at);
                cell.map_or_else(String::new, |cell| match is_below {
                    true => cell.ends(),
                    false => cell.text.clone(),
                })
            });
        }
        table.into()
    }

    fn fits(&self, width: usize) -> bool {
        self.table(0, self.labels[1].len()).width() <= width
    }
}

impl Cell {
    fn sentence(&self) -> Sentence {
        let share = Sentence::default().number(&self.text, self.estimate);
        let Some(([lower, upper], interval)) = &self.interval else { return share };
        let ends = Sentence::default().number(lower, interval.lower).say(" to ");
        share.with(Piece::Below(ends.number(upper, interval.upper)))
    }

    /// Short text of the interval.
    fn ends(&self) -> String {
        let Some((ends, _)) = &self.interval else { return String::new() };
        ends.each_ref().map(|end| end.trim_end_matches(" %")).join(" to ")
    }
}

fn labels(crosstab: &Crosstab) -> [Vec<String>; 2] {
    let with_all = |labels: &Vec<String>| labels.iter().cloned().chain([ALL.to_owned()]).collect();
    crosstab.labels().each_ref().map(with_all)
}

/// Writes the table as text: transposed if it only then fits the screen, and in parts if it never
/// does.
pub(crate) fn write(out: &mut Text, crossed: &CrosstabTable) {
    let turned = crossed.turned();
    let width = out.width();
    let shown = if !crossed.fits(width) && turned.fits(width) { &turned } else { crossed };
    let columns = shown.labels[1].len();
    let mut from = 0;
    while from < columns {
        let mut count = columns - from;
        while count > 1 && shown.table(from, count).width() > width {
            count -= 1;
        }
        out.table(&shown.table(from, count));
        from += count;
    }
}

/// Integers near the cells of a table with rows of this width: each is the floor or ceiling of its
/// cell, each row sum is the floor or ceiling of the row's sum, and so is the total. Rounding
/// errors of a column are carried to the rows below, so column sums are near, too.
fn rounded(cells: &[f64], width: usize) -> Vec<Vec<i64>> {
    let rows: Vec<&[f64]> = cells.chunks(width).collect();
    let sums: Vec<f64> = rows.iter().map(|row| row.iter().sum()).collect();
    let whole = sums.iter().sum::<f64>().round() as i64;
    let sums = up_to(&sums, whole, &vec![0.0; sums.len()]);
    let mut owed = vec![0.0; width];
    let each = rows.iter().zip(sums).map(|(row, sum)| {
        let shown = up_to(row, sum, &owed);
        let left = row.iter().zip(&shown).map(|(cell, shown)| cell - *shown as f64);
        owed.iter_mut().zip(left).for_each(|(owed, left)| *owed += left);
        shown
    });
    each.collect()
}

/// Rounds down every number, but rounds up those with the largest remainder plus `owed`, as many as
/// it takes to reach the sum.
fn up_to(numbers: &[f64], sum: i64, owed: &[f64]) -> Vec<i64> {
    let mut shown: Vec<i64> = numbers.iter().map(|number| number.floor() as i64).collect();
    let up = (sum - shown.iter().sum::<i64>()).clamp(0, numbers.len() as i64);
    let left = |at: usize| numbers[at] - numbers[at].floor() + owed[at];
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|one, other| left(*other).total_cmp(&left(*one)));
    order.into_iter().take(up as usize).for_each(|at| shown[at] += 1);
    shown
}

/// Appends the sum of each row, and a row with the sum of each column.
fn with_sums(rows: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let with_sum = |row: &Vec<i64>| row.iter().copied().chain([row.iter().sum()]).collect();
    let mut all: Vec<Vec<i64>> = rows.iter().map(with_sum).collect();
    let width = all.first().map_or(0, Vec::len);
    let below = (0..width).map(|at| all.iter().filter_map(|row| row.get(at)).sum());
    let below = below.collect();
    all.push(below);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_shown_adds_up_and_is_near(
            cells in prop::collection::vec(0.0..50.0_f64, 1..60),
            width in 1usize..8,
        ) {
            let cells = &cells[..cells.len() / width * width];
            prop_assume!(!cells.is_empty());
            let shown = rounded(cells, width);
            let mut columns = vec![(0.0, 0i64); width];
            for (row, shown) in cells.chunks(width).zip(&shown) {
                for ((cell, shown), column) in row.iter().zip(shown).zip(&mut columns) {
                    prop_assert!((cell - *shown as f64).abs() <= 1.0);
                    (column.0, column.1) = (column.0 + cell, column.1 + shown);
                }
                let sums = (row.iter().sum::<f64>(), shown.iter().sum::<i64>());
                prop_assert!((sums.0 - sums.1 as f64).abs() <= 1.0, "{sums:?}");
            }
            for (exact, shown) in &columns {
                prop_assert!((exact - *shown as f64).abs() <= 3.0, "{columns:?}");
            }
            let all: i64 = columns.iter().map(|(_, shown)| shown).sum();
            prop_assert_eq!(all, cells.iter().sum::<f64>().round() as i64);
        }
    }

    #[test]
    fn margins_are_the_sums_of_what_is_shown() {
        assert_eq!(with_sums(&[vec![1, 2], vec![3, 4]]), [[1, 2, 3], [3, 4, 7], [4, 6, 10]]);
        // One of 30.5, 30.5 and 39 is shown as 31.
        assert_eq!(rounded(&[30.5, 30.5, 39.0], 3), [[31, 30, 39]]);
    }
}
