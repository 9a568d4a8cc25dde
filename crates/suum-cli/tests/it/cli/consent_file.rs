//! Privacy choices in a file of their own.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::common::{json, refused, release, stdout};

/// The path of a file of these lines.
fn file(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(&path, text).unwrap();
    path
}

/// Visits of 60 people, two rows each: with their choices, without, and these alone.
fn files(folder: &TempDir) -> [String; 3] {
    let tier = |id: usize| ["strict", "open", "public"][id % 3];
    let budget = |id: usize| ["0.5", "2", "inf"][id % 3];
    let mut beside = String::from("id,x,site,c,e\n");
    let mut data = String::from("id,x,site\n");
    for row in 0..120 {
        let (id, x, site) = (row / 2, row % 5, ["a", "b"][row / 2 % 2]);
        beside += &format!("p{id},{x},{site},{},{}\n", tier(id), budget(id));
        data += &format!("p{id},{x},{site}\n");
    }
    let choices: String =
        (0..60).rev().map(|id| format!("p{id},{},{}\n", tier(id), budget(id))).collect();
    [
        file(folder, "beside.csv", &beside),
        file(folder, "data.csv", &data),
        file(folder, "consent.csv", &format!("id,c,e\n{choices}")),
    ]
}

const MEAN: [&str; 6] = ["--value", "x", "--bounds", "0,4", "--insecure-seed", "3"];
const TIERS: [&str; 4] = ["--privacy", "c", "--levels", "strict=0.5,open=2,public=inf"];
const BY_SITE: [&str; 4] = ["--group-by", "site", "--groups", "a,b"];

#[test]
fn releases_are_those_of_choices_beside_the_values() {
    let folder = tempfile::tempdir().unwrap();
    let [beside, data, consent] = files(&folder);
    let apart = ["--consent", consent.as_str(), "--key", "id"];
    for more in [
        &TIERS[..],
        &["--epsilon", "e"],
        &["--epsilon", "e", "--person", "id"],
        &[&TIERS[..], &["--person", "id"]].concat(),
        &[&TIERS[..], &BY_SITE].concat(),
        &[&TIERS[..], &BY_SITE, &["--person", "id"]].concat(),
        &[&TIERS[..], &["--neighbors", "both"]].concat(),
        &["--epsilon", "e", "--neighbors", "add-remove", "--epsilon-range", "0.5,inf"],
    ] {
        let of = |data: &str, apart: &[&str]| {
            release(&[&["mean", data][..], &MEAN, more, apart].concat())
        };
        assert_eq!(of(&data, &apart), of(&beside, &[]), "{more:?}");
    }
    let levels = |data: &str, apart: &[&str]| {
        stdout(&[&["levels", data][..], &MEAN[..4], &TIERS, apart].concat())
    };
    assert_eq!(levels(&data, &apart), levels(&beside, &[]));
    let auto = ["--value", "x", "--bounds", "auto", "--insecure-seed", "3"];
    let of =
        |data: &str, apart: &[&str]| release(&[&["mean", data][..], &auto, &TIERS, apart].concat());
    assert_eq!(of(&data, &apart), of(&beside, &[]));
}

#[test]
fn the_answers_of_a_survey_read_it_too() {
    let folder = tempfile::tempdir().unwrap();
    let [beside, data, consent] = files(&folder);
    let survey = |name: &str, source: &str| {
        let text = format!(
            "{source}\nepsilon = \"e\"\ninsecure-seed = 3\n[[answers]]\nstatistic = \"mean\"\n\
             value = \"x\"\nbounds = [0, 4]\n[[answers]]\nstatistic = \"frequency\"\n\
             value = \"site\"\ncategories = [\"a\", \"b\"]\n"
        );
        let mut answer = json(&["run", &file(&folder, name, &text)]);
        answer.as_object_mut().unwrap().remove("query");
        answer
    };
    let apart = format!("data = {data:?}\nconsent = {consent:?}\nkey = \"id\"");
    let beside = survey("beside.toml", &format!("data = {beside:?}"));
    assert_eq!(survey("apart.toml", &apart), beside);
}

#[test]
fn ledgers_of_tiers_and_of_persons_are_charged() {
    let folder = tempfile::tempdir().unwrap();
    let [beside, data, consent] = files(&folder);
    let apart = ["--consent", consent.as_str(), "--key", "id"];
    let show = |name: &str, tiers: &[&str], data: &str, more: &[&str]| -> Value {
        let ledger = folder.path().join(name).to_str().unwrap().to_owned();
        let levels = "strict=0.5,open=2,public=inf";
        let init = ["ledger", "init", &ledger, "--dataset", "d", "--levels", levels];
        stdout(&[&init[..], tiers].concat());
        let of_ledger = ["--privacy", "c", "--ledger", &ledger, "--spend", "10%"];
        stdout(&[&["mean", data][..], &MEAN[..4], &of_ledger, more].concat());
        json(&["ledger", "show", &ledger])["datasets"][0]["accounts"].clone()
    };
    let (one, other) = (show("a", &[], &data, &apart), show("b", &[], &beside, &[]));
    assert_eq!(one, other);
    let persons = ["--person", "id"];
    let of = [&persons[..], &apart].concat();
    let one = show("c", &["--persons"], &data, &of);
    assert_eq!(one, show("d", &["--persons"], &beside, &persons));
}

#[test]
fn records_without_a_line_count_as_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let data = file(&folder, "d.csv", "who,x\nann,1\nbob,2\n");
    let consent = file(&folder, "c.csv", "id,c,e\nann,open,2\n");
    let apart = ["--consent", consent.as_str(), "--key", "who=id"];
    let mean = [&["mean", &data][..], &MEAN, &TIERS, &apart].concat();
    let (_, said) = refused(&mean);
    assert!(said.contains("column who, row 2: the key is not in the consent file"), "{said}");
    let unused = json(&[&mean[..], &["--missing-consent", "0"]].concat());
    assert_eq!(unused["privacy"][0]["level"], "no consent");
    let strict = json(&[&mean[..], &["--missing-consent", "strict"]].concat());
    assert_eq!(strict["privacy"][0]["count"], 1);
    let add_remove = ["--neighbors", "both"];
    let (_, said) = refused(&[&mean[..], &add_remove].concat());
    assert!(said.contains("the key is not in the consent file") && !said.contains("row"), "{said}");
    let twice = file(&folder, "t.csv", "id,c,e\nann,open,2\nann,strict,2\n");
    let of = |more: &[&str]| {
        let apart = ["--consent", &twice, "--key", "who=id"];
        refused(&[&["mean", &data][..], &MEAN, &TIERS, &apart, more].concat()).1
    };
    assert!(of(&[]).contains("t.csv: column id, row 2: the key is in an earlier row, too"));
    assert!(!of(&add_remove).contains("row 2"), "{}", of(&add_remove));
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [_, data, consent] = files(&folder);
    let run = |source: &str| {
        let text = format!("statistic = \"count\"\nepsilon = \"e\"\n{source}\n");
        refused(&["run", &file(&folder, "q.toml", &text)]).1
    };
    for (source, said) in [
        (format!("data = {data:?}\nconsent = {consent:?}"), "consent: it is not said"),
        (format!("data = {data:?}\nkey = \"id\""), "key: there is no consent file"),
        (
            format!("data = {data:?}\nconsent = {consent:?}\nkey = \"a,b\""),
            "key: expected a column",
        ),
        (format!("data = {data:?}\nconsent = \"-\"\nkey = \"id\""), "consent: it cannot be"),
        (
            format!("data = {data:?}\nconsent = \"no.csv\"\nkey = \"id\""),
            "no.csv: there is no such file",
        ),
        (
            format!("data = {data:?}\nconsent = {consent:?}\nkey = \"id\"\nas-of = \"2026-01-01\""),
            "as_of: no column of a register says when a decision holds",
        ),
        (
            format!("from-levels = \"t\"\nconsent = {consent:?}\nkey = \"id\""),
            ": there are no records, a level table stands in their place",
        ),
    ] {
        let text = run(&source);
        assert!(text.contains(said) && text.contains("hint: "), "{source}: {text}");
        let _ = fs::remove_file(folder.path().join("q.toml"));
    }
}
