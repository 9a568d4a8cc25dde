//! Releases that hide who takes part, from the command line: all that can be observed of them.

use std::fs;
use std::process::Output;

use super::common::{RANDHIE, TIERS, VISITS, json, refused, release, stdout, suum};
use serde_json::Value;

const ADD_REMOVE: [&str; 2] = ["--neighbors", "add-remove"];

fn visits_command<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[command, RANDHIE], &VISITS[..], &TIERS[..], &ADD_REMOVE[..], more].concat()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn every_statistic_is_near_the_truth_and_keeps_its_budgets() {
    let count = [&["count", RANDHIE][..], &TIERS, &ADD_REMOVE].concat();
    let health = ["--value", "health", "--categories", "excellent,good,fair,poor"];
    let frequency = [&["frequency", RANDHIE][..], &health, &TIERS, &ADD_REMOVE].concat();
    // Noise has standard deviations of 0.08, 6700, 141 and 0.004; of the median the rank has one of
    // 0.006, and half of all people lie just above 1.
    for (command, path, truth, near) in [
        (visits_command("mean", &[]), "/estimate", 2.86, 0.6),
        (visits_command("sum", &[]), "/estimate", 57_751.0, 50_000.0),
        (count, "/estimate", 20_190.0, 1000.0),
        (frequency, "/frequencies/1/estimate", 0.362, 0.05),
        (visits_command("quantile", &["--step", "1"]), "/quantiles/0/estimate", 1.0, 1.5),
    ] {
        let release = json(&command);
        assert_eq!(release["neighbors"], "add-remove");
        assert_eq!(release["private"], true);
        let estimate = number(release.pointer(path).unwrap());
        assert!((estimate - truth).abs() < near, "{}: {estimate}", release["statistic"]);
        for tier in release["privacy"].as_array().unwrap() {
            assert!(tier["epsilon"] == "inf" || number(&tier["spent"]) <= number(&tier["epsilon"]));
            // Neither how many have a tier nor what it weighs.
            assert!(tier.get("count").is_none() && tier.get("weight").is_none());
        }
    }
}

/// A mean or a sum learns where the values lie, where budgets are few; from a level table, and in
/// the only group, as from the data. A ledger and `--no-adapt` leave it out.
#[test]
fn means_and_sums_learn_where_the_values_lie() {
    const WIDE: [&str; 4] = ["--value", "visits", "--bounds", "0,365"];
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.json");
    let levels = [&["levels", RANDHIE, "--quiet"], &WIDE[..], &TIERS[..]].concat();
    fs::write(&table, stdout(&levels)).unwrap();
    let table = ["--from-levels", table.to_str().unwrap()];
    for neighbors in ["add-remove", "both"] {
        let options = ["--neighbors", neighbors, "--insecure-seed", "9"];
        for statistic in ["mean", "sum"] {
            let of = |more: &[&str]| {
                let data = [&[statistic, RANDHIE], &WIDE[..], &TIERS[..]].concat();
                release(&[&data[..], &options, more].concat())
            };
            let direct = of(&[]);
            let learned_range = &direct["learned_range"];
            assert!(number(&learned_range["bounds"][1]) < 200.0, "{learned_range}");
            let costs = learned_range["cost"].as_array().unwrap();
            let rows = direct["privacy"].as_array().unwrap();
            for (cost, row) in costs.iter().zip(rows) {
                assert_eq!(cost["level"], row["level"]);
                assert!(number(&cost["learning"]) < number(&row["spent"]));
            }
            let bounds = &WIDE[2..];
            let from_table = [&[statistic][..], &table, bounds, &TIERS[2..], &options].concat();
            assert_eq!(release(&from_table), direct, "{statistic} {neighbors}");
            let plain = of(&["--no-adapt"]);
            assert!(plain.get("learned_range").is_none());
            let error = |release: &Value| number(&release["error"]["rmse"]);
            assert!(error(&direct) < 0.5 * error(&plain), "{statistic} {neighbors}");
        }
    }
    // Too many budgets for sums in cells of each, in each of two groups.
    let range = ["--epsilon", "e", "--epsilon-range", "0.01,1e20", "--adapt"];
    let range = [&range[..], &["--group-by", "health", "--groups", "good,fair"]].concat();
    let (code, message) = refused(&[&["mean", RANDHIE], &VISITS[..], &range, &ADD_REMOVE].concat());
    assert!(code == 1 && message.contains("hint: declare fewer tiers"), "{message}");
}

/// A plan for assumed people states the part of the spending that learning would take, and the most
/// that all would spend.
#[test]
fn a_plan_says_what_learning_would_cost() {
    for neighbors in ["add-remove", "both"] {
        let words = |more: &[&str]| {
            let assumed = ["plan", "--profile", "0.05:3000,0.2:9000,1:8000", "--bounds", "0,77"];
            let tiers = ["--levels", "strict=0.05,standard=0.2,relaxed=1"];
            stdout(&[&assumed[..], &tiers, &["--neighbors", neighbors], more].concat())
        };
        let all: Value = serde_json::from_str(&words(&["--format", "json"])).unwrap();
        let learning = all["learning"].as_array().unwrap();
        assert_eq!(learning.len(), 3);
        for (row, learning) in all["privacy"].as_array().unwrap().iter().zip(learning) {
            assert!(number(&row["spent"]) <= number(&row["epsilon"]));
            assert!(number(&learning["learning"]) < number(&row["spent"]));
        }
        assert!(words(&["--explain"]).contains("Of this, for learning where the values lie"));
        let none: Value =
            serde_json::from_str(&words(&["--format", "json", "--no-adapt"])).unwrap();
        assert!(none.get("learning").is_none());
    }
}

/// Everything but numbers that noise moves: keys, lengths of lists, texts, and what is declared.
fn shape(value: &Value, path: &str) -> String {
    match value {
        Value::Object(map) => {
            let parts = map
                .iter()
                .map(|(key, part)| format!("{key}:{}", shape(part, &format!("{path}/{key}"))));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(","))
        }
        // Whether an interval says anything depends on noisy numbers.
        Value::Array(_) if path == "/uninformative" => "names".into(),
        Value::Array(list) => {
            format!("[{}]", list.iter().map(|part| shape(part, path)).collect::<Vec<_>>().join(","))
        }
        // τ comes from noisy numbers, and with it scales, weights and what is spent.
        Value::String(_)
            if ["/noise/scale", "/measurements/scale", "/measurements/levels/weight"]
                .contains(&path) =>
        {
            "number".into()
        }
        Value::Number(number) => {
            let declared = [
                "/bounds",
                "/privacy/epsilon",
                "/interval/confidence",
                "/cells",
                "/rows",
                "/noise/grid",
                "/measurements/grid",
                "/measurements/levels/epsilon",
            ];
            if declared.contains(&path) { number.to_string() } else { "number".into() }
        }
        other => other.to_string(),
    }
}

fn run(data: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.csv");
    fs::write(&path, data).unwrap();
    let arguments =
        [&[arguments[0], "data.csv"], &arguments[1..], &ADD_REMOVE, &["--insecure-seed", "5"]]
            .concat();
    suum(&arguments).current_dir(folder.path()).output().unwrap()
}

/// Pairs of data that differ by one record.
fn neighbours() -> Vec<(String, String)> {
    let header = "v,e,c\n";
    let many: String = (0..500)
        .map(|i| format!("{},{},{}\n", i % 50, [0.1, 0.5, 1.0][i % 3], ["a", "b"][i % 2]))
        .collect();
    let mut pairs = vec![(header.to_owned(), format!("{header}7,0.3,a\n"))];
    // A budget that nobody else has, one below the range, one above, a value far away, and a first
    // record.
    for record in
        ["7,0.123456,a\n", "7,0.000001,b\n", "7,inf,a\n", "1e300,0.5,b\n", "-1e300,0.7,b\n"]
    {
        pairs.push((format!("{header}{many}"), format!("{header}{many}{record}")));
        pairs.push((format!("{header}{many}"), format!("{header}{record}{many}")));
    }
    pairs
}

#[test]
#[ignore = "takes seconds"]
fn nothing_that_can_be_observed_tells_neighbours_apart() {
    let range = ["--epsilon", "e", "--epsilon-range", "0.01,1"];
    let of_values = ["--value", "v", "--bounds", "0,50"];
    let statistics: [Vec<&str>; 6] = [
        [&["mean"][..], &of_values, &range].concat(),
        [&["sum"][..], &of_values, &range].concat(),
        [&["count"][..], &range].concat(),
        [&["frequency", "--value", "c", "--categories", "a,b"][..], &range].concat(),
        [&["quantile", "--q", "0.25,0.5"][..], &of_values, &range, &["--cells", "100"]].concat(),
        [&["mean", "--estimator", "uniform"][..], &of_values, &range].concat(),
    ];
    for arguments in statistics {
        for (one, other) in neighbours() {
            for format in ["json", "text"] {
                let arguments = [&arguments[..], &["--format", format]].concat();
                let (one, other) = (run(&one, &arguments), run(&other, &arguments));
                assert_eq!(
                    one.status.code(),
                    Some(0),
                    "{arguments:?}: {}",
                    String::from_utf8_lossy(&one.stderr)
                );
                assert_eq!(
                    (one.status, &one.stderr),
                    (other.status, &other.stderr),
                    "{arguments:?}"
                );
                let texts = [&one.stdout, &other.stdout]
                    .map(|text| String::from_utf8(text.clone()).unwrap());
                if format == "json" {
                    let [one, other] =
                        texts.map(|text| shape(&serde_json::from_str(&text).unwrap(), ""));
                    assert_eq!(one, other, "{arguments:?}");
                } else {
                    // The words are the same; numbers, and the bars that draw them, are noisy.
                    let [one, other] = texts.map(|text| {
                        text.split_whitespace()
                            .filter(|word| word.chars().all(|c| c.is_ascii_alphabetic()))
                            .map(str::to_owned)
                            .collect::<Vec<_>>()
                    });
                    assert_eq!(one, other, "{arguments:?}");
                }
            }
        }
    }
}

#[test]
fn without_bounds_only_the_private_decision_can_differ() {
    let arguments = [
        "mean",
        "--value",
        "v",
        "--bounds",
        "auto",
        "--epsilon",
        "e",
        "--epsilon-range",
        "0.01,1",
        "--format",
        "json",
    ];
    for (one, other) in neighbours() {
        for output in [run(&one, &arguments), run(&other, &arguments)] {
            let said = String::from_utf8(output.stderr).unwrap();
            match output.status.code() {
                Some(0) => assert_eq!(said, ""),
                _ => assert!(
                    said.starts_with("error: bounds: not enough for a range at this privacy"),
                    "{said}"
                ),
            }
        }
    }
}

/// A level table of so many people at ε = 0.5, as an engine would write it.
fn level_table(count: u64, levels: bool) -> String {
    let level = format!(r#"{{"epsilon":0.5,"count":{count},"sum":"{}"}}"#, count * 5);
    format!(
        r#"{{"format":"suum-levels","version":1,"column":"v",
            "bounds":[0,10],"grid":1048576,"records":{count},"levels":[{}]}}"#,
        if levels { level } else { String::new() }
    )
}

#[test]
fn level_tables_of_nobody_and_of_one_person_look_alike() {
    let folder = tempfile::tempdir().unwrap();
    for (name, table) in [
        ("none", level_table(0, false)),
        ("zero", level_table(0, true)),
        ("one", level_table(1, true)),
    ] {
        fs::write(folder.path().join(name), table).unwrap();
    }
    for statistic in [&["mean", "--bounds", "0,10"][..], &["sum", "--bounds", "0,10"], &["count"]] {
        let shapes = ["none", "zero", "one"].map(|table| {
            let options = ["--from-levels", table, "--epsilon-range", "0.1,1", "--format", "json"];
            let arguments = [statistic, &options, &ADD_REMOVE].concat();
            let output = suum(&arguments).current_dir(folder.path()).output().unwrap();
            assert_eq!(
                (output.status.code(), output.stderr.as_slice()),
                (Some(0), &b""[..]),
                "{arguments:?}"
            );
            shape(&serde_json::from_slice(&output.stdout).unwrap(), "")
        });
        assert!(shapes.iter().all(|one| *one == shapes[0]), "{shapes:?}");
    }
}

#[test]
fn what_is_not_available_is_refused_before_the_data_are_read() {
    // What else must be declared: of numbers a range of budgets.
    for command in ["summary", "variance"] {
        let arguments = [command, "--value", "v", "--bounds", "0,50", "--epsilon", "e"];
        let outputs = ["v,e\n", "v,e\n1,0.5\n", "v,e\nx,0.5\n"].map(|data| run(data, &arguments));
        for output in &outputs {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(
                said.starts_with("error: epsilon-range: ") && output.status.code() == Some(1),
                "{said}"
            );
            assert_eq!(output.stderr, outputs[0].stderr);
        }
    }
}

#[test]
fn quantiles_have_as_many_candidates_as_can_be_counted() {
    let arguments =
        ["quantile", "--value", "v", "--bounds", "0,50", "--epsilon", "e", "--epsilon-range"];
    for (range, format) in [("0.01,1", "text"), ("0.000001,inf", "json"), ("0.5,0.5", "json")] {
        let output = run("v,e\n1,0.5\n", &[&arguments[..], &[range, "--format", format]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn nobody_can_spend_more_than_the_largest_budget() {
    let data: String = (0..300).map(|i| format!("{},0.5\n", i % 50)).collect();
    let arguments =
        ["mean", "--value", "v", "--bounds", "0,50", "--epsilon", "e", "--epsilon-range", "0.1,1"];
    let [one, more] = ["1", "50"].map(|clip| {
        run(&format!("v,e\n{data}"), &[&arguments[..], &["--clip", clip]].concat()).stdout
    });
    assert!(!one.is_empty() && one == more);
}

#[test]
fn malformed_records_are_refused_without_their_place() {
    let arguments =
        ["mean", "--value", "v", "--bounds", "0,50", "--epsilon", "e", "--epsilon-range", "0.01,1"];
    let good = "7,0.5,a\n";
    let mut said: Vec<String> = (0..4)
        .map(|place| {
            let rows: String =
                (0..4).map(|row| if row == place { "x,0.5,a\n" } else { good }).collect();
            let output = run(&format!("v,e,c\n{rows}"), &arguments);
            assert_eq!(output.status.code(), Some(1));
            String::from_utf8(output.stderr).unwrap()
        })
        .collect();
    said.dedup();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("column v") && !said[0].contains("row"), "{said:?}");
}

/// Each declared group has a release, whether or not anybody is in it, and nothing tells how many
/// are: not the text, nor the JSON, nor the page.
#[test]
fn groups_do_not_tell_who_is_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let groups = ["--group-by", "health", "--groups", "excellent,good,fair,poor,nowhere"];
    let frequency = ["frequency", RANDHIE, "--value", "visits", "--bins", "0,1,5,77"];
    let mean = visits_command("mean", &[]);
    let count = [&["count", RANDHIE][..], &TIERS, &ADD_REMOVE].concat();
    let frequency = [&frequency[..], &TIERS, &ADD_REMOVE].concat();
    for command in [mean, count, frequency] {
        let page = folder.path().join(command[0]).with_extension("html");
        let command = [&command[..], &groups, &["--insecure-seed", "3"]].concat();
        let report = [&command[..], &["--explain", "--report", page.to_str().unwrap()]].concat();
        let text = stdout(&report).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("Whether one record is in the data or not"), "{text}");
        assert!(text.contains("Which group somebody is in counts as a value"), "{text}");
        let release = json(&command);
        let all = release["groups"].as_array().unwrap();
        assert_eq!(all.len(), 5);
        for one in all {
            assert!(one["records"].is_null() && one["neighbors"] == "add-remove", "{one}");
            for level in one["privacy"].as_array().unwrap() {
                assert!(level["count"].is_null() && level["weight"].is_null());
                assert!(level["epsilon"] == "inf" || number(&level["spent"]) <= 1.0);
                assert!(level["level"] != "strict" || number(&level["spent"]) <= 0.01);
            }
        }
        let html = fs::read_to_string(&page).unwrap();
        for told in ["no records", "number of records, their tiers"] {
            assert!(!text.contains(told) && !html.contains(told), "{told}");
        }
    }
}

/// Hidden groups can have thousands of numeric budgets each; their quantiles get as many candidates
/// as fit.
#[test]
fn quantiles_of_hidden_groups_have_candidates_that_fit() {
    let rows: String = (0..300)
        .map(|row| {
            format!(
                "{},{},{}\n",
                row % 50,
                0.1 + 0.003 * f64::from(row),
                ["a", "b"][row as usize % 2]
            )
        })
        .collect();
    let arguments = [
        "quantile",
        "--value",
        "v",
        "--bounds",
        "0,50",
        "--epsilon",
        "e",
        "--epsilon-range",
        "0.01,1",
        "--group-by",
        "g",
        "--groups",
        "a,b",
    ];
    let output = run(&format!("v,e,g\n{rows}"), &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// In a ledger the column of hidden groups is one of values that are protected, and not one that is
/// published: other releases can protect it, too.
#[test]
fn the_groups_of_hidden_people_are_protected_values() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("visits.ledger");
    let ledger = ledger.to_str().unwrap();
    let tiers = ["--levels", "strict=0.1,standard=1,relaxed=1,public=inf"];
    let init = ["ledger", "init", ledger, "--dataset", "visits", "--neighbors", "add-remove"];
    stdout(&[&init[..], &tiers].concat());
    let charged = ["--privacy", "privacy", "--ledger", ledger, "--spend", "10%"];
    let health = ["--value", "health", "--categories", "excellent,good,fair,poor"];
    let groups = ["--group-by", "health", "--groups", "excellent,good,fair,poor"];
    for command in [
        [&["frequency", RANDHIE][..], &health, &ADD_REMOVE, &charged].concat(),
        [&["mean", RANDHIE][..], &VISITS, &ADD_REMOVE, &charged, &groups].concat(),
        [&["frequency", RANDHIE][..], &health, &ADD_REMOVE, &charged].concat(),
    ] {
        let release = json(&command);
        assert!(release["ledger"]["entry"].is_number(), "{release}");
    }
}

#[test]
fn what_would_tell_is_refused() {
    let visits = |more: &[&'static str]| visits_command("mean", more);
    let numeric = [
        "mean",
        RANDHIE,
        "--value",
        "visits",
        "--bounds",
        "0,77",
        "--epsilon",
        "epsilon",
        "--neighbors",
        "add-remove",
    ];
    for (arguments, named) in [
        (visits(&["--target", "dataset-correlated"]), "target: "),
        (visits(&["--estimator", "mixed"]), "estimator: mixed"),
        (visits(&["--estimator", "threshold"]), "estimator: threshold"),
        (visits(&["--shrink"]), "shrink: "),
        (visits(&["--variance", "private"]), "variance: a private one"),
        (visits(&["--epsilon-range", "0.01,1"]), "epsilon-range: the budgets of tiers"),
        (numeric.to_vec(), "epsilon-range: where participation is hidden"),
        ([&["plan", RANDHIE][..], &TIERS, &ADD_REMOVE].concat(), "plan: "),
        (
            [&["mean", RANDHIE][..], &VISITS, &TIERS, &["--clip", "0.3"]].concat(),
            "clip: is for --neighbors add-remove",
        ),
    ] {
        let refusal = refused(&arguments);
        assert!(refusal.1.contains(named), "{arguments:?}: {}", refusal.1);
    }
}

/// Nobody counts for more than their tier declares, whatever a level table says that they allow:
/// the certificate is of the declaration.
#[test]
fn a_level_table_cannot_allow_more_than_is_declared() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rows = "1,strict\n".repeat(300) + &"0,standard\n".repeat(300);
    fs::write(path("data.csv"), format!("v,tier\n{rows}")).unwrap();
    let levels = |strict: &str| {
        let levels = format!("strict={strict},standard=1");
        let data = path("data.csv");
        let value = ["--value", "v", "--bounds", "0,1", "--privacy", "tier", "--levels"];
        let made = stdout(&[&["levels", &data], &value[..], &[&levels]].concat());
        fs::write(path("levels.json"), made).unwrap();
        let seed = u64::MAX.to_string();
        let release = ["mean", "--from-levels", &path("levels.json"), "--bounds", "0,1"];
        let add_remove = ["--levels", "strict=0.1,standard=1", "--insecure-seed", &seed];
        json(&[&release[..], &ADD_REMOVE, &add_remove].concat())["estimate"].as_f64().unwrap()
    };
    let (right, more) = (levels("0.1"), levels("inf"));
    assert!(right < 0.2 && (right - more).abs() < 1e-9, "{right} {more}");
}

/// The mean that comes with a variance is written to its own error.
#[test]
fn a_mean_beside_a_variance_has_its_own_digits() {
    let said = stdout(&visits_command("variance", &["--insecure-seed", "3", "--explain"]));
    let line = said.lines().find(|line| line.starts_with("Mean, measured with it")).unwrap();
    assert!(line.trim_end_matches('.').matches('.').count() == 3, "{line}");
}

#[test]
fn a_plan_is_made_for_people_as_one_assumes_them() {
    let profile = ["plan", "--profile", "0.01:6835,0.1:8767,1:4028,inf:560", "--bounds", "0,77"];
    let add_remove = [&profile[..], &ADD_REMOVE, &["--epsilon-range", "0.01,inf"]].concat();
    let (add_remove, public) = (json(&add_remove), json(&profile));
    let error = |plan: &Value, name: &str| {
        let list = plan["estimators"].as_array().unwrap();
        list.iter().find(|one| one["name"] == name).map(|one| number(&one["rmse"])).unwrap()
    };
    assert_eq!(add_remove["chosen"], "typical");
    let ratio = error(&add_remove, "affine") / error(&public, "affine");
    assert!((0.8..1.2).contains(&ratio), "{ratio}");
    assert!(error(&add_remove, "uniform") > error(&add_remove, "affine"));
}
