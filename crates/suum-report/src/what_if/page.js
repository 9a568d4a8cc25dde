// The page: what people change, and what they see. Labels and numbers enter the document as text
// only.

// As many tiers as one can still look over.
const MOST_TIERS = 32;
// How long after the last change it is spoken, in milliseconds.
const QUIET = 700;

function startPage(section, given) {
  const read = ({ label, epsilon, count }) => ({
    label,
    count,
    epsilon: epsilon === "inf" ? Infinity : epsilon,
  });
  const copy = () => ({
    facts: { ...given.facts, bounds: [...given.facts.bounds] },
    tiers: given.tiers.map(read),
  });
  const made = copy();
  const madeError = planOf(made.facts, made.tiers).chosen.rmse;
  let model = copy();
  let active = 0;
  let rows = [];
  let speaking = 0;
  let curve = { key: null };

  const find = (selector) => section.querySelector(selector);
  const show = (name, words) => {
    find(`[data-show="${name}"]`).textContent = words;
  };
  const list = find(".tiers");

  // What people change.

  function addRow(tier, index) {
    const row = find("template").content.firstElementChild.cloneNode(true);
    const part = (name) => row.querySelector(`.${name}`);
    const [count, countSlider, epsilon, epsilonSlider] = [
      "count",
      "count-slider",
      "epsilon",
      "epsilon-slider",
    ].map(part);
    const remove = row.querySelector("button");
    const change = (name, value, field, from) => {
      active = rows.indexOf(row);
      field.setAttribute("aria-invalid", String(value === null));
      if (value === null) {
        refuse(
          name === "count"
            ? "A number of records is a whole number."
            : "ε is 0 (do not use), a number above 0, or inf (this is public).",
        );
        return;
      }
      model.tiers[active][name] = value;
      fill(row, model.tiers[active], from);
      update();
    };
    // What was written or planned last is where its slider comes back to, with all its digits.
    const home = { count: tier.count, epsilon: tier.epsilon };
    const write = (name, value, field) => {
      if (value !== null) home[name] = value;
      change(name, value, field, field);
    };
    const slide = (name, at, placeOf, field, slider) => {
      const place = slider.valueAsNumber;
      const value = place === Math.round(placeOf(home[name])) ? home[name] : at(place);
      change(name, value, field, slider);
    };
    count.addEventListener("input", () => write("count", readPeople(count.value), count));
    countSlider.addEventListener("input", () =>
      slide("count", peopleAt, placeOfPeople, count, countSlider),
    );
    epsilon.addEventListener("input", () => write("epsilon", readEpsilon(epsilon.value), epsilon));
    epsilonSlider.addEventListener("input", () =>
      slide("epsilon", epsilonAt, placeOfEpsilon, epsilon, epsilonSlider),
    );
    row.addEventListener("focusin", () => {
      if (active === rows.indexOf(row)) return;
      active = rows.indexOf(row);
      update();
    });
    remove.addEventListener("click", () => {
      const position = rows.indexOf(row);
      model.tiers.splice(position, 1);
      rows.splice(position, 1);
      row.remove();
      active = Math.min(active, rows.length - 1);
      update();
      find('[data-do="add"]').focus();
    });
    rows.splice(index, 0, row);
    list.append(row);
    fill(row, tier, null);
  }

  /** Shows a tier's numbers in its fields and sliders, except where they come `from`. */
  function fill(row, tier, from) {
    const set = (name, value) => {
      const field = row.querySelector(`.${name}`);
      if (field !== from) field.value = value;
    };
    set("count", String(tier.count));
    set("count-slider", Math.round(placeOfPeople(tier.count)));
    set("epsilon", budgetText(tier.epsilon));
    set("epsilon-slider", Math.round(placeOfEpsilon(tier.epsilon)));
  }

  function fillAll() {
    rows = [];
    list.replaceChildren();
    model.tiers.forEach(addRow);
    const { bounds, target, variance, estimator } = model.facts;
    const values = {
      lower: bounds[0],
      upper: bounds[1],
      target,
      variance: variance ?? "",
      estimator,
    };
    for (const [name, value] of Object.entries(values)) {
      const field = find(`[data-fact="${name}"]`);
      field.value = value;
      field.setAttribute("aria-invalid", "false");
    }
  }

  function listen(name, take) {
    const field = find(`[data-fact="${name}"]`);
    field.addEventListener("input", () => {
      const taken = take(field.value);
      field.setAttribute("aria-invalid", String(!taken));
      if (taken) update();
      else refuse("This is not a number.");
    });
  }

  const number = (put) => (words) => {
    const value = readNumber(words);
    if (value !== null) put(value);
    return value !== null;
  };
  const choice = (put) => (value) => {
    put(value);
    return true;
  };
  listen(
    "lower",
    number((value) => (model.facts.bounds[0] = value)),
  );
  listen(
    "upper",
    number((value) => (model.facts.bounds[1] = value)),
  );
  listen(
    "target",
    choice((value) => (model.facts.target = value)),
  );
  listen(
    "estimator",
    choice((value) => (model.facts.estimator = value)),
  );
  listen("variance", (words) => {
    const value = readNumber(words);
    if (value === null && words.trim() !== "") return false;
    model.facts.variance = value;
    return true;
  });
  for (const name of Object.keys(ESTIMATORS).filter((name) => !FOR_STUDY.includes(name)))
    find('[data-fact="estimator"]').append(new Option(name, name));

  find('[data-do="add"]').addEventListener("click", () => {
    const tier = { label: newName(), epsilon: 1, count: 1000 };
    model.tiers.push(tier);
    addRow(tier, rows.length);
    active = rows.length - 1;
    update();
    rows[active].querySelector(".epsilon").focus();
  });
  find('[data-do="reset"]').addEventListener("click", () => {
    model = copy();
    active = 0;
    fillAll();
    update();
  });
  find('[data-do="copy"]').addEventListener("click", async () => {
    const command = find('[data-show="command"]');
    try {
      await navigator.clipboard.writeText(command.textContent);
      show("copied", "Copied.");
    } catch {
      // Where a page may not copy by itself, it marks what there is to copy.
      getSelection().selectAllChildren(command);
      show("copied", "Marked: copy it with Ctrl+C or ⌘C.");
    }
  });

  function newName() {
    const names = new Set(model.tiers.map((tier) => tier.label));
    let next = 1;
    while (names.has(`new tier ${next}`)) next += 1;
    return `new tier ${next}`;
  }

  // What people see.

  function update() {
    show("copied", "");
    rows.forEach((row, index) => nameRow(row, model.tiers[index], index));
    find('[data-do="add"]').disabled = rows.length >= MOST_TIERS;
    // Where budgets may depend on values, the worst case is over all of them.
    find('[data-fact="variance"]').disabled = model.facts.target === "dataset-correlated";
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

  function outcome(row, words, spent, allowed) {
    row.querySelector(".outcome").textContent = words;
    row.querySelector(".spent").style.width = `${(100 * spent) / END}%`;
    row.querySelector(".allowed").style.width = `${(100 * allowed) / END}%`;
  }

  function showPlan(plan) {
    const { chosen, setting } = plan;
    find(".refusal").hidden = true;
    section.classList.remove("old");
    const error = significant(chosen.rmse, 4);
    const differs = JSON.stringify(model, infinite) !== JSON.stringify(made, infinite);
    const became = differs
      ? `${significant(madeError, 4)} as planned: ${change(madeError, chosen.rmse)}`
      : "as planned";
    show("error", error);
    show("change", became);
    show("confidence", `${trimmed(significant(setting.confidence * 100, 4))} %`);
    show("reach", reachWords(plan));
    show("chosen", chosen.name);
    showTiers(plan);
    show("kept", keptWords(plan));
    showCurve(chosen.rmse);
    showGains(plan);
    show("command", commandOf(model.facts, model.tiers));
    speak(`Expected error ${error}, ${became}, by ${chosen.name}.`);
  }

  function showTiers(plan) {
    const cells = tierRows(plan);
    let next = 0;
    rows.forEach((row, index) => {
      const tier = model.tiers[index];
      if (tier.count === 0) {
        outcome(row, "nobody", 0, 0);
        return;
      }
      const [, , , spent, kept, share] = cells[next];
      const place = placeOfEpsilon(roundedUp(plan.spending[next].loss));
      next += 1;
      const words =
        tier.epsilon === 0
          ? "not used"
          : `would spend ${spent}, keeps ${kept}; ${share} of the estimate`;
      outcome(row, words, place, placeOfEpsilon(tier.epsilon));
    });
  }

  /**
   * What does not change while the tier's own ε does: its curve, and what it would spend at most.
   */
  function curveOfActive() {
    const others = model.tiers.map((tier, index) =>
      index === active ? { ...tier, epsilon: null } : tier,
    );
    const key = JSON.stringify([active, model.facts, others], infinite);
    if (curve.key !== key) {
      const saturated =
        model.tiers[active].count > 0 ? saturation(model.facts, model.tiers, active) : 0;
      curve = { key, saturated, drawing: curveOf(model.facts, model.tiers, active) };
    }
    return curve;
  }

  function showCurve(error) {
    const tier = model.tiers[active];
    const name = tier.label === null ? "these records" : `“${tier.label}”`;
    const { saturated, drawing } = curveOfActive();
    show("curve", `The error if ${name} allowed another ε`);
    let words = `If ${name} allowed everything, all of it would be used.`;
    if (tier.count === 0) words = "";
    else if (saturated < Infinity) {
      const most = trimmed(significant(roundedUpTo(saturated, 4), 4));
      const dashed = onScale(saturated) ? " (the dashed line in the drawing)" : "";
      words =
        `Even if ${name} allowed everything, only ε = ${most} of it would be spent${dashed}: ` +
        "all above that they would keep for free.";
    }
    show("saturation", words);
    drawCurve(find(".curve"), drawing, [tier.epsilon, error], saturated);
  }

  function showGains(plan) {
    const estimators = estimatorRows(plan);
    const row = (name, words) => {
      const [, error, , , , versus] = estimators.find((cells) => cells[0] === name);
      return [words, error, versus];
    };
    const gains = [
      row(plan.chosen.name, `weighed by what they allow (${plan.chosen.name})`),
      row("uniform", "all treated as the strictest of them (uniform)"),
      row("threshold", "left out if they are too strict (threshold)"),
    ];
    fillTable(find(".gains"), gains, 0);
    fillTable(
      find(".estimators"),
      estimators,
      estimators.findIndex(([name]) => name === plan.chosen.name),
    );
    show("gain", gainSentences(plan).join(" "));
    show("bound", boundSentence(plan));
    show("excluded", plan.excluded.map((reason) => `Left out: ${reason}.`).join(" "));
  }

  function speak(words) {
    clearTimeout(speaking);
    speaking = setTimeout(() => show("spoken", words), QUIET);
  }

  find(".all").hidden = false;
  fillAll();
  update();
}

function fillTable(body, rows, chosen) {
  body.replaceChildren();
  rows.forEach((cells, index) => {
    const row = body.insertRow();
    row.classList.toggle("chosen", index === chosen);
    cells.forEach((words, column) => {
      const cell = document.createElement(column === 0 ? "th" : "td");
      if (column === 0) cell.scope = "row";
      else cell.className = "number";
      cell.textContent = words;
      row.append(cell);
    });
  });
}

/** JSON has no ∞. */
function infinite(_, value) {
  return value === Infinity ? "inf" : value;
}
