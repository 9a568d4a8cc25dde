//! Squares and rows at candidates: the same in any order, in any files, in either format.

use proptest::prelude::*;
use suum_core::{Bounds, Cells, ErrorKind, Grid, LevelTable, Numbers, Result};
use suum_data::{Progress, Scan, Value, ValueColumn, read_levels, scan_csv, write_levels};
use suum_testing::Extent;

use crate::common::{budgets, scan_path, tiers};
use crate::rows::{TIERS, csv, expected, numbers, rows, shards, write};

fn read_back(table: &LevelTable) -> Result<LevelTable> {
    let mut file = Vec::new();
    write_levels(table, &mut file)?;
    read_levels(file.as_slice())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(150)))]

    #[test]
    fn order_files_and_format_do_not_matter(
        (rows, shuffled) in rows(50).prop_flat_map(|r| (Just(r.clone()), Just(r).prop_shuffle())),
        shards in shards(),
        squares: bool,
        summed: bool,
        steps in prop::option::of(prop::sample::select(vec![1, 7, 8192, 65_536, Cells::MOST])),
    ) {
        let cells = steps.map(|steps| Cells::new(steps).unwrap().with_sums(squares && summed));
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &shuffled, &shards);
        for privacy in [budgets("epsilon"), tiers("tier", TIERS)] {
            let scan = Scan::new(privacy, numbers(squares, cells));
            let expected = expected(&rows, &scan).remove("").unwrap();
            let text = scan_csv(csv(&rows, false).as_bytes(), &scan, &Progress::default());
            prop_assert_eq!(text.as_ref(), Ok(&expected));
            prop_assert_eq!(&scan_path(folder.path(), &scan).unwrap(), &expected);
            prop_assert_eq!(read_back(&expected), Ok(expected));
        }
    }
}

fn with(points: u64, squares: bool, cells: Option<Cells>) -> Scan {
    let grid = Grid::with_points(Bounds::new(0.0, 8.0).unwrap(), points).unwrap();
    let numbers = Numbers { grid, squares, cells };
    let value = Value::Number(ValueColumn { column: "v".into(), numbers, missing: None });
    Scan::new(budgets("e"), Some(value))
}

#[test]
fn what_cannot_be_added_up_is_refused() {
    let two = Cells::new(8).unwrap().with_rows(2).unwrap();
    let squares = "grid: squares on a grid of more than 2^31 steps can exceed 128 bits";
    for (scan, message) in [
        (with(1 << 32, true, None), squares),
        // Squares are added up at each of these, too.
        (with(1 << 32, false, Some(Cells::for_sums())), squares),
        (with(1 << 30, false, Some(two)), "rows: without persons each record is one row"),
    ] {
        let refused = scan_csv(&b"e,v\n1,1\n"[..], &scan, &Progress::default()).unwrap_err();
        assert_eq!(refused.to_string(), message);
        assert_eq!(refused.kind(), ErrorKind::Request);
        assert!(refused.fix().is_some());
    }
    assert!(scan_csv(&b"e,v\n1,1\n"[..], &with(1 << 31, true, None), &Progress::default()).is_ok());
    assert!(
        scan_csv(&b"e,v\n1,1\n"[..], &with(1 << 50, false, None), &Progress::default()).is_ok()
    );
}

/// Few rows of many pairs: 64 budgets of 2^20 + 1 candidates each are more than 2^26.
#[test]
fn many_levels_of_many_candidates() {
    let mut text = String::from("e,v\n");
    for row in 0..2000 {
        text += &format!("{},{}\n", 1 + row % 70, f64::from(row % 9) * 0.875);
    }
    let table = scan_csv(
        text.as_bytes(),
        &with(1 << 30, true, Some(Cells::new(Cells::MOST).unwrap())),
        &Progress::default(),
    )
    .unwrap();
    let few = scan_csv(
        text.as_bytes(),
        &with(1 << 30, true, Some(Cells::new(64).unwrap())),
        &Progress::default(),
    )
    .unwrap();
    assert_eq!(table.by_level().len(), 70);
    for (many, few) in table.by_level().iter().zip(few.by_level()) {
        assert_eq!((many.count, &many.sums), (few.count, &few.sums));
        let coarser = many.cells.expose_raw().map(|(candidate, rows)| (candidate >> 14, rows));
        assert!(coarser.eq(few.cells.expose_raw()));
    }
}

const GOOD: &str = concat!(
    r#"{"format":"suum-levels","version":1,"column":"v","bounds":[0,8],"grid":1048576,"#,
    r#""squares":true,"cells":8,"rows":2,"person":"id","records":2,"levels":["#,
    r#"{"epsilon":0.5,"count":2,"sum":"1048576","squares":"10","cells":[[3,1],[5,"3"]]}]}"#
);

#[test]
fn the_file_looks_as_documented() {
    let table = read_levels(GOOD.as_bytes()).unwrap();
    assert_eq!(table.person(), Some("id"));
    assert!(table.by_level()[0].cells.expose_raw().eq([(3, 1), (5, 3)]));
    let mut file = Vec::new();
    write_levels(&table, &mut file).unwrap();
    assert_eq!(
        String::from_utf8(file).unwrap(),
        "{\"format\":\"suum-levels\",\"version\":1,\"warning\":\"raw sums: not \
        private\",\"column\":\"v\",\
         \"bounds\":[0.0,8.0],\"grid\":1048576,\"squares\":true,\"cells\":8,\"rows\":2,\
         \"person\":\"id\",\
         \"records\":2,\"levels\":[{\"epsilon\":0.5,\"count\":2,\"sum\":\"1048576\",\
         \"squares\":\"10\",\
         \"cells\":[[3,1],[5,3]]}]}\n"
    );
    let example = r#"{"format":"suum-levels","version":1,"warning":"raw sums: not private",
        "column":"visits","bounds":[0.0,77.0],"grid":1073741824,"squares":true,"cells":77,
        "rows":2,"person":"id",
        "records":1,"levels":[{"epsilon":0.1,"count":1,"sum":"41834292",
        "squares":"980245020564097600",
        "cells":[[2,1],[4,1]]}]}"#;
    assert!(read_levels(example.as_bytes()).is_ok());
}

#[test]
fn broken_files_are_refused() {
    for (from, to, message) in [
        ("\"squares\":true,", "", "level 1: it has squares but the table does not say so"),
        (
            "\"squares\":true,",
            "\"squares\":false,",
            "level 1: it has squares but the table does not say so",
        ),
        (",\"squares\":\"10\"", "", "level 1: it has no squares"),
        ("\"10\"", "\"x\"", "level 1: the sum of squares is not an integer"),
        (
            "\"10\"",
            "\"-1\"",
            "the sums of level 1 (by ascending epsilon) are impossible for its count",
        ),
        (
            "1048576,\"squ",
            "4294967296,\"squ",
            "squares on a grid of more than 2^31 steps can exceed 128 bits",
        ),
        ("\"cells\":8,", "", "it has rows but no cells"),
        ("\"cells\":8,\"rows\":2,", "", "level 1: it has cells but the table does not say so"),
        (",\"cells\":[[3,1],[5,\"3\"]]", "", "level 1: it has no cells"),
        ("[3,1],[5", "[5,1],[3", "level 1: its cells are not in ascending order"),
        ("[3,1],[5", "[5,1],[5", "level 1: its cells are not in ascending order"),
        ("[3,1]", "[3,0]", "level 1: a count of a cell is not a number of rows"),
        ("[3,1]", "[3,-1]", "level 1: a count of a cell is not a number of rows"),
        (
            "[3,1]",
            "[3,2]",
            "the sums of level 1 (by ascending epsilon) are impossible for its count",
        ),
        ("[5,", "[9,", "the sums of level 1 (by ascending epsilon) are impossible for its count"),
        (
            "\"cells\":8",
            "\"cells\":0",
            "cells: there must be between 1 and 1048576 steps over the bounds",
        ),
        ("\"rows\":2", "\"rows\":1001", "rows: a person stands for between 1 and 1000 rows"),
        ("\"person\":\"id\",", "", "without persons each record is one row"),
        ("\"person\":\"id\"", "\"person\":\" \"", "the name of the column of persons is empty"),
        (
            "\"bounds\":[0,8],\"grid\":1048576,",
            "",
            "unit, squares, cells and rows are for a column of numbers",
        ),
    ] {
        let broken = GOOD.replacen(from, to, 1);
        assert_ne!(broken, GOOD, "{from}");
        let refused = read_levels(broken.as_bytes()).unwrap_err();
        assert_eq!(refused.to_string(), format!("level table: {message}"), "{from} {to}");
        assert_eq!(refused.kind(), ErrorKind::Table);
        assert!(refused.fix().is_some(), "{message}");
    }
    let malformed = read_levels(GOOD.replace("[3,1]", "[-3,1]").as_bytes()).unwrap_err();
    assert!(malformed.to_string().starts_with("level table: not the JSON of a level table"));
}
