use suum_core::{Bounds, DeclaredBudgets, Grid};
use suum_data::{CategoryRule, Grouping, PrivacyColumn, Scan, Value, ValueColumn};

use super::check;
use crate::dialect::Dialect::{self, BigQuery, DuckDb, Postgres, Snowflake, Spark, Sqlite};

/// A mean of `visits` at the tier in `consent`.
fn visits() -> Scan {
    let column = "visits".to_owned();
    let grid = Grid::new(Bounds::UNIT);
    let value = Value::Number(ValueColumn { column, numbers: grid.into(), missing: None });
    Scan::new(PrivacyColumn::Budgets { column: "consent".into() }, Some(value))
}

/// What is said of a query, or nothing.
fn said(dialect: Dialect, query: &str) -> String {
    match check(dialect, query, &visits()) {
        Ok(()) => String::new(),
        Err(refused) => {
            assert!(refused.hint().is_some(), "{query}");
            refused.to_string()
        }
    }
}

#[test]
fn a_select_from_one_table_is_taken() {
    for query in [
        "SELECT * FROM people",
        "select visits, consent from survey.people as p where p.year = 2024 order by p.id",
        "SELECT round(visits / 2.0, 1) AS visits, coalesce(consent, 'a') AS consent FROM people p",
        "SELECT CAST(visits AS NUMERIC(10, 2)) AS visits, consent FROM people WHERE (a IN (1, 2))",
        "SELECT visits, consent FROM people WHERE site IS NOT DISTINCT FROM 'north'",
        "SELECT visits, extract(year FROM born) AS born, consent FROM people",
        "SELECT visits, consent, 'LIMIT; -- UNION (SELECT' AS a, \"limit\" FROM \"group\" \
         -- LIMIT 5\n",
        "/* GROUP BY */ SELECT visits, consent FROM people WHERE name = 'it'",
        "SELECT CASE WHEN kind = 1 THEN visits ELSE 2.5e-3 END AS visits, consent FROM people",
        "SELECT 1.0 AS visits, 2 AS consent",
    ] {
        for dialect in Dialect::ALL {
            assert_eq!(said(dialect, query), "", "{dialect}: {query}");
        }
    }
    for (dialect, query) in [
        (Postgres, "SELECT visits::float8 AS visits, consent FROM people WHERE note <> E'it\\'s' "),
        (Postgres, "SELECT visits, consent FROM people WHERE note <> $a$ ' GROUP BY $a$"),
        (Sqlite, "SELECT visits, consent FROM people WHERE name = 'it''s' OR name = '''LIMIT'"),
        (Sqlite, "SELECT [visits], `consent` FROM [my table]"),
        (DuckDb, "SELECT * FROM 'people/*.parquet' WHERE year = 2024"),
        (DuckDb, "SELECT * FROM read_parquet('a.parquet', hive_partitioning = true) AS p"),
        (DuckDb, "SELECT * EXCLUDE (name) FROM people"),
        (Spark, "SELECT visits, consent FROM parquet.`/data/people` WHERE note <> 'it\\'s LIMIT'"),
        (BigQuery, "SELECT visits, consent FROM `my-project.survey.people` # LIMIT 5"),
        (Snowflake, "SELECT visits, consent FROM people // LIMIT 5"),
    ] {
        assert_eq!(said(dialect, query), "", "{dialect}: {query}");
    }
}

#[test]
fn what_looks_at_several_rows_is_refused() {
    for (query, word) in [
        ("SELECT DISTINCT visits, consent FROM people", "DISTINCT"),
        ("SELECT visits, consent FROM people LIMIT 10", "LIMIT"),
        ("SELECT visits, consent FROM people ORDER BY visits LIMIT 10", "LIMIT"),
        ("SELECT visits, consent FROM people WHERE year = 1 OFFSET 5", "OFFSET"),
        ("SELECT visits, consent FROM people FETCH FIRST 5 ROWS ONLY", "FETCH"),
        ("SELECT visits, consent FROM people TABLESAMPLE BERNOULLI (1)", "TABLESAMPLE"),
        ("SELECT visits, consent FROM people GROUP BY visits, consent", "GROUP"),
        ("SELECT visits, consent FROM people HAVING visits > 1", "HAVING"),
        ("SELECT visits, consent FROM people UNION ALL TABLE more", "UNION"),
        ("SELECT visits, consent FROM people EXCEPT SELECT 1, 2", "EXCEPT"),
        ("SELECT visits, consent FROM people INTERSECT SELECT 1, 2", "INTERSECT"),
        ("SELECT visits, consent FROM people JOIN houses USING (house)", "JOIN"),
        ("SELECT visits, consent FROM people NATURAL LEFT JOIN houses", "NATURAL"),
        ("SELECT visits, consent FROM people, houses", "a second table"),
        ("SELECT visits, consent FROM people CROSS JOIN LATERAL unnest(list)", "JOIN"),
        ("SELECT rank() OVER () AS visits, consent FROM people", "the function RANK"),
        ("SELECT visits OVER w AS visits, consent FROM people", "OVER"),
        (
            "SELECT (SELECT max(visits) FROM people) AS visits, consent FROM people",
            "a second SELECT",
        ),
        ("SELECT * FROM (SELECT * FROM people) AS it", "a second SELECT"),
        ("SELECT * FROM people WHERE id IN (SELECT id FROM ill)", "a second SELECT"),
        ("SELECT * FROM people WHERE EXISTS (TABLE ill)", "EXISTS"),
        ("WITH it AS (SELECT 1) SELECT * FROM it", "WITH"),
        ("(SELECT visits, consent FROM people)", "a second SELECT"),
        ("SELECT sum(visits) AS visits, 1 AS consent FROM people", "the function SUM"),
        ("SELECT \"sum\"(visits) AS visits, 1 AS consent FROM people", "the function SUM"),
        ("SELECT max/**/(visits) AS visits, 1 AS consent FROM people", "the function MAX"),
        ("SELECT pg_catalog.sum(visits) AS visits FROM people", "it calls a function of a schema"),
        ("SELECT my_own(visits) AS visits, consent FROM people", "the function MY_OWN"),
        ("SELECT query_to_xml('SELECT 1') AS visits FROM people", "the function QUERY_TO_XML"),
        ("SELECT visits FROM generate_series(1, 9) AS visits", "the function GENERATE_SERIES"),
        (
            "SELECT visits, consent FROM people; DELETE FROM people",
            "it has more than one statement",
        ),
        ("DELETE FROM people", "it does not begin with SELECT"),
        ("VALUES (1, 2)", "VALUES"),
        ("TABLE people", "TABLE"),
        ("FROM people", "it does not begin with SELECT"),
        ("", "it is empty"),
        ("SELECT visits FROM people AS lower (visits)", "FROM says more than the name"),
    ] {
        for dialect in Dialect::ALL {
            let said = said(dialect, query);
            assert!(said.starts_with(&format!("query: {word}")), "{dialect}: {query}: {said}");
        }
    }
    for (dialect, query, word) in [
        (Sqlite, "SELECT * FROM people WHERE id IN ill", "IN with the name of a table"),
        (Postgres, "SELECT people.count AS visits, 1 AS consent FROM people", "COUNT"),
        (Snowflake, "SELECT TOP 5 visits, consent FROM people", "TOP"),
        (Snowflake, "SELECT visits, consent FROM people SAMPLE (10)", "SAMPLE"),
        (DuckDb, "SELECT visits, consent FROM people USING SAMPLE 10", "SAMPLE"),
        (DuckDb, "SELECT unnest(visits) AS visits, consent FROM people", "UNNEST"),
        (DuckDb, "SELECT visits.sum() AS visits, consent FROM people", "it calls a function of"),
        (DuckDb, "SELECT visits FROM people QUALIFY visits > 1", "QUALIFY"),
        (Spark, "SELECT explode(list) AS visits, consent FROM people", "EXPLODE"),
        (Spark, "SELECT visits, consent FROM people MINUS TABLE more", "MINUS"),
    ] {
        let said = said(dialect, query);
        assert!(said.starts_with(&format!("query: {word}")), "{dialect}: {query}: {said}");
    }
}

#[test]
fn nothing_hides_in_what_is_read_in_different_ways() {
    for (dialect, query) in [
        // A comment that ends earlier in dialects without comments in comments.
        (Sqlite, "SELECT visits FROM people /* /* */ LIMIT 5 -- */"),
        (Postgres, "SELECT visits FROM people -- a\rLIMIT 5"),
        (Sqlite, "SELECT visits FROM people /* never closed"),
        // A backslash is no escape, and the text ends before it seems to.
        (Sqlite, "SELECT visits FROM people WHERE a = '\\' LIMIT 5 -- '"),
        (Postgres, "SELECT visits FROM people WHERE a = '\\' LIMIT 5 -- '"),
        (Spark, "SELECT visits FROM people WHERE a = 'a\\\\' LIMIT 5 -- '"),
        (Spark, "SELECT visits FROM people WHERE a = r'\\' LIMIT 5 -- '"),
        (Spark, "SELECT visits FROM people WHERE a = \"\\\" LIMIT 5 -- \""),
        (BigQuery, "SELECT visits FROM people WHERE a = '''it's''' LIMIT 5 -- '"),
        (BigQuery, "SELECT visits FROM people WHERE a = 'a'''' LIMIT 5 '''"),
        (Postgres, "SELECT visits FROM people WHERE a = E'x'\n'\\' LIMIT 5 -- '"),
        (Postgres, "SELECT visits FROM people WHERE a = $$ ' $$ LIMIT 5 -- '"),
        (Postgres, "SELECT U&\"s\\0075m\"(visits) AS visits FROM people"),
        (Postgres, "SELECT visits FROM people WHERE year > 1LIMIT 5"),
        (Sqlite, "SELECT visits FROM people WHERE a = 'never closed"),
        (Sqlite, "SELECT visits FROM people\u{a0}LIMIT 5"),
        (Sqlite, "SELECT visits FROM people WHERE (a = 1"),
        (Sqlite, "SELECT visits FROM people WHERE a = 1)"),
        (Sqlite, "SELECT visits FROM [people] LIMIT 5 -- ]"),
    ] {
        assert_ne!(said(dialect, query), "", "{dialect}: {query}");
    }
}

#[test]
fn rows_do_not_depend_on_the_value() {
    for query in [
        "SELECT * FROM people WHERE visits > 5",
        "SELECT * FROM people WHERE \"Visits\" > 5 AND year = 2024",
        "SELECT * FROM people AS p WHERE p.visits IS NOT NULL",
        "SELECT total AS visits, consent FROM people WHERE total > 5",
        "SELECT total / months AS visits, consent FROM people WHERE months > 0",
        "SELECT total AS visits, total > 5 AS many, consent FROM people WHERE many",
    ] {
        for dialect in Dialect::ALL {
            let said = said(dialect, query);
            assert!(said.starts_with("query: WHERE uses "), "{dialect}: {query}: {said}");
        }
    }
    let whole = said(Postgres, "SELECT * FROM people p WHERE p::text LIKE '(5,%'");
    assert!(whole.starts_with("query: WHERE uses p,"), "{whole}");
    for query in [
        "SELECT visits, CASE WHEN visits > 5 THEN 1 ELSE 2 END AS consent FROM people",
        "SELECT total AS visits, total AS consent FROM people",
    ] {
        let said = said(Sqlite, query);
        assert!(said.starts_with("query: the tier or budget is computed from the value"), "{said}");
    }
    let groups = CategoryRule::labels(["many", "few"].map(str::to_owned).to_vec(), None).unwrap();
    let grouped = Scan { group: Some(Grouping::one("band", groups)), ..visits() };
    let bands = "SELECT *, CASE WHEN visits > 5 THEN 'many' ELSE 'few' END AS band FROM people";
    let said = check(Sqlite, bands, &grouped).unwrap_err().to_string();
    assert!(said.starts_with("query: the group is computed from the value"), "{said}");
    assert_eq!(check(Sqlite, bands, &visits()), Ok(()));
    // Where it is hidden who takes part, a record may be left out for its value.
    let budgets: DeclaredBudgets = "0.1,1".parse().unwrap();
    let add_remove = Scan { add_remove: Some(budgets), ..visits() };
    assert_eq!(check(Sqlite, "SELECT * FROM people WHERE visits > 5", &add_remove), Ok(()));
}

#[test]
fn nothing_hides_behind_another_character_or_text() {
    for (dialect, query, what) in [
        (
            Sqlite,
            "SELECT visits, consent FROM people WHERE (year = 1)\u{feff}LIMIT 2",
            "it has a space",
        ),
        (DuckDb, "SELECT visits, consent FROM people\u{200b}CROSS JOIN houses", "it has a space"),
        (DuckDb, "SELECT * REPLACE ('hi' AS consent) FROM people", "it puts other columns"),
        (DuckDb, "SELECT p.* RENAME (a AS consent) FROM people p", "it puts other columns"),
        (
            DuckDb,
            "SELECT * EXCLUDE (visits) RENAME (total AS visits) FROM people WHERE total > 3",
            "it puts other columns",
        ),
        (Sqlite, "SELECT total AS 'visits', consent FROM people WHERE total > 3", "it has a text"),
        (Sqlite, "SELECT total 'visits', consent FROM people WHERE total > 3", "it has a text"),
        (DuckDb, "SELECT 'visits': total, consent FROM people WHERE total > 3", "it has a text"),
        (Sqlite, "SELECT visits FROM people WHERE people.'visits' > 3", "it has a text"),
        (Sqlite, "SELECT visits FROM people WHERE id IN 'ill'", "IN with the name of a table"),
        (DuckDb, "SELECT visits, consent FROM people WHERE #1 > 3", "it names a column by"),
        (Snowflake, "SELECT visits, consent FROM people WHERE $1 > 3", "it names a column by"),
        (DuckDb, "SELECT visits, consent FROM read_csv(['p.csv', 'p.csv'])", "it reads more"),
        (
            DuckDb,
            "SELECT total AS t, t AS visits, consent FROM people WHERE total > 3",
            "WHERE uses total",
        ),
        (
            DuckDb,
            "SELECT visits, visits > 3 AS many, CASE WHEN many THEN 1 ELSE 2 END AS consent \
             FROM people",
            "the tier or budget is computed from the value",
        ),
    ] {
        let said = said(dialect, query);
        assert!(said.starts_with(&format!("query: {what}")), "{dialect}: {query}: {said}");
    }
    // Whole rows have the value of every column, also where nothing but records is counted.
    let counted = Scan { value: None, ..visits() };
    let whole = "SELECT consent FROM people WHERE people::text LIKE '%poor%'";
    assert!(check(Postgres, whole, &counted).is_err());
    assert_eq!(check(Postgres, "SELECT consent FROM people WHERE year = 2024", &counted), Ok(()));
    assert_eq!(said(Sqlite, "SELECT visits, consent FROM people WHERE straße = 'Ä'"), "");
}
