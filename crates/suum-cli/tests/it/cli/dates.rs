//! Dates and times as values, bounds, bins and labels.

use std::fs;

use rusqlite::Connection;
use suum_testing::Server;
use tempfile::TempDir;

use super::common::{json, refused, release, stdout};

/// Days of 1970 and times of day; an exact answer, since all are public.
fn data(folder: &TempDir) -> String {
    let path = folder.path().join("visits.csv").to_str().unwrap().to_owned();
    let rows: String = (0..30)
        .map(|day| format!("1970-01-{:02},{:02}:30,{},inf\n", day + 1, day % 24, day % 2))
        .collect();
    fs::write(&path, format!("day,at,site,e\n{rows}")).unwrap();
    path
}

const JANUARY: [&str; 6] =
    ["--value", "day", "--bounds", "1970-01-01,1970-01-31", "--epsilon", "e"];

#[test]
fn a_mean_of_dates_is_a_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = data(&folder);
    let mean = [&["mean", &path][..], &JANUARY].concat();
    let text = stdout(&mean);
    assert!(text.starts_with("day  mean 1970-01-15  95 % interval 1970-01-10 to 1970-01-20\n"));
    assert!(text.contains("bounds 1970-01-01 to 1970-01-31"), "{text}");
    let explained = stdout(&[&mean[..], &["--explain"]].concat());
    assert!(explained.contains("standard deviation, in days"), "{explained}");
    let spread = explained.split_whitespace().collect::<Vec<_>>().join(" ");
    // Everybody is public, so it has no noise.
    let said = "The standard deviation of the values in the data is 8.80 days.";
    assert!(spread.contains(said), "{spread}");
    let release = json(&mean);
    assert_eq!(release["unit"], "days since 1970-01-01");
    assert!((release["estimate"].as_f64().unwrap() - 14.5).abs() < 1e-6);
    assert_eq!(release["iso8601"]["estimate"], "1970-01-15T12:00:00");
    assert!(release["iso8601"]["lower"].as_str().unwrap().starts_with("1970-01-10T"));
    assert_eq!(release["query"]["bounds"][1], "1970-01-31");
    let of_numbers = json(&["mean", &path, "--value", "site", "--bounds", "0,1", "--epsilon", "e"]);
    assert!(of_numbers.get("unit").is_none() && of_numbers.get("iso8601").is_none());
}

#[test]
fn pages_have_dates() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let path = data(&folder);
    stdout(&[&["mean", &path][..], &JANUARY, &["--report", page.to_str().unwrap()]].concat());
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains(">1970-01-15</data>"), "{page}");
    assert!(page.contains("1970-01-01 to 1970-01-31"));
}

#[test]
fn quantiles_bins_and_groups_are_dates() {
    let folder = tempfile::tempdir().unwrap();
    let path = data(&folder);
    let median = json(&[&["quantile", &path][..], &JANUARY, &["--step", "1"]].concat());
    let median = &median["quantiles"][0]["iso8601"]["estimate"];
    assert!(["1970-01-15", "1970-01-16"].contains(&median.as_str().unwrap()), "{median}");
    let bins = ["--value", "day", "--bins", "1970-01-01,1970-01-11,1970-01-31", "--epsilon", "e"];
    let shares = json(&[&["frequency", &path][..], &bins].concat());
    assert_eq!(shares["frequencies"][0]["category"], "[1970-01-01, 1970-01-11)");
    let grouped = ["--group-by", "day", "--groups", "1970-01-01", "--other-group", "later"];
    let of = ["--value", "site", "--bounds", "0,1", "--epsilon", "e"];
    let groups = json(&[&["mean", &path][..], &of, &grouped].concat());
    assert_eq!(groups["groups"][0]["group"], "1970-01-01");
    let times = ["--value", "at", "--bounds", "00:00,24:00", "--epsilon", "e"];
    let text = stdout(&[&["mean", &path][..], &times].concat());
    assert!(text.starts_with("at  mean 10:12  95 % interval "), "{text}");
}

#[test]
fn differences_and_deviations_are_days() {
    let folder = tempfile::tempdir().unwrap();
    let path = data(&folder);
    let by = ["--group-by", "site", "--groups", "0,1"];
    let text = stdout(&[&["difference", &path][..], &JANUARY, &by, &["--between", "1,0"]].concat());
    let said = "Mean of day: no clear difference between 1 and 0; 1 less 0 is 1 days (95 %";
    assert!(text.starts_with(said), "{text}");
    let text = stdout(&[&["variance", &path][..], &JANUARY].concat());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("Standard deviation: 8.8 days ("), "{text}");
    assert!(text.contains("Mean, measured with it: 1970-01-15"), "{text}");
}

#[test]
fn a_plan_says_its_error_in_days() {
    let plan = ["plan", "--profile", "1:100,inf:5", "--bounds", "2020-01-01,2024-12-31"];
    let text = stdout(&plan);
    assert!(text.contains("expected error 92.5 days\n"), "{text}");
    assert!(text.contains("105 records · bounds 2020-01-01 to 2024-12-31"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("plan.html");
    stdout(&[&plan[..], &["--report", page.to_str().unwrap()]].concat());
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("--bounds 2020-01-01,2024-12-31"), "the command to check it");
}

#[test]
fn missing_values_have_a_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.csv").to_str().unwrap().to_owned();
    fs::write(&path, "day,e\n1970-01-01,inf\n,inf\n").unwrap();
    let mean = [&["mean", &path][..], &JANUARY].concat();
    let replaced = [&mean[..], &["--missing", "1970-01-03"]].concat();
    assert!((json(&replaced)["estimate"].as_f64().unwrap() - 1.0).abs() < 1e-6);
    assert!(stdout(&replaced).contains("missing values as 1970-01-03"));
    let (_, said) = refused(&[&mean[..], &["--missing", "5"]].concat());
    assert!(said.contains("missing: expected a date or time like the bounds"), "{said}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = data(&folder);
    for (words, said) in [
        (&["sum", &path, "--value", "day", "--bounds", "1970-01-01,1970-01-31"][..], "have no sum"),
        (&["mean", &path, "--value", "day", "--bounds", "1970-01-01,5"], "expected two numbers"),
        (&["mean", &path, "--value", "day", "--bounds", "1970-01-31,1970-01-01"], "must be below"),
        (
            &["mean", &path, "--value", "day", "--bounds", "0,5"],
            "declare --bounds or --bins as dates",
        ),
        (
            &["mean", &path, "--value", "site", "--bounds", "1970-01-01,1970-01-02"],
            "row 1: not a date",
        ),
        (
            &["frequency", &path, "--value", "day", "--bins", "1970-01-01,5"],
            "edge 1 is not a number",
        ),
    ] {
        let (_, text) = refused(&[words, &["--epsilon", "e"]].concat());
        assert!(text.contains(said) && text.contains("hint: "), "{said}: {text}");
    }
}

#[test]
fn databases_give_the_release_of_their_csv() {
    let folder = tempfile::tempdir().unwrap();
    let path = data(&folder);
    let file = folder.path().join("visits.sqlite").to_str().unwrap().to_owned();
    let database = Connection::open(&file).unwrap();
    database.execute_batch("CREATE TABLE visits (day TEXT, at TEXT, site TEXT, e REAL)").unwrap();
    for line in fs::read_to_string(&path).unwrap().lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let row = (cells[0], cells[1], cells[2], f64::INFINITY);
        database.execute("INSERT INTO visits VALUES (?, ?, ?, ?)", row).unwrap();
    }
    let of = |data: &[&str], more: &[&str]| release(&[&["mean"], data, &JANUARY, more].concat());
    let of_table = [file.as_str(), "--table", "visits"];
    assert_eq!(of(&of_table, &[]), of(&[&path], &[]));
    let by = ["--group-by", "site", "--groups", "0,1"];
    assert_eq!(of(&of_table, &by), of(&[&path], &by));
    database.execute_batch("INSERT INTO visits VALUES (5, '10:00', '1', 1)").unwrap();
    let (_, said) = refused(&[&["mean"], &of_table[..], &JANUARY].concat());
    assert!(said.contains("column day") && said.contains("not a date or time"), "{said}");
    let sql = ["levels-sql", "--dialect", "duckdb", "--table", "visits"];
    let (_, said) = refused(&[&sql[..], &JANUARY].concat());
    assert!(said.contains("does not read dates") && said.contains("hint: "), "{said}");

    if !Server::is_there() {
        return;
    }
    let server = Server::start();
    server.run(
        "CREATE TABLE visits (day date, site text, e float8, seen timestamptz, at time);
         INSERT INTO visits SELECT DATE '1970-01-01' + n, (n % 2)::text, 'infinity',
             TIMESTAMPTZ '1970-01-01 02:00+02' + n * INTERVAL '1 day', TIME '07:30'
         FROM generate_series(0, 29) AS n;",
    );
    let url = server.url();
    let of_table = [url.as_str(), "--table", "visits"];
    assert_eq!(of(&of_table, &by), of(&[&path], &by));
    let seen = ["--value", "seen", "--bounds", "1970-01-01,1970-01-31", "--epsilon", "e"];
    let found = json(&[&["mean"], &of_table[..], &seen].concat());
    assert_eq!(found["iso8601"]["estimate"], "1970-01-15T12:00:00");
    let at = ["--value", "at", "--bounds", "00:00,24:00", "--epsilon", "e"];
    let found = json(&[&["mean"], &of_table[..], &at].concat());
    assert_eq!(found["iso8601"]["estimate"], "07:30:00");
}
