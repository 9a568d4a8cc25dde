//! SQLite files as they are found.

use rusqlite::Connection;
use suum_core::{Bounds, Cells, ErrorKind, QueryRows};
use suum_data::Scan;
use suum_sql::{Dialect, Engine, LevelQuery, Relation, Sqlite, open, scan};
use tempfile::TempDir;

use super::people::{by_budget, by_tier, label_column, number_column, people_table};

/// A file made by these statements.
fn file(statements: &str) -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    Connection::open(&path).unwrap().execute_batch(statements).unwrap();
    (folder, path)
}

#[test]
fn each_cell_is_judged_by_what_it_holds() {
    let asked = Scan::new(by_tier(), Some(number_column(Bounds::UNIT, false, None, Some(0.0))));
    for (cell, message) in [
        ("'0.5'", "column value: not a number"),
        ("x'00'", "column value: not a number"),
        ("'SECRET'", "column value: not a number"),
    ] {
        let (_folder, path) = file(&format!(
            "CREATE TABLE people (value, tier); INSERT INTO people VALUES ({cell}, 'strict')"
        ));
        let refused = scan(&mut Sqlite::open(path).unwrap(), &people_table(), &asked).unwrap_err();
        assert_eq!(refused.to_string(), message);
    }
    // What a shell imports from an empty cell is an empty text.
    let (_folder, path) = file(
        "CREATE TABLE people (value, tier); INSERT INTO people VALUES (' ', 'strict'), (1, \
        'strict'), (0.5, 'Strict')",
    );
    let found = scan(&mut Sqlite::open(path).unwrap(), &people_table(), &asked).unwrap();
    assert_eq!(found.profile().unwrap().to_string(), "0.1:3");
    assert_eq!(
        found.by_level().iter().map(|level_sums| level_sums.count).collect::<Vec<_>>(),
        [1, 2]
    );
}

#[test]
fn budgets_can_be_words() {
    let (_folder, path) = file(
        "CREATE TABLE people (budget); INSERT INTO people VALUES ('inf'), (' ∞ '), ('Inf'), \
        ('+INF'), ('Infinity'), (9e999), (2), (-0.0), (0.25)",
    );
    let found =
        scan(&mut Sqlite::open(&path).unwrap(), &people_table(), &Scan::new(by_budget(), None))
            .unwrap();
    assert_eq!(found.profile().unwrap().to_string(), "0:1,0.25:1,2:1,inf:6");
    let words = Relation::query("SELECT 'SECRET' AS budget");
    let refused =
        scan(&mut Sqlite::open(path).unwrap(), &words, &Scan::new(by_budget(), None)).unwrap_err();
    assert_eq!(refused.to_string(), "column budget: not a privacy budget");
}

#[test]
fn names_can_have_any_characters() {
    let (_folder, path) = file(
        "CREATE TABLE \"a \"\"b\"\".c\" (\"it's -- \"\"x\"\"; naïve\" REAL); INSERT INTO \"a \
        \"\"b\"\".c\" VALUES (1)",
    );
    let privacy = suum_data::PrivacyColumn::Budgets { column: "it's -- \"x\"; naïve".into() };
    let table = Relation::table("main.\"a \"\"b\"\".c\"").unwrap();
    let asked = Scan::new(privacy, None);
    assert_eq!(scan(&mut Sqlite::open(path).unwrap(), &table, &asked).unwrap().records(), 1);
}

/// Tables named like what a query makes of them, were it not for `suum_`.
#[test]
fn tables_can_have_the_names_of_steps() {
    let value = number_column(Bounds::UNIT, true, Some(Cells::for_sums()), None);
    let asked = Scan { person: Some("id".into()), ..Scan::new(by_budget(), Some(value)) };
    let steps = |relation: &Relation| {
        let query = LevelQuery::new(Dialect::Sqlite, relation, &asked).unwrap();
        let names = query.sql().lines().filter_map(|line| line.strip_suffix(" AS ("));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    let names = steps(&Relation::query("SELECT * FROM people"));
    assert!(names.len() > 6, "{names:?}");
    for name in names {
        let name = name.strip_prefix("suum_").expect("steps have names that tables have not");
        let (_folder, path) = file(&format!(
            "CREATE TABLE {name} (id, value, budget); \
            INSERT INTO {name} VALUES (1, 0.25, 1), (1, 0.75, 1), (2, 1, 2)"
        ));
        let query = Relation::query(format!("SELECT * FROM {name}"));
        for relation in [Relation::table(name).unwrap(), query] {
            let found = scan(&mut Sqlite::open(&path).unwrap(), &relation, &asked).unwrap();
            assert_eq!(found.profile().unwrap().to_string(), "1:1,2:1", "{name}");
        }
    }
}

#[test]
fn a_query_is_a_table() {
    let (_folder, path) = file("CREATE TABLE people (b); INSERT INTO people VALUES (1), (2), (3)");
    let query =
        Relation::query("SELECT b AS budget FROM people WHERE b > 1 -- not all of them\n ; ");
    let found =
        scan(&mut Sqlite::open(&path).unwrap(), &query, &Scan::new(by_budget(), None)).unwrap();
    assert_eq!(found.profile().unwrap().to_string(), "2:1,3:1");
    assert_eq!(found.query(), Some(QueryRows::Screened));
    let nested = "SELECT * FROM (SELECT b AS budget FROM people)";
    let trusted = Relation::Query { sql: nested.to_owned(), trusted: true };
    let found =
        scan(&mut Sqlite::open(&path).unwrap(), &trusted, &Scan::new(by_budget(), None)).unwrap();
    assert_eq!((found.records(), found.query()), (3, Some(QueryRows::Trusted)));
    for (query, message) in [
        (nested, "query: a second SELECT reads rows in a way that suum does not look into"),
        ("SELECT b FROM people", "query: column budget: the query selects no column of this name"),
        (
            "SELECT b AS budget, 2 AS budget FROM people",
            "query: column budget: the result has it twice",
        ),
        ("SELECT b AS budget FROM people WHERE b > 9", "the data have no records"),
        ("SELECT a FROM people", "query: column a: the table lists no such column"),
        ("DELETE FROM people", "query: it is no SELECT"),
        (
            "SELECT 1 AS budget) ; DELETE FROM people; --",
            "query: suum's parser of sqlite does not understand it",
        ),
    ] {
        let mut file = Sqlite::open(&path).unwrap();
        let refused =
            scan(&mut file, &Relation::query(query), &Scan::new(by_budget(), None)).unwrap_err();
        assert!(refused.to_string().starts_with(message), "{query}: {refused}");
        assert!(refused.fix().is_some());
    }
    let refused =
        scan(&mut Sqlite::open(&path).unwrap(), &people_table(), &Scan::new(by_tier(), None))
            .unwrap_err();
    assert_eq!(refused.to_string(), "column tier: there is no such column in the table or query");
    let other = Relation::table("nobody").unwrap();
    let refused =
        scan(&mut Sqlite::open(&path).unwrap(), &other, &Scan::new(by_tier(), None)).unwrap_err();
    assert_eq!(refused.to_string(), "table: there is none of this name in the database");
}

#[test]
fn one_state_of_the_data_is_read() {
    let (_folder, path) = file(
        "PRAGMA journal_mode = WAL; CREATE TABLE people (budget); INSERT INTO people VALUES (1)",
    );
    let writer = Connection::open(&path).unwrap();
    let mut reader = Sqlite::open(&path).unwrap();
    writer.execute("INSERT INTO people VALUES (2)", []).unwrap();
    let asked = Scan::new(by_budget(), None);
    for _ in 0..2 {
        assert_eq!(scan(&mut reader, &people_table(), &asked).unwrap().records(), 1);
    }
    assert_eq!(
        scan(&mut Sqlite::open(&path).unwrap(), &people_table(), &asked).unwrap().records(),
        2
    );
}

#[test]
fn nothing_is_written() {
    let (_folder, path) = file("CREATE TABLE people (budget)");
    let mut opened = Sqlite::open(&path).unwrap();
    let refused = opened.rows("INSERT INTO people VALUES (1)", &mut |_| Ok(())).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Io);
}

#[test]
fn files_are_known_by_their_start() {
    let (folder, path) = file("CREATE TABLE people (budget)");
    assert!(open(path.to_str().unwrap()).unwrap().is_some());
    assert!(open(&format!("sqlite:{}", path.display())).unwrap().is_some());
    let other = folder.path().join("people.csv");
    std::fs::write(&other, "budget\n1\n").unwrap();
    assert!(open(other.to_str().unwrap()).unwrap().is_none());
    let refused = open(&format!("sqlite:{}", other.display())).err().unwrap();
    assert!(refused.to_string().ends_with("this is no SQLite file"), "{refused}");
    // Cut short, and full of something else.
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[100..].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let refused = open(path.to_str().unwrap()).err().unwrap();
    assert_eq!(refused.to_string(), "SQLite: the file is damaged");
}

#[test]
fn labels_are_not_numbers_with_a_fraction() {
    let asked = Scan::new(by_tier(), Some(label_column(Some("other"), None)));
    let (_folder, path) =
        file("CREATE TABLE people (label, tier); INSERT INTO people VALUES (1.5, 'strict')");
    let refused = scan(&mut Sqlite::open(path).unwrap(), &people_table(), &asked).unwrap_err();
    assert_eq!(refused.to_string(), "column label: not a declared category");
}

#[test]
fn says_that_a_view_has_an_error() {
    let (_folder, path) =
        file("CREATE TABLE people (a); CREATE VIEW Wrong AS SELECT b AS budget FROM people;");
    let refusal = |table: &str| {
        let asked = Scan::new(by_budget(), None);
        let table = Relation::table(table).unwrap();
        scan(&mut Sqlite::open(&path).unwrap(), &table, &asked).unwrap_err().to_string()
    };
    assert!(refusal("wrong").starts_with("table: it is a view"), "{}", refusal("wrong"));
    assert!(refusal("main.Wrong").starts_with("table: it is a view"));
    assert_eq!(refusal("other"), "table: there is none of this name in the database");
}
