"use strict";
/** The run of the first page: plays from top to bottom, then says what happened. */
(function () {
  const section = document.getElementById("try");
  const buttons = Array.from(section.querySelectorAll("button"));
  const outcome = section.querySelector(".outcome");
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  /** Shows the parts of a run that stand in an element, and hides those of the others. */
  function choose(within, run) {
    Array.from(within.children).forEach(function (part) { part.hidden = part.dataset.run !== run; });
  }

  function play(run) {
    buttons.forEach(function (button) {
      button.setAttribute("aria-pressed", String(button.dataset.run === run));
    });
    const stage = section.querySelector(".stage");
    choose(stage, run);
    choose(outcome, "");
    const drawing = stage.querySelector('[data-run="' + run + '"] svg');
    stage.querySelectorAll(".playing").forEach(function (other) { other.classList.remove("playing"); });
    if (still.matches) { choose(outcome, run); return; }
    // Asked for its size, the browser sees the drawing without the animation, which then begins from its start.
    const height = drawing.getBoundingClientRect().height;
    drawing.style.animationDuration = Math.max(1500, height * 9) + "ms";
    drawing.classList.add("playing");
    drawing.onanimationend = function () { choose(outcome, run); };
  }

  buttons.forEach(function (button) {
    button.addEventListener("click", function () { play(button.dataset.run); });
  });
  section.querySelector(".break").hidden = false;
  play("whole");
})();
