"use strict";
(function () {
  const moments = JSON.parse(document.getElementById("moments").textContent);
  const groups = Array.from(document.querySelectorAll(".moment"));
  const bands = Array.from(document.querySelectorAll(".band"));
  const flights = Array.from(document.querySelectorAll(".flight"));
  const cut = document.querySelector("#shown rect");
  const wholeHeight = cut.getAttribute("height");
  const position = document.getElementById("position");
  const objects = document.getElementById("objects");
  const buttons = ["first", "previous", "next", "last"].map(function (id) {
    return document.getElementById(id);
  });
  const controls = document.getElementById("controls");
  const sentence = document.getElementById("sentence");
  const last = moments.length - 1;
  let now = 0;

  function element(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  }

  function entryClass(text) {
    if (text.endsWith("(started)")) { return "entry started"; }
    if (text.endsWith("SUCCESS")) { return "entry good"; }
    return text.endsWith("_ERR") ? "entry bad" : "entry";
  }

  function card(object, before) {
    const made = element("div", "card", "");
    if (before !== undefined) {
      made.classList.toggle("changed", JSON.stringify(before) !== JSON.stringify(object));
    }
    if (object.state !== "") {
      made.append(element("span", "badge " + object.state.split(" ")[0], object.state));
    }
    made.append(element("b", "", object.name), " ", element("span", "kind", object.kind));
    const fields = Object.entries(object.fields).map(function (field) {
      return field[0] + "=" + field[1];
    });
    if (fields.length !== 0) { made.append(element("div", "fields", fields.join("  "))); }
    Object.entries(object.queues).forEach(function (queue) {
      const row = element("div", "queue", "");
      row.append(element("span", "name", queue[0]));
      queue[1].forEach(function (text) { row.append(element("span", entryClass(text), text)); });
      if (queue[1].length === 0) { row.append(element("span", "name", "empty")); }
      made.append(row);
    });
    return made;
  }

  function showObjects() {
    const before = new Map((now === 0 ? [] : moments[now - 1].objects).map(function (object) {
      return [object.name, object];
    }));
    objects.replaceChildren();
    let device = "";
    moments[now].objects.forEach(function (object) {
      const owner = object.name.split(".")[0];
      if (owner !== device) { objects.append(element("h2", "", "device " + owner)); }
      device = owner;
      objects.append(card(object, before.get(object.name)));
    });
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

  function showSentence() {
    sentence.replaceChildren();
    document.getElementById("step-" + (now + 1)).childNodes.forEach(function (node) {
      sentence.append(node.cloneNode(true));
    });
    sentence.scrollTop = 0;
  }

  /** Opens the step that the address names; false if it names none. */
  function showLinked() {
    const linked = /^#(?:step-)?([0-9]+)$/.exec(location.hash);
    if (linked !== null) { show(Number(linked[1]) - 1); }
    return linked !== null;
  }

  function go(number) {
    show(number);
    history.replaceState(null, "", "#" + (now + 1));
  }

  /** What is on its way ends where the step ends. */
  function cutArrows() {
    const band = bands[now];
    const end = Number(band.getAttribute("y")) + Number(band.getAttribute("height"));
    const isWhole = document.body.classList.contains("all");
    cut.setAttribute("height", isWhole ? wholeHeight : String(end));
  }

  function show(number) {
    now = Math.max(0, Math.min(last, number));
    groups.forEach(function (group, index) {
      group.classList.toggle("now", index === now);
      group.classList.toggle("future", index > now);
    });
    bands.forEach(function (band, index) { band.classList.toggle("now", index === now); });
    flights.forEach(function (flight) {
      flight.classList.toggle("future", Number(flight.dataset.sent) > now);
    });
    cutArrows();
    position.value = String(now);
    document.getElementById("where").textContent =
      (now + 1) + " of " + moments.length + ", at " + (moments[now].nanos / 1000).toFixed(3) + " \u00b5s";
    buttons[0].disabled = buttons[1].disabled = now === 0;
    buttons[2].disabled = buttons[3].disabled = now === last;
    document.body.dataset.moment = String(now);
    document.getElementById("link").href = "#" + (now + 1);
    showObjects();
    showHeads();
    showSentence();
    groups[now].scrollIntoView({block: "nearest"});
  }

  position.max = String(last);
  position.addEventListener("input", function () { go(Number(position.value)); });
  buttons[0].addEventListener("click", function () { go(0); });
  buttons[1].addEventListener("click", function () { go(now - 1); });
  buttons[2].addEventListener("click", function () { go(now + 1); });
  buttons[3].addEventListener("click", function () { go(last); });
  groups.concat(bands).forEach(function (group, number) {
    const index = number % groups.length;
    group.addEventListener("click", function () { go(index); });
  });
  document.addEventListener("keydown", function (event) {
    const to = {ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last}[event.key];
    if (event.target.closest("textarea, input:not(#position), select") !== null) { return; }
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) { return; }
    event.preventDefault();
    go(to);
  });
  document.getElementById("all").addEventListener("change", function (event) {
    document.body.classList.toggle("all", event.target.checked);
    cutArrows();
  });
  window.addEventListener("hashchange", showLinked);
  window.addEventListener("beforeprint", function () { cut.setAttribute("height", wholeHeight); });
  window.addEventListener("afterprint", cutArrows);

  // What is sticky below the controls begins where they end.
  function placeBelowControls() {
    document.documentElement.style.setProperty("--bar", controls.offsetHeight + "px");
  }

  controls.hidden = false;
  document.body.classList.add("stepping");
  placeBelowControls();
  window.addEventListener("resize", placeBelowControls);
  if (!showLinked()) { show(0); }
})();
