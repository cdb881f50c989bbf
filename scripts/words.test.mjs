import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { breachesOf, nameBreaches, wordBreaches } from "./words.mjs";

/** @type {string[]} */
const folders = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

test.each([
  ["lib/a.ts", "// Whoever asks is denied."],
  ["lib/a.ts", " * A client that is told of it."],
  ["lib/a.ts", 'log("the node comes up by itself");'],
  ["lib/a.ts", "throw new Error(`$" + "{name} is not obeyed`);"],
  ["lib/a.ts", "  Nothing stands here any more, and"],
  ["lib/a.ts", "const toldAt = 1;"],
  ["lib/a.ts", "if (isObeyed(entry)) return;"],
  ["lua/a.lua", "-- Counted anew."],
  ["README.md", "Whoever asks is denied."],
  ["README.md", "# here: `sluice mode` is obeyed"],
  ["deploy/a.conf", "  listen 80; # Nobody else's."],
  ["deploy/Dockerfile", "# Whom it serves."],
  ["deploy/a.json", '  "description": "Requests that were turned away.",'],
])("fails on a banned word: %s %s", (path, line) => {
  expect(breachesOf(path, `\n${line}`)).toEqual(
    expect.arrayContaining([expect.stringMatching(new RegExp(`^${path}:2 `))]),
  );
});

test.each([
  ["lib/a.ts", "// Another program wrote this entry, and it is understood."],
  ["lib/a.ts", 'const by = "nobody";'],
  ["README.md", "The log says `the list is not obeyed` then, for example in `toldAt`."],
  ["README.md", "const toldAt = 1;"],
  ["deploy/a.conf", "user nobody;"],
  ["lib/a.ts", "const standard = recommended(commend);"],
])("keeps quiet about plain words, values and longer names: %s %s", (path, line) => {
  expect(breachesOf(path, line)).toEqual([]);
});

test.each([
  ["app/(console)/page.tsx", 1, "export default () => <h1>\n  Nobody is blocked\n</h1>;", "Nobody"],
  [
    "app/(console)/error.tsx",
    2,
    "const text = <p>\n The page {name}\n comes up by itself.\n</p>;",
    "comes up",
  ],
  ["components/audit/a.tsx", 0, `<Select label="Any door" />`, "door"],
  ["components/audit/a.tsx", 0, `<button aria-label="Door">+</button>`, "Door"],
  ["components/edge/a.tsx", 0, `<Input placeholder="Whoever" title={"As wished"} />`, "wished"],
  ["components/edge/a.ts", 0, "const say = (count) => `$" + "{count} turned away`;", "turned away"],
  ["components/edge/a.ts", 1, "const say = `\nlet in, then told`;", "told"],
  ["components/edge/a.ts", 0, "// Undefined if nobody sweeps.", "nobody"],
  ["lib/console/actions/a.ts", 0, `const reason = z.string().min(1, "Write why");`, "Write why"],
])("fails on a banned word that the console shows: %s, line %i of %s", (path, line, text, word) => {
  expect(breachesOf(path, `\n${text}`)).toContainEqual(
    expect.stringContaining(`${path}:${line + 2} says "${word}": `),
  );
});

test.each([
  ["components/audit/a.tsx", `<div className="door wish" id="Sweep" onClick={() => void sweep(toldAt)} />`],
  ["components/audit/a.ts", `import { sweep } from "@/lib/queries/door.ts"; const key = "told";`],
  ["components/audit/a.test.ts", `it("reads a foreign entry", () => {});`],
  ["components/audit/a.tsx", "<h1>Every source, in its standard form</h1>"],
])("keeps quiet about names of programs, code and plain texts: %s %s", (path, text) => {
  expect(breachesOf(path, text)).toEqual([]);
});

test("reads the documents, the pages and what deploy holds", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-words-"));
  folders.push(folder);
  mkdirSync(join(folder, "deploy/varnish"), { recursive: true });
  mkdirSync(join(folder, "app/audit"), { recursive: true });
  writeFileSync(join(folder, "app/audit/page.tsx"), "export default () => <p>Whom it serves.</p>;\n");
  for (const path of ["README.md", "deploy/varnish/a.vcl", "deploy/Dockerfile", "deploy/users.acl"])
    writeFileSync(join(folder, path), "# Whom it serves.\n");
  expect(wordBreaches(["README.md", "app", "deploy"], folder)).toEqual(
    ["README.md", "app/audit/page.tsx", "deploy/Dockerfile", "deploy/users.acl", "deploy/varnish/a.vcl"].map(
      (path) => expect.stringMatching(`^${path}:1 says "Whom"`),
    ),
  );
});

test("names types that two files declare, and file names of three rooms", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-words-"));
  folders.push(folder);
  for (const [path, text] of [
    ["lib/ip/a.ts", "export interface Found {}"],
    ["lib/redis/a.ts", "type Found = 1;"],
    ["lib/enforce/limits/a.ts", "interface Own {}"],
    ["lib/enforce/limits/a.test.ts", "interface Own {}"],
  ]) {
    mkdirSync(dirname(join(folder, path ?? "")), { recursive: true });
    writeFileSync(join(folder, path ?? ""), text ?? "");
  }
  expect(nameBreaches(folder)).toEqual([
    "lib declares the type Found 2 times: lib/ip/a.ts, lib/redis/a.ts",
    "a.ts is a file name of 3 rooms: lib/enforce/limits, lib/ip, lib/redis",
  ]);
});
