// Numbers as people read them, to the digits that `suum plan` prints.

/** A number ≥ 0 to so many decimal places; of two that are equally near the even one. */
function fixed(value, places) {
  const all = value.toFixed(places + 50);
  const [head, behind] = [all.slice(0, -50), all.slice(-50)];
  const isTie = /^50*$/.test(behind) && /[02468]\.?$/.test(head);
  return isTie ? head.replace(/\.$/, "") : value.toFixed(places);
}

/** The power of ten of the first digit. */
function leadingExponent(value) {
  return Number(value.toExponential().split("e")[1]);
}

/** A number ≥ 0 with so many significant digits, without an exponent where that stays short. */
function significant(value, digits) {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : "∞";
  const exponent = leadingExponent(value);
  if (exponent >= -5 && exponent < 15) return decimals(value, digits - 1 - exponent);
  const [shown, power] = value.toExponential(digits - 1).split("e");
  return `${trimmed(shown)}e${Number(power)}`;
}

/** A number ≥ 0 to so many decimal places (negative: tens, hundreds …), thousands apart. */
function decimals(value, places) {
  // Halves of tens and more go up.
  const unit = 10 ** Math.max(-places, 0);
  const text = places < 0 ? String(Math.round(value / unit) * unit) : fixed(value, places);
  const [whole, behind] = text.split(".");
  return behind === undefined ? grouped(whole) : `${grouped(whole)}.${behind}`;
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
  return `${value < 10 || value > 99 ? trimmed(decimals(value, 1)) : decimals(value, 0)} %`;
}

/** What became of an error. */
function change(before, after) {
  if (Math.abs(after / before - 1) < 5e-4) return "as good as no change";
  const [part, words] =
    after < before ? [1 - after / before, "less"] : [after / before - 1, "more"];
  return `${significant(part * 100, 2)} % ${words}`;
}

/** A budget in full, as the command line takes it. */
function budgetText(epsilon) {
  if (epsilon === Infinity) return "inf";
  const short = epsilon === 0 || (epsilon >= 1e-4 && epsilon < 1e16);
  return short ? String(epsilon) : epsilon.toExponential().replace("e+", "e");
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
  const text = value.toExponential(digits - 1);
  if (Number(text) >= value) return Number(text);
  const [shown, exponent] = text.split("e");
  return Number(`${Number(shown.replace(".", "")) + 1}e${exponent - digits + 1}`);
}
