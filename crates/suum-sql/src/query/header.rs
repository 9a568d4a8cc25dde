//! Header of a result: the one row that describes all others.

use serde::{Deserialize, Serialize};
use suum_core::{
    Bounds, Categories, CellBlocks, Cells, Crosstab, Epsilon, Error, Grid, GroupName, Measure,
    Numbers, PersonValue, QueryOrigins, QueryRows, Replacement, Result,
};
use suum_data::{Filter, Grouping, PrivacyColumn, Scan, Value};

/// Name of the format.
pub(crate) const FORMAT: &str = "suum-level-query";
/// Version of the format that is written and read here.
pub(crate) const VERSION: u64 = 1;

/// Consent tier: its label and budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tier {
    pub(crate) level: String,
    epsilon: serde_json::Value,
}

/// Request of a query, written into the query as a constant and back into its result.
///
/// So a result describes its own sums, and is read without options that could differ from those of
/// the query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) format: String,
    pub(crate) version: u64,
    /// Column of privacy choices.
    pub(crate) privacy: String,
    /// Tiers in ascending order of their budgets; those of equal budgets in the order declared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) tiers: Option<Vec<Tier>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) column: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    bounds: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    grid: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    categories: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crosstab: Option<Crosstab>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    squares: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cells: Option<u32>,
    /// True if indices and squares are added up at each of the cells.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cell_sums: Option<bool>,
    /// True if the sums in a cell are sums of places in its block, and of their squares.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) places: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    rows: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) person: Option<String>,
    /// The number that persons count with, if it is not the default.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    per_person: Option<String>,
    /// Treatment of missing values.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) missing: Option<Replacement>,
    /// Column of groups, or several.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) group: Option<GroupName>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) groups: Option<Vec<GroupName>>,
    /// Check of the query that has made the rows, if one has.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) query: Option<String>,
    /// Columns of the table that those of the query are made of.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) query_columns: Option<QueryOrigins>,
    /// Condition that is true of the rows that count, if not all do.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none", default)]
    pub(crate) filter: Option<String>,
}

impl Tier {
    pub(crate) fn new(label: &str, epsilon: Epsilon) -> Self {
        let number = match epsilon.is_public() {
            true => "inf".into(),
            false => epsilon.get().into(),
        };
        Self { level: label.to_owned(), epsilon: number }
    }

    /// Budget that the tier allows.
    pub(crate) fn epsilon(&self) -> Result<Epsilon> {
        let epsilon = match (self.epsilon.as_f64(), self.epsilon.as_str()) {
            (Some(number), _) => Epsilon::new(number).ok(),
            (None, Some("inf")) => Some(Epsilon::PUBLIC),
            _ => None,
        };
        epsilon.ok_or_else(|| malformed("the budget of a tier"))
    }
}

impl Header {
    /// Header for this scan.
    pub(crate) fn for_scan(scan: &Scan, query: Option<QueryRows>) -> Self {
        let (privacy, tiers) = match &scan.privacy {
            PrivacyColumn::Budgets { column } => (column, None),
            PrivacyColumn::Tiers { column, tiers } => {
                let mut ascending: Vec<(&str, Epsilon)> = tiers.iter().collect();
                ascending.sort_by_key(|(_, epsilon)| *epsilon);
                let tiers = ascending.into_iter().map(|(label, epsilon)| Tier::new(label, epsilon));
                (column, Some(tiers.collect()))
            }
        };
        let numbers = scan.numbers();
        let (categories, crosstab, divided) = match scan.measure() {
            Measure::Categories(counted) => {
                let divided = counted.are_divided().then_some(PersonValue::Share);
                (Some(counted.names().to_vec()), counted.crosstab().cloned(), divided)
            }
            _ => (None, None, None),
        };
        let of_numbers = numbers.and(scan.person_value.name());
        let per_person = divided.and_then(PersonValue::name).or(of_numbers);
        let bounds = numbers.map(|numbers| numbers.grid.bounds());
        let cells = numbers.and_then(|numbers| numbers.cells);
        let groups = |group: &Grouping| group.names().collect();
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            privacy: privacy.clone(),
            tiers,
            column: scan.value.as_ref().map(Value::name),
            bounds: bounds.map(|bounds| [bounds.lower(), bounds.upper()]),
            grid: numbers.map(|numbers| numbers.grid.points()),
            categories,
            crosstab,
            squares: numbers.filter(|numbers| numbers.squares).map(|_| true),
            cells: cells.map(Cells::steps),
            cell_sums: cells.filter(|cells| cells.has_sums()).map(|_| true),
            places: None,
            rows: cells.map(Cells::rows).filter(|rows| *rows != 1),
            person: scan.person.clone(),
            per_person: per_person.map(str::to_owned),
            missing: scan.replacement(),
            group: scan.group.as_ref().map(Grouping::by),
            groups: scan.group.as_ref().map(groups),
            query: query.map(|query| query.name().to_owned()),
            query_columns: None,
            filter: scan.filter.as_ref().map(ToString::to_string),
        }
    }

    /// Parses the header in a result.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let header: Self = serde_json::from_str(text).map_err(|_| malformed("the header"))?;
        if header.format != FORMAT || header.version != VERSION {
            return Err(Error::table(
                "level query",
                "its result has a version that is not known here",
            )
            .with_fix("print the query again with this suum, or use a newer one"));
        }
        if header.group.is_some() != header.groups.is_some() {
            return Err(malformed("the groups"));
        }
        Ok(header)
    }

    /// Σg and Σ(2g − G)² over `records` grid indices g in a cell, from the sums in the result.
    ///
    /// # Formula
    ///
    /// If these are Σp and Σp² of places: cell c of width w is in a block of k cells, of which the
    /// first is c − c mod k, and whose grid indices are g = m + p with m = (c − c mod k)·w − w/2.
    /// So with b = 2m − G the sums are n·m + Σp and n·b² + 4b·Σp + 4Σp².
    ///
    /// # Errors
    ///
    /// Refuses impossibly large sums.
    pub(crate) fn wholes(&self, cell: u32, records: u64, sums: [i128; 2]) -> Result<[i128; 2]> {
        if self.places != Some(true) {
            return Ok(sums);
        }
        let (Some(points), Some(steps)) = (self.grid, self.cells.filter(|steps| *steps > 0)) else {
            return Err(malformed("what was added up"));
        };
        let first = i128::from(cell - cell % CellBlocks::width_of(steps));
        let [points, steps, n] = [points, steps.into(), records].map(i128::from);
        let (width, [places, squares]) = (points / steps, sums);
        let m = first * width - width / 2;
        let b = 2 * m - points;
        // No more than 2^64 records on a grid of 2^64 points: what is multiplied can be too large.
        let whole = || {
            let linear = b.checked_mul(places)?;
            let square = b.checked_mul(b)?.checked_mul(n)?;
            let squares = linear.checked_add(squares)?.checked_mul(4)?;
            Some([n.checked_mul(m)?.checked_add(places)?, square.checked_add(squares)?])
        };
        whole().ok_or_else(|| malformed("the sums in a cell"))
    }

    /// Check of the query that has made the rows, if one has.
    pub(crate) fn query(&self) -> Result<Option<QueryRows>> {
        let named = |name: &String| QueryRows::named(name).ok_or_else(|| malformed("the query"));
        self.query.as_ref().map(named).transpose()
    }

    /// Condition that is true of the rows that count, in its canonical form.
    pub(crate) fn filter(&self) -> Result<Option<Filter>> {
        let parsed = self.filter.as_ref().map(|text| text.parse::<Filter>());
        parsed.transpose().map_err(|_| malformed("the condition on rows"))
    }

    /// Names of the columns that the condition compares.
    pub(crate) fn filtered(&self) -> Option<String> {
        self.filter().ok().flatten().map(|filter| filter.columns().join(", "))
    }

    /// Value that persons count with; of categories the most frequent one unless it says otherwise.
    pub(crate) fn person_value(&self) -> Result<PersonValue> {
        let Some(name) = &self.per_person else { return Ok(PersonValue::Rows) };
        name.parse().map_err(|_| malformed("what persons count with"))
    }

    /// Text of the header in a query and its result.
    pub(crate) fn text(&self) -> Result<String> {
        serde_json::to_string(self).map_err(|_| Error::internal("a header has no JSON form"))
    }

    /// Measure that was added up.
    pub(crate) fn measure(&self) -> Result<Measure> {
        match (self.bounds, self.grid, &self.categories) {
            (Some([lower, upper]), Some(points), None) => {
                let grid = Grid::with_points(Bounds::new(lower, upper)?, points)?;
                let cells = self.cells.map(|steps| {
                    let cells = Cells::new(steps)?.with_rows(self.rows.unwrap_or(1))?;
                    Ok(cells.with_sums(self.cell_sums == Some(true)))
                });
                let numbers = Numbers {
                    grid,
                    squares: self.squares == Some(true),
                    cells: cells.transpose()?,
                };
                Ok(Measure::Numbers(numbers))
            }
            (None, None, Some(names)) => {
                let categories = match &self.crosstab {
                    Some(crosstab) => Categories::crossed(crosstab.clone()),
                    None => Categories::new(names.clone()),
                }?;
                match categories.names() == names {
                    true if self.person_value()? == PersonValue::Share => {
                        Ok(Measure::Categories(categories.divided()))
                    }
                    true => Ok(Measure::Categories(categories)),
                    false => Err(malformed("the categories")),
                }
            }
            (None, None, None) if self.column.is_none() => Ok(Measure::Nothing),
            _ => Err(malformed("what was added up")),
        }
    }
}

fn malformed(what: &str) -> Error {
    Error::table("level query", format!("{what} in the result is not what suum writes"))
        .with_fix("run the query as it was printed, and bring back its whole result")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sums_of_places_are_sums_of_indices(
            bits in 1u32..=17,
            cell in 0u32..=8192,
            places in prop::collection::vec(any::<u32>(), 1..20),
            records: u64,
            sums: [i128; 2],
        ) {
            let scan = Scan::new(PrivacyColumn::Budgets { column: "e".into() }, None);
            let points = 8192i128 << bits;
            let mut header = Header::for_scan(&scan, None);
            (header.grid, header.cells) = (u64::try_from(points).ok(), Some(8192));
            let (width, half) = (1i128 << bits, 1i128 << (bits - 1));
            let places: Vec<i128> = places.iter().map(|place| i128::from(*place) % width).collect();
            let sum = |of: &dyn Fn(i128) -> i128| -> i128 {
                places.iter().map(|place| of(*place)).sum()
            };
            let first = i128::from(cell - cell % 8);
            let above = |place: i128| (i128::from(cell) - first) * width + place;
            let given = [sum(&above), sum(&|place| above(place).pow(2))];
            let n = places.len() as u64;
            prop_assert_eq!(header.wholes(cell, n, given).unwrap(), given);
            header.places = Some(true);
            let index = |place: i128| i128::from(cell) * width + place - half;
            let wholes = [sum(&index), sum(&|place| (2 * index(place) - points).pow(2))];
            prop_assert_eq!(header.wholes(cell, n, given).unwrap(), wholes);
            // Any content of a result is either refused or added up.
            let _ = header.wholes(u32::MAX - cell, records, sums);
            header.cells = Some(0);
            prop_assert!(header.wholes(cell, n, given).is_err());
        }
    }
}
