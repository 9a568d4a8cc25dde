// What a release costs: integer weights, the least integer noise that keeps every budget, and exact
// losses [numerator, denominator] in big integers, because losses are rounded up from what they
// exactly are.

// Binary digits that the smallest positive weight keeps.
const DIGITS = 40;

/** A finite double ≥ 0 as the fraction that it is; the denominator is a power of two. */
function exactly(x) {
  let twos = 0n;
  for (; !Number.isInteger(x); x *= 2) twos += 1n;
  return [BigInt(x), 1n << twos];
}

/** Σ count·share. */
function exactSum(terms) {
  const all = terms.map(([count, share]) => [BigInt(count), ...exactly(share)]);
  const finest = all.reduce((most, [, , part]) => (part > most ? part : most), 1n);
  const sum = all.reduce((one, [count, share, part]) => one + count * share * (finest / part), 0n);
  // Of 106 binary digits, as many as sums have in Rust.
  const spare = BigInt(Math.max(length2(sum) - 106, 0));
  return Number((sum >> spare) << spare) / Number(finest);
}

function ceiling(numerator, denominator) {
  return (numerator + denominator - 1n) / denominator;
}

/** One record's loss per level; null where the record is published as it is. */
function lossesOf({ points }, { levels }, weights) {
  const sensitivity = BigInt(points);
  const [largest, least] = [Math.max(...weights), Math.min(...weights.filter((one) => one > 0))];
  const unit = 1n << BigInt(DIGITS + Math.ceil(Math.log2(largest / least)));
  const integers = weights.map((weight) => {
    const [numerator, denominator] = exactly(weight / largest);
    return (numerator * unit) / denominator;
  });
  const scale = integers.reduce((most, integer, j) => {
    if (integer === 0n || levels[j].epsilon === Infinity) return most;
    const [numerator, denominator] = exactly(levels[j].epsilon);
    const needed = ceiling(integer * sensitivity * denominator, numerator);
    return needed > most ? needed : most;
  }, 0n);
  return integers.map((integer) =>
    integer === 0n ? [0n, 1n] : scale === 0n ? null : [integer * sensitivity, scale],
  );
}

/** The least double that is not below a loss; ∞ if it is unlimited. */
function roundedUp(loss) {
  if (loss === null) return Infinity;
  const [numerator, denominator] = loss;
  if (numerator === 0n) return 0;
  // So many binary digits that 60 of them, or 61, stand before the point; 53 of them remain.
  const shift = 60 - length2(numerator) + length2(denominator);
  const [up, down] = [Math.max(shift, 0), Math.max(-shift, 0)].map(BigInt);
  const long = ceiling(numerator << up, denominator << down);
  const behind = length2(long) - 53;
  return Number(ceiling(long, 1n << BigInt(behind))) * 2 ** (behind - shift);
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

/** A loss, rounded up to four digits, but never above the budget that it keeps. */
function spentFigure(loss, allowed) {
  const exact = roundedUp(loss);
  if (exact === 0 || exact === Infinity) return significant(exact, 4);
  const up = roundedUpTo(exact, 4);
  return up >= allowed && within(loss, allowed)
    ? shortBudget(allowed)
    : trimmed(significant(up, 4));
}

/** The part of a budget that stays unspent. */
function keptFigure(loss, allowed) {
  const spent = roundedUp(loss);
  if (allowed === 0) return "–";
  if (allowed === Infinity) return spent === Infinity ? "none" : "the rest";
  return percent(Math.round((1 - spent / allowed) * 1e9) / 1e9);
}
