//! Up to 65 536 distinct budgets are exact; one more and all are coarse, however the records are
//! sharded.

use std::fmt::Write;

use suum_core::{Epsilon, LevelTable};
use suum_data::{Progress, Scan, scan_csv};

use crate::common::{budgets, scan_path};

const LIMIT: u32 = 65_536;

fn scan() -> Scan {
    Scan::new(budgets("e"), None)
}

fn budget(number: u32) -> f64 {
    1.0 + f64::from(number) / 16_777_216.0
}

fn csv(numbers: impl Iterator<Item = u32>) -> String {
    let mut text = String::from("e\n");
    for number in numbers {
        writeln!(text, "{}", budget(number)).unwrap();
    }
    text
}

fn from_text(text: &str) -> LevelTable {
    scan_csv(text.as_bytes(), &scan(), &Progress::default()).unwrap()
}

#[test]
fn the_limit_itself_is_exact() {
    let table = from_text(&csv((0..LIMIT).chain(0..10)));
    assert_eq!(table.by_level().len(), LIMIT as usize);
    assert_eq!(table.records(), u64::from(LIMIT) + 10);
    assert_eq!(table.by_level()[9].count, 2);
    assert_eq!(table.by_level()[10].epsilon.get(), budget(10));
}

#[test]
fn one_more_makes_all_coarse() {
    let table = from_text(&csv(0..=LIMIT));
    // All of the budgets lie in [1, 1 + 2^-8): ten binary digits leave four levels, and the last
    // number a fifth.
    assert_eq!(table.by_level().len(), 5);
    assert_eq!(table.records(), u64::from(LIMIT) + 1);
    assert!(
        table.by_level().iter().all(|level_sums| level_sums.epsilon == level_sums.epsilon.coarse())
    );
    assert_eq!(table.by_level()[0].epsilon, Epsilon::new(1.0).unwrap());
}

#[test]
#[ignore = "takes seconds"]
fn sharding_does_not_matter() {
    for (distinct, expected) in [(LIMIT, LIMIT as usize), (LIMIT + 1, 5)] {
        let whole = from_text(&csv(0..distinct));
        assert_eq!(whole.by_level().len(), expected);
        assert_eq!(whole, from_text(&csv((0..distinct).rev())));
        for files in [2, 3, 7] {
            let folder = tempfile::tempdir().unwrap();
            for file in 0..files {
                let part = csv((0..distinct).filter(|number| number % files == file));
                std::fs::write(folder.path().join(format!("{file}.csv")), part).unwrap();
            }
            assert_eq!(
                scan_path(folder.path(), &scan()).unwrap(),
                whole,
                "{distinct} budgets in {files} files"
            );
        }
        // One file that is coarse alone, and one that is exact alone.
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.csv"), csv(0..10)).unwrap();
        std::fs::write(folder.path().join("b.csv"), csv(10..distinct)).unwrap();
        assert_eq!(scan_path(folder.path(), &scan()).unwrap(), whole);
    }
}

#[test]
fn unused_and_public_stay_what_they_are() {
    let mut text = csv(0..=LIMIT);
    text.push_str("0\ninf\n1e-100\n-0\n");
    let table = from_text(&text);
    let first = table.by_level().first().unwrap();
    assert!(first.epsilon.is_unused() && first.count == 2);
    assert_eq!(table.by_level()[1].epsilon.get(), Epsilon::MIN);
    assert!(table.by_level().last().unwrap().epsilon.is_public());
}
