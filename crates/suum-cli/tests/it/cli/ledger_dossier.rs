//! Dossiers for a data protection officer, from the command line.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use suum::ledger::{Amount, Charges, Columns, Holder, Ledger, Part};

use super::common::{LedgerFolder, json, refused, stdout, suum};

/// Identifiers that nothing may say.
const IDS: [&str; 3] = ["ann-7781", "bob-7782", "cat-7783"];

const PERSONS: [&str; 3] = ["--persons", "--levels", "strict=0.5,relaxed=2"];
const BY_PERSON: [&str; 4] = ["--privacy", "tier", "--person", "id"];
const PURPOSE: [&str; 2] = ["--purpose", "a study of moods"];

struct Study(LedgerFolder);

impl Study {
    fn new(accounts: &[&str]) -> Self {
        Self(LedgerFolder::new("diary", accounts))
    }

    fn ledger(&self) -> String {
        self.0.ledger()
    }

    fn path(&self, name: &str) -> String {
        self.0.path(name).to_str().unwrap().to_owned()
    }

    /// Writes the people of the study, so many of each.
    fn people(&self, copies: usize) -> String {
        let tiers = [("strict", 0.5), ("relaxed", 2.0), ("strict", 0.5)];
        let row = |at: usize| {
            let (id, (tier, budget)) = (IDS[at % 3], tiers[at % 3]);
            let copy = if at < 3 { String::new() } else { format!("-{at}") };
            format!("{id}{copy},{tier},{budget},3,2025-01-01\n")
        };
        let rows: String = (0..3 * copies).map(row).collect();
        let people = self.path("people.csv");
        fs::write(&people, format!("id,tier,budget,mood,signed\n{rows}")).unwrap();
        people
    }

    /// Releases a mean, charged with further options.
    fn mean(&self, more: &[&str]) {
        let (people, ledger) = (self.people(1), self.ledger());
        let mean = ["mean", &people, "--value", "mood", "--bounds", "0,9"];
        stdout(&[&mean[..], &["--ledger", &ledger, "--spend", "10%"], more].concat());
    }

    fn charge(&self, more: &[&str]) {
        let charge = ["ledger", "charge", &self.ledger(), "--because", "the table of 2024"];
        stdout(&[&charge[..], more].concat());
    }

    fn json(&self) -> Value {
        json(&["ledger", "dossier", &self.ledger()])
    }

    /// The text of a dossier, without what differs each time. Nothing is left to be put in.
    fn text(&self) -> String {
        let said = stdout(&["ledger", "dossier", &self.ledger()]);
        assert!(!said.contains(['{', '}']), "{said}");
        let words = said.split_inclusive([' ', '\n']).map(|word| {
            let end = word.trim_end_matches([' ', '\n', ',', '.', ':']);
            let rest = &word[end.len()..];
            match end {
                _ if end.len() == 10 && end.starts_with("20") => format!("DATE{rest}"),
                _ if end.len() >= 32 && end.chars().all(|digit| digit.is_ascii_hexdigit()) => {
                    format!("DIGITS{rest}")
                }
                _ => word.to_owned(),
            }
        });
        words.collect()
    }

    fn page(&self, name: &str) -> String {
        let file = self.path(name);
        stdout(&["ledger", "dossier", &self.ledger(), "--report", &file]);
        fs::read_to_string(file).unwrap()
    }

    /// Every form of the dossier in one text.
    fn all(&self, page: &str) -> String {
        [self.text(), self.json().to_string(), self.page(page)].concat()
    }

    /// The hashes of all persons in the ledger, as hexadecimal digits.
    fn hashes(&self) -> Vec<String> {
        let key = Ledger::open(self.ledger()).unwrap().person_key();
        let hex = |id: &&str| {
            let bytes = key.hash(id.as_bytes()).to_bytes();
            bytes.iter().map(|byte| format!("{byte:02x}")).collect()
        };
        IDS.iter().map(hex).collect()
    }
}

#[test]
fn an_officer_is_told_what_was_published_and_what_it_could_have_cost() {
    let levels = ["--levels", "strict=0.5,relaxed=2,public=inf"];
    let study = Study::new(&[&levels[..], &PURPOSE].concat());
    study.mean(&["--privacy", "tier", "--edition", "2026-01"]);
    study.charge(&["--tier", "strict=0.04"]);
    study.mean(&["--privacy", "tier"]);
    insta::assert_snapshot!(study.text());
    let said = study.json();
    let visits = &said["datasets"][0];
    assert_eq!((&visits["purpose"], &visits["held_by"]), (&PURPOSE[1].into(), &"tiers".into()));
    assert_eq!(visits["columns"]["values"], serde_json::json!(["mood"]));
    let first = &visits["releases"][0];
    assert_eq!((&first["statistic"], &first["edition"]), (&"mean".into(), &"2026-01".into()));
    assert_eq!(first["costs"][0]["level"], "strict");
    assert_eq!(
        (&first["costs"][0]["epsilon"], &first["costs"][0]["guess"]),
        (&0.05.into(), &51.3.into())
    );
    assert_eq!(first["most"], first["costs"][1]["epsilon"]);
    assert_eq!(
        (&said["changes"][0]["kind"], &said["changes"][0]["entry"]),
        (&"charge".into(), &5.into())
    );
    assert_eq!(said["changes"][0]["costs"][0]["epsilon"], 0.04);
    let strict = &visits["accounts"][0];
    assert_eq!((&strict["used"], &strict["left"]), (&0.14.into(), &0.36.into()));
    assert_eq!(
        (&said["verification"]["sound"], &said["verification"]["entries"]),
        (&true.into(), &7.into())
    );
    // The digest is that of the release, which the ledger can be asked for.
    let release = self::json(&["ledger", "show", &study.ledger(), "--entry", "3"]);
    let file = study.path("release.json");
    fs::write(&file, release.to_string()).unwrap();
    let found = self::json(&["ledger", "verify", &study.ledger(), "--release", &file]);
    assert_eq!(found["release"]["entry"], first["entry"]);
    assert_eq!(first["sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn persons_are_counted_and_not_named() {
    let study = Study::new(&[&PERSONS[..], &PURPOSE].concat());
    study.mean(&BY_PERSON);
    study.charge(&["--id", IDS[0], "--epsilon", "0.6"]);
    study.charge(&["--id", "nobody-7784", "--epsilon", "0.1"]);
    // A reservation is left behind, as by a process that is cut off.
    let mut ledger = Ledger::open(study.ledger()).unwrap();
    let persons = [ledger.person_key().hash(IDS[1].as_bytes())].into_iter().collect();
    let (holder, charge) = (Holder::Tier("relaxed".into()), Amount::micros(10_000));
    let charges = Charges::Persons(vec![Part { holder, charge, persons }]);
    let request = serde_json::json!({"suum": "0.2.0", "job": {"statistic": "count"}});
    drop(ledger.reserve("diary", &charges, &Columns::default(), &request).unwrap());
    drop(ledger);
    insta::assert_snapshot!(study.text());
    let said = study.json();
    let accounts = &said["datasets"][0]["accounts"];
    let of = |at: usize, name: &str| accounts[at][name].clone();
    assert_eq!(
        (of(0, "level"), of(0, "persons"), of(0, "used")),
        ("strict".into(), 2.into(), 0.65.into())
    );
    assert_eq!((of(0, "left"), of(0, "exceeded")), (0.0.into(), true.into()));
    assert_eq!(
        (of(1, "persons"), of(1, "used"), of(1, "left")),
        (1.into(), 0.21.into(), 1.79.into())
    );
    assert_eq!((of(2, "level"), of(2, "left")), ("in no release yet".into(), Value::Null));
    assert_eq!(said["datasets"][0]["releases"][1]["state"], "open");
    let all = study.all("page.html");
    for secret in IDS.map(str::to_owned).into_iter().chain(study.hashes()) {
        assert!(!all.contains(&secret), "{secret}");
    }
}

/// However many people there are, the dossier is the same.
#[test]
fn a_dossier_counts_nobody_where_participation_is_hidden() {
    let hidden = |copies: usize| {
        let own = ["--persons", "--allow", "own", "--neighbors", "add-remove"];
        let study = Study::new(&[&own[..], &PURPOSE].concat());
        let (people, ledger) = (study.people(copies), study.ledger());
        let mean = ["mean", &people, "--value", "mood", "--bounds", "0,9", "--epsilon", "budget"];
        let charged = ["--ledger", &ledger, "--spend", "10%", "--epsilon-range", "0.01,0.5"];
        // With a declared clip what is spent does not follow from noise.
        let of_persons = ["--person", "id", "--neighbors", "add-remove", "--clip", "1"];
        stdout(&[&mean[..], &charged, &of_persons].concat());
        study.charge(&["--id", IDS[0], "--epsilon", "0.37"]);
        study
    };
    let (few, many) = (hidden(1), hidden(40));
    assert_eq!(few.text(), many.text());
    insta::assert_snapshot!(few.text());
    let said = few.json();
    let visits = &said["datasets"][0];
    assert_eq!(visits["releases"][0]["costs"][0]["level"], "0.01");
    assert_eq!(visits["releases"][0]["most"], 0.5);
    assert_eq!(visits["accounts"], serde_json::json!([{"level": "own"}]));
    for said in [&said, &many.json()] {
        let text = said.to_string();
        assert!(!text.contains("persons\":") && !text.contains("not_used"), "{text}");
        assert!(!text.contains("0.37"), "what was lost elsewhere tells of a person: {text}");
    }
}

#[test]
fn a_register_stands_with_its_release() {
    let study = Study::new(&["--levels", "strict=0.5,relaxed=2"]);
    let people = study.people(2);
    let register = study.path("register.csv");
    let rows: Vec<String> = IDS.iter().map(|id| format!("{id},strict,2025-01-01")).collect();
    fs::write(&register, format!("id,tier,signed\n{}\n", rows.join("\n"))).unwrap();
    let mean = ["mean", &people, "--value", "mood", "--bounds", "0,9", "--person", "id"];
    let consent = ["--consent", &register, "--key", "id", "--consent-from", "signed"];
    let counted = ["--privacy", "tier", "--missing-consent", "0", "--as-of", "2025-06-01"];
    let charged = ["--ledger", &study.ledger(), "--spend", "10%"];
    stdout(&[&mean[..], &consent, &counted, &charged].concat());
    let said = study.json();
    let register = &said["datasets"][0]["releases"][0]["register"];
    assert_eq!((&register["as_of"], &register["not_used"]), (&"2025-06-01".into(), &3.into()));
    assert_eq!(register["reasons"]["none"], 3);
    assert_eq!(register["digest"].as_str().unwrap().len(), 32);
    let text = study.text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("in a register, as of DATE. 3 people were not used"), "{text}");
}

#[test]
fn a_ledger_with_delta_has_both_ways_of_counting() {
    let levels = "strict=0.5,relaxed=2,public=inf";
    let study = Study::new(&["--levels", levels, "--delta", "1e-6"]);
    study.mean(&["--privacy", "tier"]);
    let accounts = &study.json()["datasets"][0]["accounts"];
    assert!(accounts[0]["total"].as_f64() <= accounts[0]["used"].as_f64());
    let text = study.text();
    assert!(text.contains("second way") && text.contains("No purpose was declared."), "{text}");
    // The sum of ε can be more than people allow, where the second account decides.
    assert!(!text.contains("cannot be made good"), "{text}");
}

#[test]
fn a_tampered_ledger_shows_its_faults_and_fails_as_verify_does() {
    let study = Study::new(&[&PERSONS[..], &PURPOSE].concat());
    study.mean(&BY_PERSON);
    study.charge(&["--id", IDS[0], "--epsilon", "0.02"]);
    let ledger = study.ledger();
    let connection = rusqlite::Connection::open(&ledger).unwrap();
    let trigger: String = connection
        .query_row("SELECT sql FROM sqlite_schema WHERE name = 'entry_update'", [], |row| {
            row.get(0)
        })
        .unwrap();
    connection.execute_batch("DROP TRIGGER entry_update;").unwrap();
    let change = "UPDATE entry SET body = replace(body, 'of 2024', 'of 2025') WHERE seq = 5";
    assert_eq!(connection.execute(change, []).unwrap(), 1);
    connection.execute_batch(&trigger).unwrap();
    drop(connection);
    let file = study.path("page.html");
    let run = |words: &[&str]| suum(&[&["ledger"], words].concat()).output().unwrap();
    let dossier = run(&["dossier", &ledger, "--report", &file]);
    let verify = run(&["verify", &ledger]);
    assert_eq!((dossier.status.code(), verify.status.code()), (Some(1), Some(1)));
    assert_eq!(dossier.stderr, verify.stderr);
    let text = String::from_utf8(dossier.stdout).unwrap();
    let said = run(&["dossier", &ledger, "--format", "json"]).stdout;
    let said: Value = serde_json::from_slice(&said).unwrap();
    let verified = run(&["verify", &ledger, "--format", "json"]).stdout;
    assert_eq!(said["verification"], serde_json::from_slice::<Value>(&verified).unwrap());
    assert_eq!(
        (&said["verification"]["sound"], &said["datasets"]),
        (&false.into(), &serde_json::json!([]))
    );
    let page = fs::read_to_string(file).unwrap();
    assert!(page.contains("class=\"warning\""), "{page}");
    for said in [&text, &page] {
        assert!(said.contains("not sound") && said.contains("fault, entry 5: "), "{said}");
        assert!(!said.contains("the average") && !said.contains("table of"), "{said}");
    }
}

#[test]
fn losses_and_moves_stay_on_record() {
    let study = Study::new(&["--levels", "strict=0.5,relaxed=2"]);
    let ledger = study.ledger();
    let before = fs::read(&ledger).unwrap();
    study.mean(&["--privacy", "tier"]);
    fs::write(&ledger, before).unwrap();
    stdout(&["ledger", "verify", &ledger, "--accept-loss"]);
    let moved = LedgerFolder::new("other", &["--levels", "a=1"]);
    for ending in ["", ".key", ".head"] {
        let to = format!("{}{ending}", moved.ledger());
        fs::copy(format!("{ledger}{ending}"), to).unwrap();
    }
    stdout(&["ledger", "verify", &moved.ledger(), "--accept-move"]);
    let said = json(&["ledger", "dossier", &moved.ledger()]);
    let kinds: Vec<&str> = said["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["loss", "move"]);
    let text = stdout(&["ledger", "dossier", &moved.ledger()]);
    for words in ["lost entries (entry 3)", "a move (entry 4)", "No result is on record."] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn a_dossier_is_of_all_datasets_or_of_one() {
    let study = Study::new(&["--levels", "strict=0.5,relaxed=2"]);
    study.mean(&["--privacy", "tier"]);
    let ledger = study.ledger();
    let second = ["ledger", "init", &ledger, "--dataset", "calls", "--persons", "--allow", "1"];
    stdout(&[&second[..], &["--neighbors", "both", "--purpose", " lines "]].concat());
    let all = study.json();
    let names: Vec<&Value> =
        all["datasets"].as_array().unwrap().iter().map(|one| &one["dataset"]).collect();
    assert_eq!(names, ["diary", "calls"]);
    assert_eq!(all["datasets"][1]["purpose"], "lines");
    let one = json(&["ledger", "dossier", &ledger, "--dataset", "calls"]);
    assert_eq!(one["datasets"], serde_json::json!([all["datasets"][1]]));
    let text = study.text();
    assert!(text.contains("\nWhat was published: “diary”\n"), "{text}");
    assert!(text.contains("\nWhat this is: “calls”\n"), "{text}");
    let page = study.page("all.html");
    let ids: Vec<&str> =
        page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    let (code, said) = refused(&["ledger", "dossier", &ledger, "--dataset", "diaries"]);
    assert!(code == 1 && said.contains("diary, calls"), "{said}");
}

/// Adds all keys of a JSON document.
fn add_keys(document: &Value, keys: &mut BTreeSet<String>) {
    match document {
        Value::Array(items) => items.iter().for_each(|item| add_keys(item, keys)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            keys.insert(name.clone());
            add_keys(value, keys);
        }),
        _ => {}
    }
}

#[test]
fn every_key_of_a_dossier_is_in_the_reference() {
    let study = Study::new(&[&PERSONS[..], &PURPOSE, &["--delta", "1e-6"]].concat());
    study.mean(&[&BY_PERSON[..], &["--edition", "2026-01"]].concat());
    study.charge(&["--id", IDS[0], "--epsilon", "0.6"]);
    let mut keys = BTreeSet::new();
    add_keys(&study.json(), &mut keys);
    assert!(keys.len() > 35, "{keys:?}");
    let page = include_str!("../../../../../docs/reference/json.md");
    let (_, of_dossier) = page.split_once("`suum ledger dossier --format json` is").unwrap();
    let (of_dossier, _) = of_dossier.split_once("`suum ledger charge --format json` is").unwrap();
    let of_verify = ["sound", "entries", "findings", "values", "published", "declared"];
    let words: BTreeSet<&str> =
        of_dossier.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    keys.retain(|key| !words.contains(key.as_str()) && !of_verify.contains(&key.as_str()));
    assert!(keys.is_empty(), "{keys:?}");
}

#[test]
fn a_purpose_is_kept_and_never_empty() {
    let study = Study::new(&[&PERSONS[..], &PURPOSE].concat());
    assert_eq!(
        Ledger::open(study.ledger()).unwrap().dataset("diary").unwrap().purpose.unwrap(),
        PURPOSE[1]
    );
    let shown = stdout(&["ledger", "show", &study.ledger()]);
    assert!(shown.contains("Purpose: a study of moods\n"), "{shown}");
    let file = study.path("other.ledger");
    let (code, said) =
        refused(&["ledger", "init", &file, "--dataset", "a", "--levels", "a=1", "--purpose", "  "]);
    assert!(code == 1 && said.contains("purpose: it is empty") && said.contains("hint:"), "{said}");
    assert!(!Path::new(&file).exists());
}

#[test]
fn a_dossier_has_a_page_in_the_order_of_its_questions() {
    let study = Study::new(&[&PERSONS[..], &PURPOSE].concat());
    study.mean(&BY_PERSON);
    let strange = ["--id", IDS[0], "--epsilon", "0.02", "--because", "<b>{used}</b>"];
    stdout(&[&["ledger", "charge", &study.ledger()], &strange[..]].concat());
    let page = study.page("page.html");
    let sections: Vec<&str> =
        page.split("<section id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let order =
        ["what", "published", "changes", "tiers", "record", "promised", "not-promised", "versions"];
    assert_eq!(sections, order);
    for said in [
        "<p class=\"kind\">Dossier of a privacy ledger, for a data protection officer</p>",
        "Purpose, as it was declared: “a study of moods”.",
        "the average of “mood”",
        "The reason on record: “&lt;b&gt;{used}&lt;/b&gt;”.",
        "<table>",
    ] {
        assert!(page.contains(said), "{said}");
    }
    assert!(!page.contains("<script") && !page.contains("How it was computed"));
}
