//! Faults in data, in terms that cannot carry a value out of them.

use std::{error, fmt, io};

use suum_core::{Error, ErrorKind, Phrase, Place, TimeScale, option, say};

use crate::cells::missing_column::MissingColumn;
use crate::scan::consent::Consent;
use crate::scan::csv_form::DecimalMark;
use crate::scan::decisions::DecisionPart;
use crate::scan::filter::CellKind;
use crate::scan::role::Role;
use crate::scan::value::Value;
use crate::scan::{GroupKind, PrivacyColumn, Scan};

/// A fault in the data. No variant has room for text from the data, so no message can repeat any,
/// except the name of a column ([`MissingColumn`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    // Faults of a row.
    Missing(Role),
    NotUtf8(Role),
    /// A key that the consent file does not have.
    NoConsent,
    /// A key that an earlier row has.
    KeyTwice,
    /// A cell for the time of a decision that is not a date or time.
    NotADate(DecisionPart),
    /// A status that is not declared.
    UnknownStatus,
    /// An attribute of this index that an earlier row of the key has otherwise.
    AttributeTwice(u8),
    NotABudget,
    /// A tier that is not declared, with the position of the declared tier that it resembles.
    UnknownTier(Option<u32>),
    NotANumber,
    NotAMoment(TimeScale),
    NotACategory,
    OutsideBins,
    /// A cell for the time of a person's row that is no number, date or time.
    NotATime,
    /// A label that is not declared, in the column of groups with this index, with the position of
    /// the declared label that it resembles.
    NotAGroup(u8, Option<u32>),
    /// A cell that the filter cannot compare, in the filter column with this index.
    NotComparable(u8, CellKind),
    Ragged,
    OpenQuote,
    LongRecord,
    // Faults of a file.
    Empty,
    WideHeader,
    HeaderNotUtf8,
    Utf16,
    /// Compressed, although the file's name does not say so.
    Packed,
    /// Not compressed, although its name says so.
    NotPacked,
    /// Compressed, and cut off before its end.
    CutShort,
    /// Compressed, and damaged: the unpacked data do not match the checksum.
    Damaged,
    NotFound(Role, Box<MissingColumn>),
    Repeated(Role),
    Nested(Role),
    Duration(Role),
    Type(Role),
    Corrupt,
    RowCount,
    Cancelled,
    Io(io::ErrorKind),
}

/// Advice for text in another encoding.
fn utf_8() -> Phrase {
    say("save the file with UTF-8 encoding, or say")
        .set(option::ENCODING, "latin-1")
        .say("if it is Latin-1")
}

/// The first fault of a column, and its row counted from 0.
pub(crate) type RowFault = Option<(usize, Fault)>;

/// Takes places up to the first fault, which is returned with its row counted from 0.
pub(crate) fn until_fault<T>(
    places: impl Iterator<Item = Result<T, Fault>>,
    out: &mut Vec<T>,
) -> RowFault {
    for (row, place) in places.enumerate() {
        match place {
            Ok(place) => out.push(place),
            Err(fault) => return Some((row, fault)),
        }
    }
    None
}

impl Fault {
    /// Words the refusal: file and row where they are known, the column as the user named it, and a
    /// way out.
    ///
    /// If participation is private, the number of rows before a fault and the file of a record are
    /// private as well, so neither is named.
    pub(crate) fn refuse(self, scan: &Scan, file: Option<&str>, row: Option<u64>) -> Error {
        let add_remove = scan.add_remove.is_some();
        let row = row.filter(|_| !add_remove);
        let file = file.filter(|_| !(add_remove && self.is_of_record()));
        let role = self.role();
        // If participation is private, so are the cells of the participants.
        let meant = self.meant(scan).filter(|_| !(add_remove && self.is_of_record()));
        // The declared name is the user's own, and the data have another.
        let is_declared = matches!(self, Self::UnknownTier(_) | Self::NotAGroup(..));
        let is_in_path = matches!(&self, Self::NotFound(role, _)
            if file.is_some_and(|file| names_folder(file, scan.column(*role))));
        let (kind, what, fix) = self.describe(scan);
        let at = Place::Cell {
            file: file.map(str::to_owned),
            column: role.map(|role| scan.column_in_refusals(role).to_owned()),
            row,
        };
        let fix = match meant {
            Some(name) if is_declared => say(format!(
                "{name} is declared, which is nearly it: spell it as in the data. If it is \
                 another one,"
            ))
            .then(fix),
            Some(name) => say(format!("did you mean {name}? If not,")).then(fix),
            None if is_in_path => say(
                "it is in the name of a folder, and those are not read: write it into the files as \
                 a column, or hand suum in Python what a reader of such folders makes of them",
            ),
            None => fix,
        };
        Error::new(kind, at, what).with_fix(fix)
    }

    /// Public name that was probably meant.
    fn meant(&self, scan: &Scan) -> Option<String> {
        let name = match (self, &scan.privacy) {
            (Self::NotFound(_, unfound), _) => unfound.like()?,
            (Self::UnknownTier(place), PrivacyColumn::Tiers { tiers, .. }) => {
                tiers.iter().nth((*place)? as usize)?.0
            }
            (Self::NotAGroup(at, place), _) => {
                let group = scan.label_columns().nth(usize::from(*at))?;
                group.groups.categories().names().get((*place)? as usize)?
            }
            _ => return None,
        };
        Some(name.to_owned())
    }

    /// Returns true if a single record is at fault, not a file as a whole.
    fn is_of_record(&self) -> bool {
        match self {
            Self::Missing(_)
            | Self::NotUtf8(_)
            | Self::NoConsent
            | Self::KeyTwice
            | Self::NotADate(_)
            | Self::UnknownStatus
            | Self::AttributeTwice(_)
            | Self::NotABudget
            | Self::UnknownTier(_)
            | Self::NotANumber
            | Self::NotAMoment(_)
            | Self::NotACategory
            | Self::OutsideBins
            | Self::NotATime
            | Self::NotAGroup(..)
            | Self::NotComparable(..)
            | Self::Ragged
            | Self::OpenQuote
            | Self::LongRecord => true,
            Self::Empty
            | Self::WideHeader
            | Self::HeaderNotUtf8
            | Self::Utf16
            | Self::Packed
            | Self::NotPacked
            | Self::CutShort
            | Self::Damaged
            | Self::NotFound(..)
            | Self::Repeated(_)
            | Self::Nested(_)
            | Self::Duration(_)
            | Self::Type(_)
            | Self::Corrupt
            | Self::RowCount
            | Self::Cancelled
            | Self::Io(_) => false,
        }
    }

    fn role(&self) -> Option<Role> {
        match self {
            Self::NotABudget | Self::UnknownTier(_) | Self::NoConsent => Some(Role::Privacy),
            Self::KeyTwice => Some(Role::Person),
            Self::NotATime => Some(Role::Time),
            Self::NotADate(part) => Some(Role::Decision(*part)),
            Self::UnknownStatus => Some(Role::Decision(DecisionPart::Status)),
            Self::AttributeTwice(at) => Some(Role::Attribute(*at)),
            Self::NotANumber | Self::NotAMoment(_) | Self::NotACategory | Self::OutsideBins => {
                Some(Role::Value)
            }
            Self::NotAGroup(at, _) => Some(Role::Group(*at)),
            Self::NotComparable(at, _) => Some(Role::Filter(*at)),
            Self::Missing(role) | Self::NotUtf8(role) | Self::NotFound(role, _) => Some(*role),
            Self::Repeated(role) | Self::Nested(role) => Some(*role),
            Self::Duration(role) | Self::Type(role) => Some(*role),
            _ => None,
        }
    }

    fn describe(self, scan: &Scan) -> Description {
        match self {
            Self::Missing(Role::Privacy) if scan.reads_weights => no_weight(),
            Self::NotABudget if scan.reads_weights => not_a_weight(),
            Self::Type(Role::Privacy) if scan.reads_weights => no_numbers(),
            Self::Missing(Role::Group(at)) if scan.across_at(at).is_none() => {
                match scan.group_kind(at) {
                    GroupKind::Group => no_group(),
                    GroupKind::Stratum => no_stratum(),
                    GroupKind::Weight => no_weight(),
                }
            }
            Self::NotAGroup(at, _) if scan.across_at(at).is_none() => match scan.group_kind(at) {
                GroupKind::Group => not_a_group(),
                GroupKind::Stratum => not_a_stratum(),
                GroupKind::Weight => not_a_declared_weight(),
            },
            Self::Missing(Role::Privacy) => data(
                "missing privacy choice",
                say(
                    "give every record a choice; without one nobody can say how much it allows (0 \
                     means: do not use), unless",
                )
                .set(option::MISSING_CONSENT, "TIER")
                .say("or 0 says what it counts as"),
            ),
            Self::Missing(role) if is_counted(role, scan) => data(
                "missing value",
                say("name a declared category to count missing cells in with")
                    .set(option::MISSING, "NAME")
                    .say(", or leave such records out with")
                    .set(option::MISSING, "exclude")
                    .say(
                        ", which hides who they are; without that it would reveal who has no value",
                    ),
            ),
            Self::Missing(Role::Value) => data(
                "missing value",
                say("name a public constant to stand for missing cells with")
                    .set(option::MISSING, "VALUE")
                    .say(", or leave such records out with")
                    .set(option::MISSING, "exclude")
                    .say(
                        ", which hides who they are; without that it would reveal who has no value",
                    ),
            ),
            // Those of groups are above.
            Self::Missing(Role::Group(_) | Role::Attribute(_)) => no_group(),
            Self::Missing(Role::Person) => data(
                "missing identifier",
                "write in each row whose it is; rows of nobody cannot be counted once per person",
            ),
            // A missing time comes before all others.
            Self::Missing(Role::Time) | Self::NotATime => data(
                "not a number, date or time",
                "write dates as 2020-01-31 and times as 2020-01-31T07:30:00; an empty cell comes \
                 before all others",
            ),
            Self::Missing(Role::Filter(_)) => data("missing cell", "ask for it with IS NULL"),
            Self::Missing(Role::Decision(_)) => data(
                "missing date: nobody can say from when on the decision holds",
                say("write the date or time of each decision; if each key has one decision for \
                     good, leave")
                .option(option::CONSENT_FROM)
                .say("out"),
            ),
            Self::NotADate(_) => data(
                "not a date or time",
                "write dates as 2020-01-31 and times as 2020-01-31T07:30:00, in UTC or with their \
                 zone, as in +01:00",
            ),
            Self::UnknownStatus => data(
                "the status is not declared",
                say("declare every word of the column:")
                    .set(option::CONSENT_ACTIVE, "WORD,…")
                    .say(",")
                    .set(option::CONSENT_WITHDRAWN, "WORD,…")
                    .say("or")
                    .set(option::CONSENT_EXPIRED, "WORD,…"),
            ),
            Self::AttributeTwice(_) => data(
                "an earlier row of the key has another one",
                "write the same attribute in all rows of a key",
            ),
            Self::NotUtf8(_) => data("the cell is not UTF-8", utf_8()),
            Self::NoConsent if scan.consent.as_deref().is_some_and(Consent::is_over_time) => data(
                "the key has no decision in the register that has begun",
                say("add its decision, or say with")
                    .set(option::MISSING_CONSENT, "TIER")
                    .say("or 0 what such records count as"),
            ),
            Self::NoConsent => data(
                "the key is not in the consent file",
                say("add its line to that file, or say with")
                    .set(option::MISSING_CONSENT, "TIER")
                    .say("or 0 what such records count as"),
            ),
            Self::KeyTwice => data(
                "the key is in an earlier row, too",
                say(
                    "keep one row of each key: nobody can say which of two choices holds; if they \
                     are decisions of different times, name the column of these with",
                )
                .set(option::CONSENT_FROM, "COL"),
            ),
            Self::NotABudget => data(
                "not a privacy budget",
                match scan.csv.decimal {
                    DecimalMark::Point => {
                        say("write budgets as 0 (unused), a number from 1e-100 to 1e100, or inf \
                             (public); of a CSV file with numbers such as 0,5 say")
                        .set(option::DECIMAL, ",")
                        .say("(and mostly")
                        .set(option::DELIMITER, ";")
                        .say("); name tiers with")
                        .set(option::PRIVACY, "COL")
                        .set(option::LEVELS, "LABEL=EPSILON,…")
                    }
                    DecimalMark::Comma => {
                        say("write budgets as 0 (unused), a number from 1e-100 to 1e100 with a \
                             comma as decimal mark (")
                        .set(option::DECIMAL, ",")
                        .say("), or inf (public); name tiers with")
                        .set(option::PRIVACY, "COL")
                        .set(option::LEVELS, "LABEL=EPSILON,…")
                    }
                },
            ),
            Self::UnknownTier(_) => data(
                "the tier is not declared",
                say("declare every label of the column in")
                    .option(option::LEVELS)
                    .say("; upper and lower case differ"),
            ),
            Self::NotANumber => data(
                "not a number",
                match scan.csv.decimal {
                    DecimalMark::Point => {
                        say("name a column of numbers, with a point as decimal mark and no units; \
                             if they have commas, as in 3,5, say")
                        .set(option::DECIMAL, ",")
                        .say("(and mostly")
                        .set(option::DELIMITER, ";")
                        .say("); of dates declare")
                        .option(option::BOUNDS)
                        .say("or")
                        .option(option::BINS)
                        .say(
                            "as \
                             dates; a text that stands for an empty cell, such as NA, is declared \
                             with",
                        )
                        .set(option::NULL, "NA")
                    }
                    DecimalMark::Comma => {
                        say("name a column of numbers, with a comma as decimal mark (")
                            .set(option::DECIMAL, ",")
                            .say(
                                ") and neither units nor points between thousands; of dates \
                                 declare",
                            )
                            .option(option::BOUNDS)
                            .say("or")
                            .option(option::BINS)
                            .say(
                                "as dates; a text that stands for an empty cell, such as NA, is \
                                 declared with",
                            )
                            .set(option::NULL, "NA")
                    }
                },
            ),
            Self::NotAMoment(TimeScale::OfDay) => data(
                "not a time of day",
                "write times of day as 07:30 or 07:30:00, as the bounds or bins are declared",
            ),
            Self::NotAMoment(_) => data(
                "not a date or time",
                "write dates as 2020-01-31 and times as 2020-01-31T07:30:00, as the bounds or bins \
                 are declared",
            ),
            // Fault of a second column of categories.
            Self::NotACategory | Self::NotAGroup(..) => not_a_category(),
            Self::OutsideBins => data(
                "the value is outside the bins",
                say("widen the edges of")
                    .option(option::BINS)
                    .say(", or collect others with")
                    .set(option::OTHER, "NAME"),
            ),
            Self::NotComparable(_, kind) => {
                let (what, hint) = match kind {
                    CellKind::Number => (
                        say("not a number, and the condition compares it with one"),
                        say("write numbers in the column, with a point as decimal mark, or in a \
                             CSV file with a comma and")
                        .set(option::DECIMAL, ",")
                        .say("(and mostly")
                        .set(option::DELIMITER, ";")
                        .say("); compare texts with texts in single quotes"),
                    ),
                    CellKind::Moment => (
                        say("not a date or time, and the condition compares it with one"),
                        say("write dates in the column as 2020-01-31 and times as \
                             2020-01-31T07:30:00"),
                    ),
                    CellKind::Truth => (
                        say("neither true nor false, and the condition compares it with one of \
                             them"),
                        say("write true or false in the column, or compare it with something else"),
                    ),
                    CellKind::Label | CellKind::Presence => (
                        say("not a label, and the condition compares it with one"),
                        say("convert it to text"),
                    ),
                };
                data(what, hint)
            }
            Self::Ragged => data(
                "the record does not have as many cells as the header",
                say("give every record one cell per column, and put cells that contain the \
                     delimiter, a comma or what")
                .option(option::DELIMITER)
                .say("says, in double quotes"),
            ),
            Self::OpenQuote => data(
                "a double quote is opened and never closed",
                "close the quote, and double the quotes inside quoted cells",
            ),
            Self::LongRecord => data(
                "the record is longer than 64 MiB",
                "look for a double quote that is opened and never closed",
            ),
            Self::Empty => data(
                "the file is empty",
                "name a file with a header and records, or remove the file from the folder",
            ),
            Self::WideHeader => data(
                "the header has more than a million columns",
                "name a CSV file with one record per line",
            ),
            Self::HeaderNotUtf8 => data("the header is not UTF-8", utf_8()),
            Self::Utf16 => data(
                "the file is UTF-16, which is not read",
                "save it with UTF-8 encoding (in a spreadsheet: CSV UTF-8), or convert it: iconv \
                 -f UTF-16 -t UTF-8 FILE",
            ),
            Self::Packed => data(
                "the file is packed, and its name does not say so",
                "name it FILE.csv.gz if gzip has packed it, FILE.csv.zst if Zstandard has",
            ),
            Self::NotPacked => data(
                "the file is not packed as its name says",
                "name it FILE.csv if it is CSV, or pack it again",
            ),
            Self::NotFound(_, unfound) => {
                let (what, fix) = unfound.describe();
                data(what, fix)
            }
            Self::Repeated(_) => {
                data("the header has this column more than once", "give every column its own name")
            }
            Self::Nested(_) => {
                data("the column is nested", "flatten it into a column of plain cells")
            }
            Self::Duration(_) => data(
                "it holds durations",
                "convert it to numbers, for example to seconds: a duration has no unit of its own",
            ),
            Self::Type(Role::Value) if scan.value.as_ref().is_some_and(Value::is_label) => data(
                "the column does not hold labels",
                say("convert it to text or integers, or count numbers by the bin they fall into \
                     with")
                .set(option::BINS, "EDGES"),
            ),
            Self::Type(Role::Value) if scan.value.as_ref().and_then(Value::scale).is_some() => {
                data(
                    "the column does not hold dates or times like the bounds or bins",
                    "declare bounds or bins as numbers, or convert the column to dates, times, or \
                     text in ISO 8601",
                )
            }
            Self::Type(Role::Value) => data(
                "the column does not hold numbers",
                say(
                    "convert it to an integer, float, decimal or Boolean column; of dates or times \
                     declare",
                )
                .option(option::BOUNDS)
                .say("or")
                .option(option::BINS)
                .say("as such"),
            ),
            Self::Type(Role::Privacy) if scan.consent.is_some() => {
                data("the column does not hold keys", "convert it to text or integers")
            }
            Self::Type(Role::Privacy) => match scan.privacy {
                PrivacyColumn::Budgets { .. } => data(
                    "the column does not hold budgets",
                    say("convert it to numbers, or name tiers with")
                        .set(option::PRIVACY, "COL")
                        .set(option::LEVELS, "LABEL=EPSILON,…"),
                ),
                PrivacyColumn::Tiers { .. } => data(
                    "the column does not hold labels",
                    say("convert it to text or integers, or name a column of numeric budgets with")
                        .set(option::EPSILON, "COL"),
                ),
            },
            Self::Type(Role::Group(_) | Role::Attribute(_)) => {
                data("the column does not hold labels", "convert it to text or integers")
            }
            Self::Type(Role::Filter(_)) => data(
                say("the column does not hold what the condition compares it with"),
                "compare numbers with numbers, text with texts in single quotes, dates with \
                 DATE '2020-01-31', truth values with true or false",
            ),
            Self::Type(Role::Decision(part)) if part.is_time() => data(
                "the column does not hold dates or times",
                "convert it to dates, times, or text in ISO 8601",
            ),
            Self::Type(Role::Decision(_)) => {
                data("the column does not hold words", "convert it to text")
            }
            Self::Type(Role::Time) => data(
                "the column does not hold numbers, dates or times",
                "convert it to dates, times, or text in ISO 8601",
            ),
            Self::Type(Role::Person) => {
                data("the column does not hold identifiers", "convert it to text or integers")
            }
            Self::Corrupt => io_fault(
                "not a readable Parquet file",
                "write or copy the file again; it may be cut short or damaged",
            ),
            Self::RowCount => io_fault(
                "the rows read are not as many as the footer declares",
                "write the file again; a release from it would be wrong",
            ),
            Self::Cancelled => {
                io_fault("the scan was cancelled", "start it again; nothing was released")
            }
            Self::CutShort => io_fault(
                "the file is cut short",
                "write or copy it again; what is left of it was not used",
            ),
            Self::Damaged => io_fault(
                "the file cannot be unpacked: it is damaged",
                "write or copy it again; what is before the damage was not used",
            ),
            Self::Io(kind) => io_fault(
                format!("cannot be read ({kind})"),
                "check that it exists, is a file, and may be read",
            ),
        }
    }
}

/// Class of a fault, what is wrong, and the way out.
type Description = (ErrorKind, Phrase, Phrase);

/// Returns the description of a fault of the data.
fn data(what: impl Into<Phrase>, fix: impl Into<Phrase>) -> Description {
    (ErrorKind::Data, what.into(), fix.into())
}

/// Returns the description of a fault of a file or stream.
fn io_fault(what: impl Into<Phrase>, fix: impl Into<Phrase>) -> Description {
    (ErrorKind::Io, what.into(), fix.into())
}

fn not_a_category() -> Description {
    data(
        "the value is not a declared category",
        say("declare it in")
            .option(option::CATEGORIES)
            .say(", or collect others with")
            .set(option::OTHER, "NAME")
            .say("; upper and lower case differ"),
    )
}

fn no_group() -> Description {
    data(
        "missing group",
        "write a group in each row, for example one for those who gave none; dropping such rows \
         would reveal who has no group",
    )
}

fn no_stratum() -> Description {
    data(
        "missing stratum",
        "write a stratum in each row, for example one for those who gave none; without its stratum \
         nobody can say what share a record belongs to",
    )
}

fn no_weight() -> Description {
    data(
        "missing design weight",
        "write a weight in each row; without one nobody can say for how many a record stands",
    )
}

fn not_a_group() -> Description {
    data(
        "the group is not declared",
        "declare every group of the column, or one for all others; upper and lower case differ",
    )
}

fn not_a_stratum() -> Description {
    data(
        "the stratum is not declared",
        say("declare every stratum of the column, in")
            .option(option::CLASSES)
            .say("or")
            .option(option::POPULATION_SHARES)
            .say("; upper and lower case differ"),
    )
}

fn not_a_declared_weight() -> Description {
    data(
        "the design weight is not declared",
        say("declare every weight of the column in")
            .option(option::CLASSES)
            .say(", or leave")
            .option(option::CLASSES)
            .say("out where data are read"),
    )
}

fn not_a_weight() -> Description {
    data(
        "not a design weight",
        "write weights as positive numbers, from 1e-100 to 1e100, with a point as decimal mark",
    )
}

fn no_numbers() -> Description {
    data(
        "the column does not hold design weights",
        say("convert it to numbers, or name the column of weights with").set(option::WEIGHT, "COL"),
    )
}

/// Returns true if a folder on the way to a file is named by a column and a value of it, as in
/// `year=2020`.
fn names_folder(path: &str, column: &str) -> bool {
    let of_column = |folder: &str| folder.split_once('=').is_some_and(|(name, _)| name == column);
    path.split(['/', '\\']).any(of_column)
}

/// Returns true if the categories of the column with this role are counted.
fn is_counted(role: Role, scan: &Scan) -> bool {
    match role {
        Role::Value => matches!(scan.value, Some(Value::Category(_))),
        Role::Group(at) => scan.across_at(at).is_some(),
        Role::Privacy
        | Role::Person
        | Role::Time
        | Role::Filter(_)
        | Role::Decision(_)
        | Role::Attribute(_) => false,
    }
}

/// Marks an error as one of decompression rather than of reading the file.
#[derive(Debug)]
pub(crate) struct Unpacking;

impl fmt::Display for Unpacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot be unpacked")
    }
}

impl error::Error for Unpacking {}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        if error.get_ref().is_some_and(|inner| inner.is::<Unpacking>()) {
            return match error.kind() {
                io::ErrorKind::UnexpectedEof => Self::CutShort,
                _ => Self::Damaged,
            };
        }
        // The kind only: what else an error carries depends on the reader.
        Self::Io(error.kind())
    }
}
