//! Releases charged to a ledger: nobody ever loses more than they allow in all, in exact
//! arithmetic.

use std::path::Path;

use serde_json::{Value, json};
use suum::ledger::{Accounts, Amount, Balance, Columns, Dataset, Ledger};
use suum::{
    Accountant, Bounds, Choice, Epsilon, Error, ErrorKind, Estimator, ExactSum, Grid, LevelSums,
    LevelTable, Loss, Measure, Neighbors, Options, Randomness, Release, Releases, Request, Result,
    Spend, Target, WeightedRequest,
};

const TIERS: [(&str, &str, u64); 4] =
    [("strict", "0.1", 500), ("standard", "0.7", 300), ("relaxed", "3", 150), ("public", "inf", 9)];

fn amounts() -> Vec<(String, Amount)> {
    TIERS.map(|(label, allowed, _)| (label.to_owned(), allowed.parse().unwrap())).to_vec()
}

fn ledger(path: &Path) {
    let accounts = Accounts::Tiers(amounts());
    let dataset = Dataset::new("visits", Neighbors::ReplaceOne, accounts);
    Ledger::create(path).unwrap().add_dataset(dataset).unwrap();
}

/// People whose values are all in the middle of 0..10.
fn table(asked: &[(String, Amount)]) -> LevelTable {
    let grid = Grid::new(Bounds::new(0.0, 10.0).unwrap());
    let level_sums = |(label, _, count): (&str, &str, u64)| LevelSums {
        label: Some(label.to_owned()),
        epsilon: asked
            .iter()
            .find(|(tier, _)| tier == label)
            .map_or(Epsilon::UNUSED, |(_, a)| a.epsilon()),
        count,
        sums: vec![ExactSum::from_raw(i128::from(count) * i128::from(grid.points()) / 2)],
        cells: Default::default(),
    };
    LevelTable::new(Some("v".into()), Measure::Numbers(grid.into()), TIERS.map(level_sums).to_vec())
        .unwrap()
}

fn open(path: &Path, spend: Spend, asked: Option<&[(String, Amount)]>) -> Result<Accountant> {
    let columns = Columns {
        values: ["v".to_owned()].into(),
        published: ["tier".to_owned()].into(),
        ..Columns::default()
    };
    Accountant::open(path, Some("visits"), Neighbors::ReplaceOne, spend, asked, columns)
}

fn mean(mut accountant: Accountant, options: &Options) -> Result<Release> {
    let capped = accountant.cap(table(&amounts()))?;
    let describe = |releases: &Releases| Ok(json!(releases));
    let draw = |randomness: &mut Randomness| {
        Request::mean(options.clone()).release(capped, randomness).map(Releases::from)
    };
    let (releases, _) = accountant.release(&json!({"statistic": "mean"}), draw, describe)?;
    Ok(releases.one().unwrap().clone())
}

fn spent(path: &Path) -> Vec<(Amount, Amount)> {
    match Ledger::open(path).unwrap().balance("visits").unwrap() {
        Balance::Tiers(tiers) => {
            tiers.iter().map(|tier| (tier.allowed, tier.spent.plus(tier.reserved))).collect()
        }
        Balance::Persons(_) => panic!("the accounts are those of tiers"),
    }
}

#[test]
#[ignore = "takes seconds"]
fn all_losses_together_are_within_what_is_allowed_for_every_estimator() {
    let folder = tempfile::tempdir().unwrap();
    for (number, estimator) in Estimator::ALL.into_iter().enumerate() {
        // Frequencies have the hpf family.
        if !estimator.serves(false) || estimator.is_for_study() {
            continue;
        }
        let path = folder.path().join(format!("{number}"));
        ledger(&path);
        let options = Options { estimator: Choice::Named(estimator), ..Options::default() };
        let asked = amounts();
        let mut total = vec![Loss::ZERO; TIERS.len()];
        let mut releases = 0;
        for spend in ["30%", "eps=0.04", "100%", "100%", "50%", "100%"] {
            let accountant = match open(&path, spend.parse().unwrap(), Some(&asked)) {
                Ok(accountant) => accountant,
                Err(refused) => {
                    assert_eq!(refused.kind(), ErrorKind::Budget, "{refused}");
                    break;
                }
            };
            let release = match mean(accountant, &options) {
                Ok(release) => release,
                // With some budgets at zero an estimator may not apply; then nothing is charged.
                Err(refused) => {
                    assert_ne!(refused.kind(), ErrorKind::Internal, "{refused}");
                    continue;
                }
            };
            releases += 1;
            for loss in release.privacy {
                let tier = TIERS.iter().position(|(label, ..)| loss.level == **label).unwrap();
                total[tier] = total[tier].plus(&loss.spent);
            }
            for ((allowed, charged), (loss, (label, ..))) in
                spent(&path).iter().zip(total.iter().zip(TIERS))
            {
                assert!(charged <= allowed, "{estimator:?} {label}");
                assert!(
                    Amount::from_loss(loss) <= *charged,
                    "{estimator:?} {label}: less was charged than was lost"
                );
                assert!(
                    loss.within(allowed.epsilon()) || *allowed == *charged,
                    "{estimator:?} {label}"
                );
                let micros = match allowed {
                    Amount::Micro(micros) => micros.get(),
                    Amount::Unlimited => continue,
                };
                let Loss::Finite(exact) = loss else { panic!("{estimator:?} {label}: unlimited") };
                let Loss::Finite(most) = Loss::ratio(micros, 1_000_000) else { panic!() };
                assert!(*exact <= most, "{estimator:?} {label}");
            }
        }
        assert!(releases >= 2, "{estimator:?}");
        assert!(Ledger::verify_file(&path).unwrap().is_sound());
    }
}

#[test]
fn a_refusal_after_a_draw_counts_and_one_before_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    ledger(&path);
    let describe = |_: &Releases| Ok(Value::Null);
    let fail = || Error::request((), "no");
    let early =
        open(&path, Spend::All, None).unwrap().release(&Value::Null, |_| Err(fail()), describe);
    assert_eq!(early.unwrap_err().to_string(), "no");
    assert!(spent(&path).iter().all(|(_, charged)| charged.is_zero()));
    let late = |randomness: &mut Randomness| {
        let _ = randomness.spawn();
        Err(fail())
    };
    let half = "50%".parse().unwrap();
    let accountant = open(&path, half, None).unwrap();
    let late = accountant.release(&Value::Null, late, describe).unwrap_err();
    assert!(
        late.to_string().starts_with("no; the ledger counts all that was reserved as spent"),
        "{late}"
    );
    let charged: Vec<String> =
        spent(&path).iter().map(|(_, charged)| charged.to_string()).collect();
    assert_eq!(charged, ["0.05", "0.35", "1.5", "inf"]);
}

#[test]
fn a_release_at_other_budgets_than_are_left_is_not_handed_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    ledger(&path);
    let accountant = open(&path, "10%".parse().unwrap(), None).unwrap();
    let options = Options { estimator: Choice::Named(Estimator::Affine), ..Options::default() };
    // The table is not capped.
    let draw = |randomness: &mut Randomness| {
        Request::mean(options).release(table(&amounts()), randomness).map(Releases::from)
    };
    let describe = |_: &Releases| Ok(Value::Null);
    let refused = accountant.release(&Value::Null, draw, describe).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Internal, "{refused}");
    assert_eq!(spent(&path)[0].1.to_string(), "0.01");
}

#[test]
fn the_least_part_that_reaches_an_error_is_spent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    ledger(&path);
    let error = |table: &LevelTable| {
        let plan = WeightedRequest::new(
            suum::Statistic::Mean,
            Bounds::new(0.0, 10.0)?,
            Options { target: Target::Dataset, ..Options::default() },
        )?
        .plan(table.profile()?)?;
        Ok(plan.chosen().risk.rmse())
    };
    let table = table(&amounts());
    let best = error(&table).unwrap();
    for most in [best * 1.001, best * 2.0, best * 7.0] {
        let mut accountant = open(&path, Spend::All, None).unwrap();
        accountant.calibrate_to_rmse(most, &table, error).unwrap();
        let reached = error(&accountant.scale(table.clone()).unwrap()).unwrap();
        assert!(reached <= most && reached > most * 0.999, "{reached} for {most}");
        assert!(accountant.part() < 1.0);
    }
    let mut accountant = open(&path, Spend::All, None).unwrap();
    let refused = accountant.calibrate_to_rmse(best * 0.99, &table, error).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Budget);
    assert!(refused.to_string().starts_with("target_rmse: "));
}

#[test]
fn what_is_asked_for_is_the_amount_that_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    ledger(&path);
    let asked: Vec<(String, Amount)> = [("strict", "0.03"), ("standard", "0.3")]
        .map(|(tier, epsilon)| (tier.into(), epsilon.parse().unwrap()))
        .to_vec();
    // Three times three hundredths of a tenth, and no fourth time.
    let uniform =
        Options { estimator: Choice::Named(Estimator::Proportional), ..Options::default() };
    for _ in 0..3 {
        mean(open(&path, Spend::All, Some(&asked)).unwrap(), &uniform).unwrap();
    }
    let charged: Vec<String> =
        spent(&path).iter().map(|(_, charged)| charged.to_string()).collect();
    assert_eq!(charged, ["0.09", "0.7", "0", "0"]);
    let refused =
        open(&path, Spend::All, Some(&[("lenient".into(), Amount::micros(1))])).unwrap_err();
    assert!(
        refused.to_string().contains("lenient")
            && refused.fix().unwrap().to_string().contains("strict"),
        "{refused}"
    );
}

#[test]
fn columns_are_kept_apart_by_what_releases_make_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    ledger(&path);
    let spend = "10%".parse().unwrap();
    mean(open(&path, spend, None).unwrap(), &Options::default()).unwrap();
    let accountant = |columns| {
        Accountant::open(&path, Some("visits"), Neighbors::ReplaceOne, spend, None, columns)
    };
    let groups = |names: &[&str]| Columns {
        published: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Columns::default()
    };
    let refused = accountant(groups(&["v"])).unwrap_err();
    assert!(refused.to_string().starts_with("column v: its values are protected"), "{refused}");
    accountant(groups(&["region"])).unwrap().publish(&Value::Null).unwrap();
    // A column that is known only later is looked at as well.
    let mut later = accountant(Columns::default()).unwrap();
    let table = Columns { values: ["region".to_owned()].into(), ..Columns::default() };
    assert_eq!(later.use_columns(table).unwrap_err().kind(), ErrorKind::Request);
    let used = accountant(Columns::default()).unwrap().used_columns().unwrap();
    assert_eq!(used.published, groups(&["region", "tier"]).published);
    assert!(Ledger::verify_file(&path).unwrap().is_sound());
}
