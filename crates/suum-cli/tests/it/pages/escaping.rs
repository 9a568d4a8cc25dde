//! Labels come from data and from users: on a page they are text and nothing else.

use super::cases::page;
use super::dom::Document;

const TIER: &str = "\"><img src=x onerror=alert(1)>";
const CATEGORY: &str = "<b>&lt;'quoted'</b>";
const GROUP: &str = "</bdi></table><script>alert(2)</script>";
const VALUE: &str = "<script>alert(\"3\")</script>";
const CLASS: &str = "</title><style>*{display:none}</style>";
const PERSON: &str = "x--><svg onload=alert(4)>\u{202e}";

/// A file whose every label wants to be markup; its path.
fn file(folder: &std::path::Path) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let header = [VALUE, CLASS, "tier", "group", PERSON].map(quoted).join(",");
    let row = |at: usize| {
        let tier = if at.is_multiple_of(2) { TIER } else { "plain" };
        let category = if at.is_multiple_of(3) { CATEGORY } else { "plain" };
        format!("{},{},{},{},{at}", at % 10, quoted(category), quoted(tier), quoted(GROUP))
    };
    let rows: Vec<String> = (0..4000).map(row).collect();
    let path = folder.join("labels.csv");
    std::fs::write(&path, header + "\n" + &rows.join("\n") + "\n").unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn labels_are_text() {
    let folder = tempfile::tempdir().unwrap();
    let data = file(folder.path());
    let ledger = folder.path().join("ledger").to_str().unwrap().to_owned();
    let levels = format!("{TIER}=1,plain=2")
        .replace("x onerror=", "x onerror\\=")
        .replace("src=x", "src\\=x");
    let categories = format!("{CATEGORY},plain");
    let open = ["ledger", "init", &ledger, "--dataset", "<i>set</i>", "--levels", &levels];
    suum_cli::answer(suum_cli::parse(open).unwrap(), suum::JobInputs::default()).unwrap();

    let tiers = ["--privacy", "tier", "--levels", &levels];
    let numbers = ["--value", VALUE, "--bounds", "0,9"];
    let counted = ["--value", CLASS, "--categories", &categories];
    let groups = format!("{GROUP},plain");
    let grouped = ["--group-by", "group", "--groups", &groups];
    let cases: [Vec<&str>; 10] = [
        [&["mean", &data], &numbers[..], &tiers].concat(),
        [&["mean", &data], &numbers[..], &tiers, &["--person", PERSON]].concat(),
        [&["mean", &data], &numbers[..], &tiers, &grouped].concat(),
        [
            &["mean", &data],
            &numbers[..],
            &tiers,
            &["--neighbors", "add-remove", "--person", PERSON],
        ]
        .concat(),
        [
            &["mean", &data],
            &numbers[..],
            &["--privacy", "tier", "--ledger", &ledger, "--spend", "10%"],
        ]
        .concat(),
        [&["frequency", &data], &counted[..], &tiers].concat(),
        [&["frequency", &data], &counted[..], &tiers, &["--neighbors", "add-remove"]].concat(),
        [&["quantile", &data, "--q", "0.1,0.9"], &numbers[..], &tiers].concat(),
        [&["summary", &data], &numbers[..], &tiers].concat(),
        [&["plan", &data, "--statistic", "frequency", "--categories", &categories], &tiers[..]]
            .concat(),
    ];
    for words in cases {
        let made = page(&words);
        let document = Document::read(&made.html);
        assert_eq!(document.errors, Vec::<String>::new(), "{words:?}");
        // Where readers step, there are scripts and letters of ours, and none more.
        let ours = document.by_id("what-if").is_some();
        for (name, of_steps) in [("script", 2), ("img", 0), ("b", 1), ("i", 0)] {
            let most = if ours { of_steps } else { 0 };
            assert_eq!(document.find(name).len(), most, "{words:?}: {name}");
        }
        assert_eq!(document.find("style").len(), 1 + usize::from(ours), "{words:?}");
        let names = document
            .find("*")
            .into_iter()
            .flat_map(|element| element.attributes())
            .map(|(name, _)| name);
        assert!(names.into_iter().all(|name| !name.starts_with("on")), "{words:?}");
        let text = document.find("body")[0].text();
        assert!(text.contains(TIER), "{words:?}");
        for label in words.iter().filter(|word| [VALUE, CLASS, GROUP, PERSON].contains(word)) {
            assert!(text.contains(*label), "{words:?}: {label}");
        }
    }
}
