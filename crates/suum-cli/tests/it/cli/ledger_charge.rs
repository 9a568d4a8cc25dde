//! Charges for what was lost elsewhere, from the command line.

use std::fs;

use serde_json::Value;

use super::common::{LedgerFolder, json, refused, stdout, suum};

/// Accounts of a new ledger, in a folder of its own.
struct Accounts(LedgerFolder);

const BECAUSE: [&str; 2] = ["--because", "the table of 2024"];

/// An identifier that nothing may say.
const ANN: &str = "ann-7781";

impl Accounts {
    fn new(options: &[&str]) -> Self {
        Self(LedgerFolder::new("visits", options))
    }

    fn ledger(&self) -> String {
        self.0.ledger()
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.path(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// The words of a charge, whose reason is said.
    fn charge(&self, more: &[&str]) -> Vec<String> {
        let ledger = self.ledger();
        let words = [&["ledger", "charge", ledger.as_str()], more, &BECAUSE].concat();
        words.into_iter().map(str::to_owned).collect()
    }

    fn run_charge(&self, more: &[&str]) -> String {
        let words = self.charge(more);
        stdout(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn refused(&self, more: &[&str]) -> String {
        let words = self.charge(more);
        let (code, said) = refused(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(code, 1, "{said}");
        said
    }

    fn shown(&self) -> Value {
        json(&["ledger", "show", &self.ledger()])[0].take()
    }

    fn is_sound(&self) -> bool {
        json(&["ledger", "verify", &self.ledger()])["sound"] == true
    }
}

#[test]
fn tiers_are_charged_up_to_what_they_allow_and_beyond() {
    let accounts = Accounts::new(&["--levels", "strict=0.05,standard=0.3,public=inf"]);
    let said = accounts.run_charge(&["--tier", "strict=0.02", "--tier", "standard=0.3"]);
    insta::assert_snapshot!(said, @r"
    Charged to dataset visits, entry 3: the table of 2024
      strict: 0.02 charged, 0.03 of 0.05 left
      standard: 0.3 charged, nothing left of 0.3
    ");
    let said = accounts.run_charge(&["--tier", "strict=0.05"]);
    insta::assert_snapshot!(said, @r"
    Charged to dataset visits, entry 4: the table of 2024
      strict: 0.05 charged. 0.07 was lost in all, more than the 0.05 that its people
        allow: nothing is left, and that cannot be made good.
    ");
    let shown = accounts.shown();
    assert_eq!(
        (&shown["tiers"][0]["spent"], &shown["tiers"][0]["left"]),
        (&0.07.into(), &0.0.into())
    );
    assert_eq!(shown["releases"][0]["because"], "the table of 2024");
    assert!(accounts.is_sound());
    let text = stdout(&["ledger", "show", &accounts.ledger()]);
    assert!(text.contains("entry 3: charged for what was lost elsewhere: the"), "{text}");
    let export = stdout(&["ledger", "export", &accounts.ledger()]);
    let last: Value = serde_json::from_str(export.lines().last().unwrap()).unwrap();
    assert_eq!((&last["kind"], &last["left"][0]["left"]), (&"charge".into(), &0.0.into()));
    assert!(last.get("released").is_none());
    let no_release = ["ledger", "show", &accounts.ledger(), "--entry", "3"];
    assert!(refused(&no_release).1.contains("a charge for what was lost elsewhere"));
}

#[test]
fn a_file_charges_persons_exactly() {
    let accounts = Accounts::new(&["--persons", "--levels", "strict=0.5,relaxed=2"]);
    let rows = format!("id,lost\n{ANN},0.1\nbob,0.30000000001\ncat,0\ndan,inf\n");
    let file = accounts.file("lost.csv", &rows);
    let of_file = ["--charges", &file, "--key", "id", "--epsilon", "lost"];
    let said = accounts.run_charge(&of_file);
    assert!(said.contains("3 persons, at most inf each"), "{said}");
    let groups = accounts.shown()["persons"]["groups"].take();
    let spent: Vec<&Value> =
        groups.as_array().unwrap().iter().map(|group| &group["spent"]).collect();
    assert_eq!(spent, [&Value::from(0.1), &Value::from(0.300_001), &Value::from("inf")]);
    assert_eq!(
        (&groups[0]["level"], &groups[0]["left"]),
        (&"in no release yet".into(), &Value::Null)
    );
    // Their release is charged beside it.
    let people = format!("id,tier,x\n{ANN},strict,3\nbob,strict,4\ncat,relaxed,5\ndan,relaxed,1\n");
    let people = accounts.file("people.csv", &people);
    let mean = ["mean", &people, "--value", "x", "--bounds", "0,9", "--privacy", "tier"];
    let charged = ["--person", "id", "--ledger", &accounts.ledger(), "--spend", "20%"];
    let release = json(&[&mean[..], &charged].concat());
    assert_eq!(release["ledger"]["exhausted"], 1, "dan has nothing left");
    assert!(accounts.is_sound());
    // Once more, and it is more than the strict allow.
    let file = accounts.file("more.csv", &format!("id,lost\n{ANN},0.31\n"));
    let said = accounts.run_charge(&["--charges", &file, "--key", "id", "--epsilon", "lost"]);
    assert!(said.contains("1 person has lost more than they allow"), "{said}");
    // What a file cannot say.
    for (rows, why) in [
        (format!("id,lost\n{ANN},0.1\n{ANN},0.2\n"), "row 2"),
        (format!("id,lost\n{ANN},x{ANN}\n"), "row 1"),
        (format!("id,lost\n{ANN},\n"), "row 1"),
        (format!("id,lost\n,{ANN}\n"), "row 1"),
        (format!("id,other\n{ANN},0.1\n"), "lost"),
    ] {
        let file = accounts.file("wrong.csv", &rows);
        let refused = accounts.refused(&["--charges", &file, "--key", "id", "--epsilon", "lost"]);
        assert!(refused.contains(why) && !refused.contains(ANN), "{refused}");
        assert!(refused.contains("hint: "), "{refused}");
    }
}

#[test]
fn one_person_is_charged_whose_identifier_comes_from_standard_input() {
    let accounts = Accounts::new(&["--persons", "--allow", "2"]);
    let words = accounts.charge(&["--id", "-", "--epsilon", "0.1"]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    for line in [format!("{ANN}\n"), format!("{ANN}\r\n"), ANN.to_owned()] {
        let output = suum(&words).write_stdin(line).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && said.contains("1 person, at most 0.1 each"), "{said}");
        assert!(!said.contains(ANN));
    }
    let said = accounts.run_charge(&["--id", ANN, "--epsilon", "0.1"]);
    assert!(!said.contains(ANN), "{said}");
    // All four were one person.
    let persons = accounts.shown()["persons"].take();
    assert_eq!((&persons["charged"], &persons["groups"][0]["spent"]), (&1.into(), &0.4.into()));
    assert_eq!(persons["groups"][0]["left"], 1.6);
    let nobody = suum(&words).write_stdin("\n").output().unwrap();
    assert!(String::from_utf8(nobody.stderr).unwrap().contains("it has no identifier"));
    assert!(accounts.is_sound());
}

#[test]
fn charges_that_make_no_sense_are_refused() {
    let tiers = Accounts::new(&["--levels", "strict=0.05,public=inf"]);
    let persons = Accounts::new(&["--persons", "--allow", "2", "--neighbors", "add-remove"]);
    for (accounts, words, why) in [
        (&tiers, &[][..], "it is not said who is charged"),
        (&tiers, &["--tier", "nobody=1"], "knows no tier nobody"),
        (&tiers, &["--tier", "strict"], "expected a tier and an ε"),
        (&tiers, &["--tier", "strict=-1"], "expected a tier and an ε"),
        (&tiers, &["--tier", "strict=1", "--tier", "strict=1"], "charged twice"),
        (&tiers, &["--tier", "strict=0"], "nobody is charged"),
        (&tiers, &["--tier", "strict=1", "--epsilon", "1"], "it has no use"),
        (&tiers, &["--tier", "strict=1", "--id", ANN], "of tiers, of a file, or of a person"),
        (&tiers, &["--id", ANN, "--epsilon", "1"], "tiers hold the accounts"),
        (&persons, &["--tier", "strict=1"], "persons hold the accounts"),
        (&persons, &["--id", ANN], "it is required here"),
        (&persons, &["--id", ANN, "--epsilon", ANN], "expected an ε"),
        (&persons, &["--charges", "lost.csv", "--key", "id"], "it is required here"),
        (&persons, &["--id", ANN, "--epsilon", "1", "--dataset", "x"], "does not know it"),
    ] {
        let said = accounts.refused(words);
        assert!(said.contains(why) && !said.contains(ANN), "{words:?}: {said}");
        assert!(said.contains("hint: "), "{words:?}: {said}");
    }
    let no_reason = ["ledger", "charge", &tiers.ledger(), "--tier", "strict=1"];
    let (code, said) = refused(&no_reason);
    assert!(code == 1 && said.contains("because: it is not said"), "{said}");
    // Nothing was written.
    for accounts in [&tiers, &persons] {
        assert_eq!(json(&["ledger", "verify", &accounts.ledger()])["entries"], 2);
    }
    // Where participation is hidden, it is not said how many have nothing left.
    let said = persons.run_charge(&["--id", ANN, "--epsilon", "3"]);
    assert!(!said.contains("more than"), "{said}");
}
