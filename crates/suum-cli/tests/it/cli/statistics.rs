//! Quantiles, variances, summaries, persons and groups from the command line.

use std::fs;

use super::common::{RANDHIE, TIERS, VISITS, json, refused, release, stdout};
use serde_json::Value;

fn visits_command<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[command, RANDHIE], &VISITS[..], &TIERS[..], more].concat()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// Nobody spends more than they allow, and somebody spends nearly everything.
fn check_certificate(privacy: &Value) {
    let tiers = privacy.as_array().unwrap();
    let spent = |tier: &Value| tier["spent"].as_f64().unwrap() / tier["epsilon"].as_f64().unwrap();
    let finite: Vec<f64> =
        tiers.iter().filter(|tier| tier["epsilon"] != "inf").map(spent).collect();
    assert!(finite.iter().all(|share| *share <= 1.0), "{finite:?}");
    assert!(finite.iter().any(|share| *share > 0.999_999), "{finite:?}");
}

#[test]
fn the_json_of_quantiles_keeps_the_contract() {
    let release = json(&visits_command("quantile", &["--q", "0.9,0.25,0.5", "--step", "1"]));
    assert_eq!(release["statistic"], "quantile");
    assert_eq!(release["column"], "visits");
    assert_eq!(release["estimator"]["name"], "weighted");
    assert_eq!(release["cells"], 77);
    assert_eq!(release["private"], true);
    check_certificate(&release["privacy"]);
    let quantiles = release["quantiles"].as_array().unwrap();
    let asked: Vec<f64> = quantiles.iter().map(|one| number(&one["q"])).collect();
    assert_eq!(asked, [0.9, 0.25, 0.5]);
    // The ranks have a standard deviation below 0.007, and these values atoms of 0.06 and more
    // around them.
    let truth = [7.0, 0.0, 1.0];
    for (one, truth) in quantiles.iter().zip(truth) {
        let estimate = number(&one["estimate"]);
        assert!((estimate - truth).abs() <= 1.0 && estimate.fract() == 0.0, "{one}");
        assert_eq!(one["interval"]["confidence"], 0.95);
        assert!(
            number(&one["interval"]["lower"]) <= estimate
                && estimate <= number(&one["interval"]["upper"])
        );
    }
    let together = &release["together"];
    assert_eq!((&together["method"], &together["quantiles"]), (&"histogram".into(), &3.into()));
    assert_eq!((number(&together["share"]), together.get("cost")), (1.0, None));
    assert_eq!(release["simultaneous"], false);
    // Ends that are bought are drawn.
    let bought = ["--q", "0.9,0.25,0.5", "--step", "1", "--interval-share", "0.4"];
    let release = json(&visits_command("quantile", &bought));
    let (together, split) = (&release["together"], release["split"].as_array().unwrap());
    assert_eq!(together["method"], "recursion");
    assert_eq!(together["quantiles"], 3);
    let (share, cost) = (number(&together["share"]), number(&together["cost"]));
    assert!(cost < 3.0);
    assert!(split.iter().all(|one| (number(&one["estimate"]) - share / cost).abs() < 1e-12));
    let ends: f64 = split.iter().map(|one| number(&one["interval"])).sum();
    assert!((share + ends - 1.0).abs() < 1e-12);
    let compared: Vec<&str> = release["compared"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(compared, ["weighted", "pe", "mixed"]);
}

#[test]
fn the_json_of_a_variance_has_mean_and_deviation() {
    let release = json(&visits_command("variance", &[]));
    assert_eq!(release["statistic"], "variance");
    check_certificate(&release["privacy"]);
    // 20.28 is that of the data; noise has a standard deviation of about 4.
    let (variance, deviation) =
        (number(&release["estimate"]), number(&release["deviation"]["estimate"]));
    assert!((variance - 20.28).abs() < 40.0, "{variance}");
    assert!((deviation * deviation - variance).abs() < 1e-9);
    assert!((number(&release["mean"]["estimate"]) - 2.86).abs() < 1.5);
    let targets = visits_command("variance", &["--target", "dataset-correlated"]);
    assert!(refused(&targets).1.contains("target"));
}

#[test]
fn a_summary_shares_one_budget() {
    let more = [
        "--statistic",
        "mean,variance,q50,q90",
        "--split",
        "mean=2,variance=1,quantile=1",
        "--step",
        "1",
    ];
    let release = json(&visits_command("summary", &more));
    assert_eq!(release["statistics"], serde_json::json!(["mean", "variance", "q50", "q90"]));
    assert_eq!(release["split"][0]["share"], 0.75);
    assert_eq!(release["split"][1]["measured"], "quantiles");
    check_certificate(&release["privacy"]);
    for (part, name) in [("variance", "variance"), ("quantile", "quantile")] {
        assert_eq!(release["parts"][part]["statistic"], name);
    }
    let alone = json(&visits_command("summary", &["--statistic", "mean"]));
    assert_eq!(alone["parts"]["mean"]["estimator"]["name"], "typical");
    assert_eq!(alone["split"][0]["share"], 1.0);
}

#[test]
fn seeds_repeat_every_statistic() {
    for command in ["quantile", "variance", "summary"] {
        let once = stdout(&visits_command(command, &["--insecure-seed", "3"]));
        assert_eq!(once, stdout(&visits_command(command, &["--insecure-seed", "3"])));
        assert_ne!(once, stdout(&visits_command(command, &["--insecure-seed", "4"])));
        assert!(once.starts_with("NOT PRIVATE"));
    }
}

#[test]
fn a_level_table_serves_every_statistic() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.json");
    let levels = visits_command("levels", &["--step", "1", "--quiet"]);
    fs::write(&table, stdout(&levels)).unwrap();
    let table = table.to_str().unwrap();
    let step = ["--step", "1"];
    for (command, more) in
        [("mean", &["--no-adapt"][..]), ("quantile", &step), ("variance", &[]), ("summary", &step)]
    {
        let seed = ["--insecure-seed", "9"];
        let direct = release(&visits_command(command, &[more, &seed].concat()));
        let from_table = [&[command, "--from-levels", table], more, &seed[..]].concat();
        assert_eq!(release(&from_table), direct, "{command}");
    }
    let plain = folder.path().join("plain.json");
    fs::write(&plain, stdout(&visits_command("levels", &["--quiet"]))).unwrap();
    let plain = plain.to_str().unwrap();
    for statistic in ["mean", "sum"] {
        // From its sums in cells a mean learns where the values lie, as from the data.
        let seed = ["--insecure-seed", "9"];
        let direct = release(&visits_command(statistic, &seed));
        assert!(direct["learned_range"].is_object());
        assert_eq!(release(&[&[statistic, "--from-levels", plain], &seed[..]].concat()), direct);
    }
    let (code, message) = refused(&["quantile", "--from-levels", plain]);
    assert!(code == 1 && message.contains("hint: make it for"), "{message}");
    // A table without squares is enough for a mean, with the interval of the worst case.
    let mut sums: Value = serde_json::from_str(&fs::read_to_string(plain).unwrap()).unwrap();
    let gone = ["squares", "cells", "cell_sums"];
    for name in gone {
        sums.as_object_mut().unwrap().remove(name);
    }
    for level in sums["levels"].as_array_mut().unwrap() {
        for name in gone {
            level.as_object_mut().unwrap().remove(name);
        }
    }
    fs::write(plain, sums.to_string()).unwrap();
    let (code, message) = refused(&["variance", "--from-levels", plain]);
    assert!(code == 1 && message.contains("hint: make it anew"), "{message}");
    let width = |release: &Value| {
        number(&release["interval"]["upper"]) - number(&release["interval"]["lower"])
    };
    let of_table = |table: &str| json(&["mean", "--from-levels", table, "--insecure-seed", "9"]);
    let (worst, measured) = (of_table(plain), of_table(table));
    let chosen = |release: &Value| release["estimator"]["name"].clone();
    assert_eq!([chosen(&worst), chosen(&measured)], ["affine", "typical"]);
    let summary = json(&["summary", "--statistic", "mean", "--from-levels", plain]);
    assert_eq!(chosen(&summary["parts"]["mean"]), "affine");
    assert!(width(&measured) < 0.5 * width(&worst) && worst.get("spread").is_none());
}

const PERSONS: &str =
    "id,group,tier,x\na,n,low,1\nb,n,high,9\na,n,high,3\nc,s,high,5\nb,n,high,7\nd,s,low,5\n";

const PEOPLE: [&str; 6] = ["--value", "x", "--bounds", "0,10", "--privacy", "tier"];

fn people_command<'a>(path: &'a str, command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[command, path], &PEOPLE[..], &["--levels", "low=1,high=inf", "--insecure-seed", "1"], more]
        .concat()
}

#[test]
fn a_person_with_many_rows_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    fs::write(&path, PERSONS).unwrap();
    let path = path.to_str().unwrap();
    let release = json(&people_command(path, "mean", &["--person", "id"]));
    assert_eq!(release["person"], "id");
    let counts: Vec<u64> = release["privacy"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tier| tier["count"].as_u64().unwrap())
        .collect();
    // a is low, as its strictest row, b and c are high, d is low.
    assert_eq!(counts, [2, 2]);
    let public =
        json(&people_command(path, "mean", &["--person", "id", "--estimator", "proportional"]));
    // b counts with 8, c with 5; the public ones alone have no noise.
    assert!((number(&public["estimate"]) - 6.5).abs() < 1e-6);
    for rows in ["1", "2"] {
        let more = ["--person", "id", "--rows", rows, "--step", "1", "--estimator", "pe"];
        let quantiles = json(&people_command(path, "quantile", &more));
        assert_eq!(quantiles["rows"].to_string(), rows);
        assert!([5.0, 6.0, 7.0].contains(&number(&quantiles["quantiles"][0]["estimate"])));
    }
    let text = stdout(&people_command(path, "mean", &["--person", "id", "--explain"]));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("Each person counts once, with the mean of their rows"));
}

/// Totals of −4, 20, 5.5 and 7: sums of rows of which most are beyond any of these bounds.
const MANY_ROWS: &str = "\
id,v,e,site
a,100,inf,n
b,0.5,inf,s
a,-104,inf,n
c,5,inf,s
b,19.5,inf,s
c,0.5,inf,s
d,1e300,inf,n
d,7,inf,n
d,-1e300,inf,n
";

#[test]
fn a_sum_is_of_the_totals_of_persons() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("visits.csv");
    fs::write(&path, MANY_ROWS).unwrap();
    let path = path.to_str().unwrap();
    let people = ["--value", "v", "--epsilon", "e", "--person", "id"];
    let of = |command: &'static str, bounds: &'static str, more: &[&'static str]| {
        let seed = if command == "sum" { &["--insecure-seed", "1"][..] } else { &[] };
        [&[command, path, "--bounds", bounds], &people[..], seed, more].concat()
    };
    // Everybody is public, so there is no noise: 0 + 10 + 5.5 + 7, and what is 0 is out of bounds.
    for (bounds, sum) in [("0,10", 22.5), ("-5,25", 28.5), ("6,8", 27.0), ("-100,-50", -200.0)] {
        let release = json(&of("sum", bounds, &["--no-adapt"]));
        assert!((number(&release["estimate"]) - sum).abs() < 1e-6, "{release}");
        assert_eq!(release["contribution"], "total of rows");
        assert_eq!(release["bounds_of"], "total of each person");
        assert_eq!(release["privacy"][0]["count"], 4);
    }
    let groups = ["--no-adapt", "--group-by", "site", "--groups", "n,s"];
    let groups = json(&of("sum", "0,10", &groups));
    let sums: Vec<f64> = groups["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| number(&group["estimate"]))
        .collect();
    assert!((sums[0] - 7.0).abs() < 1e-6 && (sums[1] - 15.5).abs() < 1e-6, "{groups}");
    for more in [&[][..], &["--group-by", "site", "--groups", "n,s"]] {
        let text = stdout(&of("sum", "0,10", &[more, &["--explain"]].concat()));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for sentence in [
            "Bounds for the total of each person: 0 to 10. Totals outside them were moved",
            "Each person counts once, with the total of their rows, at the strictest",
        ] {
            assert!(text.contains(sentence), "{text}");
        }
    }

    // A level table says which of the two it has.
    for (totals, other, hint) in [(true, "mean", "without --totals"), (false, "sum", "--totals")] {
        let file = folder.path().join("levels.json");
        let more: &[&str] = if totals { &["--totals", "--quiet"] } else { &["--quiet"] };
        fs::write(&file, stdout(&of("levels", "0,10", more))).unwrap();
        let file = file.to_str().unwrap();
        let (code, message) = refused(&[other, "--from-levels", file]);
        assert!(code == 1 && message.contains("its persons count with"), "{message}");
        assert!(message.contains(hint) && message.contains("suum levels DATA"), "{message}");
        let (_, message) = refused(&["plan", "--from-levels", file, "--statistic", other]);
        assert!(message.contains("its persons count with"), "{message}");
        if totals {
            let sum = json(&["sum", "--from-levels", file, "--no-adapt", "--insecure-seed", "1"]);
            assert!((number(&sum["estimate"]) - 22.5).abs() < 1e-6, "{sum}");
        }
    }
    for (more, message) in [
        (&["--totals", "--rows", "2"][..], "totals: a total is one number"),
        (&["--totals", "--per-person", "total"][..], "totals: it is the same as"),
        (&["--totals", "--bins", "0,1,2"][..], ""),
    ] {
        assert!(refused(&of("levels", "0,10", more)).1.contains(message));
    }
}

#[test]
fn groups_have_a_release_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    fs::write(&path, PERSONS).unwrap();
    let path = path.to_str().unwrap();
    let by = ["--group-by", "group", "--groups", "s,w,n"];
    for command in ["mean", "quantile", "variance", "summary", "sum"] {
        let releases = json(&people_command(path, command, &by));
        assert_eq!(releases["statistic"], command);
        let groups = releases["groups"].as_array().unwrap();
        let names: Vec<&str> =
            groups.iter().map(|group| group["group"].as_str().unwrap()).collect();
        assert_eq!(names, ["s", "w", "n"]);
        assert_eq!(groups[1]["records"], 0);
        let people: u64 = groups[2]["privacy"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tier| tier["count"].as_u64().unwrap())
            .sum();
        assert_eq!(people, 4);
        assert!(
            stdout(&people_command(path, command, &by)).contains("Each record is in one group")
        );
    }
    let persons = json(&people_command(path, "mean", &[&by[..], &["--person", "id"]].concat()));
    assert_eq!(persons["groups"][0]["privacy"][0]["count"], 1);
    let (_, message) =
        refused(&people_command(path, "mean", &["--group-by", "group", "--groups", "n,w"]));
    assert!(message.contains("column group, row 4") && !message.contains(" s"), "{message}");
    let rest = ["--group-by", "group", "--groups", "n", "--other", "rest"];
    assert_eq!(json(&people_command(path, "mean", &rest))["groups"][1]["group"], "rest");
    let tiers = [
        "--privacy",
        "tier",
        "--levels",
        "low=1,high=inf",
        "--value",
        "id",
        "--categories",
        "a,b,c",
    ];
    let frequency = [&["frequency", path], &tiers[..], &["--other", "others"], &by].concat();
    assert_eq!(json(&frequency)["groups"][0]["frequencies"][3]["category"], "others");
    let count = [&["count", path], &tiers[..4], &by].concat();
    assert_eq!(json(&count)["groups"][2]["estimate"], 4.0);
}

#[test]
fn plans_of_other_statistics() {
    let of = |more: &[&'static str]| {
        json(&[&["plan", "--profile", "0.1:3400,1:400,inf:23"], more].concat())
    };
    let quantile = of(&["--statistic", "quantile", "--q", "0.5,0.9"]);
    assert_eq!(quantile["chosen"], "weighted");
    assert_eq!(quantile["estimators"][2]["level_weights"].as_array().unwrap().len(), 3);
    check_certificate(&quantile["privacy"]);
    check_certificate(&of(&["--statistic", "variance", "--bounds", "0,10"])["privacy"]);
    let several = of(&["--statistic", "mean,q50", "--split", "quantile=3"]);
    assert_eq!(several["split"][1]["share"], 0.75);
    check_certificate(&several["privacy"]);
}

#[test]
fn refusals_name_what_to_change() {
    for (command, more, name) in [
        ("quantile", &["--q", "1.5"][..], "q: "),
        ("quantile", &["--q", "0.5,0.5"], "q: "),
        ("quantile", &["--step", "0.3"], "step: "),
        ("quantile", &["--cells", "0"], "cells: "),
        ("quantile", &["--interval-share", "1"], "interval-share: "),
        ("variance", &["--confidence", "95"], "confidence: "),
        ("summary", &["--statistic", "mode"], "statistic: "),
        ("summary", &["--split", "mode=1"], "split: "),
        ("mean", &["--variance", "private"], "variance: a private one is not bought"),
        ("mean", &["--variance", "secret"], "variance: "),
        ("mean", &["--group-by", "health", "--groups", "a"], "groups: "),
        ("mean", &["--estimator", "stretch", "--person", "health"], "estimator: "),
    ] {
        let (code, message) = refused(&visits_command(command, more));
        assert!(
            code == 1 && message.contains(name) && message.contains("\nhint: "),
            "{more:?}: {message}"
        );
    }
}
