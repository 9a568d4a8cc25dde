// How far an estimate can be from what it estimates, at the stated confidence.

/** How far the interval reaches to each side of an estimate, in units of the data. */
function reachOf(setting, design, risk) {
  const { width, confidence } = setting;
  const { weights } = design;
  const noises = noisesOf(setting, design);
  const half = (sd) => width * halfWidthOfSum(confidence, noises, sd / width);
  const largest = Math.max(...weights.perLevel);
  // A continuity correction: half of the coarsest step that the estimate can make, or a whole one.
  const steps = setting.declaredVariance ? 1 : 0.5;
  let reach;
  if (setting.target === "population") {
    reach = half(Math.sqrt(risk.sampling)) + steps * width * largest;
  } else if (setting.target === "dataset") {
    const step = largest - Math.min(...weights.perLevel);
    reach = half(Math.sqrt(risk.sampling)) + steps * width * step;
  } else {
    reach = half(0) + (width / 2) * distance(setting, weights);
  }
  return reach + width / (2 * setting.points);
}

/** The Laplace noises, in units of the range: [scale, how many there are]. */
function noisesOf(setting, design) {
  switch (design.method) {
    case "levels":
      return levelScales(setting, design).map((scale) => [scale, 1]);
    case "local":
      return design.weights.perLevel.flatMap((weight, j) => {
        const { epsilon, count } = setting.levels[j];
        return weight > 0 && epsilon < Infinity ? [[weight / epsilon, count]] : [];
      });
    default:
      return [[noiseOf(setting, design.weights), 1]];
  }
}

/** t with P(|L + N| ≤ t) = `confidence`, for Laplace noise L of scale `eta` and a normal N. */
function halfWidth(confidence, eta, sd) {
  const tail = (1 - confidence) / 2;
  if (!Number.isFinite(eta) || !Number.isFinite(sd)) return Infinity;
  if (sd === 0) return -eta * Math.log(2 * tail);
  let [low, high] = [0, eta + sd];
  while (upperTail(high, eta, sd) > tail) high *= 2;
  for (let step = 0; step < 100; step += 1) {
    const middle = 0.5 * (low + high);
    if (upperTail(middle, eta, sd) > tail) low = middle;
    else high = middle;
  }
  return high;
}

/** P(L + N > t). */
function upperTail(t, eta, sd) {
  const z = t / sd;
  const alone = normalTail(z);
  if (eta === 0) return alone;
  const a = sd / eta;
  const gauss = Math.exp((-z * z) / 2);
  const falling =
    a >= z
      ? 0.5 * gauss * scaledErfc((a - z) * Math.SQRT1_2)
      : Math.exp((a * a) / 2 - a * z) * normalTail(a - z);
  const rising = 0.5 * gauss * scaledErfc((a + z) * Math.SQRT1_2);
  return alone + 0.5 * (falling - rising);
}

/** P(N > z) for a standard normal N. */
function normalTail(z) {
  const half = 0.5 * Math.exp((-z * z) / 2) * scaledErfc(Math.abs(z) * Math.SQRT1_2);
  return z >= 0 ? half : 1 - half;
}

/** exp(x²)·erfc(x) for x ≥ 0. */
function scaledErfc(x) {
  if (x < 2) {
    // erf(x) = 2x/√π·e^{−x²}·(1 + 2x²/3·(1 + 2x²/5·(1 + …))), from the inside.
    let series = 1;
    for (let k = 60; k >= 1; k -= 1) series = 1 + ((2 * x * x) / (2 * k + 1)) * series;
    return Math.exp(x * x) - ((2 * x) / Math.sqrt(Math.PI)) * series;
  }
  // 1/√π · 1/(x + ½/(x + 1/(x + 3/2/(x + …)))), from the inside.
  let fraction = x;
  for (let k = 100; k >= 1; k -= 1) fraction = x + k / 2 / fraction;
  return 1 / (fraction * Math.sqrt(Math.PI));
}
