// The page of a mean: what people change, and what they see.

// As many tiers as one can still look over.
const MOST_TIERS = 32;
// So many parts of the scale the curve is drawn in.
const PARTS = 72;

// What a tier has, with a field and a slider each.
const KINDS = {
  count: {
    read: readPeople,
    write: String,
    at: peopleAt,
    placeOf: placeOfPeople,
    refusal: "A number of records is a whole number.",
  },
  epsilon: {
    read: readEpsilon,
    write: budgetText,
    at: epsilonAt,
    placeOf: placeOfEpsilon,
    refusal: "ε is 0 (do not use), a number above 0, or inf (this is public).",
  },
};

const copy = () => ({
  facts: { ...given.facts, bounds: [...given.facts.bounds] },
  tiers: given.tiers.map((tier) => ({ ...tier, epsilon: ofJson(tier.epsilon) })),
});
const made = copy();
const madeError = planOf(made.facts, made.tiers).rmse;
let model = copy();
let active = 0;
let rows = [];
let curve = { key: null };

function addRow(tier) {
  const row = newRow();
  const activate = () => (active = rows.indexOf(row));
  for (const [what, { read, write, at, placeOf, refusal }] of Object.entries(KINDS)) {
    const [field, slider] = [`.${what}`, `.${what}-slider`].map((one) => row.querySelector(one));
    // What was written or planned last is where its slider comes back to, with all its digits.
    let home = tier[what];
    const fill = (value, from) => {
      if (from !== field) field.value = write(value);
      if (from !== slider) slider.value = Math.round(placeOf(value));
    };
    const take = (value, from) => {
      activate();
      field.setAttribute("aria-invalid", String(value === null));
      if (value === null) {
        refuse(refusal);
        return;
      }
      model.tiers[active][what] = value;
      fill(value, from);
      update();
    };
    field.addEventListener("input", () => {
      const value = read(field.value);
      home = value ?? home;
      take(value, field);
    });
    slider.addEventListener("input", () => {
      const place = slider.valueAsNumber;
      take(place === Math.round(placeOf(home)) ? home : at(place), slider);
    });
    fill(home, null);
  }
  row.addEventListener("focusin", () => {
    if (active !== rows.indexOf(row)) update(activate());
  });
  row.querySelector("button").addEventListener("click", () => {
    const position = rows.indexOf(row);
    model.tiers.splice(position, 1);
    rows.splice(position, 1);
    row.remove();
    active = Math.min(active, rows.length - 1);
    update();
    find('[data-do="add"]').focus();
  });
  rows.push(row);
}

["lower", "upper"].forEach((name, end) => {
  const field = find(`[data-fact="${name}"]`);
  field.addEventListener("input", () => {
    const value = readNumber(field.value);
    field.setAttribute("aria-invalid", String(value === null));
    if (value === null) {
      refuse("This is not a number.");
      return;
    }
    model.facts.bounds[end] = value;
    update();
  });
});

find('[data-do="add"]').addEventListener("click", () => {
  const names = model.tiers.map((tier) => tier.label);
  let next = 1;
  while (names.includes(`new tier ${next}`)) next += 1;
  const tier = { label: `new tier ${next}`, epsilon: 1, count: 1000 };
  model.tiers.push(tier);
  addRow(tier);
  active = rows.length - 1;
  update();
  rows[active].querySelector(".epsilon").focus();
});

/** The tiers as made with changes such as "open:+20%, 0.1:-500"; null if they make no sense. */
function changedTiers(text) {
  const { tiers } = copy();
  for (const part of text.split(",").filter((one) => one.trim() !== "")) {
    const read = /^(.*):\s*([+-])\s*(\d+|\d*\.\d+)\s*(%?)\s*$/.exec(part);
    if (read === null) return null;
    const [name, sign, amount, percent] = [read[1].trim(), read[2], Number(read[3]), read[4]];
    const epsilon = readEpsilon(name);
    let at = tiers.findIndex(({ label }) => label === name);
    if (at < 0) at = tiers.findIndex((tier) => tier.epsilon === epsilon);
    if (at < 0 && (epsilon === null || tiers.length >= MOST_TIERS)) return null;
    if (at < 0) at = tiers.push({ label: null, epsilon, count: 0 }) - 1;
    const planned = given.tiers[at]?.count ?? 0;
    const people = percent === "" ? amount : Math.round((planned * amount) / 100);
    tiers[at].count += sign === "+" ? people : -people;
    if (!Number.isSafeInteger(tiers[at].count) || tiers[at].count < 0) return null;
  }
  return tiers;
}

find('[data-do="change"]').addEventListener("input", ({ target }) => {
  const tiers = changedTiers(target.value);
  target.setAttribute("aria-invalid", String(tiers === null));
  if (tiers === null) {
    refuse("A change names a tier and how many people come or go, as in open:+20%.");
    return;
  }
  start({ ...copy(), tiers });
});

function reset() {
  const field = find('[data-do="change"]');
  field.value = "";
  field.setAttribute("aria-invalid", "false");
  start(copy());
}

function start(plan) {
  model = plan;
  active = 0;
  rows = [];
  find(".tiers").replaceChildren();
  model.tiers.forEach(addRow);
  ["lower", "upper"].forEach((name, end) => {
    const field = find(`[data-fact="${name}"]`);
    field.value = model.facts.bounds[end];
    field.setAttribute("aria-invalid", "false");
  });
  update();
}

function update() {
  rows.forEach((row, index) => nameRow(row, model.tiers[index], index));
  find('[data-do="add"]').disabled = rows.length >= MOST_TIERS;
  try {
    showPlan(planOf(model.facts, model.tiers));
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    refuse(refusal.message);
  }
}

// The last plan that could be made stays, and is marked as an old one.
function refuse(words) {
  const place = find(".refusal");
  place.textContent = `${words} What is shown is the last plan that could be made.`;
  place.hidden = false;
  section.classList.add("old");
  show("command", "");
  speak(place.textContent);
}

function nameRow(row, tier, index) {
  const name = tier.label ?? `ε = ${budgetFigure(tier.epsilon)}`;
  row.classList.toggle("active", index === active);
  row.setAttribute("aria-label", name);
  row.querySelector(".label").textContent = name;
  const describe = (part, words, value) => {
    const slider = row.querySelector(part);
    slider.setAttribute("aria-label", words);
    slider.setAttribute("aria-valuetext", value);
  };
  describe(".count-slider", `Records of ${name}`, `${grouped(tier.count)} records`);
  describe(".epsilon-slider", `ε of ${name}`, budgetFigure(tier.epsilon));
  const remove = row.querySelector("button");
  remove.setAttribute("aria-label", `Remove ${name}`);
  remove.disabled = rows.length === 1;
}

function showPlan(plan) {
  find(".refusal").hidden = true;
  section.classList.remove("old");
  const differs = JSON.stringify(model, toJson) !== JSON.stringify(made, toJson);
  const became = differs
    ? `${significant(madeError, 4)} as planned: ${change(madeError, plan.rmse)}`
    : "as planned";
  showError(significant(plan.rmse, 4), "", became, model.facts.estimator);
  const halfWidth = halfWidthOf(model.facts, plan);
  const all = halfWidth < plan.width ? "" : " (all of the bounds)";
  show("half-width", `at most ± ${significant(halfWidth, 3)}${all}`);
  const spending = spendingOf(plan, model.tiers);
  rows.forEach((row, index) => showTier(row, model.tiers[index], spending[index]));
  show("kept", keptWords(plan));
  showCurve(plan.rmse);
  showOthers(plan);
  show("command", commandOf(plan));
}

function showTier(row, { count, epsilon }, { loss, share }) {
  let [words, spent, allowed] = ["nobody", 0, 0];
  if (count > 0) {
    const figures = [spentFigure(loss, epsilon), keptFigure(loss, epsilon)];
    words = `would spend ${figures[0]}, keeps ${figures[1]}; ${percent(share)} of the estimate`;
    [spent, allowed] = [roundedUp(loss), epsilon].map(placeOfEpsilon);
  }
  row.querySelector(".outcome").textContent = epsilon === 0 && count > 0 ? "not used" : words;
  row.querySelector(".spent").style.width = `${(100 * spent) / END}%`;
  row.querySelector(".allowed").style.width = `${(100 * allowed) / END}%`;
}

/** The most that anybody loses, and how many records keep something. */
function keptWords({ levels, losses, n }) {
  const finite = losses.filter((loss) => loss !== null);
  const open = "Public values are used as they are, without noise.";
  if (finite.length === 0) return open;
  const largest = finite.reduce((most, loss) => (roundedUp(loss) > roundedUp(most) ? loss : most));
  const nobody = finite.length < losses.length ? `${open} Nobody else` : "Nobody";
  const most = `${nobody} would lose more than ε = ${spentFigure(largest, Infinity)}.`;
  const keeps = ({ epsilon }, j) => !["0 %", "–", "none"].includes(keptFigure(losses[j], epsilon));
  const people = levels.filter(keeps).reduce((sum, { count }) => sum + count, 0);
  return people === 0
    ? `${most} Everybody spends all that they allow.`
    : `${most} ${grouped(people)} of ${grouped(n)} records keep part of their ` +
        "privacy for free: they allow more than is spent.";
}

/** The plan if the active tier allowed another ε; nothing where there is none. */
function planAt(epsilon) {
  try {
    const moved = model.tiers.map((tier, at) => (at === active ? { ...tier, epsilon } : tier));
    return planOf(model.facts, moved);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return null;
  }
}

/** Errors along the scale and at its ends, and what the active tier would spend at most. */
function curveOfActive() {
  // It does not change while the tier's own ε does.
  const others = model.tiers.map((tier, at) => (at === active ? tier.count : tier));
  const key = JSON.stringify([active, model.facts.bounds, others], toJson);
  if (curve.key !== key) {
    const inner = Array.from(
      { length: PARTS + 1 },
      (_, i) => 10 ** (LEAST + (i / PARTS) * (MOST - LEAST)),
    );
    const points = [0, ...inner, Infinity].map((at) => [at, planAt(at)?.rmse ?? NaN]);
    curve = { key, points, saturated: roundedUp(planAt(Infinity).losses.at(-1)) };
  }
  return curve;
}

function showCurve(error) {
  const { label, count, epsilon } = model.tiers[active];
  const name = label === null ? "these records" : `“${label}”`;
  const { saturated, points } = curveOfActive();
  show("curve", `The error if ${name} allowed another ε`);
  let words = "";
  if (count > 0) words = `If ${name} allowed everything, all of it would be used.`;
  if (count > 0 && saturated < Infinity) {
    const most = trimmed(significant(roundedUpTo(saturated, 4), 4));
    const dashed = onScale(saturated) ? " (the dashed line in the drawing)" : "";
    words =
      `Even if ${name} allowed everything, only ε = ${most} of it would be spent${dashed}: ` +
      "all above that they would keep for free.";
  }
  show("saturation", words);
  drawCurve(find(".curve"), points, [epsilon, error], count > 0 ? saturated : 0);
}

function showOthers(plan) {
  for (const [name, error] of Object.entries(errorsOfOthers(model.facts, plan))) {
    show(name, significant(error, 4));
    show(`${name}-change`, change(plan.rmse, error));
  }
}

/** The command that prints the same plan. */
function commandOf({ levels }) {
  const profile = levels.map(({ epsilon, count }) => `${budgetText(epsilon)}:${count}`).join(",");
  const [lower, upper] = model.facts.bounds;
  const bounds = `--bounds${lower < 0 ? "=" : " "}${lower},${upper}`;
  return `suum plan --profile "${profile}" ${bounds}${model.facts.options}`;
}

/** JSON has no ∞. */
function toJson(_, value) {
  return value === Infinity ? "inf" : value;
}

find('[data-do="reset"]').addEventListener("click", reset);
find(".all").hidden = false;
reset();
