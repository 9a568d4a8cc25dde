// The estimators: each proposes a design, weights and how noise is added. The order is that in
// which ties are broken.

// The squared error of noise max w/ε = 1, in units of the range.
const NOISE = 2;
// Thresholds of `sample` above this are taken as this.
const LARGEST_THRESHOLD = 50;
// How many levels `sample` tries as its threshold.
const TRIED = 24;

// What `typical` takes for the variance, as a share of the squared width.
const TYPICAL_VARIANCE = 1 / 15;

// Estimators to compare with, which nothing is released by.
const FOR_STUDY = ["sample", "stretch"];

const ESTIMATORS = {
  affine: (setting) => clipped(setting, affineClipLevel(setting, setting.relativeVariance)),
  typical: (setting) => clipped(setting, affineClipLevel(setting, TYPICAL_VARIANCE)),
  threshold,
  uniform: (setting) => weighted(proportionalTo(setting, () => 1)),
  proportional: (setting) => weighted(proportionalTo(setting, (epsilon) => epsilon)),
  mixed,
  sample,
  stretch,
  local: (setting) => {
    const published = setting.target === "dataset-correlated" ? "hpm-cp" : "hpm-up";
    return { weights: ESTIMATORS[published](setting).weights, method: "local" };
  },
  "hpm-a": (setting) => weighted(proportionalTo(setting, (epsilon) => -Math.expm1(-epsilon))),
  "hpm-cp": (setting) => byDistance(setting, pacFactor(setting)),
  "hpm-ce": (setting) => byDistance(setting, 1),
  "hpm-up": (setting) => uncorrelated(setting, byDistance, pacFactor(setting)),
  "hpm-ue": (setting) => uncorrelated(setting, byDistance, 1),
  "hpm-cp-t": (setting) => bySquaredDistance(setting, pacFactor(setting)),
  "hpm-ce-t": (setting) => bySquaredDistance(setting, 1),
  "hpm-up-t": (setting) => uncorrelated(setting, bySquaredDistance, pacFactor(setting)),
  "hpm-ue-t": (setting) => uncorrelated(setting, bySquaredDistance, 1),
};

function weighted(weights) {
  return { weights, method: "weighted" };
}

function clipped(setting, tau) {
  return { ...weighted(clippedWeights(setting, tau)), tau };
}

/** The clip level of least exact risk for the target and values of this variance. */
function affineClipLevel(setting, variance) {
  const { n } = setting;
  switch (setting.target) {
    case "population":
      return squaredClipLevel(setting, NOISE / variance);
    case "dataset":
      return squaredClipLevel(setting, (NOISE * (n - 1)) / (n * variance));
    default:
      return absoluteClipLevel(setting, Math.sqrt(4 * NOISE));
  }
}

/** One ε for all who allow at least that much: the level of least risk. */
function threshold(setting) {
  const { n, relativeVariance: variance, target } = setting;
  let kept = 0;
  let best = [Infinity, Infinity];
  for (const { epsilon, count } of [...setting.usable].reverse()) {
    kept += count;
    const noise = 1 / (kept * epsilon);
    let sampling = 0;
    if (target === "population") sampling = variance / kept;
    else if (target === "dataset-correlated") sampling = ((n - kept) / n) ** 2;
    else if (n > 1) sampling = (variance * (n - kept)) / (kept * (n - 1));
    const risk = NOISE * noise * noise + sampling;
    // On a tie the lower threshold wins: it keeps more people.
    if (risk <= best[0]) best = [risk, epsilon];
  }
  const tau = best[1];
  return { ...weighted(proportionalTo(setting, (epsilon) => (epsilon >= tau ? 1 : 0))), tau };
}

/** Every level alone at its own ε, combined by inverse variance. */
function mixed(setting) {
  const precisions = setting.levels.map(({ epsilon, count }) =>
    epsilon === 0
      ? 0
      : (count * count) / (count * setting.relativeVariance + NOISE / (epsilon * epsilon)),
  );
  const total = precisions.reduce((sum, precision) => sum + precision, 0);
  const betas = precisions.map((precision) => precision / total);
  const weights = fromLevels(
    setting,
    betas.map((beta, j) => beta / setting.levels[j].count),
  );
  return { weights, method: "levels", betas };
}

/** One ε for all on a random sample, in which stricter people are less often. */
function sample(setting) {
  const growth = setting.levels.map((level) => Math.expm1(level.epsilon));
  const stride = Math.max(1, Math.ceil(setting.usable.length / TRIED));
  let best = null;
  for (let j = setting.usable.length - 1; j >= 0; j -= stride) {
    const design = sampleAt(setting, growth, setting.usable[j].epsilon);
    const risk = total(riskOf(setting, design));
    if (best === null || risk < best.risk) best = { risk, design };
  }
  return best.design;
}

function sampleAt(setting, growth, wanted) {
  // ∞ keeps public people alone.
  const tau = wanted === Infinity ? wanted : Math.min(wanted, LARGEST_THRESHOLD);
  const most = Math.expm1(tau);
  const keep = setting.levels.map(({ epsilon }, j) => {
    if (epsilon >= tau) return 1;
    return tau === Infinity ? 0 : Math.min(growth[j] / most, 1);
  });
  const expected = expectedSample(setting, keep);
  return {
    weights: fromLevels(
      setting,
      keep.map((p) => p / expected),
    ),
    method: "sample",
    keep,
    tau,
  };
}

/** Σp: how many records a sample is expected to keep. */
function expectedSample(setting, keep) {
  return keep.reduce((sum, p, j) => sum + p * setting.levels[j].count, 0);
}

/** Values shrunk by ε over the largest ε. Biased. */
function stretch(setting) {
  const largest = setting.levels[setting.levels.length - 1].epsilon;
  const perLevel = setting.levels.map((level) => level.epsilon / largest / setting.n);
  return { weights: fromLevels(setting, perLevel), method: "stretch" };
}

/** The noise factor of the variants for PAC error. */
function pacFactor(setting) {
  return Math.log(1 / setting.beta);
}

/** Minimises ‖w − 1/n‖₁² + L²·max(w/ε)². */
function byDistance(setting, factor) {
  const design = clipped(setting, absoluteClipLevel(setting, factor));
  const objective = distance(setting, design.weights) ** 2 + noiseTerm(setting, design, factor);
  return { ...design, objective };
}

/** Minimises n·‖w − 1/n‖₂² + L²·max(w/ε)². */
function bySquaredDistance(setting, factor) {
  const design = clipped(setting, squaredClipLevel(setting, (factor * factor) / setting.n));
  const objective =
    setting.n * squaredDistance(setting, design.weights) + noiseTerm(setting, design, factor);
  return { ...design, objective };
}

/** The smaller of two minima: that of `branch`, and that of L·‖w‖₂² + L²·max(w/ε)². */
function uncorrelated(setting, branch, factor) {
  const first = branch(setting, factor);
  const other = clipped(setting, squaredClipLevel(setting, factor));
  const objective =
    factor * squaredNorm(setting, other.weights) + noiseTerm(setting, other, factor);
  return objective < first.objective ? { ...other, objective } : first;
}

function noiseTerm(setting, design, factor) {
  return (factor * noiseOf(setting, design.weights)) ** 2;
}
