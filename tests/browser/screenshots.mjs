// Takes the pictures of README.md: parts of pages of the site, light and dark.
// node screenshots.mjs BROWSER SITE PICTURES
import {writeFileSync} from "node:fs";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {openTab, start, stop} from "./browser.mjs";

const [browserPath, site, pictures] = process.argv.slice(2);
// A run at one of its steps, as the window shows it; of another page the element that is named.
const SHOWN = {
  player: {page: "scenarios/rnr-nak.html", step: 13, width: 1000, height: 560},
  states: {page: "states/rc.html", element: ".picture svg", width: 900, height: 1000},
};
const MOST_BYTES = 100_000;

/** Where an element stands in its page. */
async function boxOf(tab, selector) {
  return tab.evaluate(`(() => {
    const {x, y, width, height} = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
    return {x: x + window.scrollX, y: y + window.scrollY, width, height, scale: 1};
  })()`);
}

/** Writes a picture of a page, or of an element of it. */
async function take(tab, name, shown, scheme) {
  await tab.call("Emulation.setDeviceMetricsOverride",
    {width: shown.width, height: shown.height, deviceScaleFactor: 1, mobile: false});
  await tab.call("Emulation.setScrollbarsHidden", {hidden: true});
  await tab.call("Emulation.setEmulatedMedia", {features: [
    {name: "prefers-color-scheme", value: scheme}, {name: "prefers-reduced-motion", value: "reduce"}]});
  await tab.goTo(pathToFileURL(resolve(site, shown.page)).href);
  const options = {format: "png"};
  if (shown.element === undefined) {
    await tab.evaluate(`location.hash = "#${shown.step}"`);
    await tab.waitUntil(`document.body.dataset.moment === "${shown.step - 1}"`);
  } else {
    options.clip = await boxOf(tab, shown.element);
    options.captureBeyondViewport = true;
  }
  const {data} = await tab.call("Page.captureScreenshot", options);
  const png = Buffer.from(data, "base64");
  if (png.length > MOST_BYTES) { throw new Error(`${name}-${scheme}.png has ${png.length} bytes`); }
  writeFileSync(join(pictures, `${name}-${scheme}.png`), png);
  console.log(`${name}-${scheme}.png: ${png.length} bytes`);
}

start(browserPath);
let code = 0;
try {
  const tab = await openTab();
  for (const [name, shown] of Object.entries(SHOWN)) {
    for (const scheme of ["light", "dark"]) { await take(tab, name, shown, scheme); }
  }
} catch (failure) {
  console.error(failure);
  code = 1;
}
stop(code);
