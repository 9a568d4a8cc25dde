//! Level-table files of groups: round trips, and what is refused.

use suum_core::{
    Categories, Epsilon, ErrorKind, GroupName, LevelSums, LevelTable, Measure, PersonValue,
};
use suum_data::{
    Groups, LevelTables, read_counted, read_counted_of_anybody, read_levels, write_counted,
};

/// The file of the group `s` alone.
const SOUTH: &str = concat!(
    r#"{"format":"suum-levels","version":1,"column":"v","bounds":[0,8],"grid":1048576,"#,
    r#""records":7,"levels":[{"level":"a","epsilon":0.5,"count":3,"sum":"3145728"},"#,
    r#"{"epsilon":"inf","count":4,"sum":17}]}"#
);

fn people() -> LevelSums {
    let epsilon = Epsilon::new(0.5).unwrap();
    LevelSums { label: None, epsilon, count: 2, sums: vec![], cells: Default::default() }
}

const GROUPS: &str = concat!(
    r#"{"format":"suum-levels","version":1,"column":"v","bounds":[0,8],"grid":1048576,"#,
    r#""group_by":"site","groups":["n","s","e"],"records":12,"levels":["#,
    r#"{"group":"s","level":"a","epsilon":0.5,"count":3,"sum":"3145728"},"#,
    r#"{"group":"n","level":"a","epsilon":0.5,"count":5,"sum":"5"},"#,
    r#"{"group":"s","epsilon":"inf","count":4,"sum":17}]}"#
);

#[test]
fn a_file_of_groups_has_a_table_for_each() {
    let LevelTables::Groups(groups) = read_counted(GROUPS.as_bytes()).unwrap() else {
        panic!("there are groups")
    };
    assert_eq!(groups.column, "site");
    let records = |groups: &Groups| -> Vec<(String, Option<u64>)> {
        let records = |table: &Option<LevelTable>| table.as_ref().map(LevelTable::records);
        groups.each.iter().map(|(name, table)| (name.to_string(), records(table))).collect()
    };
    let owned = |name: &str, records| (name.to_owned(), records);
    assert_eq!(records(&groups), [owned("n", Some(5)), owned("s", Some(7)), owned("e", None)]);
    let south = groups.each[1].1.clone().unwrap();
    // A table of a group is what it would be alone.
    assert_eq!(south, read_levels(SOUTH.as_bytes()).unwrap());
    let LevelTables::Groups(anybody) = read_counted_of_anybody(GROUPS.as_bytes()).unwrap() else {
        panic!("there are groups")
    };
    assert_eq!(anybody.each[2].1.as_ref().map(LevelTable::records), Some(0));
    assert_eq!(anybody.each[2].1.as_ref().map(LevelTable::measure), Some(south.measure()));
    let refused = read_levels(GROUPS.as_bytes()).unwrap_err();
    assert!(refused.to_string().contains("a table for each group"), "{refused}");
    let nobody =
        GROUPS.split_once("\"records\"").unwrap().0.to_owned() + "\"records\":0,\"levels\":[]}";
    assert!(
        read_counted(nobody.as_bytes())
            .unwrap_err()
            .to_string()
            .contains("no records in any group")
    );
    assert!(read_counted_of_anybody(nobody.as_bytes()).is_ok());
}

#[test]
fn a_group_with_too_many_levels_has_no_sums_in_cells() {
    let text = r#"{"format":"suum-levels","version":1,"warning":"raw sums: not private",
        "column":"v","bounds":[0.0,8.0],"grid":1048576,"squares":true,"cells":8,"cell_sums":true,
        "group_by":"g","groups":["a","b","c"],"records":3,"levels":[
        {"group":"a","epsilon":0.5,"count":1,"sum":"1048576","squares":"1099511627776"},
        {"group":"b","epsilon":0.5,"count":2,"sum":"0","squares":"2199023255552",
        "cells":[[0,2]],"cell_sums":[["0","2199023255552"]]}]}"#;
    let counted = read_counted(text.as_bytes()).unwrap();
    let LevelTables::Groups(groups) = &counted else { panic!("there are groups") };
    let has_cells = |at: usize| {
        let table = groups.each[at].1.as_ref().unwrap();
        table.numbers().unwrap().cells.is_some()
    };
    assert_eq!([0, 1].map(has_cells), [false, true]);
    let mut file = Vec::new();
    write_counted(&counted, &mut file).unwrap();
    let written = String::from_utf8(file).unwrap();
    assert_eq!(written.trim_end(), text.replace("\n        ", ""));
    // One level alone cannot lack them.
    let mixed = text.replace("\"group\":\"a\",\"epsilon\":0.5", "\"group\":\"b\",\"epsilon\":1");
    let refused = read_counted(mixed.as_bytes()).unwrap_err();
    assert!(refused.to_string().contains("level 1: it has no cells"), "{refused}");
}

#[test]
fn groups_of_any_name_read_back() {
    let table = LevelTable::new(None, Measure::Nothing, vec![people()]).unwrap();
    let names = ["a,b", "\"quoted\"", "two\r\nlines", "\\", "=", "\u{1}", "🙂"];
    let each = names.iter().enumerate();
    let each = each.map(|(at, name)| ((*name).into(), (at != 3).then(|| table.clone())));
    let counted =
        LevelTables::Groups(Groups { column: "the \"group\",\n".into(), each: each.collect() });
    let mut file = Vec::new();
    write_counted(&counted, &mut file).unwrap();
    assert_eq!(read_counted(file.as_slice()).unwrap(), counted);
}

#[test]
fn groups_of_several_columns_have_a_label_for_each() {
    let text = concat!(
        r#"{"format":"suum-levels","version":1,"warning":"raw sums: not private","#,
        r#""group_by":["site","sex"],"groups":[["n","f"],["n","m"]],"records":3,"levels":["#,
        r#"{"group":["n","m"],"epsilon":0.5,"count":3}]}"#
    );
    let counted = read_counted(text.as_bytes()).unwrap();
    let LevelTables::Groups(groups) = &counted else { panic!("there are groups") };
    assert_eq!(groups.column, GroupName::from_labels(["site", "sex"]));
    assert_eq!(groups.each[0], (GroupName::from_labels(["n", "f"]), None));
    assert_eq!(groups.each[1].1.as_ref().map(LevelTable::records), Some(3));
    let mut file = Vec::new();
    write_counted(&counted, &mut file).unwrap();
    assert_eq!(String::from_utf8(file).unwrap().trim_end(), text);
    for (from, to, message) in [
        (r#"[["n","f"],"#, r#"["n","#, "groups: number 1 does not have a label for each column"),
        (r#"[["n","f"],"#, r#"[["n",""],"#, "groups: number 1 is empty"),
        (r#"[["n","f"],"#, r#"[["n","m"],"#, "groups: number 2 is repeated"),
        (r#"["site","sex"]"#, r#"["site",""]"#, "\"group_by\" and \"groups\" belong together"),
        (r#"["site","sex"]"#, "[]", "\"group_by\" and \"groups\" belong together"),
        (r#""group":["n","m"]"#, r#""group":["m","n"]"#, "its group is none of those declared"),
    ] {
        assert!(text.contains(from), "{from}");
        let refused = read_counted(text.replace(from, to).as_bytes()).unwrap_err();
        assert!(refused.to_string().contains(message), "{refused}");
    }
}

#[test]
fn malformed_files_of_groups_are_refused() {
    let changed = |from: &str, to: &str| {
        assert!(GROUPS.contains(from), "{from}");
        GROUPS.replacen(from, to, 1)
    };
    let level = "{\"group\":\"n\",\"level\":\"a\",\"epsilon\":0.5,\"count\":5,\"sum\":\"5\"},";
    let many: Vec<String> = (0..=Categories::MOST).map(|name| format!("\"{name}\"")).collect();
    let long = format!("\"column\":\"{}\"", "v".repeat(1 << 20));
    let several: Vec<String> = (0..2000).map(|name| format!("\"{name}\"")).collect();
    let several = format!("[\"n\",\"s\",{}]", several.join(","));
    for (text, message) in [
        (changed("\"group_by\":\"site\",", ""), "belong together"),
        (changed("\"group_by\":\"site\"", "\"group_by\":\" \""), "belong together"),
        (changed(",\"groups\":[\"n\",\"s\",\"e\"]", ""), "belong together"),
        (changed("\"groups\":[\"n\",\"s\",\"e\"]", "\"groups\":\"n\""), "not the JSON of"),
        (
            changed("\"group_by\":\"site\",\"groups\":[\"n\",\"s\",\"e\"],", ""),
            "level 1: it has a group but the table has none",
        ),
        (changed("\"e\"]", "\"s\"]"), "groups: number 3 is repeated"),
        (changed("\"e\"]", "\"\"]"), "groups: number 3 is empty"),
        (changed("[\"n\",\"s\",\"e\"]", "[\"SECRET123\"]"), "there must be at least two"),
        (changed("\"e\"]", &format!("{}]", many.join(","))), "more than 65536"),
        (changed("\"group\":\"n\"", "\"group\":\"SECRET123\""), "level 2: its group is none of"),
        (changed("\"group\":\"n\",", ""), "level 2: it has no group"),
        (changed("\"group\":\"n\"", "\"group\":4711"), "not the JSON of"),
        (changed(level, ""), "do not add up"),
        (changed(level, &level.repeat(2)), "do not add up"),
        (
            changed(level, &level.repeat(2)).replace("\"records\":12", "\"records\":17"),
            "group 1: level 2 (by ascending epsilon) is repeated",
        ),
        (changed("\"sum\":17", "\"sum\":4194305"), "group 2: the sums of level 2"),
        (changed("\"sum\":17", "\"sum\":\"SECRET123\""), "level 3: the sum is not an integer"),
        (changed("\"count\":5", "\"count\":0"), "level 2: it has no records"),
        (
            changed("\"column\":\"v\"", &long).replace("[\"n\",\"s\",\"e\"]", &several),
            "there are too many groups for the names",
        ),
    ] {
        let refused = read_counted(text.as_bytes()).unwrap_err();
        assert!(refused.to_string().starts_with("level table: "), "{refused}");
        assert!(refused.to_string().contains(message), "{refused} instead of {message}");
        assert_eq!(refused.kind(), ErrorKind::Table, "{refused}");
        let all = format!("{refused:?}");
        assert!(refused.fix().is_some(), "{refused}");
        for secret in ["SECRET123", "4711", "4194305", "3145728"] {
            assert!(!all.contains(secret), "{all}");
        }
    }
}

#[test]
fn tables_of_groups_that_differ_are_not_written() {
    let table = LevelTable::new(None, Measure::Nothing, vec![people()]).unwrap();
    let persons = table.clone().with_person("id".into(), PersonValue::Mean);
    for each in [vec![None, None], vec![Some(table), Some(persons)]] {
        let each = ["n", "s"].map(GroupName::from).into_iter().zip(each).collect();
        let groups = LevelTables::Groups(Groups { column: "site".into(), each });
        let refused = write_counted(&groups, Vec::new()).unwrap_err();
        assert!(refused.kind() == ErrorKind::Table && refused.fix().is_some(), "{refused}");
    }
}
