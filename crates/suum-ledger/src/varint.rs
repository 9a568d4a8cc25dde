//! Variable-length integers of seven bits a byte, least first.

use std::slice::Iter;

/// Writes a number.
pub(crate) fn write(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a number of at most `longest` bytes, of which there are never more than ten; `None` if
/// that is not what is there.
pub(crate) fn read(bytes: &mut Iter<'_, u8>, longest: u32) -> Option<u64> {
    let mut number = 0_u64;
    for place in 0..longest.min(10) {
        let byte = *bytes.next()?;
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_what_was_written(number in any::<u64>(), shift in 0_u32..64) {
            let number = number >> shift;
            let mut bytes = Vec::new();
            write(&mut bytes, number);
            let length = bytes.len() as u32;
            prop_assert_eq!(read(&mut bytes.iter(), 10), Some(number));
            prop_assert_eq!(read(&mut bytes.iter(), length - 1), None);
            prop_assert_eq!(read(&mut bytes[1..].iter(), 10).is_none(), length == 1);
        }
    }
}
