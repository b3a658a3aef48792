(() => {
  const EVERY = 1000;
  let last = "";

  const openOnes = (of) => [...of.querySelectorAll("details")];
  const name = (details) => {
    const section = details.closest("section");
    return (section ? section.id : "") + " " + details.querySelector("summary").textContent.replace(/[0-9,.%]+/g, "");
  };

  // Takes over what is new, and leaves open what the reader has opened.
  const take = (text) => {
    if (text === last) return;
    last = text;
    const page = new DOMParser().parseFromString(text, "text/html");
    const open = new Set(openOnes(document).filter((each) => each.open).map(name));
    for (const each of openOnes(page)) each.open = each.open || open.has(name(each));
    for (const part of ["#live", "body > header", "main"]) {
      document.querySelector(part).replaceWith(document.adoptNode(page.querySelector(part)));
    }
    dispatchEvent(new Event("renewed"));
  };

  const follow = async () => {
    const live = document.getElementById("live");
    if (live.dataset.state === "over") return;
    try {
      const answer = await fetch(location.pathname, { cache: "no-store" });
      if (answer.ok) take(await answer.text());
      setTimeout(follow, EVERY);
    } catch {
      live.dataset.state = "over";
      live.textContent = "The run has ended, or was stopped: nothing more comes.";
    }
  };
  setTimeout(follow, EVERY);
})();
