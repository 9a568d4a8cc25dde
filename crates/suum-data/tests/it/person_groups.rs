//! Persons with rows in several groups: in all of them publicly, or hidden in at most K.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;

use proptest::prelude::*;
use suum_core::{GroupName, LevelTable, Neighbors, PersonValue, Records};
use suum_data::{
    CategoryRule, CountedGroups, Grouping, Groups, PersonGroups, Progress, Scan, UnboundedColumn,
    Value, keep_groups_csv, scan_groups_csv,
};
use suum_testing::Extent;

use crate::common::{sums, tiers, value};

const GROUPS: [&str; 3] = ["jan", "feb", "mar"];
const TIERS: [&str; 2] = ["strict", "open"];

/// Row of a person: group, value and tier, all as indices.
type Row = (usize, u64, usize);

fn scan(counted: CountedGroups, released: Option<Vec<bool>>) -> Scan {
    let names = GROUPS.map(str::to_owned).to_vec();
    Scan {
        person: Some("id".into()),
        person_value: PersonValue::Max,
        group: Some(Grouping::one("month", CategoryRule::labels(names, None).unwrap())),
        person_groups: Some(PersonGroups { counted, released }),
        ..Scan::new(tiers("tier", "strict=0.3,open=3"), value("v"))
    }
}

fn at_most(most: u32) -> CountedGroups {
    CountedGroups::AtMost(NonZero::new(most).unwrap())
}

fn csv(people: &BTreeMap<u32, Vec<Row>>) -> String {
    let lines = people.iter().flat_map(|(person, rows)| {
        rows.iter().map(move |(group, value, tier)| {
            format!("p{person},{},{value},{}\n", GROUPS[*group], TIERS[*tier])
        })
    });
    std::iter::once("id,month,v,tier\n".to_owned()).chain(lines).collect()
}

fn read(people: &BTreeMap<u32, Vec<Row>>, scan: &Scan) -> Groups {
    scan_groups_csv(csv(people).as_bytes(), scan, &Progress::default()).unwrap()
}

/// Level of persons: group, number of groups, and tier.
type Place = (usize, u32, usize);

/// Persons of each level, and the sum of the largest values that they have in the group.
fn expected(people: &BTreeMap<u32, Vec<Row>>, released: &[bool]) -> BTreeMap<Place, (u64, u64)> {
    let mut all: BTreeMap<Place, (u64, u64)> = BTreeMap::new();
    for rows in people.values() {
        // The strictest tier of all rows, also of those in groups that have no release.
        let tier = rows.iter().map(|row| row.2).min().unwrap();
        let groups: BTreeSet<usize> =
            rows.iter().map(|row| row.0).filter(|group| released[*group]).collect();
        for group in &groups {
            let own = rows.iter().filter(|row| row.0 == *group).map(|row| row.1);
            let level = all.entry((*group, groups.len() as u32, tier)).or_default();
            level.0 += 1;
            level.1 += own.max().unwrap();
        }
    }
    all
}

fn people() -> impl Strategy<Value = BTreeMap<u32, Vec<Row>>> {
    let rows = prop::collection::vec((0..3usize, 0..=8u64, 0..2usize), 1..6);
    prop::collection::btree_map(0..20u32, rows, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(150)))]

    #[test]
    fn public_members_count_in_all_of_their_released_groups(
        people in people(),
        released in prop::option::of(prop::array::uniform3(any::<bool>())),
    ) {
        let expected = expected(&people, &released.unwrap_or([true; 3]));
        prop_assume!(!expected.is_empty());
        let scan = scan(CountedGroups::All, released.map(|all| all.to_vec()));
        let mut found: BTreeMap<Place, (u64, u64)> = BTreeMap::new();
        for (group, (name, table)) in read(&people, &scan).each.iter().enumerate() {
            prop_assert_eq!(name.as_str(), GROUPS[group]);
            let Some(table) = table else { continue };
            for ((groups, level), sums) in table.members().zip(sums(table)) {
                let tier = TIERS.iter().position(|tier| level.label.as_deref() == Some(tier));
                // 2^30 steps between 0 and 8.
                let sum = (sums[0] >> 27) as u64;
                found.insert((group, groups.get(), tier.unwrap()), (level.count, sum));
            }
        }
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn kept_records_know_the_number_of_their_groups() {
    let people = BTreeMap::from([
        (1, vec![(0, 1, 0), (1, 2, 0), (1, 7, 0)]),
        (2, vec![(0, 3, 1)]),
        (3, vec![(2, 4, 1), (0, 5, 1), (1, 6, 1)]),
    ]);
    let unbounded = UnboundedColumn { column: "v".into(), missing: None, cells: None };
    let scan = Scan {
        value: Some(Value::Unbounded(unbounded)),
        ..scan(CountedGroups::All, Some(vec![true, true, false]))
    };
    let kept = keep_groups_csv(csv(&people).as_bytes(), &scan, &Progress::default()).unwrap();
    let seen: Vec<(&str, Option<(u32, u64)>)> = kept
        .each
        .iter()
        .map(|(name, records)| {
            let about = records.as_ref().map(|one| (one.groups_of_person().get(), one.records()));
            (name.as_str(), about)
        })
        .collect();
    let expected =
        [("jan", Some((1, 1))), ("jan", Some((2, 2))), ("feb", Some((2, 2))), ("mar", None)];
    assert_eq!(seen, expected);
    assert!(kept.each[1].1.as_ref().is_some_and(|records| records.budgets().len() == 2));
}

/// Number of tables that differ.
fn differing(one: &Groups, other: &Groups) -> usize {
    let pairs = one.each.iter().zip(&other.each);
    let differ =
        |((_, one), (_, other)): &(&(GroupName, Option<LevelTable>), &(_, _))| one != other;
    pairs.filter(differ).count()
}

/// All ways to have rows of values 0 and 8 in three groups, at most one row in each.
fn all_rows() -> Vec<Vec<Row>> {
    let of_group = |group: usize| [None, Some((group, 0, 1)), Some((group, 8, 1))];
    let mut all = Vec::new();
    for first in of_group(0) {
        for second in of_group(1) {
            for third in of_group(2) {
                all.push([first, second, third].into_iter().flatten().collect());
            }
        }
    }
    all
}

#[test]
fn hidden_members_change_few_groups() {
    let others = [(1, vec![(0, 4, 0), (1, 4, 1)]), (2, vec![(2, 4, 1)])];
    for most in 1..=3 {
        let budgets = "0.3,3".parse().unwrap();
        let scan = Scan { add_remove: Some(budgets), ..scan(at_most(most), None) };
        let with = |rows: &Vec<Row>| {
            let all = others.iter().cloned().chain([(7, rows.clone())]);
            read(&all.filter(|(_, rows)| !rows.is_empty()).collect(), &scan)
        };
        let tables: Vec<Groups> = all_rows().iter().map(with).collect();
        // Without rows the person is absent.
        let without = &tables[0];
        let memberships = suum_core::Memberships::AtMost(NonZero::new(most).unwrap());
        let parts = |neighbors| (1.0 / memberships.share(neighbors, 3).get()).round() as usize;
        let mut largest = [0, 0];
        for one in &tables {
            largest[0] = largest[0].max(differing(one, without));
            for other in &tables {
                largest[1] = largest[1].max(differing(one, other));
            }
        }
        assert_eq!(largest, [parts(Neighbors::AddRemove), parts(Neighbors::Both)], "{most}");
    }
}

#[test]
fn memberships_are_public_only_where_participation_is() {
    let budgets = || Some("0.3,3".parse().unwrap());
    let public = scan(CountedGroups::All, None);
    let hidden = scan(at_most(2), None);
    for (scan, is_possible) in [
        (public.clone(), true),
        (Scan { add_remove: budgets(), ..public.clone() }, false),
        (Scan { add_remove: budgets(), ..hidden.clone() }, true),
        (hidden, false),
        (Scan { person: None, person_value: PersonValue::default(), ..public }, false),
    ] {
        let checked = scan.check(true);
        assert_eq!(checked.is_ok(), is_possible, "{checked:?}");
        assert!(checked.is_ok() || checked.unwrap_err().fix().is_some());
    }
}
