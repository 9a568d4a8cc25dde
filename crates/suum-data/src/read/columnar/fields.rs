//! Positions of columns in a schema, and the check that their types can be read.

use arrow_schema::{DataType, Schema};
use suum_core::TimeScale;

use super::times;
use crate::cells::fault::Fault;
use crate::cells::missing_column::MissingColumn;
use crate::scan::filter::CellKind;
use crate::scan::role::Role;
use crate::scan::value::Value;
use crate::scan::{PrivacyColumn, Scan};

/// The position of a column of a type that can be read.
pub(crate) fn position(schema: &Schema, scan: &Scan, role: Role) -> Result<usize, Fault> {
    let name = scan.column(role).trim_ascii();
    let mut matching =
        schema.fields().iter().enumerate().filter(|(_, field)| field.name().trim_ascii() == name);
    let (column, field) = match (matching.next(), matching.next()) {
        (Some(found), None) => found,
        (Some(_), Some(_)) => return Err(Fault::Repeated(role)),
        (None, _) => {
            let names = schema.fields().iter().map(|field| field.name().as_str());
            return Err(Fault::NotFound(role, Box::new(MissingColumn::in_schema(name, names))));
        }
    };
    // A dictionary is of the type of its entries.
    let data_type = match field.data_type() {
        DataType::Dictionary(_, entries) => entries,
        plain => plain,
    };
    let text = matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    // A column of nothing but missing cells has no other type.
    let blank = data_type == &DataType::Null;
    let number = blank || is_number(data_type);
    let label = text || number || times::is_time(data_type);
    let value = match scan.value.as_ref().and_then(Value::scale) {
        None => number || (text && scan.has_spelled_values()),
        Some(scale) => blank || text || times::is_on(scale, data_type),
    };
    let compared = |kind: CellKind| match kind {
        CellKind::Number => number,
        CellKind::Moment => blank || text || times::is_on(TimeScale::Seconds, data_type),
        CellKind::Label | CellKind::Truth | CellKind::Presence => label,
    };
    let fits = match (role, &scan.privacy) {
        (Role::Filter(at), _) => {
            scan.filter.iter().flat_map(|filter| filter.kinds(usize::from(at))).all(compared)
        }
        (Role::Decision(part), _) if part.is_time() => compared(CellKind::Moment),
        (Role::Decision(_) | Role::Attribute(_), _) => label,
        (Role::Group(_) | Role::Person | Role::Time, _)
        | (Role::Privacy, PrivacyColumn::Tiers { .. }) => label,
        (Role::Value, _) if scan.value.as_ref().is_some_and(Value::is_label) => label,
        (Role::Value, _) => value,
        (Role::Privacy, _) if scan.consent.is_some() => label,
        (Role::Privacy, PrivacyColumn::Budgets { .. }) => text || number,
    };
    match fits {
        true => Ok(column),
        false if data_type.is_nested() => Err(Fault::Nested(role)),
        false if matches!(data_type, DataType::Duration(_)) => Err(Fault::Duration(role)),
        false => Err(Fault::Type(role)),
    }
}

fn is_number(data_type: &DataType) -> bool {
    use DataType::{Boolean, Decimal32, Decimal64, Decimal128, Decimal256};
    data_type.is_numeric()
        || matches!(
            data_type,
            Boolean | Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..)
        )
}
