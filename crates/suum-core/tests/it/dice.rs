//! Reproducible uniform numbers for simulated data, independent of the generator under test.

/// Uniform numbers from a seed (splitmix64, Steele, Lea and Flood 2014).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A uniform number in [0, 1).
    pub(crate) fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A uniform number in {0, …, below − 1}.
    pub(crate) fn pick(&mut self, below: usize) -> usize {
        (self.roll() * below as f64) as usize
    }
}
