//! What is guaranteed, in words.

use suum_core::{Loss, Neighbors, Procedure, Protected, Release, Spending, SummaryProcedure};

use crate::prose;
use crate::prose::Text;

/// The section on the guarantee.
pub(crate) fn write(out: &mut Text, words: &str) -> std::fmt::Result {
    out.heading("What is guaranteed");
    prose::indented(out, words);
    Ok(())
}

/// The words of the guarantee of a release.
pub(crate) fn of(release: &Release) -> String {
    if release.neighbors().hides_participation() {
        return hidden(release);
    }
    let declared = release.range().is_none().then_some("bounds");
    let (public, counts_with) = match &release.procedure {
        Procedure::Weighted(plan) => match plan.setting().categories {
            Some(_) => (Some("categories"), "their most frequent category".to_owned()),
            None if release.counts_totals() => (declared, TOTAL_OF_ROWS.to_owned()),
            None => (declared, MEAN_OF_ROWS.to_owned()),
        },
        Procedure::Quantiles(plan) => (declared, counts_with(plan.request().cells().rows())),
        Procedure::Variance(_) => (declared, MEAN_OF_ROWS.to_owned()),
        Procedure::Summary(SummaryProcedure { parts, .. }) => {
            let each = parts.iter().map(|part| match &part.release.procedure {
                Procedure::Quantiles(plan) => counts_with(plan.request().cells().rows()),
                _ => MEAN_OF_ROWS.to_owned(),
            });
            (declared, each.collect::<Vec<_>>().join(" and "))
        }
        Procedure::Exact | Procedure::AddRemove(_) => (None, String::new()),
    };
    let column = release.person.as_deref();
    known(&release.privacy, public, column, &counts_with)
}

/// What of a person's rows counts in a quantile.
pub(crate) fn counts_with(rows: u32) -> String {
    match rows {
        1 => "the median of their rows".into(),
        _ => format!("{rows} of their rows, evenly spaced by rank"),
    }
}

const MEAN_OF_ROWS: &str = "the mean of their rows";

/// What of a person's rows counts in a sum.
pub(crate) const TOTAL_OF_ROWS: &str = "the total of their rows";

/// The words of the guarantee; `public` names what is public besides numbers and tiers, if anything
/// is, and `column` the column that names persons, who count with `counts_with`.
pub(crate) fn known(
    privacy: &[Spending],
    public: Option<&str>,
    column: Option<&str>,
    counts_with: &str,
) -> String {
    let whom = Protected::by(column);
    let unlimited = privacy.iter().any(|spending| spending.spent == Loss::Unlimited);
    let nothing = match unlimited {
        false => String::new(),
        true => format!(
            "Nothing for {} whose spent ε is ∞: their data are public, and used without noise. For \
             the others: ",
            whom.many()
        ),
    };
    let different = match column {
        Some(column) => format!(
            "Had all rows of one person (whom {column} names) been anything else, and however many"
        ),
        None => "Had the value of one record been anything else".to_owned(),
    };
    let public = public.map_or_else(
        || format!("The number of {} and their tiers are", whom.many()),
        |public| format!("The number of {}, their tiers and the {public} are", whom.many()),
    );
    let counts = match whom {
        Protected::Record => String::new(),
        Protected::Person => format!(
            " Each person counts once, with {counts_with}, at the strictest tier of their rows."
        ),
    };
    format!(
        "{nothing}{different}, the probability of any result would differ by at most a factor of \
         exp(spent ε): {FACTORS}. {ADD_UP} {public} public, not protected.{counts}"
    )
}

/// exp(ε) for some ε.
const FACTORS: &str = "about 1.01 for ε = 0.01, 1.11 for ε = 0.1, 2.72 for ε = 1";

/// That releases compose.
const ADD_UP: &str = "Losses of several releases add up.";

/// The words of the guarantee where it is hidden who takes part.
pub(crate) fn hidden(release: &Release) -> String {
    let whom = release.protects();
    let both = release.neighbors() == Neighbors::Both;
    let (whose, same) = match &release.person {
        Some(column) => (
            format!("all rows of one person (whom {column} names) are in the data or not"),
            "Had the same person other rows",
        ),
        None => {
            ("one record is in the data or not".to_owned(), "Had the same record another value")
        }
    };
    // With both, another value is one more thing that the same ε bounds.
    let (whose, twice) = match (both, whom) {
        (true, Protected::Record) => (format!("{whose}, and whatever its value"), String::new()),
        (true, Protected::Person) => (format!("{whose}, and whatever they say"), String::new()),
        (false, _) => {
            let twice = format!(
                "{same}, it could differ by up to exp(2 · spent ε): {DOUBLED}. That is a removal \
                 and an addition. "
            );
            (whose, twice)
        }
    };
    let public = match release.statistic() {
        "frequency" => "the declared budgets and categories",
        "count" => "the declared budgets",
        _ if release.range().is_some() => "the declared budgets",
        _ => "the declared budgets and bounds",
    };
    let with = match release.counts_totals() {
        true => format!("with {}, ", TOTAL_OF_ROWS),
        false => String::new(),
    };
    let counts = match whom {
        Protected::Person => {
            format!(" Each person counts once, {with}at the strictest budget of their rows.")
        }
        Protected::Record => String::new(),
    };
    format!(
        "Whether {whose}, the probability of any result differs by at most a factor of exp(spent \
         ε): {FACTORS}. {twice}{ADD_UP} Nothing here tells how many {} there are or what they \
         allow, except through noise; {public} are public.{counts}",
        whom.many()
    )
}

/// exp(2ε) for some ε.
const DOUBLED: &str = "about 1.02 for ε = 0.01, 1.22 for ε = 0.1, 7.39 for ε = 1";
