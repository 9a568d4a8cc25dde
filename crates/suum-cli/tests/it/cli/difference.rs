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
fn group_release<'a>(release: &'a Value, group: &str) -> &'a Value {
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
        let (s, n) = (group_release(&release, "s"), group_release(&release, "n"));
        let estimate = number(&release["estimate"]);
        assert!((estimate - (number(&s["estimate"]) - number(&n["estimate"]))).abs() < 1e-12);
        // Errors in both directions add up as independent ones do.
        let ([lower, upper], s, n) = (ends(&release), (s, ends(s)), (n, ends(n)));
        let (s_down, n_up) = (number(&s.0["estimate"]) - s.1[0], n.1[1] - number(&n.0["estimate"]));
        let (s_up, n_down) = (s.1[1] - number(&s.0["estimate"]), number(&n.0["estimate"]) - n.1[0]);
        for (half_width, one, other) in
            [(estimate - lower, s_down, n_up), (upper - estimate, s_up, n_down)]
        {
            assert!(
                half_width < 1.1 * one.hypot(other),
                "{more:?}: {half_width} of {one} and {other}"
            );
            assert!(
                half_width > 0.9 * one.hypot(other),
                "{more:?}: {half_width} of {one} and {other}"
            );
        }
        assert_eq!(release["interval"]["confidence"], 0.95);
    }
}

/// Intervals of both groups hold together also where the release must not show who takes part.
#[test]
fn intervals_of_hidden_people_hold_both() {
    let data = Data::new();
    for relation in ["add-remove", "both"] {
        let release = data.difference(&["--neighbors", relation]);
        let (s, n) = (group_release(&release, "s"), group_release(&release, "n"));
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

/// Quantiles and shares have a difference each, and both intervals hold together.
#[test]
fn quantiles_and_shares_are_compared_one_by_one() {
    let data = Data::new();
    let csv = data.path("people.csv");
    let bins = ["--value", "visits", "--bins", "0,5,10,20"];
    let ranks = ["--q", "0.25,0.5", "--step", "1"];
    let asked = [
        ("quantile", [&VISITS[..], &ranks].concat(), "quantiles", "q"),
        ("frequency", bins.to_vec(), "frequencies", "category"),
    ];
    for (statistic, what, of_each, name) in asked {
        let common = [&[statistic, &csv], &what[..], &TIERS, &GROUPS, &BETWEEN, &SEED].concat();
        let release = json(&common);
        let said = (&release["statistic"], &release["of"], &release["between"]);
        assert_eq!(said, (&value!("difference"), &value!(statistic), &value!(["s", "n"])));
        let differences = release["differences"].as_array().unwrap();
        let [s, n] = ["s", "n"].map(|group| group_release(&release, group)[of_each].clone());
        assert_eq!(differences.len(), s.as_array().unwrap().len());
        for (at, one) in differences.iter().enumerate() {
            let (s, n) = (&s[at], &n[at]);
            assert_eq!((&one[name], &one[name]), (&s[name], &n[name]));
            let exact = number(&s["estimate"]) - number(&n["estimate"]);
            assert!((number(&one["estimate"]) - exact).abs() < 1e-12, "{one}");
            for group in [s, n] {
                assert!((number(&group["interval"]["confidence"]) - 0.975).abs() < 1e-12);
            }
            let most = if name == "q" { 20.0 } else { 1.0 };
            let [lower, upper] = ends(one);
            let [[s_low, s_high], [n_low, n_high]] = [s, n].map(ends);
            assert!((lower - (s_low - n_high).max(-most)).abs() < 1e-9, "{one}");
            assert!((upper - (s_high - n_low).min(most)).abs() < 1e-9, "{one}");
            assert_eq!(one["interval"]["confidence"], 0.95);
        }
        let page = data.path(&format!("{statistic}.html"));
        let text = stdout(&[&common[..], &["--report", &page]].concat());
        let long = stdout(&[&common[..], &["--explain"]].concat());
        let page = fs::read_to_string(&page).unwrap();
        for (text, said) in
            [(text, "s less n"), (long, "s less n"), (page, "Differences, s less n")]
        {
            assert!(text.contains(said), "{text}");
        }
    }
    // One quantile is a difference like that of a mean.
    let median = [&["median", &csv], &VISITS[..], &["--step", "1"], &TIERS, &GROUPS, &BETWEEN];
    let median = json(&[&median.concat()[..], &SEED].concat());
    assert_eq!((&median["of"], &median["q"]), (&value!("quantile"), &value!(0.5)));
    assert!(ends(&median)[0] <= number(&median["estimate"]));
    // Without noise the shares are those of the data.
    let exact = ["--insecure-seed", "18446744073709551615"];
    let shares = [&["frequency", &csv], &bins[..], &TIERS, &GROUPS, &BETWEEN, &exact].concat();
    let said = stdout(&shares);
    assert!(said.contains("s and n differ most clearly in "), "{said}");
}

#[test]
fn plans_say_the_error_of_a_difference() {
    let data = Data::new();
    let csv = data.path("people.csv");
    let asked = [&["plan", &csv, "--quiet"], &VISITS[..], &TIERS, &GROUPS, &BETWEEN].concat();
    let plan = json(&asked);
    let rmse = |plan: &Value| {
        let chosen = plan["estimators"].as_array().unwrap().iter();
        let mut chosen = chosen.filter(|one| one["name"] == plan["chosen"]);
        number(&chosen.next().unwrap()["rmse"])
    };
    // Nobody of another group spends anything.
    assert_eq!(plan["groups"].as_array().unwrap().len(), 2);
    let both = rmse(group_release(&plan, "s")).hypot(rmse(group_release(&plan, "n")));
    assert!((number(&plan["difference"]["rmse"]) / both - 1.0).abs() < 1e-12, "{plan}");
    assert_eq!(plan["difference"]["between"], value!(["s", "n"]));
    for explain in [&[][..], &["--explain"]] {
        let text = stdout(&[&asked[..], explain].concat());
        assert!(text.contains("Difference, s less n: expected error "), "{text}");
    }
    let assumed = ["plan", "--profile", "0.5:300,1:300", "--bounds", "0,20"];
    let assumed = json(&[&assumed[..], &GROUPS, &BETWEEN].concat());
    let (one, all) = (rmse(group_release(&assumed, "s")), number(&assumed["difference"]["rmse"]));
    assert!((all / one - 2f64.sqrt()).abs() < 1e-9, "{assumed}");
    // The error of a quantile is one of its rank, which says nothing of the difference.
    let ranks = json(&[&asked[..], &["--statistic", "quantile"]].concat());
    assert!(ranks.get("difference").is_none() && ranks["groups"].as_array().unwrap().len() == 2);
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
        assert!(text.contains("Mean of visits: s ") && text.contains(" more than n ("), "{text}");
        let marked = "</strong> more than <bdi>n</bdi> (95 % interval ";
        assert!(page.contains("Difference, s less n"), "{page}");
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
        (&["--between", "n,s", "--check-bounds=2"], "check-bounds: it is a part"),
    ] {
        let asked = [&["mean", &csv], &VISITS[..], &TIERS, &GROUPS, &SEED, words].concat();
        let (code, said) = refused(&asked);
        assert!(code == 1 && said.contains(message) && said.contains("hint"), "{said}");
    }
    let asked = [&["difference", &csv], &VISITS[..], &TIERS, &GROUPS].concat();
    assert_eq!(refused(&asked).0, 2);
    let (code, said) = refused(&[&asked[..], &["--between", "n,s", "--shrink"]].concat());
    assert!(code == 2 && said.contains("shrink: the difference of shrunk means"), "{said}");
    let table = ["--crosstab", "site,id", "--categories", "n,s", "--categories", "a,b"];
    let asked = [&["frequency", &csv], &table[..], &TIERS, &GROUPS, &["--between", "n,s"]].concat();
    let (code, said) = refused(&asked);
    assert!(
        code == 2 && said.contains("crosstab: its cells and margins are not compared"),
        "{said}"
    );
    // An empty group has a release where it must not show that nobody is in it.
    let add_remove = ["--between", "n,empty", "--neighbors", "both"];
    let asked = [&["mean", &csv], &VISITS[..], &TIERS, &GROUPS, &SEED, &add_remove].concat();
    assert!(ends(&json(&asked))[0] < 0.0);
}
