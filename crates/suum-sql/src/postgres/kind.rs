//! Kinds of the types of PostgreSQL.

use postgres::types::{Kind, Type};

use crate::engine::ColumnKind;

/// Kind of a column of this type: integers, other numbers, labels, dates or times, or something
/// else.
///
/// A domain holds what its base type does. Truth values are labels, `true` and `false`: PostgreSQL
/// does not convert them to doubles.
pub(super) fn column_kind(of: &Type) -> ColumnKind {
    match of.kind() {
        Kind::Enum(_) => return ColumnKind::Label,
        Kind::Domain(base) => return column_kind(base),
        _ => {}
    }
    match *of {
        Type::INT2 | Type::INT4 | Type::INT8 => ColumnKind::Integer,
        Type::FLOAT4 | Type::FLOAT8 | Type::NUMERIC => ColumnKind::Number,
        Type::BOOL
        | Type::TEXT
        | Type::VARCHAR
        | Type::BPCHAR
        | Type::NAME
        | Type::CHAR
        | Type::UUID => ColumnKind::Label,
        Type::DATE => ColumnKind::Date,
        Type::TIMESTAMP | Type::TIMESTAMPTZ | Type::TIME => ColumnKind::Time,
        // The type of an extension, whose identifier differs from database to database.
        _ if of.name() == "citext" => ColumnKind::Label,
        _ => ColumnKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_dates_are_whole() {
        for whole in [Type::INT2, Type::INT4, Type::INT8, Type::DATE] {
            assert!(column_kind(&whole).is_whole(), "{whole}");
        }
        for other in [Type::NUMERIC, Type::FLOAT8, Type::TIMESTAMP, Type::TIME, Type::TEXT] {
            assert!(!column_kind(&other).is_whole(), "{other}");
        }
    }
}
