//! Categories that are found: what shows, what it costs, and whether intervals hold.

use serde_json::Value;
use suum_core::{
    Categories, Choice, Delta, Epsilon, ErrorKind, Estimator, ExactSum, FoundPlan, FoundRequest,
    LevelSums, LevelTable, Measure, Neighbors, Options, PersonValue, Quantity, Randomness, Release,
    ReleaseRecord, Target, Verification,
};

use crate::dice::Dice;

/// One level: ε and how many records of each category it has.
type Row = (f64, Vec<i128>);

fn categories(k: usize) -> Categories {
    Categories::new((0..k).map(|category| format!("category {category}")).collect()).unwrap()
}

fn table_of(rows: &[Row], categories: Categories) -> LevelTable {
    let steps = i128::from(categories.steps());
    let by_level = rows.iter().map(|(epsilon, counts)| LevelSums {
        label: None,
        epsilon: Epsilon::new(*epsilon).unwrap(),
        count: counts.iter().sum::<i128>() as u64,
        sums: counts.iter().map(|count| ExactSum::from_raw(count * steps)).collect(),
        cells: Default::default(),
    });
    LevelTable::new(Some("town".into()), Measure::Categories(categories), by_level.collect())
        .unwrap()
}

fn table(rows: &[Row]) -> LevelTable {
    table_of(rows, categories(rows[0].1.len()))
}

fn delta(text: &str) -> Delta {
    text.parse().unwrap()
}

fn request(options: Options) -> FoundRequest {
    FoundRequest::new(delta("1e-6"), false, options).unwrap()
}

fn plan(rows: &[Row], options: Options) -> FoundPlan {
    request(options).plan(table(rows).profile().unwrap()).unwrap()
}

fn release(rows: &[Row], options: Options, seed: u64) -> Release {
    plan(rows, options).release(table(rows), &mut Randomness::insecure(seed)).unwrap()
}

/// Two levels and public records: common categories, rare ones, an empty one, and a rare one with
/// a public record.
fn people() -> Vec<Row> {
    vec![
        (0.1, vec![900, 500, 90, 9, 1, 0, 2]),
        (1.0, vec![600, 300, 60, 6, 0, 0, 1]),
        (f64::INFINITY, vec![3, 0, 0, 0, 0, 0, 1]),
    ]
}

fn shown(release: &Release) -> Vec<&str> {
    let name = |one: &Quantity| match one {
        Quantity::Share(_) => true,
        Quantity::OtherShares => false,
        other => panic!("{other:?}"),
    };
    let all = release.estimates.iter().filter(|one| name(&one.of));
    all.map(|one| match &one.of {
        Quantity::Share(name) => name.as_str(),
        other => panic!("{other:?}"),
    })
    .collect()
}

fn json(release: &Release) -> Value {
    serde_json::to_value(release).unwrap()
}

fn faults(json: &Value) -> Vec<String> {
    let record: ReleaseRecord = serde_json::from_value(json.clone()).unwrap();
    let verified = Verification::compute(&record).unwrap();
    verified.certificates.into_iter().flat_map(|one| one.faults).collect()
}

#[test]
fn common_categories_and_public_ones_show_and_all_others_are_the_rest() {
    for seed in 0..20 {
        let release = release(&people(), Options::default(), seed);
        let shown = shown(&release);
        for always in ["category 0", "category 1", "category 6"] {
            assert!(shown.contains(&always), "{seed}: {shown:?}");
        }
        for never in ["category 4", "category 5"] {
            assert!(!shown.contains(&never), "{seed}: {shown:?}");
        }
        assert!(shown.is_sorted(), "the order of the table: {shown:?}");
        let sum: f64 = release.estimates.iter().map(|one| one.estimate).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        let others = release.estimates.last().unwrap();
        assert_eq!(others.of, Quantity::OtherShares);
        for one in &release.estimates {
            let interval = one.interval.unwrap();
            assert!(interval.lower <= one.estimate && one.estimate <= interval.upper);
        }
    }
}

#[test]
fn names_with_control_characters_never_show() {
    let names = ["common\u{1}", "rare", "also common"].map(str::to_owned).to_vec();
    let rows = [(1.0, vec![5000, 1, 4000])];
    let table = table_of(&rows, Categories::new(names).unwrap());
    let plan = request(Options::default()).plan(table.profile().unwrap()).unwrap();
    let release = plan.release(table, &mut Randomness::insecure(1)).unwrap();
    assert_eq!(shown(&release), ["also common"]);
    assert!(release.estimates[1].estimate > 0.5);
    assert!(!json(&release).to_string().contains("rare"));
}

#[test]
fn plans_know_no_category() {
    let one = [(0.1, vec![1500]), (1.0, vec![966])];
    let profile = |rows: &[Row]| {
        let level = |(epsilon, counts): &Row| format!("{epsilon}:{}", counts.iter().sum::<i128>());
        rows.iter().map(level).collect::<Vec<_>>().join(",").parse().unwrap()
    };
    let plan = request(Options::default()).plan(profile(&one)).unwrap();
    let rows = [(0.1, vec![1000, 500]), (1.0, vec![900, 66])];
    assert_eq!(plan, request(Options::default()).plan(profile(&rows)).unwrap());
    for (level, spent) in plan.profile().levels().iter().zip(plan.losses()) {
        assert!(spent.within(level.epsilon));
    }
}

#[test]
fn certificates_state_delta_of_every_level_and_are_verified() {
    for (target, simultaneous, divided) in [
        (Target::Population, false, false),
        (Target::Dataset, true, false),
        (Target::DatasetCorrelated, false, true),
        (Target::Population, true, true),
    ] {
        let value = if divided { PersonValue::Share } else { PersonValue::Mode };
        let options =
            Options { target, simultaneous, per_person: Some(value), ..Options::default() };
        let request = FoundRequest::new(delta("1e-6"), divided, options).unwrap();
        let counted = if divided { categories(7).divided() } else { categories(7) };
        let table = table_of(&people(), counted).with_person("id".into(), value);
        let plan = request.plan(table.profile().unwrap()).unwrap();
        let release = plan.release(table, &mut Randomness::insecure(3)).unwrap();
        let deltas: Vec<f64> = release.privacy.iter().map(|row| row.delta.unwrap()).collect();
        // The largest is rounded up from a number that is at most 1e-6.
        let most = 1e-6 * (1.0 + f64::EPSILON);
        assert!(deltas[0] > 0.0 && deltas[0] <= deltas[1] && deltas[1] <= most, "{deltas:?}");
        assert_eq!(deltas[2], 0.0);
        let json = json(&release);
        assert_eq!(faults(&json), Vec::<String>::new(), "{target:?}");
    }
}

/// Every number that follows from others is recomputed.
#[test]
fn releases_that_were_changed_are_not_verified() {
    let good = json(&release(&people(), Options::default(), 5));
    assert!(faults(&good).is_empty());
    let count = good["found_categories"]["counts"][0]["noisy"].as_str().unwrap().to_owned();
    let more = format!("{}", count.parse::<i128>().unwrap() / 2);
    let changes: [(&str, Value); 12] = [
        ("/privacy/0/delta", 1e-12.into()),
        ("/privacy/1/delta", 2e-6.into()),
        ("/privacy/1/delta", Value::Null),
        ("/privacy/0/spent", 0.05.into()),
        ("/measurements/0/threshold", "1000".into()),
        ("/measurements/0/down", "12345678901".into()),
        ("/found_categories/threshold", 0.5.into()),
        ("/found_categories/delta", 1e-9.into()),
        ("/found_categories/counts/0/noisy", more.into()),
        ("/frequencies/0/estimate", 0.5001.into()),
        ("/frequencies/1/interval/upper", 0.99.into()),
        ("/others/interval/upper", 0.999.into()),
    ];
    for (at, value) in changes {
        let mut changed = good.clone();
        let place = changed.pointer_mut(at).unwrap_or_else(|| panic!("{at}"));
        assert_ne!(*place, value, "{at}");
        *place = value;
        assert!(!faults(&changed).is_empty(), "{at}");
    }
    for name in ["found_categories", "others"] {
        let mut without = good.clone();
        without.as_object_mut().unwrap().remove(name);
        assert!(!faults(&without).is_empty(), "{name}");
    }
}

#[test]
fn options_of_declared_categories_are_refused() {
    let refused =
        |options: Options| FoundRequest::new(delta("1e-6"), false, options).map(drop).unwrap_err();
    for (options, place) in [
        (Options::from(Neighbors::AddRemove), "categories"),
        (Options::from(Neighbors::Both), "categories"),
        (
            Options { estimator: Choice::Named(Estimator::Uniform), ..Options::default() },
            "estimator",
        ),
        (Options { tiers_differ: "5pp".parse().ok(), ..Options::default() }, "tiers_differ"),
        (Options { shrink: true, ..Options::default() }, "shrink"),
        (Options { confidence: 1.0, ..Options::default() }, "confidence"),
    ] {
        let error = refused(options);
        assert!(error.to_string().starts_with(&format!("{place}: ")), "{error}");
        assert!(error.fix().is_some(), "{error}");
    }
    let small = FoundRequest::new(delta("1e-31"), false, Options::default()).unwrap_err();
    assert!(small.to_string().starts_with("delta: "), "{small}");
    let table = table_of(&people(), categories(7).divided());
    let plan = plan(&people(), Options::default());
    let error = plan.release(table, &mut Randomness::insecure(1)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Table);
}

#[test]
fn public_people_alone_are_counted_exactly() {
    let rows = [(0.0, vec![1, 0, 3]), (f64::INFINITY, vec![2, 6, 0])];
    let options = Options { target: Target::Dataset, ..Options::default() };
    let release = release(&rows, options, 1);
    let shares: Vec<f64> = release.estimates.iter().map(|one| one.estimate).collect();
    assert_eq!(shown(&release), ["category 0", "category 1"]);
    assert!((shares[0] - 0.25).abs() < 1e-9 && (shares[1] - 0.75).abs() < 1e-9, "{shares:?}");
}

/// Share of the intervals of categories with these shares of the threshold that hold, of those
/// that show, and the number of them; the last pair is that of all others.
fn coverage(profile: &[(f64, u32)], target: Target, parts: &[f64], trials: u32) -> Vec<(f64, f64)> {
    let options = Options { target, ..Options::default() };
    let request = request(options);
    let text: Vec<String> = profile.iter().map(|(e, n)| format!("{e}:{n}")).collect();
    let plan = request.plan(text.join(",").parse().unwrap()).unwrap();
    let shares: Vec<f64> = parts.iter().map(|part| part * plan.share_shown_by_half()).collect();
    let mut dice = Dice(7);
    let mut seen = vec![(0.0, 0.0); shares.len() + 1];
    let mut drawn = |_: ()| -> Vec<Row> {
        let level = |(epsilon, count): &(f64, u32)| {
            // The last category is the rest.
            let mut counts = vec![0; shares.len() + 1];
            for _ in 0..*count {
                let mut at = dice.roll();
                let category = shares.iter().position(|share| {
                    at -= share;
                    at < 0.0
                });
                counts[category.unwrap_or(shares.len())] += 1;
            }
            (*epsilon, counts)
        };
        profile.iter().map(level).collect()
    };
    let rounded = |(epsilon, count): &(f64, u32)| {
        let counts = shares.iter().map(|share| (share * f64::from(*count)).round() as i128);
        let mut counts: Vec<i128> = counts.collect();
        counts.push(i128::from(*count) - counts.iter().sum::<i128>());
        (*epsilon, counts)
    };
    let fixed: Vec<Row> = profile.iter().map(rounded).collect();
    for seed in 0..trials {
        let rows = if target == Target::Population { drawn(()) } else { fixed.clone() };
        let n = profile.iter().map(|(_, count)| f64::from(*count)).sum::<f64>();
        let truth = |category: usize| match target {
            Target::Population => {
                shares.get(category).copied().unwrap_or(1.0 - shares.iter().sum::<f64>())
            }
            _ => rows.iter().map(|(_, counts)| counts[category] as f64).sum::<f64>() / n,
        };
        let release =
            plan.clone().release(table(&rows), &mut Randomness::insecure(u64::from(seed))).unwrap();
        let mut rest = 1.0;
        for one in &release.estimates {
            let interval = one.interval.unwrap();
            let (at, truth) = match &one.of {
                Quantity::Share(name) => {
                    let category: usize = name.trim_start_matches("category ").parse().unwrap();
                    rest -= truth(category);
                    (category, truth(category))
                }
                _ => (shares.len(), rest),
            };
            // The last category always shows, and its place is that of all others.
            if at == shares.len() && one.of != Quantity::OtherShares {
                continue;
            }
            seen[at].1 += 1.0;
            seen[at].0 += f64::from(interval.lower <= truth && truth <= interval.upper);
        }
    }
    seen
}

/// Intervals of categories that show hold in 95 % of these cases, wherever the threshold is: a
/// coverage of 93 % is not taken for it.
///
/// Of m cases the share that holds has a standard deviation of at most √(0.05·0.95/m); four of them
/// below 95 % is a false alarm of 3e-5, and 93 % is found with a probability above ½ from m = 1900
/// on. Fewer cases near the threshold allow for less.
#[test]
#[ignore = "takes seconds"]
fn intervals_of_categories_that_show_hold_near_the_threshold_and_beyond() {
    let parts = [0.6, 0.9, 1.0, 1.2, 2.0, 5.0];
    for (profile, target, trials) in [
        (&[(0.1, 4000), (1.0, 2000)][..], Target::Population, 1500),
        (&[(1.0, 3000)][..], Target::Dataset, 2000),
        (&[(8.0, 1500)][..], Target::Population, 2000),
        (&[(0.2, 4000), (1.0, 2000)][..], Target::DatasetCorrelated, 600),
    ] {
        let seen = coverage(profile, target, &parts, trials);
        for (part, (holds, cases)) in parts.iter().chain([&f64::NAN]).zip(&seen) {
            let least = 0.95 - 4.0 * (0.05 * 0.95 / cases.max(1.0)).sqrt();
            assert!(
                holds / cases.max(1.0) >= least || *cases < 20.0,
                "{target:?} {part}: {seen:?}"
            );
        }
        assert!(seen[2].1 > 0.3 * f64::from(trials) && seen[5].1 > 0.99 * f64::from(trials));
    }
}
