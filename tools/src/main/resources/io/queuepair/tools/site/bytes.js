"use strict";
/** Explains the byte that is pointed at, or that the arrow keys have led to. */
document.querySelectorAll(".bytes").forEach(function (bytes) {
  const units = Array.from(bytes.querySelectorAll(".dump i"));
  const box = bytes.querySelector(".pointed");
  const heads = Array.from(bytes.querySelectorAll("th")).map(function (head) { return head.textContent; });

  function element(tag, text) {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  }

  /** A field as the table has it: part, bytes, name, value, meaning. */
  function described(row) {
    const cells = Array.from(row.cells).map(function (cell) { return cell.textContent; });
    const made = document.createElement("p");
    made.append(element("b", cells[0] + ": " + cells[2]), " ", element("code", cells[3] || cells[1]), element("span", cells[4]));
    return made;
  }

  function show(unit) {
    units.forEach(function (one) {
      one.classList.toggle("chosen", one === unit);
      one.tabIndex = one === unit ? 0 : -1;
    });
    const rows = Array.from(bytes.querySelectorAll('tr[data-unit="' + unit.dataset.unit + '"]'));
    box.replaceChildren.apply(box, rows.map(described));
    unit.setAttribute("aria-label", unit.textContent.slice(0, 60) + ": " + rows.map(function (row) {
      return row.cells[0].textContent + " " + row.cells[2].textContent;
    }).join(", "));
  }

  units.forEach(function (unit, index) {
    unit.setAttribute("role", "button");
    unit.addEventListener("pointerover", function () { show(unit); });
    unit.addEventListener("focus", function () { show(unit); });
    unit.addEventListener("click", function () { unit.focus(); });
    unit.addEventListener("keydown", function (event) {
      const to = {ArrowRight: index + 1, ArrowDown: index + 1, ArrowLeft: index - 1, ArrowUp: index - 1, Home: 0,
        End: units.length - 1}[event.key];
      if (units[to] === undefined) { return; }
      event.preventDefault();
      units[to].focus();
    });
  });
  box.hidden = false;
  show(units[0]);
});
