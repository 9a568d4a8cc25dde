//! CSV with other delimiters and in Latin-1 is read as CSV with commas in UTF-8 is.

use proptest::prelude::*;
use suum_data::{CsvForm, DecimalMark, Delimiter, Encoding, Progress, Scan, scan_csv};
use suum_testing::Extent;

use crate::common::{SECRET, bins, budgets, labels, like, value};

const LABELS: [&str; 4] = ["été", "good", "a;b", "c\td"];

fn form(delimiter: &str, encoding: &str) -> CsvForm {
    CsvForm {
        delimiter: delimiter.parse().unwrap(),
        encoding: encoding.parse().unwrap(),
        ..CsvForm::default()
    }
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

/// The rows with commas as decimal marks, in quotes or not.
fn with_commas(rows: &[(f64, f64, f64)], quoted: bool) -> String {
    let quote = if quoted { "\"" } else { "" };
    let cell = |number: f64| format!("{quote}{number}{quote}").replace('.', ",");
    let row = |(epsilon, x, w): &(f64, f64, f64)| {
        format!("{};{};{}\n", cell(*epsilon), cell(*x), cell(*w))
    };
    format!("e;x;w\n{}", rows.iter().map(row).collect::<String>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(64)))]

    /// Budgets, values, bins, what a filter compares, and labels that spell numbers.
    #[test]
    fn decimal_commas_spell_the_same_numbers(
        rows in prop::collection::vec(
            (
                prop::sample::select(vec![0.1, 1.0]),
                -1.0..9.0_f64,
                prop::sample::select(vec![1.0, 2.5]),
            ),
            1..30,
        ),
        quoted: bool,
    ) {
        let progress = Progress::default();
        let points = with_commas(&rows, quoted).replace(',', ".");
        let text = with_commas(&rows, quoted);
        let values = [
            value("x"),
            bins("x", "-10,0.5,2.5,10", None, None),
            labels("w", "1,2.50", None, None),
        ];
        for value in values {
            for filter in [None, Some("w >= 1.5 OR w IS NULL OR x < 2.5")] {
                let scan = Scan {
                    csv: form(";", "utf-8"),
                    filter: filter.map(|filter| filter.parse().unwrap()),
                    public: ["w", "x"].map(str::to_owned).into(),
                    ..Scan::new(budgets("e"), value.clone())
                };
                let csv = CsvForm { decimal: DecimalMark::Comma, ..scan.csv };
                let commas = Scan { csv, filter: scan.filter.clone(), ..like(&scan) };
                prop_assert_eq!(
                    scan_csv(text.as_bytes(), &commas, &progress),
                    scan_csv(points.as_bytes(), &scan, &progress)
                );
            }
        }
    }
}

#[test]
fn points_and_thousands_are_no_numbers_beside_decimal_commas() {
    let csv = CsvForm { decimal: DecimalMark::Comma, ..form(";", "utf-8") };
    let scan = Scan { csv, ..Scan::new(budgets("e"), value("x")) };
    for (cells, problem) in [
        ("1;1.5", "column x, row 1: not a number"),
        ("1;1.234,5", "column x, row 1: not a number"),
        ("1;1,234,5", "column x, row 1: not a number"),
        ("0.5;1", "column e, row 1: not a privacy budget"),
        ("0.5;x", "column e, row 1: not a privacy budget"),
    ] {
        let text = format!("e;x\n{cells}\n");
        let refused = scan_csv(text.as_bytes(), &scan, &Progress::default()).unwrap_err();
        assert_eq!(refused.to_string(), problem, "{cells}");
        assert!(
            refused.fix().unwrap().to_string().contains("with a comma as decimal mark"),
            "{refused:?}"
        );
    }
    let points = Scan { csv: form(";", "utf-8"), ..like(&scan) };
    for cells in ["1;1,5", "0,5;1"] {
        let text = format!("e;x\n{cells}\n");
        let refused = scan_csv(text.as_bytes(), &points, &Progress::default()).unwrap_err();
        assert!(refused.fix().unwrap().to_string().contains("say decimal=,"), "{refused:?}");
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
    for text in ["", ";", "'", "..", "tab", "comma"] {
        assert!(text.parse::<DecimalMark>().unwrap_err().to_string().starts_with("decimal: "));
    }
    for (text, hint) in [
        (format!("e;x\n1;{SECRET}\n").into_bytes(), "delimiter=;"),
        (format!("e\tx\n1\t{SECRET}\n").into_bytes(), "delimiter=tab"),
        (
            format!("e,é{SECRET}\n").into_bytes().into_iter().filter(|b| *b != 0xc3).collect(),
            "latin-1",
        ),
    ] {
        let scan = Scan::new(budgets("e"), value("x"));
        let refused = scan_csv(&text[..], &scan, &Progress::default()).unwrap_err();
        assert!(!refused.to_string().contains(SECRET), "{refused}");
        assert!(refused.fix().unwrap().to_string().contains(hint), "{refused:?}");
    }
}
