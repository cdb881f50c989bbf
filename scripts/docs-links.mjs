// Checks that each link of the documents leads to a file and, in it, to a heading. `node scripts/docs-links.mjs`
import { existsSync } from "node:fs";
import { join } from "node:path";
import { linksOf, menuOf, menuPage, readPages, targetOf } from "./docs-pages.mjs";
import { isCommand, root } from "./project.mjs";
import { Stop, tell } from "./stop.mjs";

/** Breaches, as `file:line links to X: why not`. @param {readonly import("./docs-pages.mjs").Page[]} pages @param {string} [folder] */
export function linkBreaches(pages, folder = root) {
  return [...pages.flatMap((page) => deadLinks(page, pages, folder)), ...unlisted(pages)];
}

/** @param {import("./docs-pages.mjs").Page} page @param {readonly import("./docs-pages.mjs").Page[]} pages @param {string} folder */
function deadLinks(page, pages, folder) {
  return linksOf(page).flatMap(({ to, line }) => {
    const target = targetOf(page.path, to);
    const why = target && whyDead(target, pages, folder);
    return why ? [`${page.path}:${line} links to ${to}: ${why}`] : [];
  });
}

/** @param {{ path: string; anchor: string }} target @param {readonly import("./docs-pages.mjs").Page[]} pages @param {string} folder */
function whyDead({ path, anchor }, pages, folder) {
  const page = pages.find((one) => one.path === path);
  if (!page && path.endsWith(".md")) return "there is no such page";
  if (!page && !existsSync(join(folder, path))) return "there is no such file";
  if (anchor === "" || page?.headings.some((heading) => heading.anchor === anchor)) return undefined;
  return "the page has no such heading";
}

/** Pages that the menu leaves out, so that no reader finds them. @param {readonly import("./docs-pages.mjs").Page[]} pages */
function unlisted(pages) {
  const listed = menuOf(pages).flatMap((section) => section.items.map(({ page }) => page.path));
  return pages
    .filter(({ path }) => path.startsWith("docs/") && path !== menuPage && !listed.includes(path))
    .map(({ path }) => `${path}:1 is in no list of ${menuPage}`);
}

if (isCommand(import.meta.url)) {
  const found = linkBreaches(readPages());
  if (found.length > 0) process.exitCode = tell(new Stop(`Links:\n${found.join("\n")}`));
  else console.log("Every link leads to a page.");
}
