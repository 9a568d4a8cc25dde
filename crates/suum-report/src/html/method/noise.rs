//! How noise is drawn, on integers.

use super::Method;
use crate::html::sources::Source;

impl Method {
    /// How noise is drawn, of a scale that is made for the weights.
    pub(super) fn integers(&mut self) {
        self.noise(
            "where b is the least integer with which, in exact arithmetic, nobody loses more than \
            they allow. It is drawn once, exactly, from the \
             randomness of the operating system.",
        );
    }

    /// How noise is drawn that adds up to zero.
    pub(super) fn integers_that_sum_to_zero(&mut self) {
        self.say(
            "No floating-point number stands between a record and the noise: weights W are \
            integers rounded down, and the noises Z of all categories are integers that add up to \
            zero, as all shares together are 1 without noise. They have",
        );
        self.formula("P(Z = z) ∝ e^{−Σ_c |z_c|/(2 b)}");
        self.say(
            "where b is the least integer with which, in exact arithmetic, nobody loses more than \
            they allow. If somebody changes category, two sums move by W, one up and one down, \
            and the exponent by no more than W/b: that is what they lose. The noise is drawn \
            once, exactly, from the randomness of the operating system.",
        );
        self.source(
            Source::Canonne,
            ", Algorithms 1 and 2, for single integers; noise in proportion to what one person \
            can change: Dwork et al. 2006",
        );
        self.sources.push(Source::Dwork);
    }

    /// How noise is drawn, where weights are made for its scale.
    pub(super) fn integers_of_units(&mut self) {
        self.noise(
            "where b is an integer that depends on what was declared alone; weights are such that, \
            in exact arithmetic, nobody loses more than they allow. It is \
             drawn exactly, from the randomness of the operating system.",
        );
    }

    pub(super) fn noise(&mut self, scale: &str) {
        self.say(
            "No floating-point number stands between a value and the noise: values are integers on \
            a grid, weights are integers rounded down, and the noise K is an integer with",
        );
        self.formula("P(K = k) ∝ e^{−|k|/b}");
        self.say(scale);
        self.source(
            Source::Canonne,
            ", Algorithms 1 and 2; noise in proportion to what one person can change: Dwork et al. \
            2006",
        );
        self.sources.push(Source::Dwork);
    }
}
