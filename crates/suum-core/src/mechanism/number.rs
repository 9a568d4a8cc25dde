//! Numbers that weights and distances are added up in: short ones where they are large enough.

use std::ops::{Add, Sub};

use dashu_int::UBig;

/// What weights and distances are added up in.
pub(super) trait Number:
    Clone + Default + Ord + Add<Output = Self> + TryFrom<UBig> + Into<UBig>
{
}

impl Number for u128 {}
impl Number for UBig {}

/// (a − b)₊.
pub(super) fn surplus<N: Number>(a: &N, b: &N) -> N
where
    for<'n> &'n N: Sub<&'n N, Output = N>,
{
    if a > b { a - b } else { N::default() }
}
