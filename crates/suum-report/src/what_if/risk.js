// Risks: the worst-case mean squared error of a design, {sampling, noise} in squared units of the
// data.

const total = (risk) => risk.sampling + risk.noise;

function riskOf(setting, design) {
  const squaredWidth = setting.width * setting.width;
  const { weights } = design;
  switch (design.method) {
    case "levels": {
      const noise = levelScales(setting, design).reduce((sum, scale) => sum + 2 * scale * scale, 0);
      return { sampling: sampling(setting, weights), noise: squaredWidth * noise };
    }
    case "local":
      return {
        sampling: sampling(setting, weights),
        noise: squaredWidth * localVariance(setting, weights),
      };
    case "sample": {
      const scale = sampleScale(setting, design);
      return { sampling: thinned(setting, design), noise: squaredWidth * NOISE * scale * scale };
    }
    case "stretch":
      return { sampling: stretched(setting, weights), noise: weightedNoise(setting, weights) };
    default:
      return { sampling: sampling(setting, weights), noise: weightedNoise(setting, weights) };
  }
}

function weightedNoise(setting, weights) {
  const scale = setting.width * noiseOf(setting, weights);
  return NOISE * scale * scale;
}

/** The sampling part of unbiased weights. */
function sampling(setting, weights) {
  if (setting.target === "dataset-correlated")
    return ((setting.width / 2) * distance(setting, weights)) ** 2;
  return setting.variance * spread(setting, weights);
}

/** The factor of σ² in the sampling part where budgets have nothing to do with values. */
function spread(setting, weights) {
  const { n } = setting;
  if (setting.target === "population") return squaredNorm(setting, weights);
  return n > 1 ? (n / (n - 1)) * squaredDistance(setting, weights) : 0;
}

/**
 * What a random sample adds: a kept record is worth more than it should be, a dropped one nothing.
 */
function thinned(setting, { weights, keep }) {
  const expected = expectedSample(setting, keep);
  const lost = keep.reduce((sum, p, j) => sum + setting.levels[j].count * p * (1 - p), 0);
  const squaredWidth = setting.width * setting.width;
  return sampling(setting, weights) + (squaredWidth * (lost / (expected * expected))) / 4;
}

/** The sampling part of weights that sum to less than 1, bias included, at the worst mean. */
function stretched(setting, weights) {
  const { n } = setting;
  const bias = biasOf(setting, weights);
  const squaredWidth = setting.width * setting.width;
  if (setting.target === "dataset-correlated") return bias * bias * squaredWidth;
  let factor = 0;
  if (setting.target === "population") factor = squaredNorm(setting, weights);
  else if (n > 1) {
    const centre = (1 - bias) / n;
    factor = (n / (n - 1)) * sumOver(setting, weights.perLevel, (w) => (w - centre) * (w - centre));
  }
  const variance = setting.relativeVariance;
  const error = (m) => bias * bias * m * m + factor * Math.min(variance, m * (1 - m));
  const widest = 0.5 * (1 + Math.sqrt(Math.max(1 - 4 * variance, 0)));
  let worst = Math.max(error(widest), error(1));
  if (factor > bias * bias) {
    const vertex = factor / (2 * (factor - bias * bias));
    worst = Math.max(worst, error(Math.min(Math.max(vertex, widest), 1)));
  }
  return worst * squaredWidth;
}

function biasOf(setting, weights) {
  return Math.max(1 - totalWeight(setting, weights), 0);
}

/** The Laplace scales of the levels that have noise, in units of the range. */
function levelScales(setting, { betas }) {
  return betas.flatMap((beta, j) => {
    const { epsilon, count } = setting.levels[j];
    return beta > 0 && epsilon < Infinity ? [beta / (count * epsilon)] : [];
  });
}

function localVariance(setting, weights) {
  return weights.perLevel.reduce((sum, weight, j) => {
    const { epsilon, count } = setting.levels[j];
    if (weight === 0 || epsilon === Infinity) return sum;
    return sum + count * weight * weight * (2 / (epsilon * epsilon));
  }, 0);
}

function sampleScale(setting, { tau, keep }) {
  return 1 / (tau * expectedSample(setting, keep));
}
