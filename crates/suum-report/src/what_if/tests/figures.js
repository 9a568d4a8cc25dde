const infinite = (_, value) => (value === Infinity ? "inf" : value);

const results = cases.map(({ facts, tiers }) => {
  try {
    const people = tiers.map((tier) => ({
      ...tier,
      epsilon: tier.epsilon === "inf" ? Infinity : tier.epsilon,
    }));
    const plan = planOf(facts, people);
    // What the drawing shows of the first tier: its error at another ε, and what it would spend at
    // most; nothing where there is no plan.
    const moved = (epsilon, of) => {
      try {
        return of(planOf(facts, [{ ...people[0], epsilon }, ...people.slice(1)]));
      } catch (refusal) {
        if (refusal instanceof Refusal) return null;
        throw refusal;
      }
    };
    const spending = spendingOf(plan, people);
    return {
      error: null,
      risk: plan.risk,
      rmse: plan.rmse,
      tau: clipLevel(facts, plan),
      "half-width": halfWidthOf(facts, plan),
      others: errorsOfOthers(facts, plan),
      // As text, of which no digit is lost on the way.
      losses: spending.map(({ loss }) => budgetText(roundedUp(loss))),
      moved: moved(0.7, ({ rmse }) => rmse),
      saturation: moved(Infinity, ({ losses }) => roundedUp(losses.at(-1))),
      estimatorRow: [
        significant(plan.rmse, 4),
        significant(Math.sqrt(plan.risk.noise), 4),
        significant(Math.sqrt(plan.risk.sampling), 4),
        significant(clipLevel(facts, plan), 4),
      ],
      otherRows: Object.entries(errorsOfOthers(facts, plan)).map(([name, error]) => [
        name,
        significant(error, 4),
      ]),
      tierRows: people.map(({ label, epsilon, count }, at) => [
        label ?? shortBudget(epsilon),
        grouped(count),
        budgetFigure(epsilon),
        spentFigure(spending[at].loss, epsilon),
        keptFigure(spending[at].loss, epsilon),
        percent(spending[at].share),
      ]),
    };
  } catch (failure) {
    return { error: String(failure) };
  }
});
document.getElementById("results").textContent = JSON.stringify(results, infinite);
