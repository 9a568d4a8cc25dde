//! The commands on record, family by family.

/// Level tables that some commands read, and the questions that they answer.
pub(super) const LEVEL_TABLES: [(&str, &str); 7] = [
    ("visits", "--value visits --bounds 0,60 --step 1 TIERS"),
    ("budgets", "--value wage --bounds 0,30 EPS"),
    ("health", "--value health --categories excellent,good,fair,poor TIERS"),
    ("visits-by-site", "--value visits --bounds 0,60 TIERS --group-by site --groups north,south"),
    (
        "steps-by-site",
        "--value visits --bounds 0,60 --step 1 EPS --group-by site --groups south,north",
    ),
    ("members", "--value visits --bounds 0,60 MEMBERS --person id"),
    ("totals", "--value wage --bounds -5,62.5 EPS --person id --totals"),
];

const VISITS: &str = "--value visits --bounds 0,60";
const HEALTH: &str = "--value health --categories excellent,good,fair,poor";
const TARGETS: [&str; 3] = ["population", "dataset", "dataset-correlated"];
const GROUPS: &str = "--group-by site --groups north,south";

/// Estimators of means whose noise can be left away; those of frequencies differ in their names.
const ESTIMATORS: [&str; 15] = [
    "affine",
    "threshold",
    "uniform",
    "proportional",
    "mixed",
    "local",
    "hpm-a",
    "hpm-cp",
    "hpm-ce",
    "hpm-up",
    "hpm-ue",
    "hpm-cp-t",
    "hpm-ce-t",
    "hpm-up-t",
    "hpm-ue-t",
];

/// Families of commands, by name.
pub(crate) fn families() -> Vec<(&'static str, Vec<String>)> {
    vec![
        ("means_by_estimator", means_by_estimator()),
        ("means_by_source", by_source(VISITS, &["mean", "sum"])),
        ("means_by_option", means_by_option()),
        ("frequencies_by_estimator", frequencies_by_estimator()),
        ("frequencies_by_source", by_source(HEALTH, &["frequency"])),
        ("frequencies_by_option", frequencies_by_option()),
        ("quantiles", quantiles()),
        ("variances", variances()),
        ("summaries", summaries()),
        ("counts", counts()),
        ("add_remove", hidden_people()),
        ("plans_of_means", plans_of_means()),
        ("plans_of_others", plans_of_others()),
        ("tables", tables()),
        ("without_bounds", without_bounds()),
        ("ledgers", ledgers()),
        ("level_tables_of_groups", level_tables_of_groups()),
    ]
}

fn means_by_estimator() -> Vec<String> {
    let mut all = Vec::new();
    for estimator in ESTIMATORS {
        for target in TARGETS {
            let privacy = if target == "dataset" { "EPS" } else { "TIERS" };
            all.push(format!(
                "mean CSV {VISITS} {privacy} --estimator {estimator} --target {target}"
            ));
        }
    }
    all
}

/// Every source and way to say who is whom.
fn by_source(value: &str, statistics: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    for statistic in statistics {
        for source in ["CSV", "SQLITE"] {
            for people in ["TIERS", "EPS", "MEMBERS --person id", "EPS --person id"] {
                for groups in ["", GROUPS] {
                    let command = format!("{statistic} {source} {value} {people} {groups}");
                    all.push(command.trim_end().to_owned());
                }
            }
        }
    }
    all
}

fn means_by_option() -> Vec<String> {
    let mut all = Vec::new();
    for statistic in ["mean", "sum"] {
        for options in [
            "--variance 20",
            "--shrink",
            "--confidence 0.99",
            "--target dataset --shrink --confidence 0.8",
            "--estimator hpm-cp --beta 0.2 --target dataset-correlated",
            "--tiers-differ 1",
            "--tiers-differ +5% --target dataset --no-adapt",
            "--tiers-apart --tiers-differ 2",
            "--tiers-apart --group-by site --groups north,south",
            "--tiers-differ 1 --group-by site --groups north,south",
        ] {
            all.push(format!("{statistic} CSV {VISITS} TIERS {options}"));
        }
        all.push(format!("{statistic} CSV --value wage --bounds -5,12.5 EPS"));
        all.push(format!("{statistic} LEVELS:visits"));
        all.push(format!("{statistic} LEVELS:budgets"));
        all.push(format!(
            "{statistic} CSV {VISITS} TIERS --group-by site --groups north --other rest"
        ));
        // Of persons a mean is of means, and a sum of totals.
        all.push(format!("{statistic} LEVELS:members"));
        all.push(format!("{statistic} LEVELS:totals"));
    }
    for options in ["--variance 20", "--shrink", "--estimator hpm-cp"] {
        all.push(format!("sum CSV {VISITS} MEMBERS --person id {options}"));
    }
    all.push("sum SQLITE --value wage --bounds 20,40 EPS --person id --missing 3".to_owned());
    all
}

fn frequencies_by_estimator() -> Vec<String> {
    let mut all = Vec::new();
    for estimator in ESTIMATORS {
        let estimator = estimator.replace("hpm", "hpf");
        for target in TARGETS {
            let privacy = if target == "dataset" { "EPS" } else { "TIERS" };
            all.push(format!(
                "frequency CSV {HEALTH} {privacy} --estimator {estimator} --target {target}"
            ));
        }
    }
    all
}

fn frequencies_by_option() -> Vec<String> {
    let mut all = vec!["frequency LEVELS:health".to_owned()];
    let add_remove = "--simultaneous --neighbors add-remove";
    for options in [
        "--post none",
        "--post clamp",
        "--confidence 0.8",
        "--beta 0.3",
        "--simultaneous",
        add_remove,
    ] {
        all.push(format!("frequency CSV {HEALTH} TIERS {options}"));
    }
    all.push("frequency CSV --value visits --bins 0,1,5,60 TIERS".to_owned());
    all.push("frequency CSV --value visits --bins 0,1,5 --other more EPS".to_owned());
    all.push("frequency CSV --value health --categories good,fair --other else TIERS".to_owned());
    all
}

fn quantiles() -> Vec<String> {
    let mut all = Vec::new();
    let one = "--q 0.5";
    let three = "--q 0.25,0.5,0.9";
    for estimator in ["weighted", "pe", "mixed", "auto"] {
        for which in [one, three] {
            all.push(format!(
                "quantile CSV {VISITS} TIERS {which} --step 1 --estimator {estimator}"
            ));
        }
    }
    for source in ["CSV", "SQLITE"] {
        for people in ["TIERS", "EPS", "MEMBERS --person id --rows 3"] {
            for groups in ["", GROUPS] {
                let command =
                    format!("quantile {source} {VISITS} {people} {one} --step 1 {groups}");
                all.push(command.trim_end().to_owned());
            }
        }
    }
    for target in TARGETS {
        all.push(format!("quantile CSV --value wage --bounds 0,30 EPS {three} --target {target}"));
    }
    all.push(format!("quantile LEVELS:visits {three}"));
    all.push(format!("quantile CSV {VISITS} TIERS {one} --cells 128"));
    all
}

fn variances() -> Vec<String> {
    let mut all = by_source(VISITS, &["variance"]);
    for target in TARGETS {
        all.push(format!("variance CSV {VISITS} TIERS --target {target}"));
    }
    all.push("variance LEVELS:visits".to_owned());
    all
}

fn summaries() -> Vec<String> {
    let mut all = Vec::new();
    let with_quantiles =
        ["mean,q50 --step 1", "mean,variance,q25,q50,q75 --step 1", "variance,q90"];
    for which in ["mean,variance"].into_iter().chain(with_quantiles) {
        for people in ["CSV TIERS", "SQLITE TIERS", "CSV EPS", "CSV MEMBERS --person id --rows 3"] {
            all.push(format!("summary {people} {VISITS} --statistic {which}"));
        }
    }
    all.push(format!(
        "summary CSV TIERS {VISITS} --step 1 --statistic mean,q50 --split mean=3,quantile=1"
    ));
    all
}

fn counts() -> Vec<String> {
    let mut all = Vec::new();
    for source in ["CSV", "SQLITE"] {
        for people in ["TIERS", "EPS", "MEMBERS --person id"] {
            for groups in ["", GROUPS] {
                all.push(format!("count {source} {people} {groups}").trim_end().to_owned());
            }
        }
    }
    all
}

/// Releases that do not show who takes part.
fn hidden_people() -> Vec<String> {
    let mut all = Vec::new();
    for source in ["CSV", "SQLITE"] {
        for people in ["TIERS", "EPS --epsilon-range 0.05,1", "MEMBERS --person id"] {
            let people = format!("{source} {people} --neighbors add-remove");
            all.push(format!("mean {people} {VISITS}"));
            all.push(format!("sum {people} {VISITS}"));
            all.push(format!("count {people}"));
            all.push(format!("frequency {people} {HEALTH}"));
        }
        all.push(format!(
            "quantile {source} TIERS --neighbors add-remove {VISITS} --q 0.5 --step 1"
        ));
    }
    for options in ["--clip 0.5", "--confidence 0.8"] {
        all.push(format!("mean CSV TIERS --neighbors add-remove {VISITS} {options}"));
    }
    all
}

const PROFILES: [&str; 4] =
    ["0.1:3400,inf:23", "0.01:6835,0.1:8767,1:4028,inf:560", "1:50", "0:10,0.3:100,5:7"];

fn plans_of_means() -> Vec<String> {
    let mut all = Vec::new();
    for profile in PROFILES {
        for target in TARGETS {
            for bounds in ["0,1", "-3,77"] {
                all.push(format!("plan --profile {profile} --target {target} --bounds {bounds}"));
            }
        }
        all.push(format!("plan --profile {profile} --variance 0.05"));
        all.push(format!("plan --profile {profile} --bounds auto"));
        for statistic in ["sum", "quantile --q 0.5", "variance", "mean,variance,q50"] {
            all.push(format!("plan --profile {profile} --bounds auto --statistic {statistic}"));
        }
        all.push(format!("plan --profile {profile} --what-if 0.1:+50"));
    }
    all.push("plan CSV TIERS --bounds 0,60".to_owned());
    all.push("plan CSV EPS --bounds 0,60 --estimator threshold".to_owned());
    all.push("plan CSV EPS --person id --statistic sum --bounds 0,60".to_owned());
    all.push("plan CSV EPS --person id --statistic sum --bounds auto".to_owned());
    all.push("plan LEVELS:totals --statistic sum".to_owned());
    all.push("plan LEVELS:members --statistic sum".to_owned());
    all
}

fn plans_of_others() -> Vec<String> {
    let mut all = Vec::new();
    for profile in PROFILES {
        for what in [
            "--statistic frequency --categories a,b,c",
            "--statistic quantile --q 0.5 --bounds 0,10 --step 1",
            "--statistic variance --bounds 0,10",
            "--statistic mean,variance,q50 --bounds 0,10 --step 1",
        ] {
            all.push(format!("plan --profile {profile} {what}"));
        }
    }
    all
}

/// Statistics whose range is found in the data.
fn without_bounds() -> Vec<String> {
    let mut all = Vec::new();
    for source in ["CSV", "SQLITE"] {
        for value in ["visits", "wage"] {
            for people in ["TIERS", "EPS", "MEMBERS --person id"] {
                all.push(format!("mean {source} --value {value} --bounds auto {people}"));
            }
            all.push(format!(
                "mean {source} --value {value} --bounds auto EPS --epsilon-range 0.05,1 \
                --neighbors add-remove"
            ));
        }
    }
    all.push("mean CSV --value wage --bounds auto EPS --target dataset".to_owned());
    for statistic in ["sum", "quantile --q 0.25,0.5", "variance", "summary --statistic mean,q50"] {
        for people in ["TIERS", "EPS", "MEMBERS --person id"] {
            all.push(format!("{statistic} CSV --value wage --bounds auto {people}"));
        }
        all.push(format!(
            "{statistic} SQLITE --value visits --bounds auto EPS --epsilon-range 0.05,1 \
            --neighbors add-remove"
        ));
    }
    all
}

/// Releases that are charged to a ledger.
fn ledgers() -> Vec<String> {
    let of_values = |statistic| format!("{statistic} --value visits --bounds 0,60");
    let statistics = [
        of_values("mean"),
        of_values("sum"),
        of_values("variance"),
        "count".to_owned(),
        format!("frequency {HEALTH}"),
        of_values("quantile") + " --q 0.5 --step 1",
        of_values("summary") + " --statistic mean,variance,q50 --step 1",
        "mean --value wage --bounds auto".to_owned(),
    ];
    let mut all = Vec::new();
    for source in ["CSV", "SQLITE"] {
        for statistic in &statistics {
            let (name, options) = statistic.split_once(' ').unwrap_or((statistic, ""));
            for people in ["TIERS", "EPS --person id"] {
                for groups in ["", GROUPS] {
                    for spend in ["10%", "eps=0.01"] {
                        let command =
                            format!("{name} {source} {options} {people} {groups} --spend {spend}");
                        all.push(command.split_whitespace().collect::<Vec<_>>().join(" "));
                    }
                }
            }
            all.push(
                format!("{name} {source} {options} TIERS --neighbors add-remove --spend 10%")
                    .replace("  ", " "),
            );
        }
    }
    all
}

/// Releases from level tables of groups.
fn level_tables_of_groups() -> Vec<String> {
    let mut all = Vec::new();
    for table in ["visits-by-site", "steps-by-site"] {
        for statistic in ["mean", "sum", "count", "variance"] {
            all.push(format!("{statistic} LEVELS:{table} {GROUPS}"));
        }
    }
    for statistic in ["quantile --q 0.25,0.5", "summary --statistic mean,q50"] {
        all.push(format!("{statistic} LEVELS:steps-by-site {GROUPS}"));
    }
    let add_remove =
        "--neighbors add-remove --levels strict=0.05,standard=0.2,relaxed=1,public=inf";
    for statistic in ["mean --bounds 0,60", "sum --bounds 0,60", "count"] {
        all.push(format!("{statistic} LEVELS:visits-by-site {GROUPS} {add_remove}"));
    }
    for options in ["", "--group-by site --groups north,west", "--group-by tier --groups a,b"] {
        all.push(format!("mean LEVELS:visits-by-site {options}").trim_end().to_owned());
    }
    all.push(format!("mean LEVELS:visits {GROUPS}"));
    for statistic in ["mean", "variance"] {
        all.push(format!("{statistic} LEVELS:visits-by-site {GROUPS} --spend 10%"));
    }
    all
}

/// The exact tables that everything is computed from.
fn tables() -> Vec<String> {
    let mut all = Vec::new();
    for source in ["CSV", "SQLITE"] {
        for (_, question) in LEVEL_TABLES {
            all.push(format!("levels {source} {question}"));
        }
    }
    all
}
