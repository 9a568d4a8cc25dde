//! Every statistic, released and planned, in every way that has a page of its own.

use std::path::Path;
use std::sync::LazyLock;

use suum::JobInputs;
use suum_cli::{answer, parse};

pub(crate) const RANDHIE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/randhie.csv");
pub(crate) const TIERS: [&str; 4] =
    ["--privacy", "privacy", "--levels", "strict=0.01,standard=0.1,relaxed=1,public=inf"];

/// A page, and the JSON beside it.
pub(crate) struct Made {
    pub(crate) html: String,
    pub(crate) json: String,
}

/// The page of what these words ask for.
pub(crate) fn page(words: &[&str]) -> Made {
    let said = answer(parse(words.iter().copied()).unwrap(), JobInputs::default());
    let said = said.unwrap_or_else(|error| panic!("{words:?}: {error}"));
    Made { html: said.html().unwrap(), json: said.json().unwrap() }
}

/// Releases of the example; data and tiers are added.
const RELEASES: [&str; 53] = [
    "mean --value visits --bounds 0,77 --strata health --classes excellent,good,fair,poor",
    "frequency --value visits --bins 0,1,5,77 --strata health --population-shares \
    excellent=0.5,good=0.3,fair=0.15,poor=0.05",
    "difference --value visits --bounds 0,77 --group-by health --groups excellent,good,fair,poor \
    --between fair,excellent",
    "frequency --value visits --bins 0,1,5,77 --group-by health --groups excellent,good,fair,poor \
    --between poor,good",
    "quantile --value visits --bounds 0,77 --q 0.5,0.9 --step 1 --group-by health \
    --groups excellent,good,fair,poor --between good,excellent",
    "mean --value visits --bounds 0,77 --check-bounds",
    "mean --value visits --bounds 0,77 --missing exclude",
    "mean --value visits --bounds 0,77",
    "mean --value visits --bounds 0,77 --insecure-seed 1",
    "mean --value visits --bounds 0,77 --target dataset --estimator threshold",
    "mean --value visits --bounds 0,77 --target dataset-correlated --shrink",
    "mean --value visits --bounds 0,77 --variance 20 --estimator mixed",
    "mean --value visits --bounds 0,77 --estimator local",
    "mean --value visits --bounds 0,77 --estimator proportional",
    "mean --value visits --bounds 0,77 --estimator hpm-up-t --beta 0.1",
    "mean --value visits --bounds 0,77 --person chronic_index",
    "mean --value visits --bounds auto",
    "mean --value visits --bounds 0,77 --group-by health --groups excellent,good,fair,poor,unknown",
    "mean --value visits --bounds 0,77 --neighbors add-remove",
    "mean --value visits --bounds 0,77 --neighbors both",
    "sum --value visits --bounds 0,77 --variance 20 --neighbors both --person chronic_index",
    "frequency --value health --categories excellent,good,fair,poor --neighbors both",
    "quantile --value visits --bounds auto --neighbors both",
    "variance --value visits --bounds 0,77 --neighbors both",
    "variance --value visits --bounds 0,77 --neighbors add-remove",
    "summary --value visits --bounds 0,77 --statistic mean,variance,q50 --neighbors add-remove",
    "mean --value visits --bounds auto --neighbors add-remove",
    "mean --value visits --bounds auto --group-by health --groups excellent,good --other worse",
    "mean --value visits --bounds 0,77 --neighbors add-remove --group-by health --groups \
    excellent,good,fair,poor,unknown",
    "mean --value visits --bounds 0,77 --neighbors both --group-by health --groups \
        excellent,good,fair,poor",
    "count --neighbors add-remove --person chronic_index --group-by health --groups excellent,good \
    --other worse",
    "sum --value visits --bounds auto",
    "quantile --value visits --bounds auto --q 0.5,0.9",
    "quantile --value visits --bounds auto --neighbors add-remove",
    "variance --value visits --bounds auto",
    "summary --value visits --bounds auto",
    "sum --value visits --bounds 0,77 --target dataset",
    "sum --value visits --bounds 0,77 --neighbors add-remove",
    "count",
    "count --group-by health --groups excellent,good --other worse",
    "count --neighbors add-remove",
    "frequency --value health --categories excellent,good,fair,poor",
    "frequency --value health --categories excellent,good,fair,poor --estimator local --post none",
    "frequency --value health --categories excellent,good,fair,poor --neighbors add-remove",
    "frequency --value health --categories excellent,good,fair,poor --simultaneous",
    "frequency --value health --categories excellent,good,fair,poor --simultaneous --target \
    dataset-correlated --estimator mixed",
    "quantile --value visits --bounds 0,77 --step 1",
    "quantile --value visits --bounds 0,77 --q 0.1,0.9 --estimator mixed --person chronic_index \
    --rows 3",
    "quantile --value visits --bounds 0,77 --q 0.25,0.5,0.75 --neighbors add-remove",
    "variance --value visits --bounds 0,77",
    "summary --value visits --bounds 0,77 --step 1",
    "summary --value visits --bounds 0,77 --statistic mean,q90",
    "summary --value visits --bounds 0,77 --group-by health --groups excellent,good --other worse",
];

/// Plans for the people of a profile, which is added.
const PLANS: [&str; 15] = [
    "--bounds 0,77",
    "--bounds 0,77 --shrink --target dataset",
    "--what-if inf:+500",
    "--statistic sum --bounds 0,10 --what-if 0.1:-20 --target dataset-correlated",
    "--statistic frequency --categories a,b,c",
    "--statistic quantile --q 0.5,0.9 --bounds 0,100",
    "--statistic variance --bounds 0,100",
    "--statistic mean,variance,q50 --bounds 0,100",
    "--bounds auto",
    "--bounds auto --statistic sum",
    "--bounds auto --statistic quantile --q 0.5,0.9",
    "--bounds auto --statistic variance",
    "--bounds auto --statistic mean,variance,q50",
    "--bounds 0,10 --neighbors add-remove --epsilon-range 0.01,inf",
    "--statistic quantile --bounds 0,10 --neighbors add-remove --epsilon-range 0.01,inf --cells \
    1000",
];

/// The page of every case, by the words that ask for it, made once for all tests.
pub(crate) fn all() -> &'static [(String, Made)] {
    static ALL: LazyLock<Vec<(String, Made)>> = LazyLock::new(make_pages);
    &ALL
}

fn make_pages() -> Vec<(String, Made)> {
    let releases = RELEASES.map(|words| {
        let (command, options) = words.split_once(' ').unwrap_or((words, ""));
        let options: Vec<&str> = options.split_whitespace().collect();
        // A search for a range is refused now and then, by a private decision.
        let seed: &[&str] = if options.contains(&"auto") { &["--insecure-seed", "3"] } else { &[] };
        [&[command, RANDHIE], &options[..], &TIERS, seed].concat()
    });
    let plans = PLANS.map(|words| {
        let options: Vec<&str> = words.split_whitespace().collect();
        [&["plan", "--profile", "0.1:34000,0.5:43000,1:900,inf:230"], &options[..]].concat()
    });
    let of_data = [&["plan", RANDHIE, "--bounds", "0,77"], &TIERS[..]].concat();
    let mut cases: Vec<(String, Made)> = Vec::new();
    for words in releases.into_iter().chain(plans).chain([of_data]) {
        cases.push((words.join(" "), page(&words)));
    }
    let folder = tempfile::tempdir().unwrap();
    cases.extend(with_ledgers(folder.path()));
    cases
}

/// A release charged to a ledger, and a plan of one.
fn with_ledgers(folder: &Path) -> Vec<(String, Made)> {
    let (tiers, persons) = (folder.join("tiers.ledger"), folder.join("persons.ledger"));
    let (tiers, persons) = (tiers.to_str().unwrap(), persons.to_str().unwrap());
    let levels = "strict=0.1,standard=1,relaxed=10,public=inf";
    let open = |words: &[&str]| {
        drop(answer(parse(words.iter().copied()).unwrap(), JobInputs::default()).unwrap())
    };
    open(&["ledger", "init", tiers, "--dataset", "visits", "--levels", levels]);
    open(&["ledger", "init", persons, "--dataset", "visits", "--persons", "--levels", levels]);
    let words = ["--value", "visits", "--bounds", "0,77", "--privacy", "privacy", "--spend", "10%"];
    let release = |ledger| [&["mean", RANDHIE, "--ledger", ledger], &words[..]].concat();
    let of_persons = [&release(persons)[..], &["--person", "chronic_index"]].concat();
    let plan = ["plan", RANDHIE, "--ledger", tiers, "--bounds", "0,77", "--privacy", "privacy"];
    let plan = [&plan[..], &["--spend", "10%"]].concat();
    let asked = [release(tiers), of_persons, plan];
    asked.into_iter().map(|words| (words.join(" "), page(&words))).collect()
}
