//! CSV with other delimiters and in Latin-1 is read as CSV with commas in UTF-8 is.

use proptest::prelude::*;
use suum_data::{CsvForm, Delimiter, Encoding, Progress, Scan, scan_csv};
use suum_testing::Extent;

use crate::common::{SECRET, budgets, labels, like, value};

const LABELS: [&str; 4] = ["été", "good", "a;b", "c\td"];

fn form(delimiter: &str, encoding: &str) -> CsvForm {
    CsvForm { delimiter: delimiter.parse().unwrap(), encoding: encoding.parse().unwrap() }
}

/// The rows with this delimiter; every label is in quotes, or none that has a delimiter in it.
fn written(rows: &[(f64, f64, usize)], delimiter: char, quoted: bool) -> String {
    let mut text = format!("e{delimiter}x{delimiter}label\n");
    for (epsilon, x, label) in rows {
        let label = LABELS[*label];
        let quote = if quoted || label.contains(delimiter) { "\"" } else { "" };
        text += &format!("{epsilon}{delimiter} {x}{delimiter}{quote}{label}{quote}\n");
    }
    text
}

/// Text in Latin-1.
fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(64)))]

    #[test]
    fn every_form_has_the_same_records(
        rows in prop::collection::vec(
            (prop::sample::select(vec![0.1, 1.0]), -1.0..9.0_f64, 0..LABELS.len()), 1..30,
        ),
        quoted: bool,
    ) {
        let progress = Progress::default();
        for value in [value("x"), labels("label", "été,a;b", Some("else"), None)] {
            let scan = Scan::new(budgets("e"), value);
            let expected = scan_csv(written(&rows, ',', quoted).as_bytes(), &scan, &progress);
            let expected = expected.unwrap();
            for (name, delimiter) in [(";", ';'), ("tab", '\t'), ("|", '|'), (",", ',')] {
                let text = written(&rows, delimiter, quoted);
                let scan = Scan { csv: form(name, "utf-8"), ..like(&scan) };
                prop_assert_eq!(&scan_csv(text.as_bytes(), &scan, &progress).unwrap(), &expected);
                let scan = Scan { csv: form(name, "latin-1"), ..like(&scan) };
                let bytes = latin(&text);
                prop_assert_eq!(&scan_csv(&bytes[..], &scan, &progress).unwrap(), &expected);
            }
        }
    }
}

/// More than the blocks that files are read in.
#[test]
fn long_files_are_cut_between_records() {
    let progress = Progress::default();
    let rows = vec![(1.0, 2.5, 2); 400_000];
    let scan = Scan::new(budgets("e"), labels("label", "été,a;b", None, None));
    let text = written(&rows, ';', true);
    assert!(text.len() > 4 << 20);
    let semicolons = Scan { csv: form(";", "utf-8"), ..like(&scan) };
    let found = scan_csv(text.as_bytes(), &semicolons, &progress).unwrap();
    assert_eq!(found.records(), 400_000);
    let latin_1 = Scan { csv: form(";", "latin-1"), ..like(&scan) };
    assert_eq!(scan_csv(text.as_bytes(), &latin_1, &progress).unwrap(), found);
}

#[test]
fn what_the_form_cannot_be_is_said() {
    for text in ["", "a", "1", "\"", "\n", " ", ".", "-", "+", ";;", "é"] {
        let refused = text.parse::<Delimiter>().unwrap_err();
        assert!(refused.to_string().starts_with("delimiter: "), "{text}");
    }
    assert!("utf-16".parse::<Encoding>().is_err());
    for (text, hint) in [
        (format!("e;x\n1;{SECRET}\n").into_bytes(), "--delimiter ';'"),
        (format!("e\tx\n1\t{SECRET}\n").into_bytes(), "--delimiter tab"),
        (
            format!("e,é{SECRET}\n").into_bytes().into_iter().filter(|b| *b != 0xc3).collect(),
            "latin-1",
        ),
    ] {
        let scan = Scan::new(budgets("e"), value("x"));
        let refused = scan_csv(&text[..], &scan, &Progress::default()).unwrap_err();
        assert!(!refused.to_string().contains(SECRET), "{refused}");
        assert!(refused.hint().unwrap().contains(hint), "{refused:?}");
    }
}
