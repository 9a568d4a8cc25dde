//! Combinations of all that can be asked: every statistic, with declared bounds and without, for
//! both kinds of neighbours, of records and persons, in groups or not, from every source, with the
//! accounts of tiers and of persons.

use std::fmt::Write;
use std::fs;

use rusqlite::Connection;
use serde_json::Value;
use suum::{Answer, JobInputs, Result};
use suum_cli::{answer, parse};
use suum_testing::Server;
use tempfile::TempDir;

/// Lifetime budgets of the tiers: enough for the few people in the data to find a range in them.
const TIERS: &str = "strict=4,standard=10,relaxed=20,public=inf";

/// Statistics, each with its bounds.
const ASKED: [&str; 13] = [
    "mean --value visits --bounds 0,60",
    "mean --value visits --bounds auto",
    "sum --value visits --bounds 0,60",
    "sum --value visits --bounds auto",
    "quantile --value visits --q 0.5 --bounds 0,60 --step 1",
    "quantile --value visits --q 0.5 --bounds auto",
    "variance --value visits --bounds 0,60",
    "variance --value visits --bounds auto",
    "summary --value visits --statistic mean,variance,q50 --bounds 0,60 --step 1",
    "summary --value visits --statistic mean,variance,q50 --bounds auto",
    "count",
    "frequency --value health --categories good,fair,poor",
    "frequency --value visits --bins 0,1,5,20,60",
];

const NEIGHBORS: [&str; 2] = ["", "--neighbors add-remove"];
const BOTH: &str = "--neighbors both";
const GROUPS: [&str; 2] = ["", "--group-by site --groups north,south"];
const PERSONS: [&str; 2] = ["", "--person id"];

/// Numbers that a person counts with.
const OF_PERSONS: [&str; 6] = [
    "--person id --per-person mean",
    "--person id --per-person total",
    "--person id --per-person median",
    "--person id --per-person min",
    "--person id --per-person max",
    // By the value itself, of which the last is the largest.
    "--person id --per-person last:visits",
];

/// Holders of accounts in the ledger.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Accounts {
    None,
    Tiers,
    Persons,
}

/// One sensible combination.
#[derive(Debug, Clone, Copy)]
struct Cell {
    asked: &'static str,
    neighbors: &'static str,
    groups: &'static str,
    person: &'static str,
    accounts: Accounts,
}

impl Cell {
    /// All but the source.
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for asked in ASKED {
            for neighbors in NEIGHBORS {
                for groups in GROUPS {
                    for person in PERSONS {
                        for accounts in [Accounts::None, Accounts::Tiers, Accounts::Persons] {
                            if accounts != Accounts::Persons || !person.is_empty() {
                                all.push(Self { asked, neighbors, groups, person, accounts });
                            }
                        }
                    }
                }
            }
        }
        all
    }

    /// Combinations under both kinds of neighbours at once.
    fn under_both() -> Vec<Self> {
        let mut all = Self::all();
        all.retain(|cell| cell.neighbors.is_empty());
        all.iter_mut().for_each(|cell| cell.neighbors = BOTH);
        all
    }

    /// Statistics of numbers, of persons who count with each number that can be asked for.
    fn per_person(all: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let is_of_numbers =
            |cell: &Self| !cell.person.is_empty() && cell.asked.contains("--bounds");
        let cells = all.into_iter().filter(is_of_numbers);
        let each = |cell: Self| OF_PERSONS.map(|person| Self { person, ..cell });
        cells.flat_map(each).collect()
    }

    /// Sources of the records: no range is found in a level table, which does not name persons
    /// either, nor the times of their rows.
    fn sources(&self) -> Vec<&'static str> {
        let mut sources = vec!["csv", "sqlite"];
        let is_counted = !self.asked.contains("auto") && !self.person.contains("last:");
        if is_counted && self.accounts != Accounts::Persons {
            sources.push("levels");
        }
        sources
    }

    fn name(&self) -> String {
        let Self { asked, neighbors, groups, person, accounts } = self;
        format!("{asked} {neighbors} {groups} {person} accounts of {accounts:?}")
    }

    /// The words of its plan, for these people. Where participation is hidden, and with a
    /// profile, the data are not read.
    fn plan(&self, data: &Data, people: People) -> String {
        let (statistic, options) = self.asked.split_once(' ').unwrap_or((self.asked, ""));
        let statistic = match statistic {
            "summary" => String::new(),
            one => format!("--statistic {one}"),
        };
        let Self { neighbors, groups, person, .. } = self;
        let (source, person) = match people {
            People::InLevels => (data.source(self, "levels").unwrap(), ""),
            People::InData => (data.source(self, "csv").unwrap(), *person),
            People::OfProfile => {
                let profile = "--profile 4:100,10:100,20:100,inf:100";
                // The declared budgets, where no ledger has them.
                let tiers = match (neighbors.is_empty(), self.accounts) {
                    (false, Accounts::None) => format!("--levels {TIERS}"),
                    _ => String::new(),
                };
                // Of a profile nothing says of whom it is but where data may be named, too.
                (format!("{profile} {tiers}"), if neighbors.is_empty() { "" } else { *person })
            }
        };
        format!("plan {source} {statistic} {options} {neighbors} {groups} {person}")
    }

    /// Options of the level table that the question needs.
    fn table(&self) -> String {
        let question = match self.asked.split_once(' ') {
            None => String::new(),
            Some((statistic, rest)) => {
                let mut words = rest.to_owned();
                for (option, value) in [("--q", "0.5"), ("--statistic", "mean,variance,q50")] {
                    words = words.replace(&format!("{option} {value} "), "");
                }
                let totals = statistic == "sum" && self.person == "--person id";
                format!("{words}{}", if totals { " --totals" } else { "" })
            }
        };
        format!("{question} {} {}", self.groups, self.person)
    }
}

/// Copies of one set of 1200 rows of 400 persons, one for every source.
struct Data {
    folder: TempDir,
    server: Option<Server>,
}

impl Data {
    fn new() -> Self {
        let data = Self { folder: tempfile::tempdir().unwrap(), server: None };
        let mut csv = String::from("visits,health,site,id,tier\n");
        let mut file = Connection::open(data.path("people.sqlite")).unwrap();
        let create = "CREATE TABLE people (visits INTEGER, health TEXT, site TEXT, id TEXT, tier \
                      TEXT)";
        file.execute_batch(create).unwrap();
        let all = file.transaction().unwrap();
        for at in 0..1200usize {
            let draw = |salt: usize| (at * 7919 + salt * 104_729 + at * at * 31) % 1009;
            let person = at / 3;
            let visits = (draw(1) % 13 + draw(2) % 17 + draw(3) % 19) as i64;
            let health = ["good", "fair", "poor"][draw(4) % 3];
            let site = ["north", "south"][person % 2];
            let tier = ["strict", "standard", "relaxed", "public"][person / 2 % 4];
            writeln!(csv, "{visits},{health},{site},p{person},{tier}").unwrap();
            let row = (visits, health, site, format!("p{person}"), tier);
            all.execute("INSERT INTO people VALUES (?1, ?2, ?3, ?4, ?5)", row).unwrap();
        }
        all.commit().unwrap();
        fs::write(data.path("people.csv"), csv).unwrap();
        data
    }

    /// Copies that include one in a PostgreSQL server, where there is one.
    fn served() -> Self {
        let server = Server::is_there().then(Server::start);
        let data = Self { server, ..Self::new() };
        if let Some(server) = &data.server {
            let records = fs::read_to_string(data.path("people.csv")).unwrap();
            let (_header, records) = records.split_once('\n').unwrap();
            let columns = "visits INTEGER, health TEXT, site TEXT, id TEXT, tier TEXT";
            server.run(&format!("CREATE TABLE people ({columns});"));
            server.run(&format!("COPY people FROM STDIN CSV;\n{records}\\.\n"));
        }
        data
    }

    /// The sources of a cell that there are.
    fn sources(&self, cell: &Cell) -> Vec<&'static str> {
        let mut sources = cell.sources();
        sources.extend(self.server.as_ref().map(|_| "postgresql"));
        sources
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Arguments that name the records of a cell.
    fn source(&self, cell: &Cell, source: &str) -> Result<String> {
        Ok(match source {
            "csv" => format!("{} --privacy tier --levels {TIERS}", self.path("people.csv")),
            "sqlite" => {
                let file = self.path("people.sqlite");
                format!("{file} --table people --privacy tier --levels {TIERS}")
            }
            "postgresql" => {
                let url = self.server.as_ref().unwrap().url();
                format!("{url} --table people --privacy tier --levels {TIERS}")
            }
            _ => {
                let made = self.path("people.csv");
                let made =
                    format!("levels {made} {} --privacy tier --levels {TIERS}", cell.table());
                let file = self.path("levels.json");
                fs::write(&file, run(&made)?.text()).unwrap();
                // Which tiers there are in the table depends on who takes part.
                let add_remove = !cell.neighbors.is_empty() && cell.accounts == Accounts::None;
                let tiers = if add_remove { format!("--levels {TIERS}") } else { String::new() };
                format!("--from-levels {file} {tiers}")
            }
        })
    }

    /// The release of a cell.
    fn release(&self, cell: &Cell, source: &str, more: &str) -> Result<Value> {
        // A level table says itself what it is of.
        let person = match source {
            "levels" => cell.person.trim_start_matches("--person id"),
            _ => cell.person,
        };
        let Cell { asked, neighbors, groups, .. } = cell;
        let source = self.source(cell, source)?;
        let answer = run(&format!("{asked} {source} {neighbors} {groups} {person} {more}"))?;
        let json = answer.json().unwrap();
        // What is certified follows from what is listed.
        match suum::verify_release(&json)?.refusal() {
            Some(refused) => Err(refused.clone()),
            None => Ok(serde_json::from_str(&json).unwrap()),
        }
    }
}

fn run(command: &str) -> Result<Answer> {
    let quiet = if command.starts_with("ledger") { "" } else { "--quiet" };
    let words = command.split(' ').chain([quiet]).filter(|word| !word.is_empty());
    parse(words).and_then(|asked| answer(asked, JobInputs::default()))
}

fn number(value: &Value) -> f64 {
    if value == "inf" { f64::INFINITY } else { value.as_f64().unwrap() }
}

/// Every line of every certificate, one for each group: what is allowed and spent.
fn certificate(release: &Value) -> Vec<(String, f64, f64)> {
    let alone = [release];
    let releases = match release["groups"].as_array() {
        Some(groups) => groups.iter().collect::<Vec<_>>(),
        None => alone.to_vec(),
    };
    // With both kinds of neighbours also what two groups cost together.
    let rows = release["privacy"].as_array().filter(|_| release["groups"].is_array());
    let each = releases.into_iter().flat_map(|one| one["privacy"].as_array().unwrap());
    let rows = each.chain(rows.into_iter().flatten());
    rows.map(|row| {
        let level = row["level"].as_str().unwrap().to_owned();
        (level, number(&row["epsilon"]), number(&row["spent"]))
    })
    .collect()
}

/// Fields of a release that are the same from every source.
fn comparable(mut release: Value) -> Value {
    for field in ["query", "created", "version", "records", "person", "column", "engine"] {
        release.as_object_mut().unwrap().remove(field);
    }
    release
}

/// Without accounts: nobody spends more than they allow, and without noise every source has the
/// same answer.
fn check_free(data: &Data, cell: &Cell) -> std::result::Result<(), String> {
    let mut first: Option<Value> = None;
    for source in data.sources(cell) {
        let seed = format!("--insecure-seed {}", u64::MAX);
        let release = data.release(cell, source, &seed).map_err(|no| format!("{source}: {no}"))?;
        for (level, allowed, spent) in certificate(&release) {
            if spent > allowed {
                return Err(format!("{source}: {level} spends {spent} of {allowed}"));
            }
        }
        let asked = if cell.neighbors.is_empty() { "replace" } else { &cell.neighbors[12..] };
        for one in release["groups"].as_array().unwrap_or(&vec![release.clone()]) {
            let all = [one]
                .into_iter()
                .chain(one["parts"].as_object().into_iter().flat_map(|parts| parts.values()));
            for one in all {
                if one["neighbors"] != asked {
                    return Err(format!("{source}: made for {}", one["neighbors"]));
                }
            }
        }
        let release = comparable(release);
        match &first {
            None => first = Some(release),
            Some(first) if *first == release => {}
            Some(first) => return Err(format!("{source} says {release}, not {first}")),
        }
    }
    Ok(())
}

/// With accounts: they are charged what is certified, and nobody for more than they allow.
fn check_charged(data: &Data, cell: &Cell) -> std::result::Result<(), String> {
    for source in data.sources(cell) {
        // A search for a range refuses by chance: of all people once in 10 000 times, of the least
        // values of those in one of two groups, which share the budgets, more often.
        let tries = if cell.asked.contains("auto") { 5 } else { 1 };
        let mut tried = charged(data, cell, source);
        for _ in 1..tries {
            if tried.is_err() {
                tried = charged(data, cell, source);
            }
        }
        tried.map_err(|what| format!("{source}: {what}"))?;
    }
    Ok(())
}

fn charged(data: &Data, cell: &Cell, source: &str) -> std::result::Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger").to_str().unwrap().to_owned();
    let persons = if cell.accounts == Accounts::Persons { "--persons" } else { "" };
    let Cell { neighbors, .. } = cell;
    run(&format!("ledger init {ledger} --dataset d {persons} --levels {TIERS} {neighbors}"))
        .map_err(|no| no.to_string())?;
    let charge = format!("--ledger {ledger} --dataset d --spend 50%");
    let release = data.release(cell, source, &charge).map_err(|no| no.to_string())?;
    let rows = certificate(&release);
    let most = |tier: &str| {
        let rows = rows.iter().filter(|(level, ..)| level == tier);
        rows.map(|(_, _, spent)| *spent).fold(0.0, f64::max)
    };
    let shown = run(&format!("ledger show {ledger}")).unwrap();
    let shown: Value = serde_json::from_str(&shown.json().unwrap()).unwrap();
    if cell.accounts == Accounts::Tiers {
        for tier in shown[0]["tiers"].as_array().unwrap() {
            let label = tier["level"].as_str().unwrap();
            let (spent, allowed) = (number(&tier["spent"]), number(&tier["allowed"]));
            if spent < most(label) || spent > most("public").max(allowed / 2.0) {
                return Err(format!("{label} is charged {spent}, certified is {}", most(label)));
            }
        }
        return Ok(());
    }
    let all = rows.iter().map(|(_, _, spent)| *spent).fold(0.0, f64::max);
    let exact = cell.asked == "count" && cell.neighbors.is_empty();
    for pair in shown[0]["persons"]["spent"].as_array().unwrap() {
        let spent = number(&pair[0]);
        if spent > all + 1e-6 || spent == 0.0 && !exact {
            return Err(format!("persons are charged {spent}, certified is at most {all}"));
        }
    }
    Ok(())
}

/// All of those, one after the other: a test for each kind of accounts.
fn check(cells: impl IntoIterator<Item = Cell>) {
    let data = Data::served();
    let mut wrong = String::new();
    for cell in cells {
        let checked = match cell.accounts {
            Accounts::None => check_free(&data, &cell),
            _ => check_charged(&data, &cell),
        };
        if let Err(what) = checked {
            writeln!(wrong, "{}\n    {what}", cell.name()).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn there_are_648_of_them() {
    assert_eq!(Cell::all().iter().map(|cell| cell.sources().len()).sum::<usize>(), 648);
}

/// For whom a plan is made.
#[derive(Debug, Clone, Copy, PartialEq)]
enum People {
    InData,
    InLevels,
    OfProfile,
}

/// Why a plan is refused: those of the five reasons of docs/explanation/known-limits.md that apply,
/// each with words of what is said.
fn reasons(cell: &Cell, people: People, target: &str) -> Vec<(usize, &'static str)> {
    let add_remove = !cell.neighbors.is_empty();
    let charged = cell.accounts != Accounts::None;
    let persons = cell.accounts == Accounts::Persons;
    let (auto, calibrates) = (cell.asked.contains("auto"), !target.is_empty());
    let asked = cell.asked.split(' ').next().unwrap();
    let (of_moments, half) =
        (["mean", "sum", "variance"].contains(&asked), target.contains("half"));
    let learns = ["mean", "sum"].contains(&asked) && !add_remove && !charged;
    let all = [
        (people == People::InLevels && persons, 1, "which persons it is of"),
        (asked == "count" && !add_remove, 2, "a count is exact"),
        (people != People::OfProfile && add_remove, 3, "the profile of the data is private"),
        (calibrates && charged && add_remove, 3, "is not known before it is made"),
        (
            calibrates && charged && (auto || asked == "summary"),
            4,
            "is not known before it is made",
        ),
        (calibrates && charged && asked == "count", 2, "is not known before it is made"),
        (calibrates && asked == "summary", 4, "several statistics have different ones"),
        (calibrates && ["sum", "count"].contains(&asked), 4, "grows with the number of people"),
        (half && auto && learns, 4, "depends on what the release finds"),
        (half && auto && of_moments && !learns, 4, "a release would have no interval"),
        (people == People::OfProfile && persons && !add_remove, 5, "what each person has left"),
    ];
    let all = all.into_iter().filter(|(applies, ..)| *applies);
    // With accounts a target says how much of them, and not how many people.
    let all = all.filter(|(_, _, words)| !(charged && words.contains("grows")));
    all.map(|(_, reason, words)| (reason, words)).collect()
}

/// A plan takes what the release takes, and says what it would cost, for whomever it is made and
/// whatever it is to reach; or it is refused for one of five reasons.
#[test]
#[ignore = "takes seconds"]
fn every_combination_can_be_planned() {
    let data = Data::new();
    let folder = tempfile::tempdir().unwrap();
    let (mut planned, mut refused) = (0, [0; 6]);
    for cell in Cell::all().into_iter().chain(Cell::under_both()) {
        let mut accounts = String::new();
        if cell.accounts != Accounts::None {
            let kind = cell.neighbors.split(' ').next_back().unwrap();
            let file = folder.path().join(format!("{:?}-{kind}", cell.accounts));
            let ledger = file.to_str().unwrap();
            let Cell { neighbors, .. } = cell;
            if !file.exists() {
                let persons = if cell.accounts == Accounts::Persons { "--persons" } else { "" };
                let init = format!("ledger init {ledger} --dataset d {persons} --levels {TIERS}");
                run(&format!("{init} {neighbors}")).unwrap();
            }
            accounts = format!("--ledger {ledger} --dataset d");
        }
        let auto = cell.asked.contains("auto");
        for people in [People::InData, People::InLevels, People::OfProfile] {
            // A range is not found in a level table, of which no such thing can be asked.
            if people == People::InLevels && auto {
                continue;
            }
            for target in ["", "--target-rmse 9000", "--target-half-width 9000"] {
                let share = if target.is_empty() { "--spend 50%" } else { "" };
                let charge = if accounts.is_empty() { "" } else { share };
                let words = format!("{} {accounts} {charge} {target}", cell.plan(&data, people));
                let name = format!("{} for people {people:?} {target}", cell.name());
                let reasons = reasons(&cell, people, target);
                let answer = match run(&words) {
                    Ok(answer) if reasons.is_empty() => answer,
                    Ok(_) => panic!("{name}: is not refused for {reasons:?}"),
                    Err(no) => {
                        let said = no.to_string();
                        let known = reasons.iter().find(|(_, words)| said.contains(words));
                        let (reason, _) =
                            known.unwrap_or_else(|| panic!("{name}: {no} ({reasons:?})"));
                        assert!(no.fix().is_some(), "{name}: {no}");
                        refused[*reason] += 1;
                        continue;
                    }
                };
                planned += 1;
                let json: Value = serde_json::from_str(&answer.json().unwrap()).unwrap();
                let alone = vec![json.clone()];
                for one in json["groups"].as_array().unwrap_or(&alone) {
                    let rows = one["privacy"].as_array().unwrap();
                    assert!(!rows.is_empty(), "{name}");
                    for row in rows {
                        let (spent, allowed) = (number(&row["spent"]), number(&row["epsilon"]));
                        assert!(spent <= allowed, "{name}: {row}");
                    }
                    let needs = !target.is_empty() && accounts.is_empty();
                    assert_eq!(one["needed"].is_object(), needs, "{name}");
                }
                assert_eq!(json["ledger"].is_object(), !accounts.is_empty(), "{name}");
                assert!(answer.html().is_ok(), "{name}");
            }
        }
    }
    assert!(planned > 900 && refused[1..].iter().all(|count| *count > 0), "{planned} {refused:?}");
}

#[test]
#[ignore = "takes seconds"]
fn every_source_has_the_same_answer() {
    check(Cell::all().into_iter().filter(|cell| cell.accounts == Accounts::None));
}

#[test]
#[ignore = "takes seconds"]
fn accounts_of_tiers_are_charged_what_is_certified() {
    check(Cell::all().into_iter().filter(|cell| cell.accounts == Accounts::Tiers));
}

#[test]
#[ignore = "takes seconds"]
fn accounts_of_persons_are_charged_what_is_certified() {
    check(Cell::all().into_iter().filter(|cell| cell.accounts == Accounts::Persons));
}

#[test]
#[ignore = "takes seconds"]
fn both_kinds_of_neighbours_combine_with_everything() {
    check(Cell::under_both());
}

#[test]
#[ignore = "takes seconds"]
fn numbers_of_persons_have_the_same_answer_from_every_source() {
    let all = Cell::all().into_iter().chain(Cell::under_both());
    check(Cell::per_person(all.filter(|cell| cell.accounts == Accounts::None)));
}

#[test]
#[ignore = "takes seconds"]
fn numbers_of_persons_are_charged_what_is_certified() {
    // Every third one: what is charged depends on no value.
    let cells = Cell::per_person(Cell::all().into_iter().chain(Cell::under_both()));
    let charged = cells.into_iter().filter(|cell| cell.accounts != Accounts::None);
    check(charged.step_by(3));
}
