// Looks at pages of the site and at the playground in headless Chromium, on a wide screen and on a phone,
// light and dark, with and without scripts.
// node site.mjs BROWSER SITE PLAYGROUND-ADDRESS PICTURES [AXE]
import {readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import assert from "node:assert/strict";
import {events, openTab, start, stop} from "./browser.mjs";
import {DRAWING, LAYOUT} from "./layout.mjs";

const [browserPath, site, playground, pictures, axe] = process.argv.slice(2);
const PAGES = ["index.html", "connection.html", "runs.html", "glossary.html", "states/index.html",
  "statuses/rem_access_err.html", "verbs/ibv_modify_qp.html",
  "opcodes/rc_rdma_write_only.html", "tutorial/first-connection.html", "tutorial/receiving.html",
  "tutorial/why-rdma.html", "tutorial/the-states.html", "tutorial/go-back-n.html", "tutorial/inside-an-adapter.html",
  "exercises/datagram.html", "teaching.html", "search.html",
  "naks/rnr-nak.html", "headers/bth.html", "logs/transport-retry-counter-exceeded.html", "scenarios/rnr-nak.html", "scenarios/ud-qkey.html",
  "scenarios/loss-last-packet.html"];
const SCREENS = {
  desktop: {width: 1500, height: 1000, deviceScaleFactor: 1, mobile: false},
  phone: {width: 390, height: 844, deviceScaleFactor: 2, mobile: true},
};
const LOAD_MILLIS = 1_000;
// Addresses of searches, what is said of them, and the page that is found first; search.mjs has many more.
const SEARCHES = {
  "IBV_WC_RETRY_EXC_ERR": [/^\d+ found/, "statuses/retry_exc_err.html"],
  "postSend": [/^\d+ found/, "verbs/ibv_post_send.html"],
  "ibv_post_sned": [/words like these/, "verbs/ibv_post_send.html"],
  "the fence of a quokka": [/none has all/, "scenarios/fence.html"],
  "qqqqqq": [/^Nothing found/, undefined],
};
let passed = 0;
let failed = 0;

async function row(name, check) {
  if (!new RegExp(process.env.ROWS ?? "").test(name)) { return; }
  try {
    await check();
    passed++;
  } catch (failure) {
    failed++;
    console.log(`FAIL ${name}: ${failure.message}`);
  }
}

const addressOf = (page) => pathToFileURL(resolve(site, page)).href;
const isPlayer = (page) => page.startsWith("scenarios/");

/** There are two drawings of a run, one of which is shown. */
const drawn = (screen) => screen === "phone" ? "svg.on-narrow" : "svg.on-wide";

const countSteps = (tab) => tab.evaluate("document.querySelectorAll('#steps > ol > li').length");

async function setScreen(tab, screen, scheme) {
  await tab.call("Emulation.setDeviceMetricsOverride", SCREENS[screen]);
  await tab.call("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: scheme}]});
}

async function checkLayout(tab) {
  const findings = await tab.evaluate(`(${LAYOUT})()`);
  assert.deepEqual(findings.slice(0, 8), []);
}

/** A run on a phone: what is drawn fits the screen and can be read. */
async function checkDrawing(tab) {
  const findings = await tab.evaluate(`(${DRAWING})()`);
  assert.deepEqual(findings.slice(0, 8), []);
}

async function goToStep(tab, step) {
  await tab.evaluate(`location.hash = "#${step}"`);
  await tab.waitUntil(`document.body.dataset.moment === "${step - 1}"`);
}

/** The last step has drawn everything. */
async function lookAtWholeRun(tab, page) {
  await setScreen(tab, "phone", "light");
  await tab.goTo(addressOf(page));
  await goToStep(tab, await countSteps(tab));
  await checkLayout(tab);
  await checkDrawing(tab);
}

async function checkAxe(tab) {
  if (axe === undefined) { return; }
  await tab.evaluate(readFileSync(axe, "utf8") + ";true");
  const found = await tab.evaluate(`axe.run(document, {resultTypes: ["violations"]}).then((result) =>
    result.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join(" | ")))`);
  assert.deepEqual(found, []);
}

async function take(tab, name) {
  writeFileSync(join(pictures, name + ".png"), await tab.picture());
}

/** One page on one screen, in one scheme; of a run its first, middle and last step. */
async function look(tab, page, screen, scheme) {
  await setScreen(tab, screen, scheme);
  await tab.goTo(addressOf(page));
  const name = `${page.replace(/\W+/g, "-").replace(/-html$/, "")}-${screen}-${scheme}`;
  if (!isPlayer(page)) {
    await take(tab, name);
    await checkLayout(tab);
    await checkAxe(tab);
    return;
  }
  const count = await countSteps(tab);
  for (const step of [1, Math.ceil(count / 2), count]) {
    await goToStep(tab, step);
    await checkLayout(tab);
    if (screen === "phone") { await checkDrawing(tab); }
  }
  await take(tab, name);
  await checkAxe(tab);
  for (const panel of ["machine", "memory", "packet"]) {
    await tab.evaluate(`document.querySelector('[data-panel="${panel}"]').click()`);
    await checkLayout(tab);
    await take(tab, `${name}-${panel}`);
  }
  await checkAxe(tab);
}

/** What happens in later steps cannot be seen, and what is said of a step is never cut. */
async function checkSteps(tab, page, screen) {
  await setScreen(tab, screen, "light");
  await tab.goTo(addressOf(page));
  const findings = await tab.evaluate(`(() => {
    const findings = [];
    const sentence = document.getElementById("sentence");
    const controls = document.getElementById("controls");
    const count = document.querySelectorAll("#steps > ol > li").length;
    const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    Object.defineProperty(KeyboardEvent.prototype, "target", {get: () => document.body});
    press("Home");
    for (let step = 0; step < count; step++) {
      const box = controls.getBoundingClientRect();
      if (Number(document.body.dataset.moment) !== step) { findings.push("step " + step + " is not shown"); }
      if (sentence.scrollHeight > sentence.clientHeight || sentence.scrollWidth > sentence.clientWidth) { findings.push("the sentence of step " + step + " is cut"); }
      if (getComputedStyle(controls).position !== "static" && (box.height > innerHeight * .8 || box.bottom > innerHeight + 1)) { findings.push("the sentence of step " + step + " leaves the screen"); }
      const strip = Array.from(document.querySelectorAll("#map i")).slice(step + 1).map((mark) => getComputedStyle(mark).backgroundColor);
      if (new Set(strip).size > 1) { findings.push("the strip shows what comes after step " + step); }
      for (const flight of document.querySelectorAll(".flight:not(.future)")) {
        const isDashed = getComputedStyle(flight.querySelector(".arrow")).strokeDasharray !== "none";
        if (isDashed && Number(flight.dataset.arrives) > step) { findings.push("step " + step + " shows a loss that is to come"); }
      }
      press("ArrowRight");
    }
    return findings;
  })()`);
  assert.deepEqual(findings.slice(0, 4), []);
}

/** The run of the first page: each button, and the sentence at its end. */
async function checkLanding(tab, screen) {
  await setScreen(tab, screen, "light");
  await tab.goTo(addressOf("index.html"));
  const shown = "Array.from(document.querySelectorAll('.outcome p')).filter((p) => p.checkVisibility()).map((p) => p.innerText).join()";
  for (const [button, sentence] of [["lost", "sent both packets again"], ["key", "refused the key with a NAK"],
    ["receive", "RNR_RETRY_EXC_ERR"], ["whole", "straight into the memory"]]) {
    await tab.click(`.break [data-run="${button}"]`);
    await tab.waitUntil(`${shown}.includes(${JSON.stringify(sentence)})`);
    assert.equal(await tab.evaluate("document.querySelectorAll('.break [aria-pressed=\"true\"]').length"), 1);
    await checkLayout(tab);
  }
}

/** Each byte is explained when it is pointed at, and by keys. */
async function checkBytes(tab, screen) {
  await setScreen(tab, screen, "light");
  await tab.goTo(addressOf("connection.html"));
  assert.equal(await tab.evaluate("document.querySelectorAll('.bytes').length"), 18);
  const nak = "Array.from(document.querySelectorAll('.bytes'))[11]";
  const explained = `${nak}.querySelector('.pointed').innerText`;
  await tab.evaluate(`Array.from(${nak}.querySelectorAll("i")).find((i) => i.textContent === "60").dispatchEvent(new PointerEvent("pointerover"))`);
  assert.match(await tab.evaluate(explained), /AETH: syndrome\s+NAK PSN sequence error/);
  await tab.evaluate(`${nak}.querySelector("i").focus()`);
  await tab.press("ArrowRight");
  assert.match(await tab.evaluate(explained), /Ethernet: source/);
  await tab.press("End");
  assert.match(await tab.evaluate(explained), /ICRC/);
  const missing = await tab.evaluate(`Array.from(document.querySelectorAll(".dump i")).filter((unit) => {
    unit.dispatchEvent(new PointerEvent("pointerover"));
    return unit.closest(".bytes").querySelectorAll(".pointed p").length === 0;
  }).length`);
  assert.equal(missing, 0);
}

/** On paper, A4 with margins of 15 mm, nothing leaves the page, nothing has to be scrolled, and no drawing is longer. */
async function checkPaper(tab, page) {
  const height = 1009;
  await tab.call("Emulation.setDeviceMetricsOverride", {width: 680, height, deviceScaleFactor: 1, mobile: false});
  await tab.goTo(addressOf(page));
  await tab.call("Emulation.setEmulatedMedia", {media: "print", features: []});
  await tab.evaluate("window.dispatchEvent(new Event('beforeprint'))");
  const findings = await tab.evaluate(`Array.from(document.querySelectorAll("main, header, table, pre, svg, td, p, #steps"))
    .filter((part) => part.checkVisibility() && part.closest("details:not([open])") === null)
    .filter((part) => part.getBoundingClientRect().right > 681
      || part.tagName === "svg" && part.getBoundingClientRect().height > ${height}
      || getComputedStyle(part).overflowX !== "visible" && part.scrollWidth > part.clientWidth + 1)
    .map((part) => part.tagName + " " + part.textContent.trim().slice(0, 40))`);
  await tab.call("Emulation.setEmulatedMedia", {media: "", features: []});
  assert.deepEqual(findings.slice(0, 6), []);
}

/** Keys, filters, swipes and panels of a run. */
async function checkPlayer(tab) {
  await setScreen(tab, "phone", "light");
  await tab.goTo(addressOf("scenarios/rnr-nak.html"));
  const count = await countSteps(tab);
  for (const [key, expected] of [["Home", 0], ["j", 1], [" ", 2], ["k", 1], ["End", count - 1], ["Home", 0]]) {
    await tab.press(key);
    assert.equal(await tab.moment(), expected, "after " + key);
  }
  await tab.press("4");
  assert.equal(await tab.evaluate("document.getElementById('packet').checkVisibility()"), true);
  assert.equal(await tab.evaluate("document.getElementById('objects').checkVisibility()"), false);
  // The only NAK: the steps before it are passed over.
  await tab.evaluate("document.getElementById('kind').value = 'nak'; document.getElementById('kind').dispatchEvent(new Event('change'))");
  await tab.press("ArrowRight");
  const shown = await tab.evaluate("document.getElementById('packet').innerText");
  assert.match(shown, /AETH, bytes 12 to 15/);
  assert.match(shown, /2c\s+syndrome\s.*\s+RNR NAK 0.64 ms/);
  assert.match(await tab.evaluate("document.getElementById('sentence').textContent"), /RNR NAK/);
  await tab.evaluate("document.getElementById('kind').value = ''; document.getElementById('kind').dispatchEvent(new Event('change'))");
  const before = await tab.moment();
  await tab.evaluate(`(() => {
    const area = document.getElementById("sentence");
    for (const [type, x] of [["touchstart", 300], ["touchend", 100]]) {
      const touch = new Touch({identifier: 1, target: area, clientX: x, clientY: 700});
      area.dispatchEvent(new TouchEvent(type, {bubbles: true, changedTouches: [touch]}));
    }
  })()`);
  assert.equal(await tab.moment(), before + 1);
  await tab.evaluate("document.querySelector('[data-panel=\"diagram\"]').click()");
  await tab.press("End");
  await tab.press("3");
  assert.ok(await tab.evaluate("document.getElementById('memory').getBoundingClientRect().top >= 0"), "the panel begins above the screen");
  assert.match(await tab.evaluate("document.getElementById('memory').innerText"), /b\.mr[\s\S]*R_Key 0x00000101/);
  assert.match(await tab.evaluate("document.getElementById('memory').innerText"), /\+0, 8 bytes, posted to be sent at step/);
  assert.match(await tab.evaluate("document.getElementById('memory').innerText"), /\+0, 64 bytes, posted to receive at step/);
  await tab.press("2");
  assert.equal(await tab.evaluate("document.querySelectorAll('.picture:not([hidden]) .state.here.at-RTS').length"), 1);
}

const CHAPTER = "tutorial/receiving.html";

async function waitForRun(tab, condition) {
  await tab.evaluate("document.querySelector('iframe').scrollIntoView()");
  const until = Date.now() + 60_000;
  while (await tab.evaluateInFrame(`document.readyState === "complete" && ${condition}`).catch(() => false) !== true) {
    assert.ok(Date.now() < until, "60 s without: " + condition);
  }
}

/** The run in a chapter can be stepped through, and the chapter stays where it is. */
async function checkChapter(tab, screen) {
  await setScreen(tab, screen, "light");
  await tab.goTo(addressOf(CHAPTER));
  await waitForRun(tab, "document.querySelector('.now .opcode') !== null");
  const place = await tab.evaluate("scrollY");
  await tab.evaluateInFrame("document.getElementById('last').click()");
  assert.equal(await tab.evaluateInFrame("Number(document.body.dataset.moment)"),
    await tab.evaluateInFrame("document.querySelectorAll('#steps > ol > li').length - 1"));
  assert.equal(await tab.evaluate("scrollY"), place);
  assert.ok(await tab.evaluateInFrame("scrollY > 0"), "the last step is in sight");
  for (const hidden of ["header", "#steps", ".site"]) {
    assert.equal(await tab.evaluateInFrame(`document.querySelector("${hidden}").checkVisibility()`), false, hidden);
  }
  assert.deepEqual(await tab.evaluateInFrame(`(${LAYOUT})()`), []);
  if (screen === "phone") { assert.deepEqual(await tab.evaluateInFrame(`(${DRAWING})()`), []); }
  await take(tab, `chapter-${screen}`);
}

/** Without scripts it is a list. */
async function checkChapterWithoutScripts(tab) {
  await tab.call("Emulation.setScriptExecutionDisabled", {value: true});
  await tab.goTo(addressOf(CHAPTER));
  await waitForRun(tab, "document.querySelector('#steps li').checkVisibility()");
  assert.equal(await tab.evaluateInFrame("document.body.dataset.moment"), undefined);
  await tab.call("Emulation.setScriptExecutionDisabled", {value: false});
}

async function checkWithoutScripts(tab, page) {
  await tab.call("Emulation.setScriptExecutionDisabled", {value: true});
  await tab.goTo(addressOf(page));
  await checkLayout(tab);
  const shown = await tab.evaluate("document.body.innerText");
  assert.ok(shown.length > 300, "the page is all but empty: " + shown.length + " characters");
  if (isPlayer(page)) {
    const steps = await tab.evaluate("Array.from(document.querySelectorAll('#steps li')).filter((li) => li.checkVisibility()).length");
    assert.equal(steps, await countSteps(tab));
    assert.equal(await tab.evaluate("document.getElementById('controls').checkVisibility()"), false);
  }
  await tab.call("Emulation.setScriptExecutionDisabled", {value: false});
}

/** The shortest of three loads: a busy machine is no slow page. */
async function checkLoad(tab, page) {
  const times = [];
  for (let i = 0; i < 3; i++) {
    await tab.goTo("about:blank");
    await tab.goTo(addressOf(page));
    times.push(await tab.evaluate("performance.getEntriesByType('navigation')[0].duration"));
  }
  assert.ok(Math.min(...times) < LOAD_MILLIS, "loaded in " + times.map(Math.round).join(", ") + " ms");
}

async function checkSearch(tab, query, [said, wanted]) {
  await tab.goTo(addressOf("search.html") + "?q=" + encodeURIComponent(query));
  assert.match(await tab.evaluate("document.getElementById('count').textContent"), said);
  assert.equal(await tab.evaluate("document.querySelector('ol#found a')?.getAttribute('href')"), wanted);
  await checkLayout(tab);
}

async function checkPlayground(tab, screen, scheme) {
  await setScreen(tab, screen, scheme);
  await tab.goTo(playground);
  await checkLayout(tab);
  await checkAxe(tab);
  await tab.click("#playground button");
  await tab.waitUntil("document.querySelector('.now .opcode') !== null");
  await checkLayout(tab);
  await take(tab, `playground-${screen}-${scheme}`);
  const packet = await tab.evaluate("Array.from(document.querySelectorAll('#steps li')).findIndex((li) => li.querySelector('button'))");
  await tab.click("#next");
  await tab.evaluate(`document.querySelectorAll("${drawn(screen)} .moment")[${packet}].dispatchEvent(new MouseEvent("click"))`);
  const fault = await tab.evaluate("document.querySelector('#sentence button').value");
  assert.match(fault, /^drop 1st RC_SEND_ONLY from a psn 0$/);
  await tab.click("#sentence button");
  // The run is drawn again, at the same packet; the fault is a step more.
  await tab.waitUntil(`document.body !== null && document.body.dataset.moment === "${packet + 1}"`
    + ` && document.getElementById("text").value.includes("\\nfault ${fault}\\n")`);
  assert.match(await tab.evaluate("document.getElementById('sentence').textContent"), new RegExp(`\\(dropped: ${fault}\\)`));
  // The fault drops one packet on the way; b drops the next one, as the one before it is missing.
  assert.equal(await tab.evaluate(`document.querySelectorAll('${drawn(screen)} .arrow.lost').length`), 2);
  await checkLayout(tab);
  await checkAxe(tab);
  // The text has an address.
  const shared = await tab.evaluate("document.getElementById('share').href");
  const text = await tab.evaluate("document.getElementById('text').value");
  await tab.goTo("about:blank");
  await tab.goTo(shared);
  assert.equal(await tab.evaluate("document.getElementById('text').value"), text);
  await tab.click("#playground button");
  await tab.waitUntil("document.querySelector('.now .opcode') !== null");
  // Keys in the editor are those of a text, not steps.
  await tab.click("#text");
  const moment = await tab.moment();
  await tab.press("End");
  assert.equal(await tab.moment(), moment);
}

async function checkGrading(tab, screen, scheme) {
  await setScreen(tab, screen, scheme);
  await tab.goTo(`${playground}?exercise=datagram`);
  // The Q_Key of the sender, and a test that is edited.
  await tab.evaluate(`{ const text = document.getElementById("text"); text.value = text.value
    .replace("remote_qkey=???", "remote_qkey=0x1111").replace("byte_len=???", ""); }`);
  await tab.click("#playground button");
  await tab.waitUntil("document.querySelector('div[role=status]') !== null");
  const grade = await tab.evaluate("document.querySelector('div[role=status]').innerText");
  assert.match(grade, /^Your answer: 0 of 4\n/);
  assert.match(grade, /remote_qkey=\?\?\?: then this fails: expect completion b\.cq/);
  await checkLayout(tab);
  await checkAxe(tab);
}

start(browserPath);
try {
  const tab = await openTab();
  for (const page of PAGES) {
    for (const screen of Object.keys(SCREENS)) {
      for (const scheme of ["light", "dark"]) {
        await row(`${page}, ${screen}, ${scheme}`, () => look(tab, page, screen, scheme));
      }
      await row(`${page}, ${screen}, without scripts`, () => checkWithoutScripts(tab, page));
    }
    await row(`${page}, time to load`, () => checkLoad(tab, page));
  }
  for (const name of readdirSync(join(site, "scenarios")).filter((one) => one !== "index.html")) {
    await row(`${name}, whole run, phone`, () => lookAtWholeRun(tab, `scenarios/${name}`));
    for (const screen of Object.keys(SCREENS)) {
      await row(`${name}, each step, ${screen}`, () => checkSteps(tab, `scenarios/${name}`, screen));
    }
  }
  await setScreen(tab, "phone", "dark");
  for (const name of readdirSync(join(site, "tutorial"))) {
    await row(`${name}, figures, phone`, async () => {
      await tab.goTo(addressOf(`tutorial/${name}`));
      await checkLayout(tab);
    });
  }
  for (const [query, wanted] of Object.entries(SEARCHES)) {
    await row(`search for ${query}`, () => checkSearch(tab, query, wanted));
  }
  for (const screen of Object.keys(SCREENS)) {
    for (const scheme of ["light", "dark"]) {
      await row(`playground, ${screen}, ${scheme}`, () => checkPlayground(tab, screen, scheme));
      await row(`grading, ${screen}, ${scheme}`, () => checkGrading(tab, screen, scheme));
    }
  }
  for (const screen of Object.keys(SCREENS)) {
    await row(`buttons of the first page, ${screen}`, () => checkLanding(tab, screen));
    await row(`bytes of a connection, ${screen}`, () => checkBytes(tab, screen));
  }
  for (const page of [...PAGES, "tutorial/states-and-attributes.html", "scenarios/cm-connect.html", "scenarios/loss-random.html"]) {
    await row(`${page}, on paper`, () => checkPaper(tab, page));
  }
  for (const screen of Object.keys(SCREENS)) { await row(`a run in a chapter, ${screen}`, () => checkChapter(tab, screen)); }
  await row("a run in a chapter, without scripts", () => checkChapterWithoutScripts(tab));
  await row("keys, filters, swipes and panels of a run", () => checkPlayer(tab));
  await row("no request leaves this host", () => {
    const urls = events.filter((event) => event.method === "Network.requestWillBeSent").map((event) => event.params.request.url);
    assert.ok(urls.length > PAGES.length);
    assert.deepEqual(urls.filter((url) => !/^(file:|data:|about:|http:\/\/127\.0\.0\.1:)/.test(url)), []);
  });
  await row("no script fails", () =>
    assert.deepEqual(events.filter((event) => event.method === "Runtime.exceptionThrown").map((event) => event.params.exceptionDetails.text), []));
} catch (failure) {
  console.error(failure);
  failed++;
}
console.log(`${failed === 0 ? "ok  " : "FAIL"} site: ${passed} passed, ${failed} failed`);
stop(failed === 0 ? 0 : 1);
