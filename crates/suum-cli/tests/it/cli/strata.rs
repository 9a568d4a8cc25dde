//! Estimates that keep the shares of strata, from every kind of source.

use std::fs;

use tempfile::TempDir;

use super::common::{json, refused, release, stdout, suum};

const TIERS: [&str; 4] = ["--privacy", "tier", "--levels", "strict=0.05,open=1"];
const VISITS: [&str; 4] = ["--value", "visits", "--bounds", "0,20"];
const SHARES: [&str; 4] = ["--strata", "age", "--population-shares", "young=0.3,old=0.7"];
const SEED: [&str; 2] = ["--insecure-seed", "7"];

/// The young allow more, and have more visits.
struct Data {
    folder: TempDir,
}

impl Data {
    fn new() -> Self {
        let data = Self { folder: tempfile::tempdir().unwrap() };
        let rows = (0..2000).map(|at: usize| {
            let (age, weight, visits) = if at.is_multiple_of(2) {
                ("young", 1, 12 + at / 10 % 7)
            } else {
                ("old", 4, 2 + at / 10 % 5)
            };
            let tier = if at.is_multiple_of(2) || at % 10 == 1 { "open" } else { "strict" };
            format!("{visits},{tier},{age},{weight}")
        });
        let rows = rows.collect::<Vec<_>>().join("\n");
        fs::write(data.path("people.csv"), format!("visits,tier,age,weight\n{rows}\n")).unwrap();
        data
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn asks<'a>(&'a self, people: &'a str, words: &[&[&'a str]]) -> Vec<&'a str> {
        let all = [&["mean", people][..], &VISITS, &TIERS, &SEED];
        all.into_iter().chain(words.iter().copied()).flatten().copied().collect()
    }
}

#[test]
fn shares_are_kept_and_said() {
    let data = Data::new();
    let people = data.path("people.csv");
    let asks = data.asks(&people, &[&SHARES]);
    let kept = json(&asks);
    // Means are 14.99 and 4: 0.3·14.99 + 0.7·4.
    let estimate = kept["estimate"].as_f64().unwrap();
    assert!((estimate - 7.3).abs() < 0.5, "{estimate}");
    let without = json(&data.asks(&people, &[]))["estimate"].as_f64().unwrap();
    assert!(without > 10.0, "{without}");
    let strata = &kept["strata"]["strata"];
    assert_eq!(kept["strata"]["column"], "age");
    assert_eq!((&strata[0]["name"], &strata[0]["records"]), (&"young".into(), &1000.into()));
    assert_eq!(strata[1]["share"].as_f64(), Some(0.7));
    assert_eq!(kept["assumes"][0], "Budgets have nothing to do with values within a stratum.");
    let levels: Vec<&str> = kept["privacy"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["level"].as_str().unwrap())
        .collect();
    assert_eq!(levels, ["strict", "open"]);

    let text = stdout(&asks);
    let said = "Strata of age keep their shares: young 30 % (50 % of the records), old 70 %";
    assert!(text.contains(said), "{text}");
    let plan = [&["plan", &people, "--statistic", "mean"][..], &VISITS, &TIERS, &SHARES].concat();
    let text = stdout(&plan);
    assert!(text.contains("Without strata the expected error would be"), "{text}");
    // A page of each, which does not offer to move people about.
    for (words, name) in [(&asks, "release.html"), (&plan, "plan.html")] {
        let page = data.path(name);
        suum(&[&words[..], &["--report", &page]].concat()).assert().success();
        let page = fs::read_to_string(page).unwrap();
        assert!(page.contains("keep their shares") && !page.contains("id=\"what-if\""));
    }

    // What the release says of itself can be computed again.
    let file = data.path("release.json");
    fs::write(&file, kept.to_string()).unwrap();
    suum(&["verify", &file]).assert().success();
    // And asked again.
    let query = stdout(&["run", &file, &people, "--format", "json"]);
    let again: serde_json::Value = serde_json::from_str(&query).unwrap();
    assert_eq!(again["estimate"], kept["estimate"]);
}

#[test]
fn design_weights_and_shares_of_records_are_shares() {
    let data = Data::new();
    let people = data.path("people.csv");
    let weights = json(&data.asks(&people, &[&["--weight", "weight", "--classes", "1,4"]]));
    assert_eq!(weights["strata"]["strata"][0]["share"].as_f64(), Some(0.2));
    let estimate = weights["estimate"].as_f64().unwrap();
    assert!((estimate - (0.2 * 14.99 + 0.8 * 4.0)).abs() < 0.5, "{estimate}");
    let records = json(&data.asks(&people, &[&["--strata", "age", "--classes", "young,old"]]));
    assert_eq!(records["strata"]["strata"][0]["share"].as_f64(), Some(0.5));
    let mut sum = data.asks(&people, &[&["--strata", "age", "--classes", "young,old"]]);
    sum[0] = "sum";
    let ratio = json(&sum)["estimate"].as_f64().unwrap() / records["estimate"].as_f64().unwrap();
    assert!((ratio - 2000.0).abs() < 1e-6, "{ratio}");
    let bins = ["frequency", &people, "--value", "visits", "--bins", "0,10,20"];
    let bins = json(&[&bins[..], &TIERS, &SEED, &SHARES].concat());
    let share = bins["frequencies"][1]["estimate"].as_f64().unwrap();
    assert!((share - 0.3).abs() < 0.1, "{share}");
}

#[test]
fn level_tables_of_strata_give_the_same_release() {
    let data = Data::new();
    let (people, file) = (data.path("people.csv"), data.path("levels.json"));
    let groups = ["--group-by", "age", "--groups", "young,old"];
    let words = [&["levels", &people, "--quiet"][..], &VISITS, &TIERS, &groups].concat();
    fs::write(&file, stdout(&words)).unwrap();
    let from_data = release(&data.asks(&people, &[&SHARES]));
    let table = ["mean", "--from-levels", &file];
    assert_eq!(release(&[&table[..], &SEED, &SHARES].concat()), from_data);
}

#[test]
fn a_ledger_charges_a_tier_for_its_dearest_stratum() {
    let data = Data::new();
    let (people, ledger) = (data.path("people.csv"), data.path("ledger"));
    let levels = ["ledger", "init", &ledger, "--dataset", "d", "--levels", "strict=0.05,open=1"];
    suum(&levels).assert().success();
    let charged = ["--ledger", &ledger, "--dataset", "d", "--spend", "50%"];
    let asks = ["mean", &people, "--privacy", "tier"];
    let release = json(&[&asks[..], &VISITS, &SHARES, &charged].concat());
    for (row, charge) in release["privacy"]
        .as_array()
        .unwrap()
        .iter()
        .zip(release["ledger"]["tiers"].as_array().unwrap())
    {
        let (spent, charged) = (row["spent"].as_f64().unwrap(), charge["spent"].as_f64().unwrap());
        assert!(spent > 0.0 && spent <= charged && charged < spent * 1.0001, "{row} {charge}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let data = Data::new();
    let people = data.path("people.csv");
    for (words, said) in [
        (&["--strata", "age"][..], "classes"),
        (&["--strata", "age", "--classes", "young,older"], "declared"),
        (&["--strata", "age", "--classes", "young,old,older"], "no record is in stratum \"older\""),
        (&["--classes", "young,old"], "there are no strata"),
        (&["--strata", "age", "--classes", "young,old", "--neighbors", "both"], "to be hidden"),
        (&["--strata", "age", "--classes", "young,old", "--shrink"], "not shrunk"),
        (&["--strata", "age", "--classes", "young,old", "--estimator", "mixed"], "strata"),
    ] {
        let (code, errors) = refused(&data.asks(&people, &[words]));
        assert!(code != 0 && errors.contains(said), "{words:?}: {errors}");
    }
}

/// Of each group the estimate is that of its records alone.
#[test]
fn groups_keep_the_shares_of_strata_each() {
    let data = Data::new();
    let (people, one) = (data.path("people.csv"), data.path("one.csv"));
    let rows = fs::read_to_string(&people).unwrap();
    let (header, rows) = rows.split_once('\n').unwrap();
    let grouped: Vec<String> =
        rows.lines().enumerate().map(|(at, row)| format!("{row},{}", at / 2 % 3)).collect();
    fs::write(data.path("grouped.csv"), format!("{header},site\n{}\n", grouped.join("\n")))
        .unwrap();
    let of_one = grouped.iter().filter(|row| row.ends_with(",1")).cloned().collect::<Vec<_>>();
    fs::write(&one, format!("{header},site\n{}\n", of_one.join("\n"))).unwrap();
    let groups = ["--group-by", "site", "--groups", "1,2,0"];
    let grouped = data.path("grouped.csv");
    let all = json(&data.asks(&grouped, &[&SHARES, &groups]));
    let alone = json(&data.asks(&one, &[&SHARES]));
    // The first group has the noise of the seed first.
    assert_eq!(all["groups"][0]["group"], "1");
    for field in ["estimate", "interval", "strata", "privacy"] {
        assert_eq!(all["groups"][0][field], alone[field], "{field}");
    }
    let strata = ["--strata", "age", "--classes", "young,old,older"];
    let (_, errors) = refused(&data.asks(&grouped, &[&strata, &groups]));
    assert!(errors.contains("group 1") && errors.contains("\"older\""), "{errors}");
}
