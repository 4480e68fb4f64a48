"use strict";
/** What stands beside the picture: queues, states, memory and the packet of a step. */
const panels = (function () {
  const run = JSON.parse(document.getElementById("moments").textContent);
  const moments = run.moments;
  moments.forEach(function (moment) {
    moment.objects = moment.objects.map(function (number) { return run.objects[number]; });
  });
  const objects = document.getElementById("objects");
  const machineOf = document.getElementById("machine-of");
  const MOST_SLOTS = 12;
  let chosen = "";
  let now = 0;

  function element(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  }

  function firstWord(text) { return text.split(" ")[0]; }

  /** The objects of a step by name; none before the first. */
  function objectsOf(number) {
    const list = number < 0 ? [] : moments[number].objects;
    return new Map(list.map(function (object) { return [object.name, object]; }));
  }

  function entryClass(text) {
    if (text.endsWith("(started)")) { return "entry started"; }
    if (text.endsWith("SUCCESS")) { return "entry good"; }
    return text.endsWith("_ERR") ? "entry bad" : "entry";
  }

  /** Numbers of work requests that were flushed in this step. */
  function flushed(before) {
    const numbers = new Set();
    moments[now].objects.forEach(function (object) {
      const old = before.get(object.name);
      const had = old === undefined ? [] : old.queues.completions || [];
      (object.queues.completions || []).forEach(function (text) {
        if (text.endsWith(" WR_FLUSH_ERR") && !had.includes(text)) { numbers.add(firstWord(text)); }
      });
    });
    return numbers;
  }

  function queueRow(object, queue, before, gone) {
    const row = element("div", "queue", "");
    const capacity = run.capacities[object.name][queue[0]];
    const places = capacity === undefined ? "" : " " + queue[1].length + " of " + capacity;
    row.append(element("span", "name", queue[0] + places));
    queue[1].forEach(function (text) {
      const entry = element("span", entryClass(text), text);
      if (queue[0] === "send queue") {
        entry.append(element("small", "", text.endsWith("(started)") ? "in flight" : "waiting"));
      }
      row.append(entry);
    });
    if (queue[0] !== "completions" && before !== undefined) {
      (before.queues[queue[0]] || []).forEach(function (text) {
        if (queue[1].includes(text) || !gone.has(firstWord(text))) { return; }
        row.append(element("s", "flushed", text + " flushed"));
      });
    }
    const free = capacity === undefined ? 0 : Math.min(capacity, MOST_SLOTS) - queue[1].length;
    for (let i = 0; i < free; i++) { row.append(element("span", "slot", "")); }
    if (queue[1].length === 0) { row.append(element("span", "name", "empty")); }
    return row;
  }

  function card(object, before, gone) {
    const made = element("div", "card", "");
    if (before !== undefined) {
      made.classList.toggle("changed", JSON.stringify(before) !== JSON.stringify(object));
    }
    if (object.state !== "") {
      made.append(element("span", "badge " + firstWord(object.state), object.state));
    }
    made.append(element("b", "", object.name), " ", element("span", "kind", object.kind));
    const fields = Object.entries(object.fields).map(function (field) {
      return field[0] + "=" + field[1];
    });
    if (fields.length !== 0) { made.append(element("div", "fields", fields.join("  "))); }
    Object.entries(object.queues).forEach(function (queue) {
      made.append(queueRow(object, queue, before, gone));
    });
    return made;
  }

  function showObjects() {
    const before = objectsOf(now - 1);
    const gone = flushed(before);
    objects.replaceChildren();
    let device = "";
    moments[now].objects.forEach(function (object) {
      const owner = object.name.split(".")[0];
      if (owner !== device) { objects.append(element("h2", "", "device " + owner)); }
      device = owner;
      objects.append(card(object, before.get(object.name), gone));
    });
  }

  /** Every change of state up to this step. */
  function changes(name) {
    const found = [];
    for (let i = 0; i <= now; i++) {
      moments[i].states.forEach(function (state) {
        if (state[0] === name) { found.push({from: state[1], to: state[2], step: i}); }
      });
    }
    return found;
  }

  function showMachine() {
    const pairs = moments[now].objects.filter(function (object) {
      return object.kind.endsWith("queue pair");
    });
    const latest = moments[now].states.length === 0 ? "" : moments[now].states[0][0];
    const names = pairs.map(function (pair) { return pair.name; });
    const shown = names.includes(chosen) ? chosen : latest || names[0];
    machineOf.replaceChildren();
    names.forEach(function (name) { machineOf.append(new Option(name, name, false, name === shown)); });
    const pair = pairs.find(function (one) { return one.name === shown; });
    document.querySelectorAll(".picture").forEach(function (picture) {
      picture.hidden = pair === undefined || picture.dataset.kind !== pair.kind;
      if (!picture.hidden) { mark(picture, firstWord(pair.state), changes(shown)); }
    });
    showPath(pair, pair === undefined ? [] : changes(shown));
  }

  function mark(picture, state, path) {
    picture.querySelectorAll(".here, .met2").forEach(function (old) { old.classList.remove("here", "met2"); });
    path.forEach(function (change, index) {
      const look = index === path.length - 1 ? "here" : "met2";
      const arrow = picture.querySelector(".go-" + change.from + "-" + change.to);
      if (arrow !== null) { arrow.classList.add(look); }
      picture.querySelectorAll(".at-" + change.from).forEach(function (old) { old.classList.add("met2"); });
    });
    picture.querySelectorAll(".at-" + state).forEach(function (here) {
      here.classList.remove("met2");
      here.classList.add("here");
    });
  }

  function showPath(pair, path) {
    const line = document.getElementById("path");
    line.replaceChildren();
    if (pair === undefined) {
      line.textContent = "There is no queue pair yet.";
      return;
    }
    line.append(pair.name + " is in " + pair.state + ". ");
    path.forEach(function (change) {
      const link = element("a", "", change.from + " \u2192 " + change.to);
      link.href = "#" + (change.step + 1);
      link.target = "_self";
      line.append(link, " at step " + (change.step + 1) + ". ");
    });
  }

  function memoryAt(number) {
    for (let i = number; i >= 0; i--) {
      if (moments[i].memory !== undefined) { return moments[i].memory; }
    }
    return [];
  }

  /** How bytes are used, for a reader. */
  const USES = {
    written: "written", read: "read", toSend: "posted to be sent", toReceive: "posted to receive"
  };

  /** What was done with a region up to this step, the latest first. */
  function uses(name) {
    const found = [];
    for (let i = now; i >= 0; i--) {
      (moments[i].memory || []).forEach(function (view) {
        if (view.name !== name) { return; }
        Object.keys(USES).forEach(function (use) {
          view[use].forEach(function (bytes) {
            found.push({offset: bytes[0], length: bytes[1], hex: bytes[2], use: use, isNew: i === now, step: i});
          });
        });
      });
    }
    return found;
  }

  function textOf(hex) {
    const bytes = hex.match(/../g) || [];
    const text = bytes.map(function (pair) {
      const code = parseInt(pair, 16);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : ".";
    }).join("");
    return bytes.join(" ") + "  " + text;
  }

  function showMemory() {
    const panel = document.getElementById("memory");
    panel.replaceChildren();
    memoryAt(now).forEach(function (view) {
      const made = element("div", "card", "");
      made.append(element("b", "", view.name), element("div", "fields", view.text));
      const found = uses(view.name);
      if (view.length > 0) { made.append(strip(view.length, found)); }
      found.slice(0, 6).forEach(function (bytes) {
        const line = element("div", "bytes " + look(bytes), "");
        line.append(element("span", "name", "+" + bytes.offset + ", " + bytes.length + " bytes, " + USES[bytes.use] + " at step " + (bytes.step + 1)));
        line.append(element("code", "", textOf(bytes.hex)));
        made.append(line);
      });
      made.classList.toggle("changed", found.some(function (bytes) { return bytes.isNew && bytes.use === "written"; }));
      panel.append(made);
    });
    if (panel.childNodes.length === 0) { panel.append(element("p", "", "There is no memory yet.")); }
  }

  function look(bytes) { return bytes.isNew ? "new " + bytes.use : ""; }

  /** The whole buffer as a bar, with what was used. */
  function strip(length, found) {
    const bar = element("div", "strip", "");
    found.slice().reverse().forEach(function (bytes) {
      const part = element("i", look(bytes), "");
      part.style.left = (100 * bytes.offset / length) + "%";
      part.style.width = "max(3px, " + (100 * bytes.length / length) + "%)";
      bar.append(part);
    });
    return bar;
  }

  /** What fields are, by header and field. */
  const meanings = new Map(Array.from(document.querySelectorAll("#fields tr")).map(function (row) {
    const cells = Array.from(row.cells).map(function (cell) { return cell.textContent; });
    return [cells[0] + " " + cells[1], cells[2]];
  }));

  function explain(packet) {
    let header = "";
    packet.querySelectorAll("tr").forEach(function (row) {
      header = row.dataset.header || header;
      const meaning = row.cells.length < 4 ? undefined : meanings.get(header + " " + row.cells[2].textContent);
      if (meaning !== undefined) { row.cells[2].append(element("small", "", meaning)); }
    });
  }

  function showPacket() {
    const panel = document.getElementById("packet");
    const step = document.getElementById("step-" + (now + 1));
    const found = Array.from(step.querySelectorAll("details.packet"));
    step.dataset.arrives.split(" ").filter(Boolean).forEach(function (number) {
      found.push(document.querySelector('#steps details.packet[data-packet="' + number + '"]'));
    });
    panel.replaceChildren();
    found.filter(Boolean).forEach(function (details, index) {
      const copy = details.cloneNode(true);
      copy.open = index === 0;
      explain(copy);
      panel.append(copy);
    });
    if (found.length === 0) {
      panel.append(element("p", "", "No packet is sent or arrives in this step."));
    }
  }

  /** The diagram has a place of its own, unless the screen is narrow. */
  const narrow = matchMedia("(max-width: 60rem)");

  function select(id) {
    document.body.dataset.panel = id;
    document.querySelectorAll(".tabs button").forEach(function (tab) {
      const isChosen = tab.dataset.panel === id;
      tab.setAttribute("aria-pressed", String(isChosen));
      if (tab.dataset.panel !== "diagram") { document.getElementById(tab.dataset.panel).hidden = !isChosen; }
    });
  }

  document.querySelectorAll(".tabs button").forEach(function (tab) {
    tab.addEventListener("click", function () { select(tab.dataset.panel); });
  });
  machineOf.addEventListener("change", function () {
    chosen = machineOf.value;
    showMachine();
  });
  function selectFirst() { select(narrow.matches ? "diagram" : "objects"); }

  narrow.addEventListener("change", selectFirst);
  selectFirst();
  document.getElementById("panels").hidden = false;

  return {
    moments: moments,
    select: function (number) { select(["objects", "machine", "memory", "packet"][number]); },
    show: function (number) {
      now = number;
      showObjects();
      showMachine();
      showMemory();
      showPacket();
    },
  };
})();
