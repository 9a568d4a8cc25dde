//! Accounts of persons where participation is hidden.

use std::fs;

use super::common::{json, refused, stdout};
use serde_json::Value;

struct Accounts {
    folder: tempfile::TempDir,
}

impl Accounts {
    fn new(allow: &[&str]) -> Self {
        let accounts = Self { folder: tempfile::tempdir().unwrap() };
        let path = accounts.path("ledger");
        let init = ["ledger", "init", &path, "--dataset", "panel", "--persons"];
        stdout(&[&init[..], allow, &["--neighbors", "add-remove"]].concat());
        accounts
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Path of a file with answers of these people, two rows each.
    fn data(&self, people: &[(&str, &str, usize)]) -> String {
        let mut rows = String::from("id,tier,eps,v\n");
        for (tier, epsilon, count) in people {
            for at in 0..*count {
                rows +=
                    &format!("{tier}{at},{tier},{epsilon},{at}\n{tier}{at},{tier},{epsilon},2\n");
            }
        }
        let path = self.path("people.csv");
        fs::write(&path, rows).unwrap();
        path
    }

    fn release(&self, command: &[&str], data: &str, spend: &str) -> Value {
        let ledger = self.path("ledger");
        let rest = [data, "--person", "id", "--neighbors", "add-remove", "--ledger", &ledger];
        json(&[command, &rest, &["--spend", spend]].concat())
    }

    /// Sums that persons have spent, each with the number of persons who spent it.
    fn spent(&self) -> Vec<(f64, u64)> {
        let shown = json(&["ledger", "show", &self.path("ledger")]);
        assert_eq!(shown[0]["sealed"], true);
        let spent = shown[0]["persons"]["spent"].as_array().unwrap().iter();
        spent.map(|pair| (pair[0].as_f64().unwrap(), pair[1].as_u64().unwrap())).collect()
    }
}

const MEAN: [&str; 5] = ["mean", "--value", "v", "--bounds", "0,10"];
const TIERS: [&str; 4] = ["--privacy", "tier", "--levels", "strict=0.1,standard=1"];

/// Certified loss of a record that may spend `may`.
fn certified(release: &Value, may: f64) -> f64 {
    let rows = release["privacy"].as_array().unwrap().iter();
    let mut rows = rows.filter(|row| row["epsilon"].as_f64().unwrap() >= may);
    rows.next().unwrap()["spent"].as_f64().unwrap()
}

#[test]
fn every_person_is_charged_what_is_certified_of_what_they_may_spend() {
    let accounts = Accounts::new(&["--levels", "strict=0.1,standard=1"]);
    let data = accounts.data(&[("strict", "0.1", 20), ("standard", "1", 10)]);
    let command = [&MEAN[..], &TIERS].concat();
    let release = accounts.release(&command, &data, "50%");
    assert_eq!(release["neighbors"], "add-remove");
    let privacy = release["privacy"].as_array().unwrap();
    let least = privacy[0]["epsilon"].as_f64().unwrap();
    assert!((least - 0.05 / 16.0).abs() < 1e-9, "from a sixteenth of the strictest: {least}");
    assert_eq!(privacy.last().unwrap()["epsilon"], 0.5);
    let spent = accounts.spent();
    assert_eq!(spent.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [20, 10]);
    for ((spent, _), may) in spent.iter().zip([0.05, 0.5]) {
        let certified = certified(&release, may);
        assert!(*spent <= may && *spent >= certified.min(may) && *spent < certified + 1.1e-6);
    }
    // What is left can be spent, again and again, and never more than all.
    for _ in 0..6 {
        accounts.release(&command, &data, "100%");
    }
    let spent = accounts.spent();
    assert!(spent.iter().all(|(spent, _)| *spent <= 1.0));
    assert!(
        spent.iter().filter(|(spent, _)| *spent <= 0.1).map(|(_, count)| count).sum::<u64>() >= 20
    );
    assert_eq!(json(&["ledger", "verify", &accounts.path("ledger")])["sound"], true);
}

/// The fields of an object, and of those in it.
fn form(value: &Value) -> Vec<String> {
    let Value::Object(map) = value else { return Vec::new() };
    let inner = |(key, value): (&String, &Value)| {
        let below = form(value).into_iter().map(move |path| format!("{key}.{path}"));
        [key.clone()].into_iter().chain(below).collect::<Vec<_>>()
    };
    map.iter().flat_map(inner).collect()
}

#[test]
fn nobody_and_people_without_budget_look_like_everybody() {
    let accounts = Accounts::new(&["--allow", "1"]);
    let eps = ["--epsilon", "eps"];
    let count: Vec<&str> = [&["count"][..], &eps].concat();
    let mean = [&MEAN[..], &eps].concat();
    let people = accounts.data(&[("a", "0.5", 30)]);
    let first = accounts.release(&mean, &people, "100%");
    for key in ["people", "persons", "exhausted", "not_asked"] {
        assert!(first["ledger"].get(key).is_none(), "{}", first["ledger"]);
    }
    // Until nothing is left to anybody; and of nobody at all.
    for _ in 0..6 {
        accounts.release(&mean, &people, "100%");
    }
    let exhausted = accounts.release(&mean, &people, "100%");
    let nobody = accounts.data(&[]);
    let nobody = accounts.release(&mean, &nobody, "100%");
    assert_eq!(form(&first), form(&exhausted));
    assert_eq!(form(&first), form(&nobody));
    let counted = accounts.release(&count, &accounts.data(&[("b", "0.5", 30)]), "50%");
    // Of a sixteenth of 0.5: noise of 32 persons on each side.
    assert!(counted["estimate"].as_f64().unwrap() < 2000.0, "{counted}");
    assert_eq!(json(&["ledger", "verify", &accounts.path("ledger")])["sound"], true);
    assert!(accounts.spent().iter().all(|(spent, _)| *spent <= 1.0));
}

#[test]
fn what_persons_may_spend_can_be_declared_and_must_where_they_say_it_themselves() {
    let accounts = Accounts::new(&["--allow", "own"]);
    let data = accounts.data(&[("a", "0.5", 30), ("b", "0.01", 5)]);
    let ledger = accounts.path("ledger");
    let mean = [&MEAN[..], &["--epsilon", "eps"]].concat();
    let rest = [&data, "--person", "id", "--neighbors", "add-remove", "--ledger", &ledger];
    let (_, said) = refused(&[&mean[..], &rest, &["--spend", "50%"]].concat());
    assert!(said.contains("epsilon-range: where participation is hidden"), "{said}");
    // Whoever may spend less than the least does not count, and is charged nothing.
    let declared = [&mean[..], &["--epsilon-range", "0.1,1"]].concat();
    let release = accounts.release(&declared, &data, "50%");
    let spent = accounts.spent();
    let charged: u64 = spent.iter().filter(|(spent, _)| *spent > 0.0).map(|(_, count)| count).sum();
    assert_eq!(charged, 30, "{spent:?}");
    let certified = certified(&release, 0.25);
    assert!(spent.iter().all(|(spent, _)| *spent <= 0.25 && *spent <= certified + 1e-6));
}

/// Budgets that `adapt` makes are declared, so its refusal must not tell whether anybody is there.
#[test]
fn refuses_adapting_beside_another_answer_whoever_takes_part() {
    for neighbors in ["add-remove", "both"] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (ledger, data) = (path("ledger"), path("people.csv"));
        let init = ["ledger", "init", &ledger, "--dataset", "panel", "--persons"];
        let tiers = ["--levels", "strict=0.1,standard=1"];
        stdout(&[&init[..], &tiers, &["--neighbors", neighbors]].concat());
        let before = fs::read(&ledger).unwrap();
        let request = [&MEAN[..], &[&data], &TIERS, &["--person", "id", "--neighbors", neighbors]];
        let request = [&request.concat()[..], &["--ledger", &ledger, "--spend", "50%"]].concat();
        let both = [&request[..], &["--adapt", "--check-bounds"]].concat();
        let refusals = [0, 1, 3000].map(|count| {
            let mut rows = String::from("id,tier,v\n");
            (0..count).for_each(|at| rows += &format!("p{at},standard,{}\n", at % 10));
            fs::write(&data, rows).unwrap();
            refused(&both)
        });
        assert!(refusals[0].1.contains("error: adapt: "), "{}", refusals[0].1);
        assert!(refusals[0].1.contains("hint: leave --adapt out"), "{}", refusals[0].1);
        assert!(refusals.iter().all(|refusal| *refusal == refusals[0]), "{refusals:?}");
        assert_eq!(fs::read(&ledger).unwrap(), before, "no entry");
        // Its plan is refused alike, and the ways out lead out.
        let plan = ["plan", "--bounds", "0,10", "--profile", "0.1:500,1:400"];
        let rest = ["--neighbors", neighbors, "--ledger", &ledger, "--spend", "50%"];
        let (_, said) = refused(&[&plan[..], &rest, &["--adapt", "--check-bounds"]].concat());
        assert!(said.contains("error: adapt: "), "{said}");
        stdout(&[&request[..], &["--check-bounds"]].concat());
        stdout(&[&request[..], &["--adapt"]].concat());
    }
}
