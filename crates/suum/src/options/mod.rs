//! The table of options: each is declared once, as a field with its row, and every door reads the
//! row.
//!
//! A row says what the field means, in which form doors write it, which statistics have a use for
//! it, what it needs and excludes, and where help shows it. From the rows come the command line's
//! flags and help, the JSON Schema, the reading of JSON and TOML, the keywords of Python, the
//! checks of what goes together, and the command that repeats a release.

mod entries;
mod form;
mod row;
mod shape;
pub(crate) mod thousands;
mod uses;
mod word;

pub use entries::Entries;
pub(crate) use entries::malformed;
pub(crate) use form::{
    Choice, CountChanges, Counts, Flag, HasDefault, LabelList, Name, Number, NumberOrTrue, Numbers,
    OptionField, OptionForm, ParsedAs, ParsedText, StatisticOrList, Whole, check_labels,
};
pub use row::{OptionRow, Part};
pub(crate) use row::{Statistics, beside, beside_as};
pub use shape::Form;
pub(crate) use shape::{Parts, Shape};
pub(crate) use uses::check_uses;
pub(crate) use word::Word;

/// Reason why options of records are refused beside a level table.
pub(crate) const NO_RECORDS: &str = "there are no records, a level table stands in their place";

/// Option that has a value, with the value as a front end would write it.
pub(crate) type SetOption = (&'static OptionRow, Word);

/// Declares a struct of options: `field: Type as Form` and the calls that complete its row.
///
/// The struct gets `OPTIONS`, `read` (which takes them out of [`Entries`]), `set` (those that have
/// a value) and [`Serialize`](serde::Serialize). Fields below `others` are no options.
macro_rules! option_struct {
    (
        $(#[$meta:meta])*
        pub struct $name:ident of $part:ident {
            $(
                $(#[doc = $line:literal])+
                pub $field:ident: $type:ty as $form:ty
                    $(=> $( $call:ident ( $($argument:expr),* $(,)? ) ).+ )?;
            )*
            $( others {
                $( $(#[doc = $other_line:literal])+ pub $other:ident: $other_type:ty; )*
            } )?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $name {
            $( $(#[doc = $line])+ pub $field: $type, )*
            $( $( $(#[doc = $other_line])+ pub $other: $other_type, )* )?
        }

        /// Row of each field, by its name.
        #[expect(non_upper_case_globals, reason = "a row is called as its field")]
        mod rows {
            use super::*;

            $(
                pub(super) static $field: $crate::options::OptionRow =
                    $crate::options::OptionRow::new(
                        $crate::options::Part::$part,
                        stringify!($field),
                        &[$($line),+],
                        <$type as $crate::options::OptionField<$form>>::SHAPE,
                    ) $( $( .$call($($argument),*) )+ )?;
            )*
        }

        impl $name {
            /// Rows of all its options, in the order of their declaration.
            pub(crate) const OPTIONS: &'static [&'static $crate::options::OptionRow] =
                &[$( &rows::$field ),*];

            /// Takes its options out of the entries, and leaves the rest.
            pub(crate) fn read(
                entries: &mut $crate::options::Entries,
            ) -> suum_core::Result<Self> {
                let all = entries.clone();
                Ok(Self {
                    $(
                        $field: match entries.take_option(&rows::$field) {
                            Some(word) => {
                                <$type as $crate::options::OptionField<$form>>::read(
                                    &rows::$field, word, &all,
                                )?
                            }
                            None => Default::default(),
                        },
                    )*
                    $( $( $other: Default::default(), )* )?
                })
            }

            /// Returns the rows of the options that have a value, as they are declared.
            #[allow(dead_code, reason = "not every part of a job is checked by its rows")]
            pub(crate) fn set_rows(&self) -> Vec<&'static $crate::options::OptionRow> {
                let rows = [
                    $( (&rows::$field, <$type as $crate::options::OptionField<$form>>::is_set(
                        &self.$field,
                    )), )*
                ];
                rows.into_iter().filter_map(|(row, is_set)| is_set.then_some(row)).collect()
            }

            /// Returns the options that have a value, each with the value as a door writes it.
            #[allow(dead_code, reason = "not every part of a job is written")]
            pub(crate) fn set(&self) -> Vec<$crate::options::SetOption> {
                let words = [
                    $( (&rows::$field, <$type as $crate::options::OptionField<$form>>::write(
                        &self.$field,
                    )), )*
                ];
                words.into_iter().filter_map(|(row, word)| Some((row, word?))).collect()
            }
        }

        /// The options that have a value, by name.
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(
                &self,
                serializer: S,
            ) -> std::result::Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let mut map = serializer.serialize_map(None)?;
                $(
                    let value = &self.$field;
                    if <$type as $crate::options::OptionField<$form>>::is_set(value) {
                        map.serialize_entry(rows::$field.name, value)?;
                    }
                )*
                map.end()
            }
        }
    };
}
pub(crate) use option_struct;
