//! Entries in JSON, TOML and words, and their refusals.

use super::*;

#[test]
fn json_toml_and_words_say_the_same() {
    let json = r#"{"bounds": [0, 77.5], "levels": {"a,b": 0.1, "c": "inf"}, "shrink": true}"#;
    let toml = "bounds = [0, 77.5]\nlevels = { \"a,b\" = 0.1, c = \"inf\" }\nshrink = true\n";
    let words = r#"{"bounds": "0,77.5", "levels": "a\\,b=0.1,c=inf", "shrink": true}"#;
    for entries in [Entries::from_json(json), Entries::from_toml(toml), Entries::from_json(words)] {
        let mut entries = entries.unwrap();
        assert_eq!(entries.text("bounds").unwrap().unwrap(), "0,77.5");
        assert_eq!(entries.text("levels").unwrap().unwrap(), r"a\,b=0.1,c=inf");
        assert!(entries.flag("shrink").unwrap());
        assert!(entries.finish().is_ok());
    }
}

#[test]
fn labels_stay_what_they_are() {
    let toml = "statistic = \"frequency\"\ncategories = [\"1.0\", 2, \"03\"]\n";
    let query = crate::Query::new(Entries::from_toml(toml).unwrap()).unwrap();
    let labels = query.categories.unwrap();
    assert_eq!(labels.0[0].0, ["1.0", "2", "03"]);
    let toml = "statistic = \"count\"\ngroup_by = \"g\"\ngroups = [1.0]";
    assert!(crate::Query::new(Entries::from_toml(toml).unwrap()).is_err());
    let mut entries = Entries::from_toml("bounds = [0.0, 7e1]\n").unwrap();
    assert_eq!(entries.text("bounds").unwrap().unwrap(), "0,70");
    for missing in ["01", "1", "1.0", "-2.5", "1e3", "naïve", "nan", "9007199254740993"] {
        let query = crate::Query {
            missing: Some(crate::Missing(missing.to_owned())),
            ..crate::Query::default()
        };
        let again = serde_json::to_string(&query).unwrap();
        let mut entries = Entries::from_json(&again).unwrap();
        assert_eq!(entries.text("missing").unwrap().as_deref(), Some(missing), "{again}");
    }
}

#[test]
fn dates_stand_in_toml_with_and_without_quotes() {
    for bounds in ["[2020-01-01, 2024-12-31]", "[\"2020-01-01\", \"2024-12-31\"]"] {
        let toml = format!("statistic = \"mean\"\nvalue = \"d\"\nbounds = {bounds}\n");
        let query = crate::Query::new(Entries::from_toml(&toml).unwrap()).unwrap();
        assert_eq!(
            query.command("d.csv"),
            "suum mean d.csv --value d --bounds 2020-01-01,2024-12-31"
        );
        let json = serde_json::to_value(&query).unwrap();
        assert_eq!(json["bounds"], serde_json::json!(["2020-01-01", "2024-12-31"]));
        assert_eq!(crate::Query::from_json(&json.to_string()).unwrap(), query);
    }
    let times = "[2020-01-01T07:30:00Z, 2020-01-02 07:30:00]";
    let mut entries = Entries::from_toml(&format!("bins = {times}")).unwrap();
    let bins: suum_data::Edges = entries.parsed("bins").unwrap().unwrap();
    let json = serde_json::to_string(&bins).unwrap();
    assert_eq!(json, "[\"2020-01-01T07:30:00\",\"2020-01-02T07:30:00\"]");
}

#[test]
fn what_is_malformed_is_refused_by_name() {
    let entries = |json| Entries::from_json(json).unwrap();
    let wrong = entries(r#"{"confidence": [[1]]}"#).number("confidence").unwrap_err();
    assert_eq!(wrong.to_string(), "confidence: expected a finite number");
    let wrong = entries(r#"{"group_by": ["a", "b"]}"#).name("group_by").unwrap_err();
    assert_eq!(wrong.to_string(), "group_by: expected one name");
    let mut unknown = entries(r#"{"bound": 1}"#);
    assert!(unknown.text("bounds").unwrap().is_none() && unknown.name("q").unwrap().is_none());
    let unknown = unknown.finish().unwrap_err();
    assert_eq!(unknown.fix().map(ToString::to_string).as_deref(), Some("did you mean bounds?"));
    assert!(Entries::from_json("[1]").is_err());
    let twice = Entries::from_json(r#"{"group_by": "a", "group_by": "a"}"#).unwrap_err();
    assert!(twice.to_string().contains("group_by is said twice"), "{twice}");
    // An entry without a value must have an existing name, too.
    assert!(entries(r#"{"spendd": false, "x": null}"#).finish().is_err());
    assert!(entries(r#"{"spendd": false, "x": null}"#).without_empty().finish().is_ok());
    let release = entries(r#"{"estimate": 1, "query": {"statistic": "count", "q": 0.5}}"#);
    let query = release.into_request();
    assert!(query.has("q") && query.has("statistic") && !query.has("estimate"));
    let sql = entries(r#"{"query": "SELECT 1", "q": 0.5}"#).into_request();
    assert!(sql.has("q") && sql.has("query"));
    let below = Entries::from_toml("[levels]\na = 1\nconfidence = 0.5").unwrap();
    let refused = below.check_tiers(&["confidence"]).unwrap_err();
    assert!(refused.to_string().starts_with("levels: it has a tier confidence"), "{refused}");
    let wrong = Entries::from_toml("a = 1\nb = \n").unwrap_err();
    assert!(wrong.to_string().starts_with("query: it is no TOML of options in line 2"), "{wrong}");
}
