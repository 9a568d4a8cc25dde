//! Random samples: each record stays with the probability of its level, independently of all
//! others.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, StringArray};
use suum_core::{
    Bounds, Choice, Epsilon, ErrorKind, Estimator, LevelTable, Mechanism, Options, Profile,
    Randomness, Request, SampleThreshold, Sampled, SampledSum, Statistic,
};
use suum_data::{Progress, Sample, Scan, UnboundedColumn, Value, scan_csv, spool_csv};

use crate::common::{budgets, labels, scan_path, sums, tiers, value, write_parquet};

fn sampled_sum(profile: Profile, threshold: f64) -> SampledSum {
    let options = Options {
        estimator: Choice::Named(Estimator::Sample),
        sample_threshold: SampleThreshold::At(Epsilon::new(threshold).unwrap()),
        ..Options::default()
    };
    let request = Request::new(Statistic::Mean, Bounds::new(0.0, 8.0).unwrap(), options).unwrap();
    match request.plan(profile).unwrap().mechanism() {
        Mechanism::SampledSum(sum) => sum.clone(),
        other => unreachable!("the estimator was named: {other:?}"),
    }
}

/// A scan that samples the records of this profile at the threshold.
fn sampling(profile: &str, threshold: f64, value: Option<Value>, seed: u64) -> Scan {
    let sum = sampled_sum(profile.parse().unwrap(), threshold);
    let sample = Some(Sample::new(sum, &mut Randomness::insecure(seed)));
    Scan { sample, ..Scan::new(budgets("e"), value) }
}

fn from_text(text: &str, scan: &Scan) -> LevelTable {
    scan_csv(text.as_bytes(), scan, &Progress::default()).unwrap()
}

fn kept(table: &LevelTable) -> Vec<i128> {
    table.cohorts().iter().map(|cohort| cohort.kept.as_ref().unwrap().expose_raw()).collect()
}

const PROFILE: &str = "0:500,0.2:60000,0.5:60000,1:60000,2:700,inf:300";

/// The records of [`PROFILE`], all levels mixed, each with the value 1 and its budget as label.
fn mixed() -> String {
    let profile: Profile = PROFILE.parse().unwrap();
    let mut text = String::from("e,v,label\n");
    for row in 0..60_000 {
        for level in profile.levels().iter().filter(|level| row < level.count) {
            writeln!(text, "{},1,{}", level.epsilon, level.epsilon).unwrap();
        }
    }
    text
}

#[test]
fn samples_need_bounds_and_a_public_profile() {
    let column = UnboundedColumn { column: "v".into(), missing: None };
    let spooled = sampling("0.1:3,1:3", 0.5, Some(Value::Unbounded(column)), 3);
    let hidden = Scan {
        add_remove: Some("0.1,1".parse().unwrap()),
        ..sampling("0.1:3,1:3", 0.5, value("v"), 3)
    };
    for refused in [
        spool_csv(&b"e,v\n1,1\n"[..], &spooled, &Progress::default()).map(|_| ()),
        scan_csv(&b"e,v\n1,1\n"[..], &hidden, &Progress::default()).map(|_| ()),
    ] {
        let refused = refused.unwrap_err();
        assert!(
            refused.to_string().starts_with("sample: ") && refused.hint().is_some(),
            "{refused}"
        );
        assert_eq!(refused.kind(), ErrorKind::Request);
    }
}

#[test]
fn each_level_is_kept_with_its_probability() {
    let scan = sampling(PROFILE, 2.0, value("v"), 11);
    let sum = sampled_sum(PROFILE.parse().unwrap(), 2.0);
    let table = from_text(&mixed(), &scan);
    assert_eq!(table.profile().unwrap().to_string(), PROFILE, "everybody is counted");
    let kept = kept(&table);
    assert_eq!((kept[0], kept[4], kept[5]), (0, 700, 300), "never, always, always");
    for (cohort, kept) in
        table.cohorts().iter().zip(&kept).filter(|(cohort, _)| cohort.count == 60_000)
    {
        let keep = sum.keep(cohort.epsilon).numerator() as f64 / 2f64.powi(64);
        // Five standard deviations of a binomial: a false alarm in 1 of 1.7 million seeds.
        let count = 60_000.0;
        let allowed = 5.0 * (count * keep * (1.0 - keep)).sqrt();
        let surplus = *kept as f64 - count * keep;
        assert!(surplus.abs() < allowed, "{:?}: {surplus} of {allowed}", cohort.epsilon);
        assert!(
            count * keep * 0.25 > 2.0 * allowed,
            "a probability that is off by a quarter would be noticed"
        );
    }
    // Every value is 1 of 8.
    let steps = table.grid().unwrap().points() as i128;
    assert_eq!(sums(&table), kept.iter().map(|kept| vec![kept * (steps / 8)]).collect::<Vec<_>>());
}

#[test]
#[ignore = "takes seconds"]
fn the_same_seed_gives_the_same_table_in_all_forms() {
    let text = mixed();
    let categories = labels("label", "0,0.2,0.5,1,2,inf", None, None);
    let plain = from_text(&text, &Scan { sample: None, ..sampling(PROFILE, 2.0, value("v"), 3) });
    assert!(plain.cohorts().iter().all(|cohort| cohort.kept.is_none()));

    let table = |seed, value| from_text(&text, &sampling(PROFILE, 2.0, value, seed));
    for what in [value("v"), categories.clone()] {
        assert_eq!(table(3, what.clone()), table(3, what.clone()));
        assert_ne!(kept(&table(3, what.clone())), kept(&table(4, what)));
    }
    let (by_sum, by_count) = (table(3, value("v")), table(3, categories.clone()));
    assert_eq!(kept(&by_sum), kept(&by_count), "decisions do not depend on values");
    let counts = sums(&by_count);
    for (level, kept) in kept(&by_count).into_iter().enumerate() {
        assert_eq!((counts[level][level], counts[level].iter().sum()), (kept, kept));
    }
    // Tiers with the same budgets.
    let names = "0=0,0.2=0.2,0.5=0.5,1=1,2=2,inf=inf";
    let by_tier = Scan { privacy: tiers("e", names), ..sampling(PROFILE, 2.0, categories, 3) };
    assert_eq!(sums(&from_text(&text, &by_tier)), counts);
}

#[test]
fn two_samples_of_one_randomness_decide_independently() {
    let sum = sampled_sum("1:4000,1.5:1".parse().unwrap(), 1.5);
    let names: Vec<String> = (0..4000).map(|row| format!("f{row}")).collect();
    let text: String = names.iter().map(|name| format!("1,{name}\n")).collect();
    let text = format!("e,v\n{text}");
    let mut randomness = Randomness::insecure(5);
    let mut decisions = || -> Vec<bool> {
        let sample = Some(Sample::new(sum.clone(), &mut randomness));
        let value = labels("v", &names.join(","), None, None);
        let table = from_text(&text, &Scan { sample, ..Scan::new(budgets("e"), value) });
        sums(&table)[0].iter().map(|count| *count == 1).collect()
    };
    let (one, other) = (decisions(), decisions());
    let same = one.iter().zip(&other).filter(|(one, other)| one == other).count() as f64;
    // Kept with probability 0.49: independent decisions agree in half of the cases, give or take
    // five standard deviations.
    assert!((same - 2000.0).abs() < 5.0 * 1000f64.sqrt() + 4.0, "{same} of 4000");
}

#[test]
fn the_table_says_whose_sample_it_is_and_whether_it_is_secret() {
    let sum = sampled_sum("1:400,1.5:1".parse().unwrap(), 1.5);
    for (mut randomness, private) in
        [(Randomness::insecure(5), false), (Randomness::from_entropy([5; 32]), true)]
    {
        let sample = Some(Sample::new(sum.clone(), &mut randomness));
        let scan = Scan { sample, ..Scan::new(budgets("e"), value("v")) };
        let table = from_text("e,v\n1,8\n1.5,8\n", &scan);
        assert_eq!(table.sampled(), Some(&Sampled { by: sum.clone(), private }));
        let everybody = from_text("e,v\n1,8\n1.5,8\n", &Scan { sample: None, ..scan });
        assert_eq!(everybody.sampled(), None);
    }
}

/// Which of the files `0` to `n − 1` keep their one record; the files are written by `write`.
fn kept_files(files: usize, write: impl Fn(&Path, usize)) -> Vec<bool> {
    let folder = tempfile::tempdir().unwrap();
    (0..files).for_each(|file| write(&folder.path().join(format!("{file:04}")), file));
    let names: Vec<String> = (0..files).map(|file| format!("f{file}")).collect();
    // Kept with probability (e − 1)/(e^1.5 − 1), about one half.
    let profile = format!("1:{files},1.5:1");
    let scan = sampling(&profile, 1.5, labels("v", &names.join(","), None, None), 5);
    let table = scan_path(folder.path(), &scan).unwrap();
    assert_eq!(table, scan_path(folder.path(), &scan).unwrap());
    sums(&table)[0].iter().map(|count| *count == 1).collect()
}

fn csv_file(path: &Path, file: usize) {
    std::fs::write(path.with_extension("csv"), format!("e,v\n1,f{file}\n")).unwrap();
}

fn parquet_file(path: &Path, file: usize) {
    let e: ArrayRef = Arc::new(Float64Array::from(vec![1.0]));
    let v: ArrayRef = Arc::new(StringArray::from(vec![format!("f{file}")]));
    write_parquet(&path.with_extension("parquet"), &[("e", e), ("v", v)], 10);
}

#[test]
fn no_two_files_share_a_stream() {
    let csv = kept_files(200, csv_file);
    let parquet = kept_files(200, parquet_file);
    let runs = kept_files(200, |path, file| match file / 40 % 2 {
        0 => csv_file(path, file),
        _ => parquet_file(path, file),
    });
    for kept in [&csv, &parquet, &runs] {
        // Independent decisions agree over any distance in half of the cases; shared streams would
        // agree in all.
        for distance in 1..100 {
            let same = (distance..200).filter(|file| kept[*file] == kept[file - distance]).count();
            let pairs = (200 - distance) as f64;
            assert!((same as f64) < pairs * 0.85, "{same} of {pairs} at a distance of {distance}");
        }
    }
    // Pieces are numbered in the order of the files, whatever their format.
    assert_eq!(csv, parquet);
    assert_eq!(csv, runs);
}

#[test]
fn row_groups_have_streams_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let rows = 400;
    let e: ArrayRef = Arc::new(Float64Array::from(vec![1.0; rows]));
    let names: Vec<String> = (0..4).map(|row| format!("f{row}")).collect();
    let v: ArrayRef = Arc::new(StringArray::from_iter_values((0..rows).map(|row| &names[row % 4])));
    write_parquet(&path, &[("e", e), ("v", v)], 4);
    let scan = sampling("1:400,1.5:1", 1.5, labels("v", &names.join(","), None, None), 5);
    let table = scan_path(&path, &scan).unwrap();
    // With one stream for all 100 row groups each of the four places would be kept always or never.
    assert!(sums(&table)[0].iter().all(|count| (20..80).contains(count)), "{:?}", sums(&table));
}

#[test]
fn budgets_that_were_rounded_have_the_probability_of_their_level() {
    let mut text = String::from("e,v\n");
    for number in 0..65_537 {
        writeln!(text, "{},1", 1.0 + f64::from(number) / 16_777_216.0).unwrap();
        // A level that moves when those before it become one.
        if number == 1 {
            text.push_str("1.5,1\n");
        }
    }
    text.push_str(&"1.5,1\n".repeat(999));
    let everybody = Scan::new(budgets("e"), value("v"));
    let profile = from_text(&text, &everybody).profile().unwrap();
    assert_eq!(profile.levels().len(), 6);
    let sum = sampled_sum(profile.clone(), 1.5);
    let keep = |epsilon| sum.keep(epsilon).numerator() as f64 / 2f64.powi(64);
    let sample = Some(Sample::new(sum.clone(), &mut Randomness::insecure(9)));
    let table = from_text(&text, &Scan { sample, ..everybody });
    assert_eq!(table.profile().unwrap(), profile);
    assert_eq!(kept(&table)[5], 1000, "always kept");
    for (cohort, kept) in table.cohorts().iter().zip(kept(&table)) {
        let (count, keep) = (cohort.count as f64, keep(cohort.epsilon));
        assert!(keep > 0.4, "the level is in the profile");
        // Five standard deviations, and room for the level of a single record.
        let allowed = 5.0 * (count * keep * (1.0 - keep)).sqrt() + 1.0;
        assert!((kept as f64 - count * keep).abs() < allowed, "{kept} of {count}");
    }
}

#[test]
fn budgets_nobody_planned_for_are_dropped() {
    let scan = sampling("1:400,1.5:1", 1.5, value("v"), 5);
    let table = from_text("e,v\n1.5,8\n0.7,8\n3,8\n", &scan);
    assert_eq!(kept(&table), [0, 1, 0]);
}

#[test]
fn without_a_value_there_is_nothing_to_sample() {
    let scan = sampling("1:400,1.5:1", 1.5, None, 5);
    let refused = scan_csv(&b"e\n1\n"[..], &scan, &Progress::default()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Request);
    assert_eq!(refused.to_string(), "sample: without a value column there is nothing to sample");
    assert!(refused.hint().is_some());
}

#[test]
fn debug_shows_no_state_of_the_generator() {
    let shown = |seed| format!("{:?}", sampling("1:400,1.5:1", 1.5, None, seed));
    assert_eq!(shown(1), shown(2));
}
