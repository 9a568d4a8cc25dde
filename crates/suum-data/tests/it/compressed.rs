//! Packed CSV is what it was before it was packed.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::write::GzEncoder;
use suum_core::{ErrorKind, LevelTable};
use suum_data::{Progress, Scan, Source, scan};

use crate::common::{SECRET, budgets, scan_path, value};

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text).unwrap();
    packed.finish().unwrap()
}

fn zstandard(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 1).unwrap()
}

fn rows(range: std::ops::Range<u32>) -> String {
    range.map(|row| format!("{},{}.25\n", [0.1, 0.5][row as usize % 2], row % 8)).collect()
}

fn what() -> Scan {
    Scan::new(budgets("e"), value("v"))
}

fn table(path: &Path) -> LevelTable {
    scan_path(path, &what()).unwrap()
}

#[test]
#[ignore = "takes seconds"]
fn packed_files_give_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // More than a block of 4 MiB when unpacked.
    let (first, second) = (format!("e,v\n{}", rows(0..400_000)), rows(400_000..700_001));
    let text = format!("{first}{second}");
    fs::write(at("plain.csv"), &text).unwrap();
    let expected = table(&at("plain.csv"));
    // Several packed one behind the other are one file.
    let members =
        |pack: fn(&[u8]) -> Vec<u8>| [pack(first.as_bytes()), pack(second.as_bytes())].concat();
    for (name, bytes) in [
        ("a.csv.gz", members(gzip)),
        ("a.csv.zst", members(zstandard)),
        ("A.CSV.GZ", gzip(text.as_bytes())),
        ("a.gz", gzip(text.as_bytes())),
        ("packed", gzip(text.as_bytes())),
        ("also-packed", zstandard(text.as_bytes())),
    ] {
        fs::write(at(name), &bytes).unwrap();
        assert_eq!(table(&at(name)), expected, "{name}");
        // Progress is that of the file, not of what is in it.
        let source = Source::parse(at(name).to_str().unwrap()).unwrap();
        let progress = Progress::default();
        scan(&source, &what(), &progress).unwrap();
        assert_eq!(source.total_bytes(), Some(bytes.len() as u64), "{name}");
        assert_eq!(progress.bytes(), bytes.len() as u64, "{name}");
    }
}

#[test]
fn folders_and_globs_mix_packed_and_plain_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("1.csv"), format!("e,v\n{}", rows(0..10))).unwrap();
    fs::write(at("2.csv.gz"), gzip(format!("v,e\n{}", "1,0.1\n2,0.5\n").as_bytes())).unwrap();
    fs::write(at("3.csv.zst"), zstandard(b"e,v\n0.1,3\n")).unwrap();
    for other in ["4.txt.gz", "5.parquet.gz", "_6.csv.gz", ".7.csv.zst"] {
        fs::write(at(other), "neither read nor looked at").unwrap();
    }
    assert_eq!(table(folder.path()).records(), 13);
    assert_eq!(table(&folder.path().join("[123].csv*")).records(), 13);
}

#[test]
fn broken_packing_is_refused_without_a_value() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let text = format!("e,v\n{}0.1,{SECRET}\n", rows(0..50_000));
    for (name, packed) in
        [("x.csv.gz", gzip(text.as_bytes())), ("x.csv.zst", zstandard(text.as_bytes()))]
    {
        let half = &packed[..packed.len() / 2];
        let mut flipped = packed.clone();
        let middle = flipped.len() / 2;
        flipped[middle..middle + 16].fill(0xff);
        for (bytes, fault) in [
            (half, "half"),
            (&flipped, "flipped"),
            (&b"e,v\n1,2\n"[..], "not packed"),
            (b"", "empty"),
        ] {
            fs::write(at(name), bytes).unwrap();
            let refused = scan_path(&at(name), &what()).unwrap_err();
            assert!(refused.to_string().contains(name), "{name}, {fault}: {refused}");
            assert!(!format!("{refused:?}").contains(SECRET), "{refused}");
        }
        // What is wrong in it has its row.
        fs::write(at(name), &packed).unwrap();
        let refused = scan_path(&at(name), &what()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!("{}: column v, row 50001: not a number", at(name).display())
        );
    }
    for (name, message) in
        [("x.parquet.gz", "is compressed Parquet"), ("x.csv.xz", "not known here")]
    {
        fs::write(at(name), "").unwrap();
        let refused = Source::parse(at(name).to_str().unwrap()).unwrap_err();
        assert!(
            refused.kind() == ErrorKind::Io && refused.to_string().contains(message),
            "{refused}"
        );
        assert!(refused.fix().is_some());
    }
}

#[test]
fn passes_over_zeros_behind_what_gzip_has_packed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv.gz");
    let zeros = [0; 500];
    let members = [gzip(b"e,v\n0.1,1\n"), gzip(b"0.5,2\n")];
    for bytes in [
        [&members[0][..], &zeros, &members[1], &zeros].concat(),
        [&members[0][..], &zeros[..1], &members[1]].concat(),
    ] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(table(&path).records(), 2);
    }
    fs::write(&path, [&members[0][..], &zeros, b"e,v"].concat()).unwrap();
    assert!(scan_path(&path, &what()).is_err());
}

#[test]
fn says_what_is_wrong_with_a_packed_file() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let refused = scan_path(&path, &what()).unwrap_err();
        assert!(refused.fix().is_some());
        let message = refused.to_string();
        message.strip_prefix(&format!("{}: ", path.display())).unwrap().to_owned()
    };
    let text = format!("e,v\n{}", rows(0..5000));
    for (ending, packed) in [("gz", gzip(text.as_bytes())), ("zst", zstandard(text.as_bytes()))] {
        let name = format!("a.csv.{ending}");
        assert_eq!(refused(&name, b"e,v\n1,2\n"), "the file is not packed as its name says");
        assert_eq!(refused(&name, b"e"), "the file is not packed as its name says");
        assert_eq!(refused(&name, b""), "the file is empty");
        let short = &packed[..packed.len() - 9];
        assert_eq!(refused(&name, short), "the file is cut short");
        assert_eq!(refused("a.csv", &packed), "the file is packed, and its name does not say so");
    }
    // The checksum of gzip is that of the text, behind which there is its length.
    let mut damaged = gzip(text.as_bytes());
    let checksum = damaged.len() - 8;
    damaged[checksum] ^= 1;
    assert_eq!(refused("a.csv.gz", &damaged), "the file cannot be unpacked: it is damaged");
}

#[test]
#[ignore = "takes seconds"]
fn what_never_ends_a_record_is_refused_before_it_fills_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.csv.gz");
    // A gigabyte in a few megabytes: a file can have many members, one behind the other.
    let member = |text: &[u8]| {
        let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(text).unwrap();
        packed.finish().unwrap()
    };
    let mut packed = member(b"e,v\n\"");
    packed.extend(member(&[b'a'; 1 << 20]).repeat(1024));
    fs::write(&path, packed).unwrap();
    let refused = scan_path(&path, &what()).unwrap_err();
    assert!(refused.to_string().contains("64 MiB"), "{refused}");
}
