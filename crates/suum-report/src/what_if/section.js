// What both kinds of the section have: words in places, and what is spoken. Labels and numbers
// enter the document as text only.

// How long after the last change it is spoken, in milliseconds.
const QUIET = 700;

const section = document.getElementById("what-if");
const given = JSON.parse(document.getElementById("what-if-facts").textContent);
const find = (selector) => section.querySelector(selector);
const show = (name, words) => (find(`[data-show="${name}"]`).textContent = words);
const ofJson = (epsilon) => (epsilon === "inf" ? Infinity : epsilon);
let speaking = 0;

function speak(words) {
  clearTimeout(speaking);
  speaking = setTimeout(() => show("spoken", words), QUIET);
}

function newRow() {
  const row = find("template").content.firstElementChild.cloneNode(true);
  find(".tiers").append(row);
  return row;
}

/** An error, what became of it, and by which estimator. */
function showError(error, unit, became, estimator) {
  show("error", error);
  show("change", became);
  show("estimator", estimator);
  speak(`Expected error ${error}${unit}, ${became}, with the estimator ${estimator}.`);
}
