//! Numbers as they lie in a page.

use arrow_schema::DataType;

/// Physical type of the numbers in a page.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Double,
    Float,
    Long,
    Int,
}

impl Kind {
    /// Physical type of numbers of this Arrow type, if pages store them as one.
    pub(super) fn from_type(data_type: &DataType) -> Option<Self> {
        match data_type {
            DataType::Float64 => Some(Self::Double),
            DataType::Float32 => Some(Self::Float),
            DataType::Int64 => Some(Self::Long),
            DataType::Int32 => Some(Self::Int),
            _ => None,
        }
    }

    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Double | Self::Long => 8,
            Self::Float | Self::Int => 4,
        }
    }

    /// Writes the first numbers as doubles, each rounded once to the nearest.
    pub(super) fn read(self, bytes: &[u8], out: &mut [f64]) {
        match self {
            Self::Double => read(bytes, f64::from_le_bytes, out),
            Self::Float => read(bytes, |number| f64::from(f32::from_le_bytes(number)), out),
            Self::Long => read(bytes, |number| i64::from_le_bytes(number) as f64, out),
            Self::Int => read(bytes, |number| f64::from(i32::from_le_bytes(number)), out),
        }
    }
}

fn read<const BYTES: usize>(bytes: &[u8], of: impl Fn([u8; BYTES]) -> f64, out: &mut [f64]) {
    let (numbers, _) = bytes.as_chunks();
    out.iter_mut().zip(numbers).for_each(|(place, number)| *place = of(*number));
}
