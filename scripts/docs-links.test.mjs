import { expect, test } from "vitest";
import { linkBreaches } from "./docs-links.mjs";
import { pageOf } from "./docs-pages.mjs";

const menu = "# Docs\n\n## Tasks\n\n- [Cost](cost.md)\n";

/** @param {string} text */
const breaches = (text) => linkBreaches([pageOf("docs/README.md", menu), pageOf("docs/cost.md", text)]);

test("finds links that lead to no page, file or heading", () => {
  const text = [
    "# Cost & more\n",
    "[a](README.md#tasks) [b](#cost--more) [c](../package.json) [d](https://example.org/x)",
    "[e](gone.md) [f](README.md#gone) [g](#gone) ![h](gone.svg)",
  ];
  expect(breaches(text.join("\n"))).toEqual([
    "docs/cost.md:4 links to gone.md: there is no such page",
    "docs/cost.md:4 links to README.md#gone: the page has no such heading",
    "docs/cost.md:4 links to #gone: the page has no such heading",
    "docs/cost.md:4 links to gone.svg: there is no such file",
  ]);
});

test("finds a page that the menu leaves out", () => {
  expect(linkBreaches([pageOf("docs/README.md", "# Docs"), pageOf("docs/cost.md", "# Cost")])).toEqual([
    "docs/cost.md:1 is in no list of docs/README.md",
  ]);
});

test("does not take code for links", () => {
  expect(breaches("# Cost\n\n```ts\nconst a = [b](c);\n```\n\n`[d](e)`\n")).toEqual([]);
});
