// Opens pages in headless Chromium and steps through them as a person would: real keys, real clicks.
// node step-through.mjs BROWSER PAGE...
import {pathToFileURL} from "node:url";
import assert from "node:assert/strict";
import {events, openTab, start, stop} from "./browser.mjs";

const [browserPath, ...pages] = process.argv.slice(2);
start(browserPath);

/** What the page shows has to be what its data says of that moment. */
async function check(tab, expected) {
  assert.equal(await tab.moment(), expected);
  const shown = await tab.evaluate(`(() => {
    const run = JSON.parse(document.getElementById("moments").textContent);
    const data = run.moments[${expected}];
    const cards = Array.from(document.querySelectorAll("#objects .card"));
    return {
      data: data.objects.map((number) => run.objects[number]).map((o) => [o.name, o.state, Object.values(o.queues).flat().join()].join("|")),
      cards: cards.map((c) => [c.querySelector("b").textContent,
        c.querySelector(".badge") === null ? "" : c.querySelector(".badge").textContent,
        Array.from(c.querySelectorAll(".entry")).map((e) => e.firstChild.textContent).join()].join("|")),
      now: Array.from(document.querySelectorAll("svg.on-wide .moment.now")).map((g) => g.dataset.moment).join(),
      future: document.querySelectorAll("svg.on-wide .moment.future").length,
      visible: (() => {
        const box = document.querySelector("svg.on-wide .moment.now").getBoundingClientRect();
        return box.bottom > 0 && box.top < innerHeight;
      })(),
      count: document.querySelectorAll("svg.on-wide .moment").length,
      where: document.getElementById("where").textContent,
    };
  })()`);
  assert.deepEqual(shown.cards, shown.data);
  assert.equal(shown.now, String(expected));
  assert.equal(shown.future, shown.count - expected - 1);
  assert.ok(shown.visible, "the moment is in sight");
  assert.ok(shown.where.startsWith(`${expected + 1} of ${shown.count}, at `), shown.where);
  return shown.count;
}

/** In the frame of a chapter on a phone the buttons stay in sight, however long a sentence is. */
async function stepInFrame(tab, count) {
  await tab.call("Emulation.setDeviceMetricsOverride", {width: 390, height: 638, deviceScaleFactor: 1, mobile: true});
  await tab.press("Home");
  for (let i = 0; i < count; i++) {
    assert.equal(await tab.moment(), i);
    const {top, bottom} = await tab.evaluate(`(() => {
      const {top, bottom} = document.getElementById("next").getBoundingClientRect();
      return {top, bottom};
    })()`);
    assert.ok(top >= 0 && bottom <= 638, `the buttons are in sight at ${i}`);
    await tab.press("ArrowRight");
  }
}

async function stepThrough(page) {
  const tab = await openTab();
  await tab.goTo(pathToFileURL(page).href);
  await tab.waitUntil("document.body.dataset.moment !== undefined");
  // A run begins at its first packet, or else the first change of a state, with what comes before it folded.
  const first = (kind) => tab.evaluate(`Array.from(document.querySelectorAll("#steps > ol > li"))
    .findIndex((li) => li.dataset.kinds.split(" ").includes("${kind}"))`);
  const packet = await first("packet");
  const begin = packet >= 0 ? packet : await first("state");
  await check(tab, begin);
  assert.equal(await tab.evaluate("document.getElementById('setup').getAttribute('aria-expanded')"), "false");
  await tab.click("#setup");
  const count = await check(tab, 0);
  assert.equal(await tab.evaluate("document.getElementById('setup').getAttribute('aria-expanded')"), "true");
  for (let i = 1; i < count; i++) {
    await tab.press("ArrowRight");
    await check(tab, i);
  }
  await tab.press("ArrowRight");
  await check(tab, count - 1);
  await tab.press("ArrowLeft");
  await check(tab, count - 2);
  await tab.press("Home");
  await check(tab, 0);
  await tab.press("End");
  await check(tab, count - 1);
  await tab.click("#first");
  await check(tab, 0);
  await tab.click("#next");
  await tab.click("#next");
  await check(tab, 2);
  await tab.click("#previous");
  await check(tab, 1);
  await tab.click("#last");
  await check(tab, count - 1);
  const middle = Math.floor(count / 2);
  await tab.click(`svg.on-wide .moment[data-moment="${middle}"]`);
  await check(tab, middle);
  await stepInFrame(tab, count);
  await tab.close();
  return count;
}

try {
  let moments = 0;
  for (const page of pages) {
    moments += await stepThrough(page);
  }
  const thrown = events.filter((event) => event.method === "Runtime.exceptionThrown");
  assert.deepEqual(thrown, []);
  console.log(`ok   browser: ${moments} moments by keys, buttons and clicks`);
  console.log(`${pages.length} passed, 0 failed`);
  stop(0);
} catch (failure) {
  console.error(failure);
  console.log("0 passed, 1 failed");
  stop(1);
}
