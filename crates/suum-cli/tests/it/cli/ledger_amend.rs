//! Changes of what people allow, from the command line: a year of decisions, and tiers.

use std::fs;

use serde_json::Value;

use super::common::{LedgerFolder, json, refused, stdout};
use crate::architecture::workspace;

/// The columns of the register of the examples, whose decisions are those of a year and more.
const COLUMNS: [&str; 10] = [
    "--key",
    "id",
    "--privacy",
    "tier",
    "--consent-from",
    "signed",
    "--consent-until",
    "until",
    "--consent-status",
    "status",
];
const REFERENCE: [&str; 2] = ["--consent-reference", "form"];
const LEVELS: [&str; 3] = ["--persons", "--levels", "strict=0.1,standard=0.5,relaxed=1,public=inf"];

/// Accounts of a new ledger, in a folder of its own.
struct Accounts(LedgerFolder);

impl Accounts {
    fn new(options: &[&str]) -> Self {
        Self(LedgerFolder::new("answers", options))
    }

    fn amended(&self, more: &[&str]) -> Value {
        json(&[&["ledger", "amend", &self.0.ledger()], more].concat())
    }

    fn refused(&self, more: &[&str]) -> String {
        let (code, message) = refused(&[&["ledger", "amend", &self.0.ledger()], more].concat());
        assert_eq!(code, 1, "{message}");
        message
    }

    /// The register of the examples as it was on a day.
    fn register_of(&self, day: &str) -> String {
        let all = fs::read_to_string(workspace().join("examples/register.csv")).unwrap();
        let mut lines = all.lines();
        let mut kept = format!("{}\n", lines.next().unwrap());
        for line in lines {
            let mut cells: Vec<&str> = line.split(',').collect();
            if cells[2] <= day {
                // It has not come.
                cells[3] = if cells[3] <= day { cells[3] } else { "" };
                kept += &format!("{}\n", cells.join(","));
            }
        }
        self.file(&format!("register-{day}.csv"), &kept)
    }

    fn mean(&self, register: &str, more: &[&str]) -> Value {
        let mean = ["mean", "examples/answers.csv", "--value", "visits", "--bounds", "0,20"];
        let consent = ["--consent", register];
        let charged = ["--person", "id", "--ledger", &self.0.ledger(), "--spend", "10%"];
        json(&[&mean[..], &consent, &COLUMNS, &charged, more].concat())
    }

    fn shown(&self) -> Value {
        json(&["ledger", "show", &self.0.ledger()])[0].take()
    }

    fn statement(&self, of: &str) -> String {
        let text = stdout(&["ledger", "statement", &self.0.ledger(), "--id", of]);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn assert_sound(&self) {
        assert_eq!(json(&["ledger", "verify", &self.0.ledger()])["sound"], true);
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.path(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

#[test]
fn accounts_of_persons_follow_a_year_of_decisions() {
    let accounts = Accounts::new(&LEVELS);
    let [june, october, march] =
        ["2025-06-01", "2025-10-01", "2026-03-01"].map(|day| accounts.register_of(day));
    let of = |register: &'static str| [&["--consent", register][..], &COLUMNS].concat();
    let [october_words, march_words] =
        [&october, &march].map(|register| of(Box::leak(register.clone().into_boxed_str())));
    assert_eq!(accounts.mean(&june, &[])["consent"]["not_used"], 0);
    // Sixty people withdraw in September.
    let october_words = [&october_words[..], &REFERENCE].concat();
    let amended = accounts.amended(&october_words);
    let persons = &amended["persons"];
    assert_eq!((&persons["lowered"], &persons["raised"]), (&60.into(), &0.into()));
    assert_eq!(persons["spent_more"], 60);
    let again = accounts.amended(&october_words);
    assert_eq!((&again["entry"], &again["persons"]["lowered"]), (&Value::Null, &0.into()));
    assert_eq!(again["register"]["digest"], amended["register"]["digest"]);
    // Eighty consents expire with the year; in February others sign a new form.
    let without_reference = accounts.amended(&march_words);
    let persons = &without_reference["persons"];
    let would_raise = persons["without_reference"].as_u64().unwrap();
    assert_eq!((&persons["spent_more"], would_raise), (&80.into(), 60), "{persons}");
    // A release looks at the register, and raises nothing.
    let entries = |shown: &Value| shown["amendments"].as_array().unwrap().len();
    let before = entries(&accounts.shown());
    let release = accounts.mean(&march, &[]);
    assert_eq!(release["consent"]["not_used"], 140);
    assert_eq!(entries(&accounts.shown()), before, "nobody allows less than is known");
    let raised = accounts.amended(&[&march_words[..], &REFERENCE].concat());
    assert_eq!(raised["persons"]["raised"], would_raise);
    assert_ne!(raised["register"]["digest"], amended["register"]["digest"]);
    // Whoever withdrew has nothing left, and their statement says why.
    let statement = accounts.statement("r20");
    for said in ["it is on record that you allow nothing", "cannot be taken back", "0.9 was left"] {
        assert!(statement.contains(said), "{said}: {statement}");
    }
    let statement = accounts.statement("r3");
    assert!(statement.contains("On 2026-02-01 your choice was “relaxed”"), "{statement}");
    let shown = accounts.shown();
    assert_eq!(entries(&shown), 3);
    assert_eq!(shown["amendments"][2]["raised"], would_raise);
    let groups = shown["persons"]["groups"].as_array().unwrap().iter();
    let withdrawn: u64 = groups
        .filter(|group| group["level"] == "no consent")
        .map(|group| {
            assert_eq!(group["left"], 0.0);
            group["persons"].as_u64().unwrap()
        })
        .sum();
    assert_eq!(withdrawn, 140);
    let text = stdout(&["ledger", "show", &accounts.0.ledger()]);
    assert!(text.contains("no consent: 60 persons"), "{text}");
    accounts.assert_sound();
    // The reservation has the register that the release looked at, and why people were left out.
    let export = stdout(&["ledger", "export", &accounts.0.ledger()]);
    let lines = export.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let reserves = lines.filter(|entry| entry["kind"] == "reserve");
    let last = reserves.reduce(|_, last| last).unwrap();
    let not_used = serde_json::json!({"none": 0, "withdrawn": 60, "expired": 80});
    assert_eq!(last["body"]["register"]["not_used"], not_used);
    assert_eq!(last["body"]["register"]["digest"], raised["register"]["digest"]);
    // The dossier has the whole year, and names nobody.
    let dossier = json(&["ledger", "dossier", &accounts.0.ledger()]);
    let changes = dossier["changes"].as_array().unwrap();
    let kinds: Vec<&Value> = changes.iter().map(|change| &change["kind"]).collect();
    assert_eq!(kinds, ["amend"; 3]);
    assert_eq!(changes[2]["raised"], would_raise);
    let register = &dossier["datasets"][0]["releases"][1]["register"];
    assert_eq!(register["reasons"], not_used);
    let text = stdout(&["ledger", "dossier", &accounts.0.ledger()]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("60 withdrew it, of 80 it had expired") && !text.contains("r20"));
}

#[test]
fn release_lowers_who_withdrew_and_later_ones_without_a_register_know_it() {
    let accounts = Accounts::new(&LEVELS);
    accounts.mean(&accounts.register_of("2025-06-01"), &[]);
    accounts.mean(&accounts.register_of("2025-10-01"), &[]);
    let amendments = accounts.shown()["amendments"].take();
    assert_eq!(amendments[0]["persons"][0]["level"], "no consent");
    assert_eq!(amendments[0]["persons"][0]["persons"], 60);
    // r20 withdrew; here the data say that they allow much.
    let people = accounts.file("people.csv", "id,tier,visits\nr20,relaxed,3\nr3,relaxed,1\n");
    let mean = ["mean", &people, "--value", "visits", "--bounds", "0,20", "--privacy", "tier"];
    let charged = ["--person", "id", "--ledger", &accounts.0.ledger(), "--spend", "10%"];
    let release = json(&[&mean[..], &charged].concat());
    assert_eq!(
        (&release["ledger"]["people"], &release["ledger"]["exhausted"]),
        (&2.into(), &1.into())
    );
    accounts.assert_sound();
}

#[test]
fn look_at_the_past_uses_nobody_who_has_withdrawn_since() {
    let accounts = Accounts::new(&LEVELS);
    let all = "examples/register.csv";
    let plain = ["mean", "examples/answers.csv", "--value", "visits", "--bounds", "0,20"];
    let levels = ["--levels", "strict=0.1,standard=0.5,relaxed=1,public=inf"];
    let june = ["--person", "id", "--consent", all, "--as-of", "2025-06-01"];
    let without_ledger = json(&[&plain[..], &june, &COLUMNS, &levels].concat());
    assert_eq!(without_ledger["consent"]["not_used"], 0);
    let charged = accounts.mean(all, &["--as-of", "2025-06-01"]);
    assert_eq!(charged["consent"]["not_used"], 140);
    let future = ["--as-of", "9999-01-01"];
    let of_register = ["--consent", all];
    let amend = [&of_register[..], &COLUMNS, &future].concat();
    assert!(accounts.refused(&amend).starts_with("error: as-of"));
    let ledger = accounts.0.ledger();
    let mean = ["--person", "id", "--ledger", &ledger, "--spend", "10%"];
    let (_, message) = refused(&[&plain[..], &of_register, &COLUMNS, &mean, &future].concat());
    assert!(message.starts_with("error: as-of"), "{message}");
}

#[test]
fn statement_says_what_a_tier_allowed_before_it_was_lowered() {
    let accounts = Accounts::new(&["--persons", "--levels", "strict=0.1,relaxed=1"]);
    let people = accounts.file("people.csv", "id,tier,x\nann,relaxed,3\nbob,relaxed,1\n");
    let mean = ["mean", &people, "--value", "x", "--bounds", "0,9", "--privacy", "tier"];
    let ledger = accounts.0.ledger();
    stdout(&[&mean[..], &["--person", "id", "--ledger", &ledger, "--spend", "50%"]].concat());
    accounts.amended(&["--levels", "relaxed=0.2"]);
    let statement = accounts.statement("ann");
    for said in [
        "which allows 1 in all",
        "50 % of what you allowed then. 0.5 was left",
        "0.5 was used before, and you allow 0.2 now",
    ] {
        assert!(statement.contains(said), "{said}: {statement}");
    }
    assert!(!statement.contains("More was lost elsewhere"), "{statement}");
}

#[test]
fn tiers_are_lowered_and_new_ones_added() {
    let accounts = Accounts::new(&["--levels", "strict=0.1,relaxed=2"]);
    let ledger = accounts.0.ledger();
    let said = stdout(&["ledger", "amend", &ledger, "--levels", "strict=0.05"]);
    insta::assert_snapshot!(said, @r"
    Amended dataset answers, entry 3
      strict: 0.05 in all, 0.1 before
    ");
    let because = ["--because", "the form of 2027"];
    let new = ["ledger", "amend", &ledger, "--levels", "strict 2027=0.2"];
    assert!(accounts.refused(&new[3..]).starts_with("error: because"));
    let said = stdout(&[&new[..], &because].concat());
    insta::assert_snapshot!(said, @r"
    Amended dataset answers, entry 4: the form of 2027
      strict 2027: a new tier that allows 0.2 in all
    ");
    let same = stdout(&[&new[..], &because].concat());
    insta::assert_snapshot!(same, @"Nothing of dataset answers changes");
    let raised = accounts.refused(&["--levels", "strict=0.2"]);
    assert!(raised.contains("only lowered"), "{raised}");
    let shown = accounts.shown();
    let tiers: Vec<_> = shown["tiers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tier| (tier["level"].as_str().unwrap(), tier["left"].as_f64().unwrap()))
        .collect();
    assert_eq!(tiers, [("strict", 0.05), ("relaxed", 2.0), ("strict 2027", 0.2)]);
    accounts.assert_sound();
}

/// Enters a register of budgets as of January, and then as of now; returns the numbers of persons.
fn budgets_in_turn(accounts: &Accounts, register: &str) -> [Value; 2] {
    let register = accounts.file("register.csv", register);
    let of_register = ["--consent", &register, "--key", "id", "--epsilon", "budget"];
    let dates = ["--consent-from", "day", "--consent-reference", "form"];
    let words = [&of_register[..], &dates].concat();
    let january = accounts.amended(&[&words[..], &["--as-of", "2026-01-10"]].concat());
    let counts = [january, accounts.amended(&words)].map(|mut amended| amended["persons"].take());
    accounts.assert_sound();
    counts
}

#[test]
fn decisions_of_own_budgets_are_entered() {
    let accounts = Accounts::new(&["--persons", "--allow", "own"]);
    let [january, later] = budgets_in_turn(
        &accounts,
        "id,budget,day,form\nann,0.5,2026-01-01,v1\nbob,2,2026-01-01,v1\nann,1,2026-02-01,v2\n",
    );
    assert_eq!(january["first"], 2);
    assert_eq!((&later["raised"], &later["known"]), (&1.into(), &1.into()));
}

#[test]
fn whoever_withdrew_can_take_part_again_where_all_allow_the_same() {
    let accounts = Accounts::new(&["--persons", "--allow", "2"]);
    let [january, later] = budgets_in_turn(
        &accounts,
        "id,budget,day,form\nann,0,2026-01-01,v1\nbob,1,2026-01-01,v1\nann,1,2026-02-01,v2\n",
    );
    assert_eq!((&january["first"], &later["raised"]), (&2.into(), &1.into()));
}

#[test]
fn amendment_says_what_is_missing_or_impossible() {
    let of_tiers = Accounts::new(&["--levels", "strict=0.1"]);
    let of_persons = Accounts::new(&LEVELS);
    let register = ["--consent", "examples/register.csv"];
    let all = [&register[..], &COLUMNS].concat();
    assert!(of_persons.refused(&[]).contains("it is not said what changes"));
    assert!(of_tiers.refused(&all).contains("tiers hold the accounts"));
    let without_key = ["--consent", "examples/register.csv", "--privacy", "tier"];
    assert!(of_persons.refused(&without_key).contains("--key"));
    assert!(of_persons.refused(&without_key[..2]).contains("--key"));
    let words = [&all[..], &["--consent-withdrawn", "gone"]].concat();
    let refused = of_persons.refused(&words);
    assert!(refused.contains("status") && !refused.contains("r20"), "{refused}");
    let unknown = of_persons.file("unknown.csv", "id,tier\nann-7781,generous\n");
    let refused = of_persons.refused(&["--consent", &unknown, "--key", "id", "--privacy", "tier"]);
    assert!(!refused.contains("ann-7781") && !refused.contains("generous"), "{refused}");
}

/// Writes the rows of a CSV file into a table of a new SQLite file.
fn write_table(database: &str, name: &str, csv: &str) {
    let connection = rusqlite::Connection::open(database).unwrap();
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let columns = lines.next().unwrap();
    let places = vec!["?"; columns.len()].join(", ");
    connection.execute(&format!("CREATE TABLE {name} ({})", columns.join(" TEXT, ")), ()).unwrap();
    for cells in lines {
        let cells = cells.into_iter().map(|cell| Some(cell).filter(|cell| !cell.is_empty()));
        let insert = format!("INSERT INTO {name} VALUES ({places})");
        connection.execute(&insert, rusqlite::params_from_iter(cells)).unwrap();
    }
}

#[test]
fn register_in_a_table_amends_as_its_file_does() {
    let [of_file, of_table] = [(); 2].map(|()| Accounts::new(&LEVELS));
    let file = "examples/register.csv";
    let database = of_table.0.path("study.sqlite").to_str().unwrap().to_owned();
    let rows = fs::read_to_string(workspace().join(file)).unwrap();
    write_table(&database, "decisions", &rows);
    let columns = [&COLUMNS[..], &REFERENCE].concat();
    let amended = of_file.amended(&[&["--consent", file], &columns[..]].concat());
    let table = [&[&database, "--consent", "decisions"], &columns[..]].concat();
    assert_eq!(of_table.amended(&table)["persons"], amended["persons"]);
    let groups = |accounts: &Accounts| accounts.shown()["persons"]["groups"].take();
    assert_eq!(groups(&of_table), groups(&of_file));
    of_table.assert_sound();
    let missing = [&[&database, "--consent", "nowhere"], &columns[..]].concat();
    assert!(of_table.refused(&missing).contains("neither a file nor a table"));
    let with_delimiter = [&table[..], &["--delimiter", ";"]].concat();
    assert!(of_table.refused(&with_delimiter).starts_with("error: delimiter"));
    let no_database = [&[file, "--consent", "decisions"], &columns[..]].concat();
    assert!(of_table.refused(&no_database).contains("no database with the register"));
    assert!(of_table.refused(&[&database, "--levels", "strict=0.05"]).starts_with("error: data"));
    // A table has a name at every door, and the address of its database is not repeated.
    let address = "postgresql://steward:hidden-7781@localhost/study";
    let mean = ["mean", "examples/answers.csv", "--value", "visits", "--bounds", "0,20"];
    let levels = ["--levels", "strict=0.1,standard=0.5,relaxed=1,public=inf"];
    for database in [database.as_str(), address] {
        let consent = [&["--consent", database], &columns[..]].concat();
        let (_, by_release) = refused(&[&mean[..], &levels, &consent].concat());
        for message in [of_table.refused(&consent), by_release] {
            assert!(message.starts_with("error: consent: a database is not"), "{message}");
            assert!(!message.contains("hidden-7781"), "{message}");
        }
    }
}

#[test]
fn form_of_csv_files_is_that_of_the_register() {
    let accounts = Accounts::new(&["--persons", "--levels", "strict=0.1"]);
    let register = accounts.file("register.csv", "id;tier\nann;strict\n");
    let consent = ["--consent", &register, "--key", "id", "--privacy", "tier"];
    let amended = accounts.amended(&[&consent[..], &["--delimiter", ";"]].concat());
    assert_eq!(amended["persons"]["first"], 1);
}

#[test]
fn register_of_other_keys_than_the_persons_is_refused() {
    let accounts = Accounts::new(&["--persons", "--levels", "strict=0.1,relaxed=1"]);
    let people = accounts.file("people.csv", "id,house,x\nann,h1,3\nbob,h2,1\n");
    let dated =
        accounts.file("dated.csv", "id,tier,day\nann,relaxed,2026-01-01\nbob,relaxed,2026-01-01\n");
    let houses = accounts.file("houses.csv", "house,tier\nh1,relaxed\nh2,relaxed\n");
    let ledger = accounts.0.ledger();
    let mean = ["mean", &people, "--value", "x", "--bounds", "0,9", "--privacy", "tier"];
    let charged = ["--person", "id", "--ledger", &ledger, "--spend", "10%"];
    let asked = [&mean[..], &charged].concat();
    let of = |register: &str, key: &str| -> Vec<String> {
        let more = ["--consent", register, "--key", key];
        asked.iter().chain(&more).map(|word| (*word).to_owned()).collect()
    };
    let words = of(&houses, "house");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (code, message) = refused(&words);
    assert!(code == 1 && message.starts_with("error: key: persons have accounts"), "{message}");
    assert!(message.contains("--key id=COL") && !message.contains("h1"), "{message}");
    let words = of(&dated, "id");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    stdout(&[&words[..], &["--consent-from", "day"]].concat());
    // Afterwards the ledger knows whose identifiers it has.
    let amend = |key: &str| {
        let consent = ["--consent", &houses, "--privacy", "tier", "--key"].map(str::to_owned);
        consent.into_iter().chain([key.to_owned()]).collect::<Vec<String>>()
    };
    let words = amend("house");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let message = accounts.refused(&words);
    assert!(message.contains("releases charged the persons of column id"), "{message}");
    assert!(message.contains("--key id=house"), "{message}");
    let words = amend("id=house");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(accounts.amended(&words)["persons"]["first"], 2);
    accounts.assert_sound();
}

#[test]
fn register_without_dates_lowers_accounts_and_raises_none() {
    let accounts = Accounts::new(&["--persons", "--levels", "strict=0.1,relaxed=1,never=0"]);
    let people = accounts.file("people.csv", "id,x,tier\nann,3,relaxed\nbob,1,relaxed\n");
    let ledger = accounts.0.ledger();
    let mean = ["mean", &people, "--value", "x", "--bounds", "0,9", "--privacy", "tier"];
    let charged = ["--person", "id", "--ledger", &ledger, "--spend", "10%"];
    let asked = [&mean[..], &charged].concat();
    let apart = accounts.file("apart.csv", "id,x\nann,3\nbob,1\n");
    let release = |register: &str| {
        let mean = ["mean", &apart, "--value", "x", "--bounds", "0,9", "--privacy", "tier"];
        let consent = ["--consent", register, "--key", "id"];
        json(&[&mean[..], &charged, &consent].concat())
    };
    let first = accounts.file("first.csv", "id,tier\nann,relaxed\nbob,strict\n");
    release(&first);
    assert!(accounts.shown()["amendments"].is_null());
    // Ann withdraws; for Bob more is said, without a date.
    let second = accounts.file("second.csv", "id,tier\nann,never\nbob,relaxed\n");
    let found = release(&second);
    assert!(found.get("consent").is_none(), "permanent choices have no time");
    let amendments = accounts.shown()["amendments"].take();
    assert_eq!(amendments.as_array().unwrap().len(), 1, "{amendments}");
    assert_eq!(amendments[0]["persons"][0]["level"], "never");
    assert_eq!(amendments[0]["persons"][0]["persons"], 1);
    // A release that does not look at the register knows it.
    let found = json(&asked);
    assert_eq!((&found["ledger"]["people"], &found["ledger"]["exhausted"]), (&2.into(), &1.into()));
    accounts.assert_sound();
}

#[test]
fn maximum_of_raises_is_for_accounts_with_delta() {
    let folder = LedgerFolder::new("answers", &LEVELS);
    let path = folder.path("other").to_str().unwrap().to_owned();
    let init = ["ledger", "init", &path, "--dataset", "other", "--raise-up-to", "2"];
    let with_delta = [&init[..], &LEVELS, &["--delta", "1e-6"]].concat();
    stdout(&with_delta);
    let of_tiers = [&init[..], &["--levels", "a=1", "--delta", "1e-6"]].concat();
    let (_, message) = refused(&of_tiers);
    assert!(message.starts_with("error: raise-up-to"), "{message}");
}
