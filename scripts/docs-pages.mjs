import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { lexer, walkTokens } from "marked";
import { root } from "./project.mjs";

/** Page that lists all others in its order: it is the menu of the site. */
export const menuPage = "docs/README.md";
/** Documents beside docs/ that the site has, too. */
const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"];
/** Pages of features that are not built yet. The site leaves them out, and no page may link to them. */
export const notYet = readNotYet();

/**
 * A Markdown page.
 * @typedef {object} Page
 * @property {string} path inside the project, such as docs/tasks/cost.md
 * @property {string} text
 * @property {import("marked").Token[]} tokens
 * @property {string} title
 * @property {Heading[]} headings
 *
 * @typedef {{ depth: number; text: string; anchor: string }} Heading
 * @typedef {{ to: string; line: number }} Link
 * @typedef {{ title: string; items: { name: string; page: Page }[] }} MenuSection
 */

/** Pages of the site that are files, the documents last. @param {string} [folder] */
export function readPages(folder = root) {
  const paths = [...markdownUnder(folder, "docs"), ...documents].filter((path) => !notYet.includes(path));
  return paths.map((path) => pageOf(path, readFileSync(join(folder, path), "utf8")));
}

/** @param {string} path @param {string} text @returns {Page} */
export function pageOf(path, text) {
  const tokens = lexer(text);
  const headings = headingsOf(tokens);
  return { path, text, tokens, headings, title: headings[0]?.text ?? path };
}

/** Every link and picture of a page. @param {Page} page @returns {Link[]} */
export function linksOf({ text, tokens }) {
  /** @type {Link[]} */
  const links = [];
  walkTokens(tokens, (token) => {
    if (token.type !== "link" && token.type !== "image") return;
    const at = text.indexOf(token.raw);
    links.push({ to: token.href, line: text.slice(0, Math.max(at, 0)).split("\n").length });
  });
  return links;
}

/** The file that a link of a page names, and the anchor in it. Undefined for a link to another site. @param {string} from @param {string} to */
export function targetOf(from, to) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(to)) return undefined;
  const [file = "", anchor = ""] = to.split("#");
  return { path: file === "" ? from : posix.join(posix.dirname(from), file), anchor };
}

/**
 * The menu: sections of the menu page with their pages.
 * @param {readonly Page[]} pages @returns {MenuSection[]}
 */
export function menuOf(pages) {
  const menu = pages.find(({ path }) => path === menuPage);
  /** @type {MenuSection[]} */
  const sections = [];
  for (const token of menu?.tokens ?? []) {
    if (token.type === "heading" && token.depth === 2) sections.push({ title: plain(token), items: [] });
    const section = sections.at(-1);
    if (token.type !== "list" || !section) continue;
    walkTokens([token], (one) => {
      if (one.type !== "link") return;
      const page = pages.find(({ path }) => path === targetOf(menuPage, one.href)?.path);
      if (page) section.items.push({ name: plain(one), page });
    });
  }
  return sections;
}

/** Headings with anchors as GitHub makes them. @param {readonly import("marked").Token[]} tokens @returns {Heading[]} */
function headingsOf(tokens) {
  /** @type {Map<string, number>} */
  const times = new Map();
  return tokens
    .flatMap((token) =>
      token.type === "heading" ? [/** @type {import("marked").Tokens.Heading} */ (token)] : [],
    )
    .map((token) => {
      const text = plain(token);
      const slug = text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-");
      const before = times.get(slug) ?? 0;
      times.set(slug, before + 1);
      return { depth: token.depth, text, anchor: before === 0 ? slug : `${slug}-${before}` };
    });
}

/** Text of a token without its marks. @param {import("marked").Token} token */
function plain(token) {
  let text = "";
  walkTokens([token], (one) => {
    const isLeaf = one.type === "text" || one.type === "codespan" || one.type === "escape";
    if (isLeaf && !("tokens" in one && one.tokens)) text += one.text;
  });
  return text
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'");
}

/** @param {string} folder @param {string} path @returns {string[]} */
function markdownUnder(folder, path) {
  return readdirSync(join(folder, path))
    .sort()
    .flatMap((name) => {
      const inner = `${path}/${name}`;
      if (statSync(join(folder, inner)).isDirectory()) return markdownUnder(folder, inner);
      return name.endsWith(".md") ? [inner] : [];
    });
}

/** @returns {string[]} */
function readNotYet() {
  return readFileSync(new URL("../docs/not-yet.txt", import.meta.url), "utf8")
    .split("\n")
    .flatMap((line) => (line.startsWith("docs/") ? [line.split(" ", 1).join()] : []));
}
