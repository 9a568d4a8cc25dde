// The drawing of the error against what one tier allows. Places are in percent, so that text keeps
// its size.

const SVG = "http://www.w3.org/2000/svg";
// The drawing's inner edges, in percent.
const [LEFT, RIGHT, TOP, BOTTOM] = [14, 97, 4, 84];
// Where 0 and ∞ are, away from the scale of decades between, as parts of the width.
const GAP = 0.07;
const POINTS = 72;

/**
 * The expected error at every ε of the tier at `index`: [ε, error] along the scale and at its ends.
 */
function curveOf(facts, tiers, index) {
  const at = (epsilon) => {
    try {
      return [epsilon, errorAt(facts, tiers, index, epsilon)];
    } catch (refusal) {
      if (refusal instanceof Refusal) return [epsilon, NaN];
      throw refusal;
    }
  };
  const scale = Array.from({ length: POINTS + 1 }, (_, i) =>
    at(10 ** (LEAST + (i / POINTS) * (MOST - LEAST))),
  );
  return { scale: scale.filter(drawable), ends: [0, Infinity].map(at).filter(drawable) };
}

function drawable([, error]) {
  return error > 0 && error < Infinity;
}

/** Draws a curve, where on it we are, and from which ε on more is not spent. */
function drawCurve(svg, { scale, ends }, here, saturated) {
  const drawn = [...scale, ...ends, here].filter(drawable);
  svg.replaceChildren();
  if (drawn.length === 0) return;
  const y = heights(drawn.map(([, value]) => value));
  const at = ([epsilon, value]) => [acrossOf(epsilon), y.place(value)];

  for (const value of y.ticks) {
    const height = y.place(value);
    line(svg, "axis", [LEFT, height], [RIGHT, height]);
    text(svg, significant(value, 2), [LEFT - 1.5, height], "end", "0.32em");
  }
  for (const epsilon of [0, 0.001, 0.01, 0.1, 1, 10, Infinity]) {
    const label = epsilon === Infinity ? "∞" : shortBudget(epsilon).replace(/^0\./, ".");
    text(svg, label, [acrossOf(epsilon), BOTTOM], "middle", "1.5em");
  }
  if (onScale(saturated)) {
    const across = acrossOf(saturated);
    line(svg, "full", [across, TOP], [across, BOTTOM]);
  }
  path(svg, scale.map(at));
  for (const end of ends) point(svg, at(end), 3);
  if (drawable(here)) point(svg, at(here), 7);
}

function onScale(epsilon) {
  return epsilon >= 10 ** LEAST && epsilon <= 10 ** MOST;
}

function acrossOf(epsilon) {
  const inner = (Math.log10(epsilon) - LEAST) / (MOST - LEAST);
  const part =
    epsilon === 0
      ? 0
      : epsilon === Infinity
        ? 1
        : GAP + Math.min(Math.max(inner, 0), 1) * (1 - 2 * GAP);
  return LEFT + part * (RIGHT - LEFT);
}

/**
 * A scale of decades that holds all values, at least half as large again as the least, and its
 * ticks.
 */
function heights(values) {
  let [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  const room = Math.max(0.18 - (high - low), 0.06 * (high - low), 0.01) / 2;
  [low, high] = [low - room, high + room];
  const ticks = [];
  for (const steps of [
    [1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9],
    [1, 1.5, 2, 3, 5, 7],
    [1, 2, 5],
    [1, 3],
    [1],
  ]) {
    ticks.length = 0;
    for (let decade = Math.floor(low); decade <= high; decade += 1) {
      for (const step of steps) {
        const value = Number(`${step}e${decade}`);
        if (Math.log10(value) >= low && Math.log10(value) <= high) ticks.push(value);
      }
    }
    if (ticks.length <= 6) break;
  }
  while (ticks.length > 6) ticks.splice(0, ticks.length, ...ticks.filter((_, i) => i % 2 === 0));
  return {
    ticks,
    place: (value) => BOTTOM - ((Math.log10(value) - low) / (high - low)) * (BOTTOM - TOP),
  };
}

function element(parent, name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  parent.append(made);
  return made;
}

function line(svg, className, [x1, y1], [x2, y2]) {
  element(svg, "line", {
    class: className,
    x1: `${x1}%`,
    y1: `${y1}%`,
    x2: `${x2}%`,
    y2: `${y2}%`,
  });
}

function text(svg, words, [x, y], anchor, dy) {
  element(svg, "text", { x: `${x}%`, y: `${y}%`, dy, "text-anchor": anchor }).textContent = words;
}

function point(svg, [x, y], radius) {
  element(svg, "circle", { class: "point", cx: `${x}%`, cy: `${y}%`, r: radius });
}

/** Paths know no percent: an inner drawing is stretched over the outer one. */
function path(svg, places) {
  const inner = element(svg, "svg", {
    viewBox: "0 0 100 100",
    preserveAspectRatio: "none",
    width: "100%",
    height: "100%",
  });
  const steps = places.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(2)} ${y.toFixed(2)}`);
  element(inner, "path", { class: "line", d: steps.join("") });
}
