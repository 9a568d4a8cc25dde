use super::*;
use crate::{
    Bounds, CellCounts, Cells, Epsilon, ErrorKind, ExactSum, Grid, LevelSums, LevelTable, Measure,
    Numbers, Options, Randomness,
};

fn numbers() -> Numbers {
    Numbers { grid: Grid::new(Bounds::UNIT), squares: true, cells: Some(Cells::new(4).unwrap()) }
}

/// A thousand people in the middle of the bounds.
fn table() -> LevelTable {
    let sum = ExactSum::from_raw(1000 * i128::from(numbers().grid.points()) / 2);
    let level_sums = LevelSums {
        label: None,
        epsilon: Epsilon::new(1.0).unwrap(),
        count: 1000,
        sums: vec![sum, ExactSum::default()],
        cells: CellCounts::from_raw(vec![(2, 1000)]),
    };
    LevelTable::new(None, Measure::Numbers(numbers()), vec![level_sums]).unwrap()
}

fn plan(statistics: &str) -> SummaryPlan {
    let statistics: Statistics = statistics.parse().unwrap();
    let (split, options) = (Split::even(&statistics), Options::default());
    SummaryPlan::new(statistics, numbers(), table().profile().unwrap(), split, &options).unwrap()
}

#[test]
fn all_together_keep_the_budget_or_nothing_is_released() {
    let release = |plan: SummaryPlan| plan.release(table(), &mut Randomness::insecure(1));
    for moments in ["mean", "variance"] {
        let good = plan(&format!("{moments},q50"));
        assert!(release(good.clone()).is_ok());
        // Each within its own share, but not together.
        let parts = vec![good.parts[0].clone(), plan("q50").parts[0].clone()];
        let refused = release(SummaryPlan { parts, ..good }).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Internal);
    }
}
