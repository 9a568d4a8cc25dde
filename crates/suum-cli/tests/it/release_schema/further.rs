//! Kinds of releases that are not on record.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use rusqlite::Connection;
use suum::Answer;

use super::Schema;

const SURVEY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/survey.toml");
const RANDHIE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/randhie.csv");
const TIERS: &str = "--privacy privacy --levels strict=0.01,standard=0.1,relaxed=1,public=inf";
const VISITS: &str = "--value visits --bounds 0,77";
const HEALTH: &str = "health --groups excellent,good,fair,poor --between poor,good";
/// Shares of tiers.
const COUNTED: &str = "--categories strict,standard,relaxed,public";
const STRATA: &str = "--strata health --classes excellent,good,fair,poor";
const CELLS: &str = "--crosstab health,coinsurance_log --categories excellent,good,fair,poor \
                     --categories 0,3.258096,3.931826,4.564348,4.61512";
/// The last group has no records.
const GROUPS: &str = "--group-by privacy --groups strict,standard,relaxed,public,nobody";
const DAYS: &str = "--value day --bounds 2020-01-01,2020-12-31";
/// The budget of one tier protects hardly anything, of which a release warns.
const WEAK: &str = "--privacy tier --levels a=0.1,b=100";
const ASKED: &str = "--privacy tier --levels a=0.1,b=0.2 --person id";

/// Looks at releases of these kinds.
pub(crate) fn look_at(schema: &Schema, said: impl Fn(&[String]) -> suum::Result<Answer>) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (days, database) = (path("days.csv"), path("days.sqlite"));
    write_days(Path::new(&days), Path::new(&database));
    let (tiers, persons) = (path("tiers.ledger"), path("persons.ledger"));
    for command in [
        format!("run {SURVEY} {RANDHIE}"),
        format!("mean {RANDHIE} {VISITS} --group-by {HEALTH} {TIERS}"),
        format!("mean {RANDHIE} {VISITS} --group-by {HEALTH} --neighbors both {TIERS}"),
        format!("quantile {RANDHIE} {VISITS} --q 0.5 --group-by {HEALTH} {TIERS}"),
        format!("quantile {RANDHIE} {VISITS} --q 0.5,0.9 --group-by {HEALTH} {TIERS}"),
        format!("frequency {RANDHIE} --value privacy {COUNTED} --group-by {HEALTH} {TIERS}"),
        format!("mean {RANDHIE} {VISITS} --check-bounds {TIERS}"),
        format!("mean {RANDHIE} {VISITS} {GROUPS} --missing 0 --shrink {TIERS}"),
        format!("mean {RANDHIE} {VISITS} {STRATA} {TIERS}"),
        format!("mean {RANDHIE} {VISITS} {STRATA} {GROUPS} {TIERS}"),
        format!("frequency {RANDHIE} {CELLS} {TIERS}"),
        format!("frequency {RANDHIE} {CELLS} {GROUPS} {TIERS}"),
        format!("mean {days} {DAYS} {WEAK}"),
        format!("median {days} {DAYS} {WEAK}"),
        format!("mean {days} {DAYS} --group-by tier --groups a,b {WEAK}"),
        format!("ledger init {tiers} --dataset d --levels a=0.1,b=1"),
        charged("60% --edition one", &days, "--privacy tier", &tiers),
        charged("60% --edition one", &days, "--privacy tier", &tiers),
        charged("60%", &days, "--privacy tier", &tiers),
        format!("ledger init {persons} --dataset d --persons --allow 0.2"),
        charged("60%", &days, ASKED, &persons),
        charged("60%", &days, ASKED, &persons),
    ] {
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        schema.look_at(&said(&words).unwrap());
    }
    let middle = format!("median {database} --value x --bounds 0,40 {WEAK} --query");
    let mut words: Vec<String> = middle.split_whitespace().map(str::to_owned).collect();
    words.push("SELECT x, tier FROM people".to_owned());
    schema.look_at(&said(&words).unwrap());
}

/// A release that is charged to a ledger.
fn charged(spend: &str, data: &str, who: &str, ledger: &str) -> String {
    format!("mean {data} {DAYS} {who} --ledger {ledger} --dataset d --spend {spend}")
}

/// Forty people with a day each, as CSV and in SQLite.
fn write_days(csv: &Path, database: &Path) {
    let people = Connection::open(database).unwrap();
    people.execute("CREATE TABLE people (x INTEGER, tier TEXT)", ()).unwrap();
    let mut text = String::from("day,tier,id\n");
    for person in 0..40 {
        let tier = ["a", "b"][person % 2];
        writeln!(text, "2020-01-{:02},{tier},{person}", person % 28 + 1).unwrap();
        people.execute("INSERT INTO people VALUES (?, ?)", (person, tier)).unwrap();
    }
    fs::write(csv, text).unwrap();
}
