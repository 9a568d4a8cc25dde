//! Every input of the corpus, without a fuzzer.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use suum_fuzz::TARGETS;

#[test]
fn nothing_is_wrong_with_any_input() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let folders: BTreeSet<String> = fs::read_dir(&corpus)
        .unwrap()
        .map(|folder| folder.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(folders, TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect());
    for (name, target) in TARGETS {
        let inputs = fs::read_dir(corpus.join(name)).unwrap();
        let inputs: Vec<Vec<u8>> =
            inputs.map(|input| fs::read(input.unwrap().path()).unwrap()).collect();
        assert!(inputs.len() >= 4, "{name}");
        for input in inputs.iter().chain([&Vec::new()]) {
            target(input);
            // Cut short, as readers find files that were not written to their end.
            target(&input[..input.len() / 2]);
        }
    }
}
