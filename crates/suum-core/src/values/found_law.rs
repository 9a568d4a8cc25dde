//! Law of a noisy share that is published above a threshold, and the ends of its interval.

/// Noise of a count and its threshold, in units of all weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FoundLaw {
    /// Scale of the noise above zero.
    pub(crate) up: f64,
    /// Scale of the noise below zero.
    pub(crate) down: f64,
    /// Threshold M, which is the largest noise of a category without public records.
    pub(crate) threshold: f64,
    /// Sampling variance of a share p, over p(1 − p).
    pub(crate) spread: f64,
    /// Distance by which an end is further away for what a normal or a binomial law of sampling
    /// leaves out, and for a bias.
    pub(crate) further: f64,
}

/// Noisy count of a published category, as a share of all weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CountLaw {
    /// Noisy share.
    pub(crate) noisy: f64,
    /// True if it is published whatever the noise is.
    pub(crate) is_always: bool,
}

/// Variance of the number of records in a category up to which sampling is binomial, and normal
/// beyond.
const FEW: f64 = 400.0;

/// Number of cells into which a standard deviation of a normal law is divided, and the number of
/// standard deviations to each side.
const CELLS: i32 = 16;
const REACH: i32 = 9;

impl FoundLaw {
    /// Returns the noisy share less the mean of its noise, which is about u − d.
    pub(crate) fn centred(&self, count: CountLaw) -> f64 {
        count.noisy + self.down - self.up
    }

    /// Returns the ends of the interval of the share behind a noisy one, given that it was
    /// published.
    ///
    /// # Formula
    ///
    /// With G_p(x) the probability that noise and sampling together take a share p above x, the
    /// ends solve G_p(y)/G_p(M) = α/2 and 1 − α/2: the probabilities to see more than y, given that
    /// more than M is seen. For a category with public records M is −∞, and the noise has no
    /// largest value. Both are rounded outwards, to a millionth of the noise or less.
    pub(crate) fn ends(&self, count: CountLaw, confidence: f64) -> [f64; 2] {
        let tail = (1.0 - confidence) / 2.0;
        let [lower, _] = self.root(count, tail);
        let [_, upper] = self.root(count, 1.0 - tail);
        [(lower - self.further).clamp(0.0, 1.0), (upper + self.further).clamp(0.0, 1.0)]
    }

    /// Returns two close shares, between which a larger noisy share has this conditional
    /// probability. It grows with the share.
    fn root(&self, count: CountLaw, level: f64) -> [f64; 2] {
        let most = if count.is_always { f64::INFINITY } else { self.threshold };
        let noise = Tail::new(self.up, self.down, most);
        let is_below = |share: f64| {
            let sampling = Sampling::new(share, self.spread);
            let shown = match count.is_always {
                true => 1.0,
                false => sampling.tail(&noise, self.threshold),
            };
            // Where nothing shows, what does is from a larger share.
            shown <= 0.0 || sampling.tail(&noise, count.noisy) < level * shown
        };
        // Never below what doubles near 1 can tell apart.
        let step = (1e-6 * (self.up + self.down + self.spread)).max(1e-13);
        let (mut low, mut high) = (0.0, count.noisy.max(step).min(2.0));
        if !is_below(step) {
            return [0.0, step];
        }
        while is_below(high) && high < 2.0 {
            (low, high) = (high, 2.0 * high);
        }
        while high - low > step {
            let middle = low + 0.5 * (high - low);
            if is_below(middle) { low = middle } else { high = middle }
        }
        [low, high]
    }
}

/// Tail of the noise: geometric on both sides, and at most `most`.
struct Tail {
    up: f64,
    down: f64,
    most: f64,
    /// Sum of both sides.
    all: f64,
}

impl Tail {
    fn new(up: f64, down: f64, most: f64) -> Self {
        let above = if up > 0.0 { -up * (-most / up).exp_m1() } else { 0.0 };
        Self { up, down, most, all: above + down }
    }

    /// Returns P(K > x).
    fn at(&self, x: f64) -> f64 {
        if self.up == 0.0 {
            return if x < 0.0 { 1.0 } else { 0.0 };
        }
        if x >= self.most {
            return 0.0;
        }
        match x < 0.0 {
            true => 1.0 - self.down * (x / self.down).exp() / self.all,
            false => {
                let cut = -(-(self.most - x) / self.up).exp_m1();
                self.up * (-x / self.up).exp() * cut / self.all
            }
        }
    }

    /// Returns the mean of P(K > x) for x between two numbers.
    fn mean(&self, from: f64, to: f64) -> f64 {
        if to <= from {
            return self.at(from);
        }
        (self.integral(from, to) / (to - from)).max(self.at(to)).min(self.at(from))
    }

    /// Returns the integral of P(K > x).
    fn integral(&self, from: f64, to: f64) -> f64 {
        let below = from.min(0.0)..to.min(0.0);
        let above = from.clamp(0.0, self.most)..to.clamp(0.0, self.most);
        let (mut sum, mut more) = (below.end - below.start, 0.0);
        if self.up > 0.0 {
            let fall = |x: f64| (x / self.down).exp();
            sum -= self.down * self.down * (fall(below.end) - fall(below.start)) / self.all;
            let rise = |x: f64| (-x / self.up).exp();
            more = self.up * (rise(above.start) - rise(above.end));
            if self.most.is_finite() {
                more -= rise(self.most) * (above.end - above.start);
            }
            more *= self.up / self.all;
        }
        sum + more.max(0.0)
    }
}

/// Law of the weighted share of the records in a category, around its expectation.
enum Sampling {
    /// Exactly this share.
    Exact(f64),
    /// Shares between two numbers, each with a probability.
    Cells(Vec<(f64, f64, f64)>),
}

impl Sampling {
    /// Returns the law of a share p whose variance is p(1 − p) times `spread`: binomial, of
    /// 1/spread records, if that is known to be few, and normal otherwise.
    fn new(share: f64, spread: f64) -> Self {
        let rest = 1.0 - share;
        if spread <= 0.0 || share <= 0.0 || rest <= 0.0 {
            return Self::Exact(share);
        }
        let (records, few) = (1.0 / spread, share * rest / spread);
        match few <= FEW {
            true => Self::Cells(binomial(records, share)),
            false => Self::Cells(normal(share, (share * rest * spread).sqrt())),
        }
    }

    /// Returns the probability that this and the noise exceed `x` together.
    fn tail(&self, noise: &Tail, x: f64) -> f64 {
        match self {
            Self::Exact(share) => noise.at(x - share),
            Self::Cells(cells) => {
                let each = cells.iter();
                each.map(|(from, to, mass)| mass * noise.mean(x - to, x - from)).sum()
            }
        }
    }
}

/// Returns the binomial law of a share of so many records, which need not be a whole number.
/// Numbers that are far less probable than the most probable one are left out.
fn binomial(records: f64, share: f64) -> Vec<(f64, f64, f64)> {
    const NOTHING: f64 = 1e-40;
    let (mode, odds) = ((records * share).floor(), share / (1.0 - share));
    let mut cells = vec![(mode, 1.0)];
    let (mut at, mut mass) = (mode, 1.0);
    while mass > NOTHING && at + 1.0 <= records {
        mass *= (records - at) / (at + 1.0) * odds;
        at += 1.0;
        cells.push((at, mass));
    }
    (at, mass) = (mode, 1.0);
    while mass > NOTHING && at >= 1.0 {
        mass *= at / ((records - at + 1.0) * odds);
        at -= 1.0;
        cells.push((at, mass));
    }
    let all: f64 = cells.iter().map(|(_, mass)| mass).sum();
    let cell = |(at, mass): (f64, f64)| (at / records, at / records, mass / all);
    cells.into_iter().map(cell).collect()
}

/// Returns the normal law of this centre, in cells of a part of its standard deviation.
fn normal(centre: f64, sd: f64) -> Vec<(f64, f64, f64)> {
    let width = 1.0 / f64::from(CELLS);
    let odds = |at: i32| (-0.5 * (f64::from(at) * width).powi(2)).exp();
    let cells = -REACH * CELLS..=REACH * CELLS;
    let all: f64 = cells.clone().map(odds).sum();
    let cell = |at: i32| {
        let middle = centre + sd * width * f64::from(at);
        (middle - sd * width / 2.0, middle + sd * width / 2.0, odds(at) / all)
    };
    cells.map(cell).collect()
}
