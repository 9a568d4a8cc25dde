// How far an estimate can be from what it estimates, at the stated confidence.

/** How far below and above an estimate the interval reaches, in units of the data. */
function reachOf(setting, design, risk) {
  const { width } = setting;
  const { weights } = design;
  const { laplace, rest } = noiseShape(setting, design);
  const biased = design.method === "stretch";
  // The risk of a biased estimator mixes bias and variance; this bounds the variance alone.
  const drawn = biased ? setting.variance * squaredNorm(setting, weights) : risk.sampling;
  const half = (variance) =>
    halfWidth(setting.confidence, width * laplace, Math.sqrt(variance + width * width * rest));
  // A continuity correction: half of the coarsest step that the estimate can make, or a whole one.
  const steps = setting.declaredVariance ? 1 : 0.5;
  let reach;
  if (setting.target === "population") {
    reach = half(drawn) + steps * width * largestStep(setting, design);
  } else if (setting.target === "dataset") {
    reach =
      half(drawn) + steps * width * (largestStep(setting, design) - Math.min(...weights.perLevel));
  } else {
    const worst = biased ? 0 : (width / 2) * distance(setting, weights);
    reach = half(biased ? 0 : Math.max(drawn - worst * worst, 0)) + worst;
  }
  reach += width / (2 * setting.points);
  return [reach, reach + (biased ? biasOf(setting, weights) * width : 0)];
}

/** The scale of the largest Laplace variable in the noise, and the variance of all other noise. */
function noiseShape(setting, design) {
  switch (design.method) {
    case "levels": {
      const scales = levelScales(setting, design);
      const laplace = Math.max(0, ...scales);
      const all = scales.reduce((sum, scale) => sum + 2 * scale * scale, 0);
      return { laplace, rest: Math.max(all - 2 * laplace * laplace, 0) };
    }
    case "local":
      return { laplace: 0, rest: localVariance(setting, design.weights) };
    case "sample":
      return { laplace: sampleScale(setting, design), rest: 0 };
    default:
      return { laplace: noiseOf(setting, design.weights), rest: 0 };
  }
}

/** The most that one record can weigh in the estimate. */
function largestStep(setting, { method, weights, keep }) {
  return method === "sample" ? 1 / expectedSample(setting, keep) : Math.max(...weights.perLevel);
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
