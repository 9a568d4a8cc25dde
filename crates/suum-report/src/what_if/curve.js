// The drawing of the error against what one tier allows. Places are in percent, so that text keeps
// its size.

const SVG = "http://www.w3.org/2000/svg";
// The logarithms of the least and the largest ε on its scale.
const [LEAST, MOST] = [Math.log10(1e-4), Math.log10(20)];
// The drawing's inner edges, in percent.
const [LEFT, RIGHT, TOP, BOTTOM] = [14, 97, 4, 84];
// Where 0 and ∞ are, away from the scale of decades between, as parts of the width.
const GAP = 0.07;

const drawable = ([, error]) => error > 0 && error < Infinity;
const onScale = (epsilon) => epsilon >= 10 ** LEAST && epsilon <= 10 ** MOST;

/** Draws [ε, error], where on it we are, and from which ε on more is not spent. */
function drawCurve(svg, all, here, saturated) {
  const drawn = [...all, here].filter(drawable);
  svg.replaceChildren();
  if (drawn.length === 0) return;
  const { ticks, heightOf } = heights(drawn.map(([, error]) => error));
  const at = ([epsilon, error]) => [acrossOf(epsilon), heightOf(error)];
  for (const value of ticks) {
    line(svg, "axis", [LEFT, heightOf(value)], [RIGHT, heightOf(value)]);
    text(svg, significant(value, 2), [LEFT - 1.5, heightOf(value)], "end", "0.32em");
  }
  for (const epsilon of [0, 0.001, 0.01, 0.1, 1, 10, Infinity]) {
    const label = epsilon === Infinity ? "∞" : String(epsilon).replace(/^0\./, ".");
    text(svg, label, [acrossOf(epsilon), BOTTOM], "middle", "1.5em");
  }
  if (onScale(saturated)) {
    const across = acrossOf(saturated);
    line(svg, "full", [across, TOP], [across, BOTTOM]);
  }
  const points = all.filter(drawable);
  const isInner = ([epsilon]) => epsilon > 0 && epsilon < Infinity;
  path(svg, points.filter(isInner).map(at));
  for (const end of points) if (!isInner(end)) point(svg, at(end), 3);
  if (drawable(here)) point(svg, at(here), 7);
}

function acrossOf(epsilon) {
  const inner = Math.min(Math.max((Math.log10(epsilon) - LEAST) / (MOST - LEAST), 0), 1);
  const ends = { 0: 0, Infinity: 1 };
  return LEFT + (ends[epsilon] ?? GAP + inner * (1 - 2 * GAP)) * (RIGHT - LEFT);
}

/** A scale of decades for all values, at least half as large again as the least, with ticks. */
function heights(values) {
  let [low, high] = [Math.min(...values), Math.max(...values)].map(Math.log10);
  const room = Math.max(0.18 - (high - low), 0.06 * (high - low), 0.01) / 2;
  [low, high] = [low - room, high + room];
  const ticksOf = (steps) => {
    const ticks = [];
    for (let decade = Math.floor(low); decade <= high; decade += 1)
      ticks.push(...steps.split(" ").map((step) => Number(`${step}e${decade}`)));
    return ticks.filter((value) => Math.log10(value) >= low && Math.log10(value) <= high);
  };
  const finest = "1 1.2 1.4 1.6 1.8 2 2.5 3 3.5 4 4.5 5 6 7 8 9";
  const all = [finest, "1 1.5 2 3 5 7", "1 2 5", "1 3", "1"].map(ticksOf);
  let ticks = all.find((some) => some.length <= 6) ?? all.at(-1);
  while (ticks.length > 6) ticks = ticks.filter((_, i) => i % 2 === 0);
  const heightOf = (value) => BOTTOM - ((Math.log10(value) - low) / (high - low)) * (BOTTOM - TOP);
  return { ticks, heightOf };
}

function element(parent, name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  parent.append(made);
  return made;
}

function line(svg, name, [x1, y1], [x2, y2]) {
  const ends = { x1: `${x1}%`, y1: `${y1}%`, x2: `${x2}%`, y2: `${y2}%` };
  element(svg, "line", { class: name, ...ends });
}

function text(svg, words, [x, y], anchor, dy) {
  element(svg, "text", { x: `${x}%`, y: `${y}%`, dy, "text-anchor": anchor }).textContent = words;
}

function point(svg, [x, y], radius) {
  element(svg, "circle", { class: "point", cx: `${x}%`, cy: `${y}%`, r: radius });
}

/** Paths know no percent: an inner drawing is stretched over the outer one. */
function path(svg, places) {
  const size = { width: "100%", height: "100%", viewBox: "0 0 100 100" };
  const inner = element(svg, "svg", { ...size, preserveAspectRatio: "none" });
  const steps = places.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(2)} ${y.toFixed(2)}`);
  element(inner, "path", { class: "line", d: steps.join("") });
}
