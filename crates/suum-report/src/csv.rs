//! Releases as CSV: a row for each estimate, for dashboards and spreadsheets.

use suum_core::{Estimate, GroupName, Quantity, Release, Releases};

use crate::figure::{Figure, Writing};
use crate::figures::candidate;

/// Names of the columns.
const HEADER: [&str; 9] =
    ["group", "statistic", "estimate", "lower", "upper", "epsilon", "label", "column", "private"];

/// Returns releases as CSV with a header: a row for each estimate, margin and difference.
///
/// `lower` and `upper` are the ends of the interval, empty if there is none. `epsilon` is the most
/// that any record spent on the release, which all rows of it have in common; `label` the category
/// of a share, or the rank of a quantile. A group without records has a row without numbers.
/// Numbers have all their digits, dates and times are written as such, and `private` is false for
/// noise from a seed.
///
/// # Example
///
/// ```
/// use suum_core::{LevelTable, Measure, Options, Release};
///
/// let nobody = LevelTable::possibly_empty(None, Measure::Nothing, vec![])?;
/// let count = Release::count(&nobody, &Options::default())?;
/// let csv = suum_report::releases_csv(&count.into());
/// assert!(csv.starts_with("group,statistic,estimate,lower,upper,epsilon,"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn releases_csv(releases: &Releases) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let rows = std::iter::once(HEADER.map(str::to_owned)).chain(rows(releases));
    // Writing to memory never fails.
    rows.for_each(|row| drop(writer.write_record(row)));
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

fn rows(releases: &Releases) -> Vec<[String; 9]> {
    match releases {
        Releases::One(release) => of_release(release, ""),
        Releases::Survey(survey) => {
            survey.answers().iter().flat_map(|answer| rows(&answer.releases)).collect()
        }
        Releases::Groups(groups) => {
            let first = groups.iter().next();
            let of_group = |(name, release): &(GroupName, Option<Release>)| match release {
                Some(release) => of_release(release, name.as_str()),
                None => vec![empty(name.as_str(), first)],
            };
            let mut rows: Vec<_> = groups.groups().iter().flat_map(of_group).collect();
            if let (Some(difference), Some(first)) = (groups.difference(), first) {
                let [one, other] = &difference.between;
                let between = format!("{one} − {other}");
                let most = groups.iter().map(most_spent).fold(0.0, f64::max);
                rows.extend(difference.estimates.iter().map(|estimate| {
                    row(estimate, difference_writing(estimate, first), first, &between, most)
                }));
            }
            rows
        }
    }
}

/// Rows of a release: its estimates, and the margins of a cross table.
fn of_release(release: &Release, group: &str) -> Vec<[String; 9]> {
    let most = most_spent(release);
    let margins = release.margins.iter().flat_map(|margin| &margin.shares);
    let all = release.estimates.iter().chain(margins);
    let of = |estimate: &Estimate| {
        row(estimate, Figure::of(estimate, release).writing, release, group, most)
    };
    all.map(of).collect()
}

/// Writing of a difference: those of dates are numbers of days or seconds.
fn difference_writing(estimate: &Estimate, release: &Release) -> Writing {
    match Figure::of(estimate, release).writing {
        Writing::Timestamp(..) => Writing::Exact,
        other => other,
    }
}

fn row(
    estimate: &Estimate,
    writing: Writing,
    release: &Release,
    group: &str,
    most: f64,
) -> [String; 9] {
    let is_date = matches!(writing, Writing::Timestamp(..));
    let ends = estimate.interval.map(|interval| match is_date {
        true => writing.ends(interval),
        false => [interval.lower, interval.upper].map(|end| end.to_string()),
    });
    let [lower, upper] = ends.unwrap_or_default();
    let (statistic, label) = named(&estimate.of);
    [
        group.to_owned(),
        statistic,
        if is_date { writing.text(estimate.estimate) } else { estimate.estimate.to_string() },
        lower,
        upper,
        most.to_string(),
        label,
        column(release),
        release.private.to_string(),
    ]
}

/// Row of a group without records.
fn empty(group: &str, other: Option<&Release>) -> [String; 9] {
    let (statistic, _) =
        other.and_then(|one| one.estimates.first()).map(|one| named(&one.of)).unwrap_or_default();
    let (column, is_private) =
        other.map_or((String::new(), true), |one| (column(one), one.private));
    let mut row = <[String; 9]>::default();
    row[0] = group.to_owned();
    row[1] = statistic;
    row[7] = column;
    row[8] = is_private.to_string();
    row
}

/// Name of a quantity, and the category or the rank that it is of.
fn named(quantity: &Quantity) -> (String, String) {
    match quantity {
        Quantity::Share(category) => ("share".to_owned(), category.clone()),
        Quantity::Quantile(rank) => ("quantile".to_owned(), candidate(rank.get())),
        other => (other.to_string(), String::new()),
    }
}

fn column(release: &Release) -> String {
    match release.crosstab() {
        Some(crosstab) => crosstab.columns().join(", "),
        None => release.column.clone().unwrap_or_default(),
    }
}

/// The most that any record spent on a release.
fn most_spent(release: &Release) -> f64 {
    release.privacy.iter().map(|tier| tier.spent.rounded_up()).fold(0.0, f64::max)
}
