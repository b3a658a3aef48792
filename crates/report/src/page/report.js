"use strict";
(() => {
  let sections, findings, links;
  const collect = () => {
    sections = [...document.querySelectorAll("main > section")];
    findings = sections.filter((section) => section.dataset.page === "finding");
    links = [...document.querySelectorAll("nav a")];
  };
  collect();
  const help = document.getElementById("help");
  const now = document.getElementById("now");
  let current = sections[0];
  let marked = [];

  // What a cell of the table of steps has, for the line at the bottom.
  const copyOf = (cell) => {
    const copy = document.createElement("div");
    copy.className = cell.className;
    copy.append(...cell.cloneNode(true).childNodes);
    return copy;
  };

  const mark = (elements) => {
    marked.forEach((element) => element.classList.remove("on"));
    marked = elements.filter(Boolean);
    marked.forEach((element) => element.classList.add("on"));
  };

  // The place that the address names: a part of the page, and something in it.
  const show = (scrolls) => {
    let id = "";
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { /* not one of ours */ }
    const target = document.getElementById(id);
    current = (target && target.closest("main > section")) || sections[0];
    sections.forEach((section) => section.classList.toggle("on", section === current));
    links.forEach((link) => {
      const is = link.dataset.page === current.dataset.page || link.hash === "#" + current.id;
      link.classList.toggle("on", is);
      if (is) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
    });
    const inside = target && target !== current ? target : null;
    for (let outer = inside; outer; outer = outer.parentElement) {
      if (outer instanceof HTMLDetailsElement) outer.open = true;
    }
    const step = inside && document.querySelector('.diagram a[href="#' + CSS.escape(id) + '"]');
    mark([inside instanceof HTMLTableRowElement || inside instanceof HTMLSpanElement ? inside : null, step]);
    now.replaceChildren();
    if (step) now.append(...[...inside.cells].map(copyOf));
    if (!scrolls) return;
    if (inside) (step || inside).scrollIntoView({ block: "center", inline: "nearest" }); else scrollTo(0, 0);
  };

  const go = (id) => { location.hash = id; };

  const between = (list, at, by) => list[Math.max(0, Math.min(list.length - 1, at + by))];

  const otherFinding = (by) => {
    const at = findings.indexOf(current);
    const next = at < 0 ? findings[0] : between(findings, at, by);
    if (next) go(next.id);
  };

  // The next row: a finding in the triage, a step in a finding.
  const otherRow = (by) => {
    if (current.dataset.page === "triage") {
      const rows = [...current.querySelectorAll("tr.row a")];
      const at = rows.indexOf(document.activeElement);
      const next = at < 0 ? rows[0] : between(rows, at, by);
      if (next) next.focus();
    } else if (current.dataset.page === "finding") {
      const steps = [...current.querySelectorAll(".steps tr[id]")];
      const at = steps.findIndex((step) => step.classList.contains("on"));
      const next = at < 0 ? steps[0] : between(steps, at, by);
      if (next) go(next.id);
    }
  };

  const keys = {
    j: () => otherRow(1), k: () => otherRow(-1),
    n: () => otherFinding(1), p: () => otherFinding(-1),
    ArrowRight: () => otherFinding(1), ArrowLeft: () => otherFinding(-1),
    t: () => go("triage"), c: () => go("coverage"), r: () => go("run"),
    "?": () => help.showModal(), Escape: () => go(current.id),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (act) { event.preventDefault(); act(); }
  });
  addEventListener("hashchange", () => show(true));
  // The browser goes to the place by itself when it has loaded the page.
  addEventListener("load", () => requestAnimationFrame(() => show(true)));
  // The parts of the page are others: it shows a run that goes on.
  addEventListener("renewed", () => { collect(); show(false); });
  document.body.classList.add("paged");
  show(true);
})();
