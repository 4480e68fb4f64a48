// Opens pages in headless Chromium and steps through them as a person would: real keys, real clicks.
// node step-through.mjs BROWSER SCREENSHOT PAGE...
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import assert from "node:assert/strict";

const [browserPath, screenshot, ...pages] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "browser-"));
const browser = spawn(
  browserPath,
  ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
    "--disable-background-networking", "--user-data-dir=" + profile, "--window-size=1500,1000"],
  {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
const deadline = setTimeout(() => { console.error("browser: no answer in 120 s"); stop(1); }, 120_000);

function stop(code) {
  clearTimeout(deadline);
  browser.once("exit", () => { removeProfile(); process.exit(code); });
  browser.kill();
}

// Children of the browser may still write into the profile after it has ended.
function removeProfile() {
  try {
    rmSync(profile, {recursive: true, force: true, maxRetries: 20, retryDelay: 100});
  } catch (error) {
    console.error("browser: " + profile + " is left over: " + error.message);
  }
}

// The DevTools protocol over a pipe: JSON objects, each followed by a zero byte.
const waiting = new Map();
const events = [];
let lastId = 0;
let input = Buffer.alloc(0);
browser.stdio[4].on("data", (data) => {
  input = Buffer.concat([input, data]);
  for (let end = input.indexOf(0); end >= 0; end = input.indexOf(0)) {
    const message = JSON.parse(input.subarray(0, end).toString());
    input = input.subarray(end + 1);
    if (message.id === undefined) { events.push(message); continue; }
    const {resolve, reject} = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) { reject(new Error(message.error.message)); } else { resolve(message.result); }
  }
});

function send(method, params = {}, sessionId = undefined) {
  lastId++;
  browser.stdio[3].write(JSON.stringify({id: lastId, method, params, sessionId}) + "\0");
  return new Promise((resolve, reject) => waiting.set(lastId, {resolve, reject}));
}

async function open(page) {
  const {targetId} = await send("Target.createTarget", {url: "about:blank"});
  const {sessionId} = await send("Target.attachToTarget", {targetId, flatten: true});
  const call = (method, params) => send(method, params, sessionId);
  await call("Runtime.enable");
  await call("Page.enable");
  await call("Page.navigate", {url: pathToFileURL(page).href});
  const evaluate = async (expression) => {
    const {result, exceptionDetails} = await call("Runtime.evaluate", {expression, returnByValue: true, awaitPromise: true});
    assert.equal(exceptionDetails, undefined, expression);
    return result.value;
  };
  await evaluate("new Promise((done) => { const look = () => document.body && document.body.dataset.moment !== undefined ? done() : setTimeout(look, 10); look(); })");
  return {
    call,
    evaluate,
    moment: async () => Number(await evaluate("document.body.dataset.moment")),
    press: async (key) => {
      await call("Input.dispatchKeyEvent", {type: "keyDown", key, code: key});
      await call("Input.dispatchKeyEvent", {type: "keyUp", key, code: key});
    },
    click: async (selector) => {
      const at = await evaluate(`(() => {
        const found = document.querySelector(${JSON.stringify(selector)});
        found.scrollIntoView({block: "center"});
        const box = found.getBoundingClientRect();
        return {x: box.x + box.width / 2, y: box.y + box.height / 2};
      })()`);
      for (const type of ["mousePressed", "mouseReleased"]) {
        await call("Input.dispatchMouseEvent", {type, x: at.x, y: at.y, button: "left", clickCount: 1});
      }
    },
  };
}

/** What the page shows has to be what its data says of that moment. */
async function check(tab, expected) {
  assert.equal(await tab.moment(), expected);
  const shown = await tab.evaluate(`(() => {
    const data = JSON.parse(document.getElementById("moments").textContent)[${expected}];
    const cards = Array.from(document.querySelectorAll(".card"));
    return {
      data: data.objects.map((o) => [o.name, o.state, Object.values(o.queues).flat().join()].join("|")),
      cards: cards.map((c) => [c.querySelector("b").textContent,
        c.querySelector(".badge") === null ? "" : c.querySelector(".badge").textContent,
        Array.from(c.querySelectorAll(".entry")).map((e) => e.textContent).join()].join("|")),
      now: Array.from(document.querySelectorAll(".moment.now")).map((g) => g.dataset.moment).join(),
      future: document.querySelectorAll(".moment.future").length,
      visible: (() => {
        const box = document.querySelector(".moment.now").getBoundingClientRect();
        return box.bottom > 0 && box.top < innerHeight;
      })(),
      count: document.querySelectorAll(".moment").length,
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

async function stepThrough(page) {
  const tab = await open(page);
  const count = await check(tab, 0);
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
  await tab.click(`.moment[data-moment="${middle}"]`);
  await check(tab, middle);
  return {tab, count};
}

try {
  let moments = 0;
  for (const page of pages) {
    const {tab, count} = await stepThrough(page);
    moments += count;
    if (screenshot !== "" && page === pages.at(-1)) {
      const {data} = await tab.call("Page.captureScreenshot", {format: "png"});
      writeFileSync(screenshot, Buffer.from(data, "base64"));
    }
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
