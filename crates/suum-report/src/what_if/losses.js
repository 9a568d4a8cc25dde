// What a release costs: integer weights, the least integer noise that keeps every budget, and exact
// losses. Numerators and denominators are big integers, because losses are rounded up from what
// they exactly are.

// Binary digits that the smallest positive weight keeps.
const DIGITS = 40;

/** The mantissa and exponent of a positive double: x = mantissa·2^exponent. */
function parts(x) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n);
  const fraction = bits & ((1n << 52n) - 1n);
  return exponent === 0 ? [fraction, -1074] : [fraction | (1n << 52n), exponent - 1075];
}

/** A finite non-negative double as the fraction [numerator, denominator] that it is. */
function exactly(x) {
  const [mantissa, exponent] = parts(x);
  return exponent >= 0 ? [mantissa << BigInt(exponent), 1n] : [mantissa, 1n << BigInt(-exponent)];
}

/** Integers proportional to the weights, rounded down. */
function integersOf(perLevel) {
  const largest = Math.max(...perLevel);
  const smallest = Math.min(...perLevel.filter((weight) => weight > 0));
  const digits = DIGITS + Math.ceil(Math.log2(largest / smallest));
  return perLevel.map((weight) => {
    const [mantissa, exponent] = parts(weight / largest);
    const shift = exponent + digits;
    return shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift);
  });
}

/** The least integer b with moves ≤ b·ε; 0 where there is no noise. */
function leastScale(moves, epsilon) {
  if (epsilon === 0 || epsilon === Infinity) return 0n;
  const [numerator, denominator] = exactly(epsilon);
  return (moves * denominator + numerator - 1n) / numerator;
}

/**
 * One record's loss per level: [numerator, denominator], or null where the record is published as
 * it is.
 */
function lossesOf(setting, design) {
  const moves = BigInt(setting.points);
  switch (design.method) {
    case "levels":
    case "local":
      return setting.levels.map(({ epsilon }) =>
        epsilon === Infinity
          ? null
          : epsilon === 0
            ? [0n, 1n]
            : [moves, leastScale(moves, epsilon)],
      );
    default:
      return weightedLosses(setting, design, moves);
  }
}

function weightedLosses(setting, { weights }, moves) {
  const integers = integersOf(weights.perLevel);
  const scale = integers.reduce((most, weight, j) => {
    const needed = weight === 0n ? 0n : leastScale(weight * moves, setting.levels[j].epsilon);
    return needed > most ? needed : most;
  }, 0n);
  return integers.map((weight) =>
    weight === 0n ? [0n, 1n] : scale === 0n ? null : [weight * moves, scale],
  );
}

/** The least double that is not below a loss; ∞ if it is unlimited. */
function roundedUp(loss) {
  if (loss === null) return Infinity;
  const [numerator, denominator] = loss;
  if (numerator === 0n) return 0;
  // So many binary digits that 53 of them, or 54, stand before the point.
  const shift = 53 - (length2(numerator) - length2(denominator));
  const ceiling = (by) => {
    const [top, bottom] =
      by >= 0 ? [numerator << BigInt(by), denominator] : [numerator, denominator << BigInt(-by)];
    return (top + bottom - 1n) / bottom;
  };
  const long = ceiling(shift);
  const exact = length2(long) > 53 ? [ceiling(shift - 1), shift - 1] : [long, shift];
  return Number(exact[0]) * 2 ** -exact[1];
}

function length2(integer) {
  return integer.toString(2).length;
}

/** Whether a loss is at most ε. */
function within(loss, epsilon) {
  if (epsilon === Infinity) return true;
  if (loss === null) return false;
  const [numerator, denominator] = exactly(epsilon);
  return loss[0] * denominator <= numerator * loss[1];
}
