(function () {
  const moments = panels.moments;
  const steps = Array.from(document.querySelectorAll("#steps > ol > li"));
  /** The run is drawn twice, for wide and for narrow screens. */
  const drawings = Array.from(document.querySelectorAll("svg.run")).map(function (svg) {
    const cut = svg.querySelector("clipPath rect");
    return {
      groups: Array.from(svg.querySelectorAll(".moment")),
      bands: Array.from(svg.querySelectorAll(".band")),
      flights: Array.from(svg.querySelectorAll(".flight")),
      svg: svg,
      box: svg.viewBox.baseVal,
      whole: svg.getAttribute("viewBox"),
      cut: cut,
      wholeHeight: cut.getAttribute("height"),
    };
  });
  const position = document.getElementById("position");
  const setup = document.getElementById("setup");
  const buttons = ["first", "previous", "next", "last"].map(function (id) {
    return document.getElementById(id);
  });
  const controls = document.getElementById("controls");
  const sentence = document.getElementById("sentence");
  const last = moments.length - 1;
  const who = document.getElementById("who");
  const kind = document.getElementById("kind");
  const play = document.getElementById("play");
  let playing;
  let now = 0;

  function element(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  }

  function showHeads() {
    document.querySelectorAll(".head").forEach(function (head) {
      const states = head.querySelector(".states");
      states.replaceChildren();
      moments[now].objects.forEach(function (object) {
        const isOwn = object.name.startsWith(head.dataset.device + ".");
        if (!isOwn || !object.kind.endsWith("queue pair")) { return; }
        const name = object.name.substring(head.dataset.device.length + 1);
        states.append(element("i", object.state.split(" ")[0], name + " " + object.state));
      });
    });
  }

  function showSentence(number) {
    sentence.replaceChildren();
    steps[number].childNodes.forEach(function (node) {
      if (node.nodeName !== "DETAILS") { sentence.append(node.cloneNode(true)); }
    });
  }

  /** Room for most sentences, so that the page stays in place; a longer one takes what it needs. */
  function makeRoom() {
    sentence.style.minHeight = "";
    const most = Number.parseFloat(getComputedStyle(sentence).fontSize) * 7;
    let height = 0;
    steps.forEach(function (step, number) {
      showSentence(number);
      if (sentence.offsetHeight <= most) { height = Math.max(height, sentence.offsetHeight); }
    });
    sentence.style.minHeight = height + "px";
    showSentence(now);
    placeBelowControls();
  }

  /** The first step with a packet; without one, the first change of a state. */
  function firstOf(kinds) {
    return steps.findIndex(function (step) { return step.dataset.kinds.split(" ").some(function (one) { return kinds.includes(one); }); });
  }

  /** Leaves out of the drawing what stands before the first step of interest. */
  function fold(isFolded) {
    setup.setAttribute("aria-expanded", String(!isFolded));
    document.body.classList.toggle("folded", isFolded);
    drawings.forEach(function (drawing) {
      drawing.svg.setAttribute("viewBox", drawing.whole);
      if (!isFolded) { return; }
      const from = Number(drawing.bands[begin].getAttribute("y"));
      drawing.svg.setAttribute("viewBox", "0 " + from + " " + drawing.box.width + " " + (drawing.box.height - from));
    });
  }

  /** Opens the step that the address names; false if it names none. */
  function showLinked() {
    const linked = /^#(?:step-)?([0-9]+)$/.exec(location.hash);
    if (linked !== null) { show(Number(linked[1]) - 1); }
    return linked !== null;
  }

  /** The next step from here that the filters let pass; this one if there is none. */
  function nearest(way) {
    let at = now + way;
    while (at >= 0 && at <= last && !passes(at)) { at += way; }
    return at < 0 || at > last ? now : at;
  }

  function passes(number) {
    const tags = steps[number].dataset;
    return (who.value === "" || tags.names.split(" ").includes(who.value))
      && (kind.value === "" || tags.kinds.split(" ").includes(kind.value));
  }

  function filter() {
    drawings.forEach(function (drawing) {
      drawing.groups.forEach(function (group, index) { group.classList.toggle("dim", !passes(index)); });
    });
    marks.forEach(function (mark, index) { mark.classList.toggle("dim", !passes(index)); });
  }

  /** A choice for each word that steps have. */
  function addOptions(to, name) {
    const words = new Set(steps.flatMap(function (step) { return step.dataset[name].split(" ").filter(Boolean); }));
    Array.from(words).sort().forEach(function (word) { to.append(new Option(word, word)); });
  }

  /** A mark for each step, in the colour of what is most important in it. */
  function mapped() {
    const order = ["failure", "loss", "nak", "retry", "timer", "state", "completion", "packet", "command"];
    return steps.map(function (step, index) {
      const kinds = step.dataset.kinds.split(" ");
      const mark = element("i", "of-" + (order.find(function (one) { return kinds.includes(one); }) || "other"), "");
      mark.addEventListener("click", function () { go(index); });
      document.getElementById("map").append(mark);
      return mark;
    });
  }

  function stopPlaying() {
    clearInterval(playing);
    playing = undefined;
    play.textContent = "play";
  }

  function togglePlaying() {
    if (playing !== undefined) { stopPlaying(); return; }
    play.textContent = "pause";
    playing = setInterval(function () {
      if (nearest(1) === now) { stopPlaying(); } else { go(nearest(1)); }
    }, 1200);
  }

  function follow(relation) {
    const link = document.querySelector('a[rel="' + relation + '"]');
    if (link !== null) { location.href = link.href; }
  }

  /** A finger that moves to the left asks for what comes next. */
  function listenForSwipes(area) {
    let from = null;
    area.addEventListener("touchstart", function (event) {
      const isOfControl = event.target.closest("input, select, .wide") !== null;
      from = isOfControl ? null : event.changedTouches[0];
    }, {passive: true});
    area.addEventListener("touchend", function (event) {
      if (from === null) { return; }
      const to = event.changedTouches[0];
      const isAcross = Math.abs(to.clientX - from.clientX) > 50 && Math.abs(to.clientY - from.clientY) < 40;
      if (isAcross) { go(nearest(to.clientX < from.clientX ? 1 : -1)); }
    }, {passive: true});
  }

  function go(number) {
    show(number);
    history.replaceState(null, "", "#" + (now + 1));
  }

  /** What is on its way ends where the step ends. */
  function cutArrows() {
    const isWhole = document.body.classList.contains("all");
    drawings.forEach(function (drawing) {
      const band = drawing.bands[now];
      const end = Number(band.getAttribute("y")) + Number(band.getAttribute("height"));
      drawing.cut.setAttribute("height", isWhole ? drawing.wholeHeight : String(end));
    });
  }

  function showDrawing(drawing) {
    drawing.groups.forEach(function (group, index) {
      group.classList.toggle("now", index === now);
      group.classList.toggle("future", index > now);
    });
    drawing.bands.forEach(function (band, index) { band.classList.toggle("now", index === now); });
    drawing.flights.forEach(function (flight) {
      flight.classList.toggle("future", Number(flight.dataset.sent) > now);
      flight.classList.toggle("unknown", Number(flight.dataset.arrives) > now);
    });
  }

  /** Scrolls this page only: a chapter around it stays where it is. */
  function bringIntoSight(group) {
    const box = group.getBoundingClientRect();
    if (box.width === 0) { return; }
    const style = getComputedStyle(document.documentElement);
    const top = box.top - Number.parseFloat(style.scrollPaddingTop);
    const bottom = box.bottom - innerHeight + Number.parseFloat(style.scrollPaddingBottom);
    if (top < 0) { scrollBy(0, top); } else if (bottom > 0) { scrollBy(0, Math.min(top, bottom)); }
  }

  /** On a narrow screen a panel takes the place of the drawing, which is scrolled to its step. */
  function showChosen() {
    const top = document.getElementById("panels").getBoundingClientRect().top;
    if (document.body.dataset.panel === "diagram") {
      drawings.forEach(function (drawing) { bringIntoSight(drawing.groups[now]); });
    } else if (top < 0) {
      scrollBy(0, top);
    }
  }

  /** In a chapter, or another page, only the run is shown; links lead away from the chapter. */
  function fitIntoChapter() {
    document.documentElement.classList.add("framed");
    const links = document.createElement("base");
    links.target = "_top";
    document.head.append(links);
  }

  function show(number) {
    now = Math.max(0, Math.min(last, number));
    if (now < begin) { fold(false); }
    drawings.forEach(showDrawing);
    cutArrows();
    marks.forEach(function (mark, index) {
      mark.classList.toggle("now", index === now);
      mark.classList.toggle("future", index > now);
    });
    position.value = String(now);
    document.getElementById("where").textContent =
      (now + 1) + " of " + moments.length + ", at " + (moments[now].nanos / 1000).toFixed(3) + " \u00b5s";
    buttons[0].disabled = buttons[1].disabled = now === 0;
    buttons[2].disabled = buttons[3].disabled = now === last;
    document.body.dataset.moment = String(now);
    document.getElementById("link").href = "#" + (now + 1);
    panels.show(now);
    showHeads();
    showSentence(now);
    placeBelowControls();
    drawings.forEach(function (drawing) { bringIntoSight(drawing.groups[now]); });
  }

  position.max = String(last);
  position.addEventListener("input", function () { go(Number(position.value)); });
  buttons[0].addEventListener("click", function () { go(0); });
  buttons[1].addEventListener("click", function () { go(nearest(-1)); });
  buttons[2].addEventListener("click", function () { go(nearest(1)); });
  buttons[3].addEventListener("click", function () { go(last); });
  drawings.forEach(function (drawing) {
    [drawing.groups, drawing.bands].forEach(function (parts) {
      parts.forEach(function (part, index) { part.addEventListener("click", function () { go(index); }); });
    });
  });
  document.addEventListener("keydown", function (event) {
    if (event.target.closest("textarea, input:not(#position), select") !== null) { return; }
    if (event.ctrlKey || event.altKey || event.metaKey) { return; }
    const isOfButton = event.key === " " && event.target.closest("button, a, summary") !== null;
    if (isOfButton) { return; }
    if (/^[1-4]$/.test(event.key)) { panels.select(Number(event.key) - 1); showChosen(); return; }
    const action = {"[": function () { follow("prev"); }, "]": function () { follow("next"); },
      p: togglePlaying, "?": function () { keys.open = !keys.open; }}[event.key];
    if (action !== undefined) { action(); return; }
    const to = {ArrowLeft: nearest(-1), ArrowRight: nearest(1), k: nearest(-1), j: nearest(1),
      " ": nearest(1), Home: 0, End: last}[event.key];
    if (to === undefined) { return; }
    event.preventDefault();
    go(to);
  });
  document.getElementById("all").addEventListener("change", function (event) {
    document.body.classList.toggle("all", event.target.checked);
    cutArrows();
  });
  const keys = document.getElementById("keys");
  keys.addEventListener("toggle", placeBelowControls);
  const marks = mapped();
  addOptions(who, "names");
  addOptions(kind, "kinds");
  who.addEventListener("change", filter);
  kind.addEventListener("change", filter);
  play.addEventListener("click", togglePlaying);
  document.querySelectorAll(".tabs button").forEach(function (tab) { tab.addEventListener("click", showChosen); });
  listenForSwipes(controls);
  listenForSwipes(document.getElementById("panels"));
  window.addEventListener("hashchange", showLinked);
  let wasFolded = false;
  window.addEventListener("beforeprint", function () {
    wasFolded = document.body.classList.contains("folded");
    fold(false);
    drawings.forEach(function (drawing) { drawing.cut.setAttribute("height", drawing.wholeHeight); });
    stackForPaper(drawings[0]);
  });
  window.addEventListener("afterprint", function () {
    document.querySelector(".stack").remove();
    fold(wasFolded);
    cutArrows();
  });

  /** On paper a drawing is a stack of parts, between which a page may end: no browser breaks one that is whole. */
  function stackForPaper(drawing) {
    const leastHeight = 150;
    const stack = document.createElement("div");
    stack.className = "stack";
    let from = 0;
    drawing.bands.forEach(function (band, index) {
      const isLast = index === last;
      const end = isLast ? drawing.box.height : Number(band.getAttribute("y")) + Number(band.getAttribute("height"));
      if (!isLast && end - from < leastHeight) { return; }
      const part = drawing.svg.cloneNode(true);
      part.setAttribute("viewBox", "0 " + from + " " + drawing.box.width + " " + (end - from));
      stack.append(part);
      from = end;
    });
    drawing.svg.after(stack);
  }

  // What is sticky below the controls begins where they end; controls with a long sentence scroll away, but for the buttons.
  function placeBelowControls() {
    document.body.classList.remove("long");
    const isLong = controls.offsetHeight > innerHeight * .6;
    document.body.classList.toggle("long", isLong);
    document.documentElement.style.setProperty("--bar", (isLong ? 0 : controls.offsetHeight) + "px");
  }

  if (window.self !== window.top || new URLSearchParams(location.search).has("embed")) { fitIntoChapter(); }
  controls.hidden = false;
  document.body.classList.add("stepping");
  const begin = Math.max(0, firstOf(["packet"]) >= 0 ? firstOf(["packet"]) : firstOf(["state"]));
  setup.hidden = begin === 0;
  setup.textContent = "Set-up: " + steps.slice(0, begin).map(function (step) {
    return step.querySelector("code") === null ? "" : step.querySelector("code").textContent.split(" ").slice(0, 2).join(" ");
  }).filter(Boolean).join(", ");
  setup.addEventListener("click", function () {
    const isFolded = document.body.classList.contains("folded");
    fold(!isFolded);
    show(isFolded ? 0 : Math.max(now, begin));
  });
  fold(begin > 0);
  makeRoom();
  window.addEventListener("resize", makeRoom);
  /** A run that stops is about where it does. */
  const isStopped = steps[last].dataset.kinds.split(" ").includes("failure");
  if (!showLinked()) { show(isStopped ? last : begin); }
})();
