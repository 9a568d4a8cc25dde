//! Location of the records of a job.

use std::collections::BTreeSet;

use suum_core::{Error, OptionName, Result, for_example, leave_out, option, say};
use suum_data::{
    CsvForm, DecimalMark, DecisionColumns, Delimiter, Encoding, Filter, StatusWords, list,
};

use super::as_of::AsOf;
use super::data_names::{DataNames, NameList};
use crate::options::{Choice, Flag, LabelList, NO_RECORDS, Name, Shape, beside, option_struct};
use crate::query::Labels;

/// Reason why options of CSV files are refused where there are none.
const NO_CSV: &str = "it is said of CSV files, and none is read";

/// Reason why a column of a register is refused without one.
const NO_REGISTER: &str = "there is no register of choices";

/// Reason why words of a status are refused without its column.
const NO_STATUS: &str = "no column has a status";

option_struct! {
    /// Where records, or their level table, come from.
    pub struct DataSource of Source {
        /// A CSV (also .gz and .zst) or Parquet file, a folder or a glob of them, or several of
        /// these, which are read as one; - for CSV on standard input, a SQLite file (also as
        /// sqlite:PATH), or a PostgreSQL database (postgresql://USER@HOST/DATABASE).
        pub data: Option<DataNames> as NameList
            => shaped(Shape::DATA)
            .required(10, "CSV, Parquet, folder, -, SQLite, postgresql://")
            .excludes(&[beside("from_levels", NO_RECORDS)])
            .about_records().not_asked().shown_as("DATA");
        /// The table or view of a database, as NAME or SCHEMA.NAME.
        pub table: Option<String> as Name
            => common(300, "The table of a database")
            .excludes(&[beside("from_levels", NO_RECORDS)])
            .about_records().shown_as("TABLE");
        /// A query whose rows are the records of a database: a SELECT in its dialect.
        pub query: Option<String> as Name
            => value("SQL")
            .common(330, "A query whose rows are the records")
            .excludes(&[
                beside("table", "records are those of a table or of a query"),
                beside("from_levels", NO_RECORDS),
            ])
            .about_records().shown_as("SQL");
        /// You have checked that the query is row-wise: each record gives at most one row, computed
        /// from that record alone, and whether it gives one does not depend on private values.
        /// Without this, queries that are not known to be row-wise are refused.
        pub trust_query: bool as Flag
            => needs(&["query"], "there is no query to trust")
            .not_asked();
        /// Only records of which this is true: comparisons of columns with constants by =, <>, <,
        /// <=, >, >=, IN, BETWEEN and IS NULL, joined by AND, OR and NOT, as in SQL. Unless
        /// participation is hidden, the columns must be public: tier, budget, person, group, or one
        /// of `public_columns`; with `person` one of these.
        pub filter: Option<Filter> as Choice
            => named("where")
            .value("CONDITION")
            .excludes(&[beside("from_levels", NO_RECORDS)])
            .about_records();
        /// Columns that everybody may know of everybody, for good. A query may compute tiers,
        /// budgets, persons, groups and its WHERE from these alone. A ledger refuses others as
        /// group, tier, budget or person once it protects their values, and as value once they were
        /// one of these.
        pub public_columns: Option<Labels> as LabelList
            => shaped(Shape::NAMES)
            .value("COL,…")
            .not_asked();
        /// What separates the cells of CSV files: for example ';', or tab. Default: a comma.
        pub delimiter: Option<Delimiter> as Choice
            => value("CHARACTER")
            .also(&["sep"])
            .needs(&["data"], NO_CSV)
            .not_asked();
        /// How the text of CSV files is encoded: utf-8, or latin-1. Default: utf-8.
        pub encoding: Option<Encoding> as Choice
            => value("NAME")
            .needs(&["data"], NO_CSV)
            .not_asked();
        /// What stands before the decimals of numbers in CSV files: . or , as in 3,5, which needs
        /// another `delimiter`, mostly ';'. Nothing separates thousands. Default: a point.
        pub decimal: Option<DecimalMark> as Choice
            => value("CHARACTER")
            .needs(&["data"], NO_CSV)
            .not_asked();
        /// A register with the column of `privacy` or `epsilon`, which the data then lack: a CSV or
        /// Parquet file, or a table of the database that the data are in. It has one row for each
        /// key, or with `consent_from` one for each decision. A record whose key it lacks is
        /// refused, or counts as `missing_consent` says.
        pub consent: Option<String> as Name
            => value("FILE|TABLE")
            .incomplete_without(
                &["key"],
                "it is not said what a choice is found by",
                || {
                    say("name the column of keys, in the data and in the consent file:")
                        .set(option::KEY, "id")
                        .say(", or")
                        .set(option::KEY, "respondent=id")
                },
            )
            .excludes(&[beside("from_levels", NO_RECORDS)])
            .about_records().not_asked().shown_as("CONSENT");
        /// The column of keys in the data and in the `consent` register: COL, or COL=COL if they
        /// differ; often that of `person`.
        pub key: Option<String> as Name
            => value("COL[=COL]")
            .needs(&["consent"], "there is no consent file")
            .not_asked();
        /// The column of the register with the date or time from which a decision holds. Of a key
        /// with several decisions the latest that has begun counts, of those of one time the
        /// strictest.
        pub consent_from: Option<String> as Name
            => value("COL").needs(&["consent"], NO_REGISTER).not_asked();
        /// The column of the register with the date or time at which a decision ends; where it is
        /// empty, it has no end. A decision that has ended allows nothing.
        pub consent_until: Option<String> as Name
            => value("COL").needs(&["consent"], NO_REGISTER).not_asked();
        /// The column of the register with the status of a decision: active, also where it is
        /// empty, withdrawn or expired. One that is not active allows nothing.
        pub consent_status: Option<String> as Name
            => value("COL").needs(&["consent"], NO_REGISTER).not_asked();
        /// The words of `consent_status` that mean active, whatever their case. Default: active.
        pub consent_active: Option<Labels> as LabelList
            => shaped(Shape::NAMES)
            .value("WORD,…")
            .needs(&["consent_status"], NO_STATUS)
            .not_asked();
        /// The words of `consent_status` that mean withdrawn, whatever their case. Default:
        /// withdrawn, revoked, rejected, inactive.
        pub consent_withdrawn: Option<Labels> as LabelList
            => shaped(Shape::NAMES)
            .value("WORD,…")
            .needs(&["consent_status"], NO_STATUS)
            .not_asked();
        /// The words of `consent_status` that mean expired, whatever their case. Default: expired.
        pub consent_expired: Option<Labels> as LabelList
            => shaped(Shape::NAMES)
            .value("WORD,…")
            .needs(&["consent_status"], NO_STATUS)
            .not_asked();
        /// The column of the register with what proves a decision: the version of the form, or the
        /// number of a receipt.
        pub consent_reference: Option<String> as Name
            => value("COL").needs(&["consent"], NO_REGISTER).not_asked();
        /// Columns of the register with public attributes of a person, which `group_by`, `strata`
        /// and `weight` can name, and the data then lack: the same in all rows of a key that are
        /// not empty. Different weights are declared as `classes`.
        pub consent_attributes: Option<Labels> as LabelList
            => shaped(Shape::NAMES)
            .value("COL,…")
            .needs(&["consent"], NO_REGISTER);
        /// The date or time at which decisions of the register must be in force, in UTC if no zone
        /// is named; of a date its beginning. Default: now.
        pub as_of: Option<AsOf> as Choice
            => value("DATE|TIME")
            .needs(
                &["consent_from", "consent_until", "consent_status"],
                "no column of a register says when a decision holds",
            );
        /// A level table in place of data: JSON from `suum levels`, or the result of `suum
        /// levels-sql` as CSV, Parquet or JSON.
        pub from_levels: Option<String> as Name => value("FILE").not_asked().shown_as("LEVELS");
    }
}

impl DataSource {
    /// Names of the columns that are declared public.
    pub(crate) fn declared_public(&self) -> BTreeSet<String> {
        let names = self.public_columns.iter().flat_map(|Labels(names)| names);
        names.cloned().collect()
    }

    /// Adds columns to those that are declared public.
    pub(crate) fn add_public(&mut self, columns: BTreeSet<String>) {
        if columns.is_empty() {
            return;
        }
        let Labels(names) = self.public_columns.get_or_insert(Labels(Vec::new()));
        let added: Vec<String> = columns.into_iter().filter(|name| !names.contains(name)).collect();
        names.extend(added);
    }

    /// Returns the column of keys in the data, and that in the register.
    ///
    /// # Errors
    ///
    /// Refuses what is not the name of a column, or of two.
    pub(crate) fn keys(&self) -> Result<[String; 2]> {
        keys(self.key.as_deref().unwrap_or_default())
    }

    /// Returns true if choices are decisions over time.
    pub(crate) fn has_decisions(&self) -> bool {
        let columns = [&self.consent_from, &self.consent_until, &self.consent_status];
        columns.into_iter().any(Option::is_some)
    }

    /// Returns the columns of a register with the validity of decisions, looked at as of this time,
    /// of which those that have ended count as the choice `ended`.
    ///
    /// # Errors
    ///
    /// Refuses words of status with two meanings.
    pub(crate) fn decision_columns(&self, as_of: AsOf, ended: String) -> Result<DecisionColumns> {
        Ok(DecisionColumns {
            from: self.consent_from.clone(),
            until: self.consent_until.clone(),
            status: self.consent_status.clone(),
            reference: self.consent_reference.clone(),
            words: self.status_words()?,
            ..DecisionColumns::at(as_of.seconds(), ended)
        })
    }

    /// Returns the columns of the register with attributes of persons.
    pub(crate) fn attributes(&self) -> Vec<String> {
        self.consent_attributes.iter().flat_map(|Labels(names)| names).cloned().collect()
    }

    /// Returns the words that a status can have.
    ///
    /// # Errors
    ///
    /// Refuses words with two meanings.
    pub(crate) fn status_words(&self) -> Result<StatusWords> {
        let words = |labels: &'_ Option<Labels>| labels.as_ref().map(|Labels(words)| words.clone());
        let lists = [&self.consent_active, &self.consent_withdrawn, &self.consent_expired];
        let [active, withdrawn, expired] = lists.map(words);
        StatusWords::new(active.as_deref(), withdrawn.as_deref(), expired.as_deref())
    }

    /// Form of CSV files.
    pub(crate) fn csv_form(&self) -> CsvForm {
        CsvForm {
            delimiter: self.delimiter.unwrap_or_default(),
            encoding: self.encoding.unwrap_or_default(),
            decimal: self.decimal.unwrap_or_default(),
        }
    }

    /// First option that describes CSV files, if one is set.
    pub(crate) fn first_csv_option(&self) -> Option<OptionName> {
        let delimiter = self.delimiter.map(|_| option::DELIMITER);
        let encoding = self.encoding.map(|_| option::ENCODING);
        delimiter.or(encoding).or(self.decimal.map(|_| option::DECIMAL))
    }

    /// Refusal of an option of CSV files, where there are none.
    pub(crate) fn no_csv(option: OptionName) -> Error {
        Error::request(option, NO_CSV)
            .with_fix(leave_out(option).say(", or name a CSV file as the data"))
    }
}

/// Column of keys in the data, and that in the consent file.
fn keys(text: &str) -> Result<[String; 2]> {
    let named = match list::pairs(text).as_slice() {
        [Some((key, key_of_file))] => Some([key.clone(), list::items(key_of_file).concat()]),
        [None] => list::items(text).first().map(|key| [key.clone(), key.clone()]),
        _ => None,
    };
    named.filter(|keys| keys.iter().all(|key| !key.is_empty())).ok_or_else(|| {
        Error::parameter(option::KEY, "expected a column, or that of the data and that of the file")
            .with_fix(for_example(option::KEY, "id").say(", or").set(option::KEY, "respondent=id"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_one_name_or_two() {
        let of = |text: &str| keys(text).ok();
        assert_eq!(of("id"), Some(["id".to_owned(), "id".to_owned()]));
        assert_eq!(of("a = b"), Some(["a".to_owned(), "b".to_owned()]));
        assert_eq!(of(r"a\=b"), Some(["a=b".to_owned(), "a=b".to_owned()]));
        for wrong in ["", "a=", "=b", "a=b,c=d", "a,b"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
