// What a plan says: the lines of `suum plan`, as cells and sentences.

/**
 * Estimators, best first: name, error, noise, sampling, τ, how much worse than the best, and which
 * one is chosen or for study.
 */
function estimatorRows(plan) {
  const { chosen } = plan;
  const sorted = [...plan.candidates].sort((a, b) => {
    const [first, second] = [total(a.risk), total(b.risk)];
    if (Math.abs(first / second - 1) < TIE) return (a === chosen ? 0 : 1) - (b === chosen ? 0 : 1);
    return first - second;
  });
  const best = sorted[0];
  return sorted.map((one) => [
    one.name,
    significant(one.rmse, 4),
    significant(Math.sqrt(one.risk.noise), 4),
    significant(Math.sqrt(one.risk.sampling), 4),
    one.design.tau === undefined ? "" : significant(one.design.tau, 4),
    one === best ? "best" : excess(one.rmse, best.rmse),
    one === chosen ? "chosen" : FOR_STUDY.includes(one.name) ? "for study" : "",
  ]);
}

/**
 * Tiers: name, records, what they allow, what would be spent, what is kept, and their share of the
 * estimate.
 */
function tierRows(plan) {
  return plan.spending.map((tier) => [
    tierName(tier),
    grouped(tier.count),
    budgetFigure(tier.epsilon),
    spentFigure(tier.loss, tier.epsilon),
    keptFigure(tier.loss, tier.epsilon),
    percent(tier.share),
  ]);
}

function gainSentences(plan) {
  const sentences = [];
  if (plan.gain === null) return sentences;
  sentences.push(
    `One threshold for all (threshold) would have ${significant(plan.gain, 4)} times the squared ` +
      "error of personal budgets.",
  );
  if (plan.ratioBound !== null && plan.ratioBound > 1) {
    sentences.push(
      `With tiers like these it is at most ${trimmed(significant(plan.ratioBound, 4))} times.`,
    );
  }
  return sentences;
}

function boundSentence(plan) {
  if (plan.lowerBound === null || plan.gap === null) {
    return "We know no lower bound on the error that any estimator must have here.";
  }
  const { name } = plan.chosen;
  const rmse = significant(roundedDownTo(Math.sqrt(plan.lowerBound), 3), 3);
  const part = percentAtLeast(1 / Math.sqrt(plan.gap));
  const squared = significant(roundedUpTo(plan.gap, 3), 3);
  return (
    `No method, known or unknown, that keeps these budgets can have less than ${part} of the ` +
    `worst-case error of ${name}: every method's is ${rmse} or more (root mean squared). In ` +
    `squared error ${name} is within a factor of ${squared} of the best possible.`
  );
}

/** How far the interval reaches, in words. What is published of it ends at the bounds. */
function reachWords({ reach, setting }) {
  const words = `at most ± ${significant(reach, 3)}`;
  return reach < setting.width ? words : `${words} (all of the bounds)`;
}

/** The most that anybody loses, and how many records keep something. */
function keptWords(plan) {
  const finite = plan.spending.filter(({ loss }) => loss !== null).map(({ loss }) => loss);
  const asItIs =
    finite.length < plan.spending.length
      ? "Public values are used as they are, without noise."
      : "";
  if (finite.length === 0) return asItIs;
  const largest = finite.reduce((most, loss) => (roundedUp(loss) > roundedUp(most) ? loss : most));
  const nobody = asItIs === "" ? "Nobody" : `${asItIs} Nobody else`;
  const most = `${nobody} would lose more than ε = ${spentFigure(largest, Infinity)}.`;
  const keep = plan.spending.filter(
    ({ loss, epsilon }) => !["0 %", "–", "none"].includes(keptFigure(loss, epsilon)),
  );
  const people = grouped(keep.reduce((sum, tier) => sum + tier.count, 0));
  return keep.length === 0
    ? `${most} Everybody spends all that they allow.`
    : `${most} ${people} of ${grouped(plan.setting.n)} records keep part of their ` +
        "privacy for free: they allow more than is spent.";
}
