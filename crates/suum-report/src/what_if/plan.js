// The plan: every estimator with its risk, which one is chosen, and what it costs whom.

// Risks closer than this are ties, which the earlier estimator wins: they differ by rounding.
const TIE = 1e-12;

/** Why there is no plan, in words for people. */
class Refusal extends Error {}

/**
 * What a plan is made from: `facts` are {bounds, target, variance (or null), beta, confidence,
 * points, estimator} and `tiers` [{label (or null), epsilon, count}]. Tiers without people are
 * nobody. Throws a Refusal.
 */
function settingOf(facts, tiers) {
  const [lower, upper] = facts.bounds;
  if (!Number.isFinite(lower) || !Number.isFinite(upper))
    throw new Refusal("Both bounds must be numbers.");
  if (lower >= upper) throw new Refusal("The lower bound must be below the upper bound.");
  const width = upper - lower;
  if (!(width >= 1e-140 && width <= 1e140))
    throw new Refusal("The width of the bounds must lie between 1e-140 and 1e140.");
  const worst = (width * width) / 4;
  const declaredVariance = facts.variance !== null && facts.target !== "dataset-correlated";
  const variance = declaredVariance ? facts.variance : worst;
  if (!(variance <= worst && variance >= worst * 1e-30)) {
    throw new Refusal(
      `Values inside these bounds have a variance above 0 and at most ${plainNumber(worst)}.`,
    );
  }
  const counts = new Map();
  for (const { epsilon, count } of tiers) {
    if (count > 0) counts.set(epsilon, (counts.get(epsilon) ?? 0) + count);
  }
  const levels = [...counts]
    .map(([epsilon, count]) => ({ epsilon, count }))
    .sort((a, b) => a.epsilon - b.epsilon);
  const n = levels.reduce((sum, level) => sum + level.count, 0);
  const usable = levels.filter((level) => level.epsilon > 0);
  if (n === 0) throw new Refusal("There is nobody: give at least one tier some records.");
  if (n > Number.MAX_SAFE_INTEGER)
    throw new Refusal("There are more records than a browser can count exactly.");
  if (usable.length === 0) {
    throw new Refusal(
      "Every budget is zero, so nobody's value may be used: " +
        "let at least one tier allow more than 0.",
    );
  }
  const { target, beta, confidence, points } = facts;
  const relativeVariance = variance / width / width;
  return {
    levels,
    usable,
    n,
    lower,
    upper,
    width,
    target,
    variance,
    declaredVariance,
    relativeVariance,
    beta,
    confidence,
    points,
  };
}

/** Every estimator that applies, and which one is chosen. */
function comparison(setting, wanted) {
  const candidates = [];
  const excluded = [];
  for (const [name, design] of Object.entries(ESTIMATORS)) {
    if (name === "stretch" && setting.levels[setting.levels.length - 1].epsilon === Infinity) {
      const reason = "stretch has no meaning with public records (it divides by the largest ε)";
      excluded.push(reason);
      continue;
    }
    if (name === "typical" && setting.target === "dataset-correlated") {
      const reason =
        "typical has no meaning for the target dataset-correlated, whose worst case no spread " +
        "makes better";
      excluded.push(reason);
      continue;
    }
    const proposed = design(setting);
    const risk = riskOf(setting, proposed);
    candidates.push({ name, design: proposed, risk, rmse: Math.sqrt(total(risk)) });
  }
  const least = (best, one) => (total(one.risk) < total(best.risk) * (1 - TIE) ? one : best);
  const releasable = candidates.filter((one) => !FOR_STUDY.includes(one.name));
  const named = (name) => releasable.find((one) => one.name === name);
  const usual = setting.declaredVariance ? undefined : named("typical");
  const chosen = wanted === "auto" ? (usual ?? releasable.reduce(least)) : named(wanted);
  if (chosen === undefined) {
    const reason = excluded.find((words) => words.startsWith(wanted));
    throw new Refusal(`The estimator ${reason}.`);
  }
  return { candidates, excluded, chosen };
}

/** The whole plan; throws a Refusal where there is none. */
function planOf(facts, tiers) {
  const setting = settingOf(facts, tiers);
  const { candidates, excluded, chosen } = comparison(setting, facts.estimator);
  const losses = lossesOf(setting, chosen.design);
  const spending = tiers
    .filter((tier) => tier.count > 0)
    .map((tier) => {
      const position = setting.levels.findIndex((level) => level.epsilon === tier.epsilon);
      const share = chosen.design.weights.perLevel[position] * tier.count;
      return { ...tier, loss: losses[position], share };
    });
  const bound = lowerBound(setting);
  const risk = (name) => total(candidates.find((one) => one.name === name).risk);
  return {
    setting,
    candidates,
    excluded,
    chosen,
    spending,
    reach: reachOf(setting, chosen.design, chosen.risk),
    lowerBound: bound,
    gap: orNull(bound === null ? NaN : total(chosen.risk) / bound),
    gain: orNull(risk("threshold") / risk("affine")),
    ratioBound: setting.target === "population" ? ratioBound(setting) : null,
  };
}

function orNull(number) {
  return Number.isNaN(number) ? null : number;
}

/** The expected error if the tier at `index` allowed `epsilon`, all else unchanged. */
function errorAt(facts, tiers, index, epsilon) {
  const changed = tiers.map((tier, j) => (j === index ? { ...tier, epsilon } : tier));
  return comparison(settingOf(facts, changed), facts.estimator).chosen.rmse;
}

/**
 * What people of the tier at `index` would spend even if they allowed everything; ∞ if all of it.
 */
function saturation(facts, tiers, index) {
  const changed = tiers.map((tier, j) => (j === index ? { ...tier, epsilon: Infinity } : tier));
  const setting = settingOf(facts, changed);
  const { design } = comparison(setting, facts.estimator).chosen;
  return roundedUp(lossesOf(setting, design)[setting.levels.length - 1]);
}

/** The command that prints the same plan. */
function commandOf(facts, tiers) {
  const { levels, lower, upper } = settingOf(facts, tiers);
  const profile = levels.map(({ epsilon, count }) => `${budgetText(epsilon)}:${count}`).join(",");
  const bounds = `--bounds${lower < 0 ? "=" : " "}${lower},${upper}`;
  const options = [
    [facts.target !== "population", `--target ${facts.target}`],
    [
      facts.variance !== null && facts.target !== "dataset-correlated",
      `--variance ${facts.variance}`,
    ],
    [facts.estimator !== "auto", `--estimator ${facts.estimator}`],
    [facts.beta !== 0.05, `--beta ${facts.beta}`],
    [facts.confidence !== 0.95, `--confidence ${facts.confidence}`],
  ];
  const wanted = options.filter(([given]) => given).map(([, option]) => ` ${option}`);
  return `suum plan --profile "${profile}" ${bounds}${wanted.join("")}`;
}
