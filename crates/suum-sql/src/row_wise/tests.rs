use suum_core::{Bounds, DeclaredBudgets, Grid};
use suum_data::{CategoryRule, GroupColumn, Grouping, PrivacyColumn, Scan, Value, ValueColumn};

use super::{Budgets, check};
use crate::dialect::Dialect::{self, BigQuery, DuckDb, Postgres, Snowflake, Spark, Sqlite};
use crate::engine::{Column, ColumnKind};

/// Mean of `visits` at the tier in `consent`, with these public columns.
fn visits(public: &[&str]) -> Scan {
    let column = "visits".to_owned();
    let grid = Grid::new(Bounds::UNIT);
    let value = Value::Number(ValueColumn { column, numbers: grid.into(), missing: None });
    Scan {
        public: public.iter().map(|name| (*name).to_owned()).collect(),
        ..Scan::new(PrivacyColumn::Budgets { column: "consent".into() }, Some(value))
    }
}

/// Scan like [`visits`] where unquoted names are upper case.
fn upper_case(public: &[&str]) -> Scan {
    let mut scan = visits(&[]);
    scan.public = public.iter().map(|name| name.to_uppercase()).collect();
    if let Some(Value::Number(column)) = &mut scan.value {
        column.column = "VISITS".into();
    }
    Scan { privacy: PrivacyColumn::Budgets { column: "CONSENT".into() }, ..scan }
}

/// Columns of a table `people`.
fn listed() -> Vec<Column> {
    let names = [
        "id", "visits", "total", "months", "consent", "year", "region", "note", "born", "site",
        "house", "payload",
    ];
    names.map(|name| Column { name: name.into(), kind: ColumnKind::Other }).to_vec()
}

/// Printed query, or the words of its refusal.
fn printed(dialect: Dialect, query: &str, scan: &Scan) -> Result<String, String> {
    let checked = check(dialect, query, scan, Budgets::OfColumn, |_| Ok(Some(listed())));
    checked.map(|(sql, _)| sql).map_err(|refused| {
        assert!(refused.fix().is_some(), "{query}");
        format!("{refused}; {}", refused.fix().map(ToString::to_string).unwrap_or_default())
    })
}

/// Refusal of a query by every dialect.
fn refused(dialect: Dialect, query: &str, scan: &Scan) -> String {
    match printed(dialect, query, scan) {
        Ok(text) => panic!("{dialect} takes {query} as {text}"),
        Err(words) => words,
    }
}

const PUBLIC: [&str; 6] = ["year", "region", "id", "born", "site", "house"];

#[test]
fn takes_one_select_from_one_table() {
    let scan = visits(&PUBLIC);
    for query in [
        "SELECT * FROM people",
        "select visits, consent from survey.people as p where p.year = 2024",
        "SELECT round(visits / 2.0, 1) AS visits, consent AS consent FROM people p;",
        "SELECT CAST(visits AS NUMERIC(10, 2)) AS visits, consent FROM people WHERE (id IN (1, 2))",
        "SELECT visits, consent FROM people WHERE site IS NOT DISTINCT FROM 'north'",
        "SELECT visits, extract(year FROM born) AS born, consent FROM people",
        "SELECT visits, consent, 'LIMIT; -- UNION (SELECT' AS a FROM people -- LIMIT 5\n",
        "/* GROUP BY */ SELECT visits, consent FROM people WHERE region = 'it'",
        "SELECT CASE WHEN year = 1 THEN visits ELSE 2.5e-3 END AS visits, consent FROM people",
        "SELECT p.visits, p.consent FROM people p WHERE NOT p.year BETWEEN 1 AND 2 OR id < -5",
        "SELECT 1.0 AS visits, 2 AS consent",
    ] {
        for dialect in Dialect::ALL.into_iter().filter(|dialect| *dialect != Snowflake) {
            let taken = printed(dialect, query, &scan);
            assert!(taken.is_ok(), "{dialect}: {query}: {taken:?}");
        }
        let upper = upper_case(&PUBLIC);
        let taken = check(Snowflake, query, &upper, Budgets::OfColumn, |_| Ok(None));
        assert!(taken.is_ok(), "{query}: {taken:?}");
    }
    for (dialect, query) in [
        (
            Postgres,
            "SELECT visits::float8 AS visits, consent FROM people WHERE region <> E'it\\'s'",
        ),
        (Postgres, "SELECT visits, consent FROM people WHERE region <> $a$ ' GROUP BY $a$"),
        (Postgres, "SELECT (payload->>'visits')::int AS visits, consent FROM people"),
        (Sqlite, "SELECT visits, consent FROM people WHERE site = 'it''s' OR site = '''LIMIT'"),
        (Sqlite, "SELECT [visits], `consent` FROM people"),
        (DuckDb, "SELECT * FROM 'people/*.parquet' WHERE year = 2024"),
        (DuckDb, "SELECT * FROM read_parquet('a.parquet', hive_partitioning = true) AS p"),
        (DuckDb, "SELECT * EXCLUDE (note) FROM people"),
        (DuckDb, "SELECT payload.visits AS visits, consent FROM people"),
        (DuckDb, "SELECT payload['visits'] AS visits, consent FROM people"),
        (
            Spark,
            "SELECT visits, consent FROM parquet.`/data/people` WHERE region <> 'it\\'s LIMIT'",
        ),
        (BigQuery, "SELECT visits, consent FROM `my-project.survey.people` # LIMIT 5"),
        (BigQuery, "SELECT date_diff(born, born, DAY) AS visits, consent FROM people"),
        (BigQuery, "SELECT visits, consent FROM people WHERE region = \"north\""),
        (Snowflake, "SELECT visits, consent FROM people // LIMIT 5"),
    ] {
        let scan = if dialect == Snowflake { upper_case(&PUBLIC) } else { visits(&PUBLIC) };
        let taken = check(dialect, query, &scan, Budgets::OfColumn, |_| Ok(None));
        assert!(taken.is_ok(), "{dialect}: {query}: {taken:?}");
    }
}

#[test]
fn prints_names_in_quotes_and_texts_as_literals() {
    let scan = visits(&PUBLIC);
    let query = "SELECT Visits, consent FROM people p WHERE p.YEAR=2024 AND region = 'o''r'";
    assert_eq!(
        printed(Sqlite, query, &scan).unwrap(),
        "SELECT suum_rows.\"visits\" AS \"visits\",\n  suum_rows.\"consent\" AS \"consent\"\n\
         FROM \"people\" AS suum_rows\n\
         WHERE ((suum_rows.\"year\" = 2024) AND (suum_rows.\"region\" = 'o''r'))"
    );
    assert_eq!(
        printed(Postgres, "SELECT VISITS, consent FROM People", &scan).unwrap(),
        "SELECT \"visits\" AS \"visits\",\n  \"consent\" AS \"consent\"\n\
         FROM \"people\" AS suum_rows"
    );
    let escaped = printed(Spark, "SELECT *, 'a\\'b' AS x FROM people", &scan).unwrap();
    assert!(escaped.contains(r"'a\'b' AS `x`"), "{escaped}");
}

/// A printed query is accepted, and printed unchanged.
#[test]
fn takes_what_it_has_printed() {
    let scan = visits(&PUBLIC);
    let expressions = [
        "a + b - c * (d / e)",
        "CASE a WHEN 1 THEN b WHEN 2 THEN c ELSE d END",
        "coalesce(a, b, 'c d')",
        "CAST(a AS DOUBLE PRECISION)",
        "a IS NULL OR b NOT IN (1, 2, 3) AND c NOT LIKE 'x%'",
        "EXTRACT(YEAR FROM a)",
        "FLOOR(a)",
        "SUBSTRING(a, 1, 2) || TRIM(b)",
        "NOT (a = b) = (c < d)",
    ];
    for dialect in Dialect::ALL {
        for expression in expressions {
            let mut text = expression.to_owned();
            for (name, column) in
                [("a", "visits"), ("b", "total"), ("c", "months"), ("d", "note"), ("e", "payload")]
            {
                text = replace_word(&text, name, column);
            }
            let query = format!("SELECT {text} AS \"visits\", consent AS \"consent\" FROM people");
            let query = match dialect {
                Spark | BigQuery => query.replace('"', "`"),
                _ => query,
            };
            let once = check(dialect, &query, &scan, Budgets::OfColumn, |_| Ok(None));
            let once = once.unwrap_or_else(|refused| panic!("{dialect}: {query}: {refused}"));
            let twice = check(dialect, &once.0, &scan, Budgets::OfColumn, |_| Ok(None));
            assert_eq!(twice.as_ref(), Ok(&once), "{dialect}");
        }
    }
}

fn replace_word(text: &str, word: &str, other: &str) -> String {
    let is_in_word = |c: char| c.is_alphanumeric() || c == '_';
    let parts = text.split_inclusive(|c: char| !is_in_word(c));
    let replaced = parts.map(|part| {
        let end = part.len()
            - part.chars().next_back().filter(|c| !is_in_word(*c)).map_or(0, char::len_utf8);
        match &part[..end] == word {
            true => format!("{other}{}", &part[end..]),
            false => part.to_owned(),
        }
    });
    replaced.collect()
}

#[test]
fn refuses_whatever_looks_at_several_rows() {
    let scan = visits(&PUBLIC);
    for (query, word) in [
        ("SELECT DISTINCT visits, consent FROM people", "DISTINCT"),
        ("SELECT visits, consent FROM people LIMIT 10", "LIMIT"),
        ("SELECT visits, consent FROM people ORDER BY visits", "ORDER BY"),
        ("SELECT visits, consent FROM people WHERE year = 1 OFFSET 5", "LIMIT"),
        ("SELECT visits, consent FROM people FETCH FIRST 5 ROWS ONLY", "FETCH"),
        ("SELECT visits, consent FROM people GROUP BY visits, consent", "GROUP BY"),
        ("SELECT visits, consent FROM people HAVING visits > 1", "HAVING"),
        ("SELECT visits, consent FROM people EXCEPT SELECT 1, 2", "EXCEPT"),
        ("SELECT visits, consent FROM people UNION ALL SELECT 1, 2", "UNION"),
        ("SELECT visits, consent FROM people INTERSECT SELECT 1, 2", "INTERSECT"),
        ("SELECT visits, consent FROM people JOIN houses USING (house)", "JOIN"),
        ("SELECT visits, consent FROM people NATURAL LEFT JOIN houses", "JOIN"),
        ("SELECT visits, consent FROM people, houses", "a second table"),
        ("SELECT rank() OVER () AS visits, consent FROM people", "the function RANK"),
        ("SELECT abs(visits) OVER (ORDER BY id) AS visits, consent FROM people", "OVER"),
        (
            "SELECT (SELECT max(visits) FROM people) AS visits, consent FROM people",
            "a second SELECT",
        ),
        ("SELECT * FROM (SELECT * FROM people) AS it", "a second SELECT"),
        ("SELECT * FROM people WHERE id IN (SELECT id FROM ill)", "a second SELECT"),
        ("SELECT * FROM people WHERE EXISTS (SELECT 1 FROM ill)", "EXISTS"),
        ("WITH it AS (SELECT 1) SELECT * FROM it", "WITH"),
        ("(SELECT visits, consent FROM people)", "a second SELECT"),
        ("SELECT sum(visits) AS visits, 1 AS consent FROM people", "the function SUM"),
        ("SELECT max/**/(visits) AS visits, 1 AS consent FROM people", "the function MAX"),
        ("SELECT pg_catalog.sum(visits) AS visits FROM people", "it calls a function of a schema"),
        ("SELECT my_own(visits) AS visits, consent FROM people", "the function MY_OWN"),
        ("SELECT query_to_xml('SELECT 1') AS visits FROM people", "the function QUERY_TO_XML"),
        (
            "SELECT visits, consent FROM people; DELETE FROM people",
            "it has more than one statement",
        ),
        ("DELETE FROM people", "it is no SELECT"),
        ("VALUES (1, 2)", "VALUES"),
        ("", "it is empty"),
        ("SELECT visits + 0, consent FROM people", "it computes a column without giving it a name"),
    ] {
        for dialect in Dialect::ALL {
            let words = match dialect {
                Snowflake => {
                    check(dialect, query, &upper_case(&PUBLIC), Budgets::OfColumn, |_| Ok(None))
                        .map_err(|refused| refused.to_string())
                        .unwrap_err()
                }
                _ => refused(dialect, query, &scan),
            };
            // Text that the parser does not understand is refused as well.
            let is_unread = words.starts_with("query: suum's parser of ");
            assert!(
                words.starts_with(&format!("query: {word}")) || is_unread,
                "{dialect}: {query}: {words}"
            );
        }
    }
    for (dialect, query) in [
        (Sqlite, "SELECT * FROM people WHERE id IN ill"),
        (Sqlite, "SELECT \"sum\"(visits) AS visits, 1 AS consent FROM people"),
        (Postgres, "SELECT people.count AS visits, 1 AS consent FROM people"),
        (Postgres, "SELECT (people).count AS visits, 1 AS consent FROM people"),
        (Postgres, "SELECT (payload).count AS visits, 1 AS consent FROM people"),
        (Postgres, "SELECT visits, consent FROM people TABLESAMPLE BERNOULLI (1)"),
        (Postgres, "SELECT visits, consent FROM people CROSS JOIN LATERAL unnest(note)"),
        (Postgres, "SELECT visits FROM generate_series(1, 9) AS visits"),
        (Postgres, "TABLE people"),
        (Postgres, "SELECT count(*) FILTER (WHERE true) AS visits, 1 AS consent FROM people"),
        (Postgres, "SELECT visits::regclass AS visits, consent FROM people"),
        (Postgres, "SELECT visits, consent FROM people WHERE born < 'now'::date"),
        (Postgres, "SELECT visits, consent FROM people WHERE born < current_date"),
        (Snowflake, "SELECT TOP 5 visits, consent FROM people"),
        (Snowflake, "SELECT ALL TOP 5 visits, consent FROM people ORDER BY visits"),
        (Snowflake, "SELECT visits, consent FROM people SAMPLE (10)"),
        (Snowflake, "SELECT HASH(*) AS visits, consent FROM people"),
        (Snowflake, "SELECT $1 AS visits, consent FROM people"),
        (DuckDb, "SELECT visits, consent FROM people USING SAMPLE 10"),
        (DuckDb, "SELECT unnest(visits) AS visits, consent FROM people"),
        (DuckDb, "SELECT visits.sum() AS visits, consent FROM people"),
        (DuckDb, "SELECT visits, consent FROM people QUALIFY visits > 1"),
        (DuckDb, "FROM people SELECT visits, consent"),
        (DuckDb, "FROM people"),
        (DuckDb, "SELECT visits, consent FROM read_csv(['p.csv', 'p.csv'])"),
        (DuckDb, "SELECT visits, consent FROM read_csv('p.csv', ignore_errors = true)"),
        (DuckDb, "SELECT * REPLACE ('hi' AS consent) FROM people"),
        (DuckDb, "SELECT p.* RENAME (a AS consent) FROM people p"),
        (DuckDb, "SELECT COLUMNS(*) AS visits FROM people"),
        (Spark, "SELECT explode(note) AS visits, consent FROM people"),
        (Spark, "SELECT visits, consent FROM people MINUS SELECT 1, 2"),
        (Spark, "SELECT HASH(*) AS visits, consent FROM people"),
        (Spark, "SELECT greatest(*) AS visits, consent FROM people"),
        (Spark, "SELECT visits, consent FROM people WHERE region = \"north\""),
        (Spark, "SELECT visits, consent FROM people SORT BY visits"),
        (BigQuery, "SELECT AS STRUCT visits, consent FROM people"),
    ] {
        refused(dialect, query, &scan);
    }
}

/// However a database would read these, it gets a text without any ambiguous part.
#[test]
fn hides_nothing_in_what_is_read_in_different_ways() {
    let scan = visits(&PUBLIC);
    for (dialect, query) in [
        (Sqlite, "SELECT visits, consent FROM people /* /* */ LIMIT 5 -- */"),
        (Postgres, "SELECT visits, consent FROM people -- a\rLIMIT 5"),
        (Sqlite, "SELECT visits, consent FROM people WHERE site = '\\' LIMIT 5 -- '"),
        (Postgres, "SELECT visits, consent FROM people WHERE site = '\\' LIMIT 5 -- '"),
        (Spark, "SELECT visits, consent FROM people WHERE site = 'a\\\\' LIMIT 5 -- '"),
        (BigQuery, "SELECT visits, consent FROM people WHERE site = '''it's''' LIMIT 5 -- '"),
        (Sqlite, "SELECT visits, consent FROM people\u{a0}LIMIT 5"),
        (Sqlite, "SELECT visits, consent FROM people\u{feff}LIMIT 5"),
        (DuckDb, "SELECT visits, consent FROM people\u{200b}CROSS JOIN houses"),
        (Sqlite, "SELECT total AS 'visits', consent FROM people"),
        (DuckDb, "SELECT 'visits': total, consent FROM people"),
        (Sqlite, "SELECT visits, consent FROM people WHERE people.'visits' > 3"),
        (DuckDb, "SELECT visits, consent FROM people WHERE #1 > 3"),
        (Postgres, "SELECT U&\"s\\0075m\"(visits) AS visits, consent FROM people"),
        (Sqlite, "SELECT visits, consent FROM people WHERE region = \"north\""),
        (Sqlite, "SELECT visits, consent FROM people WHERE (year = 1"),
        (Sqlite, "SELECT visits, consent FROM people WHERE year = 1)"),
        (Sqlite, "SELECT visits, consent FROM people /* never closed"),
    ] {
        if let Ok(text) = printed(dialect, query, &scan) {
            let bare = text.split('\'').step_by(2).collect::<String>();
            assert!(
                !bare.contains("LIMIT") && !bare.contains("JOIN"),
                "{dialect}: {query}: {text}"
            );
            assert!(!bare.contains("--") && !bare.contains("/*"), "{dialect}: {query}: {text}");
        }
    }
}

#[test]
fn reads_listed_columns_only() {
    for (dialect, column) in [
        (Sqlite, "rowid"),
        (Sqlite, "oid"),
        (Sqlite, "_rowid_"),
        (Sqlite, "\"rowid\""),
        (Sqlite, "people.rowid"),
        (Postgres, "ctid"),
        (Postgres, "xmin"),
        (Postgres, "people"),
        (Postgres, "suum_rows"),
        (Postgres, "tableoid"),
        (DuckDb, "rowid"),
        (DuckDb, "people"),
        (Spark, "_metadata"),
        (BigQuery, "_PARTITIONTIME"),
    ] {
        let all = ["rowid", "oid", "_rowid_", "ctid", "xmin", "people", "suum_rows", "tableoid"];
        let scan = visits(&all);
        let query = format!("SELECT visits, consent FROM people WHERE {column} > 100");
        let words = refused(dialect, &query, &scan);
        assert!(words.contains("the table lists no such column"), "{dialect}: {column}: {words}");
        // If no database was asked, hidden columns are known by their names.
        if column != "people" {
            let unlisted = check(dialect, &query, &scan, Budgets::OfColumn, |_| Ok(None));
            assert!(unlisted.is_err(), "{dialect}: {column}: {unlisted:?}");
        }
    }
    // A row as a whole has the value of every column.
    for query in [
        "SELECT visits, consent FROM people p WHERE p::text LIKE '(5,%'",
        "SELECT visits, consent FROM people WHERE people.*::text LIKE '%900%'",
        "SELECT p::text AS visits, consent FROM people p",
    ] {
        refused(Postgres, query, &visits(&PUBLIC));
    }
}

/// Scan that reads the column `r` of the result in this role.
fn scan_for(role: &str, public: &[&str], hides: bool) -> Scan {
    let labels = || CategoryRule::labels(["a", "b"].map(str::to_owned).to_vec(), None).unwrap();
    let mut scan = visits(public);
    match role {
        "tier" => {
            let tiers = "a=0.1,b=1".parse().unwrap();
            scan.privacy = PrivacyColumn::Tiers { column: "r".into(), tiers };
        }
        "budget" => scan.privacy = PrivacyColumn::Budgets { column: "r".into() },
        "person" => scan.person = Some("r".into()),
        "group" => scan.group = Some(Grouping::one("r", labels())),
        "stratum" => {
            let site = GroupColumn { column: "site".into(), groups: labels() };
            let stratum = GroupColumn { column: "r".into(), groups: labels() };
            scan.group = Some(Grouping::new(vec![site, stratum]).unwrap());
        }
        _ => {}
    }
    if hides {
        scan.add_remove = Some("0.1,1".parse::<DeclaredBudgets>().unwrap());
    }
    scan
}

/// Every role × expression × name × relation × dialect is accepted or refused by one rule: a public
/// role is made of public columns.
#[test]
fn makes_public_roles_of_public_columns_only() {
    // Expressions of a column, and whether it is that column as it is.
    let expressions = [
        ("{}", true),
        ("{} + 0", false),
        ("CASE WHEN {} > 10 THEN 'a' ELSE 'b' END", false),
        ("CAST({} AS INTEGER)", false),
        ("coalesce({}, 1)", false),
        ("nullif({}, region)", false),
        ("abs({})", false),
        ("({} > 10)", false),
        ("round(1.0 * {} / months, 1)", false),
    ];
    let naming: [fn(&str) -> String; 3] =
        [|name| name.to_owned(), |name| format!("people.{name}"), str::to_uppercase];
    let mut counts = [[0, 0]; Dialect::ALL.len()];
    for (at, dialect) in Dialect::ALL.into_iter().enumerate() {
        for (expression, is_plain) in expressions {
            for (named, name) in naming.iter().enumerate() {
                // In these, names without quotes are upper case, unlike those of the table.
                let quote = |name: &str| match dialect {
                    Snowflake => name
                        .split('.')
                        .map(|part| format!("\"{part}\""))
                        .collect::<Vec<_>>()
                        .join("."),
                    _ => name.to_owned(),
                };
                if dialect == Snowflake && named == 2 {
                    continue;
                }
                for column in ["visits", "total", "region"] {
                    for hides in [false, true] {
                        for role in ["tier", "budget", "person", "group", "stratum", "WHERE"] {
                            let text = expression.replace("{}", &quote(&name(column)));
                            let text = text.replace("region", &quote("region"));
                            let text = text.replace("\"\"region\"\"", "\"region\"");
                            let text = text.replace("months", &quote("months"));
                            let [total, consent, site, r] =
                                ["total", "consent", "site", "r"].map(quote);
                            let query = match role {
                                "WHERE" => format!(
                                    "SELECT {total} + 1 AS {}, {consent} FROM people \
                                     WHERE {text} = 1",
                                    quote("visits"),
                                ),
                                _ => format!(
                                    "SELECT {total} + 1 AS {}, {consent}, {site}, {text} AS {r} \
                                     FROM people",
                                    quote("visits"),
                                ),
                            };
                            let scan = scan_for(role, &["region", "months"], hides);
                            let private = matches!(column, "total");
                            let is_free = hides && matches!(role, "group" | "stratum" | "WHERE");
                            // The value is made of `total`; `visits` of the table is neither.
                            let is_taken = is_free
                                || column == "region"
                                || (is_plain && role != "WHERE" && !private);
                            match printed(dialect, &query, &scan) {
                                Ok(_) => {
                                    counts[at][0] += 1;
                                    assert!(
                                        is_taken,
                                        "{dialect}: {query} as {role}, hides {hides}"
                                    );
                                }
                                Err(words) => {
                                    counts[at][1] += 1;
                                    assert!(!is_taken, "{dialect}: {query} as {role}: {words}");
                                    assert!(words.contains(column), "{words}");
                                    let way = format!("public_columns={column}");
                                    assert!(words.contains(&way), "{words}");
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(counts.iter().all(|[taken, refused]| *taken >= 60 && *refused >= 60), "{counts:?}");
}

/// Expressions that databases read differently need parentheses; those that all read alike do not.
#[test]
fn asks_for_parentheses_where_databases_differ() {
    let scan = visits(&PUBLIC);
    let of = |expression: &str| {
        let query = format!("SELECT visits, consent FROM people WHERE {expression}");
        printed(Sqlite, &query, &scan)
    };
    for taken in [
        "year = 1 AND NOT id = 2 OR born IS NULL",
        "year + 1 * 2 < id - 3 AND region LIKE 'a%'",
        "NOT year BETWEEN id - 1 AND id + 1",
        "-year + 1 = 2 AND (year = 1) = (id = 2)",
        "(year || region) = 'a' AND (region || 'b' || 'c') IN ('abc')",
        "(year IS NOT DISTINCT FROM 1) AND id = 2",
    ] {
        assert!(of(taken).is_ok(), "{taken}: {:?}", of(taken));
    }
    for refused in [
        "year = id < 3",
        "year * 2 || region = 'a'",
        "year | id & 3",
        "region LIKE site = house",
        "year IS NOT DISTINCT FROM id OR born = 1",
        "~ year * id",
        "year = 1 IS NULL",
    ] {
        let words = of(refused).unwrap_err();
        assert!(words.contains("parentheses"), "{refused}: {words}");
    }
}

#[test]
fn reads_truth_values_and_escapes_alike_everywhere() {
    let scan = visits(&PUBLIC);
    // A column of SQLite can be called true.
    let query = "SELECT visits, consent FROM people WHERE TRUE AND (year = 1) IS NOT FALSE";
    let text = printed(Sqlite, query, &scan).unwrap();
    assert!(!text.contains("TRUE") && !text.contains("FALSE"), "{text}");
    for (dialect, taken) in [(Spark, r"'a\\b\'c\n'"), (BigQuery, r"'a\\b\'c\n'")] {
        let query = format!("SELECT *, {taken} AS x FROM people");
        let text = printed(dialect, &query, &scan).unwrap();
        assert!(text.contains(taken), "{text}");
    }
    for (dialect, refused_text) in [
        (Spark, r"'a\_b'"),
        (Spark, r"'\u0041'"),
        (Spark, "'it''s'"),
        (Spark, "'${x}'"),
        (BigQuery, r"'\x41'"),
        (Snowflake, r"'\101'"),
    ] {
        let query = format!("SELECT *, {refused_text} AS x FROM people");
        refused(dialect, &query, &scan);
    }
    refused(DuckDb, "SELECT * FROM read_csv('n.csv', quote = 'f')", &scan);
    refused(DuckDb, "SELECT * FROM read_csv('n.csv', delim = '5')", &scan);
    for clock in ["strftime('%Y') = born", "born < 'now'", "date(('now')) > born"] {
        refused(Sqlite, &format!("SELECT * FROM people WHERE {clock}"), &scan);
    }
}

/// `*` stands for the columns that are read, by their names, if those of the table are not listed.
#[test]
fn reads_columns_of_star_by_their_names() {
    let scan = visits(&PUBLIC);
    let unlisted = |dialect: Dialect, query: &str, scan: &Scan| {
        check(dialect, query, scan, Budgets::OfColumn, |_| Ok(None)).map(|(sql, _)| sql)
    };
    // DuckDB would call the second column of this name region_1.
    let mut by_copy = visits(&[]);
    let labels = CategoryRule::labels(["1", "2"].map(str::to_owned).to_vec(), None).unwrap();
    by_copy.group = Some(Grouping::one("region_1", labels));
    let query = "SELECT *, CASE WHEN note = 'poor' THEN 1 ELSE 2 END AS region FROM people";
    let text = unlisted(DuckDb, query, &by_copy).unwrap();
    let copy = r#"suum_rows."region_1" AS "region_1""#;
    assert!(text.contains(copy) && !text.contains('*'), "{text}");
    // PostgreSQL would call a function of the row where a name stands behind a point.
    let text = unlisted(Postgres, "SELECT * FROM people", &scan).unwrap();
    let name = r#""visits" AS "visits""#;
    assert!(text.contains(name) && !text.contains("suum_rows."), "{text}");
    let mut hidden = visits(&[]);
    hidden.person = Some("ctid".into());
    assert!(unlisted(Postgres, "SELECT * FROM people", &hidden).is_err());
    // A column that is left out is not read.
    assert!(unlisted(DuckDb, "SELECT * EXCLUDE (visits) FROM people", &scan).is_err());
}

#[test]
fn refuses_values_by_names_that_the_query_does_not_give() {
    let of = |value: &str| {
        let mut scan = visits(&PUBLIC);
        let column = value.to_owned();
        let grid = Grid::new(Bounds::UNIT);
        scan.value =
            Some(Value::Number(ValueColumn { column, numbers: grid.into(), missing: None }));
        scan
    };
    for (dialect, query, value) in [
        (Sqlite, "SELECT visits+0 AS v, consent FROM people WHERE id = 7", "visits+0"),
        (Sqlite, "SELECT visits AS \" v\", consent FROM people", "v"),
        (Postgres, "SELECT coalesce(visits, 0) AS v, consent FROM people", "coalesce"),
        (DuckDb, "SELECT abs(visits) AS v, consent FROM people", "abs(visits)"),
        (DuckDb, "SELECT visits AS v, consent FROM people", "(visits + 0)"),
        (Sqlite, "SELECT visits AS V, consent FROM people", "v"),
        (Sqlite, "SELECT visits AS v, 1 AS c FROM people", "v"),
    ] {
        let words = refused(dialect, query, &of(value));
        assert!(words.contains("the query selects no column of this name"), "{query}: {words}");
    }
    // A name of another item is not that of the value, and its column is private all the same.
    let query = "SELECT visits AS v, CASE WHEN visits > 10 THEN 1 ELSE 2 END AS consent \
                 FROM people WHERE id = 7";
    let words = refused(Sqlite, query, &of("v"));
    assert!(words.contains("the tier or budget is made of column visits, which is the value"));
}

#[test]
fn tells_private_columns_apart_from_undeclared_ones() {
    let scan = visits(&["year"]);
    let words = refused(Sqlite, "SELECT * FROM people WHERE visits > 5", &scan);
    assert!(words.contains("WHERE uses column visits, which is the value"), "{words}");
    let words = refused(Sqlite, "SELECT * FROM people WHERE region = 'n'", &scan);
    assert!(words.contains("WHERE uses column region, which is not declared public"), "{words}");
    // The tier is public as it is, and so is what a query makes of it.
    assert!(printed(Sqlite, "SELECT * FROM people WHERE consent > 0.5", &scan).is_ok());
    // The user has declared the value public.
    let all = visits(&["visits"]);
    assert!(printed(Sqlite, "SELECT * FROM people WHERE visits > 5", &all).is_ok());
    // Generated columns are columns like all others.
    let generated = "SELECT visits, consent FROM people WHERE house = 1";
    assert!(refused(Sqlite, generated, &scan).contains("public_columns=house"));
    // Without a value nothing but what is declared may choose rows.
    let counted = Scan { value: None, ..visits(&["year"]) };
    refused(Sqlite, "SELECT consent FROM people WHERE visits > 5", &counted);
    assert!(printed(Sqlite, "SELECT consent FROM people WHERE year = 5", &counted).is_ok());
    // A condition beside the query is one of what its columns are made of.
    let filtered =
        |text: &str| Scan { filter: Some(text.parse().unwrap()), ..visits(&["year", "many"]) };
    let many = "SELECT visits, consent, visits > 10 AS many, year FROM people";
    assert!(refused(Sqlite, many, &filtered("many = 1")).contains("uses column visits, which is"));
    assert!(printed(Sqlite, many, &filtered("year = 2020")).is_ok());
    // A field of a nested column is a part of it.
    let nested = "SELECT payload.visits AS visits, consent FROM people \
                  WHERE CAST(payload AS VARCHAR) LIKE '%9%'";
    assert!(refused(DuckDb, nested, &scan).contains("column payload, which is the value"));
    let path = "SELECT visits, consent FROM people WHERE payload['visits'] > 5";
    assert!(refused(DuckDb, path, &scan).contains("column payload, which is not declared public"));
}

#[test]
fn refuses_long_and_deep_queries() {
    let scan = visits(&PUBLIC);
    let chain = vec!["year = 1"; 1000].join(" OR ");
    let query = format!("SELECT * FROM people WHERE {chain}");
    assert!(printed(Sqlite, &query, &scan).is_ok());
    let deep = format!("SELECT * FROM people WHERE {}1{}", "(".repeat(5000), ")".repeat(5000));
    refused(Sqlite, &deep, &scan);
    let deep = format!("SELECT * FROM people WHERE {} year", "NOT ".repeat(3000));
    refused(Sqlite, &deep, &scan);
    let minus = format!("SELECT * FROM people WHERE year = {}1", "- ".repeat(3000));
    refused(Sqlite, &minus, &scan);
    let long = vec!["year = 1"; 100_000].join(" OR ");
    refused(Sqlite, &format!("SELECT * FROM people WHERE {long}"), &scan);
    // Operators whose chains are trees as deep as they are long.
    for (operator, count) in
        [(" = 1", 3900), (" IN (1)", 900), (" IS NULL", 1900), (" % 2", 3900), (" || 'a'", 3900)]
    {
        let chain = format!("1{}", operator.repeat(count));
        let query = format!("SELECT visits, consent FROM people WHERE {chain} = 1");
        let _ = printed(Sqlite, &query, &scan);
    }
    let casts = format!("SELECT visits{} AS visits, consent FROM people", "::int".repeat(900));
    refused(Postgres, &casts, &scan);
    let cases = "CASE WHEN year = 1 THEN ".repeat(500) + "1" + &" END".repeat(500);
    refused(Sqlite, &format!("SELECT {cases} AS visits, consent FROM people"), &scan);
}
