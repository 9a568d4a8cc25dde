//! Number of releases that are still possible, on the command line.

use serde_json::{Value, json as value};

use super::common::{LedgerFolder, RANDHIE, json, stdout};

struct Accounts(LedgerFolder);

impl Accounts {
    fn new(options: &[&str]) -> Self {
        Self(LedgerFolder::new("visits", options))
    }

    fn ledger(&self) -> String {
        self.0.ledger()
    }

    fn words(&self, command: &'static str, more: &[&'static str]) -> Vec<String> {
        let fixed = [command, RANDHIE, "--value", "visits", "--bounds", "0,77"];
        let ledger = self.ledger();
        let words = [&fixed[..], &["--ledger", ledger.as_str()], more].concat();
        words.into_iter().map(str::to_owned).collect()
    }

    fn text(&self, command: &'static str, more: &[&'static str]) -> String {
        let words = self.words(command, more);
        stdout(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The forecast of a release, or of a plan of one.
    fn forecast(&self, command: &'static str, more: &[&'static str]) -> Value {
        let words = self.words(command, more);
        json(&words.iter().map(String::as_str).collect::<Vec<_>>())["ledger"]["forecast"].take()
    }

    fn shown(&self) -> Value {
        json(&["ledger", "show", &self.ledger()])[0]["forecast"].take()
    }
}

/// The forecast of accounts whose balances count.
fn expected(releases: u64, first: &[&str]) -> Value {
    value!({"releases": releases, "first": first, "in_all": false})
}

const TIERS: [&str; 2] = ["--levels", "strict=0.05,standard=0.3,relaxed=2,public=inf"];

#[test]
fn plan_release_and_ledger_say_how_many_more_releases_there_can_be() {
    let accounts = Accounts::new(&TIERS);
    let spend = ["--privacy", "privacy", "--levels", "strict=0.01,standard=0.1,relaxed=0.1"];
    let spend = [&spend[..], &["--spend", "100%-of-left"]].concat();
    // 0.05 in fifths, 0.3 in thirds.
    let two = expected(2, &["standard"]);
    assert_eq!(accounts.forecast("plan", &spend), two, "of a plan, after it is made");
    assert_eq!(accounts.forecast("mean", &spend), two);
    assert_eq!(accounts.shown(), two);
    let text = accounts.text("mean", &spend);
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("1 more release like this; standard is first to be empty."), "{said}");
    assert_eq!(accounts.forecast("mean", &spend), expected(2, &["strict"]), "standard is empty");
    let shown = stdout(&["ledger", "show", &accounts.ledger()]);
    let said = "As the last release: 2 more releases like this; strict is first to be empty.";
    assert!(shown.contains(said), "{shown}");
    // What is lost elsewhere counts, and is no release itself.
    let charge = ["ledger", "charge", &accounts.ledger(), "--because", "a table"];
    stdout(&[&charge[..], &["--tier", "relaxed=1.65"]].concat());
    let mut without = expected(2, &["strict"]);
    without["without"] = value!(["relaxed"]);
    assert_eq!(accounts.shown(), without);
    stdout(&[&charge[..], &["--tier", "strict=0.011"]].concat());
    assert_eq!(accounts.shown(), expected(0, &["strict", "relaxed"]));
}

#[test]
fn shares_of_all_are_as_many_releases() {
    let accounts = Accounts::new(&TIERS);
    let tenth = ["--privacy", "privacy", "--spend", "10%"];
    for more in (1..=9).rev() {
        let forecast = accounts.forecast("mean", &tenth);
        assert_eq!(forecast["releases"], more, "{forecast}");
        // The relaxed spend less than a tenth, because more would hardly help.
        assert_eq!(forecast["first"], value!(["strict", "standard"]));
    }
    let last = accounts.forecast("mean", &tenth);
    assert_eq!(last["first"], value!(["relaxed"]), "the others are empty");
}

/// The second account lets more small releases run, and the forecast is right.
#[test]
fn a_forecast_of_the_second_account_is_how_many_releases_fit() {
    let accounts = Accounts::new(&["--levels", "strict=0.3,public=inf", "--delta", "1e-6"]);
    let data = accounts.0.path("few.csv");
    std::fs::write(&data, "x,tier\n1,strict\n2,strict\n3,public\n").unwrap();
    let mean = ["mean", data.to_str().unwrap(), "--value", "x", "--bounds", "0,9"];
    let charged = ["--privacy", "tier", "--ledger", &accounts.ledger(), "--spend", "eps=0.01"];
    let words = [&mean[..], &charged].concat();
    let forecast = || json(&words)["ledger"]["forecast"]["releases"].as_u64();
    let first = forecast().unwrap();
    assert!(first > 29, "more than the sum of ε lets run: {first}");
    let mut left = first;
    // It counts down by one, until less than such a release is left.
    for _ in 0..first {
        let now = forecast().unwrap_or(0);
        assert_eq!(now, left - 1);
        left = now;
    }
    assert_eq!(left, 0);
}

#[test]
fn persons_have_a_forecast_by_what_they_have_left() {
    let accounts =
        Accounts::new(&["--persons", "--levels", "strict=0.05,standard=1,relaxed=2,public=inf"]);
    let data = accounts.0.path("few.csv");
    let write = |rows: &str| std::fs::write(&data, format!("id,tier,x\n{rows}")).unwrap();
    let mean = ["mean", data.to_str().unwrap(), "--value", "x", "--bounds", "0,9"];
    let charged = ["--privacy", "tier", "--person", "id", "--ledger", &accounts.ledger()];
    let words = [&mean[..], &charged, &["--spend", "eps=0.02"]].concat();
    let forecast = || json(&words)["ledger"]["forecast"].take();
    write("a,standard,1\nb,standard,2\n");
    assert_eq!(forecast()["releases"], 49);
    // Somebody new, and strict.
    write("a,standard,1\nb,standard,2\nc,strict,3\n");
    assert_eq!(forecast(), expected(1, &["strict"]));
    assert_eq!(accounts.shown(), expected(1, &["strict"]));
    let said = stdout(&["ledger", "statement", &accounts.ledger(), "--id", "a"]);
    assert!(said.contains("That is enough for 48 more results like the last one."), "{said}");
}

/// Forecasts under hidden participation depend on declared budgets alone, not on a balance.
#[test]
fn a_forecast_does_not_tell_who_takes_part() {
    let options = ["--persons", "--levels", "strict=0.05,relaxed=2", "--neighbors", "add-remove"];
    let (one, other) = (Accounts::new(&options), Accounts::new(&options));
    let forecast = |accounts: &Accounts, rows: &str| {
        let data = accounts.0.path("few.csv");
        std::fs::write(&data, format!("id,tier,x\n{rows}")).unwrap();
        let mean = ["mean", data.to_str().unwrap(), "--value", "x", "--bounds", "0,9"];
        let ledger = accounts.ledger();
        let charged = ["--privacy", "tier", "--person", "id", "--ledger", &ledger];
        // With a clip that is declared, what a tier spends does not depend on a noisy profile.
        let hides = ["--neighbors", "add-remove", "--spend", "10%", "--clip", "2"];
        json(&[&mean[..], &charged, &hides].concat())["ledger"]["forecast"].take()
    };
    let of = ["a,strict,1\nb,relaxed,2\n", "c,relaxed,3\n", "a,strict,1\n"];
    let said = of.map(|rows| (forecast(&one, rows), forecast(&other, of[0])));
    for (one, other) in &said {
        assert_eq!((one, &said[0].0), (other, one));
        assert_eq!(one["in_all"], true);
        assert!(one["releases"].as_u64() >= Some(10), "{one}");
    }
}
