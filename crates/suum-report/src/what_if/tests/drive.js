const tier = (index, part) => document.querySelectorAll(".tier")[index].querySelector(`.${part}`);
const fact = (name) => document.querySelector(`[data-fact="${name}"]`);
const press = (name) => document.querySelector(`[data-do="${name}"]`).click();
const remove = (index) => document.querySelectorAll('[data-do="remove"]')[index].click();
const put = (field, value) => {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
};
const said = (name) => document.querySelector(`[data-show="${name}"]`).textContent;
const each = (selector, of) => [...document.querySelectorAll(selector)].map(of);
const refusal = document.querySelector(".refusal");
const shown = () => ({
  error: said("error"),
  change: said("change"),
  "half-width": said("half-width"),
  estimator: said("estimator"),
  kept: said("kept"),
  saturation: said("saturation"),
  uniform: [said("uniform"), said("uniform-change")],
  threshold: [said("threshold"), said("threshold-change")],
  command: said("command"),
  refusal: refusal.hidden ? null : refusal.textContent,
  labels: each(".tier .label", (label) => label.textContent),
  groups: each(".tier", (row) => row.getAttribute("aria-label")),
  outcomes: each(".tier .outcome", (outcome) => outcome.textContent),
  fields: each(".tier", (row) => [
    row.querySelector(".count").value,
    row.querySelector(".epsilon").value,
  ]),
  spoken: each(".tier .epsilon-slider", (slider) => slider.getAttribute("aria-valuetext")),
  drawn: each(".curve .line", (line) => line.getAttribute("d").length > 100),
});
const results = [shown()];
for (const step of steps) {
  step();
  results.push(shown());
}
document.getElementById("results").textContent = JSON.stringify(results).replaceAll("<", "\\u003c");
