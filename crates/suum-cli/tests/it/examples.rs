//! The data of the examples: made, small, and the same each time.
//!
//! `INSTA_UPDATE=always cargo test -p suum-cli --test it examples` writes them anew.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::architecture::workspace;
use super::book::is_written;

/// The largest example, in bytes; the public survey `randhie.csv` is older and larger.
const LARGEST: u64 = 60_000;

/// Tiers, each as often as its share of the people; the first is the strictest.
const TIERS: [&str; 10] = [
    "strict", "strict", "standard", "standard", "standard", "standard", "relaxed", "relaxed",
    "relaxed", "public",
];
const REGIONS: [&str; 10] =
    ["north", "north", "north", "north", "north", "south", "south", "south", "west", "west"];
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const HEALTH: [&str; 10] = [
    "excellent",
    "excellent",
    "excellent",
    "excellent",
    "good",
    "good",
    "good",
    "fair",
    "fair",
    "poor",
];

/// A whole number below `below` for a cell: SplitMix64 of its row and column.
fn draw(row: u64, column: u64, below: u64) -> u64 {
    let mut mixed = (row << 8 | column).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) % below
}

/// One of ten, drawn for a cell.
fn choose<'a>(from: &[&'a str; 10], row: u64, column: u64) -> &'a str {
    from[usize::try_from(draw(row, column, 10)).unwrap()]
}

/// Most numbers small, a few near the upper end: the product of two draws.
fn skewed(row: u64, column: u64, below: u64) -> u64 {
    draw(row, column, below) * draw(row, column + 1, below) / below
}

/// A text, or an empty cell in so many of a hundred rows.
fn missing(row: u64, column: u64, percent: u64, text: String) -> String {
    if draw(row, column, 100) < percent { String::new() } else { text }
}

const PEOPLE: &str = "person,year,region,sex,wage,visits,moved_in,arrives,privacy,epsilon";

/// The budget of a person as a number: that of their tier, and for some relaxed people twice that.
fn budget(row: u64) -> &'static str {
    match choose(&TIERS, row, 16) {
        "strict" => "0.1",
        "standard" => "0.5",
        "public" => "inf",
        _ => ["1", "2"][usize::try_from(draw(row, 17, 2)).unwrap()],
    }
}

/// One record of each person: labels, a wage, small integers, a date, a time, a tier, a budget.
fn person(row: u64) -> String {
    [
        row.to_string(),
        (2023 + draw(row, 1, 2)).to_string(),
        choose(&REGIONS, row, 2).to_owned(),
        ["f", "m"][usize::try_from(draw(row, 3, 2)).unwrap()].to_owned(),
        format!("{}.{}", 9 + skewed(row, 4, 60), draw(row, 6, 10)),
        skewed(row, 7, 14).to_string(),
        format!(
            "{}-{:02}-{:02}",
            2024 - skewed(row, 9, 25),
            1 + draw(row, 11, 12),
            1 + draw(row, 12, 28)
        ),
        format!("{:02}:{:02}", 6 + skewed(row, 13, 7), draw(row, 15, 60)),
        choose(&TIERS, row, 16).to_owned(),
        budget(row).to_owned(),
    ]
    .join(",")
}

/// The trips of a person: between one and seven rows, all of one tier.
fn trips(person: u64) -> Vec<String> {
    let tier = choose(&TIERS, person, 1);
    let trip = |at: u64| {
        let row = person << 8 | at;
        let km = 1 + skewed(row, 2, 60);
        let (day, tenth) = (1 + 4 * at, draw(row, 4, 10));
        format!("p{person:03},2024-05-{day:02},{km}.{tenth},{tier}")
    };
    (0..=draw(person, 5, 7)).map(trip).collect()
}

/// The months of a person in a panel: from one to twelve in a row. Who stays longer goes to a
/// doctor more often.
fn months(person: u64) -> Vec<String> {
    let tier = choose(&TIERS, person, 1);
    let (first, count) = (draw(person, 2, 12), 1 + draw(person, 3, 12));
    let month = |at: u64| {
        let visits = draw(person << 8 | at, 4, 4) + if count > 6 { 2 } else { 0 };
        let month = MONTHS[usize::try_from((first + at) % 12).unwrap()];
        format!("p{person:03},{month},{visits},{tier}")
    };
    (0..count).map(month).collect()
}

/// The answers of a questionnaire. Health, income and the choice of a tier can be empty; `privacy`
/// is the tier that everybody has in the end.
fn answers(row: u64) -> String {
    [
        format!("r{row}"),
        missing(row, 1, 6, choose(&HEALTH, row, 2).to_owned()),
        missing(row, 3, 12, (8000 + 100 * skewed(row, 4, 900)).to_string()),
        skewed(row, 6, 14).to_string(),
        choose(&TIERS, row, 9).to_owned(),
        missing(row, 8, 4, choose(&TIERS, row, 9).to_owned()),
    ]
    .join(",")
}

/// The decisions of a person: the choice of 2025, and for some its end, a withdrawal or a new form.
fn decisions(row: u64) -> Vec<String> {
    let (day, later) = (1 + draw(row, 10, 28), 1 + draw(row, 11, 28));
    let until = if row % 15 == 1 { "2026-01-01" } else { "" };
    let tier = choose(&TIERS, row, 9);
    let first = format!("r{row},{tier},2025-01-{day:02},{until},active,v1");
    let withdrawn = format!("r{row},,2025-09-{later:02},,withdrawn,v1");
    let renewed = format!("r{row},relaxed,2026-02-01,,active,v2");
    let next = [row.is_multiple_of(20).then_some(withdrawn), (row % 10 == 3).then_some(renewed)];
    [first].into_iter().chain(next.into_iter().flatten()).collect()
}

/// Makes a file of a header and lines.
fn csv(header: &str, lines: impl Iterator<Item = String>) -> String {
    [header.to_owned()].into_iter().chain(lines).map(|line| line + "\n").collect()
}

#[test]
fn examples_are_made_by_their_generator() {
    is_written("examples/people.csv", &csv(PEOPLE, (1..=1000).map(person)));
    let trips = (1..=400).flat_map(trips);
    is_written("examples/trips.csv", &csv("person,day,km,privacy", trips));
    let months = (1..=400).flat_map(months);
    is_written("examples/panel.csv", &csv("person,month,visits,privacy", months));
    let lines = (1..=1200).map(answers);
    is_written("examples/answers.csv", &csv("id,health,income,visits,privacy,choice", lines));
    let choices = (1..=1200).map(|row| format!("r{row},{}", choose(&TIERS, row, 9)));
    is_written("examples/consent.csv", &csv("id,tier", choices));
    let register = csv("id,tier,signed,until,status,form", (1..=1200).flat_map(decisions));
    is_written("examples/register.csv", &register);
}

/// Makes the table of people as SQLite stores it: numbers as numbers.
fn store(file: &Path) {
    if file.exists() {
        fs::remove_file(file).unwrap();
    }
    let mut database = Connection::open(file).unwrap();
    database
        .execute_batch(
            "CREATE TABLE people (person INTEGER PRIMARY KEY, year INTEGER, region TEXT, \
             wage REAL, visits INTEGER, privacy TEXT, epsilon REAL)",
        )
        .unwrap();
    let all = database.transaction().unwrap();
    for cells in stored() {
        let [person, year, region, wage, visits, tier, budget] = cells;
        // SQLite reads no infinity from a text; this literal is one.
        let budget = budget.replace("inf", "9e999");
        let row = format!(
            "INSERT INTO people VALUES \
             ({person}, {year}, '{region}', {wage}, {visits}, '{tier}', {budget})"
        );
        all.execute(&row, []).unwrap();
    }
    all.commit().unwrap();
    database.execute_batch("VACUUM").unwrap();
}

/// The cells of `people.csv` that are in the database.
fn stored() -> impl Iterator<Item = [String; 7]> {
    (1..=1000).map(|row| {
        let line = person(row);
        let cells: Vec<&str> = line.split(',').collect();
        [0, 1, 2, 4, 5, 8, 9].map(|at| cells[at].to_owned())
    })
}

/// The bytes of the file depend on the version of SQLite; the rows do not.
#[test]
fn database_has_the_people_of_the_file() {
    let file = workspace().join("examples/people.sqlite");
    if std::env::var("INSTA_UPDATE").as_deref() == Ok("always") {
        store(&file);
    }
    let database = Connection::open(&file).unwrap();
    let columns = "person, year, region, wage, visits, privacy, epsilon";
    let query = format!("SELECT {columns} FROM people ORDER BY person");
    let mut query = database.prepare(&query).unwrap();
    let rows = query.query_map([], |row| {
        let cell = |at: usize| match row.get_ref(at)? {
            rusqlite::types::ValueRef::Integer(number) => Ok(number.to_string()),
            rusqlite::types::ValueRef::Real(number) => Ok(number.to_string()),
            other => Ok::<_, rusqlite::Error>(other.as_str()?.to_owned()),
        };
        Ok([cell(0)?, cell(1)?, cell(2)?, cell(3)?, cell(4)?, cell(5)?, cell(6)?])
    });
    let rows: Vec<[String; 7]> = rows.unwrap().map(Result::unwrap).collect();
    let expected: Vec<[String; 7]> = stored()
        .map(|mut cells| {
            cells[3] = cells[3].parse::<f64>().unwrap().to_string();
            cells
        })
        .collect();
    assert_eq!(rows, expected);
}

#[test]
fn examples_are_small() {
    for entry in fs::read_dir(workspace().join("examples")).unwrap() {
        let file = entry.unwrap();
        let size = file.metadata().unwrap().len();
        let name = file.file_name();
        assert!(size < LARGEST || name == "randhie.csv", "{name:?} has {size} bytes");
    }
}
