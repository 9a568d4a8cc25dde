// Weights: how much one record of each level counts. `levels` are {epsilon, count} in ascending
// order of ε.

/**
 * Weights proportional to `share` of every usable level's ε; where a share is infinite, those
 * levels alone count.
 */
function proportionalTo(setting, share) {
  let shares = setting.levels.map((level) => (level.epsilon === 0 ? 0 : share(level.epsilon)));
  if (shares.includes(Infinity)) shares = shares.map((one) => (one === Infinity ? 1 : 0));
  const sum = shares.reduce(
    (all, one, j) => plus(all, product(setting.levels[j].count, one)),
    ZERO,
  );
  return {
    perLevel: shares.map((one) => one / sum[0]),
    // w − 1/n, to full precision.
    fromEqual: shares.map((one) => minus(product(setting.n, one), sum)[0] / sum[0] / setting.n),
  };
}

/** min(ε, τ), up to scale: nobody spends more than τ, and what is above it is kept for nothing. */
function clippedWeights(setting, tau) {
  return proportionalTo(setting, (epsilon) => Math.min(epsilon, tau));
}

/** Weights as they are, one per level. */
function fromLevels(setting, perLevel) {
  return { perLevel, fromEqual: perLevel.map((weight) => weight - 1 / setting.n) };
}

/** Σ term over all records, `values` being one per level. */
function sumOver(setting, values, term) {
  return values.reduce((sum, value, j) => sum + setting.levels[j].count * term(value), 0);
}

const squaredNorm = (setting, weights) => sumOver(setting, weights.perLevel, (w) => w * w);
const squaredDistance = (setting, weights) => sumOver(setting, weights.fromEqual, (d) => d * d);
const distance = (setting, weights) => sumOver(setting, weights.fromEqual, Math.abs);
const totalWeight = (setting, weights) => sumOver(setting, weights.perLevel, (w) => w);

/** max w/ε over the finite levels: the scale of the noise in units of the range. */
function noiseOf(setting, weights) {
  const ratios = weights.perLevel.map((weight, j) => {
    const { epsilon } = setting.levels[j];
    return weight > 0 && epsilon < Infinity ? weight / epsilon : 0;
  });
  return Math.max(0, ...ratios);
}

/**
 * The τ that minimises ‖w‖₂² + c·max(w/ε)²: the first level that reaches (Σε² + c)/Σε of those
 * below is clipped.
 */
function squaredClipLevel(setting, c) {
  let [s, q, tau] = [0, 0, Infinity];
  for (const { epsilon, count } of setting.usable) {
    if (epsilon >= tau || epsilon === Infinity) break;
    s += count * epsilon;
    q += count * epsilon * epsilon;
    tau = (q + c) / s;
  }
  return tau;
}

/** The τ that minimises ‖w − 1/n‖₁² + l²·max(w/ε)²; ∞ if only public records are usable. */
function absoluteClipLevel(setting, l) {
  if (setting.usable.every((level) => level.epsilon === Infinity)) return Infinity;
  return waterLevel(setting, optimalSum(setting, l));
}

/** R = Σ min(ε, τ) at the minimum: segment by segment, k records with budgets s lie below 1/n. */
function optimalSum(setting, l) {
  const n = double(setting.n);
  const four = double(4);
  const all = setting.usable.reduce(
    (sum, { epsilon, count }) => plus(sum, product(count, epsilon)),
    ZERO,
  );
  let best = [Infinity, all];
  let [k, s, low] = [ZERO, ZERO, ZERO];
  for (let j = 0; j <= setting.levels.length; j += 1) {
    const level = setting.levels[j];
    const end = level ? product(setting.n, level.epsilon) : double(Infinity);
    const high = below(end, all) ? end : all;
    const top = plus(times(times(four, s), s), double(l * l));
    const free = s[0] > 0 ? over(times(n, top), times(times(four, s), k)) : high;
    const sum = below(free, low) ? low : below(free, high) ? free : high;
    if (sum[0] > 0 && Number.isFinite(sum[0])) {
      const deficit = minus(over(k, n), over(s, sum))[0];
      const objective = 4 * deficit * deficit + (l / sum[0]) * (l / sum[0]);
      if (objective < best[0]) best = [objective, sum];
      // Convex: a segment with its own optimum inside holds that of all.
      if (below(low, free) && below(free, high) && s[0] > 0) break;
    }
    if (!level || !below(high, all) || level.epsilon === Infinity) break;
    k = plus(k, double(level.count));
    s = plus(s, product(level.count, level.epsilon));
    low = high;
  }
  return best[1];
}

/** τ with Σ min(ε, τ) = `sum`. */
function waterLevel(setting, sum) {
  let above = setting.usable.reduce((people, level) => people + level.count, 0);
  let under = ZERO;
  for (const { epsilon, count } of setting.usable) {
    const tau = over(minus(sum, under), double(above))[0];
    if (tau <= epsilon) return tau;
    under = plus(under, product(count, epsilon));
    above -= count;
  }
  return setting.usable[setting.usable.length - 1].epsilon;
}
