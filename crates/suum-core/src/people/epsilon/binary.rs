//! Budgets as exact binary numbers.

use super::Epsilon;

impl Epsilon {
    /// Returns the significant binary digits of a finite positive budget, fewer than 54 with the
    /// last one 1, and the number of them behind the point. A negative number counts the zeros
    /// between them and the point.
    pub(crate) fn binary(self) -> Option<(u64, i32)> {
        if self.is_public() || self.is_unused() {
            return None;
        }
        // The first digit of a double is implicit, and no budget is so small that it is missing.
        let bits = self.0.to_bits();
        let digits = bits & ((1 << 52) - 1) | 1 << 52;
        let zeros = digits.trailing_zeros();
        Some((digits >> zeros, 1075 - (bits >> 52) as i32 - zeros as i32))
    }

    /// Returns ⌊whole·ε⌋ of a finite positive budget. Returns `None` if that has more than 128
    /// digits, or the budget has no digit behind the point.
    pub(crate) fn times(self, whole: u128) -> Option<u128> {
        let (digits, places) = self.binary()?;
        shifted_product(whole, digits, u32::try_from(places).ok()?)
    }
}

/// Returns ⌊a·b/2^places⌋; `None` if it has more than 128 digits.
fn shifted_product(a: u128, b: u64, places: u32) -> Option<u128> {
    let low = (a & u128::from(u64::MAX)) * u128::from(b);
    // Less than 2^128, since it is that without rounding.
    let high = (a >> 64) * u128::from(b) + (low >> 64);
    let low = low & u128::from(u64::MAX);
    match places {
        0..64 if high >> (64 + places) != 0 => None,
        0..64 => Some(high << (64 - places) | low >> places),
        _ => Some(high.checked_shr(places - 64).unwrap_or(0)),
    }
}
