//! The PostgreSQL session against a real server: snapshots, types, values, and what is refused.

use std::sync::LazyLock;

use suum_core::{ErrorKind, Result};
use suum_sql::{ColumnKind, Engine, Postgres, Relation};
use suum_testing::Server;

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let server = Server::start();
    server.run(
        r#"
        CREATE EXTENSION IF NOT EXISTS citext;
        CREATE TYPE mood AS ENUM ('good', 'it''s', 'naïve "ß"');
        CREATE DOMAIN age AS integer CHECK (value >= 0);
        CREATE DOMAIN word AS text;
        CREATE TABLE kinds (
            i2 smallint, i4 integer, i8 bigint, f4 real, f8 double precision, n numeric,
            b boolean, d age,
            t text, v varchar(9), c char(9), nm name, e mood, u uuid, w word, ci citext,
            ts timestamp, by bytea, j jsonb, a integer[], m money
        );
        CREATE TABLE doubles (id integer, value double precision);
        INSERT INTO doubles VALUES
            (1, 'NaN'), (2, 'Infinity'), (3, '-Infinity'), (4, '-0'), (5, 5e-324),
            (6, 2.2250738585072009e-308),
            (7, 1.7976931348623157e308), (8, 0.1), (9, 1e23), (10, 9007199254740993), (11, NULL);
        CREATE TABLE numerics (id integer, value numeric);
        INSERT INTO numerics VALUES (1, 'NaN'), (2, 0.10),
            (3, -123456789012345678901234567890.123456789),
            (4, 1e-40), (5, NULL);
        CREATE TABLE labels (id integer, label text);
        INSERT INTO labels VALUES (1, ''), (2, E'tab\there'), (3, E'line\nbreak\r\n'),
            (4, E'back\\slash \\N \\.'),
            (5, 'it''s "quoted"'), (6, 'Ünïcödé ✓ 🙂'), (7, NULL), (8, '\N');
        CREATE SCHEMA "Größe";
        CREATE TABLE "Größe"."a ""b"" .c'; DROP TABLE labels; --"
            ("x ""y""" integer, "select" text, "É" text);
        CREATE TABLE growing (id integer);
        INSERT INTO growing SELECT generate_series(1, 10);
        CREATE TABLE secret (diagnosis text);
        INSERT INTO secret VALUES ('hush');
        CREATE FUNCTION sly() RETURNS integer LANGUAGE plpgsql AS
            $$ BEGIN INSERT INTO growing VALUES (0); RETURN 1; END $$;
        CREATE ROLE reader LOGIN PASSWORD 'reader';
        GRANT SELECT (id) ON labels TO reader;
        "#,
    );
    server
});

fn session() -> Postgres {
    Postgres::connect_with(&SERVER.url(), |_| None).unwrap()
}

fn all(session: &mut Postgres, query: &str) -> Result<Vec<Vec<Option<String>>>> {
    let mut rows = Vec::new();
    session.rows(query, &mut |cells| {
        rows.push(cells.iter().map(|cell| cell.map(str::to_owned)).collect());
        Ok(())
    })?;
    Ok(rows)
}

fn column(session: &mut Postgres, query: &str) -> Vec<Option<String>> {
    all(session, query).unwrap().into_iter().map(|row| row.into_iter().next().unwrap()).collect()
}

fn table(parts: &[&str]) -> Relation {
    Relation::Table(parts.iter().map(|part| (*part).to_owned()).collect())
}

#[test]
fn types_are_numbers_labels_or_something_else() {
    if !Server::is_there() {
        return;
    }
    let columns = session().columns(&table(&["public", "kinds"])).unwrap();
    let of_kind = |kind| {
        let names =
            columns.iter().filter(|column| column.kind == kind).map(|column| column.name.as_str());
        names.collect::<Vec<_>>()
    };
    assert_eq!(of_kind(ColumnKind::Integer), ["i2", "i4", "i8", "d"]);
    assert_eq!(of_kind(ColumnKind::Number), ["f4", "f8", "n"]);
    assert_eq!(of_kind(ColumnKind::Label), ["b", "t", "v", "c", "nm", "e", "u", "w", "ci"]);
    assert_eq!(of_kind(ColumnKind::Time), ["ts"]);
    assert_eq!(of_kind(ColumnKind::Other), ["by", "j", "a", "m"]);

    let query =
        Relation::query("SELECT i4 + 1.5 AS half, upper(t), i4 IS NULL AS none FROM kinds; ");
    let columns = session().columns(&query).unwrap();
    let found: Vec<_> = columns.iter().map(|column| (column.name.as_str(), column.kind)).collect();
    let expected =
        [("half", ColumnKind::Number), ("upper", ColumnKind::Label), ("none", ColumnKind::Label)];
    assert_eq!(found, expected);
}

#[test]
fn names_may_have_any_characters() {
    if !Server::is_there() {
        return;
    }
    let strange = table(&["Größe", "a \"b\" .c'; DROP TABLE labels; --"]);
    let columns = session().columns(&strange).unwrap();
    let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["x \"y\"", "select", "É"]);
    assert!(session().columns(&table(&["a\0b"])).is_err());
    assert_eq!(column(&mut session(), "SELECT count(*) FROM labels"), [Some("8".to_owned())]);
}

#[test]
fn doubles_come_back_to_the_last_bit() {
    if !Server::is_there() {
        return;
    }
    let expected = [
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        5e-324,
        2.225_073_858_507_201e-308,
        f64::MAX,
        0.1,
        1e23,
        9_007_199_254_740_992.0,
    ];
    let mut session = session();
    let found = column(&mut session, "SELECT value FROM doubles ORDER BY id");
    assert_eq!(found[0].as_deref(), Some("NaN"));
    assert_eq!(found[10], None);
    for (text, expected) in found[1..10].iter().zip(expected) {
        let number: f64 = text.as_deref().unwrap().parse().unwrap();
        assert_eq!(number.to_bits(), expected.to_bits(), "{text:?}");
    }
}

#[test]
fn the_settings_of_a_user_do_not_change_what_comes_back() {
    if !Server::is_there() {
        return;
    }
    let options = "?options=-c%20extra_float_digits%3D-15%20-c%20standard_conforming_strings%3Doff\
                   %20-c%20datestyle%3DGerman";
    let mut session = Postgres::connect_with(&(SERVER.url() + options), |_| None).unwrap();
    let found =
        all(&mut session, r"SELECT 0.1::float8 + 0.2::float8, '\n', date '2001-02-03'").unwrap();
    let expected = ["0.30000000000000004", r"\n", "2001-02-03"].map(|text| Some(text.to_owned()));
    assert_eq!(found, [expected]);
}

#[test]
fn numerics_come_back_digit_by_digit() {
    if !Server::is_there() {
        return;
    }
    let found = column(&mut session(), "SELECT value FROM numerics ORDER BY id");
    let expected = [
        Some("NaN"),
        Some("0.10"),
        Some("-123456789012345678901234567890.123456789"),
        Some("0.0000000000000000000000000000000000000001"),
        None,
    ];
    assert_eq!(found, expected.map(|text| text.map(str::to_owned)));
}

#[test]
fn labels_come_back_as_they_are() {
    if !Server::is_there() {
        return;
    }
    let found = column(&mut session(), "SELECT label FROM labels ORDER BY id");
    let expected = [
        Some(""),
        Some("tab\there"),
        Some("line\nbreak\r\n"),
        Some(r"back\slash \N \."),
        Some("it's \"quoted\""),
        Some("Ünïcödé ✓ 🙂"),
        None,
        Some(r"\N"),
    ];
    assert_eq!(found, expected.map(|text| text.map(str::to_owned)));
}

#[test]
fn all_queries_see_one_snapshot() {
    if !Server::is_there() {
        return;
    }
    let mut session = session();
    // Even what changes before the first query, but after the session began, is not seen.
    SERVER.run("INSERT INTO growing VALUES (11); DELETE FROM growing WHERE id = 1;");
    let count = "SELECT count(*), sum(id) FROM growing";
    let before = all(&mut session, count).unwrap();
    SERVER.run("INSERT INTO growing SELECT generate_series(100, 200);");
    assert_eq!(all(&mut session, count).unwrap(), before);
    assert_eq!(before[0][1].as_deref(), Some("55"));
    let mut later = self::session();
    assert_ne!(all(&mut later, count).unwrap(), before);
}

#[test]
fn nothing_but_one_select_gets_through() {
    if !Server::is_there() {
        return;
    }
    let query = |text: &str| Relation::query(text);
    let refused = [
        "",
        ";",
        "-- nothing",
        "DROP TABLE labels",
        "DELETE FROM labels RETURNING id",
        "WITH gone AS (DELETE FROM labels RETURNING id) SELECT id FROM gone",
        "SELECT 1; DROP TABLE labels",
        "SELECT 1) AS x; DROP TABLE labels; --",
        "SELECT 1) AS x, (SELECT 2",
        "SELECT 1) AS x --",
        "SELECT 1 /*",
        "SELECT 1 AS \"x",
        "SELECT 'x",
        "SELECT $1::integer",
        "SHOW search_path",
        "EXPLAIN SELECT 1",
        "BEGIN",
        "COMMIT",
        "SET transaction_read_only = off",
        "COPY labels TO STDOUT",
        "SELECT 1 INTO new_table",
    ];
    for text in refused {
        let error = session().columns(&query(text)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter, "{text}: {error}");
        assert!(error.fix().is_some(), "{text}: {error}");
    }
    for text in [
        "SELECT 1 AS x",
        "SELECT 1 AS x;",
        "SELECT 1 AS x -- the end",
        "SELECT 1 AS x -- the end;",
        "SELECT 1 AS x /* ) */ ; \n",
        "WITH x AS (SELECT 1 AS x) SELECT * FROM x",
        "VALUES (1)",
        "SELECT ';' AS x",
    ] {
        assert_eq!(session().columns(&query(text)).unwrap().len(), 1, "{text}");
        assert_eq!(all(&mut session(), text).unwrap().len(), 1, "{text}");
    }
}

#[test]
fn nothing_is_written_by_a_query_that_is_run() {
    if !Server::is_there() {
        return;
    }
    let path = SERVER.socket_folder().join("data/written-by-a-query");
    let path = path.display();
    for text in [
        "SELECT sly()".to_owned(),
        "SELECT nextval('no_such_sequence')".to_owned(),
        "SELECT set_config('transaction_read_only', 'off', false)".to_owned(),
        "SELECT id FROM labels FOR UPDATE".to_owned(),
        "WITH gone AS (DELETE FROM labels RETURNING id) SELECT id FROM gone".to_owned(),
        format!("SELECT 1) TO '{path}' --"),
        format!("SELECT 1) TO '{path}' /*"),
        format!("SELECT 1) TO PROGRAM 'touch {path}' --"),
        format!("SELECT 1) TO PROGRAM 'touch {path}' WITH (FORMAT csv"),
        "SELECT 1; COMMIT; DROP TABLE labels".to_owned(),
        "COMMIT".to_owned(),
    ] {
        let error = all(&mut session(), &text).unwrap_err();
        assert!(error.fix().is_some(), "{text}: {error}");
    }
    assert!(!SERVER.socket_folder().join("data/written-by-a-query").exists());
    assert_eq!(column(&mut session(), "SELECT count(*) FROM labels"), [Some("8".to_owned())]);
    assert_eq!(
        column(&mut session(), "SELECT count(*) FROM growing WHERE id = 0"),
        [Some("0".to_owned())]
    );
}

#[test]
fn what_a_session_does_is_undone_at_its_end() {
    if !Server::is_there() {
        return;
    }
    // Before version 16, large objects can be made even in a read-only transaction.
    let _ = all(&mut session(), "SELECT lo_create(0)");
    assert_eq!(
        column(&mut session(), "SELECT count(*) FROM pg_largeobject_metadata"),
        [Some("0".to_owned())]
    );
}

#[test]
fn errors_say_what_to_do_and_nothing_of_the_data() {
    if !Server::is_there() {
        return;
    }
    let reader = SERVER.url().replace("ada@", "reader@");
    let mut refused = Vec::new();
    for (query, kind, state) in [
        ("SELECT * FROM no_such_table", ErrorKind::Data, "42P01"),
        ("SELECT no_such_column FROM labels", ErrorKind::Data, "42703"),
        ("SELECT diagnosis::integer FROM secret", ErrorKind::Data, "22P02"),
        ("SELECT 1 / (length(diagnosis) - 4) FROM secret", ErrorKind::Data, "22012"),
        (
            "SELECT ('1e' || length(diagnosis) || '00')::float8 FROM secret",
            ErrorKind::Data,
            "22003",
        ),
        ("SELECT diagnosis + 1 FROM secret", ErrorKind::Parameter, "42883"),
        ("SELEC 'hush'", ErrorKind::Parameter, "42601"),
    ] {
        let error = all(&mut session(), query).unwrap_err();
        assert_eq!(error.kind(), kind, "{query}");
        assert!(error.to_string().contains(state), "{error}");
        refused.push(error);
    }
    let mut session = Postgres::connect_with(&reader, |_| None).unwrap();
    refused.push(all(&mut session, "SELECT count(*) FROM secret").unwrap_err());
    assert!(refused.last().unwrap().to_string().contains("42501"));
    refused.push(session.columns(&table(&["labels"])).unwrap_err());
    assert!(refused.last().unwrap().to_string().contains("an earlier query"));
    let missing = self::session().columns(&table(&["nowhere", "people"])).unwrap_err();
    assert!(missing.to_string().contains("table nowhere.people"), "{missing}");
    for error in refused {
        assert!(!format!("{error:?}").contains("hush"), "{error:?}");
        assert!(error.fix().is_some(), "{error}");
    }
}

#[test]
fn the_right_to_read_the_columns_in_question_is_enough() {
    if !Server::is_there() {
        return;
    }
    let reader = SERVER.url().replace("ada@", "reader@");
    let mut session = Postgres::connect_with(&reader, |_| None).unwrap();
    assert_eq!(session.columns(&table(&["labels"])).unwrap().len(), 2);
    assert_eq!(column(&mut session, "SELECT sum(id) FROM labels"), [Some("36".to_owned())]);
}

#[test]
fn a_time_limit_is_the_users() {
    if !Server::is_there() {
        return;
    }
    let url = SERVER.url() + "?options=-c%20statement_timeout%3D200";
    let mut session = Postgres::connect_with(&url, |_| None).unwrap();
    let error = all(&mut session, "SELECT pg_sleep(60)").unwrap_err();
    assert!(error.to_string().contains("57014"), "{error}");
    assert!(error.fix().unwrap().to_string().contains("statement_timeout"));
}

/// The most memory that this process has held, in bytes.
#[cfg(target_os = "linux")]
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[test]
#[cfg(target_os = "linux")]
fn many_rows_stream() {
    if !Server::is_there() {
        return;
    }
    let mut session = session();
    let before = peak_memory();
    let mut rows = 0_u64;
    session
        .rows("SELECT generate_series(1, 100000), repeat('x', 2000)", &mut |cells| {
            rows += 1;
            assert_eq!(
                (cells[0].unwrap().parse::<u64>().unwrap(), cells[1].unwrap().len()),
                (rows, 2000)
            );
            Ok(())
        })
        .unwrap();
    assert_eq!(rows, 100_000);
    let held = peak_memory().saturating_sub(before);
    assert!(held < 50_000_000, "{held} bytes of 200 000 000");
}

#[test]
fn whoever_reads_rows_can_stop() {
    if !Server::is_there() {
        return;
    }
    let mut session = session();
    let mut seen = 0;
    let stopped = session.rows("SELECT generate_series(1, 10000000000)", &mut |_| {
        seen += 1;
        if seen == 3 { Err(suum_core::Error::data((), "enough")) } else { Ok(()) }
    });
    assert_eq!((stopped.unwrap_err().to_string().as_str(), seen), ("enough", 3));
    // The rest of the rows is not waited for, and the session is at its end.
    let error = all(&mut session, "SELECT 1").unwrap_err();
    assert!(error.to_string().contains("25P02"), "{error}");
}

#[test]
fn a_server_that_goes_away_is_noticed() {
    if !Server::is_there() {
        return;
    }
    let mut server = Server::start();
    let mut session = Postgres::connect_with(&server.url(), |_| None).unwrap();
    let mut seen = 0;
    let error = session.rows(
        "SELECT n, repeat('x', 9999) FROM generate_series(1, 1000000) AS n",
        &mut |_| {
            seen += 1;
            if seen == 10 {
                server.stop();
            }
            Ok(())
        },
    );
    let error = error.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    assert!(error.fix().is_some() && seen < 1_000_000);
    assert!(all(&mut session, "SELECT 1").is_err());
    let gone = Postgres::connect_with(&server.url(), |_| None).unwrap_err();
    assert!(gone.to_string().contains("no connection"), "{gone}");
}

#[test]
fn a_session_that_is_ended_says_so() {
    if !Server::is_there() {
        return;
    }
    let mut session = session();
    let process = column(&mut session, "SELECT pg_backend_pid()").remove(0).unwrap();
    SERVER.run(&format!("SELECT pg_terminate_backend({process});"));
    let error = all(&mut session, "SELECT 1").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    assert!(error.fix().is_some());
}

#[test]
fn debug_shows_the_server_only() {
    if !Server::is_there() {
        return;
    }
    let shown = format!("{:?}", session());
    assert!(
        shown.starts_with("Postgres { connection: Connection { server: ")
            && !shown.contains("staple"),
        "{shown}"
    );
}
