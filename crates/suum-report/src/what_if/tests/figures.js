const infinite = (_, value) => (value === Infinity ? "inf" : value);

/** What a function says, or nothing where there is no plan. */
const known = (of) => {
  try {
    return of();
  } catch (refusal) {
    if (refusal instanceof Refusal) return null;
    throw refusal;
  }
};

const results = cases.map(({ facts, tiers }) => {
  try {
    const people = tiers.map((tier) => ({
      ...tier,
      epsilon: tier.epsilon === "inf" ? Infinity : tier.epsilon,
    }));
    const plan = planOf(facts, people);
    return {
      error: null,
      chosen: plan.chosen.name,
      candidates: plan.candidates.map(({ name, design, risk }) => ({
        name,
        ...risk,
        total: total(risk),
        tau: design.tau ?? null,
      })),
      reach: plan.reach,
      lowerBound: plan.lowerBound,
      gap: plan.gap,
      gain: plan.gain,
      ratioBound: plan.ratioBound,
      // As text, of which no digit is lost on the way.
      losses: plan.spending.map(({ loss }) => budgetText(roundedUp(loss))),
      // What the drawing shows of the first tier: its error at another ε, and what it would spend
      // at most.
      moved: known(() => errorAt(facts, people, 0, 0.7)),
      saturation: known(() => saturation(facts, people, 0)),
      estimatorRows: estimatorRows(plan),
      tierRows: tierRows(plan),
      sentences: [
        ...plan.excluded.map((reason) => `Left out: ${reason}`),
        ...gainSentences(plan),
        boundSentence(plan),
      ],
    };
  } catch (failure) {
    return { error: String(failure) };
  }
});
document.getElementById("results").textContent = JSON.stringify(results, infinite);
