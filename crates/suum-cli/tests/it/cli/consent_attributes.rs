//! Public attributes of people in a register, in place of columns of the data.

use std::fs;
use std::sync::Arc;

use parquet::arrow::ArrowWriter;
use rusqlite::Connection;
use suum::arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use tempfile::TempDir;

use super::common::{LedgerFolder, json, refused, release, stdout};

/// People by their number: tier, region, age class and design weight.
fn person(id: usize) -> (&'static str, &'static str, &'static str, f64) {
    let tier = ["strict", "open", "public"][id % 3];
    (tier, ["n", "s"][id / 2 % 2], ["young", "old"][id % 2], [1.0, 2.5][id / 3 % 2])
}

const PEOPLE: usize = 60;

/// The data with all columns, the data without those of the register, and the register.
struct Files {
    folder: TempDir,
    beside: String,
    data: String,
    register: String,
}

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name).to_str().unwrap().to_owned();
            fs::write(&path, text).unwrap();
            path
        };
        let (mut beside, mut data) = ("id,x,c,region,age,w\n".to_owned(), "id,x\n".to_owned());
        let mut register = "id,c,region,age,w\n".to_owned();
        for id in 0..PEOPLE {
            let (tier, region, age, weight) = person(id);
            beside += &format!("{id},{},{tier},{region},{age},{weight}\n", id % 5);
            data += &format!("{id},{}\n", id % 5);
            register += &format!("{id},{tier},{region},{age},{weight:.2}\n");
        }
        let (beside, data) = (write("beside.csv", &beside), write("data.csv", &data));
        let register = write("register.csv", &register);
        Self { beside, data, register, folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// Data and register of the CSV files as Parquet files, with keys that are numbers.
    fn parquet(&self) -> [String; 2] {
        let ids: ArrayRef = Arc::new((0..PEOPLE as i64).collect::<Int64Array>());
        let text = |of: fn(usize) -> &'static str| -> ArrayRef {
            Arc::new((0..PEOPLE).map(|id| Some(of(id))).collect::<StringArray>())
        };
        let values: ArrayRef =
            Arc::new((0..PEOPLE).map(|id| Some((id % 5) as f64)).collect::<Float64Array>());
        let weights: ArrayRef =
            Arc::new((0..PEOPLE).map(|id| Some(person(id).3)).collect::<Float64Array>());
        let write = |name: &str, columns: Vec<(&str, ArrayRef)>| {
            let batch = RecordBatch::try_from_iter(columns).unwrap();
            let file = fs::File::create(self.path(name)).unwrap();
            let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
            writer.write(&batch).unwrap();
            writer.close().unwrap();
            self.path(name)
        };
        let register = vec![
            ("id", Arc::clone(&ids)),
            ("c", text(|id| person(id).0)),
            ("region", text(|id| person(id).1)),
            ("age", text(|id| person(id).2)),
            ("w", weights),
        ];
        [write("data.parquet", vec![("id", ids), ("x", values)]), write("r.parquet", register)]
    }

    fn sqlite(&self) -> String {
        let path = self.path("study.sqlite");
        let database = Connection::open(&path).unwrap();
        let tables = "CREATE TABLE people (id INTEGER, x REAL);
            CREATE TABLE register (id INTEGER, c TEXT, region TEXT, age TEXT, w TEXT)";
        database.execute_batch(tables).unwrap();
        for id in 0..PEOPLE {
            let (tier, region, age, weight) = person(id);
            database.execute("INSERT INTO people VALUES (?, ?)", (id, id % 5)).unwrap();
            let row = (id, tier, region, age, weight.to_string());
            database.execute("INSERT INTO register VALUES (?, ?, ?, ?, ?)", row).unwrap();
        }
        path
    }
}

const MEAN: [&str; 10] = [
    "--value",
    "x",
    "--bounds",
    "0,4",
    "--insecure-seed",
    "3",
    "--privacy",
    "c",
    "--levels",
    "strict=0.5,open=2,public=inf",
];
const ATTRIBUTES: [&str; 4] = ["--key", "id", "--consent-attributes", "region,age,w"];

#[test]
fn attributes_are_as_columns_of_the_data() {
    let files = Files::new();
    let [parquet, parquet_register] = files.parquet();
    let sqlite = files.sqlite();
    let by_region = ["--group-by", "region", "--groups", "n,s"];
    let by_both = ["--group-by", "region,age", "--groups", "n,s", "--groups", "young,old"];
    let strata = ["--strata", "age", "--population-shares", "young=0.4,old=0.6"];
    let weights = ["--weight", "w", "--classes", "1,2.5"];
    for more in [
        &by_region[..],
        &by_both,
        &strata,
        &weights,
        &[&by_region[..], &strata].concat(),
        &[&by_region[..], &["--person", "id"]].concat(),
        &[&by_region[..], &["--neighbors", "both"]].concat(),
    ] {
        let of = |data: &str, apart: &[&str]| {
            release(&[&["mean", data][..], &MEAN, more, apart].concat())
        };
        let expected = of(&files.beside, &[]);
        let apart = |register: &'static str| [&["--consent", register][..], &ATTRIBUTES].concat();
        let register: &'static str = Box::leak(files.register.clone().into_boxed_str());
        assert_eq!(of(&files.data, &apart(register)), expected, "{more:?}");
        let register: &'static str = Box::leak(parquet_register.clone().into_boxed_str());
        assert_eq!(of(&files.data, &apart(register)), expected, "{more:?}");
        assert_eq!(of(&parquet, &apart(register)), expected, "{more:?}");
        let table = [&apart("register")[..], &["--table", "people"]].concat();
        assert_eq!(of(&sqlite, &table), expected, "{more:?}");
    }
}

#[test]
fn decisions_over_time_and_ledgers_have_attributes_too() {
    let files = Files::new();
    let rows: String = (0..PEOPLE)
        .map(|id| {
            let (tier, region, ..) = person(id);
            // A withdrawal need not repeat what else is known.
            let later = if id == 0 { "0,,,2026-02-01,withdrawn\n" } else { "" };
            format!("{id},{tier},{region},2026-01-01,active\n{later}")
        })
        .collect();
    let register = files.write("dated.csv", &format!("id,c,region,signed,status\n{rows}"));
    let ledger = LedgerFolder::new("d", &["--persons", "--levels", "strict=0.5,open=2,public=inf"]);
    let path = ledger.ledger();
    let mean = ["mean", &files.data, "--value", "x", "--bounds", "0,4", "--privacy", "c"];
    let charged = ["--person", "id", "--ledger", &path, "--spend", "10%"];
    let groups = ["--group-by", "region", "--groups", "n,s"];
    let consent = ["--consent", &register, "--key", "id", "--consent-attributes", "region"];
    let dates = ["--consent-from", "signed", "--consent-status", "status"];
    let found = json(&[&mean[..], &charged, &groups, &consent, &dates].concat());
    assert_eq!(found["consent"]["not_used"], 1);
    assert_eq!(found["groups"].as_array().unwrap().len(), 2);
    stdout(&["ledger", "verify", &path]);
    // Amendments have no use for them.
    let amend = ["ledger", "amend", &path, "--privacy", "c"];
    let (_, message) = refused(&[&amend[..], &consent].concat());
    assert!(message.starts_with("error: consent-attributes: "), "{message}");
}

#[test]
fn attributes_that_cannot_be_used_are_refused() {
    let files = Files::new();
    let mean = [&["mean", &files.data][..], &MEAN].concat();
    let of = |register: &str, more: &[&str]| {
        let consent = ["--consent", register, "--key", "id"];
        let words = [&mean[..], &consent, more].concat();
        refused(&words).1
    };
    let region = ["--consent-attributes", "region"];
    let groups = ["--group-by", "region", "--groups", "n,s"];
    let grouped = [&region[..], &groups].concat();
    let twice =
        files.write("twice.csv", "id,c,region,day\n7,open,n,2026-01-01\n7,open,s,2026-02-01\n");
    let dated = [&grouped[..], &["--consent-from", "day"]].concat();
    let message = of(&twice, &dated);
    assert!(message.contains("column region, row 2: an earlier row of the key"), "{message}");
    let message = of(&twice, &[&dated[..], &["--neighbors", "both"]].concat());
    assert!(message.starts_with("error: consent-attributes: "), "{message}");
    let unused = ["--missing-consent", "0", "--neighbors", "add-remove"];
    let message = of(&files.register, &[&grouped[..], &unused].concat());
    assert!(message.starts_with("error: consent-attributes: "), "{message}");
    // The data's own column of that name is not public because the register's is.
    let clash = files.write("clash.csv", "id,x,region\n0,1,n\n1,2,s\n");
    let chosen = ["mean", &clash, "--where", "region = 'n'", "--consent", &files.register];
    let (_, message) = refused(&[&chosen[..], &MEAN, &["--key", "id"], &grouped].concat());
    assert!(message.starts_with("error: where: "), "{message}");
    // A label that is not declared is told by the row of the data, and not by the person.
    let message = of(&files.register, &[&region[..], &groups[..3], &["n,x"]].concat());
    assert!(message.contains("column region, row 3: "), "{message}");
    // Whoever has no row has no attribute.
    let few = files.write("few.csv", "id,c,region\n0,open,n\n");
    let message = of(&few, &[&grouped[..], &["--missing-consent", "0"]].concat());
    assert!(message.contains("column region, row 2: "), "{message}");
    let message = of(&files.register, &["--consent-attributes", "regoin"]);
    assert!(message.contains("column regoin: there is no such column"), "{message}");
    let weight = ["--consent-attributes", "w", "--weight", "w"];
    let message = of(&files.register, &weight);
    assert!(message.starts_with("error: weight: the register has the weights"), "{message}");
    let message = of(&files.register, &["--consent-attributes", "c,region,age,w,id"]);
    assert!(message.starts_with("error: consent-attributes: there are more than four"));
    let (_, message) = refused(&[&mean[..], &region].concat());
    assert!(message.starts_with("error: consent-attributes: there is no register"), "{message}");
    // A database says whether a number is a label.
    let database = Connection::open(files.sqlite()).unwrap();
    let real = "CREATE TABLE weighted (id INTEGER, c TEXT, w REAL);
        INSERT INTO weighted SELECT id, c, CAST(w AS REAL) FROM register";
    database.execute_batch(real).unwrap();
    let (sqlite, consent) = (files.path("study.sqlite"), ["--consent", "weighted", "--key", "id"]);
    let weight = ["--table", "people", "--consent-attributes", "w", "--weight", "w"];
    let declared = ["--classes", "1,2.5"];
    let words = [&["mean", &sqlite][..], &MEAN, &consent, &weight, &declared].concat();
    let (_, message) = refused(&words);
    assert!(message.contains("an attribute is neither text nor an integer"), "{message}");
}
