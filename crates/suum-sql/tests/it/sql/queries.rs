//! Queries of users: what is printed from their tree has the same rows as their own text, and what
//! could tell a private value is refused.

use std::sync::LazyLock;

use rusqlite::Connection;
use suum_core::Bounds;
use suum_data::Scan;
use suum_sql::{Engine, Postgres, Relation, Sqlite, scan};
use suum_testing::Server;
use tempfile::TempDir;

use super::people::{by_budget, number_column};

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let server = Server::start();
    server.run(&format!(
        "CREATE TABLE people (id bigint PRIMARY KEY, visits double precision, budget double \
         precision, region text, year bigint, born date, note text); {}
         CREATE TABLE codes (id bigint, visits double precision, budget double precision, \
         payload jsonb); INSERT INTO codes VALUES (1, 3, 1, '{{\"visits\": 4}}');",
        rows()
    ));
    server
});

fn rows() -> String {
    let rows = (0..60).map(|id| {
        let region = ["'north'", "'south'", "'it''s'", "NULL"][id % 4];
        let note = ["'a\\b'", "'LIMIT 5 --'", "NULL"][id % 3];
        let (visits, budget) = ((id * id) % 37, ["0.1", "0.5", "1"][id % 3]);
        format!(
            "({id}, {visits}, {budget}, {region}, {}, '20{:02}-01-0{}', {note})",
            2015 + id % 9,
            id % 24,
            1 + id % 9
        )
    });
    format!("INSERT INTO people VALUES {};", rows.collect::<Vec<_>>().join(", "))
}

fn sqlite() -> (TempDir, Sqlite) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.db");
    Connection::open(&path)
        .unwrap()
        .execute_batch(&format!(
            "CREATE TABLE people (id INTEGER PRIMARY KEY, visits REAL, budget REAL, region TEXT, \
             year INTEGER, born TEXT, note TEXT); {}
             CREATE TABLE derived (id INTEGER PRIMARY KEY, visits REAL, budget REAL, many INTEGER \
             GENERATED ALWAYS AS (visits > 10) STORED);
             INSERT INTO derived (id, visits, budget) VALUES (1, 3, 1), (2, 30, 1);",
            rows()
        ))
        .unwrap();
    let database = Sqlite::open(&path).unwrap();
    (folder, database)
}

/// A mean of `value`, where these columns are declared public.
fn mean(public: &[&str]) -> Scan {
    let value = number_column(Bounds::new(-1000.0, 1000.0).unwrap(), true, None, Some(0.0));
    let mut scan = Scan::new(by_budget(), Some(value));
    scan.public = public.iter().map(|name| (*name).to_owned()).collect();
    scan
}

const PUBLIC: [&str; 5] = ["id", "region", "year", "born", "note"];

/// Queries for SQLite and PostgreSQL alike.
const BOTH: [&str; 24] = [
    "SELECT visits AS value, budget FROM people",
    "SELECT visits AS value, budget FROM people  -- the end",
    "SELECT p.visits AS value, p.budget FROM people AS p WHERE p.year >= 2018 AND region = 'it''s'",
    "SELECT people.visits value, budget FROM people WHERE region IS NULL OR NOT year = 2016",
    "SELECT VISITS AS value, \"budget\" FROM \"people\" WHERE (YEAR) IN (2015, 2017, 2 + 2016)",
    "SELECT visits * 2 - 1 AS value, budget FROM people WHERE year NOT BETWEEN 2016 AND 2018",
    "SELECT 1 + 2 * 3 - 4 - 5 AS value, budget FROM people WHERE 7 - 2 - 1 = year % 5",
    "SELECT visits / 4 / 2 * 3 AS value, budget FROM people WHERE NOT (year < 2017 OR id > 40)",
    "SELECT CASE WHEN visits > 10 THEN 1 ELSE visits END AS value, budget FROM people",
    "SELECT CASE year WHEN 2015 THEN 1 WHEN 2016 THEN 2 END AS value, budget FROM people",
    "SELECT coalesce(nullif(visits, 5), -1) AS value, budget FROM people WHERE region LIKE 'n%'",
    "SELECT abs(visits - 20) AS value, budget FROM people WHERE region NOT LIKE '%\\%' ESCAPE '\\'",
    "SELECT length(note) AS value, budget FROM people WHERE note = 'LIMIT 5 --'",
    "SELECT CAST(visits AS INTEGER) AS value, budget FROM people WHERE note = 'a\\b'",
    "SELECT round(visits / 3.0) AS value, budget FROM people WHERE upper(region) = 'NORTH'",
    "SELECT visits AS value, budget FROM people WHERE (region || '-' || year) = 'north-2016'",
    "SELECT -visits AS value, budget FROM people WHERE - year + 2020 < 3 AND +id > 3",
    "SELECT visits AS value, budget FROM people WHERE region IS NOT DISTINCT FROM 'north'",
    "SELECT visits AS value, budget FROM people WHERE (year = 2016) = (id < 30)",
    "SELECT visits AS value, budget FROM people WHERE NOT region IN ('north', 'south')",
    "SELECT visits AS value, budget + 0 * id AS budget FROM people WHERE 1.5e1 < id",
    "SELECT substr(note, 1, 1) = 'a' AS other, visits AS value, budget FROM people",
    "SELECT *, visits AS value FROM people WHERE year <> 2019",
    "/* all */ SELECT visits AS value, budget FROM people WHERE born > '2010-01-01'",
];

/// The table of a query as suum prints it, and of its own text.
fn compare(engine: &mut dyn Engine, query: &str) {
    let mut asked = mean(&PUBLIC);
    asked.public.insert("budget".into());
    let checked = scan(engine, &Relation::query(query), &asked);
    let checked = checked.unwrap_or_else(|refused| panic!("{query}: {refused}"));
    let own = Relation::Query { sql: query.to_owned(), trusted: true };
    let own = scan(engine, &own, &asked).unwrap_or_else(|refused| panic!("{query}: {refused}"));
    assert_eq!(checked.by_level(), own.by_level(), "{query}");
}

#[test]
fn printed_queries_have_the_rows_of_their_text() {
    for query in BOTH {
        compare(&mut sqlite().1, query);
    }
    for query in [
        "SELECT [visits] AS `value`, budget FROM people",
        "SELECT iif(year > 2016, visits, 0) AS value, budget FROM people",
        "SELECT julianday(born) - julianday('2000-01-01') AS value, budget FROM people",
        "SELECT visits AS value, budget FROM main.people WHERE main.people.year = 2016",
    ] {
        compare(&mut sqlite().1, query);
    }
    if !Server::is_there() {
        return;
    }
    let session = || Postgres::connect_with(&SERVER.url(), |_| None).unwrap();
    for query in BOTH {
        compare(&mut session(), query);
    }
    for query in [
        "SELECT visits::integer AS value, budget FROM people WHERE note = E'a\\\\b'",
        "SELECT extract(year FROM born) AS value, budget FROM people WHERE region ~ '^n'",
        "SELECT visits AS value, budget FROM public.people WHERE note = $q$LIMIT 5 --$q$",
        "SELECT born - DATE '2000-01-01' AS value, budget FROM people",
        "SELECT visits AS value, budget FROM people WHERE born + INTERVAL '1' YEAR > '2010-01-01'",
        "SELECT (payload->>'visits')::float8 AS value, budget FROM codes",
        "SELECT position('b' IN note) AS value, budget FROM people WHERE trim(region) = 'north'",
        "SELECT visits AS value, budget FROM people WHERE region ILIKE 'NOR%' AND year IS NOT NULL",
    ] {
        compare(&mut session(), query);
    }
}

/// Each of these would tell a private value of somebody, exactly.
#[test]
fn databases_are_not_asked_for_what_tells_a_value() {
    let refuse = |engine: &mut dyn Engine, query: &str, asked: &Scan| {
        let refused = match scan(engine, &Relation::query(query), asked) {
            Ok(_) => panic!("{query} is taken"),
            Err(refused) => refused,
        };
        assert!(refused.to_string().starts_with("query: "), "{query}: {refused}");
        assert!(refused.fix().is_some(), "{query}");
    };
    let all = mean(&["id", "region", "year", "rowid", "oid", "_rowid_", "ctid"]);
    for query in [
        "SELECT visits + 0, CASE WHEN visits > 1 THEN 0.1 ELSE 1 END AS budget FROM people",
        "SELECT visits AS value, CASE WHEN visits > 1 THEN 0.1 ELSE 1 END AS budget FROM people",
        "SELECT visits AS value, budget FROM people WHERE visits > 10",
        "SELECT visits AS value, budget FROM people WHERE note <> 'x'",
        "SELECT id AS value, budget FROM people WHERE rowid > 100",
        "SELECT id AS value, budget FROM people WHERE oid > 100",
        "SELECT id AS value, budget FROM people WHERE people._rowid_ > 100",
        "SELECT visits AS value, budget FROM derived WHERE many",
        "SELECT visits AS value, many AS budget FROM people",
        "SELECT visits AS value, budget FROM people WHERE \"visits \" > 10",
    ] {
        refuse(&mut sqlite().1, query, &all);
    }
    // `rowid` is `id`, and declared or not: the table does not list it.
    let mut by_key = mean(&["rowid"]);
    by_key.add_remove = None;
    refuse(&mut sqlite().1, "SELECT id AS value, budget FROM people WHERE rowid > 100", &by_key);
    // Where participation is hidden, rows may be chosen by values; tiers are not made of them.
    let mut hidden = mean(&[]);
    hidden.add_remove = Some("0.1,1".parse().unwrap());
    let chosen = "SELECT visits AS value, budget FROM people WHERE visits > 10";
    assert!(scan(&mut sqlite().1, &Relation::query(chosen), &hidden).is_ok());
    let by_value =
        "SELECT visits AS value, CASE WHEN visits > 1 THEN 0.1 ELSE 1 END AS budget FROM people";
    refuse(&mut sqlite().1, by_value, &hidden);
    if !Server::is_there() {
        return;
    }
    let session = || Postgres::connect_with(&SERVER.url(), |_| None).unwrap();
    for query in [
        "SELECT coalesce(visits, 0) AS value, 0.1 + abs(visits) AS budget FROM people",
        "SELECT visits AS value, budget FROM people flat WHERE flat.*::text LIKE '%900%'",
        "SELECT visits AS value, budget FROM people WHERE people::text LIKE '%900%'",
        "SELECT visits AS value, budget FROM people WHERE ctid = '(0,1)'",
        "SELECT people.count AS value, 1 AS budget FROM people",
        "SELECT visits AS value, budget FROM codes WHERE payload->>'visits' = '4'",
        "SELECT visits AS value, budget FROM codes WHERE to_jsonb(codes)->>'visits' = '3'",
        "SELECT visits AS value, budget FROM people WHERE pg_typeof(people) IS NOT NULL",
    ] {
        refuse(&mut session(), query, &all);
        // What is hidden may choose rows, but not as a whole row or by a hidden column.
        if !query.contains("payload->>'visits' = ") {
            hidden.public = all.public.clone();
            refuse(&mut session(), query, &hidden);
        }
    }
}
