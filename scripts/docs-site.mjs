// Makes the site of the documents: one HTML file a page, readable without JavaScript.
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { Marked } from "marked";
import { linksOf, menuOf, readPages, targetOf } from "./docs-pages.mjs";
import { referencePages } from "./docs-reference.mjs";
import { inProject } from "./project.mjs";

/** @typedef {import("./docs-pages.mjs").Page} Page */

const fonts = {
  "inter.woff2": "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  "mono.woff2":
    "node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
};
const assets = { "look.css": "scripts/docs-look.css", "browser.mjs": "scripts/docs-browser.mjs", ...fonts };

/** Writes the site into an empty folder, and returns how many pages it has. @param {string} folder */
export async function buildSite(folder) {
  const written = readPages();
  const generated = await referencePages();
  const pages = [...written, ...generated];
  const menu = menuOf(pages).map((section) =>
    section.title === "Reference"
      ? { ...section, items: [...section.items, ...generated.map((page) => ({ name: page.title, page }))] }
      : section,
  );
  rmSync(folder, { recursive: true, force: true });
  for (const page of pages) write(folder, htmlPath(page.path), htmlOf(page, menu));
  for (const path of linkedFiles(pages)) copy(path, join(folder, path));
  for (const [name, from] of Object.entries(assets)) copy(from, join(folder, "assets", name));
  write(folder, "assets/search.json", JSON.stringify(searchEntries(menu)));
  return pages.length;
}

/** @param {string} path of a Markdown page */
export const htmlPath = (path) => path.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");

/** Pictures and other files that pages link to. @param {readonly Page[]} pages */
function linkedFiles(pages) {
  const paths = pages.flatMap((page) =>
    linksOf(page).flatMap(({ to }) => targetOf(page.path, to)?.path ?? []),
  );
  return [...new Set(paths)].filter((path) => !path.endsWith(".md"));
}

/** What the search finds: headings, with the page that has them. @param {ReturnType<typeof menuOf>} menu */
function searchEntries(menu) {
  return menu.flatMap(({ title: section, items }) =>
    items.flatMap(({ page: { path, title, headings } }) =>
      headings.map(({ text, anchor, depth }) => ({
        to: htmlPath(path) + (depth === 1 ? "" : `#${anchor}`),
        text,
        of: depth === 1 ? section : title,
      })),
    ),
  );
}

/** @param {Page} page @param {ReturnType<typeof menuOf>} menu */
function htmlOf(page, menu) {
  const up = posix.relative(posix.dirname(htmlPath(page.path)), "") || ".";
  const description =
    page.tokens.find(({ type }) => type === "paragraph")?.raw.replaceAll(/[\n"<>`]/g, " ") ?? "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description.slice(0, 200)}">
<title>${escaped(page.title)}${page.path === "README.md" ? "" : " · Sluice"}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}/assets/look.css">
<script type="module" src="${up}/assets/browser.mjs" data-root="${up}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="name" href="${up}/index.html">Sluice</a>
<div class="search" role="search" hidden>
<input type="search" aria-label="Search headings" placeholder="Search headings" autocomplete="off">
<ol></ol>
</div>
</header>
<details class="menu"><summary>Menu</summary><nav aria-label="Pages">${menuHtml(menu, page, up)}</nav></details>
<main id="main">
${bodyHtml(page)}</main>
${contentsHtml(page)}
</body>
</html>
`;
}

/** @param {ReturnType<typeof menuOf>} menu @param {Page} current @param {string} up */
function menuHtml(menu, current, up) {
  return menu
    .map(({ title, items: named }) => {
      const items = named.map(({ name, page: { path } }) => {
        const here = path === current.path ? ' aria-current="page"' : "";
        return `<li><a href="${up}/${htmlPath(path)}"${here}>${escaped(name)}</a></li>`;
      });
      return `<h2>${escaped(title)}</h2><ul>${items.join("")}</ul>`;
    })
    .join("");
}

/** Headings of a page with several. @param {Page} page */
function contentsHtml({ headings }) {
  const inner = headings.filter(({ depth }) => depth === 2);
  if (inner.length < 2) return "";
  const items = inner.map(({ text, anchor }) => `<li><a href="#${anchor}">${escaped(text)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join("")}</ul></nav>`;
}

/** @param {Page} page */
function bodyHtml({ path, headings, tokens }) {
  let next = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens: inner, depth }) {
        const { anchor = "" } = headings[next++] ?? {};
        const text = this.parser.parseInline(inner);
        return `<h${depth} id="${anchor}">${text} <a class="anchor" href="#${anchor}" aria-label="Link to this heading">#</a></h${depth}>\n`;
      },
      link({ href, tokens: inner }) {
        return `<a href="${escaped(pageLink(path, href))}">${this.parser.parseInline(inner)}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escaped(href)}" alt="${escaped(text)}" loading="lazy">`;
      },
      code({ text, lang = "" }) {
        const [language = ""] = lang.split(" ");
        return `<pre tabindex="0"><code class="language-${escaped(language)}">${highlighted(text, language)}</code></pre>\n`;
      },
      // Comments are for the tests of the blocks.
      html: ({ text }) => (text.trim().startsWith("<!--") ? "" : text),
      table(token) {
        const cell = (/** @type {{ tokens: import("marked").Token[] }} */ one) =>
          this.parser.parseInline(one.tokens);
        const head = token.header.map((one) => `<th scope="col">${cell(one)}</th>`).join("");
        const rows = token.rows.map(
          (row) => `<tr>${row.map((one) => `<td>${cell(one)}</td>`).join("")}</tr>`,
        );
        return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parser([...tokens]);
}

/** @param {string} from @param {string} href */
function pageLink(from, href) {
  const target = targetOf(from, href);
  return target?.path.endsWith(".md")
    ? href.replace(/README\.md/, "index.html").replace(/\.md/, ".html")
    : href;
}

const keywords =
  /^(?:as|async|await|class|const|declare|default|else|export|extends|for|from|function|if|import|interface|let|new|of|return|throw|type|typeof|undefined|true|false|null|def|do|end)$/;

/** Comments, texts and keywords of code in their colours. @param {string} code @param {string} language */
function highlighted(code, language) {
  if (!["ts", "json", "sh", "yaml", "ruby", "vcl", "nginx"].includes(language)) return escaped(code);
  const isHash = !["ts", "json"].includes(language);
  const part = isHash
    ? /("[^"\n]*"|'[^'\n]*')|(#[^\n]*)|([A-Za-z_]\w*)/g
    : /("[^"\n]*"|'[^'\n]*'|`[^`]*`)|(\/\/[^\n]*)|([A-Za-z_]\w*)/g;
  let html = "";
  let from = 0;
  for (const { 0: all, 1: text, 2: comment, index } of code.matchAll(part)) {
    html += escaped(code.slice(from, index));
    from = index + all.length;
    const kind = text
      ? "text"
      : comment
        ? "comment"
        : language !== "sh" && keywords.test(all)
          ? "keyword"
          : "";
    html += kind ? `<span class="${kind}">${escaped(all)}</span>` : escaped(all);
  }
  return html + escaped(code.slice(from));
}

/** @param {string} text */
const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** @param {string} folder @param {string} path @param {string} text */
function write(folder, path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** @param {string} from inside the project @param {string} to */
function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(inProject(from), to, { recursive: true });
}
