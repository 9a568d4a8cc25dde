// Sliders run over decades, ε over those of the drawing: from 0 to 1000 on the slider.

const [END, DECADES] = [1000, 7];

/** ε at a place of a slider: 0 and ∞ at its ends, three digits between. */
function epsilonAt(place) {
  if (place <= 0) return 0;
  if (place >= END) return Infinity;
  return Number((10 ** (LEAST + ((place - 1) / (END - 2)) * (MOST - LEAST))).toPrecision(3));
}

function placeOfEpsilon(epsilon) {
  if (epsilon === 0) return 0;
  if (epsilon === Infinity) return END;
  const place = 1 + ((Math.log10(epsilon) - LEAST) / (MOST - LEAST)) * (END - 2);
  return Math.min(Math.max(place, 1), END - 1);
}

/** A number of people at a place of a slider, from 1 to ten million. */
function peopleAt(place) {
  return Number(Math.round(10 ** ((place / END) * DECADES)).toPrecision(3));
}

function placeOfPeople(count) {
  return Math.min((Math.log10(Math.max(count, 1)) / DECADES) * END, END);
}

/** The number that a person wrote for ε, or null. */
function readEpsilon(text) {
  const word = text.trim();
  if (word === "inf" || word === "∞") return Infinity;
  const epsilon = readNumber(word);
  return epsilon === 0 || (epsilon >= 1e-100 && epsilon <= 1e100) ? epsilon : null;
}

/** The number of people that a person wrote, with or without commas, or null. */
function readPeople(text) {
  const count = readNumber(text.trim().replace(/,(?=\d{3}(,|$))/g, ""));
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}

function readNumber(text) {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : null;
}
