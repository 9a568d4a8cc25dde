use super::*;
use crate::{Bounds, CellCounts, CellSums, Cells, Epsilon, ExactSum};

fn level_sums(label: Option<&str>, epsilon: f64, count: u64, sum: i128) -> LevelSums {
    LevelSums {
        label: label.map(str::to_owned),
        epsilon: Epsilon::new(epsilon).unwrap(),
        count,
        sums: vec![ExactSum::from_raw(sum)],
        cells: Default::default(),
    }
}

fn table(by_level: Vec<LevelSums>) -> Result<LevelTable> {
    LevelTable::new(
        Some("visits".into()),
        Measure::Numbers(Grid::new(Bounds::UNIT).into()),
        by_level,
    )
}

#[test]
fn refuses_impossible_tables() {
    let steps = 1i128 << Grid::BITS;
    assert!(table(vec![]).is_err());
    assert!(table(vec![level_sums(None, 0.1, 0, 0)]).is_err());
    assert!(table(vec![level_sums(None, 0.1, 2, -1)]).is_err());
    assert!(table(vec![level_sums(None, 0.1, 2, 2 * steps + 1)]).is_err());
    assert!(table(vec![level_sums(None, 0.1, 2, 0), level_sums(None, 0.1, 3, 0)]).is_err());
    assert!(
        table(vec![level_sums(Some("a"), 0.1, 2, 0), level_sums(Some("a"), 0.2, 3, 0)]).is_err()
    );
    assert!(table(vec![level_sums(None, 0.1, 2, 2 * steps)]).is_ok());
}

#[test]
fn category_counts_must_add_up() {
    let table = |counts: [i128; 2]| {
        let sums = counts.map(ExactSum::from_raw).to_vec();
        let level_sums = LevelSums { sums, ..level_sums(None, 0.1, 5, 0) };
        LevelTable::new(None, Measure::Categories("a,b".parse().unwrap()), vec![level_sums])
    };
    assert!(table([2, 3]).is_ok());
    for bad in [[2, 2], [3, 3], [6, -1]] {
        assert!(table(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn tiers_of_equal_budget_stay_apart_but_form_one_level() {
    let table =
        table(vec![level_sums(Some("b"), 0.1, 2, 5), level_sums(Some("a"), 0.1, 3, 7)]).unwrap();
    assert_eq!(table.by_level()[0].label.as_deref(), Some("a"));
    assert_eq!(table.profile().unwrap().to_string(), "0.1:5");
}

#[test]
fn other_budgets_keep_all_records() {
    let budgets = |table: &LevelTable| {
        let rows = table.by_level().iter().map(|c| {
            (
                c.label.clone(),
                c.epsilon.get(),
                c.count,
                c.sums.iter().map(ExactSum::expose_raw).sum(),
            )
        });
        rows.collect::<Vec<(Option<String>, f64, u64, i128)>>()
    };
    let half = |epsilon: f64| Epsilon::new(epsilon).unwrap();
    let numbers = table(vec![
        level_sums(None, 0.1, 2, 5),
        level_sums(None, 0.2, 3, 7),
        level_sums(None, 1.0, 1, 1),
    ]);
    let merged = numbers.unwrap().with_person("id".into(), PersonValue::Total);
    let merged = merged.with_budgets(|label, epsilon| {
        assert!(label.is_none());
        if epsilon < half(1.0) { half(0.05) } else { Epsilon::UNUSED }
    });
    let merged = merged.unwrap();
    assert_eq!(budgets(&merged), [(None, 0.0, 1, 1), (None, 0.05, 5, 12)]);
    assert_eq!((merged.person(), merged.column()), (Some("id"), Some("visits")));
    assert_eq!(merged.person_value(), PersonValue::Total);
    assert!(merged.check_persons(PersonValue::Total).is_ok());
    for table in [&merged, &merged.clone().with_labels(|_| None).unwrap()] {
        let refused = table.check_persons(PersonValue::Mean).unwrap_err();
        assert!(
            refused.fix().map(ToString::to_string).is_some_and(|hint| hint.contains("per_person"))
        );
    }
    // Tiers stay apart, in the order of what is left.
    let tiers =
        table(vec![level_sums(Some("a"), 0.1, 2, 5), level_sums(Some("b"), 0.2, 3, 7)]).unwrap();
    let left = |label: Option<&str>, epsilon| if label == Some("b") { half(0.01) } else { epsilon };
    let tiers = tiers.with_budgets(left).unwrap();
    assert_eq!(budgets(&tiers), [(Some("b".into()), 0.01, 3, 7), (Some("a".into()), 0.1, 2, 5)]);
}

/// The sums of clamped indices, from sums in cells, are those that one gets one by one.
#[test]
fn clamped_sums_are_those_of_clamped_indices() {
    let grid = Grid::with_points(Bounds::new(-2.0, 6.0).unwrap(), 1 << 20).unwrap();
    let cells = Cells::new(9).unwrap().with_sums(true);
    let points = grid.points();
    let numbers = Numbers { grid, squares: true, cells: Some(cells) };
    // All ends of cells and their neighbours, and some in between.
    let ends = (0..=10).map(|cell| cells.first_index(&grid, cell));
    let indices: Vec<u64> = ends
        .flat_map(|end| [end.saturating_sub(1), end, (end + 1).min(points)])
        .chain((0..50).map(|i| i * 20_011))
        .collect();
    let square = |index: u64, points: u64| (2 * i128::from(index) - i128::from(points)).pow(2);
    let sums = |index: &u64| CellSums {
        indices: ExactSum::from_raw(i128::from(*index)),
        squares: ExactSum::from_raw(square(*index, points)),
    };
    let counts =
        indices.iter().map(|index| (cells.nearest_candidate(&grid, *index), 1, sums(index)));
    let level_sums = LevelSums {
        sums: [
            indices.iter().map(|index| i128::from(*index)).sum(),
            indices.iter().map(|index| square(*index, points)).sum(),
        ]
        .map(ExactSum::from_raw)
        .to_vec(),
        cells: CellCounts::with_sums(counts.collect()),
        ..level_sums(None, 1.0, indices.len() as u64, 0)
    };
    let table = LevelTable::new(None, Measure::Numbers(numbers), vec![level_sums]).unwrap();
    for first in 0..=9 {
        for last in first..=9 {
            let clamped = table.clamped(first, last).unwrap();
            let (from, to) = (cells.first_index(&grid, first), cells.first_index(&grid, last + 1));
            let inside: Vec<u64> =
                indices.iter().map(|index| index.clamp(&from, &to) - from).collect();
            let expected = [
                inside.iter().map(|index| i128::from(*index)).sum(),
                inside.iter().map(|index| square(*index, to - from)).sum(),
            ];
            let part = *clamped.grid().unwrap();
            assert_eq!(part.points(), to - from);
            assert_eq!(clamped.by_level()[0].sums, expected.map(ExactSum::from_raw));
            assert!(possible(&clamped.by_level()[0], clamped.measure()));
            assert!((part.bounds().lower() - grid.value(from)).abs() < 1e-12);
        }
    }
}

/// A sum of values in a cell must be possible there, and the sums of all cells must add up to the
/// total.
#[test]
fn impossible_sums_in_cells_are_refused() {
    let grid = Grid::new(Bounds::UNIT);
    let (points, cells) = (i128::from(grid.points()), Cells::for_sums());
    let numbers = Numbers { grid, squares: true, cells: Some(cells) };
    let table = |cell: u32, index: i128, total: i128| {
        let square = (2 * index - points).pow(2);
        let [indices, squares] = [index, square].map(ExactSum::from_raw);
        let one = LevelSums {
            sums: [total, square].map(ExactSum::from_raw).to_vec(),
            cells: CellCounts::with_sums(vec![(cell, 1, CellSums { indices, squares })]),
            ..level_sums(None, 1.0, 1, 0)
        };
        LevelTable::new(None, Measure::Numbers(numbers), vec![one])
    };
    assert!(table(1, 1 << 17, 1 << 17).is_ok());
    assert!(table(2, 1 << 17, 1 << 17).is_err(), "in another cell");
    assert!(table(1, 1 << 17, (1 << 17) + 1).is_err(), "another total");
    assert!(table(8193, points, points).is_err(), "no such cell");
    assert!(table(8192, points, points).is_ok());
}

#[test]
fn debug_shows_no_sum() {
    let text = format!("{:?}", table(vec![level_sums(None, 0.1, 2, 1234567)]).unwrap());
    assert!(!text.contains("1234567"));
}
