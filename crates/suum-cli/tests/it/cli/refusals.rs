//! Refusals of requests that cannot be met: exit code, the name of the culprit, a hint, and no data
//! value.

use std::fs;

use super::common::{RANDHIE, TIERS, VISITS, refused, stdout, suum};

/// Arguments of a mean of the example, of which some are replaced.
fn mean(data: &str, value: &[&str], tiers: &[&str], more: &[&str]) -> Vec<String> {
    [&["mean", data], value, tiers, more].concat().into_iter().map(str::to_owned).collect()
}

fn check(arguments: &[String], names: &str) {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (code, message) = refused(&arguments);
    assert_eq!(code, 1, "{arguments:?}: {message}");
    assert!(message.starts_with("error: ") && message.contains(names), "{arguments:?}: {message}");
    assert!(message.contains("\nhint: "), "{arguments:?}: {message}");
    assert!(!message.contains("panicked"), "{message}");
}

#[test]
fn parameters_that_make_no_sense() {
    let with = |more: &[&str]| mean(RANDHIE, &VISITS, &TIERS, more);
    for bounds in ["77,0", "5,5", "0,inf", "nan,1", "0", "a,b", "-1e300,1e300"] {
        check(&mean(RANDHIE, &["--value", "visits", "--bounds", bounds], &TIERS, &[]), "bounds");
    }
    for confidence in ["0", "1", "95", "-0.5", "nan"] {
        check(&with(&["--confidence", confidence]), "confidence");
    }
    check(&with(&["--beta", "0"]), "beta");
    for variance in ["0", "-1", "1e9", "nan"] {
        check(&with(&["--variance", variance]), "variance");
    }
    check(&with(&["--variance", "9", "--target", "dataset-correlated"]), "variance");
    check(&with(&["--clip", "1"]), "clip");
    check(&with(&["--epsilon-range", "0.1,1"]), "epsilon-range");
    check(&with(&["--missing", "nan"]), "missing");
    check(&with(&["--estimator", "hpf-a"]), "estimator");
    let tiers = |levels: &'static str| {
        mean(RANDHIE, &VISITS, &["--privacy", "privacy", "--levels", levels], &[])
    };
    for levels in ["", "strict", "strict=-1", "strict=nan", "strict=0.1,strict=1", "=1"] {
        check(&tiers(levels), "");
    }
    check(&tiers("strict=0,standard=0,relaxed=0,public=0"), "every budget is zero");
    check(&tiers("strict=0.1,standard=1"), "column privacy, row ");
    check(&mean(RANDHIE, &VISITS, &[], &[]), "privacy");
    check(&mean(RANDHIE, &["--value", "visits"], &TIERS, &[]), "bounds");
    check(&mean(RANDHIE, &["--bounds", "0,77"], &TIERS, &[]), "value");
    check(
        &mean(RANDHIE, &["--value", "nowhere", "--bounds", "0,1"], &TIERS, &[]),
        "column nowhere",
    );
    check(
        &mean(RANDHIE, &["--value", "health", "--bounds", "0,1"], &TIERS, &[]),
        "column health, row 1",
    );
    let missing = "no/such/file.csv: there is no such file";
    check(&mean("no/such/file.csv", &VISITS, &TIERS, &[]), missing);
    check(
        &["mean", "--value", "x", "--bounds", "0,1", "--epsilon", "e"].map(str::to_owned),
        "data",
    );
    check(
        &["mean", "--from-levels", "no/such/table.json"].map(str::to_owned),
        "no/such/table.json",
    );
    for profile in ["", "0.1", "0.1:0", "nan:3", "0:5", "0.1:-3"] {
        check(&["plan", "--profile", profile].map(str::to_owned), "");
    }
    check(&["plan", "--profile", "0.1:3", "--what-if", "0.1:-4"].map(str::to_owned), "what-if");
    check(
        &["plan", "--profile", "0.1:3", "--statistic", "frequency"].map(str::to_owned),
        "categories",
    );
    check(&["plan", "--profile", "0.1:3", "--categories", "a,b"].map(str::to_owned), "categories");
    check(&["plan"].map(str::to_owned), "plan");
    check(&["plan", "--profile", "9:9223372036854775807,1:2"].map(str::to_owned), "profile");
}

#[test]
fn categories_that_make_no_sense() {
    let with = |more: &[&str]| -> Vec<String> {
        [&["frequency", RANDHIE], &TIERS[..], more]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect()
    };
    check(&with(&["--value", "health"]), "categories");
    for categories in ["", "good", "good,good", "good,"] {
        check(&with(&["--value", "health", "--categories", categories]), "categories");
    }
    for bins in ["1", "1,1", "2,1", "a,b", "0,nan", "0,inf"] {
        check(&with(&["--value", "visits", "--bins", bins, "--other", "rest"]), "bins");
    }
    check(&with(&["--value", "health", "--categories", "good,fair"]), "column health, row ");
    check(&with(&["--value", "visits", "--bins", "0,1,2"]), "column visits, row ");
    check(
        &with(&["--value", "health", "--categories", "good,fair", "--estimator", "hpm-a"]),
        "estimator",
    );
}

/// Names of columns and of tiers are public; a line that may be a record is not repeated.
#[test]
fn what_is_nearly_named_was_perhaps_meant() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    let meant = |text: &str, value: &str, levels: &str| {
        fs::write(&path, text).unwrap();
        let tiers = ["--privacy", "consent", "--levels", levels];
        let value = ["--value", value, "--bounds", "0,9"];
        let said = refused(&[&["mean", path.to_str().unwrap()], &value[..], &tiers].concat()).1;
        let meant = said.split("did you mean ").nth(1).map(|rest| rest.split('?').next().unwrap());
        let declared = said.split("hint: ").nth(1).and_then(|hint| hint.split_once(" is declared"));
        (meant.or(declared.map(|(name, _)| name)).map(str::to_owned), said)
    };
    let some = |name: &str| Some(name.to_owned());
    let header = "consent,visits\nstrict,1\n";
    assert_eq!(meant(header, "vists", "strict=1").0, some("visits"));
    assert_eq!(meant(header, "visits", "strct=1").0, some("strct"));
    assert_eq!(meant(header, "income", "strict=1").0, None);
    // No header: the first line is a record, which nothing but its first word is like.
    for line in ["strict,visit5", "consents,visit5", "consent,100001"] {
        let asked = if line.ends_with('1') { "100000" } else { "visits" };
        let (meant, said) = meant(&format!("{line}\nstrict,1\n"), asked, "strict=1");
        let cell = line.split(',').nth(1).unwrap();
        assert!(meant != some(cell) && !said.contains(cell), "{said}");
    }
}

/// Each fault is in row 2 or 3, next to a secret that no message may repeat.
#[test]
fn data_of_another_form() {
    let folder = tempfile::tempdir().unwrap();
    let faults: [(&str, &[u8], &str); 12] = [
        ("empty", b"", "empty"),
        ("header", b"tier,x\n", "no records"),
        ("ragged", b"tier,x\na,1\na,SECRET,3\n", "row 2"),
        ("short", b"tier,x\na,1\nSECRET\n", "row 2"),
        ("utf8", b"tier,x\na,1\na,\xff\xfeSECRET\n", "column x, row 2"),
        ("text", b"tier,x\na,1\na,SECRET\n", "column x, row 2"),
        ("tier", b"tier,x\na,1\nSECRET,2\n", "column tier, row 2"),
        ("missing", b"tier,x\na,1\na,2\na,\n", "column x, row 3"),
        ("choice", b"tier,x\na,1\n,2\n", "column tier, row 2"),
        ("quote", b"tier,x\na,1\na,\"SECRET\n", ""),
        ("twice", b"tier,x,x\na,1,SECRET\n", "column x"),
        ("headerless", b"SECRET,1\na,2\n", "column tier"),
    ];
    let value = ["--value", "x", "--bounds", "0,9"];
    let tiers = ["--privacy", "tier", "--levels", "a=1"];
    for (name, bytes, names) in faults {
        let file = folder.path().join(format!("{name}.csv"));
        fs::write(&file, bytes).unwrap();
        let arguments = mean(file.to_str().unwrap(), &value, &tiers, &[]);
        check(&arguments, names);
        let output =
            suum(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).output().unwrap();
        assert!(!String::from_utf8(output.stderr).unwrap().contains("SECRET"), "{name}");
    }
    let file = folder.path().join("budgets.csv");
    for budget in ["-1", "nan", "1e300", "SECRET"] {
        fs::write(&file, format!("e,x\n1,1\n{budget},2\n")).unwrap();
        check(&mean(file.to_str().unwrap(), &value, &["--epsilon", "e"], &[]), "column e, row 2");
    }
    let broken = folder.path().join("broken.parquet");
    fs::write(&broken, b"PAR1 and nothing else PAR1").unwrap();
    check(&mean(broken.to_str().unwrap(), &value, &tiers, &[]), "broken.parquet");
    fs::write(&broken, "{\"format\":\"suum-levels\",\"version\":1,\"records\":1,\"levels\":[]}")
        .unwrap();
    check(&["mean", "--from-levels", broken.to_str().unwrap()].map(str::to_owned), "level table");
}

/// Published estimators that are for study release nothing, whatever else is asked; the refusal
/// says which program has them.
#[test]
fn what_is_for_study_is_refused_and_said_where_it_is() {
    let auto = ["--value", "visits", "--bounds", "auto"];
    let health = ["--value", "health", "--categories", "excellent,good,fair,poor"];
    let profile = ["plan", "--profile", "0.1:50,1:20"];
    let add_remove = ["--neighbors", "add-remove"];
    for estimator in ["sample", "stretch", "gaussian-diffusion"] {
        let asked = ["--estimator", estimator];
        for words in [
            [&["mean", RANDHIE][..], &VISITS, &TIERS].concat(),
            [&["mean", RANDHIE][..], &auto, &TIERS].concat(),
            [&["mean", RANDHIE][..], &VISITS, &TIERS, &add_remove].concat(),
            [&["mean", RANDHIE][..], &auto, &TIERS, &add_remove].concat(),
            [&["mean", "-"][..], &VISITS, &TIERS].concat(),
            vec!["mean", "--from-levels", "table.json"],
            [&["sum", RANDHIE][..], &VISITS, &TIERS].concat(),
            [&["frequency", RANDHIE][..], &health, &TIERS].concat(),
            profile.to_vec(),
            [&profile[..], &["--bounds", "auto"]].concat(),
            [&profile[..], &["--statistic", "frequency", "--categories", "a,b"]].concat(),
            [&profile[..], &add_remove, &["--epsilon-range", "0.1,1"]].concat(),
        ] {
            let (code, said) = refused(&[&words[..], &asked].concat());
            let study = format!("suum-experiments mean DATA --estimator {estimator}");
            assert!(
                code == 1 && said.contains(&format!("hint: choose auto; to study it, run {study}")),
                "{words:?}: {said}"
            );
            assert!(
                said.starts_with(&format!("error: estimator: {estimator} is for study")),
                "{said}"
            );
        }
    }
    for gone in [&["experiment", "list"][..], &["mean", RANDHIE, "--sample-threshold", "1"]] {
        assert_eq!(refused(gone).0, 2, "{gone:?}");
    }
    assert!(
        !String::from_utf8(suum(&["--help"]).output().unwrap().stdout)
            .unwrap()
            .contains("xperiment")
    );
}

#[test]
fn wrong_usage_has_its_own_exit_code() {
    for arguments in [
        &["mean", "--no-such-option"][..],
        &["no-such-command"],
        &["mean", RANDHIE, "--privacy", "privacy"],
        &["mean", RANDHIE, "--estimator", "best"],
        &["mean", RANDHIE, "--confidence", "high"],
    ] {
        let (code, message) = refused(arguments);
        assert_eq!(code, 2, "{arguments:?}: {message}");
        assert!(message.contains("\nhint: "), "{arguments:?}: {message}");
    }
    suum(&["--help"]).assert().success();
    suum(&["--version"]).assert().success();
}

#[test]
fn what_a_command_only_refuses_is_not_in_its_help() {
    for (command, hidden, shown) in [
        (
            "levels",
            &["--ledger", "--dataset", "--spend", "--target-rmse"][..],
            &["[DATA]", "--from-levels"][..],
        ),
        (
            "levels-sql",
            &["--ledger", "--dataset", "--spend", "--target-rmse", "[DATA]", "--from-levels <"],
            &[],
        ),
        (
            "sum",
            &["- gaussian", "hpf-", "stretch", "sample:"],
            &["--estimator", "hpm-a", "bounds are then"],
        ),
        ("frequency", &["hpm-", "sample:", "- weighted"], &["--estimator", "hpf-a"]),
        ("variance", &["--estimator"], &["--target-rmse", "--clip", "--epsilon-range"]),
        ("summary", &["--target-rmse"], &["--split", "--clip", "--epsilon-range"]),
        ("count", &["--target-rmse"], &["--clip"]),
        ("plan", &["V|private"], &["weighted", "hpf-a"]),
        (
            "mean",
            &["hpf-", "- weighted"],
            &["--ledger", "--dataset", "--spend", "--target-rmse", "[DATA]", "--from-levels <"],
        ),
    ] {
        let help = stdout(&[command, "--help"]);
        assert!(hidden.iter().all(|option| !help.contains(option)), "{help}");
        assert!(shown.iter().all(|option| help.contains(option)), "{help}");
    }
    let message = refused(&["levels", RANDHIE, "--epsilon", "e", "--ledger", "ledger"]).1;
    assert!(message.starts_with("error: ledger: a level table is no release"), "{message}");
}

#[test]
fn nothing_that_is_asked_for_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.json");
    fs::write(&table, stdout(&[&["levels", RANDHIE, "--quiet"], &VISITS[..], &TIERS[..]].concat()))
        .unwrap();
    let table = table.to_str().unwrap();
    let plan = ["plan", "--profile", "0.1:300,1:40"];
    for (asked, names) in [
        (
            &[
                "mean",
                "--from-levels",
                table,
                "--levels",
                "strict=0.001,standard=0.1,relaxed=1,public=inf",
            ][..],
            "levels",
        ),
        (&["mean", "--from-levels", table, "--levels", "strict=0.01"], "levels"),
        (&["count", "--from-levels", table, "--levels", "a=1"], "levels"),
        (&["plan", "--from-levels", table, "--levels", "a=1"], "levels"),
        (&["mean", "--from-levels", table, "--groups", "a,b"], "--group-by COL"),
        (
            &[
                "mean",
                RANDHIE,
                "--epsilon",
                "e",
                "--value",
                "visits",
                "--bounds",
                "0,77",
                "--levels",
                "a=1",
            ],
            "levels",
        ),
        (&[&plan[..], &["--levels", "a=1"]].concat(), "levels"),
        (&[&plan[..], &["--person", "x"]].concat(), "person"),
        (
            &[&plan[..], &["--statistic", "variance", "--estimator", "uniform"]].concat(),
            "estimator",
        ),
        (&[&plan[..], &["--statistic", "mean,q50", "--estimator", "pe"]].concat(), "estimator"),
        (&[&plan[..], &["--split", "mean=2"]].concat(), "split"),
        (&[&plan[..], &["--q", "0.9"]].concat(), "q"),
        (&[&plan[..], &["--statistic", "variance", "--step", "1"]].concat(), "step"),
        (
            &[&plan[..], &["--statistic", "variance", "--interval-share", "0.1"]].concat(),
            "interval-share",
        ),
        (&["summary", "--from-levels", table, "--statistic", "mean", "--step", "1"], "step"),
        (
            &["summary", "--from-levels", table, "--statistic", "mean", "--split", "variance=3"],
            "split",
        ),
    ] {
        let message = refused(asked).1;
        assert!(message.starts_with("error: ") && message.contains(names), "{asked:?}: {message}");
        assert!(message.contains("\nhint: "), "{asked:?}: {message}");
    }
    let same = [&["mean", "--from-levels", table], &TIERS[2..]].concat();
    assert!(
        TIERS[2] == "--levels" && suum(&same).output().unwrap().status.success(),
        "the same tiers"
    );
}

#[test]
fn estimators_of_something_else_are_refused_by_what_they_are_for() {
    for (estimator, way_out) in [("gaussian", "--bounds auto"), ("pe", "ask for a quantile")] {
        let asked =
            [&["mean", RANDHIE], &VISITS[..], &TIERS[..], &["--estimator", estimator]].concat();
        let (code, message) = refused(&asked);
        assert!(code == 1 && message.contains(way_out), "{message}");
    }
}

#[test]
fn a_closed_standard_error_changes_no_exit_code() {
    for (asked, code) in
        [(&["mean", "--nosuch"][..], 2), (&["mean", "nosuch.csv", "--epsilon", "e"], 1)]
    {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_suum"));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = command
            .args(asked)
            .stderr(writer)
            .stdout(std::process::Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(code), "{asked:?}");
    }
}

#[test]
fn completions_know_the_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = suum(&["completions", shell]).output().unwrap();
        assert!(output.status.success());
        assert!(String::from_utf8(output.stdout).unwrap().contains("epsilon-range"), "{shell}");
    }
}

#[test]
fn levels_warn_on_standard_error_unless_quiet() {
    let arguments = [&["levels", RANDHIE], &VISITS[..], &TIERS[..]].concat();
    let loud = suum(&arguments).output().unwrap();
    assert!(String::from_utf8(loud.stderr).unwrap().contains("not private"));
    let quiet = suum(&[&arguments[..], &["--quiet"]].concat()).output().unwrap();
    assert!(quiet.stderr.is_empty() && quiet.stdout == loud.stdout);
}

#[test]
fn all_that_is_missing_is_named_at_once() {
    for (words, names) in [
        (&["mean"][..], "mean: data, value, bounds and privacy are missing"),
        (&["frequency", RANDHIE], "frequency: value, categories and privacy are missing"),
        (&["count"], "count: data and privacy are missing"),
    ] {
        let (code, message) = refused(words);
        assert!(code == 1 && message.contains(names), "{message}");
        let example = message.split("hint: for example: ").nth(1).unwrap();
        let example = example.split(" (or").next().unwrap();
        suum_cli::parse(example.split(' ').skip(1)).unwrap();
    }
}

#[test]
fn files_of_other_programs_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, names) in [
        ("x.xlsx", &b"PK"[..], ["is a spreadsheet", "save its sheet as CSV"]),
        ("x.dta", b"1", ["is a dataset of Stata", "export delimited"]),
        ("x.duckdb", b"1", ["is a database of DuckDB", "COPY t TO"]),
        ("semicolons.csv", b"a;b\n1;2\n", ["no such column", "--delimiter ';'"]),
        ("tabs.csv", b"a\tb\n1\t2\n", ["no such column", "--delimiter tab"]),
        ("latin.csv", b"a,b\xe9\n1,2\n", ["is not UTF-8", "--encoding latin-1"]),
        ("utf16.csv", b"\xff\xfea\0,\0b\0\n\0", ["is UTF-16", "UTF-8 encoding"]),
        ("x.RData", b"1", ["of another statistics program", "write it there as CSV"]),
        ("x.jsonl", b"{}", ["is JSON", "as CSV or Parquet"]),
        ("x.feather", b"1", ["of another format", "write it as Parquet"]),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let options = ["--value", "b", "--bounds", "0,1", "--epsilon", "b"];
        let (_, message) = refused(&[&["mean", path.to_str().unwrap()], &options[..]].concat());
        assert!(names.iter().all(|part| message.contains(part)), "{message}");
    }
}
