//! Random samples of blocks: the same decisions whatever the timing, other ones in each block.

use std::collections::HashSet;

use suum_core::{
    Choice, Epsilon, Estimator, LevelTable, Mechanism, Options, Randomness, Request,
    SampleThreshold,
};

use super::Input;
use crate::classes::Classes;
use crate::job::Job;
use crate::progress::Progress;
use crate::sample::Sample;
use crate::scan::{PrivacyColumn, Scan};
use crate::value::{CategoryColumn, Value};

const RECORDS: usize = 1600;

/// Records of one budget, kept with probability (e − 1)/(e^1.5 − 1), about one half; each is its
/// own category.
fn sampling(seed: u64) -> Scan {
    let names = (0..RECORDS).map(|record| format!("{record:04}")).collect();
    let classes = Classes::labels(names, None).unwrap();
    let options = Options {
        estimator: Choice::Named(Estimator::Sample),
        sample_threshold: SampleThreshold::At(Epsilon::new(1.5).unwrap()),
        ..Options::default()
    };
    let request = Request::frequency(classes.categories().clone(), options).unwrap();
    let plan = request.plan(format!("1:{RECORDS},1.5:1").parse().unwrap()).unwrap();
    let Mechanism::SampledSum(sum) = plan.mechanism() else { panic!("the estimator was named") };
    Scan {
        sample: Some(Sample::new(sum.clone(), &mut Randomness::insecure(seed))),
        ..Scan::new(
            PrivacyColumn::Budgets { column: "e".into() },
            Some(Value::Category(CategoryColumn { column: "v".into(), classes, missing: None })),
        )
    }
}

fn in_blocks(block_bytes: usize, first_piece: u64, seed: u64) -> LevelTable {
    let text: String = (0..RECORDS).map(|record| format!("1,{record:04}\n")).collect();
    let text = format!("e,v\n{text}");
    let inputs = vec![Input::reader(None, Box::new(text.as_bytes()))];
    let scan = sampling(seed);
    let job = Job::new(&scan);
    let part = super::scan(inputs, &job, &Progress::default(), block_bytes, first_piece).unwrap();
    part.collected.finish(&job).unwrap().into_table(&job).unwrap()
}

fn decisions(table: &LevelTable) -> Vec<bool> {
    table.cohorts()[0].sums.iter().map(|count| count.expose_raw() == 1).collect()
}

#[test]
fn the_timing_of_threads_decides_nothing() {
    let table = in_blocks(28, 0, 7);
    for _ in 0..20 {
        assert_eq!(in_blocks(28, 0, 7), table);
    }
    assert_ne!(in_blocks(28, 0, 8), table);
    assert_ne!(in_blocks(28, 1000, 7), table);
}

#[test]
fn no_two_blocks_share_a_stream() {
    // Blocks of four records of seven bytes, but for the first one with the header.
    let decisions = decisions(&in_blocks(28, 0, 7));
    let patterns: HashSet<_> = decisions.chunks(4).collect();
    assert_eq!(patterns.len(), 16, "of 400 blocks some decide in each way");
    // Independent decisions agree over any distance in half of the cases, give or take five
    // standard deviations.
    for distance in 1..RECORDS / 2 {
        let same =
            (distance..RECORDS).filter(|record| decisions[*record] == decisions[record - distance]);
        let (same, pairs) = (same.count() as f64, (RECORDS - distance) as f64);
        assert!(
            (same - pairs * 0.5).abs() < 5.0 * pairs.sqrt() / 2.0 + 0.01 * pairs,
            "{same} of {pairs}"
        );
    }
}

#[test]
fn a_later_run_goes_on_where_the_one_before_ended() {
    let whole = decisions(&in_blocks(28, 0, 7));
    let scan = sampling(7);
    let job = Job::new(&scan);
    let text = b"e,v\n1,0000\n1,0001\n1,0002\n1,0003\n1,0004\n".as_slice();
    let read = |first_piece| {
        let inputs = vec![Input::reader(None, Box::new(text))];
        super::scan(inputs, &job, &Progress::default(), 28, first_piece).unwrap()
    };
    let first = read(0);
    assert_eq!(first.pieces, 2);
    let both = [first, read(2)]
        .map(|part| decisions(&part.collected.finish(&job).unwrap().into_table(&job).unwrap()));
    assert_eq!(both[0][..5], whole[..5]);
    assert_ne!(both[0], both[1]);
}
