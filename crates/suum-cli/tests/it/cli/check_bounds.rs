//! The check of bounds: how many values lie at each, or beyond, beside an answer.

use std::fmt::Write;
use std::fs;

use rusqlite::Connection;
use serde_json::{Value, json as value};
use suum_testing::Server;
use tempfile::TempDir;

use super::common::{json, refused, stdout};

const TIERS: [&str; 4] = ["--privacy", "tier", "--levels", "strict=0.5,standard=2,public=inf"];
const BOUNDS: [&str; 4] = ["--value", "v", "--bounds", "0,20"];
const CHECK: [&str; 1] = ["--check-bounds"];
/// No noise, which only tests have.
const EXACT: [&str; 3] = ["--insecure-seed", "18446744073709551615", "--quiet"];
const NAMES: [&str; 3] = ["at or below 0", "between", "at or above 20"];

/// Values of 3000 people: 10 % are below 0, 5 % at 0, 20 % at 20 or above; some lack one in `w`.
struct Data(TempDir);

impl Data {
    fn new() -> Self {
        let data = Self(tempfile::tempdir().unwrap());
        let mut database = Connection::open(data.path("people.sqlite")).unwrap();
        let table = "CREATE TABLE people (v REAL, w REAL, tier TEXT, g TEXT, id TEXT)";
        database.execute(table, []).unwrap();
        // Each row alone would be written to the disk before the next.
        let rows = database.transaction().unwrap();
        let mut csv = String::from("v,w,tier,g,id\n");
        for at in 0..3000 {
            let v = match at % 20 {
                0 => "-1e300",
                1 => "-0.5",
                2 => "0",
                3 => "20",
                4 | 5 => "1e9",
                6 => "25",
                7 => "0.000001",
                8 => "19.9999",
                _ => "7",
            };
            let w = if at % 4 == 3 { "" } else { v };
            let (tier, g) =
                (["strict", "standard", "public"][at / 20 % 3], ["x", "y"][at / 60 % 2]);
            writeln!(csv, "{v},{w},{tier},{g},p{at}").unwrap();
            let insert = "INSERT INTO people VALUES (?1, NULLIF(?2, ''), ?3, ?4, ?5)";
            let row = [v, w, tier, g, &format!("p{at}")];
            rows.execute(insert, row).unwrap();
        }
        rows.commit().unwrap();
        fs::write(data.path("people.csv"), csv).unwrap();
        data
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn release(&self, statistic: &str, words: &[&str]) -> Value {
        let csv = self.path("people.csv");
        json(&[&[statistic, &csv][..], &TIERS, &EXACT, words].concat())
    }
}

/// The names of the places and the shares of them, to 9 digits.
fn shares(check: &Value) -> Vec<(String, f64)> {
    let shares = check["frequencies"].as_array().unwrap().iter();
    let share = |one: &Value| (one["estimate"].as_f64().unwrap() * 1e9).round() / 1e9;
    shares.map(|one| (one["category"].as_str().unwrap().to_owned(), share(one))).collect()
}

fn expected(shares: [f64; 3]) -> Vec<(String, f64)> {
    NAMES.iter().map(|name| (*name).to_owned()).zip(shares).collect()
}

fn spent(release: &Value, level: &str) -> f64 {
    let mut rows = release["privacy"].as_array().unwrap().iter();
    rows.find(|row| row["level"] == level).unwrap()["spent"].as_f64().unwrap()
}

#[test]
fn every_statistic_of_numbers_has_it_for_its_part_of_the_budgets() {
    let data = Data::new();
    for (statistic, words) in [
        ("mean", &[][..]),
        ("mean", &["--no-adapt", "--target", "dataset"]),
        ("mean", &["--group-by", "g", "--groups", "x,y"]),
        ("difference", &["--group-by", "g", "--groups", "x,y", "--between", "x,y"]),
        ("sum", &[]),
        ("quantile", &["--q", "0.5,0.9", "--step", "1"]),
        ("variance", &[]),
        ("summary", &["--statistic", "mean,q50"]),
    ] {
        let release = data.release(statistic, &[&BOUNDS, &CHECK[..], words].concat());
        let [answer, check] = &release["answers"].as_array().unwrap()[..] else { panic!() };
        assert_eq!(shares(check), expected([0.15, 0.65, 0.2]), "{statistic} {words:?}");
        assert_eq!((&check["checks_bounds"], &answer.get("checks_bounds")), (&value!(true), &None));
        let parts = [answer, check].map(|one| one["share"].as_f64().unwrap());
        assert!(parts[0] <= 0.95 && parts[0] > 0.949_999 && parts[1] <= 0.05, "{parts:?}");
        // What both cost together is within what is allowed.
        assert!(spent(check, "strict") <= 0.025 && spent(check, "strict") > 0.024, "{check}");
        let both = spent(&release, "strict");
        assert!(both <= 0.5 && both > 0.45 && both > spent(check, "strict"), "{statistic} {both}");
    }
    let more = data.release("mean", &[&BOUNDS[..], &["--check-bounds=0.25"]].concat());
    let parts = [0, 1].map(|at| more["answers"][at]["share"].as_f64().unwrap());
    assert_eq!((parts, &more["query"]["check_bounds"]), ([0.75, 0.25], &value!(0.25)));
    assert!(spent(&more["answers"][1], "strict") > 0.12);
}

#[test]
fn the_answer_is_the_one_of_its_part_alone() {
    let data = Data::new();
    let csv = data.path("people.csv");
    let release = data.release("mean", &[&BOUNDS[..], &CHECK, &["--no-adapt"]].concat());
    let part = release["answers"][0]["share"].as_f64().unwrap();
    // Without a check, of budgets that are as much smaller.
    let levels = format!("strict={},standard={},public=inf", 0.5 * part, 2.0 * part);
    let alone = ["mean", &csv, "--privacy", "tier", "--levels", &levels, "--no-adapt"];
    let alone = json(&[&alone[..], &BOUNDS, &EXACT].concat());
    for of in ["estimate", "interval", "error"] {
        assert_eq!(release["answers"][0][of], alone[of], "{of}");
    }
}

#[test]
fn missing_values_are_where_they_count_or_a_place_of_their_own() {
    let data = Data::new();
    let w = ["--value", "w", "--bounds", "0,20", "--check-bounds"];
    // Every fourth has no value.
    let with = |missing: &str| data.release("mean", &[&w[..], &["--missing", missing]].concat());
    let of = |release: &Value| shares(&release["answers"][1]);
    assert_eq!(of(&with("-3")), expected([0.4, 0.45, 0.15]));
    assert_eq!(of(&with("5")), expected([0.15, 0.7, 0.15]));
    assert_eq!(of(&with("99")), expected([0.15, 0.45, 0.4]));
    for relation in [&[][..], &["--neighbors", "add-remove"]] {
        let exclude = [&w[..], &["--missing", "exclude"], relation].concat();
        let left_out = data.release("mean", &exclude);
        let add_remove = if relation.is_empty() { "both" } else { "add-remove" };
        assert_eq!(left_out["neighbors"], add_remove);
        let found = of(&left_out);
        assert_eq!(found[3].0, "no value");
        for ((_, share), exact) in found.iter().zip([0.15, 0.45, 0.15, 0.25]) {
            assert!((share - exact).abs() < 2e-3, "{found:?}");
        }
        let csv = data.path("people.csv");
        let text = stdout(&[&["mean", &csv][..], &TIERS, &EXACT, &exclude].concat());
        assert!(
            text.contains("Without a value 25.") || text.contains("Without a value 24."),
            "{text}"
        );
    }
}

#[test]
fn every_source_and_form_has_it() {
    let data = Data::new();
    let (csv, sqlite, page) = (data.path("people.csv"), data.path("people.sqlite"), data.path("p"));
    let release = data.release("mean", &[&BOUNDS[..], &CHECK].concat());
    let asked = [&["mean", &sqlite, "--table", "people"], &TIERS[..], &EXACT, &BOUNDS, &CHECK];
    assert_eq!(json(&asked.concat())["answers"], release["answers"]);
    // Its query asks for the same.
    let file = data.path("release.json");
    fs::write(&file, release.to_string()).unwrap();
    assert_eq!(json(&["run", &file, &csv, "--quiet"]), release);
    assert!(stdout(&["verify", &file]).contains("It agrees"));
    let asked = [&["mean", &csv, "--report", &page], &TIERS[..], &EXACT, &BOUNDS, &CHECK].concat();
    let text = stdout(&asked);
    let said = [
        "Bounds checked with 5 % of every budget: at or below 0 15.",
        "Many are at or below 0, and at or above 20.",
    ];
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let page = fs::read_to_string(&page).unwrap();
    for said in said {
        assert!(plain(&text).contains(said) && plain(&page).contains(said), "{said}: {text}");
    }
    assert!(page.contains("The bounds of v, checked (5 % of every budget)"), "{page}");
    assert!(page.contains("--value v --bounds 0,20 --check-bounds=0.05"), "{page}");
    let explained = [&["mean", &csv, "--explain"], &TIERS[..], &EXACT, &BOUNDS, &CHECK].concat();
    let long = stdout(&explained);
    assert!(long.contains("The bounds of v, checked") && long.contains("What is guaranteed"));
    // Several answers, and one above which it is said of all.
    let toml = data.path("survey.toml");
    let said = "privacy = 'tier'\nlevels = 'strict=0.5,standard=2,public=inf'\nvalue = 'v'\n\
        bounds = [0, 20]\ncheck_bounds = true\ninsecure_seed = 3\n[[answers]]\nstatistic = 'mean'\n\
        [[answers]]\nstatistic = 'quantile'\ncheck_bounds = false\n";
    fs::write(&toml, said).unwrap();
    let survey = json(&["run", &toml, &csv, "--quiet"]);
    let checks = survey["answers"].as_array().unwrap().iter();
    let checks: Vec<bool> = checks.map(|one| one["checks_bounds"] == true).collect();
    assert_eq!((checks, &survey["shares"]), (vec![false, true, false], &value!("equal-errors")));
    let parts: Vec<f64> =
        (0..3).map(|at| survey["answers"][at]["share"].as_f64().unwrap()).collect();
    assert!((parts[1] / (parts[0] + parts[1]) - 0.05).abs() < 1e-9, "{parts:?}");
    assert!((parts.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{parts:?}");
    let text = stdout(&["run", &toml, &csv, "--quiet"]);
    assert!(text.contains("Answer 2: median of v"), "{text}");
}

/// Values at the bounds, next to them, and as far beyond as there are numbers.
#[test]
fn a_postgresql_server_finds_the_same_places() {
    if !Server::is_there() {
        return;
    }
    let data = Data::new();
    let values = ["-Infinity", "-1e300", "-1e-300", "0", "5e-324", "19.999999999999996", "20"];
    let values = values.iter().chain(&["20.000000000000004", "Infinity", "7"]);
    let rows: Vec<String> = values.map(|value| format!("{value},public")).collect();
    let text = format!("{}\n", rows.join("\n")).repeat(20);
    let csv = data.path("edges.csv");
    fs::write(&csv, format!("v,tier\n{text}").replace("Infinity", "inf")).unwrap();
    let server = Server::start();
    server.run("CREATE TABLE edges (v DOUBLE PRECISION, tier TEXT)");
    server.run(&format!("COPY edges FROM STDIN CSV;\n{text}\\.\n"));
    let asked = [&BOUNDS[..], &CHECK, &["--no-adapt"], &TIERS, &EXACT].concat();
    let of_file = json(&[&["mean", &csv][..], &asked].concat());
    assert_eq!(shares(&of_file["answers"][1]), expected([0.4, 0.3, 0.3]));
    let url = server.url();
    let of_server = json(&[&["mean", &url, "--table", "edges"][..], &asked].concat());
    assert_eq!(of_server["answers"], of_file["answers"]);
}

#[test]
fn plans_and_accounts_know_of_it() {
    let data = Data::new();
    let (csv, ledger) = (data.path("people.csv"), data.path("ledger"));
    let planned = ["plan", "--profile", "0.5:1000,2:1000,inf:1000", "--bounds", "0,20"];
    let plan = json(&[&planned[..], &CHECK].concat());
    assert_eq!(plan["answers"][1]["checks_bounds"], true);
    assert_eq!(plan["answers"][1]["statistic"], "frequency");
    let text = stdout(&[&["plan", &csv], &TIERS[..], &BOUNDS, &CHECK, &["--quiet"]].concat());
    assert!(text.contains("The bounds of v, checked (5 % of every budget)"), "{text}");
    let simulated = [&planned[..], &CHECK, &["--assume", "skewed"]].concat();
    assert!(json(&simulated)["answers"][0]["expected"].is_object());
    let init = ["ledger", "init", &ledger, "--dataset", "d", "--levels"];
    stdout(&[&init[..], &["strict=0.5,standard=2,public=inf"]].concat());
    let paid = ["--ledger", &ledger, "--spend", "10%", "--quiet", "--edition", "1"];
    let asked = [&["mean", &csv], &TIERS[..2], &BOUNDS, &CHECK, &paid[..]].concat();
    let release = json(&asked);
    let shown = json(&["ledger", "show", &ledger]);
    let strict = shown[0]["tiers"][0]["spent"].as_f64().unwrap();
    assert!(strict >= spent(&release, "strict") && strict <= 0.05, "{shown}");
    // The same edition costs nothing more.
    assert_eq!(json(&asked)["answers"], release["answers"]);
    assert_eq!(json(&["ledger", "show", &ledger])[0]["tiers"][0]["spent"], strict);
}

#[test]
fn what_has_no_bounds_to_check_is_refused() {
    let data = Data::new();
    let csv = data.path("people.csv");
    for (statistic, words, message) in [
        ("mean", &["--bounds", "auto", "--check-bounds"][..], "check-bounds: no bounds are"),
        ("mean", &["--bounds", "0,9", "--check-bounds=0"], "check-bounds: it is a part of"),
        ("mean", &["--bounds", "0,9", "--check-bounds=0.6"], "check-bounds: it is a part of"),
        ("mean", &["--check-bounds"], "bounds: no bounds are given"),
        (
            "sum",
            &["--bounds", "0,9", "--person", "id", "--check-bounds"],
            "check-bounds: the bounds are those of the total",
        ),
    ] {
        let asked = [&[statistic, &csv, "--value", "v"], &TIERS[..], words].concat();
        let (code, said) = refused(&asked);
        assert!(code == 1 && said.contains(message) && said.contains("hint"), "{said}");
    }
    let (code, said) = refused(&["mean", "--from-levels", "t.json", "--check-bounds"]);
    assert!(code == 1 && said.contains("check-bounds: it is a second answer"), "{said}");
    // What is wrong with the data is said as it is without.
    let wrong = data.path("wrong.csv");
    fs::write(&wrong, "v,tier\n1,strict\nmany,strict\n").unwrap();
    let asked = [&["mean", &wrong], &TIERS[..], &BOUNDS].concat();
    assert_eq!(refused(&[&asked[..], &CHECK].concat()), refused(&asked));
}

#[test]
fn a_mean_that_meets_a_bound_offers_it() {
    let data = Data::new();
    let csv = data.path("people.csv");
    let hint = "Bounds right? --check-bounds";
    let text = |bounds: &str| {
        let asked = ["mean", &csv, "--value", "v", "--bounds", bounds];
        stdout(&[&asked[..], &TIERS, &EXACT].concat())
    };
    // All values are below.
    let [beyond, within] = ["1e10,2e10", "0,20"].map(text);
    assert!(beyond.contains(hint), "{beyond}");
    assert!(!within.contains(hint), "{within}");
}

/// Codes of missing values end up at a bound; quantiles that show it ask about them.
#[test]
fn quantile_at_a_bound_asks_about_codes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("codes.csv").to_str().unwrap().to_owned();
    let rows: Vec<String> =
        (0..4000).map(|at| format!("{},a", if at % 5 == 0 { -9 } else { 18 + at % 60 })).collect();
    std::fs::write(&file, format!("age,t\n{}\n", rows.join("\n"))).unwrap();
    let asked = |statistic: &str, bounds: &str, more: &[&'static str]| {
        let file = file.as_str();
        let words = [statistic, file, "--value", "age", "--bounds", bounds, "--privacy", "t"];
        let more = [&["--levels", "a=1", "--step", "1", "--insecure-seed", "2"], more].concat();
        stdout(&[&words[..], &more].concat())
    };
    let question = "Much of the data lies at the lower bound 18: are there codes such as -9?";
    let text = asked("quantile", "18,100", &["--q", "0.1"]);
    let second = |text: &str| {
        let mut lines = text.lines().skip_while(|line| !line.starts_with("age"));
        lines.nth(1).unwrap().trim().to_owned()
    };
    assert!(second(&text).starts_with("Much of the data lies at the lower bound 18"), "{text}");
    let several = asked("quantile", "18,100", &["--q", "0.1,0.5"]);
    assert!(second(&several).contains("lies at the lower bound 18"), "{several}");
    let explained = asked("quantile", "18,100", &["--q", "0.1", "--explain"]);
    let explained = explained.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(explained.contains(question), "{explained}");
    // At 0 many people really are, and in the middle nobody asks.
    assert!(!asked("quantile", "0,100", &["--q", "0.1"]).contains("codes"));
    assert!(!asked("quantile", "18,100", &["--q", "0.5"]).contains("codes"));
    assert!(
        !asked("quantile", "18,100", &["--q", "0.1", "--null=-9", "--missing", "40"])
            .contains("codes")
    );
}
