// Numbers as people read them, to the digits that `suum plan` prints.

/** `value` times 10^places, rounded to an integer: of two that are equally near the even one. */
function scaledInteger(value, places) {
  let [numerator, denominator] = exactly(value);
  if (places >= 0) numerator *= 10n ** BigInt(places);
  else denominator *= 10n ** BigInt(-places);
  const [whole, rest] = [numerator / denominator, (numerator % denominator) * 2n];
  const up = rest > denominator || (rest === denominator && whole % 2n === 1n);
  return up ? whole + 1n : whole;
}

/** The power of ten of the first digit. */
function leadingExponent(value) {
  return Number(value.toExponential().split("e")[1]);
}

/**
 * Digits and exponent of a positive number with so many significant digits: value ≈
 * digits·10^exponent.
 */
function rounded(value, digits) {
  const exponent = leadingExponent(value) - digits + 1;
  const integer = scaledInteger(value, -exponent);
  return integer === 10n ** BigInt(digits) ? [integer / 10n, exponent + 1] : [integer, exponent];
}

/** A number ≥ 0 with so many significant digits, without an exponent where that stays short. */
function significant(value, digits) {
  if (value === 0 || !Number.isFinite(value))
    return value === 0 ? "0" : Number.isNaN(value) ? "–" : "∞";
  const exponent = leadingExponent(value);
  if (exponent < -5 || exponent >= 15) {
    const [integer, power] = rounded(value, digits);
    const text = String(integer);
    return `${trimmed(`${text[0]}.${text.slice(1)}`)}e${power + digits - 1}`;
  }
  return decimals(value, digits - 1 - exponent);
}

/** A number ≥ 0 to so many decimal places (negative: tens, hundreds …), thousands apart. */
function decimals(value, places) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : "∞";
  if (places <= 0) {
    const unit = 10 ** -places;
    // Halves go up, except at the place of ones.
    return grouped(
      places === 0 ? scaledInteger(value, 0) : BigInt(Math.round(value / unit) * unit),
    );
  }
  const text = String(scaledInteger(value, places)).padStart(places + 1, "0");
  return `${grouped(text.slice(0, -places))}.${text.slice(-places)}`;
}

function grouped(whole) {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Text without zeros after its decimal point. */
function trimmed(text) {
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}

/** A share of one as a percentage. */
function percent(share) {
  const value = share * 100;
  if (value === 0) return "0 %";
  if (value < 0.1) return "< 0.1 %";
  if (value > 99.9 && value < 100) return "> 99.9 %";
  if (value < 10 || value > 99) return `${trimmed(decimals(value, 1))} %`;
  return `${decimals(value, 0)} %`;
}

/** How much larger `value` is than `best`. */
function excess(value, best) {
  const ratio = value / best;
  if (Number.isNaN(ratio) || ratio <= 1 + 1e-12) return "same";
  if (ratio < 1.0005) return "< +0.1 %";
  if (ratio < 2) return `+${decimals((ratio - 1) * 100, 1)} %`;
  return ratio === Infinity ? "∞" : `${significant(ratio, 2)} ×`;
}

/** What became of an error. */
function change(before, after) {
  if (Math.abs(after / before - 1) < 5e-4) return "as good as no change";
  return after < before
    ? `${significant((1 - after / before) * 100, 2)} % less`
    : `${significant((after / before - 1) * 100, 2)} % more`;
}

/** A budget in full, as the command line takes it. */
function budgetText(epsilon) {
  if (epsilon === Infinity) return "inf";
  if (epsilon === 0) return "0";
  const short = epsilon >= 1e-4 && epsilon < 1e16 ? String(epsilon) : epsilon.toExponential();
  return short.replace("e+", "e");
}

/** A number in full, without an exponent. */
function plainNumber(value) {
  return value.toLocaleString("en", { useGrouping: false, maximumSignificantDigits: 17 });
}

/** A budget as people write it: long ones are rounded up to five digits. */
function shortBudget(epsilon) {
  const text = budgetText(epsilon);
  return text.length > 8 ? trimmed(significant(roundedUpTo(epsilon, 5), 5)) : text;
}

function budgetFigure(epsilon) {
  return epsilon === Infinity ? "∞ (public)" : shortBudget(epsilon);
}

/** The least number of so many significant digits that is not below a positive one. */
function roundedUpTo(value, digits) {
  const [integer, exponent] = rounded(value, digits);
  const nearest = Number(`${integer}e${exponent}`);
  return nearest >= value ? nearest : Number(`${integer + 1n}e${exponent}`);
}

/** The largest number of so many significant digits that is not above a positive one. */
function roundedDownTo(value, digits) {
  const up = roundedUpTo(value, digits);
  if (up <= value) return up;
  const [integer, exponent] = rounded(up, digits);
  const first = integer === 10n ** BigInt(digits - 1);
  return Number(first ? `${10n * integer - 1n}e${exponent - 1}` : `${integer - 1n}e${exponent}`);
}

/** A share of one as a percentage, rounded down: to whole ones, below ten to two digits. */
function percentAtLeast(share) {
  const value = share * 100;
  const down = value >= 10 ? Math.floor(value) : roundedDownTo(value, 2);
  return `${trimmed(significant(down, value >= 100 ? 3 : 2))} %`;
}

/** A loss, rounded up to four digits, but never above the budget that it keeps. */
function spentFigure(loss, allowed) {
  const exact = roundedUp(loss);
  if (exact === Infinity) return "∞";
  if (exact === 0) return "0";
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

function tierName(tier) {
  return tier.label ?? shortBudget(tier.epsilon);
}
