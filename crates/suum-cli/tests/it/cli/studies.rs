//! Study files: what a request takes from them, and how they are made.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::common::{LedgerFolder, RANDHIE, json, refused, stdout, suum};

/// A folder with a study of the example's data.
struct StudyFolder(tempfile::TempDir);

impl StudyFolder {
    fn new(text: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::write(folder.0.path().join("study.toml"), text).unwrap();
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn file(&self) -> String {
        self.path("study.toml")
    }
}

const LEVELS: &str = "strict=0.01,standard=0.1,relaxed=1,public=inf";

const STUDY: &str = r#"
data = "examples/randhie.csv"
privacy = "privacy"
[levels]
strict = 0.01
standard = 0.1
relaxed = 1
public = "inf"
[columns.visits]
bounds = [0, 77]
step = 1
null = ["NA"]
[columns.health]
categories = ["excellent", "good", "fair", "poor"]
[columns.coinsurance_log]
bounds = [0, 5]
bins = [0, 2, 5]
"#;

/// JSON of the command with a seed.
fn answer(arguments: &[&str]) -> Value {
    json(&[arguments, &["--insecure-seed", "3"]].concat())
}

#[test]
fn a_study_gives_the_answer_of_the_options_that_it_stands_for() {
    let folder = StudyFolder::new(STUDY);
    let study = ["--study", &folder.file()];
    let tiers = [RANDHIE, "--privacy", "privacy", "--levels", LEVELS];
    let visits = ["--value", "visits", "--bounds", "0,77", "--null", "NA"];
    let step = ["--step", "1"];
    let health = ["--group-by", "health", "--groups", "excellent,good,fair,poor"];
    let compared = [&health[..], &["--between", "poor,good"]].concat();
    let cases: [(&str, &[&str], Vec<&str>); 11] = [
        ("mean", &["--value", "visits"], [&visits[..], &step].concat()),
        ("sum", &["--value", "visits"], [&visits[..], &step].concat()),
        ("variance", &["--value", "visits"], visits.to_vec()),
        ("median", &["--value", "visits"], [&visits[..], &step].concat()),
        ("quantile", &["--value", "visits", "--cells", "7"], {
            [&visits[..], &["--cells", "7"]].concat()
        }),
        ("summary", &["--value", "visits"], [&visits[..], &step].concat()),
        ("frequency", &["--value", "health"], {
            vec!["--value", "health", "--categories", "excellent,good,fair,poor"]
        }),
        ("frequency", &["--value", "coinsurance_log"], {
            vec!["--value", "coinsurance_log", "--bins", "0,2,5"]
        }),
        ("count", &["--group-by", "health"], health.to_vec()),
        ("mean", &["--value", "visits", "--group-by", "health"], {
            [&visits[..], &step, &health].concat()
        }),
        ("difference", &["--value", "visits", "--group-by", "health", "--between", "poor,good"], {
            [&visits[..], &step, &compared].concat()
        }),
    ];
    for (statistic, asked, spelled) in cases {
        let short = answer(&[&[statistic], &study[..], asked].concat());
        let long = answer(&[&[statistic], &tiers[..], &spelled].concat());
        assert_eq!(short, long, "{statistic} {asked:?}");
    }
    let strata = ["--value", "visits", "--strata", "health"];
    let classes = ["--strata", "health", "--classes", "excellent,good,fair,poor"];
    assert_eq!(
        answer(&[&["mean"], &study[..], &strata].concat()),
        answer(&[&["mean"], &tiers[..], &visits, &step, &classes].concat())
    );
    let plan = |asked: &[&str]| json(&[&["plan"], asked, &["--value", "visits"]].concat());
    assert_eq!(plan(&study), plan(&[&tiers[..], &visits[2..], &step].concat()));
    let levels = |asked: &[&str]| stdout(&[&["levels"], asked, &["--value", "visits"]].concat());
    assert_eq!(levels(&study), levels(&[&tiers[..], &visits[2..]].concat()));
}

#[test]
fn a_request_replaces_what_its_study_says() {
    let folder = StudyFolder::new(STUDY);
    let study = ["mean", "--study", &folder.file(), "--value", "visits"];
    let with = |more: &[&str]| answer(&[&study[..], more].concat())["query"].clone();
    assert_eq!(with(&["--bounds", "0,9"])["bounds"], serde_json::json!([0.0, 9.0]));
    assert_eq!(
        with(&["--levels", "strict=1,standard=1,relaxed=1,public=1"])["levels"]["strict"],
        1.0
    );
    assert!(with(&["--bounds", "auto"])["step"].is_null());
    // A column of budgets takes the place of tiers.
    let people = folder.path("people.csv");
    fs::write(&people, "visits,e\n1,1\n2,1\n3,1\n").unwrap();
    let query = with(&[&people, "--epsilon", "e"]);
    assert!(query["privacy"].is_null() && query["levels"].is_null(), "{query}");
    assert_eq!(query["bounds"], serde_json::json!([0.0, 77.0]));
    // A level table takes that of the data.
    let table = folder.path("table.json");
    fs::write(&table, stdout(&["levels", "--study", &folder.file(), "--value", "visits"])).unwrap();
    let release = with(&["--from-levels", &table]);
    assert!(release["privacy"].is_null(), "{release}");
    // A plan is for other people.
    let planned = ["plan", "--study", &folder.file(), "--profile", "1:500", "--value", "visits"];
    assert_eq!(json(&planned)["bounds"], serde_json::json!([0.0, 77.0]));
    let both = StudyFolder::new(&format!("neighbors = 'both'\nepsilon_range = '0.1,1'\n{STUDY}"));
    let replaced = ["mean", "--study", &both.file(), "--value", "visits"];
    json(&[&replaced[..], &["--neighbors", "replace"]].concat());
}

#[test]
fn a_query_file_has_a_study_or_is_one() {
    let folder = StudyFolder::new(STUDY);
    let answers = "[[answers]]\nstatistic = \"mean\"\nvalue = \"visits\"\n[[answers]]\n\
                   statistic = \"shares\"\nvalue = \"health\"\n";
    let file = folder.path("query.toml");
    let run = || answer_of_file(&file);
    fs::write(&file, format!("insecure_seed = 3\nstudy = '{}'\n{answers}", folder.file())).unwrap();
    let named = run();
    fs::write(&file, format!("insecure_seed = 3\n{STUDY}\n{answers}")).unwrap();
    assert_eq!(named, run());
    assert_eq!(named["answers"].as_array().map(Vec::len), Some(2));
    // The request says of a column what the study says of it otherwise.
    let own = "[columns.visits]\nbounds = [0, 9]\n";
    let text = format!("insecure_seed = 3\nstudy = '{}'\n{own}{answers}", folder.file());
    fs::write(&file, text).unwrap();
    assert_eq!(run()["query"]["answers"][0]["bounds"], serde_json::json!([0.0, 9.0]));
    // What the request does not say of the column stays.
    assert_eq!(run()["query"]["null"], serde_json::json!(["NA"]));
    // Of several columns each gets its own.
    let study = ["mean", "--study", &folder.file(), "--value", "visits,coinsurance_log"];
    let both = answer(&study);
    let answers = both["query"]["answers"].as_array().unwrap();
    let bounds: Vec<_> = answers.iter().map(|one| &one["bounds"]).collect();
    assert_eq!(bounds, [&serde_json::json!([0.0, 77.0]), &serde_json::json!([0.0, 5.0])]);
}

fn answer_of_file(file: &str) -> Value {
    json(&["run", file])
}

/// Bounds of a row are not those of a person's total, and a mean of steps has none.
#[test]
fn bounds_of_rows_are_not_taken_for_totals() {
    let folder = StudyFolder::new(
        "epsilon = \"e\"\nperson = \"id\"\n[columns.v]\nbounds = [0, 9]\nstep = 1\n",
    );
    let people = folder.path("people.csv");
    let rows: Vec<String> = (0..40).map(|row| format!("{},1,{}", row % 9, row / 2)).collect();
    fs::write(&people, format!("v,e,id\n{}\n", rows.join("\n"))).unwrap();
    let file = folder.file();
    let asked = |statistic: &'static str| {
        [statistic, people.as_str(), "--study", file.as_str(), "--value", "v"]
    };
    let query = answer(&asked("mean"))["query"].clone();
    assert!(query["step"].is_null() && query["bounds"].is_array(), "{query}");
    let (code, errors) = refused(&asked("sum"));
    assert!(code != 0 && errors.contains("bounds"), "{errors}");
    let total = [&asked("mean")[..], &["--per-person", "total"]].concat();
    assert!(refused(&total).1.contains("bounds"));
    let plan =
        ["plan", "--study", &file, "--profile", "1:99", "--value", "v", "--statistic", "sum"];
    // As without any bounds.
    assert_eq!(json(&plan)["bounds"], serde_json::json!([0.0, 1.0]));
    let totals = ["levels", &people, "--study", &file, "--value", "v", "--totals"];
    assert!(refused(&totals).1.contains("bounds"));
    // Means of persons have no steps, and other bounds have others.
    assert!(answer(&asked("summary"))["query"]["step"].is_null());
    assert_eq!(answer(&asked("median"))["query"]["step"], 1.0);
    let own = [&asked("median")[..], &["--bounds", "0.5,7.7"]].concat();
    assert!(answer(&own)["query"]["step"].is_null());
    let most = [&asked("mean")[..], &["--per-person", "max"]].concat();
    assert_eq!(answer(&most)["query"]["bounds"], serde_json::json!([0.0, 9.0]));
}

#[test]
fn texts_for_empty_cells_are_those_of_the_columns_that_are_used() {
    let folder = StudyFolder::new(
        "epsilon = \"e\"\n[columns.v]\nbounds = [0, 9]\nmissing = 1\nnull = [-9, 'NA']\n\
         [columns.t]\nbounds = [-30, 40]\n[columns.g]\ngroups = ['a', 'b']\n",
    );
    let people = folder.path("people.csv");
    fs::write(&people, "v,t,g,e\n1,-9,a,1\n-9,2,b,1\nNA,3,a,1\n").unwrap();
    let study = folder.file();
    let query = answer(&["mean", &people, "--study", &study, "--value", "v"])["query"].clone();
    assert_eq!(query["null"], serde_json::json!(["-9", "NA"]));
    assert_eq!(query["missing"], 1.0);
    let other = answer(&["mean", &people, "--study", &study, "--value", "t"])["query"].clone();
    assert!(other["null"].is_null() && other["missing"].is_null(), "{other}");
    // Where a condition on another column would read the text, too.
    let chosen = ["mean", &people, "--study", &study, "--value", "v", "--where", "g <> 'NA'"];
    let (code, errors) = refused(&[&chosen[..], &["--public-columns", "g"]].concat());
    assert!(code != 0 && errors.contains("null"), "{errors}");
    let (code, errors) = refused(&["mean", &people, "--study", &study, "--value", "v,t"]);
    assert!(code != 0 && errors.contains("null") && errors.contains(" t"), "{errors}");
}

/// A column that the study declares public is public in a ledger once a release uses it so.
#[test]
fn public_columns_count_once_they_are_used() {
    let folder = StudyFolder::new(
        "privacy = \"t\"\n[columns.v]\nbounds = [0, 9]\n\
         [columns.g]\ngroups = ['a', 'b']\npublic = true\n[columns.h]\npublic = true\n",
    );
    let people = folder.path("people.csv");
    fs::write(&people, "v,g,h,t\n1,a,x,p\n2,b,x,p\n3,a,y,p\n").unwrap();
    let ledger = LedgerFolder::new("d", &["--levels", "p=5"]);
    let path = ledger.ledger();
    let pays = ["--ledger", &path, "--dataset", "d", "--spend", "10%"];
    let study = folder.file();
    let mean = ["mean", &people, "--study", &study, "--value", "v"];
    let release = json(&[&mean[..], &pays].concat());
    assert!(release["query"]["public_columns"].is_null(), "{release}");
    let grouped = json(&[&mean[..], &["--group-by", "g", "--where", "h = 'x'"], &pays].concat());
    assert_eq!(grouped["groups"].as_array().map(Vec::len), Some(2));
    // Without the declaration a condition on h is refused.
    let unknown = folder.path("unknown.toml");
    fs::write(&unknown, fs::read_to_string(&study).unwrap().replace("public = true", "")).unwrap();
    let other = ["mean", &people, "--study", &unknown, "--value", "v", "--where", "h = 'x'"];
    let (code, errors) = refused(&[&other[..], &["--levels", "p=5"]].concat());
    assert!(code != 0 && errors.contains("where"), "{errors}");
}

#[test]
fn a_wrong_study_is_refused_with_its_place() {
    let folder = StudyFolder::new("");
    let study = folder.file();
    for (text, place, way_out) in [
        ("[columns.visits]\nbound = [0, 77]\n", "columns.visits: bound", "bounds"),
        ("[columns.visits]\nrange = [0, 77]\n", "columns.visits: range", "bounds"),
        ("[columns.visits]\nbounds = [77, 0]\n", "columns.visits: bounds", "swap"),
        ("[columns.visits]\nbounds = [0, 7]\nledger = \"l\"\n", "columns.visits: ledger", "above"),
        ("[columns.visits]\nmissing = \"exclude\"\n", "columns.visits: missing", "request"),
        ("[columns.visits]\ncategories = ['a']\nbins = [0, 1]\n", "columns.visits: bins", "out"),
        ("columns = 3\n", "columns", "table"),
        ("[columns]\nvisits = 3\n", "columns", "table"),
        ("value = \"visits\"\n", "value", "request"),
        ("spend = \"10%\"\n", "spend", "request"),
        ("query = \"SELECT 1\"\ntrust_query = true\n", "trust-query", "request"),
        ("[columns.g]\ngroups = [['a'], ['b']]\n", "columns.g: groups", "A,B"),
        ("study = \"other.toml\"\n", "study", "request"),
        ("persn = \"id\"\n", "persn", "person"),
        ("[levels]\nledger = 1\n", "levels", "above"),
        ("bounds = [0\n", "line 1", "TOML"),
    ] {
        fs::write(&study, text).unwrap();
        let (code, errors) = refused(&["mean", RANDHIE, "--study", &study, "--value", "visits"]);
        let all = errors.contains(place) && errors.contains(way_out) && errors.contains(&study);
        assert!(code != 0 && all, "{text}: {errors}");
    }
    let (code, errors) = refused(&["count", "--study", "no/such.toml"]);
    assert!(code != 0 && errors.contains("no/such.toml"), "{errors}");
}

#[test]
fn study_init_writes_what_the_header_tells_and_no_value() {
    let folder = StudyFolder::new("");
    let (data, file) = (folder.path("people.csv"), folder.path("people.toml"));
    fs::write(&data, "Visits;\"a b\";Tier;a b\n17;x;open;y\n").unwrap();
    let init = ["study", "init", &data, "--delimiter", ";", "--file", &file];
    assert!(stdout(&init).contains("suum mean --study"));
    let text = fs::read_to_string(&file).unwrap();
    for line in ["[columns.Visits]", "[columns.\"a b\"]", "delimiter = \";\"", "privacy = \"Tier\""]
    {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("17") && !text.contains("open;"), "{text}");
    let (code, errors) = refused(&init);
    assert!(code != 0 && errors.contains("exists"), "{errors}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    // It says nothing yet but where the data are.
    let tiers = ["--privacy", "Tier", "--levels", "open=1"];
    json(
        &[&["mean", "--study", &file, "--value", "Visits", "--bounds", "0,99"], &tiers[..]]
            .concat(),
    );
    // With the lines that hold it says the rest.
    let holds = text
        .replace("# privacy", "privacy")
        .replace("# levels = { strict = 0.01, standard = 0.1, open = 1 }", "levels = {open = 1}")
        .replacen("# bounds", "bounds", 1);
    fs::write(&file, holds).unwrap();
    json(&["mean", "--study", &file, "--value", "Visits"]);
}

#[test]
fn study_init_names_the_file_after_the_data() {
    let folder = StudyFolder::new("");
    let here = Path::new(&folder.file()).parent().unwrap().to_owned();
    fs::write(here.join("visits.csv"), "visits,tier\n1,open\n").unwrap();
    let run = |arguments: &[&str]| suum(arguments).current_dir(&here).output().unwrap();
    assert!(run(&["study", "init", "visits.csv"]).status.success());
    assert!(here.join("visits.toml").exists());
    let said = String::from_utf8(run(&["study", "init", "-"]).stderr).unwrap();
    assert!(said.contains("--file"), "{said}");
    let said = String::from_utf8(run(&["study", "init"]).stderr).unwrap();
    assert!(said.contains("error"), "{said}");
    fs::write(here.join("odd.csv"), "\"a\nb\",\"it's \"\"q\"\"\",v\nx,y,1\n").unwrap();
    assert!(run(&["study", "init", "odd.csv"]).status.success());
    let asked = ["levels", "--study", "odd.toml", "--value", "v", "--bounds", "0,9"];
    let said = String::from_utf8(run(&asked).stderr).unwrap();
    assert!(!said.contains("TOML"), "{said}");
    // Without a header the first line is a record.
    fs::write(here.join("bare.csv"), "17,secret\n18,other\n").unwrap();
    let said = String::from_utf8(run(&["study", "init", "bare.csv"]).stderr).unwrap();
    assert!(said.contains("first line") && !said.contains("secret"), "{said}");
    assert!(!here.join("bare.toml").exists());
    fs::write(here.join("empty.csv"), "\n\n").unwrap();
    assert!(!run(&["study", "init", "empty.csv"]).status.success());
    assert!(!here.join("empty.toml").exists());
}
