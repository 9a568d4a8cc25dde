//! Equality of the tables that a scan of CSV and a PostgreSQL server make of the same records.

use std::fmt::Write;
use std::sync::LazyLock;

use proptest::prelude::*;
use suum_core::Bounds;
use suum_data::Scan;
use suum_sql::{Dialect, Postgres, scan};

use super::people::{
    Person, TIERS, by_budget, from_csv, number_column, people_table, person, scans,
};
use super::same_table::{counts_as_csv, groups_as_csv, keeps_as_csv, keeps_line_breaks};
use suum_testing::Server;

static SERVER: LazyLock<Server> = LazyLock::new(Server::start);

/// The records in the table `people` of a schema of their own, and a session that looks there
/// first.
fn postgres_of(schema: &str, people: &[Person]) -> Postgres {
    let literal = |text: &str| Dialect::Postgres.literal(text).unwrap();
    let mut statements = format!(
        "SET client_min_messages = error; DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA \
        {schema};
         CREATE TABLE {schema}.people (value float8, tier text, budget float8, label varchar, site \
         text, id char(9));\n"
    );
    for person in people {
        let number = |number: f64| format!("'{number:?}'");
        writeln!(
            statements,
            "INSERT INTO {schema}.people VALUES ({}, {}, {}, {}, {}, 'p{}');",
            person.value.map_or("NULL".to_owned(), number),
            literal(&format!(" {} ", TIERS[person.tier])),
            number(person.budget),
            person.label.map_or("NULL".to_owned(), literal),
            literal(person.site),
            person.id,
        )
        .unwrap();
    }
    SERVER.run(&statements);
    Postgres::connect(&format!("{}?options=-csearch_path%3D{schema}", SERVER.url())).unwrap()
}

/// Records for one comparison each, the same ones in every run if `PROPTEST_RNG_SEED` is set.
fn some_people(compare: impl Fn(&[Person])) {
    if !Server::is_there() {
        return;
    }
    let config = ProptestConfig { cases: 6, ..ProptestConfig::default() };
    proptest!(config, |(people in prop::collection::vec(person(), 1..40))| compare(&people));
}

#[test]
fn for_every_kind_of_scan() {
    some_people(|people| {
        let mut session = postgres_of("one", people);
        counts_as_csv(&mut session, people);
        keeps_as_csv(&mut session, people);
    });
}

#[test]
fn for_every_group() {
    some_people(|people| {
        let mut session = postgres_of("groups", people);
        for asked in
            scans().into_iter().filter(|asked| asked.add_remove.is_none() && asked.person.is_none())
        {
            groups_as_csv(&mut session, people, asked);
        }
    });
}

#[test]
fn line_breaks_in_texts_are_kept() {
    if !Server::is_there() {
        return;
    }
    keeps_line_breaks(&mut Postgres::connect(&SERVER.url()).unwrap());
}

#[test]
fn the_sums_of_one_snapshot_are_read() {
    if !Server::is_there() {
        return;
    }
    let people = |value| {
        vec![Person { value: Some(value), tier: 0, budget: 1.0, label: None, site: "north", id: 1 }]
    };
    let mut session = postgres_of("snapshot", &people(0.25));
    SERVER.run("UPDATE snapshot.people SET value = 0.75");
    let asked = Scan::new(by_budget(), Some(number_column(Bounds::UNIT, false, None, None)));
    assert_eq!(scan(&mut session, &people_table(), &asked), from_csv(&people(0.25), &asked));
    drop(session);
    let mut session =
        Postgres::connect(&format!("{}?options=-csearch_path%3Dsnapshot", SERVER.url())).unwrap();
    assert_eq!(scan(&mut session, &people_table(), &asked), from_csv(&people(0.75), &asked));
}
