use proptest::prelude::*;
use sqlparser::keywords::ALL_KEYWORDS;
use suum_testing::Extent;

use super::*;

fn canonical(text: &str) -> String {
    text.parse::<Filter>().unwrap().to_string()
}

fn refusal(text: &str) -> String {
    text.parse::<Filter>().unwrap_err().to_string()
}

#[test]
fn reads_all_comparisons() {
    for (text, expected) in [
        ("region='north' and year>=2020", "region = 'north' AND year >= 2020"),
        ("a != 1 or a <> -1.50", "a <> 1 OR a <> -1.5"),
        ("2020 <= year", "year >= 2020"),
        ("not (a = 1)", "a <> 1"),
        ("not not a is not null", "a IS NOT NULL"),
        ("NOT a < 1e30 AND NOT (a = 1 OR b = 2)", "NOT a < 1e30 AND NOT (a = 1 OR b = 2)"),
        ("(a = 1 AND (b = 2 AND c = 3)) OR d = 4", "a = 1 AND b = 2 AND c = 3 OR d = 4"),
        ("(a = 1 OR b = 2) AND c in ('x', 'it''s')", "(a = 1 OR b = 2) AND c IN ('x', 'it''s')"),
        ("a not in (1,2) and b in (3)", "a NOT IN (1, 2) AND b = 3"),
        (
            "a between 1 and 2 and b not between 3 and 4",
            "a BETWEEN 1 AND 2 AND b NOT BETWEEN 3 AND 4",
        ),
        ("day >= '2020-01-31'", "day >= DATE '2020-01-31'"),
        ("day = '2020-01-31'", "day = '2020-01-31'"),
        ("t < timestamp '2020-01-31T07:30:00.5'", "t < TIMESTAMP '2020-01-31 07:30:00.500'"),
        ("t < '2020-01-31T01:00+01:00'", "t < DATE '2020-01-31'"),
        (
            "\"Sex at birth\" = 'f' and \"a\"\"b\" = true",
            "\"Sex at birth\" = 'f' AND \"a\"\"b\" = true",
        ),
        ("\"region\" = ' north '", "region = 'north'"),
        ("\"not\" is null", "\"not\" IS NULL"),
        ("date = date '2020-01-31'", "date = DATE '2020-01-31'"),
    ] {
        assert_eq!(canonical(text), expected, "{text}");
        assert_eq!(canonical(expected), expected, "{text}");
    }
}

#[test]
fn refuses_everything_else() {
    for (text, what) in [
        ("", "where: it is no condition of SQL"),
        ("year", "where: a column stands by itself"),
        ("lower(region) = 'north'", "where: the function lower is not understood"),
        ("year + 1 = 2020", "where: the operator + is not understood"),
        ("year = 2019 + 1", "where: the operator + is not understood"),
        ("cast(year as int) = 2020", "where: a conversion (CAST) is not understood"),
        ("region = home", "where: two columns are compared"),
        ("region in (home)", "where: a column stands where a constant is expected"),
        ("region in (select x from y)", "where: a query is not understood"),
        ("region in ()", "where: "),
        ("1 = 1", "where: a constant stands where a column is expected"),
        ("region < 'north'", "where: a text is compared by <"),
        ("region between 'a' and 'b'", "where: a text is compared by <"),
        ("region like 'n%'", "where: a pattern (LIKE) is not understood"),
        ("region = null", "where: nothing is equal to NULL"),
        ("region = ''", "where: a text is empty"),
        ("region in ('a', 1)", "where: one column is compared with constants of several kinds"),
        ("employed is true", "where: IS TRUE or IS FALSE is not understood"),
        ("people.region = 'north'", "where: a name with a point is not understood"),
        ("`region` = 'north'", "where: a name stands in quotes that are not double quotes"),
        ("year = 1e999", "where: a number is too large"),
        ("year = $1", "where: a constant is of a form that is not understood"),
        ("day = date 'north'", "where: a typed constant is no date and no time"),
        ("year = 2020; drop table people", "where: ; comes after the end of the condition"),
        ("year = 2020 year = 2021", "where: year comes after the end of the condition"),
        ("year = 2020 -- all", "where: a comment is not part of a condition"),
        ("year = /* all */ 2020", "where: a comment is not part of a condition"),
        ("region = 'north", "where: it is no condition of SQL"),
        ("\"region = 'north'", "where: it is no condition of SQL"),
        ("region = 'nor\nth'", "where: a name or a text has a line break"),
        (
            "a=1 or b=1 or c=1 or d=1 or e=1 or f=1 or g=1 or h=1 or i=1",
            "where: it compares more than 8 columns",
        ),
    ] {
        let refused = refusal(text);
        assert!(refused.starts_with(what), "{text}: {refused}");
    }
}

#[test]
fn refuses_what_is_long_or_deep() {
    let nested = |depth: usize| format!("{}a = 1{}", "(".repeat(depth), ")".repeat(depth));
    assert!(nested(10).parse::<Filter>().is_ok());
    assert!(refusal(&nested(200)).contains("nested too deeply"));
    assert!(refusal(&nested(4900)).contains("nested too deeply"));
    assert!(refusal(&"(".repeat(9_000)).contains("nested too deeply"));
    assert!(refusal(&format!("{}a = 1", "not ".repeat(2_000))).contains("where: "));
    assert!(refusal(&format!("a = {}1", "- ".repeat(4_000))).contains("where: "));
    assert!(refusal(&"(".repeat(1 << 20)).contains("longer than 10000 bytes"));
    let chain = vec!["a = 1"; 1_000].join(" AND ");
    assert_eq!(canonical(&chain), chain);
    // Its canonical text can be longer.
    assert!(refusal(&vec!["a=1"; 1_200].join(" or ")).contains("longer than 10000 bytes"));
}

fn name() -> BoxedStrategy<String> {
    prop_oneof![
        4 => "[a-z_][a-z0-9_]{0,6}",
        2 => prop::sample::select(ALL_KEYWORDS.to_vec()).prop_map(str::to_owned),
        2 => prop::sample::select(ALL_KEYWORDS.to_vec()).prop_map(str::to_lowercase),
        1 => "[ -~äß∞]{1,6}".prop_filter("a name", |name| !name.trim_ascii().is_empty()),
    ]
    .boxed()
}

fn test() -> impl Strategy<Value = String> {
    let quoted = name().prop_map(|name| format!("\"{}\"", name.replace('"', "\"\""))).boxed();
    let number = prop_oneof![
        any::<i32>().prop_map(|number| number.to_string()),
        any::<f64>()
            .prop_filter("finite", |number| number.is_finite())
            .prop_map(|number| format!("{number:?}")),
    ]
    .boxed();
    let text = "[ -~ä]{0,6}[a-z']".prop_map(|text| format!("'{}'", text.replace('\'', "''")));
    let moment = (0f64..4e9)
        .prop_map(|seconds| format!("TIMESTAMP '{}'", suum_core::TimeScale::Seconds.text(seconds)));
    let order = prop::sample::select(vec!["=", "<>", "<", "<=", ">", ">="]);
    prop_oneof![
        (quoted.clone(), order.clone(), number.clone())
            .prop_map(|(name, order, number)| format!("{name} {order} {number}")),
        (quoted.clone(), order, moment)
            .prop_map(|(name, order, moment)| format!("{name} {order} {moment}")),
        (quoted.clone(), prop::collection::vec(text, 1..4), any::<bool>()).prop_map(
            |(name, texts, not)| {
                let not = if not { "NOT" } else { "" };
                format!("{name} {not} IN ({})", texts.join(", "))
            }
        ),
        (quoted.clone(), number.clone(), number)
            .prop_map(|(name, least, most)| format!("{name} BETWEEN {least} AND {most}")),
        quoted.prop_map(|name| format!("{name} IS NOT NULL")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(500)))]

    #[test]
    fn canonical_text_reads_back_as_itself(
        text in test().prop_recursive(4, 20, 3, |inner| prop_oneof![
            prop::collection::vec(inner.clone(), 2..4)
                .prop_map(|parts| format!("({})", parts.join(") AND ("))),
            prop::collection::vec(inner.clone(), 2..4)
                .prop_map(|parts| format!("({})", parts.join(") OR ("))),
            inner.prop_map(|part| format!("NOT ({part})")),
        ]),
    ) {
        let Ok(filter) = text.parse::<Filter>() else {
            // More than eight columns.
            prop_assert!(refusal(&text).contains("more than 8 columns"), "{}", text);
            return Ok(());
        };
        let again: Filter = filter.to_string().parse().unwrap();
        prop_assert_eq!(&again, &filter);
        prop_assert_eq!(again.condition(), filter.condition());
        prop_assert_eq!(again.columns(), filter.columns());
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-a-z0-9'\"(),;:=<>! .*/$?\\n]{0,60}") {
        if let Err(refused) = text.parse::<Filter>() {
            prop_assert!(refused.to_string().starts_with("where: "));
            prop_assert!(refused.fix().is_some());
        }
    }
}
