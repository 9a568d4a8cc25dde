//! The guarantee in words.

use suum_core::{Loss, Neighbors, ProtectedUnit, Release, Spending};

use crate::how;
use crate::statistic::{found, release_words, shown};

/// Words of the guarantee of a release.
pub(crate) fn describe(release: &Release) -> String {
    if release.neighbors().hides_participation() {
        return add_remove(release, how::COUNTS_ONCE);
    }
    let counts_with = release_words(release).counts_with(release);
    let counted = (how::COUNTS_ONCE, counts_with.as_str());
    let known =
        describe_known(&release.privacy, public(release), release.person.as_deref(), counted);
    match found::guaranteed(release) {
        Some(but) => format!("{known} {but}"),
        None => known,
    }
}

/// Public facts besides numbers, tiers and budgets: categories, or bounds if they were declared.
fn public(release: &Release) -> Option<&'static str> {
    let public = shown(release).public();
    (public != "bounds" || release.bounds().is_some()).then_some(public)
}

/// Words of the guarantee; `public` names public facts besides numbers and tiers, if there are any,
/// and `column` the column that identifies persons, who count with `counts_with`.
pub(crate) fn describe_known(
    privacy: &[Spending],
    public: Option<&str>,
    column: Option<&str>,
    (counts, counts_with): (&str, &str),
) -> String {
    let whom = ProtectedUnit::by(column);
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
        ProtectedUnit::Record => String::new(),
        ProtectedUnit::Person => format!(
            " Each person {counts}, with {counts_with}, at the strictest tier of their rows."
        ),
    };
    format!(
        "{nothing}{different}, the probability of any release would differ by at most a factor of \
         exp(spent ε): {FACTORS}. {ADD_UP} {public} public, not protected.{counts}"
    )
}

/// Examples of exp(ε).
const FACTORS: &str = "about 1.01 for ε = 0.01, 1.11 for ε = 0.1, 2.72 for ε = 1";

/// Note that releases compose.
const ADD_UP: &str = "Losses of several releases add up.";

/// Words of the guarantee if participation is hidden.
pub(crate) fn add_remove(release: &Release, counts: &str) -> String {
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
        (true, ProtectedUnit::Record) => {
            (format!("{whose}, and whatever its value"), String::new())
        }
        (true, ProtectedUnit::Person) => (format!("{whose}, and whatever they say"), String::new()),
        (false, _) => {
            let twice = format!(
                "{same}, it could differ by up to exp(2 · spent ε): {DOUBLED}. That is a removal \
                 and an addition. "
            );
            (whose, twice)
        }
    };
    let public = public(release).map_or_else(String::new, |public| format!(" and {public}"));
    let with = match release.statistic() {
        "count" => String::new(),
        _ => format!("with {}, ", release_words(release).counts_with(release)),
    };
    let counts = match whom {
        ProtectedUnit::Person => {
            format!(" Each person {counts}, {with}at the strictest budget of their rows.")
        }
        ProtectedUnit::Record => String::new(),
    };
    format!(
        "Whether {whose}, the probability of any release differs by at most a factor of exp(spent \
         ε): {FACTORS}. {twice}{ADD_UP} Nothing here tells how many {} there are or what they \
         allow, except through noise; the declared budgets{public} are public.{counts}",
        whom.many()
    )
}

/// Examples of exp(2ε).
const DOUBLED: &str = "about 1.02 for ε = 0.01, 1.22 for ε = 0.1, 7.39 for ε = 1";
