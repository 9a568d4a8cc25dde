// The page: which step people are at, and what its plan says. Labels and numbers enter the document
// as text only.

// How long after the last change it is spoken, in milliseconds.
const QUIET = 700;

function startSteps(section, { unit, options, made, tiers }) {
  const find = (selector) => section.querySelector(selector);
  const show = (name, words) => {
    find(`[data-show="${name}"]`).textContent = words;
  };
  const read = (epsilon) => (epsilon === "inf" ? Infinity : epsilon);
  const people = tiers.map(({ label, epsilon, count, epsilons, counts }) => ({
    name: label ?? `ε = ${budgetFigure(read(epsilon))}`,
    epsilon: read(epsilon),
    count,
    epsilons: epsilons.map(([value, step]) => [read(value), step]),
    counts,
  }));
  const rows = people.map(addRow);
  // The tier that is moved, and what of it; the plan as made is where everybody is at home.
  let active = 0;
  let speaking = 0;

  function addRow(tier, index) {
    const row = find("template").content.firstElementChild.cloneNode(true);
    const part = (name) => row.querySelector(`.${name}`);
    row.setAttribute("aria-label", tier.name);
    part("label").textContent = tier.name;
    const sliders = [
      ["epsilon", tier.epsilons, tier.epsilon, `ε of ${tier.name}`],
      ["count", tier.counts, tier.count, `Records of ${tier.name}`],
    ].map(([what, steps, home, words]) => {
      const slider = part(`${what}-slider`);
      slider.max = steps.length - 1;
      slider.setAttribute("aria-label", words);
      slider.addEventListener("input", () => move(index, what, slider.valueAsNumber));
      return { what, steps, slider, home: steps.findIndex(([value]) => value === home) };
    });
    find(".tiers").append(row);
    return { row, part, sliders };
  }

  /** Everybody back to the plan, but for one slider. */
  function move(index, what, position) {
    active = index;
    let step = made;
    rows.forEach(({ part, sliders }, at) => {
      for (const { what: which, steps, slider, home } of sliders) {
        const moved = at === index && which === what;
        const place = moved ? position : home;
        const [value, plan] = steps[place];
        slider.value = place;
        const words = which === "epsilon" ? budgetFigure(value) : grouped(value);
        part(which).textContent = words;
        slider.setAttribute("aria-valuetext", words);
        if (moved) step = plan;
      }
    });
    showStep(step);
  }

  function showStep(step) {
    const became =
      step.profile === made.profile
        ? "as planned"
        : `${made.words} as planned: ${change(made.error, step.error)}`;
    show("error", step.words);
    show("unit", unit.trim());
    show("change", became);
    show("estimator", step.estimator);
    rows.forEach(({ row, part }, at) => {
      row.classList.toggle("active", at === active);
      const would = step.tiers[at];
      part("outcome").textContent =
        would === null ? "nobody" : `would spend ${would[0]}, keeps ${would[1]}`;
    });
    showCurve(step.error);
    find('[data-show="asked"]').hidden = options === null;
    if (options !== null) show("command", `suum plan --profile "${step.profile}" ${options}`);
    clearTimeout(speaking);
    const spoken = `Expected error ${step.words}${unit}, ${became}, by ${step.estimator}.`;
    speaking = setTimeout(() => show("spoken", spoken), QUIET);
  }

  function showCurve(error) {
    const { name, epsilon, epsilons } = people[active];
    const points = epsilons.map(([value, step]) => [value, step.error]).filter(drawable);
    const isEnd = ([value]) => value === 0 || value === Infinity;
    const [ofEpsilon, ofCount] = rows[active].sliders;
    const [here] = epsilons[ofEpsilon.slider.valueAsNumber] ?? [epsilon];
    const others =
      ofCount.slider.valueAsNumber === ofCount.home ? "" : ", with as many people as planned";
    show("curve", `The error if “${name}” allowed another ε${others}`);
    const drawing = {
      scale: points.filter((one) => !isEnd(one)),
      ends: points.filter(isEnd),
    };
    drawCurve(find(".curve"), drawing, [here, error], Infinity);
  }

  const reset = () => move(active, "epsilon", rows[active].sliders[0].home);
  find('[data-do="reset"]').addEventListener("click", reset);
  find(".all").hidden = false;
  reset();
}

startSteps(
  document.getElementById("what-if"),
  JSON.parse(document.getElementById("what-if-facts").textContent),
);
