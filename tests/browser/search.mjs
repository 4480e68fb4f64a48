// What the search of a site finds: the first hit of each query is the page that the query is about.
// node search.mjs SITE [QUERY]    without a query those of queries.tsv; with one its first hits are printed
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import vm from "node:vm";

const [site, query] = process.argv.slice(2);
const script = ["minisearch.js", "pages.js", "search.js"].map((name) => readFileSync(join(site, name), "utf8")).join("\n");
const search = vm.runInThisContext(`${script}\nsearch`);

if (query !== undefined) {
  const {kind, hits} = search(query);
  console.log(kind);
  hits.slice(0, 10).forEach((hit) => console.log(hit.score.toFixed(1), hit.id, hit.title));
  process.exit(0);
}
const queries = fileURLToPath(new URL("queries.tsv", import.meta.url));
const rows = readFileSync(queries, "utf8").trimEnd().split("\n").slice(1).map((line) => line.split("\t"));
const wrong = rows.filter(([words, page]) => {
  const {hits} = search(words);
  if (hits.length > 0 && hits[0].id === page) { return false; }
  console.log(`FAIL search for ${words}: ${page} is not ${hits.slice(0, 3).map((hit) => hit.id).join(" ")}`);
  return true;
});
console.log(`${wrong.length === 0 ? "ok  " : "FAIL"} search: ${rows.length - wrong.length} passed, ${wrong.length} failed`);
process.exit(wrong.length === 0 ? 0 : 1);
