// A lower bound on the risk of every estimator that keeps these budgets (Le Cam's method), for the
// population.

/** In squared units of the data; null for the other targets. */
function lowerBound(setting) {
  if (setting.target !== "population") return null;
  const family = familyOf(setting);
  const variance = setting.relativeVariance;
  const wide = bestBound(family, (delta) => [1, largestMass(variance, delta)]);
  const narrow = bestBound(family, (delta) => [largestWidth(variance, delta), 1]);
  return Math.max(wide, narrow) * setting.width * setting.width;
}

/** At most what `threshold` can be worse than `affine`, in squared error. */
function ratioBound(setting) {
  const levels = setting.usable.length;
  if (levels === 2 && setting.usable[1].epsilon === Infinity) return 2;
  const records = setting.usable.reduce((sum, level) => sum + level.count, 0);
  const byRecords = 1 + Math.log2(Math.max(records, 1));
  return Math.max(Math.min(levels * levels, byRecords * byRecords), 1);
}

/** The largest probability p of the ends of the bounds for which the variance is allowed. */
function largestMass(variance, delta) {
  const square = delta * delta;
  if ((1 - square) / 4 <= variance) return 1;
  return Math.min((8 * variance) / (1 + Math.sqrt(Math.max(1 - 16 * variance * square, 0))), 1);
}

/** The largest width for which the variance is allowed. */
function largestWidth(variance, delta) {
  const rest = 1 - delta * delta;
  return rest / 4 <= variance ? 1 : 2 * Math.sqrt(variance / rest);
}

/** At every end of a level: Σ tanh(ε/2) up to there, and the number of records after it. */
function familyOf(setting) {
  let [sum, rest] = [0, setting.n];
  const ends = [{ indistinct: sum, rest }];
  for (const { epsilon, count } of setting.levels) {
    sum += count * Math.tanh(epsilon / 2);
    rest -= count;
    ends.push({ indistinct: sum, rest });
  }
  return ends;
}

/**
 * The bound at its best δ; `shape` gives width and mass for a δ. A grid finds the hill, golden
 * sections its top.
 */
function bestBound(family, shape) {
  const bound = (logDelta) => {
    const delta = Math.exp(logDelta);
    const [width, mass] = shape(delta);
    const separation = mass * width * delta;
    return ((separation * separation) / 4) * Math.max(1 - totalVariation(family, delta, mass), 0);
  };
  const step = 0.5;
  let hill = [-Infinity, 0];
  for (let i = 0; i <= 56; i += 1) {
    const value = bound(-step * i);
    if (value > hill[0]) hill = [value, -step * i];
  }
  let [low, high] = [hill[1] - step, Math.min(hill[1] + step, 0)];
  const golden = (Math.sqrt(5) - 1) / 2;
  let best = Math.max(hill[0], bound(0));
  for (let i = 0; i < 40; i += 1) {
    const [left, right] = [high - golden * (high - low), low + golden * (high - low)];
    const [atLeft, atRight] = [bound(left), bound(right)];
    best = Math.max(best, atLeft, atRight);
    if (atLeft < atRight) low = left;
    else high = right;
  }
  return best;
}

/** An upper bound on the total variation: the least over all ends of levels. */
function totalVariation(family, delta, mass) {
  const square = delta * delta;
  const logAffinity = 2 * Math.log1p((-mass * square) / (1 + Math.sqrt(Math.max(1 - square, 0))));
  const at = ({ indistinct, rest }) => {
    // No records, no evidence, even where one would be enough.
    const evidence = rest > 0 ? -Math.expm1(rest * logAffinity) : 0;
    return mass * delta * indistinct + Math.sqrt(evidence);
  };
  return Math.min(...family.map(at));
}
