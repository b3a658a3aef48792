"use strict";
(() => {
  const help = document.getElementById("help");
  const place = "everett-scroll";

  // Steps are pages of their own: the next one is shown where this one was.
  addEventListener("pagehide", () => { try { sessionStorage.setItem(place, String(scrollY)); } catch { /* forbidden */ } });
  if (!location.hash) {
    try { scrollTo(0, Number(sessionStorage.getItem(place)) || 0); } catch { /* forbidden */ }
  }

  const press = (key) => {
    const link = [...document.querySelectorAll("a[data-key]")].find((each) => each.dataset.key.split(" ").includes(key));
    if (link) link.click();
    return Boolean(link);
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (event.target.closest("input, select, textarea")) return;
    if (event.key === "?") { event.preventDefault(); help.showModal(); return; }
    if (press(event.key)) event.preventDefault();
  });
})();
