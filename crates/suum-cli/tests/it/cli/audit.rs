//! `suum audit`.

use super::common::{json, refused, stdout, suum};

const FEW: [&str; 4] = ["--profile", "1:3,3:2", "--runs", "1000"];

#[test]
#[ignore = "takes seconds"]
fn a_mechanism_of_suum_stands() {
    let text = stdout(&[&["audit", "affine", "--statistic", "mean"], &FEW[..]].concat());
    assert!(
        text.contains("mean affine: not disproved") && text.contains("mean affine add-remove"),
        "{text}"
    );
    assert!(text.contains("That is no proof"));
    let report = json(&[&["audit", "weighted", "--neighbors", "replace"], &FEW[..]].concat());
    assert_eq!(report["subjects"][0]["name"], "quantile weighted");
    assert_eq!(report["subjects"][0]["levels"][0]["verdict"], "not-disproved");
    assert_eq!(report["subjects"][0]["levels"][1]["allowed"], 3.0);
    assert_eq!(report["runs"], 1000);
}

/// The report is printed, and the command fails.
#[test]
#[ignore = "takes seconds"]
fn a_specimen_falls() {
    let output = suum(&["audit", "specimen:float-laplace"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
    assert!(String::from_utf8(output.stderr).unwrap().contains("a promise is broken"));
    let output = suum(&["audit", "specimens", "--format", "json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for subject in report["subjects"].as_array().unwrap() {
        assert_eq!(subject["levels"][0]["verdict"], "broken", "{}", subject["name"]);
    }
}

/// The page begins with a table of all mechanisms, and names promises that are broken.
#[test]
fn what_is_found_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let page = |mechanism: &str| {
        let path = folder.path().join(format!("{}.html", mechanism.replace(':', "-")));
        let words = ["audit", mechanism, "--runs", "1000", "--report", path.to_str().unwrap()];
        let output = suum(&words).output().unwrap();
        (output.status.code(), std::fs::read_to_string(&path).unwrap())
    };
    let (status, falls) = page("specimen:forgotten-clamp");
    assert_eq!(status, Some(1));
    assert!(falls.contains("<h1>Broken promises: 1 of 1 mechanism</h1>"), "{falls}");
    assert!(falls.contains("was seen "), "{falls}");
    let (status, stands) = page("pe");
    assert_eq!(status, Some(0));
    assert!(stands.contains("<h1>No promise was disproved: "), "{stands}");
    let [table, levels] = ["All mechanisms", "Level by level"].map(|words| stands.find(words));
    assert!(table < levels && levels.is_some() && stands.contains("is no proof"), "{stands}");
    let again = folder.path().join("pe.html");
    let again = ["audit", "pe", "--runs", "100", "--report", again.to_str().unwrap()];
    assert!(refused(&again).1.contains("not replaced"));
}

/// The drawing is there whatever the verdict, and cannot be put where there is no folder.
#[test]
fn what_is_found_can_be_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.svg");
    let drawn = |mechanism: &str| {
        let output =
            suum(&["audit", mechanism, "--plot", path.to_str().unwrap(), "--runs", "1000"])
                .output()
                .unwrap();
        (output.status.code(), std::fs::read_to_string(&path).unwrap())
    };
    let (status, falls) = drawn("specimen:forgotten-clamp");
    assert!(status == Some(1) && falls.contains("forgotten-clamp: BROKEN"), "{falls}");
    let (status, stands) = drawn("pe");
    assert!(status == Some(0) && stands.contains("quantile pe: not disproved"), "{stands}");
    let nowhere = folder.path().join("no/where.svg");
    let (status, said) =
        refused(&["audit", "pe", "--runs", "100", "--plot", nowhere.to_str().unwrap()]);
    assert!(status == 1 && said.contains("plot: "), "{said}");
}

#[test]
fn the_list_names_mechanisms_and_mistakes() {
    let text = stdout(&["audit", "--list"]);
    for name in ["affine", "hpf-ue-t", "gaussian", "specimen:fgk21-sensitivity", "Mironov 2012"] {
        assert!(text.contains(name), "{name}");
    }
}

#[test]
fn what_cannot_be_audited_is_refused() {
    for (arguments, code, word) in [
        (&["audit", "nobody"][..], 1, "--list"),
        (&["audit", "specimen:nobody"], 1, "--list"),
        (&["audit", "specimens", "--statistic", "mean"], 1, "leave --statistic"),
        (&["audit", "pe", "--statistic", "mean"], 1, "leave --statistic"),
        (&["audit", "affine", "--profile", "1:5000"], 1, "fewer"),
        (&["audit", "affine", "--profile", "0:5"], 1, "positive"),
        (&["audit", "weighted", "--runs", "10"], 1, "--runs"),
        (&["audit", "weighted", "--confidence", "2"], 1, "--confidence"),
        (&["audit"], 2, "MECHANISM"),
        (&["audit", "affine", "--statistic", "mode"], 2, "it can be mean, sum"),
    ] {
        let (status, said) = refused(arguments);
        assert!(status == code && said.contains(word), "{arguments:?}: {said}");
    }
}
