// What is wrong with the layout of a page. Runs inside the page: `layoutFindings()` gives sentences.
function layoutFindings() {
  const findings = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    findings.push(`the page is ${document.documentElement.scrollWidth} px wide on a screen of ${width} px`);
  }

  const name = (element) => {
    const text = element.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
    return `<${element.tagName.toLowerCase()}> "${text}"`;
  };
  const isShown = (element) => element.checkVisibility({visibilityProperty: true, opacityProperty: true});
  const hasOwnText = (element) => Array.from(element.childNodes)
    .some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");

  // What stays in place while the page scrolls may cover what scrolls.
  const layer = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (["sticky", "fixed"].includes(style.position)) { return at; }
    }
    return document.body;
  };
  const clip = (element) => {
    const box = element.getBoundingClientRect();
    let {left, right, top, bottom} = box;
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflowX !== "visible" || style.overflowY !== "visible") {
        const around = at.getBoundingClientRect();
        left = Math.max(left, around.left);
        right = Math.min(right, around.right);
        top = Math.max(top, around.top);
        bottom = Math.min(bottom, around.bottom);
      }
    }
    return {left, right, top, bottom};
  };

  const texts = Array.from(document.querySelectorAll("body *"))
    .filter((element) => !["SCRIPT", "STYLE", "OPTION", "TEXTAREA"].includes(element.tagName))
    .filter((element) => hasOwnText(element) && isShown(element))
    .map((element) => ({element, layer: layer(element), box: clip(element)}))
    .filter(({box}) => box.right - box.left > 1 && box.bottom - box.top > 1);

  for (const {element, box} of texts) {
    if (box.right > width + 1 || box.left < -1) {
      findings.push(`${name(element)} leaves the screen: ${Math.round(box.left)} to ${Math.round(box.right)} px`);
    }
  }
  for (const text of document.querySelectorAll("svg.figure text")) {
    const box = text.getBoundingClientRect();
    const figure = text.ownerSVGElement.getBoundingClientRect();
    if (box.left < figure.left || box.right > figure.right || box.bottom > figure.bottom + 1) { findings.push(`${name(text)} is cut`); }
  }
  // Two texts may touch by the height that fonts leave free.
  const slack = 3;
  for (let i = 0; i < texts.length; i++) {
    for (let j = i + 1; j < texts.length; j++) {
      const a = texts[i];
      const b = texts[j];
      if (a.layer !== b.layer || a.element.contains(b.element) || b.element.contains(a.element)) { continue; }
      const isInline = (text) => getComputedStyle(text.element).display === "inline";
      // Boxes of inline elements that wrap cover the whole lines.
      if (isInline(a) || isInline(b)) { continue; }
      const x = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const y = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (x > slack && y > slack) { findings.push(`${name(a.element)} overlaps ${name(b.element)}`); }
    }
  }
  return findings;
}
// What is wrong with the drawing of a run on a phone. Runs inside the page, too.
function drawingFindings() {
  const findings = [];
  const leastPixels = 11;
  const screen = document.documentElement.clientWidth;
  const drawing = Array.from(document.querySelectorAll("svg.run")).find((svg) => svg.checkVisibility());
  const scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
  const isOutside = (box) => box.left < -1 || box.right > screen + 1;

  if (drawing.parentElement.scrollWidth > drawing.parentElement.clientWidth) {
    findings.push("the drawing has to be moved sideways");
  }
  for (const text of drawing.querySelectorAll("text")) {
    const pixels = Number.parseFloat(getComputedStyle(text).fontSize) * scale;
    if (pixels < leastPixels) { findings.push(`"${text.textContent}" has letters of ${pixels.toFixed(1)} px`); }
    if (isOutside(text.getBoundingClientRect())) { findings.push(`"${text.textContent}" leaves the screen`); }
  }
  for (const arrow of drawing.querySelectorAll(".arrow, .tip, .pill")) {
    if (isOutside(arrow.getBoundingClientRect())) { findings.push("an arrow or a state leaves the screen"); }
  }

  const heads = Array.from(document.querySelectorAll(".head")).filter((head) => head.checkVisibility());
  const tabs = document.querySelector(".tabs").getBoundingClientRect();
  const boxes = heads.map((head) => head.getBoundingClientRect());
  heads.forEach((head, i) => {
    const states = head.querySelector(".states");
    if (isOutside(boxes[i])) { findings.push(`the head of ${head.dataset.device} leaves the screen`); }
    if (states.scrollHeight > states.clientHeight + 1) { findings.push(`the head of ${head.dataset.device} is cut`); }
    if (boxes[i].top < tabs.bottom - 1) { findings.push(`the head of ${head.dataset.device} is behind the tabs`); }
    if (i > 0 && boxes[i - 1].right > boxes[i].left) { findings.push(`the head of ${head.dataset.device} is covered`); }
  });
  const line = drawing.querySelector(".life").getBoundingClientRect();
  if (boxes.length > 0 && (line.left < boxes[0].left || line.left > boxes[0].right)) {
    findings.push("the first head is not above its line");
  }
  return findings;
}
export const DRAWING = drawingFindings.toString();
export const LAYOUT = layoutFindings.toString();
