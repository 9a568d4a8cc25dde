//! Limits of what output promises: whom a release protects, what an interval takes for granted,
//! what was done to the data, and what is no finding.

use std::fs;

use serde_json::{Value, json as value};
use suum::JobInputs;
use suum_cli::{answer, parse};

use super::common::{RANDHIE, TIERS, VISITS, json, stdout};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/randhie.csv");

/// Output of a command: as text on one line, as JSON, and as a page on one line.
struct Said {
    text: String,
    json: Value,
    page: String,
}

impl Said {
    fn run(words: &[&str]) -> Self {
        let said = answer(parse(words.iter().copied()).unwrap(), JobInputs::default());
        let said = said.unwrap_or_else(|error| panic!("{words:?}: {error}"));
        let html = said.html().unwrap();
        // Without the JSON in it, and without markup.
        let (page, _) = html.split_once("<section id=\"method\"").unwrap();
        let (_, page) = page.split_once("<main>").unwrap();
        let mut words = String::new();
        for piece in page.split('<') {
            words.push_str(piece.split_once('>').map_or(piece, |(_, text)| text));
        }
        Self {
            text: on_one_line(&said.explained()),
            json: serde_json::from_str(&said.json().unwrap()).unwrap(),
            page: on_one_line(&words),
        }
    }

    /// Output about the visits of the example.
    fn run_on_visits(command: &str, more: &[&str]) -> Self {
        Self::run(&[&[command, DATA], &VISITS[..], &TIERS[..], more].concat())
    }

    fn words(&self) -> [&str; 2] {
        [&self.text, &self.page]
    }
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const STATISTICS: [(&str, &[&str]); 5] = [
    ("mean", &[]),
    ("sum", &[]),
    ("quantile", &["--q", "0.25,0.5", "--step", "1"]),
    ("variance", &[]),
    ("summary", &["--step", "1"]),
];

#[test]
fn rows_are_records_and_those_of_one_person_add_up() {
    for (statistic, more) in STATISTICS {
        let said = Said::run_on_visits(statistic, more);
        assert_eq!(said.json["protects"], "record", "{statistic}");
        for words in said.words() {
            assert!(words.contains("Rows of one person add up: a person with k rows"), "{words}");
            for claim in ["each person. ", "hides each person", "one person's value", "of people"] {
                assert!(!words.contains(claim), "{statistic} says {claim}: {words}");
            }
            assert!(words.contains("Had the value of one record been anything else"), "{words}");
        }
        if statistic == "sum" {
            continue;
        }
        let person =
            Said::run_on_visits(statistic, &[more, &["--person", "chronic_index"]].concat());
        assert_eq!(person.json["protects"], "person", "{statistic}");
        for words in person.words() {
            assert!(!words.contains("Rows of one person add up"), "{statistic}: {words}");
            assert!(words.contains("Had all rows of one person"), "{statistic}: {words}");
        }
    }
}

#[test]
fn nobody_is_said_to_be_in_one_group_unless_it_is_known() {
    let groups = ["--group-by", "health", "--groups", "excellent,good,fair,poor"];
    let said = Said::run_on_visits("mean", &groups);
    for words in said.words() {
        assert!(words.contains("Each record is in one group"), "{words}");
        assert!(words.contains("A person with rows in several groups spends"), "{words}");
        assert!(!words.contains("Every person is in one group"), "{words}");
    }
}

#[test]
fn two_values_under_add_remove_cost_twice() {
    // With a clip that does not follow from noisy numbers, what is spent is the same every time.
    let said = Said::run_on_visits("mean", &["--neighbors", "add-remove", "--clip", "1"]);
    for words in said.words() {
        assert!(words.contains("exp(2 · spent ε): about 1.02 for ε = 0.01"), "{words}");
        assert!(!words.contains("no surer"), "{words}");
    }
    // ε = 0.1: in the data or not 52.5 %, one value or another exp(0.2)/(1 + exp(0.2)).
    assert!(said.page.contains("standard0.11.10652.5 %1.22254.99 %"), "{}", said.page);
    let replaced = Said::run_on_visits("mean", &[]);
    assert!(!replaced.page.contains("exp(2"), "{}", replaced.page);
    let help = on_one_line(&stdout(&["mean", "--help"]));
    assert!(help.contains("two values of a record can differ by up to exp(2ε)"), "{help}");
}

/// With both kinds of neighbours one ε is for presence and for values.
#[test]
fn one_epsilon_bounds_every_situation_with_both() {
    let said = Said::run_on_visits("mean", &["--neighbors", "both", "--clip", "1"]);
    for words in said.words() {
        assert!(words.contains("is in the data or not, and whatever its value"), "{words}");
        assert!(!words.contains("exp(2"), "{words}");
    }
    assert_eq!(said.json["neighbors"], "both");
    assert!(said.json["privacy"].as_array().unwrap().iter().all(|row| row["count"].is_null()));
    // ε = 0.1: 52.5 % at most, and no second pair of columns.
    assert!(said.page.contains("standard0.11.10652.5 %relaxed"), "{}", said.page);
}

#[test]
fn what_an_interval_assumes_stands_beside_it() {
    let unrelated = "Budgets have nothing to do with values.";
    for (statistic, more) in STATISTICS {
        let said = Said::run_on_visits(statistic, more);
        let assumed = said.json["assumes"].as_array().unwrap();
        assert_eq!(assumed[0], unrelated, "{statistic}");
        for words in said.words() {
            for sentence in assumed {
                assert!(words.contains(sentence.as_str().unwrap()), "{statistic}: {words}");
            }
            assert!(words.contains("at least 95 % contain the true number, if all of this holds"));
        }
        let hinted = said.text.contains("An interval allows for it where it is declared");
        // A variance has no such target.
        assert_eq!(hinted, !matches!(statistic, "variance" | "summary"), "{statistic}");
    }
    let correlated = Said::run_on_visits("mean", &["--target", "dataset-correlated"]);
    assert_eq!(correlated.json["assumes"], value!([]));
    for words in correlated.words() {
        assert!(words.contains("contain the true number, whatever the data."), "{words}");
        assert!(!words.contains(unrelated), "{words}");
    }
}

#[test]
fn a_worst_case_is_named_one() {
    for (statistic, more) in STATISTICS {
        let said = Said::run_on_visits(statistic, more);
        for words in [said.text.as_str(), &said.page] {
            assert!(!words.contains("Where the error comes from"), "{statistic}: {words}");
        }
        assert!(
            said.page.contains("before seeing the data")
                || said.page.contains("that the measured spread leaves likely")
                || said.page.contains("for the largest variance likely there"),
            "{statistic}: {}",
            said.page
        );
    }
    let mean = Said::run_on_visits("mean", &["--estimator", "mixed"]);
    for words in mean.words() {
        assert!(words.contains("worst case, before seeing the data"), "{words}");
    }
    for (target, more, if_so) in [
        ("population", &[][..], "Whatever the values, if budgets do not depend on them"),
        ("dataset", &[], "Whatever the values, if budgets do not depend on them"),
        ("dataset-correlated", &[], "Whatever the data"),
        (
            "population",
            &["--variance", "0.01"],
            "If values vary at most as declared, and budgets do not depend on them",
        ),
    ] {
        let plan = ["plan", "--profile", "0.1:100,1:50", "--bounds", "0,1", "--target", target];
        let plan = stdout(&[&plan[..], more].concat());
        let said = format!("{if_so}, the root mean squared error is at most this");
        assert!(on_one_line(&plan).contains(&said), "{plan}");
    }
}

/// A file of rows with a budget of 0.1 each.
fn rows(folder: &tempfile::TempDir, values: &[&str]) -> String {
    let path = folder.path().join("rows.csv").to_str().unwrap().to_owned();
    let lines: Vec<String> = values.iter().map(|value| format!("0.1,{value}\n")).collect();
    fs::write(&path, "e,v\n".to_owned() + &lines.concat()).unwrap();
    path
}

#[test]
fn two_records_are_no_useful_answer() {
    let folder = tempfile::tempdir().unwrap();
    let data = rows(&folder, &["3", "8"]);
    let of_two = |command: &str, more: &[&str]| {
        // At 95 % one answer in 20 would have noise that reaches beyond its interval.
        let sure = ["--confidence", "0.999999"];
        Said::run(&[&[command, &data, "--value", "v", "--epsilon", "e"], &sure[..], more].concat())
    };
    let bounds = ["--bounds", "0,10"];
    let mean = of_two("mean", &bounds);
    assert_eq!(mean.json["uninformative"], value!(["mean"]));
    for words in mean.words() {
        assert!(words.contains("There is no useful answer for the mean of v"), "{words}");
        assert!(!words.contains("The mean of v is"), "{words}");
    }
    let shares = of_two("frequency", &["--bins", "0,5,10"]);
    assert_eq!(shares.json["uninformative"].as_array().unwrap().len(), 2);
    for words in shares.words() {
        assert!(words.contains("No useful answer: "), "{words}");
        assert!(words.contains("No clear largest share: "), "{words}");
    }
    let many = json(&[&["mean", RANDHIE], &VISITS[..], &TIERS[..]].concat());
    assert_eq!(many["uninformative"], value!([]));
}

#[test]
fn headlines_name_what_was_found() {
    let quantiles = Said::run_on_visits("quantile", &["--q", "0.25,0.5,0.75", "--step", "1"]);
    for words in quantiles.words() {
        assert!(words.contains("Median about "), "{words}");
        assert!(words.contains("; the middle half lies between about "), "{words}");
    }
    let groups = ["--group-by", "health", "--groups", "excellent,good,fair,poor"];
    let counts = Said::run(&[&["count", DATA], &TIERS[..], &groups[..]].concat());
    for words in counts.words() {
        assert!(words.contains("excellent has the largest count: 11,019."), "{words}");
        assert!(!words.contains("11,019.0"), "{words}");
    }
    let means = Said::run_on_visits("mean", &groups);
    for words in means.words() {
        let clear = words.contains(" has the largest mean, as far as intervals tell: ");
        assert!(clear || words.contains("No clear largest mean: "), "{words}");
    }
}

#[test]
fn bounds_are_always_printed() {
    for (statistic, more) in STATISTICS {
        for neighbors in ["replace", "add-remove"] {
            let add_remove = neighbors == "add-remove";
            if add_remove && matches!(statistic, "variance" | "summary") {
                continue;
            }
            let more = [more, &["--neighbors", neighbors]].concat();
            let said = Said::run_on_visits(statistic, &more);
            assert_eq!(said.json["bounds"], value!([0.0, 77.0]), "{statistic}");
            for words in said.words() {
                assert!(
                    words.contains(
                        "Bounds: 0 to 77. Values outside them were moved to the nearer bound."
                    ),
                    "{statistic} {neighbors}: {words}"
                );
            }
        }
    }
}

#[test]
fn missing_values_that_were_replaced_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = rows(&folder, &["3", "", "8"]);
    let arguments = |command: &'static str| {
        vec![command, &data, "--value", "v", "--epsilon", "e", "--bounds", "0,10", "--missing", "4"]
    };
    let sentence = "Missing values were replaced by 4: the result is about the data with";
    for command in ["mean", "sum", "quantile", "variance", "summary"] {
        let said = Said::run(&arguments(command));
        assert_eq!(said.json["missing"], 4.0, "{command}");
        for words in said.words() {
            assert!(words.contains(sentence), "{command}: {words}");
        }
    }
    let add_remove = ["--neighbors", "add-remove", "--epsilon-range", "0.01,1"];
    let said = Said::run(&[&arguments("mean")[..], &add_remove].concat());
    assert!(said.text.contains(sentence) && said.json["missing"] == 4.0, "{}", said.text);
    // The level table remembers it.
    let table = folder.path().join("levels.json").to_str().unwrap().to_owned();
    fs::write(&table, stdout(&arguments("levels"))).unwrap();
    let said = Said::run(&["mean", "--from-levels", &table]);
    assert!(said.text.contains(sentence) && said.json["missing"] == 4.0, "{}", said.text);
    // So does the query of a database.
    let query = stdout(
        &[&["levels-sql", "--dialect", "sqlite", "--table", "t"], &arguments("levels-sql")[2..]]
            .concat(),
    );
    assert!(query.contains("\"missing\":4.0"), "{query}");
    let labels = "frequency --value v --epsilon e --categories 3,8,none --missing none";
    let labels: Vec<&str> = labels.split(' ').collect();
    let said = Said::run(&[&[labels[0], &data], &labels[1..]].concat());
    assert_eq!(said.json["missing"], "none");
    assert!(said.text.contains("Missing values were replaced by none:"), "{}", said.text);
}

#[test]
fn budgets_are_printed_as_people_write_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let ledger = path("accounts.ledger");
    let tiers = "strict=0.1,standard=1,relaxed=10,public=inf";
    stdout(&["ledger", "init", &ledger, "--dataset", "visits", "--levels", tiers]);
    let metered = ["--privacy", "privacy", "--ledger", &ledger, "--spend", "10%"];
    let release = json(&[&["mean", RANDHIE], &VISITS[..], &metered[..]].concat());
    let budgets: Vec<f64> = release["privacy"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tier| tier["epsilon"].as_f64())
        .collect();
    assert_eq!(budgets, [0.01, 0.1, 1.0]);
}

#[test]
fn no_line_of_prose_is_longer_than_a_terminal() {
    for (statistic, more) in STATISTICS {
        let text = stdout(&[&[statistic, RANDHIE], &VISITS[..], &TIERS[..], more].concat());
        for line in text.lines() {
            assert!(line.chars().count() <= 84, "{statistic}: {line}");
        }
    }
}
