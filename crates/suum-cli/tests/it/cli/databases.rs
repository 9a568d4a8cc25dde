//! Equality of releases from a file and from a database. Each command is tried here; every kind of
//! column, on records that are hard to get right and in more engines, in
//! `python/tests/test_engines.py`.

use std::fs;
use std::path::Path;

use super::common::{RANDHIE, TIERS, VISITS, json, refused, stdout};
use rusqlite::Connection;
use suum_testing::Server;
use tempfile::TempDir;

/// The example as a table `survey` of a SQLite file.
fn survey() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("survey.sqlite");
    let mut file = Connection::open(&path).unwrap();
    file.execute_batch(
        "CREATE TABLE survey (visits INTEGER, health TEXT, privacy TEXT, site TEXT, id TEXT)",
    )
    .unwrap();
    let transaction = file.transaction().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (row, line) in fs::read_to_string(root.join(RANDHIE)).unwrap().lines().skip(1).enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let site = if row % 6 < 3 { "north" } else { "south" };
        transaction
            .execute(
                "INSERT INTO survey VALUES (?, ?, ?, ?, ?)",
                (
                    cells[0].parse::<i64>().unwrap(),
                    cells[2],
                    cells[4],
                    site,
                    format!("p{}", row % 9000 / 3),
                ),
            )
            .unwrap();
    }
    transaction.commit().unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

/// The table of a SQLite file as CSV.
fn as_csv(path: &str) -> String {
    let file = Connection::open(path).unwrap();
    let mut query = file.prepare("SELECT * FROM survey").unwrap();
    let mut text = String::from("visits,health,privacy,site,id\n");
    let mut rows = query.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let cell = |at: usize| row.get::<_, String>(at).unwrap();
        text += &format!(
            "{},{},{},{},{}\n",
            row.get::<_, i64>(0).unwrap(),
            cell(1),
            cell(2),
            cell(3),
            cell(4)
        );
    }
    let csv = format!("{path}.csv");
    fs::write(&csv, text).unwrap();
    csv
}

const HEALTH: [&str; 4] = ["--value", "health", "--categories", "excellent,good,fair,poor"];

/// The arguments of every command that reads records.
fn commands() -> Vec<Vec<&'static str>> {
    let seeded = ["--insecure-seed", "3"];
    let groups = ["--group-by", "site", "--groups", "north,south,west"];
    vec![
        [&["mean", "--person", "id"], &VISITS[..], &seeded].concat(),
        [&["mean", "--neighbors", "add-remove"], &VISITS[..], &seeded].concat(),
        [&["sum"], &VISITS[..], &seeded].concat(),
        [&["sum", "--person", "id"], &VISITS[..], &seeded].concat(),
        [&["sum", "--person", "id"], &VISITS[..], &groups, &seeded].concat(),
        [&["levels", "--quiet", "--person", "id", "--totals"], &VISITS[..]].concat(),
        [&["variance"], &VISITS[..], &seeded].concat(),
        [&["quantile", "--step", "1", "--q", "0.25,0.5"], &VISITS[..], &seeded].concat(),
        [&["summary", "--step", "1", "--person", "id", "--rows", "2"], &VISITS[..], &seeded]
            .concat(),
        [&["frequency"], &HEALTH[..], &groups, &seeded].concat(),
        [&["count"], &groups[..]].concat(),
        vec!["plan"],
        [&["levels", "--quiet", "--cells", "7"], &VISITS[..]].concat(),
    ]
}

#[test]
#[ignore = "takes seconds"]
fn a_sqlite_file_gives_the_release_of_its_csv() {
    let (_folder, path) = survey();
    let csv = as_csv(&path);
    let uri = format!("sqlite:{path}");
    for command in commands() {
        let of_file = stdout(&[&command[..], &TIERS, &[&csv]].concat());
        assert_eq!(
            stdout(&[&command[..], &TIERS, &[&path, "--table", "survey"]].concat()),
            of_file,
            "{command:?}"
        );
        let query = "SELECT * FROM survey WHERE 1";
        // It says besides that its rows come from a query.
        let of_query = stdout(&[&command[..], &TIERS, &[&uri, "--query", query]].concat());
        let marked = of_query.split_once("\"query\":\"screened\",\"query_columns\":{");
        let rest = marked.map(|(before, columns)| {
            let (_, after) = columns.split_once("},").unwrap();
            format!("{before}{after}")
        });
        let rest = rest.as_ref().unwrap_or(&of_query);
        let rest = rest.strip_prefix(&of_file).unwrap_or_else(|| panic!("{of_query}"));
        assert!(marked.is_some() || rest.starts_with("\nWhere the rows come from\n"));
    }
}

#[test]
fn a_printed_query_brings_the_same_release_back() {
    let (_folder, path) = survey();
    let groups = ["--group-by", "site", "--groups", "north,south,west"];
    let of_query: [Vec<&str>; 3] = [
        VISITS.to_vec(),
        [&HEALTH[..], &groups].concat(),
        [&["--person", "id"], &VISITS[..]].concat(),
    ];
    let releases: [Vec<&str>; 3] = [
        [&["variance"], &VISITS[..]].concat(),
        [&["frequency"], &HEALTH[..], &groups].concat(),
        [&["mean", "--person", "id"], &VISITS[..]].concat(),
    ];
    // A release from groups names them.
    let named: [&[&str]; 3] = [&[], &groups, &[]];
    for ((asked, release), named) in of_query.iter().zip(releases).zip(named) {
        let sql = stdout(
            &[&["levels-sql", "--dialect", "sqlite", "--table", "survey"], &asked[..], &TIERS]
                .concat(),
        );
        let file = Connection::open(&path).unwrap();
        let mut query = file.prepare(&sql).unwrap();
        let mut text = query.column_names().collect::<Vec<_>>().join(",");
        let mut rows = query.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let cells: Vec<String> = (0..9)
                .map(|at| {
                    row.get::<_, Option<String>>(at)
                        .unwrap()
                        .unwrap_or_default()
                        .replace('"', "\"\"")
                })
                .map(|cell| format!("\"{cell}\""))
                .collect();
            text += &format!("\n{}", cells.join(","));
        }
        let result = format!("{path}.result.csv");
        fs::write(&result, text).unwrap();
        let seeded = ["--insecure-seed", "3"];
        let brought_back =
            stdout(&[&[release[0], "--from-levels", &result], named, &seeded].concat());
        assert_eq!(
            brought_back,
            stdout(&[&release[..], &TIERS, &seeded, &[&path, "--table", "survey"]].concat())
        );
    }
}

#[test]
fn what_a_database_cannot_do_is_refused() {
    let (_folder, path) = survey();
    let table = [path.as_str(), "--table", "survey"];
    for (command, message) in [
        (
            [&["mean", &path], &VISITS[..]].concat(),
            "table: it is not said what to read of the database",
        ),
        (
            [&["mean", RANDHIE, "--table", "survey"], &VISITS[..]].concat(),
            "table: tables and queries are those of a database",
        ),
        (
            [&["mean", "--estimator", "sample"], &VISITS[..], &table].concat(),
            "estimator: sample is for study",
        ),
        (
            [&["mean", "--value", "health", "--bounds", "auto"], &table[..]].concat(),
            "column health: not a number",
        ),
        (
            [&["mean", "--value", "health", "--bounds", "0,1"], &table[..]].concat(),
            "column health: not a number",
        ),
        (
            [&["count"], &table[..], &["--group-by", "site", "--groups", "north,west"]].concat(),
            "column site: not a declared group",
        ),
        (vec!["levels-sql", "--dialect", "duckdb"], "table: it is not said what the query reads"),
        (
            [&["levels-sql", "--dialect", "duckdb"], &table[..]].concat(),
            "data: nothing is read to print a query",
        ),
    ] {
        let (code, said) = refused(&[&command[..], &TIERS].concat());
        assert_eq!(code, 1);
        assert!(
            said.starts_with(&format!("error: {message}")) && said.contains("\nhint: "),
            "{said}"
        );
    }
    let (code, _) =
        refused(&[&["levels-sql", "--dialect", "mysql", "--table", "survey"], &TIERS[..]].concat());
    assert_eq!(code, 2);
}

/// Also where its rows are read one by one: whoever trusts a query must know.
#[test]
fn that_rows_come_from_a_query_is_said() {
    let (_folder, path) = survey();
    let rows = "SELECT visits, privacy FROM survey WHERE site = 'north'";
    let of_query = [path.as_str(), "--query", rows, "--public-columns", "site"];
    for bounds in ["0,77", "auto"] {
        let command =
            [&["mean"], &of_query[..], &["--value", "visits", "--bounds", bounds], &TIERS];
        let text = stdout(&command.concat()).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("The rows were computed by a query."), "{bounds}: {text}");
    }
}

/// Persons with accounts are charged as if the rows of the table were in a file.
#[test]
fn accounts_of_persons_pay_for_a_database() {
    let (folder, path) = survey();
    let csv = as_csv(&path);
    let balances = [vec![path.as_str(), "--table", "survey"], vec![csv.as_str()]]
        .into_iter()
        .enumerate()
        .map(|(number, data)| {
            let ledger = folder.path().join(format!("ledger{number}"));
            let ledger = ledger.to_str().unwrap();
            let tiers = "strict=0.1,standard=1,relaxed=1,public=inf";
            let init = ["ledger", "init", ledger, "--dataset", "survey", "--persons", "--levels"];
            stdout(&[&init[..], &[tiers]].concat());
            let paid = ["--ledger", ledger, "--spend", "10%"];
            let people = ["--person", "id", "--privacy", "privacy"];
            for _ in 0..2 {
                let command = [&["mean"], &data[..], &VISITS, &people, &paid].concat();
                let release = json(&command);
                assert!(release["privacy"].as_array().unwrap().len() >= 2, "{release}");
            }
            stdout(&["ledger", "show", ledger]).replace(ledger, "LEDGER")
        });
    let balances: Vec<String> = balances.collect();
    let words = |text: &str| -> Vec<String> {
        // When it was is not the same, and how the data were named.
        let is_command = |line: &str| line.contains("suum mean") || line.contains("LEDGER");
        let same = |line: &&str| !line.contains("20") && !is_command(line);
        text.lines().filter(same).map(str::to_owned).collect()
    };
    assert_eq!(words(&balances[0]), words(&balances[1]));
    assert!(balances[0].contains("persons") || balances[0].contains("people"), "{}", balances[0]);
}

/// A table `survey` in a PostgreSQL server, as in a CSV file.
fn serve(csv: &str) -> Server {
    let server = Server::start();
    server
        .run("CREATE TABLE survey (visits INTEGER, health TEXT, privacy TEXT, site TEXT, id TEXT)");
    let records = fs::read_to_string(csv).unwrap();
    let (_header, records) = records.split_once('\n').unwrap();
    server.run(&format!("COPY survey FROM STDIN CSV;\n{records}\\.\n"));
    server
}

#[test]
fn a_postgresql_server_gives_the_release_of_its_csv() {
    if !Server::is_there() {
        return;
    }
    let (_folder, path) = survey();
    let csv = as_csv(&path);
    let server = serve(&csv);
    for command in commands() {
        let of_file = stdout(&[&command[..], &TIERS, &[&csv]].concat());
        let of_server =
            stdout(&[&command[..], &TIERS, &[&server.url(), "--table", "survey"]].concat());
        assert_eq!(of_server, of_file, "{command:?}");
    }
}

#[test]
fn a_ledger_keeps_no_password() {
    if !Server::is_there() {
        return;
    }
    let (_folder, path) = survey();
    let server = serve(&as_csv(&path));
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger").to_str().unwrap().to_owned();
    let levels = "strict=0.05,standard=0.3,relaxed=2,public=inf";
    stdout(&["ledger", "init", &ledger, "--dataset", "visits", "--levels", levels]);
    let url = server.tcp_url("ada:correct%3Ahorse%2Fbattery%40staple%25", "localhost");
    let of_ledger = ["--privacy", "privacy", "--ledger", &ledger, "--spend", "10%"];
    stdout(&[&["mean", &url, "--table", "survey"], &VISITS[..], &of_ledger].concat());
    let exported = stdout(&["ledger", "export", &ledger]);
    assert!(exported.contains("postgresql://ada:***@localhost"), "{exported}");
    assert!(!exported.contains("horse"));
    let secret = b"horse".as_slice();
    for file in fs::read_dir(folder.path()).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
    }
}

/// 2^53 + {1, 3, 1, 3}, of which no double is one.
#[test]
fn a_variance_of_large_integers_is_exact() {
    let rows = [1, 3, 1, 3].map(|above| format!("({}, 'open')", 9_007_199_254_740_992i64 + above));
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (csv, sqlite) = (path("large.csv"), path("large.sqlite"));
    let lines = rows.join("\n").replace(['(', ')', '\'', ' '], "");
    fs::write(&csv, format!("v,t\n{lines}\n")).unwrap();
    let statements = |kind: &str| {
        let rows = rows.join(", ");
        format!("CREATE TABLE large (v {kind}, t TEXT); INSERT INTO large VALUES {rows};")
    };
    Connection::open(&sqlite).unwrap().execute_batch(&statements("INTEGER")).unwrap();
    let asked = |bounds| {
        let of_value = ["--value", "v", "--bounds", bounds, "--privacy", "t"];
        [&["variance"], &of_value[..], &["--levels", "open=inf", "--target", "dataset"]].concat()
    };
    let narrow = asked("9007199254740992,9007199254740996");
    let expected = json(&[&narrow[..], &[&csv]].concat());
    assert_eq!(expected["estimate"], 1.0);
    let mut databases = vec![sqlite];
    let server = Server::is_there().then(Server::start);
    for kind in ["bigint", "numeric"].iter().filter(|_| server.is_some()) {
        let server = server.as_ref().unwrap();
        let schema = format!("CREATE SCHEMA of_{kind}; SET search_path = of_{kind}");
        server.run(&format!("{schema}; {}", statements(kind)));
        databases.push(format!("{}?options=-csearch_path%3Dof_{kind}", server.url()));
    }
    for database in &databases {
        let found = json(&[&narrow[..], &[database, "--table", "large"]].concat());
        assert_eq!(
            (&found["estimate"], &found["mean"]),
            (&expected["estimate"], &expected["mean"])
        );
        let missing = ["--missing", "9007199254740993"];
        let (code, errors) =
            refused(&[&narrow[..], &[database, "--table", "large"], &missing].concat());
        assert_eq!(code, 1, "{errors}");
        assert!(
            errors.contains("missing: the constant for missing cells is no double"),
            "{errors}"
        );
    }
}
