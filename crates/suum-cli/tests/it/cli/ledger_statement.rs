//! Statements to a person, or to the people of a tier, from the command line.

use std::fs;

use serde_json::Value;
use suum::ledger::{Amount, Charges, Columns, Holder, Ledger, Part};

use super::common::{LedgerFolder, json, refused, stdout, suum};

/// Identifiers that nothing may say.
const ANN: &str = "ann-7781";
const BOB: &str = "bob-7782";
const CAT: &str = "cat-7783";

struct Study(LedgerFolder);

impl Study {
    fn new(accounts: &[&str]) -> Self {
        Self(LedgerFolder::new("diary", accounts))
    }

    fn ledger(&self) -> String {
        self.0.ledger()
    }

    /// Releases a mean of people of these tiers, charged with further options.
    fn mean(&self, tiers: [&str; 3], more: &[&str]) {
        let row = |(id, tier): (&str, &str)| {
            format!("{id},{tier},{},3\n", if tier == "strict" { 0.5 } else { 2.0 })
        };
        let rows: String = [ANN, BOB, CAT].into_iter().zip(tiers).map(row).collect();
        let people = self.0.path("people.csv");
        fs::write(&people, format!("id,tier,budget,mood\n{rows}")).unwrap();
        let mean = ["mean", people.to_str().unwrap(), "--value", "mood", "--bounds", "0,9"];
        let charged = ["--ledger", &self.ledger(), "--spend", "10%"];
        stdout(&[&mean[..], &charged, more].concat());
    }

    fn charge(&self, more: &[&str]) {
        let charge = ["ledger", "charge", &self.ledger(), "--because", "the table of 2024"];
        stdout(&[&charge[..], more].concat());
    }

    /// Leaves a reservation for a person behind, as a process does that is cut off.
    fn reserve(&self, person: &str) {
        let mut ledger = Ledger::open(self.ledger()).unwrap();
        let persons = [ledger.person_key().hash(person.as_bytes())].into_iter().collect();
        let (holder, charge) = (Holder::Tier("strict".into()), Amount::micros(10_000));
        let charges = Charges::Persons(vec![Part { holder, charge, persons }]);
        let request = serde_json::json!({"suum": "0.2.0", "job": {"statistic": "count"}});
        drop(ledger.reserve("diary", &charges, &Columns::default(), &request).unwrap());
    }

    fn words<'a>(&self, whose: &[&'a str]) -> Vec<&'a str> {
        let ledger: &'static str = Box::leak(self.ledger().into_boxed_str());
        [&["ledger", "statement", ledger], whose].concat()
    }

    /// The text of a statement, without dates. Nothing is left to be put in.
    fn text(&self, whose: &[&str]) -> String {
        let said = stdout(&self.words(whose));
        assert!(!said.contains(['{', '}']), "{said}");
        for name in [ANN, BOB, CAT] {
            assert!(!said.contains(name), "{said}");
        }
        let words = said.split_inclusive([' ', '\n', ':', '.']).map(|word| {
            let is_date = word.len() >= 10 && word.starts_with("20") && word[4..].starts_with('-');
            if is_date { format!("DATE{}", &word[10..]) } else { word.to_owned() }
        });
        words.collect()
    }

    fn json(&self, whose: &[&str]) -> Value {
        json(&self.words(whose))
    }
}

const PERSONS: [&str; 3] = ["--persons", "--levels", "strict=0.5,relaxed=2"];
const BY_PERSON: [&str; 4] = ["--privacy", "tier", "--person", "id"];

#[test]
fn a_person_is_told_what_they_allow_what_used_it_and_what_is_left() {
    let study = Study::new(&PERSONS);
    study.mean(["relaxed", "strict", "strict"], &BY_PERSON);
    study.charge(&["--id", ANN, "--epsilon", "0.02"]);
    study.mean(["strict", "strict", "strict"], &BY_PERSON);
    study.reserve(ANN);
    insta::assert_snapshot!(study.text(&["--id", ANN]));
    let said = study.json(&["--id", ANN]);
    assert_eq!((&said["allowed"], &said["used"]), (&0.5.into(), &0.28.into()));
    assert_eq!((&said["left"], &said["exceeded"]), (&0.22.into(), &false.into()));
    let of = |name: &str| -> Vec<Value> {
        said["uses"].as_array().unwrap().iter().map(|one| one[name].clone()).collect()
    };
    assert_eq!(of("state"), ["settled", "elsewhere", "settled", "open"]);
    assert_eq!(of("epsilon"), [0.2, 0.02, 0.05, 0.01]);
    // Of what was allowed then: the person changed from 2 to 0.5.
    assert_eq!(of("left"), [1.8, 1.78, 0.23, 0.22]);
    assert_eq!(of("guess"), [55.0, 50.5, 51.3, 50.3]);
    assert_eq!(
        (&said["choices"][0]["level"], &said["choices"][1]["level"]),
        (&"relaxed".into(), &"strict".into())
    );
    // From standard input it is the same.
    let output = suum(&study.words(&["--id", "-", "--format", "json"]))
        .write_stdin(format!("{ANN}\n"))
        .output()
        .unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap(), said);
}

/// Whoever asks does not learn whether the ledger knows an identifier.
#[test]
fn unknown_persons_and_those_without_charges_get_the_same_answer() {
    for accounts in [&PERSONS[..], &["--persons", "--allow", "2"], &["--persons", "--allow", "own"]]
    {
        let study = Study::new(accounts);
        let nobody = (study.text(&["--id", "nobody"]), study.json(&["--id", "nobody"]));
        assert!(nobody.0.contains("Nothing is on record."), "{}", nobody.0);
        // Of a reservation that was cancelled the ledger knows a person, but nothing counts.
        let mut ledger = Ledger::open(study.ledger()).unwrap();
        let holder = match accounts[1..] {
            ["--levels", _] => Holder::Tier("strict".into()),
            ["--allow", "own"] => Holder::Own(Amount::micros(700)),
            _ => Holder::Everybody,
        };
        let persons = [ledger.person_key().hash(ANN.as_bytes())].into_iter().collect();
        let charges = Charges::Persons(vec![Part { holder, charge: Amount::micros(7), persons }]);
        let request = serde_json::json!({});
        let columns = Columns::default();
        ledger.reserve("diary", &charges, &columns, &request).unwrap().cancel().unwrap();
        drop(ledger);
        assert_eq!((study.text(&["--id", ANN]), study.json(&["--id", ANN])), nobody);
        let page = |id: &str| {
            let file = study.0.path(&format!("{id}.html"));
            stdout(&study.words(&["--id", id, "--report", file.to_str().unwrap()]));
            fs::read_to_string(file).unwrap()
        };
        assert_eq!(page(ANN), page("nobody"));
    }
}

#[test]
fn people_of_a_tier_are_told_the_same_of_their_account() {
    let study = Study::new(&["--levels", "strict=0.05,relaxed=2,public=inf", "--delta", "1e-6"]);
    study.mean(["strict", "relaxed", "relaxed"], &["--privacy", "tier"]);
    study.charge(&["--tier", "strict=0.04", "--tier", "public=inf"]);
    insta::assert_snapshot!(study.text(&["--tier", "strict"]));
    let public = study.text(&["--tier", "public"]);
    assert!(public.contains("You set no limit"), "{public}");
    assert!(public.contains("has no noise for your data"), "{public}");
    let said = study.json(&["--tier", "relaxed"]);
    assert_eq!(
        (&said["statement_for"], &said["uses"][0]["statistic"]),
        (&"tier".into(), &"mean".into())
    );
    assert!(said["total"].as_f64() <= said["used"].as_f64());
    for (words, why) in [
        (&["--tier", "nobody"][..], "tier: the ledger does not know it"),
        (&[], "tier: it is not said for whom the statement is"),
        (&["--id", ANN], "tier: it is not said for whom the statement is"),
    ] {
        let (code, said) = refused(&study.words(words));
        assert!(code == 1 && said.contains(why) && !said.contains(ANN), "{said}");
    }
    let persons = Study::new(&PERSONS);
    let (code, said) = refused(&persons.words(&["--tier", "strict"]));
    assert!(code == 1 && said.contains("id: it is not said for whom"), "{said}");
}

#[test]
fn a_person_whose_participation_is_hidden_is_told_what_that_means() {
    let own = ["--persons", "--allow", "own", "--neighbors", "add-remove"];
    let study = Study::new(&own);
    let release = ["--epsilon", "budget", "--person", "id", "--neighbors", "add-remove"];
    study.mean(
        ["strict", "strict", "relaxed"],
        &[&release[..], &["--epsilon-range", "0.01,0.5"]].concat(),
    );
    insta::assert_snapshot!(study.text(&["--id", ANN]));
    // More was lost than is allowed.
    study.charge(&["--id", ANN, "--epsilon", "0.46"]);
    let text = study.text(&["--id", ANN]);
    assert!(text.contains("More was lost elsewhere than you allow, 0.51 of 0.5."), "{text}");
    assert!(!text.contains("all that you allow in at most"), "{text}");
    assert_eq!(study.json(&["--id", ANN])["left"], 0.0);
}

#[test]
fn a_statement_has_a_page() {
    let study = Study::new(&PERSONS);
    study.mean(["strict", "strict", "relaxed"], &BY_PERSON);
    let strange = ["--id", ANN, "--epsilon", "0.02", "--because", "<b>{used}</b>"];
    stdout(&[&["ledger", "charge", &study.ledger()], &strange[..]].concat());
    let file = study.0.path("ann.html");
    stdout(&study.words(&["--id", ANN, "--report", file.to_str().unwrap()]));
    let page = fs::read_to_string(file).unwrap();
    for said in [
        "<h1>What was done with your data</h1>",
        "Not for publication",
        "This statement is for you alone.",
        "the average of “mood”",
        "The reason on record: “&lt;b&gt;{used}&lt;/b&gt;”.",
    ] {
        assert!(page.contains(said), "{said}");
    }
    assert!(!page.contains(ANN) && !page.contains("<script"));
    assert!(!page.contains("How it was computed"));
}

/// Identifiers count as they do in data: without the spaces around them, and never empty.
#[test]
fn identifiers_are_read_as_those_of_data() {
    let study = Study::new(&PERSONS);
    study.mean(["relaxed", "strict", "strict"], &BY_PERSON);
    let spaced = format!(" {ANN} ");
    study.charge(&["--id", &spaced, "--epsilon", "0.02"]);
    assert_eq!(study.json(&["--id", ANN])["used"], 0.22);
    assert_eq!(study.text(&["--id", ANN]), study.text(&["--id", &spaced]));
    for empty in ["", "  "] {
        let ledger = study.ledger();
        let charge = ["ledger", "charge", &ledger, "--because", "x", "--epsilon", "0.1"];
        for words in [&charge[..], &["ledger", "statement", &ledger]] {
            let (_, said) = refused(&[words, &["--id", empty]].concat());
            assert!(said.contains("id:") && said.contains("hint:"), "{said}");
        }
    }
}
