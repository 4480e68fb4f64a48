"use strict";
/** A link whose fragment is the text of the editor. */
(function () {
  const text = document.getElementById("text");
  const link = document.getElementById("share");

  function showGiven() {
    const given = /^#text=(.+)$/.exec(location.hash);
    if (given !== null) { text.value = decodeURIComponent(given[1]); }
  }

  function address() { link.href = "playground#text=" + encodeURIComponent(text.value); }

  showGiven();
  address();
  link.hidden = false;
  text.addEventListener("input", address);
  window.addEventListener("hashchange", showGiven);
})();
