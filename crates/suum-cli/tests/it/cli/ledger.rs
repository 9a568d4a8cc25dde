//! Releases charged to a ledger, from the command line.

use std::fs;
use std::path::Path;
use std::process::{self, Stdio};

use super::common::{RANDHIE, json, refused, stdout, suum};
use serde_json::Value;

/// A folder with a ledger of the tiers of the example data.
struct Accounts {
    folder: tempfile::TempDir,
}

const LIFETIMES: &str = "strict=0.05,standard=0.3,relaxed=2,public=inf";

/// Options that spend all that is left.
const ALL: [&str; 2] = ["--spend", "100%"];

impl Accounts {
    fn for_tiers(levels: &str) -> Self {
        let accounts = Self { folder: tempfile::tempdir().unwrap() };
        stdout(&["ledger", "init", &accounts.path(), "--dataset", "visits", "--levels", levels]);
        accounts
    }

    fn for_persons(allow: &[&str]) -> Self {
        let accounts = Self { folder: tempfile::tempdir().unwrap() };
        let init = ["ledger", "init", &accounts.path(), "--dataset", "panel", "--persons"];
        stdout(&[&init[..], allow].concat());
        accounts
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn path(&self) -> String {
        self.folder.path().join("ledger").to_str().unwrap().to_owned()
    }

    /// A mean of visits, with further options.
    fn mean(&self, more: &[&str]) -> Value {
        json(&self.build_command("mean", more))
    }

    fn build_command<'a>(&self, command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let path: &'a str = Box::leak(self.path().into_boxed_str());
        let fixed =
            [command, RANDHIE, "--value", "visits", "--bounds", "0,77", "--privacy", "privacy"];
        let said = more.iter().any(|word| ["--spend", "--target-rmse"].contains(word));
        let spend: &[&str] = if said { &[] } else { &ALL };
        [&fixed[..], &["--ledger", path], spend, more].concat()
    }

    /// Budget that was charged to each tier, spent or still reserved.
    fn charged(&self) -> Vec<f64> {
        let shown = json(&["ledger", "show", &self.path()]);
        let tiers = shown[0]["tiers"].as_array().unwrap();
        tiers.iter().map(|tier| number(&tier["spent"]) + number(&tier["reserved"])).collect()
    }

    fn is_sound(&self) -> bool {
        json(&["ledger", "verify", &self.path()])["sound"] == true
    }
}

fn number(value: &Value) -> f64 {
    if value == "inf" { f64::INFINITY } else { value.as_f64().unwrap() }
}

/// Accounts of tiers but for ρ, of which a plan knows a bound.
fn without_rho(tiers: &Value) -> Value {
    let mut tiers = tiers.clone();
    for tier in tiers.as_array_mut().unwrap() {
        assert!(tier.as_object_mut().unwrap().remove("rho").is_some());
    }
    tiers
}

#[test]
fn budgets_are_what_is_left_and_run_out() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let asked =
        ["--levels", "strict=0.03,standard=0.1,relaxed=1,public=inf", "--estimator", "uniform"];
    let mut left = [0.05, 0.3];
    for _ in 0..2 {
        let release = accounts.mean(&asked);
        for (place, tier) in release["ledger"]["tiers"].as_array().unwrap()[..2].iter().enumerate()
        {
            let certified = number(&release["privacy"][place]["spent"]);
            let charged = number(&tier["spent"]);
            assert!(charged >= certified && charged < certified + 1.1e-6, "{tier}");
            assert!(certified <= left[place]);
            left[place] -= charged;
            assert!((number(&tier["left"]) - left[place]).abs() < 1e-9);
        }
    }
    assert!(left[0].abs() < 1e-9, "three and then two hundredths are all that strict people have");
    // Who has nothing left does not count, and the release says so.
    let after = accounts.mean(&asked[..2]);
    assert_eq!(after["privacy"][0]["epsilon"], 0.0);
    assert_eq!(
        (&after["ledger"]["exhausted"], &after["ledger"]["people"]),
        (&6835.into(), &20190.into())
    );
    let text = stdout(&accounts.build_command("mean", &asked[..2]));
    assert!(
        text.contains("6835 of 20190 records (33.9 %) have nothing left and do not count"),
        "{text}"
    );
    assert!(accounts.is_sound());
}

#[test]
fn without_levels_all_that_is_left_may_be_spent() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let release = accounts.mean(&["--spend", "50%", "--estimator", "proportional"]);
    // Proportional weights need no infinite budgets, so that one is refused; a share of the others
    // is not.
    assert!(
        release["privacy"]
            .as_array()
            .unwrap()
            .iter()
            .all(|tier| tier["epsilon"] == "inf"
                || number(&tier["spent"]) <= number(&tier["epsilon"]))
    );
    let charged = accounts.charged();
    assert!(charged[0] <= 0.025 && charged[1] <= 0.15 && charged[2] <= 1.0, "{charged:?}");
    let most = accounts.mean(&["--spend", "eps=0.01"]);
    // Whoever allows ∞ chose that.
    for tier in most["privacy"].as_array().unwrap().iter().filter(|tier| tier["epsilon"] != "inf") {
        assert!(number(&tier["spent"]) <= 0.01, "{tier}");
    }
    assert_eq!(most["privacy"][3]["epsilon"], "inf");
}

#[test]
fn instalments_are_equal_and_the_last_one_takes_the_rest() {
    let accounts = Accounts::for_tiers("strict=0.1,standard=0.3,relaxed=2,public=9");
    let third = ["--spend", "1/3", "--estimator", "proportional"];
    let spent = |release: &Value| {
        let tiers = release["ledger"]["tiers"].as_array().unwrap().clone();
        tiers.iter().take(3).map(|tier| number(&tier["spent"])).collect::<Vec<_>>()
    };
    let first = accounts.mean(&third);
    assert_eq!(spent(&first), [0.033333, 0.1, 0.666666]);
    for _ in 0..2 {
        assert_eq!(spent(&accounts.mean(&third)), spent(&first), "the last as large as the first");
    }
    // What rounding has left is less than an instalment.
    let text = stdout(&accounts.build_command("mean", &third));
    let rest = "strict: 0.033333 was asked for; 0.000001 was left, and all of it was taken";
    assert!(text.contains(rest) && !text.contains("standard: 0.1 was asked"), "{text}");
    // A share of what is left is another thing.
    let accounts = Accounts::for_tiers("strict=0.1,standard=0.3,relaxed=2,public=9");
    let half = ["--spend", "50%-of-left", "--estimator", "proportional"];
    assert_eq!(spent(&accounts.mean(&half)), [0.05, 0.15, 1.0]);
    assert_eq!(spent(&accounts.mean(&half)), [0.025, 0.075, 0.5]);
    let plan = ["--spend", "eps=0.03"];
    let path = accounts.path();
    let fixed = ["plan", RANDHIE, "--bounds", "0,77", "--privacy", "privacy", "--ledger", &path];
    let planned = json(&[&fixed[..], &plan].concat());
    assert_eq!(planned["ledger"]["tiers"][0]["instalment"], 0.03);
    assert!(planned["ledger"]["tiers"][1].get("instalment").is_none());
    let text = stdout(&[&fixed[..], &plan].concat());
    assert!(text.contains("strict: 0.03 was asked for; 0.025 was left, and all of it would be"));
    for bare in ["0.05", "1", "10"] {
        let (code, said) = refused(&accounts.build_command("mean", &["--spend", bare]));
        assert!(code == 1 && said.contains("spend: a number alone does not say"), "{said}");
        for form in ["--spend 10%", "--spend 1/12", "--spend 10%-of-left", "--spend eps=0.05"] {
            assert!(said.contains(form), "{said}");
        }
    }
}

#[test]
fn persons_who_give_the_rest_are_counted() {
    let accounts = Accounts::for_persons(&["--allow", "own"]);
    let path = accounts.path();
    let data = accounts.file("data.csv", "id,e,v\na,0.3,1\nb,0.9,2\nc,inf,3\nd,3,4\n");
    let mean = ["mean", &data, "--value", "v", "--bounds", "0,10", "--epsilon", "e"];
    let charged = ["--person", "id", "--ledger", &path, "--estimator", "affine"];
    let mean = [&mean[..], &charged, &["--spend", "eps=0.5"]].concat();
    let release = json(&mean);
    assert_eq!(release["ledger"]["persons"]["rest"], 1);
    let text = stdout(&mean);
    assert!(text.contains("had less left than was asked for: all that was left was taken"));
    // Under the headline stands who is left out.
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, _) = said.split_once("allowed ε").unwrap();
    assert!(before.starts_with("v mean"), "{text}");
    assert!(
        before.contains("1 of 4 people (25.0 %) has nothing left and does not count."),
        "{text}"
    );
    // With all that there is to say it is the second line.
    let text = stdout(&[&mean[..], &["--explain"]].concat());
    let second = text.lines().nth(1).unwrap();
    assert!(second.contains(" people have nothing left and do not count."), "{text}");
}

#[test]
fn what_was_released_is_shown_and_exported() {
    let accounts = Accounts::for_tiers("strict=0.1,standard=0.4,relaxed=2,public=inf");
    let path = accounts.path();
    let groups = ["--group-by", "privacy_correlated"];
    let groups = [&groups[..], &["--groups", "strict,standard,relaxed,public"]].concat();
    let first = accounts.mean(&["--spend", "1/4", "--estimator", "uniform"]);
    accounts.mean(&[&groups[..], &["--spend", "1/4", "--estimator", "uniform"]].concat());
    let shown = json(&["ledger", "show", &path]);
    let releases = shown[0]["releases"].as_array().unwrap();
    assert_eq!(releases[0]["statistic"], "mean");
    assert_eq!(releases[0]["column"], "visits");
    assert_eq!(releases[0]["suum"], env!("CARGO_PKG_VERSION"));
    assert_eq!(releases[1]["group_by"], "privacy_correlated");
    assert_eq!(releases[1]["groups"][3], "public");
    // What each tier was charged, by its name.
    for (place, tier) in first["ledger"]["tiers"].as_array().unwrap().iter().enumerate() {
        let cost = &releases[0]["costs"][place];
        assert_eq!((&cost["level"], &cost["spent"]), (&tier["level"], &tier["spent"]));
    }
    // What was left after each entry: reserved, then settled for what it cost.
    let left = shown[0]["left_over_time"][0]["left"].as_array().unwrap();
    assert_eq!(left.len(), 4, "{left:?}");
    assert_eq!(left[0][2], 0.075);
    let tier = &shown[0]["tiers"][0];
    assert_eq!((&left[3][0], &left[3][2]), (&6.into(), &tier["left"]));
    // Its command asks for the same again.
    let text = stdout(&["ledger", "show", &path]);
    let said = format!("entry 3: mean of visits, suum {}, settled", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&said), "{text}");
    assert!(text.contains("    strict: 0.025 each\n") && text.contains("Left to each tier, on 2"));
    assert!(text.contains("  strict    ▆▅  50 %\n"), "{text}");
    assert!(text.contains("    suum mean DATA --value visits --bounds 0,77 --privacy privacy "));
    assert!(text.contains("--ledger LEDGER --spend 1/4\n"), "{text}");
    let lines = stdout(&["ledger", "export", &path]);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[2]["released"]["statistic"], "mean");
    assert_eq!(lines[2]["left"][0], serde_json::json!({"level": "strict", "left": 0.075}));
    assert!(lines[1].get("left").is_none() && lines[3].get("released").is_none());
    assert_eq!(lines[5]["left"][0]["left"], tier["left"]);
}

/// The page of a ledger has what its text has, and what was left as a line for each tier.
#[test]
fn a_ledger_has_a_page() {
    let accounts = Accounts::for_tiers("strict=0.1,<b>=0.4,public=inf");
    let path = accounts.path();
    let data = "v,p\n".to_owned() + &"1,strict\n0,<b>\n".repeat(40);
    let data = accounts.file("data.csv", &data);
    let mean = ["mean", &data, "--value", "v", "--bounds", "0,1", "--privacy", "p"];
    let charged = ["--ledger", &path, "--spend", "1/4", "--estimator", "uniform"];
    json(&[&mean[..], &charged].concat());
    json(&[&mean[..], &charged].concat());
    let file = |name: &str| accounts.folder.path().join(name).to_str().unwrap().to_owned();
    let page = file("page.html");
    let text = stdout(&["ledger", "show", &path, "--report", &page]);
    let html = fs::read_to_string(&page).unwrap();
    let heading = text.lines().find(|line| line.starts_with("Left to each tier, ")).unwrap();
    assert_eq!(html.matches(heading).count(), 2, "as heading and as name of the drawing");
    assert!(html.contains("mean of v, suum ") && html.contains("Columns, values protected: v"));
    assert!(!html.contains("<b>") && html.contains("&lt;b&gt;"));
    // Down by what each release cost; reservations in between are not drawn.
    let drawing = html.split("<div class=\"rows\"").nth(1).unwrap();
    let drawing = drawing.split("</div>").next().unwrap();
    let word = |line: &str, name: &str| {
        line.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    let lines = drawing.split("<line").skip(1).filter(|line| line.contains("\"extent\""));
    let lines: Vec<&str> = lines.collect();
    let heights: Vec<String> = lines
        .iter()
        .filter(|line| word(line, "y1") == word(line, "y2"))
        .map(|line| word(line, "y1"))
        .collect();
    assert_eq!(heights.len(), 2 * 3, "two tiers with an end, two releases and a beginning");
    assert_eq!(heights[..3], ["6", "17", "28"], "{heights:?}");
    // Each tier has a column, and the chart has a date.
    for tier in ["strict", "&lt;b&gt;", "public"] {
        assert!(html.contains(&format!("class=\"number\"><bdi>{tier}</bdi></th>")), "{tier}");
    }
    assert!(drawing.contains(&text[text.find(", on 2").unwrap() + 5..][..10]), "{drawing}");
    assert!(drawing.contains("50 %"), "{drawing}");
    // No file is replaced, and one dataset is enough.
    assert!(refused(&["ledger", "show", &path, "--report", &page]).1.contains("not replaced"));
    let one = file("one.html");
    stdout(&["ledger", "show", &path, "--dataset", "visits", "--report", &one]);
    assert_eq!(fs::read_to_string(&one).unwrap(), html);
}

#[test]
fn tiers_of_persons_are_shown_by_name() {
    let accounts = Accounts::for_persons(&["--levels", "low=0.2,high=2"]);
    let path = accounts.path();
    let rows = |id: usize| format!("p{id},{},{}\n", ["low", "high"][id % 2], id % 10);
    let rows: String = (0..300).map(rows).collect();
    let data = accounts.file("data.csv", &format!("id,p,v\n{rows}"));
    let mean = ["mean", &data, "--value", "v", "--bounds", "0,10", "--privacy", "p"];
    let charged = ["--person", "id", "--ledger", &path, "--estimator", "affine", "--spend", "1/2"];
    json(&[&mean[..], &charged].concat());
    let release = json(&["ledger", "show", &path])[0]["releases"][0].clone();
    for (cost, level) in release["costs"].as_array().unwrap().iter().zip(["low", "high"]) {
        assert_eq!((&cost["level"], &cost["persons"]), (&level.into(), &150.into()));
    }
    let text = stdout(&["ledger", "show", &path]);
    assert!(text.contains("    low, 150 persons: 0.1 each\n"), "{text}");
    assert!(text.contains("Left to everybody of a tier at least, on 2"), "{text}");
}

#[test]
fn an_edition_is_answered_once_and_shown_again() {
    let accounts = Accounts::for_tiers("strict=0.1,standard=0.4,relaxed=2,public=inf");
    let path = accounts.path();
    let randhie = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/randhie.csv");
    let file = fs::read_to_string(randhie).unwrap();
    let data = accounts.file("data.csv", &file);
    let mean = ["mean", &data, "--value", "visits", "--bounds", "0,77", "--privacy", "privacy"];
    let mean = [&mean[..], &["--ledger", &path, "--spend", "15%"]].concat();
    let of = |more: &[&'static str]| [&mean[..], more].concat();
    let march = ["--edition", "2026-03"];
    let first = json(&of(&march));
    let charged = accounts.charged();
    let entries = || json(&["ledger", "verify", &path])["entries"].clone();
    assert_eq!(entries(), 4);
    // Other data under the same label: nobody looks at them, and nobody pays.
    fs::write(&data, "visits,privacy\n1,strict\n").unwrap();
    let again = json(&of(&march));
    for key in ["estimate", "interval", "privacy", "measurements", "error", "query"] {
        assert_eq!(again[key], first[key], "{key}");
    }
    let shown = &again["ledger"]["shown_again"];
    assert_eq!(shown["edition"], "2026-03");
    assert_eq!(shown["suum"], env!("CARGO_PKG_VERSION"));
    assert!(again.get("text").is_none() && again["ledger"]["entry"] == 3);
    fs::remove_file(&data).unwrap();
    let text = stdout(&of(&march));
    let when = shown["at"].as_str().unwrap();
    let said = format!("\nReleased at {when} as edition 2026-03; shown again, nobody pays.\n");
    assert!(text.starts_with("visits  mean ") && text.contains(&said), "{text}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("whether the data have changed since was not looked at"), "{text}");
    // How much may be spent and where the data are is no part of the question.
    let other = ["mean", "elsewhere.csv", "--value", "visits", "--bounds", "0,77"];
    let other = [&other[..], &["--privacy", "privacy", "--ledger", &path]].concat();
    let other = [&other[..], &["--spend", "1/3", "--dataset", "visits"], &march].concat();
    assert_eq!(json(&other)["estimate"], first["estimate"]);
    let checked =
        accounts.file("again.json", &stdout(&[&of(&march)[..], &["--format", "json"]].concat()));
    assert!(stdout(&["verify", &checked]).contains("agree"));
    assert_eq!((accounts.charged(), entries()), (charged.clone(), 4.into()));
    // Another edition, another query, no edition, or --again: a new release, which pays.
    fs::write(&data, file).unwrap();
    for more in [
        &["--edition", "2026-04"][..],
        &["--edition", "2026-03", "--confidence", "0.9"],
        &[],
        &["--edition", "2026-03", "--again"],
    ] {
        let before = accounts.charged();
        let release = json(&of(more));
        assert!(release["ledger"].get("shown_again").is_none());
        assert!(accounts.charged()[1] > before[1], "{more:?}");
    }
    // The newest one is shown, also where nobody has anything left.
    let newest = json(&of(&march));
    assert_ne!(newest["estimate"], first["estimate"]);
    assert_eq!(newest["ledger"]["entry"], 11);
    let (code, said) = refused(&of(&["--again"]));
    assert!(code == 2 && said.contains("--edition"), "{said}");
    assert!(accounts.is_sound());
}

/// The page of an answer that is shown again is that of its release, with the date of that, and
/// with the accounts left out, which have changed since.
#[test]
fn an_edition_has_its_page_again() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let page = |name: &str, more: &[&str]| {
        let path = accounts.folder.path().join(name).to_str().unwrap().to_owned();
        let edition = ["--spend", "10%", "--edition", "a", "--report", &path];
        let said = accounts.mean(&[&edition, more].concat());
        (said, fs::read_to_string(path).unwrap())
    };
    let (first, first_page) = page("first.html", &[]);
    let (again, again_page) = page("again.html", &[]);
    assert_eq!(first["estimate"], again["estimate"]);
    let at = again["ledger"]["shown_again"]["at"].as_str().unwrap();
    let notice = format!("Released at {at} as edition a; shown again, nobody pays.");
    assert!(again_page.contains(&notice) && !first_page.contains("shown again"));
    assert!(again_page.contains("whether the data have changed since was not looked at"));
    assert!(!again_page.contains("part that is left"), "accounts of then are not those of now");
    // The answer, its error and its method are the same, to the last character.
    for id in ["error", "tiers", "guarantee", "method"] {
        let section = |page: &str| {
            let start = page.find(&format!("<section id=\"{id}\"")).unwrap();
            let end = start + page[start..].find("</section>").unwrap();
            page[start..end].to_owned()
        };
        assert_eq!(section(&first_page), section(&again_page), "{id}");
    }
    // A release of an older suum has stored none: the answer is there all the same.
    let path = accounts.path();
    let mut ledger = suum::ledger::Ledger::open(&path).unwrap();
    let record = ledger.history("visits").unwrap().remove(0);
    let mut old = record.certificate.unwrap();
    assert!(old.as_object_mut().unwrap().remove("page").unwrap().is_object());
    let charges = suum::ledger::Charges::Tiers(Vec::new());
    let columns = suum::ledger::Columns::default();
    let reserved = ledger.reserve("visits", &charges, &columns, &record.plan).unwrap();
    let ((), drawn) = reserved.draw(|_| Ok(())).unwrap();
    drawn.settle(suum::ledger::FinalCost::AsReserved, &old).unwrap();
    drop(ledger);
    let page = path + ".html";
    let asked =
        accounts.build_command("mean", &["--spend", "10%", "--edition", "a", "--report", &page]);
    let output = suum(&asked).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("report: the suum that stored this answer has stored no page"), "{said}");
    assert!(!output.stdout.is_empty() && !Path::new(&page).exists());
}

/// A program that runs beside the test.
fn started(arguments: &[&str]) -> process::Command {
    let mut command = process::Command::new(env!("CARGO_BIN_EXE_suum"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).args(arguments);
    command
}

#[test]
fn one_of_the_processes_that_ask_for_an_edition_at_once_pays() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let asked =
        accounts.build_command("mean", &["--spend", "10%", "--edition", "a", "--format", "json"]);
    let started = [(); 3].map(|()| started(&asked).stdout(Stdio::piped()).spawn().unwrap());
    let answers = started.map(|child| {
        let output = child.wait_with_output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    });
    let paid = answers.iter().filter(|one| one["ledger"].get("shown_again").is_none()).count();
    assert_eq!(paid, 1);
    assert!(answers.iter().all(|one| one["estimate"] == answers[0]["estimate"]));
    let shown = json(&["ledger", "show", &accounts.path()]);
    assert_eq!(shown[0]["releases"].as_array().unwrap().len(), 1);
}

/// Whoever asks for what somebody else is making waits; whoever asks for something else does not.
#[test]
fn a_release_of_an_edition_waits_for_the_same_one_alone() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let edition = |label: &'static str| ["--spend", "10%", "--edition", label, "--quiet"];
    let asked = accounts.build_command("mean", &edition("a"));
    // One whose data are still to come.
    let piped = [&["mean", "-"], &asked[2..]].concat();
    let mut first = started(&piped).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let has_turn = || {
        let names = fs::read_dir(accounts.folder.path()).unwrap();
        names.flatten().any(|one| one.file_name().to_string_lossy().contains(".turn-"))
    };
    while !has_turn() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let named = [&asked[..], &["--dataset", "visits"]].concat();
    let mut second = started(&named).stdout(Stdio::piped()).spawn().unwrap();
    // Another edition, another query: both are answered meanwhile.
    accounts.mean(&edition("b"));
    accounts.mean(&[&edition("a")[..], &["--confidence", "0.9"]].concat());
    assert!(first.try_wait().unwrap().is_none() && second.try_wait().unwrap().is_none());
    let data = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../", "examples/randhie.csv"));
    let mut input = first.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, &data.unwrap()).unwrap();
    drop(input);
    assert!(first.wait().unwrap().success());
    let said = second.wait_with_output().unwrap();
    assert!(String::from_utf8(said.stdout).unwrap().contains("shown again, nobody pays"));
    assert!(!has_turn());
}

/// A crash between the reservation and the settlement leaves an edition without an answer.
#[test]
fn an_edition_that_was_not_settled_has_no_answer() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let path = accounts.path();
    let edition = ["--spend", "10%", "--edition", "a"];
    accounts.mean(&edition);
    let lines = stdout(&["ledger", "export", &path]);
    let mut entry: Value = serde_json::from_str(lines.lines().nth(2).unwrap()).unwrap();
    entry["document"]["job"]["edition"] = "b".into();
    let mut ledger = suum::ledger::Ledger::open(&path).unwrap();
    let charges = suum::ledger::Charges::Tiers(Vec::new());
    let columns = suum::ledger::Columns::default();
    drop(ledger.reserve("visits", &charges, &columns, &entry["document"]).unwrap());
    drop(ledger);
    let other = accounts.mean(&["--spend", "10%", "--edition", "b"]);
    assert!(other["ledger"].get("shown_again").is_none());
    assert!(accounts.mean(&edition)["ledger"].get("shown_again").is_some());
    let shown = json(&["ledger", "show", &path]);
    assert_eq!(shown[0]["releases"][0]["edition"], "a");
}

#[test]
fn groups_and_hidden_participation_have_editions_too() {
    let accounts = Accounts { folder: tempfile::tempdir().unwrap() };
    let path = accounts.path();
    let init = ["ledger", "init", &path, "--dataset", "d", "--levels", LIFETIMES];
    stdout(&[&init[..], &["--neighbors", "add-remove"]].concat());
    let add_remove = ["--neighbors", "add-remove", "--spend", "10%", "--edition", "a"];
    let first = accounts.mean(&add_remove);
    let again = accounts.mean(&add_remove);
    assert_eq!(first["estimate"], again["estimate"]);
    assert_eq!(again["ledger"]["sealed"], true);
    let accounts = Accounts::for_tiers(LIFETIMES);
    let groups = ["--group-by", "health", "--groups", "excellent,good", "--other-group", "others"];
    let groups = [&groups[..], &["--spend", "10%", "--edition", "a"]].concat();
    let (first, again) = (accounts.mean(&groups), accounts.mean(&groups));
    assert_eq!(first["groups"], again["groups"]);
    assert!(stdout(&accounts.build_command("mean", &groups)).contains("shown again"));
}

/// Forty releases of 0.05 cost 2 together, and as (ε, δ) with δ = 10⁻⁶ only 1.46; so accounts of
/// (2, 10⁻⁶) let more of them run than accounts of 2.
#[test]
#[ignore = "takes seconds"]
fn many_small_releases_cost_less_with_a_delta() {
    let data = "v,p\n".to_owned() + &"1,a\n0,b\n".repeat(40);
    let count = |delta: &[&str]| {
        let accounts = Accounts { folder: tempfile::tempdir().unwrap() };
        let path = accounts.path();
        let init = ["ledger", "init", &path, "--dataset", "d", "--levels", "a=2,b=2"];
        stdout(&[&init[..], delta].concat());
        let data = accounts.file("data.csv", &data);
        let mean = ["mean", &data, "--value", "v", "--bounds", "0,1", "--privacy", "p"];
        let charged = ["--ledger", &path, "--spend", "eps=0.05", "--estimator", "uniform"];
        let mean = [&mean[..], &charged, &["--format", "json"]].concat();
        let most = 60;
        let done = (0..most).take_while(|_| suum(&mean).output().unwrap().status.success()).count();
        assert!(accounts.is_sound());
        (done, json(&["ledger", "show", &path])[0].clone(), stdout(&["ledger", "show", &path]))
    };
    let (releases, shown, text) = count(&[]);
    assert_eq!(releases, 40);
    let tier = &shown["tiers"][0];
    assert_eq!((&tier["spent"], &tier["left"]), (&2.0.into(), &0.0.into()));
    let total = number(&tier["total"]);
    assert!(total > 1.4 && total < 1.5, "{total}");
    assert!(text.contains("Spent in all, as (ε, δ) with δ = 1e-6\n  a: ε = 1.4"), "{text}");
    let (releases, shown, text) = count(&["--delta", "1e-6"]);
    let tier = &shown["tiers"][0];
    assert!(releases > 50 && number(&tier["total"]) <= 2.0, "{releases}");
    assert_eq!((&shown["delta"], &shown["allowed_with_delta"]), (&1e-6.into(), &true.into()));
    assert!(text.contains("What people allow is the ε of (ε, δ), with δ = 1e-6."), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("l").to_str().unwrap().to_owned();
    let init = ["ledger", "init", &path, "--dataset", "d", "--levels", "a=1", "--delta", "0.5"];
    assert!(refused(&init).1.contains("delta: expected a number above 0 and at most 0.001"));
}

#[test]
fn persons_allow_epsilon_and_delta() {
    let accounts = Accounts::for_persons(&["--levels", "low=1,high=3", "--delta", "1e-6"]);
    let path = accounts.path();
    let rows = |id: usize| format!("p{id},{},{}\n", ["low", "high"][id % 2], id % 10);
    let rows: String = (0..300).map(rows).collect();
    let data = accounts.file("data.csv", &format!("id,p,v\n{rows}"));
    let mean = ["mean", &data, "--value", "v", "--bounds", "0,10", "--privacy", "p"];
    let charged = ["--person", "id", "--ledger", &path, "--estimator", "affine"];
    let mean = [&mean[..], &charged, &["--spend", "1/100"]].concat();
    let first = json(&mean);
    // A hundred instalments of ρ are larger than those of ε.
    let most = number(&first["ledger"]["persons"]["most"]);
    assert!(number(&first["privacy"][0]["epsilon"]) > 0.02, "{most}");
    for _ in 0..4 {
        assert_eq!(json(&mean)["privacy"][0]["epsilon"], first["privacy"][0]["epsilon"]);
    }
    let shown = json(&["ledger", "show", &path])[0].clone();
    let groups = shown["persons"]["groups"].as_array().unwrap();
    assert_eq!((&groups[0]["level"], &groups[0]["persons"]), (&"low".into(), &150.into()));
    assert!(number(&groups[0]["left"]) > 0.85 && number(&groups[0]["rho"]) > 0.0);
    let text = stdout(&["ledger", "show", &path]);
    assert!(text.contains("  low: 150 have spent 0."), "{text}");
    assert!(accounts.is_sound());
}

/// Sums with discrete Laplace noise have the ρ of such noise, quantiles that of their ε, and with
/// both kinds of neighbours two groups cost together what each costs.
#[test]
fn rho_follows_from_the_measurements_of_a_release() {
    let accounts = Accounts::for_tiers("strict=1,standard=3,relaxed=9,public=9");
    let rho = |release: &Value| number(&release["ledger"]["tiers"][0]["rho"]);
    let of_noise = |epsilon: f64| epsilon + (-epsilon).exp_m1();
    let spend = ["--spend", "eps=0.25"];
    let mean = accounts.mean(&[&spend[..], &["--estimator", "uniform"]].concat());
    assert_eq!(number(&mean["privacy"][0]["spent"]), 0.25);
    assert!((rho(&mean) - of_noise(0.25)).abs() < 1e-11, "{}", rho(&mean));
    let median =
        json(&accounts.build_command("quantile", &[&spend[..], &["--step", "1"]].concat()));
    let epsilon = number(&median["privacy"][0]["spent"]);
    // Several choices, each with a part of the budget.
    assert!(rho(&median) <= epsilon * (epsilon / 2.0).tanh() + 1e-11, "{}", rho(&median));
    assert!(rho(&median) >= epsilon * epsilon / 9.0, "{}", rho(&median));
    let both = Accounts { folder: tempfile::tempdir().unwrap() };
    let path = both.path();
    let levels = "strict=1,standard=3,relaxed=9,public=9";
    let init = ["ledger", "init", &path, "--dataset", "d", "--levels", levels];
    stdout(&[&init[..], &["--neighbors", "both"]].concat());
    let groups = ["--group-by", "health", "--groups", "excellent,good", "--other-group", "others"];
    let groups = [&groups[..], &["--neighbors", "both", "--spend", "eps=0.25"]].concat();
    let release = both.mean(&groups);
    let one = number(&release["groups"][0]["privacy"][0]["spent"]);
    let shown = json(&["ledger", "show", &path]);
    let tier = &shown[0]["tiers"][0];
    assert!((number(&tier["spent"]) - 2.0 * one).abs() < 1e-5, "{tier}");
    assert!(number(&tier["rho"]) <= 2.0 * of_noise(one) * 1.01, "{tier}");
    assert!(number(&tier["rho"]) >= of_noise(one), "{tier}");
}

#[test]
fn every_statistic_is_charged() {
    let accounts = Accounts::for_tiers("strict=1,standard=10,relaxed=100,public=inf");
    let table = accounts.folder.path().join("table.json");
    let levels = ["--levels", "strict=1,standard=10,relaxed=100,public=inf", "--quiet"];
    let fixed =
        ["levels", RANDHIE, "--value", "visits", "--bounds", "0,77", "--privacy", "privacy"];
    fs::write(&table, stdout(&[&fixed[..], &levels].concat())).unwrap();
    let path = accounts.path();
    let table =
        ["mean", "--from-levels", table.to_str().unwrap(), "--ledger", &path, "--spend", "2%"];
    let health =
        ["--value", "health", "--categories", "excellent,good,fair,poor", "--privacy", "privacy"];
    let frequency =
        [&["frequency", RANDHIE][..], &health, &["--ledger", &path, "--spend", "2%"]].concat();
    // The groups are published, and the shares of health protected.
    let groups = ["--group-by", "privacy_correlated", "--groups", "strict,standard,relaxed,public"];
    let of = |command, more: &[&'static str]| {
        accounts.build_command(command, &[more, &["--spend", "2%"]].concat())
    };
    let charged = ["--ledger", &path, "--spend", "2%"];
    let unbounded =
        ["mean", RANDHIE, "--value", "visits", "--bounds", "auto", "--privacy", "privacy"];
    for (command, private) in [
        (of("mean", &[]), true),
        (of("sum", &[]), true),
        (of("mean", &groups), true),
        (of("quantile", &["--step", "1"]), true),
        (of("variance", &[]), true),
        (of("summary", &["--step", "1"]), true),
        (frequency, true),
        (table.to_vec(), true),
        ([&unbounded[..], &charged].concat(), true),
        ([&["count", RANDHIE, "--privacy", "privacy"][..], &charged].concat(), false),
    ] {
        let before = accounts.charged();
        let release = json(&command);
        let after = accounts.charged();
        if !private {
            assert_eq!(before, after, "{command:?}");
            continue;
        }
        let tiers = release["ledger"]["tiers"].as_array().unwrap();
        for (place, tier) in tiers.iter().enumerate() {
            assert!(
                (after[place] - before[place] - number(&tier["spent"])).abs() < 1e-6,
                "{command:?}"
            );
        }
        assert!(after[0] > before[0] && after[0] <= before[0] + 0.02 + 1e-9, "{command:?}");
    }
    assert!(accounts.is_sound());
}

#[test]
fn what_does_not_fit_is_refused_before_the_data_are_read() {
    let accounts = Accounts::for_tiers("strict=0.01,standard=0.02");
    let path = accounts.path();
    let of = |more: &[&'static str]| {
        let path: &'static str = Box::leak(path.clone().into_boxed_str());
        let fixed =
            ["mean", "no/such/file.csv", "--value", "v", "--bounds", "0,1", "--ledger", path];
        let said = more.iter().any(|word| ["--spend", "--target-rmse"].contains(word));
        let fixed = [&fixed[..], if said { &[] } else { &ALL }].concat();
        refused(&[&fixed[..], more].concat())
    };
    let tiers = ["--privacy", "privacy"];
    for (more, message) in [
        (
            &["--privacy", "p", "--levels", "lenient=1"][..],
            "levels: tier lenient has no account in the ledger",
        ),
        (&["--privacy", "p", "--dataset", "others"], "others"),
        (
            &["--privacy", "p", "--neighbors", "add-remove"],
            "neighbors: the accounts of dataset visits are for replace-one",
        ),
        (&["--epsilon", "e"], "epsilon: the accounts of this dataset are those of tiers"),
        (&["--privacy", "p", "--spend", "0%"], "spend: "),
        (&["--privacy", "p", "--spend", "most"], "spend: "),
        (&["--privacy", "p", "--target-rmse", "1", "--adapt"], "target-rmse: "),
    ] {
        let (code, said) = of(more);
        assert!(
            code == 1 && said.contains(message) && said.contains("\nhint: "),
            "{more:?}: {said}"
        );
    }
    // Everything is spent.
    let data = accounts.file("data.csv", "v,privacy\n1,strict\n0,standard\n");
    let mean = [
        "mean",
        &data,
        "--value",
        "v",
        "--bounds",
        "0,1",
        "--ledger",
        &path,
        "--estimator",
        "proportional",
        "--spend",
        "100%",
    ];
    json(&[&mean[..], &tiers].concat());
    let (_, said) = of(&tiers);
    assert!(said.contains("tier strict has 0 left of 0.01"), "{said}");
    for usage in [&["--dataset", "visits"][..], &["--spend", "1"], &["--privacy", "p"]] {
        let (code, said) = refused(&[&["mean", "data.csv", "--value", "v"][..], usage].concat());
        assert_eq!(code, 2, "{said}");
    }
    // Without a ledger a target is for plans.
    for target in ["--target-rmse", "--target-half-width"] {
        let command = ["mean", "data.csv", "--value", "v", "--epsilon", "e", target, "1"];
        let (code, said) = refused(&command);
        assert!(code == 1 && said.contains("there is no ledger"), "{said}");
    }
}

#[test]
fn faults_in_the_data_cost_nothing_and_private_refusals_do() {
    let accounts = Accounts::for_tiers("a=1,b=1");
    let path = accounts.path();
    let broken = accounts.file("broken.csv", "v,p\n1,a\nx,b\n");
    let mean = |data: &str, bounds: &str| {
        refused(&[
            "mean",
            data,
            "--value",
            "v",
            "--bounds",
            bounds,
            "--privacy",
            "p",
            "--ledger",
            &path,
            "--spend",
            "100%",
        ])
    };
    assert!(mean(&broken, "0,1").1.contains("column v, row 2"));
    // Too few records for a range are refused from public facts; equal values by a private
    // decision.
    let few = accounts.file("few.csv", "v,p\n1,a\n2,b\n");
    assert!(mean(&few, "auto").1.contains("not enough for a range"));
    assert_eq!(accounts.charged(), [0.0, 0.0]);
    let equal: String = (0..4000).map(|row| format!("7,{}\n", ["a", "b"][row % 2])).collect();
    let equal = accounts.file("equal.csv", &format!("v,p\n{equal}"));
    let said = mean(&equal, "auto").1;
    assert!(
        said.contains("which cost up to ")
            && said.contains("counts all that was reserved as spent"),
        "{said}"
    );
    assert_eq!(accounts.charged(), [1.0, 1.0]);
}

#[test]
fn a_plan_shows_what_a_release_costs() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let seeded = refused(&accounts.build_command("mean", &["--insecure-seed", "1"])).1;
    assert!(seeded.contains("insecure-seed: ") && accounts.charged() == [0.0; 4], "{seeded}");
    let path = accounts.path();
    let plan = [
        "plan",
        RANDHIE,
        "--bounds",
        "0,77",
        "--privacy",
        "privacy",
        "--ledger",
        &path,
        "--spend",
        "50%",
    ];
    let planned = json(&plan);
    assert!(stdout(&plan).contains("if it is made"));
    let planned_at_once = json(&[&plan[..], &["--no-adapt"]].concat());
    assert_eq!(accounts.charged(), [0.0; 4]);
    let released = accounts.mean(&["--spend", "50%"]);
    let of_plan = without_rho(&planned["ledger"]["tiers"]);
    assert_eq!(of_plan, without_rho(&released["ledger"]["tiers"]));
    // What is measured in one look has the ρ of its noise; where answers decide what is measured
    // it is a bound.
    let other = Accounts::for_tiers(LIFETIMES);
    let released_at_once = other.mean(&["--spend", "50%", "--no-adapt"]);
    assert_eq!(planned_at_once["ledger"]["tiers"], released_at_once["ledger"]["tiers"]);
    for tier in 0..3 {
        let rho = |of: &Value| number(&of["ledger"]["tiers"][tier]["rho"]);
        assert!(rho(&planned) >= rho(&released) && rho(&released) > 0.0, "{tier}");
    }
    assert!(planned["ledger"].get("entry").is_none() && released["ledger"]["entry"] == 3);
}

/// Numbers of people by what they allow in all are as good as the data, whatever is left to their
/// tiers by now.
#[test]
fn a_profile_says_what_tiers_allow_in_all() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    accounts.mean(&["--spend", "40%"]);
    let path = accounts.path();
    let planned = |people: &[&str], more: &[&str]| {
        let plan = ["plan", "--bounds", "0,77", "--ledger", &path];
        json(&[&plan[..], people, more].concat())
    };
    let data = [RANDHIE, "--privacy", "privacy"];
    let profile = ["--profile", "0.05:6835,0.3:8767,2:4028,inf:560"];
    for more in [&["--spend", "10%"][..], &["--target-rmse", "0.5"], &["--spend", "eps=0.01"]] {
        let of_data = planned(&data, more);
        assert_eq!(planned(&profile, more), of_data, "{more:?}");
        assert!(number(&of_data["profile"][0]["epsilon"]) < 0.05);
    }
    let spend = ["--spend", "10%"];
    let (code, said) = refused(
        &[&["plan", "--profile", "0.07:99", "--ledger", &path, "--bounds", "0,77"], &spend[..]]
            .concat(),
    );
    assert!(code == 1 && said.contains("profile: no tier of the ledger allows 0.07"), "{said}");
    assert!(said.contains("0.05") && said.contains("hint: "), "{said}");
}

#[test]
fn the_least_share_that_reaches_an_error_is_spent() {
    let accounts = Accounts::for_tiers("strict=1,standard=10,relaxed=100,public=inf");
    for (command, target) in
        [("mean", "0.4"), ("sum", "9000"), ("quantile", "0.01"), ("variance", "60")]
    {
        let release = json(&accounts.build_command(command, &["--target-rmse", target]));
        let rmse = release.pointer("/error/rmse").or(release.pointer("/variance/error/rmse"));
        // The worst case is what reaches the error; with the spread that was measured it is less.
        if let Some(rmse) = rmse.filter(|_| command == "mean" || command == "sum") {
            let most: f64 = target.parse().unwrap();
            assert!(number(rmse) <= most, "{command}: {rmse}");
        }
    }
    let charged = accounts.charged();
    assert!(charged[0] > 0.0 && charged[0] < 0.2, "{charged:?}");
    // The plan knows as much.
    let path = accounts.path();
    let plan = ["plan", RANDHIE, "--bounds", "0,77", "--privacy", "privacy", "--ledger", &path];
    let plan = json(&[&plan[..], &["--target-rmse", "0.4"]].concat());
    let mean = json(&accounts.build_command("mean", &["--target-rmse", "0.4"]));
    let of_plan = without_rho(&plan["ledger"]["tiers"]);
    assert_eq!(of_plan, without_rho(&mean["ledger"]["tiers"]));
    let chosen = plan["estimators"].as_array().unwrap().iter();
    let rmse = chosen.filter(|one| one["name"] == plan["chosen"]).map(|one| number(&one["rmse"]));
    assert!(rmse.clone().all(|rmse| rmse <= 0.4 && rmse > 0.396) && rmse.count() == 1);
    let (_, said) = refused(&accounts.build_command("mean", &["--target-rmse", "0.01"]));
    assert!(
        said.contains("target-rmse: with all that may be spent the expected error is 0.2"),
        "{said}"
    );
}

#[test]
fn persons_have_accounts_of_their_own() {
    let rows = |people: std::ops::Range<usize>| -> String {
        people
            .map(|id| format!("p{id},{},{}\n", if id % 2 == 0 { "low" } else { "high" }, id % 10))
            .collect()
    };
    let accounts = Accounts::for_persons(&["--levels", "low=0.2,high=2"]);
    let path = accounts.path();
    let first = accounts.file("first.csv", &format!("id,p,v\n{}", rows(0..1000)));
    let all = accounts.file("all.csv", &format!("id,p,v\n{}", rows(0..2000)));
    let mean = |data: &str, more: &[&str]| {
        let fixed =
            ["mean", data, "--value", "v", "--bounds", "0,10", "--privacy", "p", "--person", "id"];
        let said = more.contains(&"--spend");
        let spend: &[&str] = if said { &[] } else { &ALL };
        json(&[&fixed[..], &["--ledger", &path], spend, more].concat())
    };
    // Everybody in the first file loses what the strictest allow: a tenth.
    let release = mean(&first, &["--estimator", "uniform", "--spend", "50%"]);
    assert_eq!(release["ledger"]["persons"], serde_json::json!({"charged": 1000, "most": 0.1}));
    // Half of all have been charged before, and have less left.
    let budgets: Vec<(f64, u64)> = mean(&all, &["--estimator", "affine"])["privacy"]
        .as_array()
        .unwrap()
        .iter()
        .map(|level| (number(&level["epsilon"]), level["count"].as_u64().unwrap()))
        .collect();
    let rounded: Vec<(f64, u64)> =
        budgets.iter().map(|(e, n)| ((e * 1e6).ceil() / 1e6, *n)).collect();
    assert_eq!(rounded, [(0.1, 500), (0.2, 500), (1.9, 500), (2.0, 500)]);
    // People of `low` have nothing left now, wherever they come from.
    let last = mean(&all, &["--estimator", "uniform"]);
    assert_eq!(
        (&last["ledger"]["exhausted"], &last["ledger"]["persons"]["charged"]),
        (&1000.into(), &1000.into())
    );
    assert!(accounts.is_sound());
    // Nobody can be recognised in what is shown or exported, nor in the file.
    let shown = stdout(&["ledger", "export", &path]) + &stdout(&["ledger", "show", &path]);
    assert!(
        !shown.contains("p17")
            && shown.contains("\"certificate\"") | shown.contains("\"document\"")
    );
    assert!(!fs::read(&path).unwrap().windows(4).any(|bytes| bytes == b"p170"));
}

#[test]
fn budgets_of_their_own_are_what_persons_allow_in_all() {
    let accounts = Accounts::for_persons(&["--allow", "own"]);
    let path = accounts.path();
    let data = accounts.file("data.csv", "id,e,v\na,0.5,1\nb,0.25,2\nc,1,3\nd,inf,4\n");
    let fixed =
        ["mean", &data, "--value", "v", "--bounds", "0,10", "--epsilon", "e", "--person", "id"];
    let mean = [&fixed[..], &["--ledger", &path]].concat();
    let release = json(&[&mean[..], &["--spend", "eps=0.3"]].concat());
    for level in &release["privacy"].as_array().unwrap()[..2] {
        assert!(number(&level["spent"]) <= 0.3);
    }
    let again = json(&[&mean[..], &ALL].concat());
    let b = &again["privacy"][0];
    assert!(number(&b["epsilon"]) <= 0.25, "{b}");
    let (code, said) = refused(&[&fixed[..8], &["--ledger", &path], &ALL].concat());
    assert!(
        code == 1 && said.contains("person: the accounts of this dataset are those of persons"),
        "{said}"
    );
}

#[test]
fn processes_at_once_never_spend_more_than_there_is() {
    let accounts = Accounts::for_tiers("strict=0.01,standard=0.01,relaxed=0.01,public=0.01");
    let path = accounts.path();
    let fixed = ["mean", RANDHIE, "--value", "visits", "--bounds", "0,77", "--privacy", "privacy"];
    let arguments =
        [&fixed[..], &["--levels", "strict=0.003,standard=0.003,relaxed=0.003,public=0.003"]]
            .concat();
    let arguments =
        [&arguments[..], &["--ledger", &path, "--estimator", "proportional", "--format", "json"]]
            .concat();
    let arguments = [&arguments[..], &ALL].concat();
    let spent: f64 = std::thread::scope(|scope| {
        let runs: Vec<_> =
            (0..8).map(|_| scope.spawn(|| suum(&arguments).output().unwrap())).collect();
        let outputs = runs.into_iter().map(|run| run.join().unwrap());
        let spent = outputs.map(|output| {
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(said.starts_with("error: ") && said.contains("left"), "{said}");
                return 0.0;
            }
            let release: Value = serde_json::from_slice(&output.stdout).unwrap();
            number(&release["privacy"][0]["spent"])
        });
        spent.sum()
    });
    assert!(spent > 0.0 && spent <= 0.01, "{spent}");
    assert!(accounts.charged().iter().all(|charged| *charged <= 0.01 && *charged >= spent));
    assert!(accounts.is_sound());
}

#[test]
fn a_ledger_says_that_participation_is_hidden() {
    let accounts = Accounts { folder: tempfile::tempdir().unwrap() };
    let path = accounts.path();
    let init = [
        "ledger",
        "init",
        &path,
        "--dataset",
        "visits",
        "--levels",
        LIFETIMES,
        "--neighbors",
        "add-remove",
    ];
    stdout(&init);
    let release = accounts.mean(&["--neighbors", "add-remove", "--spend", "eps=0.01"]);
    assert_eq!(release["ledger"]["sealed"], true);
    assert!(
        release["ledger"].get("people").is_none() && release["ledger"].get("exhausted").is_none()
    );
    // Those who allow ∞ are asked for all of it.
    for (place, charged) in accounts.charged()[..3].iter().enumerate() {
        let certified = number(&release["privacy"][place]["spent"]);
        assert!(*charged >= certified && *charged < certified + 1.1e-6 && *charged <= 0.01);
    }
    assert!(stdout(&["ledger", "show", &path]).contains("Participation is hidden"));
    // A plan for an assumed profile knows the tiers of the ledger, and tells nothing of people.
    let plan =
        ["plan", "--profile", "0.05:500,0.3:400", "--bounds", "0,77", "--neighbors", "add-remove"];
    let plan = json(&[&plan[..], &["--ledger", &path, "--spend", "eps=0.01"]].concat());
    assert!(plan["ledger"].get("people").is_none());
    for tier in &plan["ledger"]["tiers"].as_array().unwrap()[..3] {
        assert!(number(&tier["spent"]) > 0.0 && number(&tier["spent"]) <= 0.01, "{tier}");
    }
}

#[test]
fn a_ledger_that_was_touched_is_not_used() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let path = accounts.path();
    let old = fs::read(&path).unwrap();
    accounts.mean(&["--spend", "eps=0.01"]);
    let new = fs::read(&path).unwrap();
    // An old copy: what the release charged is gone.
    fs::write(&path, &old).unwrap();
    let output = suum(&["ledger", "verify", &path]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let (code, said) = refused(&accounts.build_command("mean", &["--spend", "eps=0.01"]));
    assert!(code == 1 && said.contains("\nhint: "), "{said}");
    fs::write(&path, &new).unwrap();
    assert!(accounts.is_sound());
    // Another key.
    let key = format!("{path}.key");
    let kept = fs::read(&key).unwrap();
    fs::remove_file(&key).unwrap();
    assert!(refused(&accounts.build_command("mean", &[])).1.contains("key"));
    fs::write(&key, kept).unwrap();
    fs::write(&path, &new[..new.len() / 2]).unwrap();
    let (code, said) = refused(&accounts.build_command("mean", &[]));
    assert!(code == 1 && !said.contains("panicked"), "{said}");
    assert!(Path::new(&path).exists());
}

/// Persons are added up while data are read; that somebody changed them is refused before anything
/// is charged or shown.
#[test]
fn persons_who_were_changed_are_not_charged() {
    let accounts = Accounts::for_persons(&["--allow", "2"]);
    let path = accounts.path();
    let row = |id: usize| format!("p{id},1,{},{}\n", id % 10, ["a", "b"][id % 2]);
    let rows: String = (0..200).map(row).collect();
    let data = accounts.file("data.csv", &format!("id,e,v,g\n{rows}"));
    let asked = [&data, "--value", "v", "--bounds", "0,10", "--epsilon", "e", "--person", "id"];
    let charged = ["--ledger", &path, "--spend", "10%"];
    let of = |command: &[&'static str]| [command, &asked[..], &charged].concat();
    json(&of(&["mean"]));
    let connection = rusqlite::Connection::open(&path).unwrap();
    let mut triggers =
        connection.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").unwrap();
    let triggers = triggers.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let triggers: Vec<(String, String)> = triggers.map(Result::unwrap).collect();
    let all = |sql: &str| connection.execute_batch(sql).unwrap();
    triggers.iter().for_each(|(name, _)| all(&format!("DROP TRIGGER {name}")));
    all("UPDATE person SET hashes = zeroblob(length(hashes))");
    triggers.iter().for_each(|(_, sql)| all(sql));
    let before = fs::read(&path).unwrap();
    let groups = ["mean", "--group-by", "g", "--groups", "a,b"];
    let found = [&["mean"], &asked.map(|word| if word == "0,10" { "auto" } else { word })[..]];
    for command in [
        of(&["mean"]),
        of(&["quantile", "--q", "0.5"]),
        of(&groups),
        [&found.concat()[..], &charged].concat(),
    ] {
        let (code, said) = refused(&command);
        assert!(code == 1 && said.contains("its persons were changed"), "{said}");
    }
    let plan = ["plan", &data, "--bounds", "0,10", "--epsilon", "e", "--person", "id"];
    assert!(refused(&[&plan, &charged[..]].concat()).1.contains("its persons were changed"));
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// People with rows of two tiers, and nobody with one alone.
const BOTH: &str = "id,p,v\n1,standard,1\n1,strict,2\n2,standard,3\n2,strict,4\n";

#[test]
fn whoever_is_in_two_tiers_loses_no_more_than_the_stricter_allows() {
    for levels in ["standard=1,strict=0.1", "strict=0.1,standard=1"] {
        let accounts = Accounts::for_tiers(levels);
        let (path, data) = (accounts.path(), accounts.file("both.csv", BOTH));
        let fixed =
            ["mean", &data, "--value", "v", "--bounds", "0,10", "--privacy", "p", "--person", "id"];
        let mean =
            [&fixed[..], &["--ledger", &path, "--estimator", "uniform", "--spend", "eps=0.06"]]
                .concat();
        let mut spent = 0.0;
        for _ in 0..3 {
            let output = suum(&[&mean[..], &["--format", "json"]].concat()).output().unwrap();
            if output.status.success() {
                let release: Value = serde_json::from_slice(&output.stdout).unwrap();
                let losses = release["privacy"].as_array().unwrap().iter();
                spent += losses.map(|level| number(&level["spent"])).fold(0.0, f64::max);
            }
            assert!(spent <= 0.1, "{levels}: {spent}");
            let shown = json(&["ledger", "show", &path]);
            let strict =
                shown[0]["tiers"].as_array().unwrap().iter().find(|tier| tier["level"] == "strict");
            assert!(number(&strict.unwrap()["spent"]) >= spent, "{levels}");
        }
    }
    // A table in which other tiers were stricter than they are by what is left.
    let accounts = Accounts::for_tiers("strict=0.1,standard=1");
    let (path, data) = (accounts.path(), accounts.file("both.csv", BOTH));
    let levels =
        ["levels", &data, "--value", "v", "--bounds", "0,10", "--privacy", "p", "--person", "id"];
    let table = stdout(&[&levels[..], &["--levels", "strict=2,standard=1", "--quiet"]].concat());
    let table = accounts.file("table.json", &table);
    let both = r#"{"format":"suum-levels","version":1,"column":"v","bounds":[0,10],
        "grid":1073741824,"person":"id",
        "records":4,"levels":[{"level":"strict","epsilon":2,"count":1,"sum":"5"},
        {"level":"standard","epsilon":1,"count":3,"sum":"5"}]}"#;
    let wrong = accounts.file("wrong.json", both);
    assert!(
        refused(&[&["mean", "--from-levels", &wrong, "--ledger", &path][..], &ALL].concat())
            .1
            .contains("other tiers are stricter")
    );
    json(&[&["mean", "--from-levels", &table, "--ledger", &path][..], &ALL].concat());
}

#[test]
fn the_tier_of_a_person_is_the_one_that_allows_least_in_all() {
    let accounts = Accounts::for_persons(&["--levels", "strict=0.1,standard=1"]);
    let (path, data) = (accounts.path(), accounts.file("both.csv", BOTH));
    let fixed =
        ["mean", &data, "--value", "v", "--bounds", "0,10", "--privacy", "p", "--person", "id"];
    let asked = ["--levels", "strict=0.1,standard=0.09", "--ledger", &path];
    let asked = [&asked[..], &ALL].concat();
    json(&[&fixed[..], &asked].concat());
    let (_, said) = refused(&[&fixed[..], &asked].concat());
    assert!(said.contains("ledger: nobody has budget left"), "{said}");
    let spent = json(&["ledger", "show", &path])[0]["persons"]["spent"][0][0].clone();
    assert!(number(&spent) <= 0.1, "{spent}");
    let own = Accounts::for_persons(&["--allow", "own"]);
    let path = own.path();
    let (_, said) = refused(
        &[&fixed[..], &["--levels", "strict=1,standard=2", "--ledger", &path], &ALL].concat(),
    );
    assert!(said.contains("--epsilon COL"), "{said}");
}

#[test]
#[ignore = "takes seconds"]
fn groups_of_which_one_is_coarse_are_charged_what_they_lost() {
    let accounts = Accounts::for_persons(&["--allow", "own"]);
    let path = accounts.path();
    // More budgets in group A than are told apart; one in B that lies between the coarse ones.
    let many: String =
        (0..70_000).map(|i| format!("a{i},A,{:.6},1\n", 0.03 + f64::from(i) * 1e-6)).collect();
    let few: String = (0..200).map(|i| format!("b{i},B,inf,1\n")).collect();
    let data = accounts.file("groups.csv", &format!("id,g,e,v\n{many}{few}b,B,0.06003,1\n"));
    let fixed =
        ["mean", &data, "--value", "v", "--bounds", "0,10", "--epsilon", "e", "--person", "id"];
    let groups = ["--group-by", "g", "--groups", "A,B", "--estimator", "proportional"];
    // With public people in B proportional weights are refused: all but them.
    let release = json(&[&fixed[..], &groups, &["--ledger", &path, "--spend", "eps=1"]].concat());
    let least = release["groups"][0]["privacy"]
        .as_array()
        .unwrap()
        .iter()
        .map(|level| number(&level["spent"]));
    let least = least.fold(f64::INFINITY, f64::min);
    let spent = json(&["ledger", "show", &path])[0]["persons"]["spent"].clone();
    let spent =
        spent.as_array().unwrap().iter().map(|one| number(&one[0])).fold(f64::INFINITY, f64::min);
    assert!(least > 0.0 && spent >= least, "{spent} {least}");
}

/// Neither is anything reserved, so that the ledger has no entry of it.
#[test]
fn what_cannot_be_released_leaves_no_entry() {
    let accounts = Accounts::for_tiers("a=1,b=2");
    let (path, data) = (accounts.path(), accounts.file("data.csv", "id,v,p\n1,1,a\n2,2,b\n"));
    let column = ["--value", "v", "--bounds", "0,10", "--privacy", "p"];
    let levels = ["--levels", "a=1,b=2", "--person", "id"];
    let means = stdout(&[&["levels", &data], &column[..], &levels].concat());
    let means = accounts.file("means.json", &means);
    let before = fs::read(&path).unwrap();
    for more in [&[][..], &["--variance", "2"]] {
        let sum = ["sum", "--from-levels", &means, "--value", "v", "--ledger", &path];
        let (_, said) = refused(&[&sum, more, &ALL].concat());
        assert!(said.contains("--totals"), "{more:?}: {said}");
    }
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(accounts.charged(), [0.0, 0.0]);
}

#[test]
fn what_is_for_study_costs_nothing() {
    let accounts = Accounts::for_tiers("a=1,b=2");
    let (path, data) = (accounts.path(), accounts.file("data.csv", "v,p\n1,a\n2,b\n"));
    let fixed =
        ["mean", &data, "--value", "v", "--bounds", "0,10", "--privacy", "p", "--ledger", &path];
    for estimator in ["sample", "stretch"] {
        let (_, said) = refused(&[&fixed[..], &["--estimator", estimator], &ALL].concat());
        assert!(said.contains("is for study") && !said.contains("counts"), "{said}");
    }
    assert_eq!(accounts.charged(), [0.0, 0.0]);
}

#[test]
fn accounts_that_nobody_could_use_are_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger").to_str().unwrap().to_owned();
    for (dataset, accounts) in [
        ("d", &["--levels", "a=1,a=2"][..]),
        ("d", &["--levels", "a=1=2"]),
        ("d", &["--levels", "=1"]),
        ("d", &["--levels", "a=0.0000001"]),
        ("d", &["--levels", "a=0"]),
        ("", &["--levels", "a=1"]),
        ("d", &["--persons", "--allow", "some"]),
        ("d", &["--persons", "--allow", "0"]),
    ] {
        let (code, said) =
            refused(&[&["ledger", "init", &path, "--dataset", dataset][..], accounts].concat());
        assert!(code == 1 && said.starts_with("error: "), "{accounts:?}: {said}");
        assert!(!Path::new(&path).exists(), "{accounts:?}");
    }
    let accounts = Accounts::for_tiers("a=1");
    let (path, data) = (accounts.path(), accounts.file("data.csv", "v,p\n1,a\n"));
    let levels = ["levels", &data, "--privacy", "p", "--levels", "a=1", "--ledger", &path];
    assert!(refused(&levels).1.contains("ledger: a level table is no release"));
    let count = ["count", &data, "--privacy", "p", "--ledger", &path];
    for _ in 0..2 {
        json(&count);
        let mean =
            ["mean", &data, "--value", "v", "--bounds", "0,1", "--privacy", "p", "--ledger", &path];
        let _ =
            suum(&[&mean[..], &["--estimator", "proportional"], &ALL].concat()).output().unwrap();
    }
    assert_eq!(accounts.charged(), [1.0]);
}

#[test]
fn whoever_is_not_asked_is_told_apart_from_who_has_nothing_left() {
    let accounts = Accounts::for_persons(&["--allow", "own"]);
    let path = accounts.path();
    let data = accounts.file("data.csv", "id,e,v\na,0.3,1\nb,0.3,2\nc,0,3\nd,3,4\n");
    let fixed =
        ["mean", &data, "--value", "v", "--bounds", "0,10", "--epsilon", "e", "--person", "id"];
    let mean = [&fixed[..], &["--ledger", &path, "--estimator", "uniform"], &ALL].concat();
    json(&mean);
    let release = json(&mean);
    let counts =
        ["exhausted", "not_asked", "people"].map(|key| release["ledger"][key].as_u64().unwrap());
    assert_eq!(counts, [2, 0, 4]);
    let tiers = Accounts::for_tiers(LIFETIMES);
    let release = tiers.mean(&["--levels", "standard=0.1,relaxed=1,public=inf,strict=0"]);
    assert_eq!(
        (&release["ledger"]["exhausted"], &release["ledger"]["not_asked"]),
        (&0.into(), &6835.into())
    );
}

#[test]
fn how_much_may_be_used_has_to_be_said() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let path = accounts.path();
    let fixed = [RANDHIE, "--privacy", "privacy", "--ledger", &path];
    let visits = ["--value", "visits", "--bounds", "0,77"];
    let levels = ["--levels", "strict=0.01,standard=0.01,relaxed=0.01,public=inf"];
    for command in [
        [&["mean"][..], &fixed, &visits].concat(),
        [&["mean"][..], &fixed, &visits, &levels].concat(),
        [&["quantile"][..], &fixed, &visits].concat(),
        [&["summary"][..], &fixed, &visits].concat(),
        [&["plan"][..], &fixed].concat(),
    ] {
        let (code, said) = refused(&command);
        assert!(code == 1 && said.contains("error: spend: "), "{command:?}: {said}");
        assert!(said.contains("hint: for example --spend 10%"), "{said}");
        let (_, said) = refused(&[&command[..], &["--target-rmse", "1e-9"]].concat());
        assert!(!said.contains("error: spend: "), "{command:?}: {said}");
    }
    assert_eq!(accounts.charged(), [0.0; 4]);
    // The tip of a new ledger says it.
    let other = accounts.folder.path().join("other").to_str().unwrap().to_owned();
    let tip = stdout(&["ledger", "init", &other, "--dataset", "d", "--levels", "a=1"]);
    assert!(tip.contains("--dataset d --spend 10%"), "{tip}");
}

/// Records with health, which is protected, and a region.
const SICK: &str = "v,h,region,p\n1,good,n,a\n2,poor,s,a\n3,good,n,b\n4,good,s,b\n";

#[test]
fn a_column_is_protected_or_published() {
    let accounts = Accounts::for_tiers("a=1,b=1");
    let (path, data) = (accounts.path(), accounts.file("data.csv", SICK));
    let charged = ["--privacy", "p", "--ledger", &path, "--spend", "10%"];
    let shares = ["frequency", &data, "--value", "h", "--categories", "good,poor"];
    json(&[&shares[..], &charged].concat());
    let of_v = ["mean", &data, "--value", "v", "--bounds", "0,10"];
    let by_health = ["--group-by", "h", "--groups", "good,poor"];
    let count = ["count", &data, "--ledger", &path];
    let tiers = ["--privacy", "p"];
    let entries = || json(&["ledger", "verify", &path])["entries"].clone();
    let before = entries();
    for exposing in [
        [&count[..], &tiers, &by_health].concat(),
        [&of_v[..], &charged, &by_health].concat(),
        [&["count", &data, "--privacy", "h", "--ledger", &path][..], &ALL].concat(),
        [&["plan", &data, "--privacy", "h", "--ledger", &path][..], &ALL].concat(),
        [&count[..], &tiers, &["--person", "h"]].concat(),
    ] {
        let (code, said) = refused(&exposing);
        assert!(code == 1 && said.contains("column h: its values are protected"), "{said}");
        assert!(said.contains("--public-columns h"), "{exposing:?}: {said}");
    }
    assert_eq!(entries(), before, "nothing was written");
    // What a free count publishes is not protected after it.
    let by_region = ["--group-by", "region", "--groups", "n,s"];
    json(&[&count[..], &tiers, &by_region].concat());
    let region = ["frequency", &data, "--value", "region", "--categories", "n,s"];
    let (_, said) = refused(&[&region[..], &charged].concat());
    assert!(said.contains("column region: it is public as group"), "{said}");
    json(&[&of_v[..], &charged, &by_region].concat());
    // Somebody says that everybody knows it; once is enough.
    json(&[&count[..], &tiers, &by_health, &["--public-columns", "h"]].concat());
    json(&[&of_v[..], &charged, &by_health].concat());
    let shown = json(&["ledger", "show", &path])[0]["columns"].clone();
    let expected = serde_json::json!(
        {"values": ["h", "v"], "published": ["h", "p", "region"], "declared": ["h"]}
    );
    assert_eq!(shown, expected);
    let text = stdout(&["ledger", "show", &path]);
    assert!(text.contains("Columns, values protected: h, v\n"), "{text}");
    assert!(text.contains("Columns, declared public: h\n"), "{text}");
    assert!(accounts.is_sound());
}

#[test]
fn a_level_table_brings_its_columns() {
    let accounts = Accounts::for_tiers("a=1,b=1");
    let (path, data) = (accounts.path(), accounts.file("data.csv", SICK));
    let tiers = ["--privacy", "p", "--levels", "a=1,b=1", "--quiet"];
    let levels = ["levels", &data, "--value", "v", "--bounds", "0,10"];
    let table = accounts.file("table.json", &stdout(&[&levels[..], &tiers].concat()));
    let charged = ["--ledger", &path, "--spend", "10%"];
    // A count of it publishes nothing of its values.
    json(&["count", "--from-levels", &table, "--ledger", &path]);
    json(&[&["mean", "--from-levels", &table][..], &charged].concat());
    let shown = json(&["ledger", "show", &path])[0]["columns"].clone();
    assert_eq!(shown["values"], serde_json::json!(["v"]));
    let by_value = ["--privacy", "p", "--group-by", "v", "--groups", "1,2,3,4"];
    let (_, said) = refused(&[&["count", &data, "--ledger", &path][..], &by_value].concat());
    assert!(said.contains("column v: its values are protected"), "{said}");
    let nameless = r#"{"format":"suum-levels","version":1,"bounds":[0,10],"grid":1073741824,
        "records":4,"levels":[{"level":"a","epsilon":1,"count":4,"sum":"5"}]}"#;
    let nameless = accounts.file("nameless.json", nameless);
    let (code, said) = refused(&[&["mean", "--from-levels", &nameless][..], &charged].concat());
    assert!(code == 1 && said.contains("does not name the column of its values"), "{said}");
}

/// An SQLite file with a person of each tier in its table `t`.
fn sick_database(accounts: &Accounts) -> String {
    let database = accounts.folder.path().join("people.sqlite");
    let connection = rusqlite::Connection::open(&database).unwrap();
    let rows = "CREATE TABLE t (v, h TEXT, p TEXT); INSERT INTO t VALUES (1, 'good', 'a');
        INSERT INTO t VALUES (2, 'poor', 'b');";
    connection.execute_batch(rows).unwrap();
    database.to_str().unwrap().to_owned()
}

#[test]
fn a_query_does_not_choose_by_what_is_protected() {
    let accounts = Accounts::for_tiers("a=1,b=1");
    let path = accounts.path();
    let database = sick_database(&accounts);
    let database = database.as_str();
    let charged = ["--privacy", "p", "--ledger", &path, "--spend", "10%"];
    let shares = ["frequency", database, "--table", "t", "--value", "h"];
    json(&[&shares[..], &["--categories", "good,poor"], &charged].concat());
    let mean = ["mean", database, "--value", "v", "--bounds", "0,10"];
    let chosen = "SELECT v, p FROM t WHERE \"H\" <> 'poor'";
    let (code, said) = refused(&[&mean[..], &["--query", chosen], &charged].concat());
    assert!(code == 1 && said.contains("column H: its values are protected"), "{said}");
    assert!(said.contains("--public-columns H"), "{said}");
    let trusting = ["--query", chosen, "--trust-query"];
    let (code, said) = refused(&[&mean[..], &trusting, &charged].concat());
    assert!(code == 1 && said.contains("query: it speaks of column h"), "{said}");
    json(&[&mean[..], &["--query", "SELECT v, p FROM t"], &charged].concat());
    // Another name of the result is no other column.
    let renamed = "SELECT h AS g, p FROM t";
    let by = ["--group-by", "g", "--groups", "good,poor", "--query", renamed];
    let count = ["count", database, "--privacy", "p", "--ledger", &path];
    let (_, said) = refused(&[&count[..], &by].concat());
    assert!(said.contains("column h: its values are protected"), "{said}");
    // Nor is what is computed of one: its value is protected, and it is not a public column.
    let computed = "SELECT v + 0 AS w, p FROM t";
    let sum = ["sum", database, "--value", "w", "--bounds", "0,10", "--query", computed];
    json(&[&sum[..], &charged].concat());
    let shown = json(&["ledger", "show", &path])[0]["columns"].clone();
    assert_eq!(shown["values"], serde_json::json!(["h", "v"]));
    let declared = ["--public-columns", "h"];
    json(&[&mean[..], &["--query", chosen], &charged, &declared].concat());
    // Once is enough.
    json(&[&mean[..], &["--query", chosen], &charged].concat());
    // Databases do not tell names apart by case.
    let by = ["--group-by", "V", "--groups", "1,2"];
    let count = ["count", database, "--table", "t", "--privacy", "p", "--ledger", &path];
    assert!(refused(&[&count[..], &by].concat()).1.contains("column V: its values"));
}

#[test]
fn level_table_of_query_brings_columns_behind_it() {
    let accounts = Accounts::for_tiers("a=1,b=1");
    let path = accounts.path();
    let database = sick_database(&accounts);
    let database = database.as_str();
    let by = ["--group-by", "g", "--groups", "good,poor"];
    let query = ["--query", "SELECT h AS g, v + 0 AS w, p FROM t", "--value", "w"];
    let levels = ["levels", database, "--bounds", "0,10", "--privacy", "p", "--quiet"];
    let tiers = ["--levels", "a=1,b=1"];
    let table = stdout(&[&levels[..], &query, &by, &tiers].concat());
    let table = accounts.file("table.json", &table);
    let charged = ["--ledger", &path, "--spend", "10%"];
    json(&[&["mean", "--from-levels", &table], &by[..], &charged].concat());
    let shown = json(&["ledger", "show", &path])[0]["columns"].clone();
    assert_eq!(shown["values"], serde_json::json!(["v"]));
    assert_eq!(shown["published"], serde_json::json!(["g", "h", "p"]));
    let shares = ["frequency", database, "--table", "t", "--value", "h", "--privacy", "p"];
    let shares = [&shares[..], &["--categories", "good,poor"]].concat();
    let (_, said) = refused(&[&shares[..], &charged].concat());
    assert!(said.contains("column h: it is public as group"), "{said}");
    // Without a ledger no release may protect a column and show it by group, either.
    let by_value = ["--group-by", "h", "--groups", "good,poor"];
    let (_, said) = refused(&[&shares[..], &by_value, &tiers].concat());
    assert!(said.contains("column h: a release cannot protect its values"), "{said}");
}

#[test]
fn a_copied_ledger_is_not_charged() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let (path, copy) = (accounts.path(), accounts.path() + ".copy");
    for suffix in ["", ".key", ".head"] {
        fs::copy(format!("{path}{suffix}"), format!("{copy}{suffix}")).unwrap();
    }
    let mean = |ledger: &str| -> Vec<String> {
        let words = ["mean", RANDHIE, "--value", "visits", "--bounds", "0,77"];
        let charged = ["--privacy", "privacy", "--ledger", ledger, "--spend", "10%"];
        words.iter().chain(&charged).map(|word| (*word).to_owned()).collect()
    };
    let words = mean(&copy);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (code, said) = refused(&words);
    assert!(code == 1 && said.contains("it was made elsewhere"), "{said}");
    assert!(stdout(&["ledger", "verify", &copy]).contains("remark: it was made elsewhere"));
    stdout(&["ledger", "show", &copy]);
    stdout(&["ledger", "verify", &copy, "--accept-move"]);
    json(&words);
    let (code, said) = refused(&["ledger", "verify", &copy, "--accept-move"]);
    assert!(code == 1 && said.contains("it is where it was made"), "{said}");
}

#[test]
fn persons_are_shown_by_their_tiers() {
    let accounts = Accounts::for_persons(&["--levels", "low=0.2,high=2,never=0"]);
    let path = accounts.path();
    let rows = |people: std::ops::Range<usize>| -> String {
        let tiers = ["low", "high", "never"];
        people.map(|id| format!("p{id},{},{}\n", tiers[id % 3], id % 10)).collect()
    };
    let first = accounts.file("first.csv", &format!("id,p,v\n{}", rows(0..900)));
    let all = accounts.file("all.csv", &format!("id,p,v\n{}", rows(0..1800)));
    let of = |command: &str, data: &str| {
        let value: &[&str] =
            if command == "plan" { &[] } else { &["--value", "v", "--bounds", "0,10"] };
        let of_left = ["--ledger", &path, "--spend", "50%-of-left"];
        let persons = [&["--privacy", "p", "--person", "id"][..], &of_left].concat();
        let said = json(&[&[command, data][..], value, &persons].concat());
        let levels = said["privacy"].as_array().cloned().unwrap_or_default();
        levels.iter().map(|level| level["level"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of("mean", &first), ["never", "low", "high"]);
    // Half of all have spent a half, so the tiers have two budgets each; who allows nothing has
    // one.
    let names = of("mean", &all);
    assert_eq!(names.len(), 5, "{names:?}");
    assert_eq!(names[0], "never");
    assert!(names[1].starts_with("low (0.0") && names[2] == "low (0.1)", "{names:?}");
    assert!(names[3].starts_with("high (") && names[4] == "high (1)", "{names:?}");
    assert!(accounts.is_sound());
}

#[test]
fn tiers_that_allow_nothing_are_not_used() {
    let accounts = Accounts::for_tiers("a=1,never=0");
    let (path, data) = (accounts.path(), accounts.file("d.csv", "v,p\n1,a\n2,never\n3,a\n"));
    let mean = ["mean", &data, "--value", "v", "--bounds", "0,10", "--privacy", "p"];
    let release = json(&[&mean[..], &["--ledger", &path, "--spend", "10%"]].concat());
    assert_eq!(release["privacy"][0]["epsilon"], 0.0);
    // They allow nothing, so they have nothing that could be used up.
    assert_eq!(release["ledger"]["exhausted"], 0);
    assert_eq!(accounts.charged()[1], 0.0);
}

/// The error of a command that failed, and its hint.
fn complaint(output: &process::Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn keeps_answer_that_could_not_be_printed() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let path = accounts.path();
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into();
    let closed = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        writer.into()
    };
    let mut entry = 3;
    for (to, why) in [(&full as &dyn Fn() -> Stdio, "no storage space"), (&closed, "broken pipe")] {
        for format in ["text", "json"] {
            let more = ["--spend", "10%", "--quiet", "--format", format];
            let output =
                started(&accounts.build_command("mean", &more)).stdout(to()).output().unwrap();
            let said = complaint(&output);
            let error = format!("standard output: the answer could not be written ({why})");
            assert!(said.contains(&error), "{said}");
            let command = match format {
                "text" => format!("suum ledger show {path} --entry {entry}"),
                _ => format!("suum ledger show {path} --entry {entry} --format json"),
            };
            assert!(said.contains(&format!("{command} shows it; nobody pays again")), "{said}");
            let charged = accounts.charged();
            let words: Vec<&str> = command.split(' ').skip(1).collect();
            let shown = stdout(&words);
            match format {
                "text" => assert!(shown.starts_with("visits  mean "), "{shown}"),
                _ => {
                    let file = accounts.file("shown.json", &shown);
                    assert!(stdout(&["verify", &file]).contains("agree"));
                }
            }
            assert_eq!(accounts.charged(), charged, "nobody pays again");
            entry += 2;
        }
    }
    // What is free is made again; a reader that has gone away wants no more of it.
    let count = ["count", RANDHIE, "--privacy", "privacy", "--levels", LIFETIMES];
    let said = complaint(&started(&count).stdout(full()).output().unwrap());
    assert!(said.contains("run again") && !said.contains("ledger"), "{said}");
    assert!(started(&count).stdout(closed()).output().unwrap().status.success());
    assert!(accounts.is_sound());
}

#[test]
fn shows_release_as_it_was_stored() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let path = accounts.path();
    let released = accounts.mean(&["--spend", "10%"]);
    let shown = json(&["ledger", "show", &path, "--entry", "3"]);
    for key in ["schema", "estimate", "interval", "privacy", "measurements", "error"] {
        assert_eq!(shown[key], released[key], "{key}");
    }
    assert!(shown.get("text").is_none());
    let text = stdout(&["ledger", "show", &path, "--entry", "3"]);
    let lines = stdout(&["ledger", "export", &path]);
    let settled: Value = serde_json::from_str(lines.lines().nth(3).unwrap()).unwrap();
    assert_eq!(text, settled["document"]["text"].as_str().unwrap());
    // What was reserved and never settled has no answer.
    let mut ledger = suum::ledger::Ledger::open(&path).unwrap();
    let (charges, columns) = (suum::ledger::Charges::Tiers(Vec::new()), Default::default());
    drop(ledger.reserve("visits", &charges, &columns, &Value::Null).unwrap());
    drop(ledger);
    for (entry, what) in
        [("1", "is no release"), ("4", "is no release"), ("5", "was not settled"), ("9", "is no")]
    {
        let (code, said) = refused(&["ledger", "show", &path, "--entry", entry]);
        assert!(code == 1 && said.contains(&format!("entry: {entry} {what}")), "{said}");
        assert!(said.contains("hint: suum ledger show FILE lists"), "{said}");
    }
}

#[test]
fn refuses_report_that_cannot_be_written_before_anybody_pays() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let at = |name: &str| accounts.folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(at("folder")).unwrap();
    fs::write(at("file"), "").unwrap();
    for (report, what) in [
        (at("none/r.html"), "cannot be written"),
        (at("file/r.html"), "cannot be written"),
        (at(&"r".repeat(300)), "cannot be written"),
        (at("folder"), "names no file, but a folder"),
        (at("folder/"), "names no file, but a folder"),
        (at("new/"), "names no file, but a folder"),
        (at("folder/.."), "names no file, but a folder"),
        (at("file"), "there is a file of that name"),
    ] {
        // The data are not looked at: there are none.
        let mean = ["mean", "none.csv", "--value", "v", "--bounds", "0,9", "--privacy", "p"];
        let charged = ["--ledger", &accounts.path(), "--spend", "10%", "--report", &report];
        let (code, said) = refused(&[&mean[..], &charged].concat());
        assert!(code == 1 && said.contains("error: report: ") && said.contains(what), "{said}");
        assert!(said.contains("hint: "), "{said}");
    }
    assert_eq!(json(&["ledger", "verify", &accounts.path()])["entries"], 2);
}

/// The folder of a report is gone when it is written.
#[test]
fn keeps_answer_whose_report_could_not_be_written() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    let folder = accounts.folder.path().join("reports");
    fs::create_dir(&folder).unwrap();
    let report = folder.join("r.html").to_str().unwrap().to_owned();
    let asked = accounts.build_command("mean", &["--spend", "10%", "--quiet", "--report", &report]);
    let piped = [&["mean", "-"], &asked[2..]].concat();
    let mut child = started(&piped);
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    while fs::read_dir(&folder).unwrap().next().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    fs::remove_dir_all(&folder).unwrap();
    let data = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../", "examples/randhie.csv"));
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &data.unwrap()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = complaint(&output);
    assert!(said.contains("report: the file could not be written"), "{said}");
    let command = format!("suum ledger show {} --entry 3 shows the answer", accounts.path());
    assert!(said.contains(&command) && said.contains("nobody pays again"), "{said}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let shown = stdout(&["ledger", "show", &accounts.path(), "--entry", "3"]);
    assert_eq!(printed.lines().next(), shown.lines().next());
}

/// A reservation takes all that may be spent, of which a release gives something back.
#[test]
fn draws_what_was_left_once_it_was_settled() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    for _ in 0..3 {
        accounts.mean(&["--spend", "30%", "--estimator", "affine"]);
    }
    let shown = json(&["ledger", "show", &accounts.path()]);
    let relaxed = &shown[0]["left_over_time"][2]["left"];
    assert_eq!(relaxed.as_array().unwrap().len(), 6, "JSON has reservations, too");
    assert!(number(&relaxed[0][2]) < number(&relaxed[1][2]), "{relaxed}");
    let text = stdout(&["ledger", "show", &accounts.path()]);
    let is_drawn = |line: &&str| line.contains(['█', '▇']) && line.contains("relaxed");
    let drawn = text.lines().rfind(is_drawn).unwrap();
    let blocks: Vec<char> = drawn.chars().filter(|c| ('▁'..='█').contains(c)).collect();
    assert_eq!(blocks.len(), 3, "{drawn}");
    assert!(blocks.is_sorted_by(|one, next| one >= next), "it only falls: {drawn}");
}

#[test]
fn shown_ledger_fits_every_screen() {
    let accounts = Accounts::for_tiers(LIFETIMES);
    accounts.mean(&["--spend", "10%", "--estimator", "uniform", "--confidence", "0.9"]);
    let shown = suum::show_ledger(accounts.path().as_ref(), None).unwrap();
    let shown = shown.in_voice(&suum::CommandLine);
    let whole: Vec<String> = {
        let text = shown.text_for(&suum::View::default().wide(200));
        text.split_whitespace().map(str::to_owned).collect()
    };
    for columns in [60, 80, 120, 200] {
        let text = shown.text_for(&suum::View::default().wide(columns));
        let long = text.lines().find(|line| line.chars().count() > columns);
        assert_eq!(long, None, "at {columns}:\n{text}");
        // No word is taken apart; a shell reads a command over the end of its lines.
        let words = text.split_whitespace().filter(|word| *word != "\\");
        let is_word = |word: &&str| !word.contains(['█', '▏', '▎', '▍', '▌', '▋', '▊', '▉']);
        let words: Vec<&str> = words.filter(is_word).collect();
        let whole: Vec<&str> = whole.iter().map(String::as_str).filter(is_word).collect();
        assert_eq!(words, whole, "at {columns}:\n{text}");
        assert!(text.contains(" \\\n") || columns == 200, "{text}");
    }
}
