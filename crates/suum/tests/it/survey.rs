//! Several answers in one release: they share every budget, and one certificate says what they
//! cost together.

use std::fmt::Write;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use serde_json::Value;
use suum::arrow_array::{ArrayRef, Float64Array, RecordBatch};
use suum::{
    Answer, Batches, DataSource, Entries, HeldRecords, Job, JobInputs, Loss, Population, Releases,
    Result, Survey,
};
use tempfile::TempDir;

/// Several kinds of answers; each lacks its share.
const ANSWERS: [&str; 8] = [
    r#""statistic": "mean", "value": "v", "bounds": [0, 60]"#,
    r#""statistic": "mean", "value": "w", "bounds": [0, 9], "group_by": "g", "groups": "x,y""#,
    r#""statistic": "sum", "value": "v", "bounds": [0, 60], "variance": 90"#,
    r#""statistic": "frequency", "value": "c", "categories": ["a", "b", "c"]"#,
    r#""statistic": "quantile", "value": "v", "bounds": [0, 60], "step": 1, "q": [0.2, 0.5]"#,
    r#""statistic": "variance", "value": "w", "bounds": [0, 9]"#,
    r#""statistic": ["mean", "variance", "q50"], "value": "w", "bounds": [0, 9], "step": 1"#,
    r#""statistic": "count", "group_by": "g", "groups": ["x", "y", "z"]"#,
];

struct Data(TempDir);

impl Data {
    fn new() -> Self {
        let data = Self(tempfile::tempdir().unwrap());
        let mut csv = String::from("v,w,c,g,id,tier,eps\n");
        for at in 0..600usize {
            let draw = |salt: usize| (at * 7919 + salt * 104_729 + at * at * 31) % 1009;
            let tier = ["strict", "standard", "relaxed", "public"][at / 2 % 4];
            let (v, w, c) = (draw(1) % 47, draw(2) % 10, ["a", "b", "c"][draw(3) % 3]);
            let (g, id, eps) = (["x", "y"][at / 2 % 2], at / 2, 1 + at / 2 % 50);
            writeln!(csv, "{v},{w},{c},{g},p{id},{tier},0.{eps}").unwrap();
        }
        fs::write(data.path("people.csv"), csv).unwrap();
        data
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// A job that asks for these answers, with these options for all.
    fn job(&self, common: &str, answers: &[String]) -> Result<Job> {
        let answers: Vec<String> = answers.iter().map(|answer| format!("{{{answer}}}")).collect();
        let json = format!("{{{common}, \"answers\": [{}]}}", answers.join(", "));
        let entries = Entries::from_json(&json)?;
        Job::new(match entries.has("data") || entries.has("from_levels") {
            true => entries,
            false => entries.with("data", self.path("people.csv")),
        })
    }

    fn ledger(&self, accounts: &str) -> String {
        let path = self.path("ledger");
        suum::init_ledger(path.as_ref(), Entries::from_json(accounts).unwrap()).unwrap();
        path
    }
}

const TIERS: &str = r#""privacy": "tier",
    "levels": {"strict": 0.1, "standard": 0.7, "relaxed": 3, "public": "inf"}"#;

fn survey(answer: &Answer) -> &Survey {
    match answer.releases() {
        Some(Releases::Survey(survey)) => survey,
        _ => panic!("no survey"),
    }
}

fn json(answer: &Answer) -> Value {
    serde_json::from_str(&answer.json().unwrap()).unwrap()
}

/// Returns true if `suum verify` refuses a release.
fn is_refused(release: &Value) -> bool {
    suum::verify_release(&release.to_string()).map_or(true, |said| said.refusal().is_some())
}

/// The certificate of the whole is the exact sum of the answers', and within what is allowed.
fn check_sum(survey: &Survey) {
    assert!(!survey.certificate().is_empty());
    for line in survey.certificate() {
        assert!(line.spent.within(line.epsilon), "{} of {}", line.spent, line.epsilon);
        let own = survey.answers().iter().flat_map(|answer| answer.releases.certificate());
        let own = own.filter(|one| (one.epsilon, &one.level) == (line.epsilon, &line.level));
        let sum = own.fold(Loss::ZERO, |sum, one| sum.plus(&one.spent));
        assert_eq!(sum, line.spent, "{}", line.level);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn however_budgets_are_split_nobody_spends_more_than_they_allow(
        asked in prop::collection::vec((0..ANSWERS.len(), 1e-3..1e3_f64), 1..6),
        relation in prop::sample::select(vec!["replace", "add-remove", "both"]),
        tiers: bool, persons: bool,
    ) {
        let data = Data::new();
        let answers: Vec<String> = asked
            .iter()
            .filter(|(kind, _)| relation == "replace" || !ANSWERS[*kind].contains("variance\": 9"))
            .map(|(kind, share)| match ANSWERS[*kind].contains("count") && relation == "replace" {
                true => ANSWERS[*kind].to_owned(),
                false => format!("{}, \"share\": {share}", ANSWERS[*kind]),
            })
            .collect();
        prop_assume!(!answers.is_empty());
        let mut common = match tiers {
            true => TIERS.to_owned(),
            false if relation == "replace" => "\"epsilon\": \"eps\"".to_owned(),
            false => "\"epsilon\": \"eps\", \"epsilon_range\": [0.01, 0.5]".to_owned(),
        };
        write!(common, ", \"neighbors\": \"{relation}\", \"insecure_seed\": 7").unwrap();
        if persons {
            common += ", \"person\": \"id\"";
        }
        let answer = data.job(&common, &answers).and_then(|job| job.run());
        let answer = answer.unwrap_or_else(|refused| panic!("{common} {answers:?}: {refused}"));
        let survey = survey(&answer);
        prop_assert_eq!(survey.answers().len(), answers.len());
        check_sum(survey);
        // Whoever reads the JSON comes to the same.
        let release = json(&answer);
        let verified = suum::verify_release(&release.to_string())?;
        prop_assert!(verified.refusal().is_none(), "{}", verified.text());
        for (at, line) in survey.certificate().iter().enumerate() {
            if line.spent != Loss::ZERO {
                let mut wrong = release.clone();
                wrong["privacy"][at]["spent"] = 1e-9.into();
                prop_assert!(is_refused(&wrong));
            }
        }
        // And asks the same again.
        let again = Entries::from_json(&release["query"].to_string())?;
        let again = Job::new(again.with("data", data.path("people.csv")))?.run()?;
        prop_assert_eq!(json(&again), release);
    }
}

#[test]
fn shares_are_those_asked_for_and_a_public_count_needs_none() {
    let data = Data::new();
    let [mean, share, count] = [0, 3, 7].map(|at| ANSWERS[at].to_owned());
    let job = data.job(TIERS, &[mean + ", \"share\": 3", share, count]).unwrap();
    let answer = job.run().unwrap();
    let shares = survey(&answer).answers().iter().map(|answer| answer.share.map(|one| one.get()));
    assert_eq!(shares.collect::<Vec<_>>(), [Some(0.75), Some(0.25), None]);
    let spent = |at: usize| survey(&answer).answers()[at].releases.certificate()[0].spent.clone();
    assert!(spent(0).rounded_up() > 0.0749 && spent(0).rounded_up() <= 0.075);
    assert!(spent(1).rounded_up() > 0.0249 && spent(1).rounded_up() <= 0.025);
    assert_eq!(spent(2), Loss::ZERO);
    let text = answer.text();
    for said in ["Answer 1: mean of v (75 % of every budget)", "(costs nothing)", "all answers"] {
        assert!(text.contains(said), "{text}");
    }
    assert!(answer.explained().contains("What is guaranteed"));
    let page = answer.html().unwrap();
    assert_eq!(page.matches("id=\"tiers\"").count(), 1);
    let ids = |page: &str| -> Vec<String> {
        let ids = page.split(" id=\"").skip(1);
        ids.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
    };
    let (all, mut once) = (ids(&page), ids(&page));
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), all.len(), "{all:?}");
}

const EQUAL: &str =
    "so that all answers are about equally precise, each relative to what it can be";

/// Words one space apart.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn without_shares_errors_are_alike_and_a_plan_says_the_same_parts() {
    let data = Data::new();
    let shares = |of: &Value| -> Vec<Option<f64>> {
        of["answers"].as_array().unwrap().iter().map(|answer| answer["share"].as_f64()).collect()
    };
    let answers = [0, 1, 3, 7].map(|at| ANSWERS[at].to_owned());
    let job = data.job(TIERS, &answers).unwrap();
    let answer = job.run().unwrap();
    let release = json(&answer);
    assert_eq!(release["shares"], "equal-errors");
    assert!(words(&answer.text()).contains(EQUAL));
    check_sum(survey(&answer));
    assert!(!is_refused(&release));
    // The mean by group needs more than the mean of all.
    let parts = shares(&release);
    assert!(parts[1] > parts[0] && parts[3].is_none(), "{parts:?}");
    let plan = job.plan(&Population::default(), JobInputs::default()).unwrap();
    assert!(words(&plan.text()).contains(EQUAL));
    let plan = json(&plan);
    assert_eq!((&plan["shares"], shares(&plan)), (&release["shares"], parts));
    for (common, share, split) in [
        (TIERS.to_owned(), ", \"share\": 1", "declared"),
        (format!("{TIERS}, \"neighbors\": \"add-remove\""), "", "equal"),
    ] {
        let answers = [0, 1, 3].map(|at| format!("{}{share}", ANSWERS[at]));
        let release = json(&data.job(&common, &answers).unwrap().run().unwrap());
        assert_eq!(release["shares"], split);
        let parts = shares(&release);
        assert!(parts.iter().all(|part| part == &parts[0]), "{parts:?}");
    }
}

#[test]
fn steps_before_an_answer_are_paid_from_its_share() {
    let data = Data::new();
    let generous = TIERS.replace("0.1", "4").replace("0.7", "10").replace("3,", "20,");
    let auto = |at: usize| ANSWERS[at].replace("[0, 60]", "\"auto\"").replace(", \"step\": 1", "");
    for neighbors in ["replace", "add-remove"] {
        let answers = [auto(0), auto(4)];
        let common = format!("{generous}, \"insecure_seed\": 3, \"neighbors\": \"{neighbors}\"");
        let answer = data.job(&common, &answers).unwrap().run().unwrap();
        check_sum(survey(&answer));
        assert!(!is_refused(&json(&answer)));
        let range = json(&answer)["answers"][0]["range"]["share"].as_f64().unwrap();
        assert!(range > 0.0 && range < 0.5, "{range}");
    }
}

#[test]
fn a_release_that_leaves_an_answer_out_does_not_agree() {
    let data = Data::new();
    let job = data.job(TIERS, &[0, 1, 4].map(|at| ANSWERS[at].to_owned())).unwrap();
    let release = json(&job.run().unwrap());
    assert!(!is_refused(&release));
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut wrong = release.clone();
        change(&mut wrong);
        wrong
    };
    let answers = |wrong: &mut Value| wrong["answers"].as_array_mut().unwrap().clone();
    assert!(is_refused(&changed(&|wrong| wrong["answers"] = answers(wrong)[..2].to_vec().into())));
    assert!(is_refused(&changed(&|wrong| wrong["answers"] = answers(wrong)[1..].to_vec().into())));
    // The same answer twice: each keeps its budget, and both do not.
    assert!(is_refused(&changed(&|wrong| {
        let all = answers(wrong);
        wrong["answers"] = [&all[..], &all[..]].concat().into();
    })));
    assert!(is_refused(&changed(
        &|wrong| wrong["answers"][1]["groups"][0]["privacy"][0]["spent"] = 0.001.into()
    )));
    assert!(is_refused(&changed(&|wrong| {
        wrong["privacy"].as_array_mut().unwrap().pop();
    })));
    assert!(is_refused(&changed(&|wrong| wrong["neighbors"] = "both".into())));
    assert!(is_refused(&changed(&|wrong| drop(wrong.as_object_mut().unwrap().remove("privacy")))));
}

#[test]
fn what_several_answers_cannot_have_is_refused_before_data_are_read() {
    let data = Data::new();
    let refused = |common: &str, answers: [&str; 2]| {
        let answers = answers.map(str::to_owned);
        let common = format!("{TIERS}, {common}");
        let refused = data.job(&common, &answers).and_then(|job| job.run());
        let refused = refused.unwrap_err();
        assert!(refused.fix().is_some());
        refused.to_string()
    };
    let (mean, count) = (ANSWERS[0], ANSWERS[7]);
    let own = |more: &str| format!("{mean}, {more}");
    for (common, second, said) in [
        (r#""from_levels": "t.json""#, mean, "answer 1: privacy: "),
        (r#""ledger": "l", "spend": "10%", "target_rmse": 1"#, mean, "target_rmse: "),
        (r#""confidence": 0.9"#, &own(r#""levels": "a=1""#), "answer 2: levels: "),
        (r#""confidence": 0.9"#, &mean.replace("\"v\"", "\"tier\""), "answers: one protects "),
        (r#""confidence": 0.9"#, &format!("{count}, \"share\": 1"), "answer 2: share: "),
        (r#""confidence": 0.9"#, &own(r#""share": 1e12"#), "share: "),
        (r#""confidence": 2"#, mean, "answer 1: confidence: "),
        (r#""q": 0.25"#, mean, "answer 1: q: "),
        (r#""group_by": "c", "groups": "a,b,c""#, ANSWERS[3], "answers: one protects "),
    ] {
        let refused = refused(common, [mean, second]);
        assert!(refused.starts_with(said), "{said}: {refused}");
    }
}

/// A pipe with the data gives them once; whoever opens it again waits for what never comes.
#[cfg(unix)]
#[test]
fn the_data_are_read_once_for_all_answers() {
    let data = Data::new();
    let (csv, pipe) = (fs::read(data.path("people.csv")).unwrap(), data.path("pipe.csv"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let auto = ANSWERS[0].replace("[0, 60]", "\"auto\"");
    let answers: Vec<String> =
        ANSWERS.iter().map(|answer| (*answer).to_owned()).chain([auto]).collect();
    let job = |of: &str| {
        let source = of.to_owned();
        let common = TIERS.replace("0.1", "4").replace("0.7", "10").replace("3,", "20,");
        let common = format!("{common}, \"data\": {source:?}, \"insecure_seed\": 9");
        data.job(&common, &answers).unwrap()
    };
    let from_file = job(&data.path("people.csv")).run().unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let to = pipe.clone();
    let writer = std::thread::spawn(move || fs::write(to, csv));
    let from_pipe = job(&pipe);
    std::thread::spawn(move || drop(sender.send(from_pipe.run())));
    let from_pipe = receiver.recv_timeout(std::time::Duration::from_secs(60));
    let from_pipe = from_pipe.expect("the data were read more than once").unwrap();
    writer.join().unwrap().unwrap();
    assert_eq!(json(&from_pipe), json(&from_file));
}

/// Records in memory, and how often they were asked for.
#[derive(Debug)]
struct Counted(RecordBatch, AtomicUsize);

impl HeldRecords for Counted {
    fn batches(&self) -> Result<Batches> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(std::iter::once(Ok(self.0.clone()))))
    }
}

#[test]
fn records_in_memory_are_asked_for_once() {
    let epsilons: ArrayRef = Arc::new(Float64Array::from_iter_values((0..90).map(|_| 1.0)));
    let values: ArrayRef = Arc::new(Float64Array::from_iter_values((0..90).map(f64::from)));
    let batch = RecordBatch::try_from_iter([("eps", epsilons), ("v", values)]).unwrap();
    let records = Arc::new(Counted(batch, AtomicUsize::new(0)));
    let answers = [0, 2, 4].map(|at| ANSWERS[at].to_owned());
    let job = Data::new().job("\"epsilon\": \"eps\"", &answers).unwrap();
    let job = Job { source: DataSource::default(), ..job };
    let held: Arc<dyn HeldRecords> = records.clone();
    let given = JobInputs { records: Some(held), ..JobInputs::default() };
    job.run_with(given.clone()).unwrap();
    assert_eq!(records.1.load(Ordering::Relaxed), 1);
    job.plan(&Population::default(), given).unwrap();
    assert_eq!(records.1.load(Ordering::Relaxed), 2);
}

#[test]
fn all_answers_are_one_charge_and_one_edition() {
    let data = Data::new();
    let ledger = data.ledger(r#"{"dataset": "d", "levels": "strict=0.4,standard=1.4,relaxed=6"}"#);
    let common = |spend: &str, more: &str| {
        format!("\"privacy\": \"tier\", \"ledger\": {ledger:?}, \"spend\": \"{spend}\"{more}")
    };
    let shown = || json(&suum::show_ledger(ledger.as_ref(), None).unwrap());
    let answers = [0, 1, 4].map(|at| ANSWERS[at].to_owned());
    // The tier public has no account.
    let people = fs::read_to_string(data.path("people.csv")).unwrap().replace("public", "strict");
    fs::write(data.path("people.csv"), people).unwrap();
    let edition = common("25%", ", \"edition\": \"2026\"");
    let first = data.job(&edition, &answers).unwrap().run().unwrap();
    check_sum(survey(&first));
    let released = json(&first);
    assert!(!is_refused(&released));
    assert_eq!(released["ledger"]["tiers"][0]["spent"], 0.1, "{released}");
    let entries = shown()[0]["releases"].as_array().unwrap().len();
    let again = data.job(&edition, &answers).unwrap().run().unwrap();
    assert_eq!(json(&again)["answers"], released["answers"]);
    assert!(again.text().contains("shown again"), "{}", again.text());
    assert_eq!(shown()[0]["releases"].as_array().unwrap().len(), entries);
    // With other answers it is another release.
    let other = data.job(&edition, &answers[..2]).unwrap().run().unwrap();
    assert!(!other.text().contains("shown again"));
    let text = suum::show_ledger(ledger.as_ref(), None).unwrap().text();
    assert!(text.contains("mean of v; mean of w by g; quantile of v"), "{text}");
}

#[test]
fn persons_are_charged_once_for_all_answers() {
    let data = Data::new();
    let ledger = data.ledger(r#"{"dataset": "d", "persons": true, "allow": "own"}"#);
    let common = format!(
        "\"epsilon\": \"eps\", \"person\": \"id\", \"ledger\": {ledger:?}, \"spend\": \"50%\""
    );
    let answers = [0, 1, 3].map(|at| ANSWERS[at].to_owned());
    let answer = data.job(&common, &answers).unwrap().run().unwrap();
    check_sum(survey(&answer));
    let released = json(&answer);
    assert!(!is_refused(&released));
    assert_eq!(released["ledger"]["persons"]["charged"], 300, "{}", released["ledger"]);
    assert!(released["ledger"]["persons"]["most"].as_f64().unwrap() <= 0.45);
    assert!(suum::verify_ledger(ledger.as_ref(), false, false).unwrap().refusal().is_none());
}

#[test]
fn one_answer_that_fails_keeps_all_back_and_what_was_drawn_is_charged() {
    let data = Data::new();
    let ledger = data.ledger(
        r#"{
            "dataset": "d",
            "neighbors": "add-remove",
            "levels": "strict=0.4,standard=1,public=5"
        }"#,
    );
    let common = format!(
        "\"privacy\": \"tier\", \"neighbors\": \"add-remove\", \"ledger\": {ledger:?}, \"spend\": \
         \"25%\""
    );
    let people = fs::read_to_string(data.path("people.csv")).unwrap().replace("relaxed", "public");
    // Too few for a range, which is noticed with noise.
    let few: Vec<&str> = people.lines().take(9).collect();
    fs::write(data.path("people.csv"), few.join("\n") + "\n").unwrap();
    let auto = ANSWERS[0].replace("[0, 60]", "\"auto\"");
    let refused = data.job(&common, &[ANSWERS[0].to_owned(), auto]).unwrap().run().unwrap_err();
    let said = refused.to_string();
    assert!(said.starts_with("answer 2: ") && said.contains("answers before it"), "{said}");
    let shown = json(&suum::show_ledger(ledger.as_ref(), None).unwrap());
    assert_eq!(shown[0]["tiers"][0]["left"], 0.3, "{shown}");
}
