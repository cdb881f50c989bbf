// What a page of the documentation does in a browser: the search over headings, and copy buttons. It imports nothing.

/** @typedef {{ to: string; text: string; of: string }} Entry */

const script = document.querySelector("script[data-root]");
const up = script instanceof HTMLScriptElement ? (script.dataset.root ?? ".") : ".";
const mostResults = 12;

addCopyButtons();
openMenuOnWideScreens();
void startSearch();

function addCopyButtons() {
  for (const block of document.querySelectorAll("pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "");
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 1500);
    });
    const frame = document.createElement("div");
    frame.className = "code";
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

function openMenuOnWideScreens() {
  const menu = document.querySelector("details.menu");
  const wide = matchMedia("(min-width: 900px)");
  const adapt = () => {
    if (menu instanceof HTMLDetailsElement) menu.open = wide.matches;
  };
  wide.addEventListener("change", adapt);
  adapt();
}

async function startSearch() {
  const box = document.querySelector(".search");
  const input = box?.querySelector("input");
  const list = box?.querySelector("ol");
  if (!(box instanceof HTMLElement) || !input || !list) return;
  /** @type {Entry[]} */
  let entries = [];
  box.hidden = false;
  input.addEventListener("focus", async () => {
    if (entries.length === 0) entries = await (await fetch(`${up}/assets/search.json`)).json();
    show();
  });
  input.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") input.blur();
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.focus();
  });
  input.addEventListener("keydown", ({ key }) => {
    const first = list.querySelector("a");
    if (key === "Enter" && first) location.href = first.href;
  });

  function show() {
    list?.replaceChildren(...found(entries, input?.value ?? "").map(itemOf));
  }
}

/** Entries that have every word, those that begin with one first. @param {readonly Entry[]} entries @param {string} query */
function found(entries, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scored = entries.flatMap((entry) => {
    const text = `${entry.text} ${entry.of}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return [];
    return [
      { entry, score: words.filter((word) => ` ${entry.text.toLowerCase()}`.includes(` ${word}`)).length },
    ];
  });
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, mostResults)
    .map(({ entry }) => entry);
}

/** @param {Entry} entry */
function itemOf({ to, text, of }) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const place = document.createElement("small");
  link.href = `${up}/${to}`;
  link.textContent = text;
  place.textContent = of;
  link.append(place);
  item.append(link);
  return item;
}
