//! The level-table file: round trips, and what is refused.

use proptest::prelude::*;
use suum_core::{
    Bounds, Categories, Epsilon, ErrorKind, ExactSum, Grid, LevelSums, LevelTable, Measure,
};
use suum_data::{read_levels, write_levels};

use crate::common::sums;

fn text(table: &LevelTable) -> String {
    let mut file = Vec::new();
    write_levels(table, &mut file).unwrap();
    String::from_utf8(file).unwrap()
}

fn level_sums(label: Option<&str>, epsilon: f64, count: u64, sum: i128) -> LevelSums {
    let epsilon = Epsilon::new(epsilon).unwrap();
    LevelSums {
        label: label.map(str::to_owned),
        epsilon,
        count,
        sums: vec![ExactSum::from_raw(sum)],
        cells: Default::default(),
    }
}

fn counted_sums(label: Option<&str>, epsilon: f64, counts: &[u64]) -> LevelSums {
    let sums = counts.iter().map(|count| ExactSum::from_raw(i128::from(*count))).collect();
    LevelSums { sums, ..level_sums(label, epsilon, counts.iter().sum(), 0) }
}

fn bare(epsilon: f64, count: u64) -> LevelSums {
    LevelSums { sums: vec![], ..level_sums(None, epsilon, count, 0) }
}

#[test]
fn the_file_looks_as_documented() {
    let grid = Grid::new(Bounds::new(0.0, 77.0).unwrap());
    let by_level = vec![
        level_sums(Some("public"), f64::INFINITY, 1, 5),
        level_sums(Some("strict"), 0.01, 2, 1 << 30),
    ];
    let table =
        LevelTable::new(Some("visits".into()), Measure::Numbers(grid.into()), by_level).unwrap();
    assert_eq!(
        text(&table),
        "{\"format\":\"suum-levels\",\"version\":1,\"warning\":\"raw sums: not \
        private\",\"column\":\"visits\",\
         \"bounds\":[0.0,77.0],\"grid\":1073741824,\"records\":3,\"levels\":[\
         {\"level\":\"strict\",\"epsilon\":0.01,\"count\":2,\"sum\":\"1073741824\"},\
         {\"level\":\"public\",\"epsilon\":\"inf\",\"count\":1,\"sum\":\"5\"}]}\n"
    );
    let table = LevelTable::new(None, Measure::Nothing, vec![bare(0.5, 2)]).unwrap();
    assert_eq!(
        text(&table),
        "{\"format\":\"suum-levels\",\"version\":1,\"warning\":\"raw sums: not \
        private\",\"records\":2,\
         \"levels\":[{\"epsilon\":0.5,\"count\":2}]}\n"
    );
    let by_level =
        vec![counted_sums(None, 0.1, &[2, 0]), counted_sums(None, f64::INFINITY, &[0, 1])];
    let measure = Measure::Categories("good,fair".parse().unwrap());
    let table = LevelTable::new(Some("health".into()), measure, by_level).unwrap();
    assert_eq!(
        text(&table),
        "{\"format\":\"suum-levels\",\"version\":1,\"warning\":\"raw sums: not \
        private\",\"column\":\"health\",\
         \"categories\":[\"good\",\"fair\"],\"records\":3,\"levels\":[\
         {\"epsilon\":0.1,\"count\":2,\"counts\":[\"2\",\"0\"]},\
         {\"epsilon\":\"inf\",\"count\":1,\"counts\":[\"0\",\"1\"]}]}\n"
    );
}

proptest! {
    #[test]
    fn tables_read_back(
        lower in -1e9..1e9_f64,
        width in 1e-3..1e9_f64,
        bits in 20u32..=50,
        levels in prop::collection::btree_map(
            -99_000..99_000_i32,
            (1u64..1 << 40, 0.0..1.0_f64),
            0..20,
        ),
        labels: bool,
        with_value: bool,
        public in 1u64..100,
    ) {
        let grid =
            Grid::with_points(Bounds::new(lower, lower + width).unwrap(), 1 << bits).unwrap();
        let grid = with_value.then_some(grid);
        let sum = |count: u64, share: f64| {
            grid.map_or(0, |grid| (count as f64 * share) as i128 * i128::from(grid.points()))
        };
        let mut by_level: Vec<LevelSums> = levels
            .iter()
            .enumerate()
            .map(|(number, (exponent, (count, share)))| {
                let label = labels.then(|| format!("level \"{number}\""));
                level_sums(
                    label.as_deref(),
                    10f64.powf(f64::from(*exponent) / 1000.0),
                    *count,
                    sum(*count, *share),
                )
            })
            .collect();
        by_level.push(level_sums(labels.then_some("öffentlich"), f64::INFINITY, public, 0));
        if !with_value {
            by_level.iter_mut().for_each(|level_sums| level_sums.sums.clear());
        }
        let column = with_value.then(|| "größe".to_owned());
        let table = LevelTable::new(
            column,
            grid.map_or(Measure::Nothing, |grid| Measure::Numbers(grid.into())),
            by_level,
        )
        .unwrap();
        prop_assert_eq!(read_levels(text(&table).as_bytes()).unwrap(), table);
    }

    #[test]
    fn tables_of_categories_read_back(
        names in prop::collection::btree_set("\\PC{1,8}", 2..10),
        levels in prop::collection::vec(prop::collection::vec(0u64..1 << 40, 10), 1..10),
        column in prop::option::of("\\PC*"),
        labels: bool,
    ) {
        let by_level = levels.iter().enumerate().map(|(number, counts)| {
            let label = labels.then(|| format!("level \"{number}\""));
            let mut counts = counts[..names.len()].to_vec();
            counts[0] += 1;
            counted_sums(label.as_deref(), number as f64, &counts)
        });
        let measure =
            Measure::Categories(Categories::new(names.iter().cloned().collect()).unwrap());
        let table = LevelTable::new(column, measure, by_level.collect()).unwrap();
        prop_assert_eq!(read_levels(text(&table).as_bytes()).unwrap(), table);
    }
}

const COUNTS: &str = concat!(
    r#"{"format":"suum-levels","version":1,"column":"v","categories":["x","y"],"records":7,"#,
    r#""levels":[{"level":"a","epsilon":0.5,"count":3,"counts":["1","2"]},"#,
    r#"{"epsilon":"inf","count":4,"counts":[4,0]}]}"#
);

const GOOD: &str = concat!(
    r#"{"format":"suum-levels","version":1,"column":"v","bounds":[0,8],"grid":1048576,"#,
    r#""records":7,"levels":[{"level":"a","epsilon":0.5,"count":3,"sum":"3145728"},"#,
    r#"{"epsilon":"inf","count":4,"sum":17}]}"#
);

#[test]
fn sums_may_be_integers_of_any_length() {
    let table = read_levels(GOOD.as_bytes()).unwrap();
    assert_eq!(table.by_level()[1].sums[0].expose_raw(), 17);
    let count = 1u64 << 62;
    let sum = i128::from(count) << 50;
    let long = GOOD
        .replace("1048576", &(1u64 << 50).to_string())
        .replace("\"count\":4,\"sum\":17", &format!("\"count\":{count},\"sum\":{sum}"))
        .replace("\"records\":7", &format!("\"records\":{}", count + 3));
    assert_eq!(read_levels(long.as_bytes()).unwrap().by_level()[1].sums[0].expose_raw(), sum);
}

#[test]
fn counts_may_be_integers() {
    let table = read_levels(COUNTS.as_bytes()).unwrap();
    assert_eq!(sums(&table), [[1, 2], [4, 0]]);
}

#[test]
fn malformed_files_are_refused() {
    let replaced = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    };
    let changed = |from: &str, to: &str| replaced(GOOD, from, to);
    let counts = |from: &str, to: &str| replaced(COUNTS, from, to);
    let many: Vec<String> = (0..=Categories::MOST).map(|name| format!("\"{name}\"")).collect();
    let huge = format!("\"count\":{}", u64::MAX);
    for (text, message) in [
        (String::new(), "not the JSON of"),
        ("[]".into(), "not the JSON of"),
        (GOOD[..GOOD.len() - 1].into(), "not the JSON of"),
        (format!("{GOOD} x"), "not the JSON of"),
        (changed("suum-levels", "SECRET123"), "another format"),
        (changed("\"version\":1", "\"version\":4711"), "version that is not known"),
        (changed("\"version\":1", "\"version\":\"SECRET123\""), "version that is not known"),
        (changed("\"records\":7", "\"records\":8"), "do not add up"),
        (changed("\"records\":7", "\"records\":7,\"SECRET123\":1"), "not the JSON of"),
        (changed("\"records\":7", "\"records\":7,\"records\":7"), "not the JSON of"),
        (changed("\"records\":7,", ""), "not the JSON of"),
        (changed("\"count\":3", "\"count\":3,\"SECRET123\":4"), "not the JSON of"),
        (changed("\"count\":3", "\"count\":\"SECRET123\""), "not the JSON of"),
        (changed("\"count\":3", "\"count\":-3"), "not the JSON of"),
        (changed("\"count\":3", "\"count\":3.5"), "not the JSON of"),
        (changed("\"count\":3", "\"count\":0"), "level 1: it has no records"),
        (changed("\"count\":3", &huge), "do not add up"),
        (changed("\"epsilon\":0.5", "\"epsilon\":-4711"), "level 1: epsilon is not a budget"),
        (
            changed("\"epsilon\":0.5", "\"epsilon\":\"SECRET123\""),
            "level 1: epsilon is not a budget",
        ),
        (changed("\"epsilon\":0.5", "\"epsilon\":\"0.5\""), "level 1: epsilon is not a budget"),
        (changed("\"epsilon\":0.5", "\"epsilon\":null"), "level 1: epsilon is not a budget"),
        (changed("\"epsilon\":0.5,", ""), "not the JSON of"),
        (changed("\"grid\":", "\"totals\":true,\"grid\":"), "totals are those of persons"),
        (changed("\"grid\":", "\"totals\":\"SECRET123\",\"grid\":"), "not the JSON of"),
        (changed("\"level\":\"a\"", "\"level\":\" \""), "level 1: its label is empty"),
        (changed("\"sum\":17", "\"sum\":4194305"), "impossible for its count"),
        (changed("\"sum\":17", "\"sum\":-1"), "impossible for its count"),
        (changed("\"sum\":17", "\"sum\":17.0"), "level 2: the sum is not an integer"),
        (changed("\"sum\":17", "\"sum\":\"SECRET123\""), "level 2: the sum is not an integer"),
        (changed("\"sum\":17", "\"sum\":[17]"), "level 2: the sum is not an integer"),
        (changed(",\"sum\":17", ""), "level 2: it has no sum"),
        (changed("[0,8]", "[8,0]"), "lower bound must be below"),
        (changed("[0,8]", "[0,8,9]"), "not the JSON of"),
        (changed("1048576", "4711"), "power of two"),
        (changed("\"bounds\":[0,8],", ""), "belong together"),
        (changed("\"grid\":1048576,", ""), "belong together"),
        (changed("\"bounds\":[0,8],\"grid\":1048576,", ""), "belong together"),
        (
            changed("\"column\":\"v\",\"bounds\":[0,8],\"grid\":1048576,", ""),
            "has a sum but the table no grid",
        ),
        (changed("\"inf\"", "0.5").replace("\"level\":\"a\",", ""), "is repeated"),
        (changed("\"epsilon\":\"inf\"", "\"level\":\"a\",\"epsilon\":\"inf\""), "is repeated"),
        (changed("\"sum\":17", "\"counts\":[4]"), "level 2: it has no sum"),
        (
            changed("\"sum\":17", "\"sum\":17,\"counts\":[4]"),
            "level 2: it has counts but the table no categories",
        ),
        (
            changed("\"column\":\"v\",\"bounds\":[0,8],\"grid\":1048576,", "")
                .replace("\"sum\":\"3145728\"", "\"counts\":[]"),
            "level 1: it has counts but the table no categories",
        ),
        (
            changed("\"grid\":", "\"categories\":[\"x\",\"y\"],\"grid\":"),
            "there is one or the other",
        ),
        (counts("\"categories\"", "\"bounds\":[0,8],\"categories\""), "there is one or the other"),
        (counts("\"categories\"", "\"grid\":1048576,\"categories\""), "there is one or the other"),
        (counts("\"categories\":[\"x\",\"y\"],", ""), "belong together"),
        (
            counts("\"column\":\"v\",\"categories\":[\"x\",\"y\"],", ""),
            "level 1: it has counts but the table no categories",
        ),
        (counts("\"y\"]", "\"x\"]"), "categories: number 2 is repeated"),
        (counts("\"y\"]", "\"\"]"), "categories: number 2 is empty"),
        (counts("[\"x\",\"y\"]", "[\"SECRET123\"]"), "there must be at least two"),
        (counts("\"x\",\"y\"", &many.join(",")), "more than 65536"),
        (counts("[\"x\",\"y\"]", "\"SECRET123\""), "not the JSON of"),
        (counts("\"y\"]", "4711]"), "not the JSON of"),
        (counts("[4,0]", "[4]"), "level 2: there are not as many counts as categories"),
        (counts("[4,0]", "[4,0,4711]"), "level 2: there are not as many counts as categories"),
        (counts("[4,0]", "[]"), "level 2: there are not as many counts as categories"),
        (counts("[4,0]", "[4,4711]"), "impossible for its count"),
        (counts("[4,0]", "[3,0]"), "impossible for its count"),
        (counts("[4,0]", "[18446744073709551615,5]"), "impossible for its count"),
        (
            counts("[4,0]", "[18446744073709551616,0]"),
            "level 2: a count of a category is not a number",
        ),
        (
            counts("[4,0]", "[\"18446744073709551616\",0]"),
            "level 2: a count of a category is not a number",
        ),
        (counts("[4,0]", "[5,-1]"), "level 2: a count of a category is not a number"),
        (counts("[4,0]", "[4,0.0]"), "level 2: a count of a category is not a number"),
        (counts("[4,0]", "[4,\"SECRET123\"]"), "level 2: a count of a category is not a number"),
        (counts("[4,0]", "[4,\"-0\"]"), "level 2: a count of a category is not a number"),
        (counts("[4,0]", "[4,null]"), "not the JSON of"),
        (counts("[4,0]", "[4,[\"SECRET123\"]]"), "not the JSON of"),
        (counts("[4,0]", "\"SECRET123\""), "not the JSON of"),
        (counts(",\"counts\":[4,0]", ""), "level 2: it has no counts"),
        (counts("\"counts\":[4,0]", "\"sum\":4711"), "level 2: it has no counts"),
        (
            counts("\"counts\":[4,0]", "\"sum\":4711,\"counts\":[4,0]"),
            "level 2: it has a sum but the table categories",
        ),
        (counts("\"records\":7", "\"records\":8"), "do not add up"),
        (
            changed("\"records\":7", "\"records\":0")
                .replace("\"levels\":[", "\"levels\":[],\"x\":["),
            "not the JSON of",
        ),
        (
            r#"{"format":"suum-levels","version":1,"records":0,"levels":[]}"#.into(),
            "there are no records",
        ),
        (
            r#"{"format":"suum-levels","version":1,"records":9223372036854775809,
            "levels":[{"epsilon":1,"count":9223372036854775809}]}"#
                .into(),
            "more than 2^63 records",
        ),
    ] {
        let refused = read_levels(text.as_bytes()).unwrap_err();
        assert!(refused.to_string().starts_with("level table: "), "{refused}");
        assert!(refused.to_string().contains(message), "{refused} instead of {message}");
        assert_eq!(refused.kind(), ErrorKind::Table, "{refused}");
        let all = format!("{refused:?}");
        assert!(refused.fix().is_some(), "{refused}");
        for secret in ["SECRET123", "4711", "4194305", "3145728"] {
            assert!(!all.contains(secret), "{all}");
        }
    }
}

#[test]
fn output_that_cannot_be_written_is_refused() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let table = LevelTable::new(None, Measure::Nothing, vec![bare(0.5, 2)]).unwrap();
    let refused = write_levels(&table, Full).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Io);
    assert!(refused.fix().is_some());
}

#[test]
fn keeps_the_condition_on_rows() {
    let table = LevelTable::new(None, Measure::Nothing, vec![bare(0.1, 2)]).unwrap();
    let table = table.with_filter(Some("region = 'north'".into()));
    let file = text(&table);
    assert!(file.contains(r#""where":"region = 'north'""#), "{file}");
    assert_eq!(read_levels(file.as_bytes()).unwrap(), table);
    let other = file.replace("region = 'north'", "region=( 'north')");
    assert_eq!(read_levels(other.as_bytes()).unwrap(), table);
    let wrong = file.replace("region = 'north'", "<b>SECRET</b>");
    let refused = read_levels(wrong.as_bytes()).unwrap_err();
    assert_eq!(refused.to_string(), "level table: \"where\" is no condition on rows");
}

#[test]
fn reads_a_file_with_a_byte_order_mark() {
    let table = read_levels(GOOD.as_bytes()).unwrap();
    assert_eq!(read_levels(format!("\u{feff}{GOOD}").as_bytes()).unwrap(), table);
}
