"use strict";
/**
 * Finds pages by words: all of them, most of them, or words like them. Pages are [title, address, description, text, headings]; aliases are an address,
 * or a folder and a star for the name of its pages, and after a tab other names.
 */
const search = (function () {
  const FIELDS = ["title", "names", "headings", "description", "text"];
  const BOOST = {title: 5, names: 6, headings: 3, description: 2};
  const STOP = new Set(("a about an and are as at be between by can difference do does for from get happen happens has have how i if in is it its made may me"
    + " mean means my not of on one or out same should so than that the their them then there they this to two use used using versus vs was"
    + " we what when where which who why will with without you").split(" "));
  /** Pages about the project come after those about the subject. */
  const WEIGHTS = [
    [/^(changelog|contributing|about|decisions|security|interop|platforms|benchmarks|supported|long-runs|architecture)/, 0.15],
    [/^reference\/(conformance|pyverbs|soft-roce|native-programs|replay|coverage|rules|verbs-coverage)|^commands/, 0.2],
    [/index\.html$/, 0.6], [/^exercises\//, 0.5], [/^(states\/.*-to-|opcodes\/(rd|xrc)_|verbs\/ibv_w[rc]_|reference\/|search)/, 0.4], [/^(verbs|glossary)/, 0.7], [/^opcodes/, 0.45], [/^tutorial\//, 1.5]];

  const weight = (address) => (WEIGHTS.find(([pattern]) => pattern.test(address)) || [null, 1])[1];
  const singular = (word) => word.replace(/(ss|tus|x)es$|([a-z][^su])s$/, "$1$2");
  /** C and Java write the same name in two ways: postSend, post_send. */
  const snake = (word) => word.replace(/([a-z]{3})([A-Z])/g, "$1_$2").toLowerCase();
  const tokens = (text) => text.match(/[\p{L}\p{N}_]+(?:\.\d+)?/gu) || [];

  /** A name is found whole, without its first parts, without its underscores, and by each part. */
  function partsOf(word) {
    const name = snake(word);
    if (!name.includes("_")) { return [singular(name)]; }
    const found = new Set([name, name.replaceAll("_", ""), word.toLowerCase()]);
    const each = name.split("_").filter(Boolean);
    each.forEach((part, at) => { found.add(each.slice(at).join("_")); found.add(singular(part)); });
    return Array.from(found);
  }

  const known = new Map();
  function parts(word) {
    if (!known.has(word)) { known.set(word, partsOf(word)); }
    return known.get(word);
  }

  const wanted = (word) => { const name = snake(word); return STOP.has(name) ? null : name.includes("_") ? name : singular(name); };

  const whole = new Map();
  const key = (text) => tokens(text).map(snake).join(" ");
  const keep = (name, id) => { if (!whole.has(key(name))) { whole.set(key(name), id); } };

  function namesOf(address) {
    return aliases.map((line) => line.split("\t")).flatMap(([place, names]) => {
      const folder = place.replace("*", "");
      const isOf = place === address || place !== folder && address.startsWith(folder);
      const name = address.slice(folder.length).replace(".html", "").toUpperCase();
      return isOf ? names.replaceAll("*", name).split("; ") : [];
    });
  }

  /** It takes some tenths of a second, and a page without a query needs none. */
  function read() {
    const index = new MiniSearch({fields: FIELDS, storeFields: ["title", "description"],
      tokenize: tokens, processTerm: parts,
      searchOptions: {boost: BOOST, processTerm: wanted, boostDocument: (address) => weight(address)}});
    pages.forEach(([title, id, description, text, headings]) => {
      const names = namesOf(id);
      index.add({id, title, description, text, headings, names: names.join(" ")});
      names.forEach((name) => keep(name, id));
    });
    pages.forEach(([title, id]) => keep(title, id));
    return index;
  }
  let index = null;

  /** Hits, the best first; kind is all, some or like. */
  return function (query) {
    index = index || read();
    const first = whole.get(key(query));
    const order = (hits) => hits.filter((hit) => hit.id === first).concat(hits.filter((hit) => hit.id !== first));
    const count = new Set(tokens(query).map(wanted).filter(Boolean)).size;
    const any = index.search(query);
    // A page about the subject that lacks a word comes before one that has it by chance.
    const rank = (hit) => hit.score * (hit.queryTerms.length / count);
    any.sort((one, other) => rank(other) - rank(one));
    const most = any.filter((hit) => hit.queryTerms.length >= (count > 2 ? count - 1 : count));
    if (most.length > 0) { return {kind: "all", hits: order(most)}; }
    return any.length > 0 ? {kind: "some", hits: order(any)} : {kind: "like", hits: order(index.search(query, {prefix: true, fuzzy: 0.25}))};
  };
})();

if (typeof document !== "undefined") {
  const limit = 30;
  const field = document.getElementById("query");
  const found = document.getElementById("found");
  const count = document.getElementById("count");
  const SAID = {all: " found", some: " found with some of these words; none has all of them", like: " found with words like these; no page has them"};

  const show = function () {
    const words = field.value.trim();
    const {kind, hits} = words === "" ? {kind: "all", hits: []} : search(words);
    found.replaceChildren(...hits.slice(0, limit).map((hit) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = hit.id;
      link.textContent = hit.title;
      item.append(link, " ", hit.description);
      return item;
    }));
    const more = hits.length > limit ? "; the first " + limit + " are shown" : "";
    count.textContent = words === "" ? "" : (hits.length || "Nothing") + SAID[kind] + more;
  };
  const address = () => {
    try { history.replaceState(null, "", "?q=" + encodeURIComponent(field.value.trim())); } catch (refused) { /* A file has no history in some browsers. */ }
  };

  field.value = new URLSearchParams(location.search).get("q") || "";
  field.addEventListener("input", () => { show(); address(); });
  document.getElementById("search").addEventListener("submit", (event) => { event.preventDefault(); show(); address(); });
  field.focus();
  show();
}
