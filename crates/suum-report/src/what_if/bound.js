// A lower bound on the risk of every method that keeps these budgets: the best of several.

// Room for rounding.
const ROUNDING = 1e-9;

/** In squared units of the data; null where none but zero is known. */
function lowerBound(setting) {
  const best = Math.max(
    hodgesLehmann(setting),
    vanTrees(setting, COSINE),
    vanTrees(setting, UNIFORM),
    leCam(setting),
    flips(setting),
  );
  const rmse = best * (1 - ROUNDING) * setting.width;
  return rmse * rmse > 0 ? rmse * rmse : null;
}

/** At most what `threshold` can be worse than `affine`, in squared error. */
function ratioBound(setting) {
  const levels = setting.usable.length;
  if (levels === 2 && setting.usable[1].epsilon === Infinity) return 2;
  const records = setting.usable.reduce((sum, level) => sum + level.count, 0);
  const byRecords = 1 + Math.log2(Math.max(records, 1));
  return Math.max(Math.min(levels * levels, byRecords * byRecords), 1);
}

/** The width of two values whose variance is the declared one, or all. */
function pairWidth(setting) {
  return Math.min(2 * Math.sqrt(setting.relativeVariance), 1);
}

/** From an error against the distribution to one against the mean of the records. */
function forTarget(setting, rmse, deviation) {
  if (setting.target === "population") return rmse;
  return Math.max(rmse * (1 - ROUNDING) - deviation, 0);
}

/** Without any privacy. */
function hodgesLehmann(setting) {
  const width = pairWidth(setting);
  const usable = setting.usable.reduce((sum, level) => sum + level.count, 0);
  const rmse = width / (2 * (1 + Math.sqrt(usable)));
  return forTarget(setting, rmse, width / (2 * Math.sqrt(setting.n)));
}

/** Records that change their value one after another, for the mean of the records. */
function flips(setting) {
  if (setting.target === "population") return 0;
  const { n, levels } = setting;
  const bound = (changed, sum) =>
    Math.max(changed - sum * (1 + ROUNDING), 0) / (n * (2 * sum + 2));
  let [changed, sum, best] = [0, 0, 0];
  for (const { epsilon, count } of levels) {
    changed += count;
    sum += count * Math.tanh(epsilon / 2);
    best = Math.max(best, bound(changed, sum));
  }
  const largest = Math.tanh(levels[levels.length - 1].epsilon / 2);
  if (setting.target === "dataset") best = bound(n, n * Math.sqrt((sum / n) * largest));
  return pairWidth(setting) * best;
}

// How the parameter θ is drawn, as a part of its largest value: the means of its second, fourth and
// sixth power.
const COSINE = [0.1306909660486578, 0.041098839543073, 0.0179316507922229];
const UNIFORM = [1 / 3, 0.2, 1 / 7];

/** The personalised van Trees bound: what budgets let through of the mean. */
function vanTrees(setting, prior) {
  const narrow = pairWidth(setting);
  const at = (width, logit) => {
    const mass = Math.min((narrow / width) * (narrow / width), 1);
    const family = { mass, delta: logistic(logit), rest: logistic(-logit), prior };
    return width * ofFamily(setting, family);
  };
  const bestLogit = (width) => peak(-24, 16, 40, (logit) => at(width, logit));
  let width = narrow;
  if (narrow < 1 && setting.target === "population") {
    const log = peak(Math.log(narrow), 0, 8, (log) => at(Math.exp(log), bestLogit(Math.exp(log))));
    width = Math.min(Math.max(Math.exp(log), narrow), 1);
  }
  return at(width, bestLogit(width));
}

function logistic(x) {
  return 1 / (1 + Math.exp(-x));
}

/** For one family of distributions. */
function ofFamily(setting, family) {
  const information = informationOf(setting, family);
  const { n } = setting;
  const { delta, prior } = family;
  const half = (family.mass * delta) / 2;
  if (prior === UNIFORM) {
    return forTarget(setting, 1 / (Math.sqrt(information) + 1 / half), 0.5 / Math.sqrt(n));
  }
  const ofPrior = Math.PI / half;
  const square = 1 / (information + ofPrior * ofPrior);
  if (setting.target === "population") return Math.sqrt(square);
  const spread = Math.sqrt(prior[0]) * delta;
  const excess = square * (1 - ROUNDING) - (1 - spread * spread) / (4 * n);
  if (excess <= 0) return 0;
  const drift = (spread + Math.PI / (2 * delta)) / n;
  return excess / (drift + Math.sqrt(drift * drift + excess));
}

/**
 * The Fisher information on the mean that all budgets let through: the strictest records' roots
 * add up, the others are public.
 */
function informationOf(setting, family) {
  const { mass, delta, rest, prior } = family;
  const open = (4 / mass) * meanOfInverse(prior, delta * delta, rest * (1 + delta));
  let [sum, left] = [0, setting.n];
  let least = left * open;
  for (const { epsilon, count } of setting.levels) {
    const root = rootOfRecord(family, epsilon);
    const bottom = root > 0 ? (open / (2 * root) - sum) / root : count;
    const whole = Math.floor(Math.min(Math.max(bottom, 0), count));
    for (const more of [whole, Math.min(whole + 1, count), count]) {
      const told = sum + more * root;
      least = Math.min(least, told * told + (left - more) * open);
    }
    sum += count * root;
    left -= count;
  }
  return least;
}

function rootOfRecord({ mass, delta, rest, prior }, epsilon) {
  if (epsilon === 0) return 0;
  const c = 1 / Math.expm1(epsilon);
  const known = (mass + 2 * c) / (1 + 2 * c);
  const middle = c + mass / 2;
  const ends = (c + (mass * rest) / 2) * (c + (mass * (1 + delta)) / 2);
  const square = middle * middle;
  const r = (((mass * delta) / 2) * ((mass * delta) / 2)) / square;
  return Math.sqrt((known / square) * meanOfInverse(prior, r, ends / square));
}

/** At least the mean of 1/(1 − r·θ²), θ as a part of its largest value; `rest` is 1 − r. */
function meanOfInverse([second, fourth, sixth], r, rest) {
  return 1 + r * (second + r * (fourth + (r * sixth) / rest));
}

/** About where `of` is largest: the best of steps, then golden sections around it. */
function peak(low, high, steps, of) {
  const step = (high - low) / steps;
  let [best, value] = [low, -Infinity];
  for (let i = 0; i <= steps; i += 1) {
    const found = of(low + step * i);
    if (found > value) [best, value] = [low + step * i, found];
  }
  const section = 0.6180339887498948;
  let [from, to] = [Math.max(best - step, low), Math.min(best + step, high)];
  for (let i = 0; i < 12; i += 1) {
    const [left, right] = [to - section * (to - from), from + section * (to - from)];
    if (of(left) >= of(right)) to = right;
    else from = left;
  }
  const top = 0.5 * (from + to);
  return of(top) > value ? top : best;
}

/** Two points that cannot be told apart (Le Cam). */
function leCam(setting) {
  if (setting.target !== "population") {
    const width = pairWidth(setting);
    return bestPair(setting, () => [width, 1]);
  }
  const variance = setting.relativeVariance;
  const wide = bestPair(setting, (delta) => [1, largestMass(variance, delta)]);
  const narrow = bestPair(setting, (delta) => [largestWidth(variance, delta), 1]);
  return Math.max(wide, narrow);
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
function endsOf(setting) {
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
 * Two points at their best δ; `shape` gives width and mass for a δ. A grid finds the hill, golden
 * sections its top.
 */
function bestPair(setting, shape) {
  const ends = endsOf(setting);
  const bound = (logDelta) => {
    const delta = Math.exp(logDelta);
    const [width, mass] = shape(delta);
    const separation = mass * width * delta;
    const apart = totalVariation(ends, delta, mass) * (1 + ROUNDING);
    const rmse = (separation / 2) * Math.sqrt(Math.max(1 - apart, 0));
    const sampled = (width / 2) * Math.sqrt(Math.max(1 - delta * delta, 0) / setting.n);
    return forTarget(setting, rmse, sampled);
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
function totalVariation(ends, delta, mass) {
  const square = delta * delta;
  const logAffinity = 2 * Math.log1p((-mass * square) / (1 + Math.sqrt(Math.max(1 - square, 0))));
  const at = ({ indistinct, rest }) => {
    // No records, no evidence, even where one would be enough.
    const evidence = rest > 0 ? -Math.expm1(rest * logAffinity) : 0;
    return mass * delta * indistinct + Math.sqrt(evidence);
  };
  return Math.min(...ends.map(at));
}
