"use strict";
(function () {
  const form = document.getElementById("search");
  const query = document.getElementById("query");
  const found = document.getElementById("found");
  const count = document.getElementById("count");
  const limit = 30;

  /** A page whose title has all words comes before one that has them in its text. */
  function matches(words) {
    const byTitle = [];
    const byText = [];
    pages.forEach(function (page) {
      const title = page[0].toLowerCase();
      const all = title + " " + page[1] + " " + page[2].toLowerCase();
      const has = function (text) { return words.every(function (word) { return text.includes(word); }); };
      if (has(title)) { byTitle.push(page); } else if (has(all)) { byText.push(page); }
    });
    return byTitle.concat(byText);
  }

  function show() {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = words.length === 0 ? [] : matches(words);
    found.replaceChildren.apply(found, hits.slice(0, limit).map(function (page) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = page[1];
      link.textContent = page[0];
      item.append(link, " ", page[2]);
      return item;
    }));
    const more = hits.length > limit ? ", the first " + limit + " are shown" : "";
    count.textContent = words.length === 0 ? "" : hits.length + " found" + more;
  }

  form.hidden = false;
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  query.addEventListener("input", show);
  show();
})();
