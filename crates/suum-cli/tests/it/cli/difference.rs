//! The difference of two groups: what it is made of, what it costs, and what is refused.

use std::fmt::Write;
use std::fs;

use serde_json::{Value, json as value};
use tempfile::TempDir;

use super::common::{json, refused, stdout, suum};

const TIERS: [&str; 4] = ["--privacy", "tier", "--levels", "strict=0.5,standard=1,public=inf"];
const VISITS: [&str; 4] = ["--value", "visits", "--bounds", "0,20"];
const GROUPS: [&str; 4] = ["--group-by", "site", "--groups", "n,s,w,empty"];
const BETWEEN: [&str; 2] = ["--between", "s,n"];
const SEED: [&str; 3] = ["--insecure-seed", "5", "--quiet"];

struct Data {
    folder: TempDir,
}

impl Data {
    fn new() -> Self {
        let data = Self { folder: tempfile::tempdir().unwrap() };
        let mut text = String::from("visits,tier,eps,id,site\n");
        for at in 0..3000 {
            let site = ["n", "n", "s", "w"][at % 4];
            let tier = ["strict", "standard", "public"][at / 4 % 3];
            let eps = ["0.5", "1"][at / 4 % 2];
            let visits = at * 7919 % 19 % 12 + 4 * (at % 4 / 2);
            writeln!(text, "{visits},{tier},{eps},p{at},{site}").unwrap();
        }
        fs::write(data.path("people.csv"), text).unwrap();
        data
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// The difference with these words, as JSON.
    fn difference(&self, words: &[&str]) -> Value {
        let csv = self.path("people.csv");
        json(
            &[&["difference", &csv], &VISITS[..], &TIERS, &GROUPS, &BETWEEN, &SEED, words].concat(),
        )
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn ends(release: &Value) -> [f64; 2] {
    ["lower", "upper"].map(|end| number(&release["interval"][end]))
}

/// The release of a group.
fn of<'a>(release: &'a Value, group: &str) -> &'a Value {
    let groups = release["groups"].as_array().unwrap();
    groups.iter().find(|one| one["group"] == group).unwrap()
}

#[test]
fn it_is_what_one_group_has_more_than_the_other() {
    let data = Data::new();
    for more in [&[][..], &["--no-adapt"], &["--target", "dataset"], &["--variance", "20"]] {
        let release = data.difference(more);
        assert_eq!(release["statistic"], "difference");
        assert_eq!((&release["of"], &release["between"]), (&value!("mean"), &value!(["s", "n"])));
        // Nobody of another group spends anything.
        assert_eq!(release["groups"].as_array().unwrap().len(), 2);
        let (s, n) = (of(&release, "s"), of(&release, "n"));
        let estimate = number(&release["estimate"]);
        assert!((estimate - (number(&s["estimate"]) - number(&n["estimate"]))).abs() < 1e-12);
        // Errors in both directions add up as independent ones do.
        let ([lower, upper], s, n) = (ends(&release), (s, ends(s)), (n, ends(n)));
        let (s_down, n_up) = (number(&s.0["estimate"]) - s.1[0], n.1[1] - number(&n.0["estimate"]));
        let (s_up, n_down) = (s.1[1] - number(&s.0["estimate"]), number(&n.0["estimate"]) - n.1[0]);
        for (reach, one, other) in
            [(estimate - lower, s_down, n_up), (upper - estimate, s_up, n_down)]
        {
            assert!(reach < 1.1 * one.hypot(other), "{more:?}: {reach} of {one} and {other}");
            assert!(reach > 0.9 * one.hypot(other), "{more:?}: {reach} of {one} and {other}");
        }
        assert_eq!(release["interval"]["confidence"], 0.95);
    }
}

/// Where it must not show who takes part, both intervals hold together.
#[test]
fn intervals_of_hidden_people_hold_both() {
    let data = Data::new();
    for relation in ["add-remove", "both"] {
        let release = data.difference(&["--neighbors", relation]);
        let (s, n) = (of(&release, "s"), of(&release, "n"));
        for one in [s, n] {
            assert!((number(&one["interval"]["confidence"]) - 0.975).abs() < 1e-12);
            let half = if relation == "both" { 0.5 } else { 1.0 };
            let strict = one["privacy"].as_array().unwrap().iter();
            let mut strict = strict.filter(|row| row["level"] == "strict");
            assert!(number(&strict.next().unwrap()["spent"]) <= 0.5 * half);
        }
        let [lower, upper] = ends(&release);
        assert!((lower - (ends(s)[0] - ends(n)[1])).abs() < 1e-9, "{release}");
        assert!((upper - (ends(s)[1] - ends(n)[0])).abs() < 1e-9, "{release}");
        assert_eq!(release["interval"]["confidence"], 0.95);
    }
}

#[test]
fn every_source_and_form_has_it() {
    let data = Data::new();
    let expected = data.difference(&[]);
    let csv = data.path("people.csv");
    let counted = [&["levels", &csv, "--quiet"], &VISITS[..], &TIERS, &GROUPS].concat();
    fs::write(data.path("levels.json"), stdout(&counted)).unwrap();
    let table = data.path("levels.json");
    let of_table = [&["difference", "--from-levels", &table], &TIERS[2..], &GROUPS, &BETWEEN];
    let found = json(&[&of_table.concat()[..], &SEED].concat());
    assert_eq!(found["interval"], expected["interval"]);
    // Its query asks for the same: as a file, and as a mean.
    fs::write(data.path("release.json"), expected.to_string()).unwrap();
    let file = data.path("release.json");
    assert_eq!(json(&["run", &file, &csv, "--quiet"]), expected);
    let verified = suum(&["verify", &file]).output().unwrap();
    assert!(verified.status.success());
    let asked = [&["mean", &csv], &VISITS[..], &TIERS, &GROUPS, &BETWEEN, &SEED].concat();
    for (explain, page) in [(&[][..], "short.html"), (&["--explain"], "long.html")] {
        let page = data.path(page);
        let text = stdout(&[&asked[..], &["--report", &page], explain].concat());
        let page = fs::read_to_string(&page).unwrap();
        assert!(text.contains("Difference of the mean, s less n: "), "{text}");
        let marked = "Difference of the mean, <bdi>s</bdi> less <bdi>n</bdi>: ";
        assert!(page.contains(marked), "{page}");
    }
    let sum = [&["sum", &csv], &VISITS[..], &TIERS, &GROUPS, &BETWEEN, &SEED].concat();
    let sum = json(&sum);
    assert_eq!((&sum["of"], &sum["statistic"]), (&value!("sum"), &value!("difference")));
    assert!(ends(&sum)[0] < number(&sum["estimate"]));
}

/// A ledger charges what the dearer of both costs, once.
#[test]
fn a_ledger_charges_both_at_once() {
    let data = Data::new();
    let (csv, ledger) = (data.path("people.csv"), data.path("ledger"));
    let init = ["ledger", "init", &ledger, "--dataset", "d", "--levels"];
    stdout(&[&init[..], &["strict=0.5,standard=1,public=inf"]].concat());
    let paid = ["--ledger", &ledger, "--spend", "10%", "--quiet"];
    let asked = [&["difference", &csv], &VISITS[..], &TIERS[..2], &GROUPS, &BETWEEN, &paid];
    let release = json(&asked.concat());
    let shown = json(&["ledger", "show", &ledger]);
    let spent = |at: usize| number(&shown[0]["tiers"][at]["spent"]);
    let most = |level: &str| {
        let rows = release["groups"].as_array().unwrap().iter();
        let rows = rows.flat_map(|group| group["privacy"].as_array().unwrap());
        let spent = rows.filter(|row| row["level"] == level).map(|row| number(&row["spent"]));
        spent.fold(0.0, f64::max)
    };
    for (at, level) in ["strict", "standard"].into_iter().enumerate() {
        assert!(spent(at) >= most(level) && spent(at) <= 1.000_001 * most(level), "{shown}");
        assert!(most(level) > 0.0);
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let data = Data::new();
    let csv = data.path("people.csv");
    for (words, message) in [
        (&["--between", "n"][..], "between: these are not two of the declared groups"),
        (&["--between", "n,s,w"], "between: these are not two of the declared groups"),
        (&["--between", "n,north"], "between: these are not two of the declared groups"),
        (&["--between", "n,n"], "between: it is one group twice"),
        (&["--between", "n,empty"], "between: one of the two groups has no records"),
        (&["--between", "n,s", "--shrink"], "shrink: the difference of shrunk means"),
    ] {
        let asked = [&["mean", &csv], &VISITS[..], &TIERS, &GROUPS, &SEED, words].concat();
        let (code, said) = refused(&asked);
        assert!(code == 1 && said.contains(message) && said.contains("hint"), "{said}");
    }
    let asked = [&["difference", &csv], &VISITS[..], &TIERS, &GROUPS].concat();
    assert_eq!(refused(&asked).0, 2);
    // An empty group has a release where it must not show that nobody is in it.
    let hidden = ["--between", "n,empty", "--neighbors", "both"];
    let asked = [&["mean", &csv], &VISITS[..], &TIERS, &GROUPS, &SEED, &hidden].concat();
    assert!(ends(&json(&asked))[0] < 0.0);
}
