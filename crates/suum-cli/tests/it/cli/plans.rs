//! Plans from the command line.

use serde_json::Value;

use super::common::{RANDHIE, TIERS, json, refused, stdout};

#[test]
fn the_json_of_a_plan_keeps_the_contract() {
    let plan = json(&["plan", "--profile", "0.1:3400,0.5:4300,inf:23"]);
    for key in [
        "target",
        "bounds",
        "profile",
        "estimators",
        "chosen",
        "lower_bound",
        "gap",
        "personalization_gain",
        "ratio_bound",
    ] {
        assert!(!plan[key].is_null(), "{key}");
    }
    assert_eq!(plan["profile"][2]["epsilon"], "inf");
    assert_eq!(plan["profile"][0]["count"], 3400);
    let chosen = plan["estimators"]
        .as_array()
        .unwrap()
        .iter()
        .find(|e| e["name"] == plan["chosen"])
        .unwrap();
    let gap = chosen["risk"].as_f64().unwrap() / plan["lower_bound"].as_f64().unwrap();
    assert!((gap / plan["gap"].as_f64().unwrap() - 1.0).abs() < 1e-12 && gap >= 1.0);
    for estimator in plan["estimators"].as_array().unwrap() {
        let number = |key: &str| estimator[key].as_f64().unwrap();
        assert!((number("rmse").powi(2) / number("risk") - 1.0).abs() < 1e-12);
        let parts = number("noise_sd").powi(2) + number("sampling_sd").powi(2);
        assert!((parts / number("risk") - 1.0).abs() < 1e-12);
        let name = estimator["name"].as_str().unwrap();
        let studied = ["sample", "stretch"].contains(&name);
        assert_eq!(estimator["for_study"].as_bool().unwrap_or(false), studied, "{name}");
        // What `typical` gives up in the worst case.
        let least = chosen["risk"].as_f64().unwrap() / 1.505;
        assert!(studied || number("risk") >= least, "{name}");
        assert_eq!(estimator["level_weights"].is_array(), name == "mixed");
        assert_eq!(estimator["weights"].is_array(), name != "mixed");
    }
    let excluded = &plan["excluded"][0];
    assert_eq!(excluded["name"], "stretch");
    assert!(excluded["reason"].as_str().unwrap().contains("public"));
}

#[test]
fn the_data_and_their_profile_give_the_same_plan() {
    let from_data = json(&[&["plan", RANDHIE, "--bounds", "0,77"], &TIERS[..]].concat());
    let profile = ["--profile", "0.01:6835,0.1:8767,1:4028,inf:560"];
    assert_eq!(json(&[&["plan", "--bounds", "0,77"], &profile[..]].concat()), from_data);
}

#[test]
fn what_if_compares_with_other_people() {
    let mut changed =
        json(&["plan", "--profile", "0.1:3400,0.5:4300", "--what-if", "inf:+500,0.1:-400"]);
    let before = changed.as_object_mut().unwrap().remove("before").unwrap();
    assert_eq!(before["records"], 7700);
    assert!(before["rmse"].as_f64().unwrap() > 0.0);
    assert_eq!(changed, json(&["plan", "--profile", "0.1:3000,0.5:4300,inf:500"]));
    let text = stdout(&["plan", "--profile", "0.1:3400,0.5:4300", "--what-if", "inf:+500"]);
    assert!(text.starts_with("If so: 8,200 records instead of 7,700"), "{text}");
}

#[test]
fn what_if_knows_tiers_by_their_names() {
    let plan = |change: &str| {
        json(&[&["plan", RANDHIE, "--bounds", "0,77", "--what-if", change], &TIERS[..]].concat())
    };
    assert_eq!(plan("relaxed:+20%,strict:-35"), plan("1:+806,0.01:-35"));
    let words = ["plan", RANDHIE, "--bounds", "0,77", "--what-if", "opn:+20%"];
    let (_, refused) = refused(&[&words[..], &TIERS[..]].concat());
    assert!(refused.contains("no tier has the name opn"), "{refused}");
    assert!(refused.contains("strict, standard, relaxed, public"), "{refused}");
}

#[test]
fn tiers_keep_their_names_when_people_change() {
    let words = ["plan", RANDHIE, "--what-if", "inf:+1,0.5:+3", "--no-adapt", "--explain"];
    let text = stdout(&[&words[..], &TIERS[..]].concat());
    let names = ["strict", "standard", "0.5", "relaxed", "public"];
    let table = text.split("  would spend ").last().unwrap();
    let rows = table.lines().skip(1).take_while(|line| line.starts_with("  "));
    let found: Vec<&str> = rows.map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(found, names);
}

/// The plan and the release of a sum are those of the mean, in units of the sum.
#[test]
fn sums_are_planned_in_their_own_units() {
    let profile = ["plan", "--profile", "0.1:5000,1:20", "--bounds", "0,10"];
    let (mean, sum) = (json(&profile), json(&[&profile[..], &["--statistic", "sum"]].concat()));
    let ratio =
        |a: &serde_json::Value, b: &serde_json::Value| a.as_f64().unwrap() / b.as_f64().unwrap();
    let near =
        |value: f64, truth: f64| assert!((value / truth - 1.0).abs() < 1e-12, "{value} {truth}");
    let n = 5020.0;
    for (mean, sum) in
        mean["estimators"].as_array().unwrap().iter().zip(sum["estimators"].as_array().unwrap())
    {
        near(ratio(&sum["risk"], &mean["risk"]), n * n);
        for key in ["rmse", "noise_sd", "sampling_sd"] {
            near(ratio(&sum[key], &mean[key]), n);
        }
    }
    near(ratio(&sum["lower_bound"], &mean["lower_bound"]), n * n);
    assert_eq!(sum["gap"], mean["gap"]);
    // Of a release whose error is that of the plan.
    let words = ["sum", RANDHIE, "--value", "visits", "--bounds", "0,77", "--estimator", "mixed"];
    let release = json(&[&words[..], &TIERS[..]].concat());
    let mixed = release["compared"].as_array().unwrap().iter().find(|one| one["name"] == "mixed");
    near(ratio(&mixed.unwrap()["rmse"], &release["error"]["rmse"]), 1.0);
}

#[test]
fn frequencies_have_plans_of_their_own() {
    let plan = json(&[
        "plan",
        "--profile",
        "0.1:3400,inf:23",
        "--statistic",
        "frequency",
        "--categories",
        "a,b,c",
    ]);
    assert_eq!(plan["categories"].as_array().unwrap().len(), 3);
    let names: Vec<&str> = plan["estimators"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["name"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"hpf-up-t") && !names.contains(&"hpm-up") && !names.contains(&"stretch")
    );
    let bins =
        json(&["plan", "--profile", "0.1:3400", "--statistic", "frequency", "--bins", "0,1,2,3"]);
    assert_eq!(bins["categories"].as_array().unwrap().len(), 3);
}

#[test]
fn a_declared_variance_lowers_the_risk() {
    let risk = |more: &[&str]| {
        let plan = json(&[&["plan", "--profile", "0.1:3400", "--bounds", "0,10"], more].concat());
        plan["estimators"][0]["risk"].as_f64().unwrap()
    };
    assert!(risk(&["--variance", "2"]) < risk(&[]));
}

/// A plan states the number of people that a target takes: with them it is reached, with a
/// hundredth less it is not.
#[test]
fn without_a_ledger_a_target_says_how_many_people_it_takes() {
    let add_remove = ["--neighbors", "add-remove", "--epsilon-range", "0.1,1"];
    for (options, of, target) in [
        (&["--bounds", "0,10"][..], "rmse", 0.05),
        (&["--bounds", "0,10", "--target", "dataset"], "half_width", 0.03),
        (&["--statistic", "quantile"], "rmse", 0.004),
        (&["--statistic", "frequency", "--categories", "a,b,c"], "half_width", 0.2),
        (&add_remove, "rmse", 0.002),
    ] {
        let plan = |profile: &str, more: &[&str]| {
            json(&[&["plan", "--profile", profile], options, more].concat())
        };
        let reached = |plan: &Value| match of {
            "half_width" => plan["half_width"].as_f64().unwrap(),
            _ => {
                let all = plan["estimators"].as_array().unwrap();
                let chosen = all.iter().find(|one| one["name"] == plan["chosen"]).unwrap();
                chosen.get("rank_rmse").unwrap_or(&chosen["rmse"]).as_f64().unwrap()
            }
        };
        let option = if of == "rmse" { "--target-rmse" } else { "--target-half-width" };
        let needed = plan("0.1:3400,1:230", &[option, &target.to_string()])["needed"].take();
        let people = |by: f64| {
            let levels = needed["profile"].as_array().unwrap().iter();
            let level = levels.map(|level| {
                let count = (level["count"].as_f64().unwrap() * by) as u64;
                format!("{}:{count}", level["epsilon"])
            });
            level.collect::<Vec<_>>().join(",")
        };
        assert!(reached(&plan(&people(1.0), &[])) <= target, "{options:?} {needed}");
        assert!(reached(&plan(&people(0.99), &[])) > target, "{options:?} {needed}");
        let factor = needed["factor"].as_f64().unwrap();
        assert_eq!(factor > 1.0, reached(&plan("0.1:3400,1:230", &[])) > target, "{options:?}");
    }
    let (code, said) = refused(&["plan", "--profile", "0.1:9", "--target-rmse", "1e-12"]);
    assert!(code == 1 && said.contains("not even a thousand million times"), "{said}");
}

/// Targets are planned for people in data and in level tables as for those of a profile, or
/// refused. No option is ignored.
#[test]
fn a_target_is_planned_for_people_in_data_or_refused() {
    let data = [&["plan", RANDHIE, "--value", "visits", "--bounds", "0,77"], &TIERS[..]].concat();
    let of = |more: &[&str]| json(&[&data[..], more].concat());
    let levels = of(&[])["privacy"].as_array().unwrap().clone();
    let level = |level: &Value| format!("{}:{}", level["epsilon"], level["count"]);
    let profile = levels.iter().map(level).collect::<Vec<_>>().join(",").replace('"', "");
    let assumed = ["plan", "--profile", &profile, "--bounds", "0,77"];
    let target = ["--target-rmse", "0.1"];
    let needed = of(&target)["needed"].take();
    assert!(needed["factor"].as_f64().unwrap() > 1.0);
    assert_eq!(needed, json(&[&assumed[..], &target].concat())["needed"]);
    let text = stdout(&[&data[..], &["--target-rmse", "30"]].concat());
    assert!(text.contains("The profile reaches it: its expected error is 0.3287."), "{text}");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("asked.toml");
    std::fs::write(&file, "statistic = \"mean\"\nbounds = [0, 77]\ntarget-rmse = 0.1\n").unwrap();
    let in_file = json(&["plan", file.to_str().unwrap(), "--profile", &profile]);
    assert_eq!(in_file["needed"], needed);

    let add_remove =
        ["plan", "--profile", "0.1:50", "--neighbors", "add-remove", "--epsilon-range"];
    let add_remove = [&add_remove[..], &["0.1,1"]].concat();
    let [rmse, half] = [["--target-rmse", "0.1"], ["--target-half-width", "0.1"]];
    for (words, more, named) in [
        (&data[..], &["--target-rmse", "-1"][..], "must be a positive number"),
        (&data, &["--target-half-width", "0"], "must be a positive number"),
        (&assumed, &[&["--what-if", "1:+9"][..], &rmse].concat(), "is for one plan without"),
        (&assumed, &[&["--statistic", "sum"][..], &rmse].concat(), "the error of a sum grows with"),
        (
            &add_remove,
            &[&["--statistic", "count"][..], &half].concat(),
            "the error of a count grows",
        ),
        (&["plan", "--profile", "0.1:900", "--bounds", "auto"], &half, "would have no interval"),
        (&assumed, &[&["--statistic", "mean,q50"][..], &half].concat(), "have different ones"),
    ] {
        let (code, said) = refused(&[words, more].concat());
        assert!(code > 0 && said.contains(named), "{more:?}: {said}");
        // Where there is no ledger there are no shares to spend.
        assert!(!said.contains("--spend"), "{more:?}: {said}");
    }
}

/// Each group has its own answer: that of its people.
#[test]
fn every_group_is_told_how_many_people_it_takes() {
    let groups = ["--group-by", "health", "--groups", "good,poor", "--other-group", "others"];
    let target = ["--target-half-width", "0.2"];
    let data = [&["plan", RANDHIE, "--value", "visits", "--bounds", "0,77"], &TIERS[..]].concat();
    let plan = json(&[&data[..], &groups, &target].concat());
    let mut factors = Vec::new();
    for group in plan["groups"].as_array().unwrap() {
        let levels = group["profile"].as_array().unwrap().iter();
        let level = levels.map(|one| format!("{}:{}", one["epsilon"], one["count"]));
        let profile = level.collect::<Vec<_>>().join(",").replace('"', "");
        let alone = ["plan", "--profile", &profile, "--bounds", "0,77"];
        assert_eq!(group["needed"], json(&[&alone[..], &target].concat())["needed"]);
        factors.push(group["needed"]["factor"].as_f64().unwrap());
    }
    assert!(factors.len() == 3 && factors[0] != factors[1], "{factors:?}");
    let text = stdout(&[&data[..], &groups, &target].concat());
    assert!(text.contains("good: An interval of at most ±0.2 takes"), "{text}");
    let add_remove =
        ["plan", "--profile", "0.1:50", "--neighbors", "both", "--epsilon-range", "0.1,1"];
    let plan = json(&[&add_remove[..], &groups, &["--target-rmse", "0.1"]].concat());
    assert!(plan["groups"][0]["needed"]["factor"].as_f64().unwrap() > 1.0);
}

/// In standard deviations of normal values.
#[test]
fn without_bounds_a_target_says_how_many_people_it_takes() {
    for neighbors in [&[][..], &["--neighbors", "add-remove", "--epsilon-range", "0.1,1"]] {
        let plan = |profile: &str, more: &[&str]| {
            let auto = ["plan", "--profile", profile, "--bounds", "auto"];
            json(&[&auto[..], neighbors, more].concat())
        };
        let needed = plan("1:3000", &["--target-rmse", "0.01"])["needed"].take();
        let count = needed["profile"][0]["count"].as_u64().unwrap();
        let reached = plan(&format!("1:{count}"), &[])["error"]["rmse"].as_f64().unwrap();
        assert!(reached <= 0.01 && reached > 0.0099, "{reached} {needed}");
        let auto = ["plan", "--profile", "1:3000", "--bounds", "auto", "--target-rmse", "0.01"];
        let text = stdout(&[&auto[..], neighbors].concat());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("for normal data, in standard deviations of the values"), "{text}");
    }
}

#[test]
fn plans_say_what_is_assumed_and_of_what() {
    let said = |words: &str| {
        let people = match words.contains("--profile") {
            true => &[][..],
            false => &["--profile", "0.1:900,1:90"],
        };
        let words: Vec<&str> = words.split(' ').collect();
        let text = stdout(&[&["plan"], people, &words, &["--explain"]].concat());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let groups = "--group-by g --groups a,b";
    let add_remove = "--neighbors add-remove --epsilon-range 0.1,1";
    let learns = "before seeing the data, of a mean that does not learn first.";
    let whole = "Each group is assumed to have the whole profile.";
    let twice = "A record that changes group is in two releases, so each group spends at most half";
    let sorts = "--statistic frequency --categories a,b,c";
    let once = "percentage points for all categories at once";
    for (words, there, missing) in [
        (format!("--profile 0.1:900,1:90,inf:90 --bounds 0,1 {groups}"), [learns, whole], twice),
        (format!("--no-adapt {groups}"), ["before seeing the data. Each", whole], "learn"),
        (
            format!("{sorts} {groups} --target dataset"),
            ["Plan for the frequency of each of 2 groups by g, target dataset", whole],
            "learn",
        ),
        (
            format!("--statistic quantile --q 0.25,0.5 {groups}"),
            ["Plan for the 25 % quantile, median of each", whole],
            "a guess",
        ),
        (format!("{add_remove} {groups}"), ["The profile is a guess.", whole], twice),
        (
            format!("--neighbors both --epsilon-range 0.1,1 {groups}"),
            ["The profile is a guess.", twice],
            "worst cases",
        ),
        (
            "--statistic quantile --q percentiles".into(),
            [
                "Plan for 99 quantiles (1 % to 99 %) of 990 records",
                "The estimate would be for the population the records come from.",
            ],
            "37 %",
        ),
        (
            format!("--statistic quantile --q 0.25 {add_remove}"),
            ["Plan for the 25 % quantile of 990 records that are assumed", "rank"],
            "median",
        ),
        (
            format!("--statistic mean,variance,q50 --bounds 0,1 {add_remove}"),
            ["errors are expected if people are as assumed: mean:", "The profile is a guess."],
            "worst case",
        ),
        (
            format!("--profile 1:3000 --bounds auto {add_remove}"),
            [
                "Plan for the mean of 3,000 records that are assumed, without declared bounds",
                "for normal data, if people are as assumed, with the estimator gaussian.",
            ],
            "All of it is for",
        ),
        (format!("{sorts} --simultaneous"), ["is at most", once], "about"),
        (format!("{sorts} --simultaneous {add_remove}"), ["is expected to be about", once], "most"),
        (format!("{sorts} {add_remove}"), ["is expected to be about", "percentage points."], once),
    ] {
        let text = said(&words);
        assert!(there.iter().all(|words| text.contains(words)), "{words}: {text}");
        assert!(!text.contains(missing), "{words}: {missing}: {text}");
    }
    let half = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        json(&[&["plan", "--profile", "0.1:900,1:90"], &words[..]].concat())["half_width"].as_f64()
    };
    for more in [String::new(), format!(" {add_remove}")] {
        let alone = half(&format!("{sorts}{more}"));
        assert!(half(&format!("{sorts} --simultaneous{more}")) > alone, "{more}");
    }
}

/// The plan of each group is that of its people alone.
#[test]
fn groups_are_planned_one_by_one() {
    let groups = ["--group-by", "health", "--groups", "excellent,good,fair,poor,dead"];
    let by = |more: &[&str]| json(&[&["plan", RANDHIE, "--bounds", "0,77"], more, &TIERS].concat());
    let plans = by(&groups);
    assert_eq!((&plans["statistic"], &plans["group_by"]), (&"mean".into(), &"health".into()));
    let each = plans["groups"].as_array().unwrap();
    assert_eq!(each.len(), 5);
    assert_eq!(each[4], serde_json::json!({"group": "dead", "records": 0}));
    for group in &each[..4] {
        let levels = group["privacy"].as_array().unwrap().iter();
        let level = |level: &Value| format!("{}:{}", level["epsilon"], level["count"]);
        let profile = levels.map(level).collect::<Vec<_>>().join(",").replace('"', "");
        let mut group = group.clone();
        group.as_object_mut().unwrap().remove("group");
        assert_eq!(group, json(&["plan", "--profile", &profile, "--bounds", "0,77"]));
    }
    let assumed = ["plan", "--profile", "0.1:50,inf:9", "--bounds", "0,77"];
    let plans = json(&[&assumed[..], &groups].concat());
    for group in plans["groups"].as_array().unwrap() {
        let mut group = group.clone();
        group.as_object_mut().unwrap().remove("group");
        assert_eq!(group, json(&assumed));
    }
}

/// Whoever names the statistic where data stand, or by another name, is told how to ask.
#[test]
fn a_plan_says_how_a_statistic_is_named() {
    let (code, message) = refused(&["plan", "mean", "--profile", "0.1:30"]);
    assert_eq!(code, 1);
    assert!(message.contains("\nhint: name the statistic with --statistic mean"), "{message}");
    let planned =
        |name: &str| json(&["plan", "--statistic", name, "--profile", "0.1:30", "--bounds", "0,1"]);
    for (name, statistic) in [
        ("median", "quantile"),
        ("average", "mean"),
        ("std", "variance"),
        ("mean,median", "mean,q50"),
    ] {
        assert_eq!(planned(name), planned(statistic), "{name}");
    }
    let (_, message) = refused(&["plan", "--statistic", "meen", "--profile", "0.1:30"]);
    assert!(message.contains("\nhint: did you mean mean?"), "{message}");
    let (_, message) = refused(&["plan", RANDHIE, "--profile", "0.1:30"]);
    assert!(message.contains("data: there are no records, a profile stands"), "{message}");
}

/// No interval is longer than what is possible, and a plan says where it can be as long.
#[test]
fn a_plan_says_where_a_release_may_say_nothing() {
    const NOTHING: &str = "there may be no useful answer";
    const HIDDEN: [&str; 4] = ["--neighbors", "add-remove", "--epsilon-range", "0.01,1"];
    let plan = |profile: &str, statistic: &[&str]| {
        let asked = [&["plan", "--profile", profile, "--statistic"], statistic].concat();
        let text = stdout(&asked).split_whitespace().collect::<Vec<_>>().join(" ");
        let json = json(&asked);
        let half_width = json["intervals"].as_array().unwrap().iter();
        let half_widths = half_width.map(|one| one["half_width"].as_f64().unwrap());
        (text, half_widths.collect::<Vec<_>>())
    };
    for (statistic, most) in [
        (&["mean", "--bounds", "0,77"][..], vec![38.5]),
        (&["sum", "--bounds", "0,77"], vec![50.0 * 38.5]),
        (&["variance", "--bounds", "0,77"], vec![77.0 * 77.0 / 8.0]),
        (&["frequency", "--categories", "a,b,c"], vec![0.5]),
        (&[&["mean", "--bounds", "0,77"][..], &HIDDEN].concat(), vec![38.5]),
    ] {
        let (text, half_widths) = plan("0.01:50", statistic);
        assert!(text.contains(NOTHING), "{statistic:?}: {text}");
        assert_eq!(half_widths, most, "{statistic:?}");
        let (text, half_widths) = plan("1:50000", statistic);
        assert!(!text.contains(NOTHING), "{statistic:?}: {text}");
        assert!(half_widths[0] < 0.1 * most[0] * if statistic[0] == "sum" { 1000.0 } else { 1.0 });
    }
}

/// The people that a target takes are stated for the worst data, for ordinary ones beside it, and
/// under an assumed shape for that shape.
#[test]
fn target_obeys_the_assumed_shape() {
    let mean = ["plan", "--profile", "0.1:300,1:100", "--bounds", "0,10"];
    let target = ["--target-half-width", "0.5"];
    let worst = json(&[&mean[..], &target].concat())["needed"].take();
    let shape = ["--assume", "normal"];
    let normal = json(&[&mean[..], &target, &shape].concat());
    let people = |needed: &Value| {
        let levels = needed["profile"].as_array().unwrap().iter();
        levels.map(|level| level["count"].as_f64().unwrap()).sum::<f64>()
    };
    let (of_worst, of_normal) = (people(&worst), people(&normal["needed"]));
    assert!(of_normal < 0.6 * of_worst, "{of_normal} {of_worst}");
    // What is expected of so many people is what was asked for.
    let half_width = normal["expected"]["estimates"][0]["half_width"].as_f64().unwrap();
    assert!((half_width - 0.5).abs() < 0.05, "{half_width}");
    let ordinary = worst["ordinary_records"].as_f64().unwrap();
    assert!(ordinary < 0.6 * of_worst && ordinary > 0.5 * of_normal, "{ordinary} {of_normal}");
    let text =
        stdout(&[&mean[..], &target].concat()).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("takes, at worst,"), "{text}");
    assert!(text.contains("For values with a standard deviation of an eighth"), "{text}");
}

#[test]
fn target_of_a_share_takes_percentage_points() {
    let shares =
        ["plan", "--profile", "0.1:3000", "--statistic", "frequency", "--categories", "a,b"];
    let needed =
        |target| json(&[&shares[..], &["--target-half-width", target]].concat())["needed"].take();
    let of_number = needed("0.005");
    assert_eq!(needed("0.5pp"), of_number);
    assert_eq!(needed("0.5%"), of_number);
    let one_line = |words: &[&str]| stdout(words).split_whitespace().collect::<Vec<_>>().join(" ");
    let text = one_line(&[&shares[..], &["--target-half-width", "0.5"]].concat());
    assert!(text.contains("half a percentage point is 0.5pp"), "{text}");
    let mean = ["plan", "--profile", "0.1:3000", "--bounds", "0,10", "--target-half-width"];
    let text = one_line(&[&mean[..], &["5"]].concat());
    assert!(text.contains("it is half of the width of the bounds"), "{text}");
    assert!(!one_line(&[&mean[..], &["4"]].concat()).contains("Every release"));
    let (code, said) = refused(&[&mean[..], &["0.5pp"]].concat());
    assert!(code == 1 && said.contains("percentage points are for shares"), "{code} {said}");
}
