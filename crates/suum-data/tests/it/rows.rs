//! Rows with persons and groups, as files in many styles, and what they should add up to.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use dashu_ratio::RBig;
use proptest::prelude::*;
use suum_core::{
    Bounds, Categories, CellCounts, CellSums, Cells, Epsilon, ExactSum, Grid, LevelSums,
    LevelTable, Measure, Numbers, PersonValue,
};
use suum_data::{CategoryRule, Grouping, PrivacyColumn, Scan, Value, ValueColumn};

use crate::common::write_parquet;

/// The declared tiers; two have the same budget, and the least one is not the first.
pub(crate) const TIERS: &str = "public=inf,relaxed=1,strict=0.01,same=0.01";
const LABELS: [&str; 3] = ["good", "fair", "poor"];
const SITES: [&str; 3] = ["north", "south", "nowhere"];

/// One row as it stands in the data.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    tier: usize,
    epsilon: f64,
    value: f64,
    health: usize,
    site: usize,
    person: i64,
}

pub(crate) fn rows(persons: i64) -> impl Strategy<Value = Vec<Row>> {
    let epsilon = prop::sample::select(vec![0.0, 0.01, 0.1, 1.0, 1e-100, f64::INFINITY]);
    let value = prop_oneof![-2.0..10.0_f64, Just(3.0), Just(8.0), Just(0.5)];
    let row = (0usize..4, epsilon, value, 0usize..3, 0usize..3, 0..persons);
    let row = row.prop_map(|(tier, epsilon, value, health, site, person)| Row {
        tier,
        epsilon,
        value,
        health,
        site,
        person: person * 1_000_000_007 - 3,
    });
    prop::collection::vec(row, 1..80)
}

/// Moves all rows of each person to the site of one of them.
pub(crate) fn settled(mut rows: Vec<Row>) -> Vec<Row> {
    let sites: BTreeMap<i64, usize> = rows.iter().map(|row| (row.person, row.site)).collect();
    rows.iter_mut().for_each(|row| row.site = sites[&row.person]);
    rows
}

/// Gives all rows of each person the health of one of them.
pub(crate) fn with_one_health(mut rows: Vec<Row>) -> Vec<Row> {
    let health: BTreeMap<i64, usize> = rows.iter().map(|row| (row.person, row.health)).collect();
    rows.iter_mut().for_each(|row| row.health = health[&row.person]);
    rows
}

pub(crate) fn numbers(squares: bool, cells: Option<Cells>) -> Option<Value> {
    let grid = Grid::new(Bounds::new(0.0, 8.0).unwrap());
    let numbers = Numbers { grid, squares, cells };
    Some(Value::Number(ValueColumn { column: "value".into(), numbers, missing: None }))
}

pub(crate) fn sites(other: Option<&str>) -> Option<Grouping> {
    let names = SITES[..2].iter().map(|name| (*name).to_owned()).chain(["empty".to_owned()]);
    let groups = CategoryRule::labels(names.collect(), other).unwrap();
    Some(Grouping::one("site", groups))
}

/// Groups by site and health, or by health and site.
pub(crate) fn sites_and_health(site_first: bool) -> Option<Grouping> {
    let site = sites(Some("others"))?.columns()[0].clone();
    let health = ["poor", "good"].map(str::to_owned).to_vec();
    let health = Grouping::one("health", CategoryRule::labels(health, Some("others")).unwrap());
    let mut columns = vec![site, health.columns()[0].clone()];
    if !site_first {
        columns.reverse();
    }
    Some(Grouping::new(columns).unwrap())
}

/// Split of rows into files: the style of each, and the cut.
pub(crate) type Shards = Vec<(u8, usize)>;

pub(crate) fn shards() -> impl Strategy<Value = Shards> {
    prop::collection::vec((any::<u8>(), 0usize..80), 1..5)
}

pub(crate) fn write(folder: &Path, rows: &[Row], shards: &Shards) {
    let mut rest = rows;
    for (number, (style, cut)) in shards.iter().enumerate() {
        let cut = if number + 1 == shards.len() { rest.len() } else { *cut.min(&rest.len()) };
        let (shard, others) = rest.split_at(cut);
        rest = others;
        if style & 1 == 0 {
            std::fs::write(folder.join(format!("{number}.csv")), csv(shard, style & 2 > 0))
                .unwrap();
        } else {
            parquet(&folder.join(format!("{number}.parquet")), shard, *style);
        }
    }
}

pub(crate) fn csv(rows: &[Row], padded: bool) -> String {
    let mut text = String::from("site,value,person,tier,health,epsilon\n");
    let labels: Vec<&str> = TIERS.split(',').map(|tier| tier.split('=').next().unwrap()).collect();
    for row in rows {
        let (site, tier, health) = (SITES[row.site], labels[row.tier], LABELS[row.health]);
        let person = if padded { format!("\" {} \"", row.person) } else { row.person.to_string() };
        text += &format!("{site},{:?},{person},{tier},{health},{}\n", row.value, row.epsilon);
    }
    text
}

fn parquet(path: &Path, rows: &[Row], style: u8) {
    write_parquet(path, &columns(rows, style), if style & 8 > 0 { 3 } else { 1000 });
}

/// The rows as arrays.
pub(crate) fn columns(rows: &[Row], style: u8) -> Vec<(&'static str, ArrayRef)> {
    let labels: Vec<&str> = TIERS.split(',').map(|tier| tier.split('=').next().unwrap()).collect();
    let text = |label: &dyn Fn(&Row) -> String| -> ArrayRef {
        Arc::new(rows.iter().map(|row| Some(label(row))).collect::<StringArray>())
    };
    let person: ArrayRef = match style & 2 {
        0 => Arc::new(rows.iter().map(|row| Some(row.person)).collect::<Int64Array>()),
        _ => text(&|row| format!(" {}", row.person)),
    };
    let mut columns = vec![
        ("person", person),
        ("tier", text(&|row| labels[row.tier].to_owned())),
        ("health", text(&|row| LABELS[row.health].to_owned())),
        ("site", text(&|row| format!("{} ", SITES[row.site]))),
        (
            "epsilon",
            Arc::new(rows.iter().map(|row| Some(row.epsilon)).collect::<Float64Array>())
                as ArrayRef,
        ),
        (
            "value",
            Arc::new(rows.iter().map(|row| Some(row.value)).collect::<Float64Array>()) as ArrayRef,
        ),
    ];
    if style & 4 > 0 {
        columns.reverse();
    }
    columns
}

/// The table of each group that the rows make, computed plainly; one with an empty name without
/// groups.
pub(crate) fn expected(rows: &[Row], scan: &Scan) -> BTreeMap<String, LevelTable> {
    let site = |row: &Row| {
        let labels = scan.group_columns().iter().map(|column| {
            let label = if column.column == "site" { SITES[row.site] } else { LABELS[row.health] };
            let declared = column.groups.categories().names().iter().any(|name| name == label);
            if declared { label } else { "others" }
        });
        labels.collect::<Vec<_>>().join(", ")
    };
    let names: BTreeSet<String> = rows.iter().map(site).collect();
    let of = |name: &String| {
        table(&rows.iter().filter(|row| site(row) == *name).collect::<Vec<_>>(), scan)
    };
    names.into_iter().map(|name| (name.clone(), of(&name))).collect()
}

/// Label, budget, count, sums and rows at candidates.
type PlainLevelSums = (Option<String>, Epsilon, u64, Vec<i128>, Vec<(u32, u64)>);

/// Steps of each category, given one by one to the category that is furthest behind its share.
fn allotted(rows: [usize; 3]) -> [i128; 3] {
    let all = rows.iter().sum::<usize>() as i128;
    let exact = rows.map(|rows| rows as i128 * i128::from(Categories::STEPS));
    let mut steps = exact.map(|exact| exact / all);
    while steps.iter().sum::<i128>() < i128::from(Categories::STEPS) {
        let behind = |class: usize| exact[class] - steps[class] * all;
        let furthest = (0..3).max_by_key(|class| (behind(*class), 2 - *class));
        steps[furthest.unwrap()] += 1;
    }
    steps
}

fn table(rows: &[&Row], scan: &Scan) -> LevelTable {
    let mut persons: BTreeMap<i64, Vec<&Row>> = BTreeMap::new();
    for (number, row) in (0..).zip(rows) {
        let key = if scan.person.is_some() { row.person } else { number };
        persons.entry(key).or_default().push(row);
    }
    let measure = match &scan.value {
        Some(Value::Unbounded(_)) | None => Measure::Nothing,
        Some(Value::Number(column)) => Measure::Numbers(column.numbers),
        Some(Value::Category(column)) => {
            let categories = column.classes.categories().clone();
            Measure::Categories(if scan.divides_persons() {
                categories.divided()
            } else {
                categories
            })
        }
    };
    let mut by_level: Vec<PlainLevelSums> = Vec::new();
    let mut summed: Vec<Vec<(u32, u64, CellSums)>> = Vec::new();
    for rows in persons.values() {
        let (label, epsilon) = choice(rows, &scan.privacy);
        let at =
            by_level.iter().position(|level_sums| level_sums.0 == label && level_sums.1 == epsilon);
        let at = at.unwrap_or_else(|| {
            by_level.push((label, epsilon, 0, vec![0; measure.sums()], vec![]));
            summed.push(vec![]);
            by_level.len() - 1
        });
        let (_, _, count, sums, cells) = &mut by_level[at];
        *count += 1;
        match &measure {
            Measure::Nothing => {}
            Measure::Categories(categories) => {
                let often = |class: usize| rows.iter().filter(|row| row.health == class).count();
                if categories.are_divided() {
                    for (sum, steps) in sums.iter_mut().zip(allotted([0, 1, 2].map(often))) {
                        *sum += steps;
                    }
                } else {
                    let most = (0..3).map(often).max().unwrap();
                    sums[(0..3).find(|class| often(*class) == most).unwrap()] += 1;
                }
            }
            Measure::Numbers(numbers) => {
                let mut indices: Vec<u64> =
                    rows.iter().map(|row| numbers.grid.index(row.value).unwrap()).collect();
                indices.sort_unstable();
                let m = indices.len() as i128;
                let twice: i128 = indices.iter().map(|index| 2 * i128::from(*index)).sum();
                let on_grid = |value: f64| i128::from(numbers.grid.index(value).unwrap());
                let mean = match scan.person_value {
                    PersonValue::Rows | PersonValue::Mean => (twice + m).div_euclid(2 * m),
                    PersonValue::Total => on_grid(total(rows)),
                    PersonValue::Median => on_grid(median(rows)),
                    PersonValue::Min => on_grid(sorted(rows)[0]),
                    PersonValue::Max => on_grid(*sorted(rows).last().unwrap()),
                    PersonValue::Last => {
                        let last = rows.iter().map(|row| row.epsilon).fold(0.0, f64::max);
                        let of_last = rows.iter().filter(|row| row.epsilon == last).copied();
                        on_grid(sorted(&of_last.collect::<Vec<_>>())[0])
                    }
                    PersonValue::Share | PersonValue::Mode => unreachable!("of categories"),
                };
                sums[0] += mean;
                if numbers.squares {
                    sums[1] += (2 * mean - (1 << 30)).pow(2);
                }
                if let Some(chosen) = numbers.cells.filter(|cells| cells.has_sums()) {
                    // A person once, with their number.
                    let cell = chosen.nearest_candidate(&numbers.grid, mean as u64);
                    let square = (2 * mean - (1 << 30)).pow(2);
                    let [indices, squares] = [mean, square].map(ExactSum::from_raw);
                    summed[at].push((cell, 1, CellSums { indices, squares }));
                } else if let Some(chosen) = numbers.cells
                    && scan.person.is_some()
                    && scan.person_value != PersonValue::Rows
                {
                    cells.push((chosen.nearest_candidate(&numbers.grid, mean as u64), 1));
                } else if let Some(chosen) = numbers.cells {
                    let parts = chosen.rows() as usize;
                    for k in 1..=parts {
                        let rank = ((2 * k - 1) * indices.len()) as f64 / (2 * parts) as f64;
                        // Symmetrical: counted from above, the same row or pair is met.
                        let (from_below, from_above) =
                            (rank.ceil(), (indices.len() as f64 - rank).ceil());
                        let index = (indices[from_below as usize - 1]
                            + indices[indices.len() - from_above as usize])
                            / 2;
                        cells.push((chosen.nearest_candidate(&numbers.grid, index), 1));
                    }
                }
            }
        }
    }
    let by_level = by_level.into_iter().zip(summed);
    let by_level = by_level.map(|((label, epsilon, count, sums, cells), summed)| LevelSums {
        label,
        epsilon,
        count,
        sums: sums.into_iter().map(ExactSum::from_raw).collect(),
        cells: match summed.is_empty() {
            true => CellCounts::from_raw(cells),
            false => CellCounts::with_sums(summed),
        },
    });
    let column = scan.value.as_ref().map(|value| value.column().to_owned());
    let table = LevelTable::new(column, measure, by_level.collect()).unwrap();
    match &scan.person {
        Some(person) => table.with_person(person.clone(), scan.person_value),
        None => table,
    }
}

/// The values of a person, ascending.
fn sorted(rows: &[&Row]) -> Vec<f64> {
    let mut values: Vec<f64> = rows.iter().map(|row| row.value).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The middle value, or half of the sum of the two in the middle.
fn median(rows: &[&Row]) -> f64 {
    let values = sorted(rows);
    let half = values.len() / 2;
    match values.len() % 2 {
        1 => values[half],
        _ => values[half - 1] / 2.0 + values[half] / 2.0,
    }
}

/// The double nearest to the sum of all values, in exact rationals.
fn total(rows: &[&Row]) -> f64 {
    let exact = |row: &&Row| RBig::try_from(row.value).unwrap();
    rows.iter().map(exact).fold(RBig::ZERO, |sum, value| sum + value).to_f64().value()
}

fn choice(rows: &[&Row], privacy: &PrivacyColumn) -> (Option<String>, Epsilon) {
    match privacy {
        PrivacyColumn::Budgets { .. } => {
            let least = rows.iter().map(|row| row.epsilon).fold(f64::INFINITY, f64::min);
            (None, Epsilon::new(least).unwrap())
        }
        PrivacyColumn::Tiers { tiers, .. } => {
            let declared: Vec<(&str, Epsilon)> = tiers.iter().collect();
            let mut best = rows[0].tier;
            for row in rows {
                let (a, b) = (declared[row.tier].1, declared[best].1);
                if a < b || a == b && row.tier < best {
                    best = row.tier;
                }
            }
            (Some(declared[best].0.to_owned()), declared[best].1)
        }
    }
}
