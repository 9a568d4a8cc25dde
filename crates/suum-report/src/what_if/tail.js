// How far sums of independent terms reach: of Laplace noises with a normal variable beside them.

/**
 * t with P(|S| ≤ t) of at least `confidence`, for a sum S of Laplace noises, [scale, how many], and
 * a normal variable of standard deviation `sd`. The tail is an integral over a line of the complex
 * plane, taken in steps that make it no smaller.
 */
function halfWidthOfSum(confidence, noises, sd) {
  const some = noises.filter(([scale, count]) => scale > 0 && count > 0);
  if (some.length === 0) return halfWidth(confidence, 0, sd);
  if (some.length === 1 && some[0][1] === 1) return halfWidth(confidence, some[0][0], sd);
  const variance = some.reduce((sum, [scale, count]) => sum + 2 * count * scale * scale, 0);
  const unit = Math.sqrt(variance + sd * sd);
  if (!Number.isFinite(unit) || unit === 0) return Infinity;
  const scales = some.map(([scale, count]) => [scale / unit, count]);
  return unit * reachOfSum(scales, sd / unit, (1 - confidence) / 2);
}

/** t with P(S > t) of at most `tail`, for a variance of 1. */
function reachOfSum(scales, sd, tail) {
  const largest = Math.max(...scales.map(([scale]) => scale));
  const cumulant = (c) =>
    scales.reduce((sum, [scale, count]) => sum - count * Math.log1p(-((scale * c) ** 2)), 0) +
    (sd * c) ** 2 / 2;
  const chernoff = (c) => (cumulant(c) - Math.log(tail)) / c;
  const c = leastAt(1e-3, (1 - 1e-9) / largest, 60, chernoff);
  const line = lineOf(scales, sd, largest, c, tail);
  let [low, high] = [0, chernoff(c)];
  for (let step = 0; step < 60; step += 1) {
    const middle = 0.5 * (low + high);
    if (tailOnLine(line, middle) > tail) low = middle;
    else high = middle;
  }
  return high;
}

/** exp(K(s))/s at s = c, c + ih, c + 2ih, …, for the cumulant generating function K of S. */
function lineOf(scales, sd, largest, c, tail) {
  const step = ((2 * Math.PI) / 30) * Math.min(c, 1 / largest - c);
  const line = { c, step, values: [], behind: Infinity };
  const oneMinusSquare = (scale, u) => [
    1 - scale * scale * (c * c - u * u),
    -2 * (scale * scale) * c * u,
  ];
  while (line.values.length < 20_000 && line.behind > 1e-6 * tail) {
    const u = step * line.values.length;
    let length = (sd * sd * (c * c - u * u)) / 2;
    let angle = sd * sd * c * u;
    for (const [scale, count] of scales) {
      const [real, imaginary] = oneMinusSquare(scale, u);
      length -= count * Math.log(Math.hypot(real, imaginary));
      angle -= count * Math.atan2(imaginary, real);
    }
    length = Math.exp(length);
    const over = length / (c * c + u * u);
    const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
    line.values.push([over * (cosine * c + sine * u), over * (sine * c - cosine * u)]);
    const [real, imaginary] = oneMinusSquare(largest, u);
    line.behind = (length * Math.hypot(real, imaginary)) / (largest * u) ** 2 / (2 * Math.PI);
  }
  return line;
}

/** P(S > t), or a little more. */
function tailOnLine({ c, step, values, behind }, t) {
  const [sine, cosine] = [Math.sin(step * t), Math.cos(step * t)];
  let [real, imaginary, sum] = [1, 0, 0];
  values.forEach(([one, other], at) => {
    const part = one * real + other * imaginary;
    sum += at === 0 ? 0.5 * part : part;
    [real, imaginary] = [real * cosine - imaginary * sine, imaginary * cosine + real * sine];
  });
  return (Math.max((sum * step) / Math.PI, 0) + behind) * Math.exp(-c * t);
}

/** About where a function is least that falls and then rises, after that many golden sections. */
function leastAt(low, high, sections, of) {
  const golden = (Math.sqrt(5) - 1) / 2;
  for (let step = 0; step < sections; step += 1) {
    const [left, right] = [high - golden * (high - low), low + golden * (high - low)];
    if (of(left) <= of(right)) high = right;
    else low = left;
  }
  return 0.5 * (low + high);
}
