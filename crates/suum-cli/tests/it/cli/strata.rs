//! Estimates that keep the shares of strata, from every kind of source.

use std::fs;

use tempfile::TempDir;

use super::common::{json, refused, release, stdout, suum};

const TIERS: [&str; 4] = ["--privacy", "tier", "--levels", "strict=0.05,open=1"];
const VISITS: [&str; 4] = ["--value", "visits", "--bounds", "0,20"];
const SHARES: [&str; 4] = ["--strata", "age", "--population-shares", "young=0.3,old=0.7"];
/// Without strata the median is that of the young, 14 or so; with them that of all, 5.
const QUANTILES: [&str; 6] = ["--q", "0.5,0.9", "--step", "1", "--interval-share", "0.5"];
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
            format!("{visits},{tier},{age},{weight},{}", at % 1000)
        });
        let rows = rows.collect::<Vec<_>>().join("\n");
        let values = rows.lines().map(|row| format!("('{}')", row.replace(',', "','")));
        let values = values.collect::<Vec<_>>().join(",");
        let columns = "visits INTEGER, tier TEXT, age TEXT, weight INTEGER, who TEXT";
        let table = format!("CREATE TABLE people ({columns}); INSERT INTO people VALUES {values}");
        let file = rusqlite::Connection::open(data.path("people.sqlite")).unwrap();
        file.execute_batch(&table).unwrap();
        fs::write(data.path("people.csv"), format!("visits,tier,age,weight,who\n{rows}\n"))
            .unwrap();
        data
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn asks<'a>(&'a self, people: &'a str, words: &[&[&'a str]]) -> Vec<&'a str> {
        let all = [&["mean", people][..], &VISITS, &TIERS, &SEED];
        all.into_iter().chain(words.iter().copied()).flatten().copied().collect()
    }

    fn quantiles<'a>(&'a self, people: &'a str, words: &[&[&'a str]]) -> Vec<&'a str> {
        let mut asks = self.asks(people, &[&[&QUANTILES[..]], words].concat());
        asks[0] = "quantile";
        asks
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

/// A thousand weights, of which each is written in several ways.
#[test]
fn design_weights_are_read_off_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let weights: Vec<f64> = (0..1000).map(|at| 0.5 + f64::from(at) / 16.0).collect();
    let rows = (0..4000).map(|at: usize| {
        let weight = weights[at * 7 % 1000];
        let tier = if at.is_multiple_of(3) { "strict" } else { "open" };
        (
            at % 20,
            tier,
            weight,
            if at.is_multiple_of(2) { format!("{weight}") } else { format!("{weight:e}") },
        )
    });
    let rows: Vec<_> = rows.collect();
    let lines: String =
        rows.iter().map(|(visits, tier, _, text)| format!("{visits},{tier},{text}\n")).collect();
    fs::write(path("people.csv"), format!("visits,tier,weight\n{lines}")).unwrap();
    let values =
        rows.iter().map(|(visits, tier, weight, _)| format!("({visits},'{tier}',{weight})"));
    let values = values.collect::<Vec<_>>().join(",");
    let table = format!(
        "CREATE TABLE people (visits INTEGER, tier TEXT, weight REAL); INSERT INTO people VALUES \
         {values}"
    );
    let file = rusqlite::Connection::open(path("people.sqlite")).unwrap();
    file.execute_batch(&table).unwrap();

    let declared = weights.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    let (csv, database) = (path("people.csv"), path("people.sqlite"));
    let read = [&["mean", &csv][..], &VISITS, &TIERS, &SEED, &["--weight", "weight"]].concat();
    let of_read = json(&read);
    assert_eq!(of_read["strata"]["strata"].as_array().unwrap().len(), 1000);
    let without_query = |mut release: serde_json::Value| {
        release.as_object_mut().unwrap().remove("query");
        release
    };
    let of_declared = json(&[&read[..], &["--classes", &declared]].concat());
    assert_eq!(without_query(of_read.clone()), without_query(of_declared));
    let asks = ["mean", &database, "--table", "people", "--weight", "weight"];
    let of_database = json(&[&asks[..], &VISITS, &TIERS, &SEED].concat());
    assert_eq!(without_query(of_database), without_query(of_read.clone()));

    // What was released can be asked again, of several answers each has the same strata.
    let release = path("release.json");
    fs::write(&release, of_read.to_string()).unwrap();
    suum(&["verify", &release]).assert().success();
    assert_eq!(json(&["run", &release, &csv])["estimate"], of_read["estimate"]);
    let checked = json(&[&read[..], &["--check-bounds"]].concat());
    let strata = &checked["answers"][0]["strata"]["strata"];
    assert_eq!(strata.as_array().unwrap().len(), 1000);
    let plan = |words: &[&str]| {
        let plan = ["plan", &csv, "--statistic", "mean", "--weight", "weight"];
        stdout(&[&plan[..], &VISITS, &TIERS, words].concat())
    };
    assert_eq!(plan(&[]), plan(&["--classes", &declared]));
    assert!(plan(&["--check-bounds"]).contains("Strata of weight keep their shares"));
    let levels = |words: &[&str]| {
        let levels = ["levels", &csv, "--quiet", "--weight", "weight"];
        stdout(&[&levels[..], &VISITS, &TIERS, words].concat())
    };
    assert_eq!(levels(&[]), levels(&["--classes", &declared]));
}

#[test]
fn refusals_of_design_weights_speak_of_weights() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv").to_str().unwrap().to_owned();
    let asks = |words: &[&str]| {
        let asks = [&["mean", &path, "--weight", "weight"][..], &VISITS, &TIERS, words].concat();
        refused(&asks).1
    };
    for (cells, said) in [
        (["2", ""], "column weight, row 2: missing design weight"),
        (["2", "NaN"], "column weight, row 2: "),
        (["2", "many"], "column weight, row 2: not a design weight"),
        (["2", "-1"], "column weight, row 2: not a design weight"),
        (["2", "0"], "column weight: a design weight is 0 or infinite"),
        (["inf", "2"], "column weight: a design weight is 0 or infinite"),
        (["2", "2.0"], "column weight: all records have one design weight"),
    ] {
        let rows: String = cells.iter().map(|cell| format!("3,open,{cell}\n")).collect();
        fs::write(&path, format!("visits,tier,weight\n{rows}")).unwrap();
        let errors = asks(&[]);
        assert!(errors.contains(said) && errors.contains("hint: "), "{cells:?}: {errors}");
        assert!(!errors.contains("group") && !errors.contains("budget"), "{errors}");
    }
    let errors = asks(&["--classes", "1,2.5"]);
    assert!(errors.contains("row 1: the design weight is not declared"), "{errors}");
    for classes in ["1,1.0", "0,1", "a,b"] {
        let errors = asks(&["--classes", classes]);
        assert!(errors.contains("classes: design weights are"), "{errors}");
    }
    for neighbors in ["add-remove", "both"] {
        let errors = asks(&["--neighbors", neighbors]);
        assert!(errors.contains("weight: ") && errors.contains("--neighbors replace"), "{errors}");
    }
    fs::write(&path, "visits,tier,weight\n3,open,1\n4,strict,2\n").unwrap();
    let errors = asks(&["--group-by", "tier", "--groups", "open,strict"]);
    assert!(
        errors.contains("group open: weight: no record has the design weight \"2\""),
        "{errors}"
    );
    let rows: String = (1..66_000).map(|weight| format!("3,open,{weight}\n")).collect();
    fs::write(&path, format!("visits,tier,weight\n{rows}")).unwrap();
    let errors = asks(&[]);
    assert!(errors.contains("more than 65536 different design weights"), "{errors}");
    // Where no data are read, or only once, they are declared.
    let query = ["levels-sql", "--table", "people", "--dialect", "duckdb", "--weight", "weight"];
    for words in [
        [&query[..], &VISITS, &TIERS].concat(),
        vec!["mean", "--from-levels", "x.json", "--weight", "weight"],
    ] {
        let (_, errors) = refused(&words);
        assert!(errors.contains("--classes 1,2.5,4"), "{errors}");
    }
    let words = [&["mean", "-", "--weight", "weight"][..], &VISITS, &TIERS].concat();
    let (_, errors) = refused(&words);
    assert!(errors.contains("read only once") && errors.contains("--classes"), "{errors}");
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

    // It can be asked for by its strata, too.
    let of_strata = [&["levels", &people, "--quiet"][..], &VISITS, &TIERS, &SHARES].concat();
    fs::write(&file, stdout(&of_strata)).unwrap();
    assert_eq!(release(&[&table[..], &SEED, &SHARES].concat()), from_data);

    // Of quantiles it has counts at candidates.
    fs::write(&file, stdout(&[&words[..], &["--step", "1"]].concat())).unwrap();
    let from_data = release(&data.quantiles(&people, &[&SHARES]));
    let table = ["quantile", "--from-levels", &file];
    assert_eq!(release(&[&table[..], &QUANTILES, &SEED, &SHARES].concat()), from_data);
    let database = data.path("people.sqlite");
    let table = data.quantiles(&database, &[&SHARES, &["--table", "people"]]);
    assert_eq!(release(&table), from_data);
}

#[test]
fn a_ledger_charges_a_tier_for_its_dearest_stratum() {
    let data = Data::new();
    let (people, ledger) = (data.path("people.csv"), data.path("ledger"));
    let levels = ["ledger", "init", &ledger, "--dataset", "d", "--levels", "strict=0.05,open=1"];
    suum(&levels).assert().success();
    let charged = ["--ledger", &ledger, "--dataset", "d", "--spend", "40%"];
    for words in [&["mean"][..], &["quantile", "--q", "0.5"]] {
        let asks = [words, &[&people, "--privacy", "tier"]].concat();
        let release = json(&[&asks[..], &VISITS, &SHARES, &charged].concat());
        for (row, charge) in release["privacy"]
            .as_array()
            .unwrap()
            .iter()
            .zip(release["ledger"]["tiers"].as_array().unwrap())
        {
            let spent = row["spent"].as_f64().unwrap();
            let charged = charge["spent"].as_f64().unwrap();
            assert!(spent > 0.0 && spent <= charged && charged < spent * 1.0001, "{row} {charge}");
        }
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
    for (words, said) in [
        (&["--estimator", "pe"][..], "does not keep shares of strata"),
        (&["--neighbors", "both"], "to be hidden"),
    ] {
        let (code, errors) = refused(&data.quantiles(&people, &[&SHARES, words]));
        assert!(code != 0 && errors.contains(said) && errors.contains("hint"), "{errors}");
    }
}

/// The estimate of each group is that of its records alone.
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
    let all = json(&data.quantiles(&grouped, &[&SHARES, &groups]));
    let alone = json(&data.quantiles(&one, &[&SHARES]));
    for field in ["quantiles", "strata", "privacy"] {
        assert_eq!(all["groups"][0][field], alone[field], "{field}");
    }
    let strata = ["--strata", "age", "--classes", "young,old,older"];
    let (_, errors) = refused(&data.asks(&grouped, &[&strata, &groups]));
    assert!(errors.contains("group 1") && errors.contains("\"older\""), "{errors}");
}

#[test]
fn quantiles_keep_shares_and_say_so() {
    let data = Data::new();
    let people = data.path("people.csv");
    let of = |release: &serde_json::Value| release["quantiles"][0]["estimate"].as_f64().unwrap();
    assert!(of(&json(&data.quantiles(&people, &[]))) > 10.0);
    let asks = data.quantiles(&people, &[&SHARES]);
    let kept = json(&asks);
    assert!((of(&kept) - 5.0).abs() <= 1.0, "{kept}");
    let interval = &kept["quantiles"][0]["interval"];
    let ends = [&interval["lower"], &interval["upper"]].map(|end| end.as_f64().unwrap());
    assert!(ends[0] <= 5.0 && ends[1] >= 5.0 && ends[1] - ends[0] < 19.0, "{ends:?}");
    assert_eq!(kept["strata"]["strata"][1]["share"].as_f64(), Some(0.7));
    assert_eq!(kept["assumes"][0], "Budgets have nothing to do with values within a stratum.");
    // Equal design weights are strata as well, here of 0.2 and 0.8.
    let weights = json(&data.quantiles(&people, &[&["--weight", "weight", "--classes", "1,4"]]));
    assert!((of(&weights) - 5.0).abs() <= 1.0, "{weights}");
    // A person with several rows is in one stratum.
    let persons = json(&data.quantiles(&people, &[&SHARES, &["--person", "who"]]));
    assert_eq!(persons["strata"]["strata"][0]["records"], 500);
    let cdf = [&asks[..1], &asks[1..2], &VISITS, &TIERS, &SEED, &SHARES, &["--cdf"]].concat();
    let cdf = json(&cdf);
    assert!(cdf["strata"].is_object() && cdf["quantiles"].as_array().unwrap().len() == 99);

    let text = stdout(&asks);
    let said = "Strata of age keep their shares: young 30 % (50 % of the records), old 70 %";
    assert!(text.contains(said), "{text}");
    let plan = ["plan", &people, "--statistic", "quantile"];
    let plan = [&plan[..], &QUANTILES, &VISITS, &TIERS, &SHARES].concat();
    for words in [&plan[..], &[&plan[..], &["--explain"]].concat()] {
        let text = stdout(words);
        assert!(text.contains("Without strata the expected error would be"), "{text}");
    }
    for (words, name) in [(&asks, "release.html"), (&plan, "plan.html")] {
        let page = data.path(name);
        suum(&[&words[..], &["--report", &page]].concat()).assert().success();
        assert!(fs::read_to_string(page).unwrap().contains("keep their shares"), "{name}");
    }

    // What the release says of itself can be computed again, and what it does not say cannot.
    let file = data.path("release.json");
    fs::write(&file, kept.to_string()).unwrap();
    suum(&["verify", &file]).assert().success();
    let mut forged = kept;
    let spent = forged["privacy"][0]["spent"].as_f64().unwrap();
    forged["privacy"][0]["spent"] = (spent / 2.0).into();
    fs::write(&file, forged.to_string()).unwrap();
    suum(&["verify", &file]).assert().failure();
}

/// A range is found among all records, and what is estimated in it keeps the shares.
#[test]
fn shares_are_kept_in_a_range_that_is_found() {
    let data = Data::new();
    let people = data.path("people.csv");
    let auto = |asks: &[&str]| -> Vec<String> {
        asks.iter().map(|word| if *word == "0,20" { "auto" } else { word }.to_owned()).collect()
    };
    let of = |asks: &[&str]| {
        let asks = auto(asks);
        json(&asks.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert!(of(&data.asks(&people, &[]))["estimate"].as_f64().unwrap() > 10.0);
    let kept = of(&data.asks(&people, &[&SHARES]));
    let estimate = kept["estimate"].as_f64().unwrap();
    assert!((estimate - 7.3).abs() < 1.0, "{estimate}");
    // What was cut off is not known of strata.
    assert!(kept["interval"].is_null() && kept["no_interval"].is_string(), "{kept}");
    assert_eq!(kept["strata"]["strata"][1]["share"].as_f64(), Some(0.7));
    // A sum is that of as many as are declared, which shares alone do not tell.
    let numbers = ["--strata", "age", "--population-shares", "young=3000,old=7000"];
    let mut sum = data.asks(&people, &[&numbers]);
    sum[0] = "sum";
    let ratio = of(&sum)["estimate"].as_f64().unwrap() / estimate;
    assert!((ratio - 10_000.0).abs() < 1e-5, "{ratio}");
    let mut median = data.asks(&people, &[&SHARES]);
    median[0] = "quantile";
    let median = of(&median)["quantiles"][0]["estimate"].as_f64().unwrap();
    assert!((median - 5.0).abs() < 1.5, "{median}");
    let groups = ["--group-by", "who", "--groups", "0,1", "--other-group", "rest"];
    let refused_of = auto(&data.asks(&people, &[&SHARES, &groups]));
    let (_, errors) = refused(&refused_of.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(errors.contains("group 0") && errors.contains("no record is in stratum"), "{errors}");
    // A certificate of the search and of the estimate.
    let file = data.path("release.json");
    fs::write(&file, kept.to_string()).unwrap();
    suum(&["verify", &file]).assert().success();
}

/// The sum of public records is exact, but for half a step of the grid.
#[test]
fn sum_with_design_weights_is_a_total() {
    let data = Data::new();
    let people = data.path("weights.csv");
    fs::write(&people, "v,t,w\n1,p,1\n2,p,2.5\n3,p,4\n").unwrap();
    let sum = ["sum", &people, "--value", "v", "--bounds", "0,10", "--privacy", "t"];
    let of_these = ["--levels", "p=inf", "--target", "dataset"];
    let weights = ["--weight", "w", "--classes", "1,2.5,4"];
    let asked = [&sum[..], &of_these, &weights].concat();
    let release = json(&asked);
    let total = |release: &serde_json::Value| release["estimate"].as_f64().unwrap();
    assert!((total(&release) - 18.0).abs() < 1e-6, "1·1 + 2.5·2 + 4·3: {}", total(&release));
    let [lower, upper] = ["lower", "upper"].map(|end| release["interval"][end].as_f64().unwrap());
    assert!(lower <= 18.0 && upper >= 18.0 && upper - lower < 1e-5, "{lower} to {upper}");
    let text = stdout(&asked).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("as often as its design weight says: 7.5 in all."), "{text}");
    // Labels that are numbers do not run into those beside them.
    assert!(text.contains("\"1\" 13 % (33 % of the records), \"2.5\" 33 %"), "{text}");
    // The mean is that of as many people as each stands for.
    let mean: Vec<&str> = ["mean"].into_iter().chain(asked[1..].iter().copied()).collect();
    assert!((total(&json(&mean)) - 2.4).abs() < 1e-6);
    // Numbers of people make a total, and shares do not.
    let declared = |numbers| {
        let numbers = ["--strata", "w", "--population-shares", numbers];
        [&sum[..], &of_these, &numbers].concat()
    };
    let release = json(&declared("1=10,2.5=20,4=30"));
    assert!((total(&release) - 140.0).abs() < 1e-5, "{}", total(&release));
    let (code, error) = refused(&declared("1=0.2,2.5=0.3,4=0.5"));
    assert!(code == 1 && error.contains("a sum needs how many"), "{code} {error}");
}
