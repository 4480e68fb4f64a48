// Headless Chromium, driven by the DevTools protocol over a pipe: JSON objects, each followed by a zero byte.
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import assert from "node:assert/strict";

const DEADLINE_MILLIS = 900_000;
const profile = mkdtempSync(join(tmpdir(), "browser-"));
const waiting = new Map();
let chromium;
let deadline;
let lastId = 0;

/** What the browser reported: exceptions, requests. */
export const events = [];

/** Starts the browser. No name is resolved but that of this host. */
export function start(path) {
  chromium = spawn(
    path,
    ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
      "--disable-background-networking", "--user-data-dir=" + profile, "--window-size=1500,1000",
      "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"],
    {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
  deadline = setTimeout(() => { console.error("browser: no end after 900 s"); stop(1); }, DEADLINE_MILLIS);
  let input = Buffer.alloc(0);
  chromium.stdio[4].on("data", (data) => {
    input = Buffer.concat([input, data]);
    for (let end = input.indexOf(0); end >= 0; end = input.indexOf(0)) {
      take(JSON.parse(input.subarray(0, end).toString()));
      input = input.subarray(end + 1);
    }
  });
}

function take(message) {
  if (message.id === undefined) { events.push(message); return; }
  const {resolve, reject} = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.error) { reject(new Error(message.error.message)); } else { resolve(message.result); }
}

/** Ends the browser, and then this program. */
export function stop(code) {
  clearTimeout(deadline);
  chromium.once("exit", () => { removeProfile(); process.exit(code); });
  chromium.kill();
}

// Children of the browser may still write into the profile after it has ended.
function removeProfile() {
  try {
    rmSync(profile, {recursive: true, force: true, maxRetries: 20, retryDelay: 100});
  } catch (error) {
    console.error("browser: " + profile + " is left over: " + error.message);
  }
}

function send(method, params = {}, sessionId = undefined) {
  lastId++;
  chromium.stdio[3].write(JSON.stringify({id: lastId, method, params, sessionId}) + "\0");
  return new Promise((resolve, reject) => waiting.set(lastId, {resolve, reject}));
}

/** A new tab, without a page. */
export async function openTab() {
  const {targetId} = await send("Target.createTarget", {url: "about:blank"});
  const {sessionId} = await send("Target.attachToTarget", {targetId, flatten: true});
  const call = (method, params) => send(method, params, sessionId);
  await call("Runtime.enable");
  await call("Page.enable");
  await call("Network.enable");
  const evaluate = async (expression) => {
    const {result, exceptionDetails} = await call("Runtime.evaluate", {expression, returnByValue: true, awaitPromise: true});
    assert.equal(exceptionDetails, undefined, expression);
    return result.value;
  };
  const waitUntil = async (condition) => {
    const until = Date.now() + 60_000;
    for (;;) {
      // While a page is replaced there is none to ask.
      const answer = await call("Runtime.evaluate", {expression: condition, returnByValue: true}).catch(() => undefined);
      if (answer?.result?.value === true) { return; }
      assert.ok(Date.now() < until, "60 s without: " + condition);
    }
  };
  return {
    call,
    evaluate,
    waitUntil,
    /** The same as evaluate, in the page within this page. */
    evaluateInFrame: async (expression) => {
      const {frameTree} = await call("Page.getFrameTree");
      const {executionContextId} = await call("Page.createIsolatedWorld", {frameId: frameTree.childFrames[0].frame.id});
      const {result, exceptionDetails} =
        await call("Runtime.evaluate", {expression, contextId: executionContextId, returnByValue: true, awaitPromise: true});
      assert.equal(exceptionDetails, undefined, expression);
      return result.value;
    },
    close: () => send("Target.closeTarget", {targetId}),
    goTo: async (url) => {
      await call("Page.navigate", {url});
      await waitUntil(`location.href.split("#")[0] === ${JSON.stringify(url.split("#")[0])} && document.readyState === "complete"`
        + " && performance.getEntriesByType('navigation')[0].loadEventEnd > 0");
    },
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
    picture: async () => {
      const {data} = await call("Page.captureScreenshot", {format: "png"});
      return Buffer.from(data, "base64");
    },
  };
}
