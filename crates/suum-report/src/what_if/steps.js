// The page of other plans: which step people are at, and what the plan of it says.

const { unit, options, made } = given;
const people = given.tiers.map(({ label, epsilon, epsilons, ...tier }) => ({
  ...tier,
  name: label ?? `ε = ${budgetFigure(ofJson(epsilon))}`,
  epsilon: ofJson(epsilon),
  epsilons: epsilons.map(([value, step]) => [ofJson(value), step]),
}));
const rows = people.map(addRow);
// The tier that is moved; the plan as made is where everybody is at home.
let active = 0;

function addRow({ name, epsilon, epsilons, count, counts }, index) {
  const row = newRow();
  row.setAttribute("aria-label", name);
  row.querySelector(".label").textContent = name;
  const sliders = [
    ["epsilon", epsilons, epsilon, "ε"],
    ["count", counts, count, "Records"],
  ].map(([what, steps, home, words]) => {
    const slider = row.querySelector(`.${what}-slider`);
    slider.max = steps.length - 1;
    slider.setAttribute("aria-label", `${words} of ${name}`);
    slider.addEventListener("input", () => move(index, what, slider.valueAsNumber));
    return { what, steps, slider, home: steps.findIndex(([value]) => value === home) };
  });
  return { row, sliders };
}

/** Everybody back to the plan, but for one slider. */
function move(index, what, position) {
  active = index;
  let step = made;
  rows.forEach(({ row, sliders }, at) => {
    for (const { what: which, steps, slider, home } of sliders) {
      const moved = at === index && which === what;
      slider.value = moved ? position : home;
      const [value, plan] = steps[slider.valueAsNumber];
      const words = which === "epsilon" ? budgetFigure(value) : grouped(value);
      row.querySelector(`.${which}`).textContent = words;
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
  showError(step.words, unit, became, step.estimator);
  show("unit", unit.trim());
  rows.forEach(({ row }, at) => {
    row.classList.toggle("active", at === active);
    const would = step.tiers[at];
    row.querySelector(".outcome").textContent =
      would === null ? "nobody" : `would spend ${would[0]}, keeps ${would[1]}`;
  });
  showSteps(step.error);
  find('[data-show="asked"]').hidden = options === null;
  if (options !== null) show("command", `suum plan --profile "${step.profile}" ${options}`);
}

function showSteps(error) {
  const { name, epsilons } = people[active];
  const [ofEpsilon, ofCount] = rows[active].sliders;
  const [here] = epsilons[ofEpsilon.slider.valueAsNumber];
  const others =
    ofCount.slider.valueAsNumber === ofCount.home ? "" : ", with as many people as planned";
  show("curve", `The error if “${name}” allowed another ε${others}`);
  const points = epsilons.map(([value, step]) => [value, step.error]);
  drawCurve(find(".curve"), points, [here, error], Infinity);
}

const reset = () => move(active, "epsilon", rows[active].sliders[0].home);
find('[data-do="reset"]').addEventListener("click", reset);
find(".all").hidden = false;
reset();
