//! The queries as people see them, in every dialect.

use std::thread;

use sqlparser::dialect::{
    BigQueryDialect, Dialect as Parsed, DuckDbDialect, PostgreSqlDialect, SQLiteDialect,
    SnowflakeDialect,
};
use sqlparser::parser::Parser;
use suum_core::{Bounds, Cells, PersonValue};
use suum_data::Scan;
use suum_sql::{Dialect, LevelQuery, Relation};

use super::people::{
    bin_column, by_budget, by_site, by_site_and_tier, by_tier, by_wave, label_column,
    number_column, people_table, plain_rows, scans,
};

fn sql(dialect: Dialect, asked: &Scan) -> String {
    LevelQuery::new(dialect, &people_table(), asked).unwrap().sql().to_owned()
}

#[test]
fn a_mean_in_every_dialect() {
    let asked = Scan::new(
        by_tier(),
        Some(number_column(Bounds::new(0.0, 77.0).unwrap(), false, None, None)),
    );
    for dialect in Dialect::ALL {
        insta::assert_snapshot!(format!("mean-{dialect}"), sql(dialect, &asked));
    }
}

/// Only where labels look like numbers or times, columns may be of such types.
#[test]
fn labels_of_all_types() {
    let counted = |group| Scan { group: Some(group), ..Scan::new(by_budget(), None) };
    for dialect in [Dialect::Postgres, Dialect::DuckDb, Dialect::Spark] {
        let query = sql(dialect, &counted(by_wave()));
        let mut lines = query.lines().map(|line| line.trim_end_matches(','));
        let group = lines.find(|line| line.ends_with(" AS group_name")).unwrap();
        insta::assert_snapshot!(format!("labels-{dialect}"), group.trim_ascii());
        assert!(!sql(dialect, &counted(by_site())).contains("regexp_replace"));
    }
}

#[test]
fn other_statistics() {
    let bounds = Bounds::new(0.0, 77.0).unwrap();
    let cells = Cells::new(77).unwrap();
    let numbers = number_column(bounds, true, Some(cells.with_rows(3).unwrap()), Some(0.0));
    let persons = Scan { person: Some("id".into()), ..Scan::new(by_budget(), Some(numbers)) };
    insta::assert_snapshot!("persons", sql(Dialect::Postgres, &persons));
    let cells = Cells::new(8192).unwrap().with_sums(true);
    let numbers = number_column(bounds, true, Some(cells), None);
    let learning = Scan { person: Some("id".into()), ..Scan::new(by_budget(), Some(numbers)) };
    insta::assert_snapshot!("learning-spark", sql(Dialect::Spark, &learning));
    let shares = Scan {
        person: Some("id".into()),
        group: Some(by_site()),
        ..Scan::new(by_tier(), Some(label_column(Some("other"), Some("good"))))
    };
    insta::assert_snapshot!("shares", sql(Dialect::Postgres, &shares));
    let favourites = Scan { person_value: PersonValue::Mode, ..shares };
    insta::assert_snapshot!("favourites", sql(Dialect::DuckDb, &favourites));
    let bins = Scan::new(by_budget(), Some(bin_column("0,0.1,18,1e300", None, None)));
    insta::assert_snapshot!("bins", sql(Dialect::Sqlite, &bins));
}

/// A parser of the dialect; none for Spark, whose backslashes this one does not know, and which is
/// run elsewhere.
fn parser(dialect: Dialect) -> Option<Box<dyn Parsed>> {
    Some(match dialect {
        Dialect::Postgres => Box::new(PostgreSqlDialect {}),
        Dialect::Sqlite => Box::new(SQLiteDialect {}),
        Dialect::DuckDb => Box::new(DuckDbDialect {}),
        Dialect::Spark => return None,
        Dialect::BigQuery => Box::new(BigQueryDialect {}),
        Dialect::Snowflake => Box::new(SnowflakeDialect {}),
    })
}

#[test]
fn every_query_is_one_statement_to_a_parser_of_its_dialect() {
    for dialect in Dialect::ALL {
        // Nested cases are deep for the stack of a test.
        let parsing = thread::Builder::new().stack_size(64 << 20).spawn(move || {
            let Some(parser) = parser(dialect) else { return };
            let grouped = [by_site(), by_site_and_tier(), by_wave()]
                .map(|group| Scan { group: Some(group), ..scans().remove(0) });
            for asked in scans().into_iter().chain(grouped) {
                let sql = sql(dialect, &asked);
                let statements = Parser::parse_sql(parser.as_ref(), &sql);
                let statements =
                    statements.unwrap_or_else(|error| panic!("{dialect}: {error}\n{sql}"));
                assert_eq!(statements.len(), 1);
            }
        });
        parsing.unwrap().join().unwrap();
    }
}

#[test]
fn what_a_query_cannot_do_is_refused() {
    let asked = Scan::new(by_budget(), None);
    let strange = Relation::Table(vec!["a\0b".into()]);
    assert!(LevelQuery::new(Dialect::DuckDb, &strange, &asked).is_err());
    let fine = suum_core::Grid::with_points(Bounds::UNIT, 1 << 40).unwrap();
    let value =
        suum_data::ValueColumn { column: "value".into(), numbers: fine.into(), missing: None };
    let asked = Scan::new(by_budget(), Some(suum_data::Value::Number(value)));
    let refused = LevelQuery::new(Dialect::DuckDb, &people_table(), &asked).unwrap_err();
    assert_eq!(refused.to_string(), "grid: level queries are for grids of at most 2^31 steps");
    // Sums of an engine are not exact, and rows on the grid were clamped.
    for asked in plain_rows() {
        let refused = LevelQuery::new(Dialect::DuckDb, &people_table(), &asked).unwrap_err();
        let option = match asked.person_value {
            PersonValue::Total => "totals: ",
            _ => "per_person: ",
        };
        assert!(refused.to_string().starts_with(option) && refused.fix().is_some());
    }
}
