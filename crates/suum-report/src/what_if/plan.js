// The plan of a mean whose weights are clipped budgets: sums over its levels. What is not a sum,
// Rust has put beside the page: constants, and how far noise and sampling reach together.

/** Why there is no plan, in words for people. */
class Refusal extends Error {}

/**
 * Levels {epsilon, count} in ascending order of ε, and the width and variance of the values.
 * `tiers` are [{label (or null), epsilon, count}]; those without people are nobody. Throws a
 * Refusal.
 */
function settingOf({ bounds: [lower, upper], variance }, tiers) {
  if (!(lower < upper)) throw new Refusal("The lower bound must be below the upper bound.");
  const width = upper - lower;
  if (!(width >= 1e-140 && width <= 1e140))
    throw new Refusal("The width of the bounds must lie between 1e-140 and 1e140.");
  const worst = (width * width) / 4;
  if (variance !== null && !(variance <= worst && variance >= worst * 1e-30))
    throw new Refusal(`Values inside these bounds do not have the declared variance ${variance}.`);
  const counts = new Map();
  for (const { epsilon, count } of tiers) {
    if (count > 0) counts.set(epsilon, (counts.get(epsilon) ?? 0) + count);
  }
  const levels = [...counts].map(([epsilon, count]) => ({ epsilon, count }));
  levels.sort((a, b) => a.epsilon - b.epsilon);
  const n = levels.reduce((sum, level) => sum + level.count, 0);
  if (n === 0) throw new Refusal("There is nobody: give at least one tier some records.");
  if (n > Number.MAX_SAFE_INTEGER)
    throw new Refusal("There are more records than a browser can count exactly.");
  if (levels.at(-1).epsilon === 0)
    throw new Refusal(
      "Every budget is zero, so nobody's value may be used: " +
        "let at least one tier allow more than 0.",
    );
  return { levels, n, width, variance: variance ?? worst };
}

/** The whole plan; throws a Refusal where there is none. */
function planOf(facts, tiers) {
  const setting = settingOf(facts, tiers);
  const tau = clipLevel(facts, setting);
  const clipped = setting.levels.map(({ epsilon }) => Math.min(epsilon, tau));
  const weighing = weighed(facts, setting, clipped);
  return { ...setting, ...weighing, losses: lossesOf(facts, setting, weighing.weights) };
}

/** τ: the first level that reaches (Σε² + c)/Σε of those below is clipped. */
function clipLevel({ target, noise, spread }, { levels, n, width, variance }) {
  const relative = spread ?? variance / width / width;
  const c = target === "population" ? noise / relative : (noise * (n - 1)) / (n * relative);
  let [sum, squares, tau] = [0, 0, Infinity];
  for (const { epsilon, count } of levels.filter((level) => level.epsilon > 0)) {
    if (epsilon >= tau || epsilon === Infinity) break;
    sum += count * epsilon;
    squares += count * epsilon * epsilon;
    tau = (squares + c) / sum;
  }
  return tau;
}

/**
 * Weights proportional to the shares, one per level, and their errors. Where shares are infinite,
 * those levels alone count.
 */
function weighed({ target, noise }, { levels, n, width, variance }, wanted) {
  const hasOpen = wanted.includes(Infinity);
  const shares = hasOpen ? wanted.map((one) => Number(one === Infinity)) : wanted;
  const sum = exactSum(levels.map(({ count }, j) => [count, shares[j]]));
  const weights = shares.map((share) => share / sum);
  const scales = weights.map((weight, j) => (weight > 0 ? weight / levels[j].epsilon : 0));
  const scale = Math.max(...scales);
  let factor = 0;
  if (target === "population")
    factor = levels.reduce((all, { count }, j) => all + count * weights[j] * weights[j], 0);
  else
    levels.forEach((one, j) =>
      levels.slice(0, j).forEach((other, k) => {
        const apart = (shares[j] - shares[k]) / sum;
        factor += (one.count / (n - 1)) * other.count * apart * apart;
      }),
    );
  const deviation = width * scale;
  const risk = { sampling: variance * factor, noise: noise * deviation * deviation };
  return { weights, scale, risk, rmse: Math.sqrt(risk.sampling + risk.noise) };
}

/**
 * How far the interval reaches to each side: read off a curve, so a little more than it does. These
 * records are off by no more than their weights are from equal ones, whoever has which value.
 */
function halfWidthOf({ target, curve, steps, points }, { n, levels, width, weights, scale, risk }) {
  const reach = (sd, fixed) => {
    const place = scale + sd === 0 ? 0 : (scale / (scale + sd)) * (curve.length - 1);
    const at = Math.min(Math.floor(place), curve.length - 2);
    const part = curve[at] + (place - at) * (curve[at + 1] - curve[at]);
    return width * ((scale + sd) * part + fixed + 0.5 / points);
  };
  const sd = Math.sqrt(risk.sampling) / width;
  if (target === "population") return reach(sd, steps * Math.max(...weights));
  const drawn = reach(sd, steps * (Math.max(...weights) - Math.min(...weights)));
  const apart = levels.map(({ count }, j) => count * Math.abs(weights[j] - 1 / n));
  const distance = apart.reduce((all, one) => all + one, 0);
  return Math.min(drawn, reach(0, distance / 2));
}

/** The tiers with people, each with its loss and its share of the estimate. */
function spendingOf({ levels, weights, losses }, tiers) {
  return tiers.map((tier) => {
    const position = levels.findIndex(({ epsilon }) => epsilon === tier.epsilon);
    return { loss: losses[position], share: weights[position] * tier.count };
  });
}

/** The errors if records were treated otherwise: all alike, or left out below one threshold. */
function errorsOfOthers(facts, setting) {
  const usable = setting.levels.filter(({ epsilon }) => epsilon > 0);
  const errors = usable.map(({ epsilon: least }) => {
    const shares = setting.levels.map(({ epsilon }) => Number(epsilon >= least));
    return weighed(facts, setting, shares).rmse;
  });
  return { uniform: errors[0], threshold: Math.min(...errors) };
}
