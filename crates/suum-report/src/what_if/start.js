startPage(
  document.getElementById("what-if"),
  JSON.parse(document.getElementById("what-if-facts").textContent),
);
