// Sums and products to about 32 digits, as pairs [high, low]: the level of the weights is a
// difference of large sums.

const ZERO = [0, 0];

function double(value) {
  return [value, 0];
}

function normal(high, low) {
  if (!Number.isFinite(high)) return [high, 0];
  const sum = high + low;
  return [sum, low - (sum - high)];
}

function plus(a, b) {
  const sum = a[0] + b[0];
  const part = sum - a[0];
  const error = a[0] - (sum - part) + (b[0] - part);
  return normal(sum, error + a[1] + b[1]);
}

function minus(a, b) {
  return plus(a, [-b[0], -b[1]]);
}

/** The exact product of two doubles. */
function product(a, b) {
  const high = a * b;
  if (!Number.isFinite(high) || high === 0) return [high, 0];
  const [a1, a2] = halves(a);
  const [b1, b2] = halves(b);
  return [high, a1 * b1 - high + a1 * b2 + a2 * b1 + a2 * b2];
}

function halves(a) {
  const scaled = a * 134217729; // 2^27 + 1
  const high = scaled - (scaled - a);
  return [high, a - high];
}

function times(a, b) {
  const both = product(a[0], b[0]);
  return normal(both[0], both[1] + (a[0] * b[1] + a[1] * b[0]));
}

function over(a, b) {
  const first = a[0] / b[0];
  if (!Number.isFinite(first)) return double(first);
  return normal(first, minus(a, times(b, double(first)))[0] / b[0]);
}

function below(a, b) {
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}
