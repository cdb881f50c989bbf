import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { breaches } from "./rooms.mjs";

/** @type {string[]} */
const folders = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** What the checker says of a project that holds these files. @param {Record<string, string>} files */
function check(files) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-rooms-"));
  folders.push(folder);
  const manifest = '{"dependencies":{"ioredis":"1"},"peerDependencies":{"next":"1"}}';
  for (const [path, text] of Object.entries({ "package.json": manifest, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return breaches(folder);
}

test("a tree that keeps every rule passes", () => {
  const tree = {
    "app/page.tsx": `import Link from "next/link"; import { Button } from "../components/button.tsx";
      import { keys } from "../lib/redis/keys.ts"; export default () => <p>don't spell safelist: {keys}</p>;`,
    "components/button.tsx": `import type { Verdict } from "../lib/guard/verdict.ts"; import { feed } from "../lib/queries/feed.ts";`,
    "proxy.ts": `import { NextResponse } from "next/server"; import { guard } from "./lib/guard/guard.ts";`,
    "lib/env.ts": "export const env = process.env;",
    "lib/ip/parse.ts": `import { DomainError } from "../errors.ts";`,
    "lib/ip/parse.test.ts": `import fc from "fast-check";`,
    "lib/redis/keys.ts": 'import type { Ip } from "../ip/parse.ts"; export const key = `safelist:$' + "{1}`;",
    "lib/redis/connect.ts": `import { Redis } from "ioredis"; import { createHash } from "node:crypto";`,
    "lib/audit/seal.ts": `import { keys } from "../redis/keys.ts"; // "safelist:" in a comment`,
    "lib/lists/add.ts": `import { seal } from "../audit/seal.ts"; import { env } from "../env.ts"; throw "sluice: away";`,
    "lib/lists/add.test.ts": `import { createGuard } from "../guard/guard.ts"; import { run } from "../redis/testing.ts"; run("blocklist:1.2.3.4", process.env.X);`,
    "lib/guard/next.ts": `import { NextResponse } from "next/server.js"; process.env.NEXT_RUNTIME;`,
    "lib/guard/guard.ts": `export { add } from "../lists/add.ts";`,
    "lib/queries/feed.ts": `import type { Verdict } from "../guard/verdict.ts";`,
    "lib/cli/main.ts": `import { guard } from "../guard/guard.ts"; import { add } from "../lists/add.ts";`,
    "lua/hit.lua": "-- keys: safelist:x\nlocal key = KEYS[1]",
  };
  expect(check(tree)).toEqual([]);
});

const breachesByRule = {
  "nothing imports from app": [
    ["lib/lists/a.ts", `import { x } from "../../app/page.tsx";`],
    ["components/a.tsx", `const x = import("../app/page.tsx");`],
    ["proxy.ts", `import x from "@/app/page";`],
  ],
  "lib imports nothing from outside of lib": [
    ["lib/lists/a.ts", `import { x } from "../../components/a.tsx";`],
  ],
  "lib imports itself by relative paths with their extension": [
    ["lib/lists/a.ts", `import { x } from "./b";`],
    ["lib/lists/a.ts", `import { x } from "@/lib/lists/b.ts";`],
  ],
  "rooms import in one direction": [
    ["lib/ip/a.ts", `import type { x } from "../redis/keys.ts";`],
    ["lib/redis/a.ts", `import { x } from "../ip/parse.ts";`],
    ["lib/redis/a.ts", `import { type X, y } from "../ip/parse.ts";`],
    ["lib/lists/a.ts", `export * from "../guard/guard.ts";`],
    ["lib/lists/a.ts", `export { x } from "../stats/nodes.ts";`],
    ["lib/lists/a.ts", `type X = import("../guard/guard.ts").X;`],
    ["lib/guard/a.ts", "const x = await import(`../cli/main.ts`);"],
    ["lib/lists/a.test.ts", `import { x } from "../cli/main.ts";`],
    ["lib/queries/a.ts", `import { x } from "../lists/add.ts";`],
    ["lib/errors.ts", `import { x } from "./lists/add.ts";`],
    ["lib/cellar/a.ts", `import { x } from "../ip/parse.ts";`],
  ],
  "components import from lib only types and queries": [
    ["components/a.tsx", `import { x } from "../lib/lists/add.ts";`],
  ],
  "what helps tests is imported by tests alone": [
    ["lib/lists/a.ts", `import { x } from "../redis/testing.ts";`],
    ["lib/lists/a.ts", `import { x } from "./vitest.context.ts";`],
    ["lib/lists/a.ts", `import { x } from "../redis/testing-cluster.ts";`],
  ],
  "lib/ip is pure": [
    ["lib/ip/a.ts", `import { isIP } from "node:net";`],
    ["lib/ip/a.ts", `import { z } from "zod";`],
  ],
  "only lib/redis imports ioredis": [
    ["lib/lists/a.ts", `import type { Redis } from "ioredis";`],
    ["app/a.tsx", `import { Redis } from "ioredis/built/index.js";`],
  ],
  "only app, proxy.ts, instrumentation.ts and lib/guard/next.ts import next": [
    ["lib/guard/node.ts", `import { NextResponse } from "next/server.js";`],
    ["components/a.tsx", `import Link from "next/link";`],
  ],
  "what the package needs at run time is among the dependencies": [
    ["lib/lists/a.ts", `import ipaddr from "ipaddr.js";`],
  ],
  "only lib/env.ts reads process.env": [
    ["app/a.tsx", "const x = process.env.X;"],
    ["lib/lists/a.ts", `const x = globalThis.process["env"].X;`],
    ["lib/lists/a.ts", "const { env } = process;"],
    ["lib/lists/a.ts", `import { env } from "node:process";`],
  ],
  "only lib/redis/keys.ts spells a key": [
    ["app/a.tsx", `const x = "safelist:1.2.3.4";`],
    ["lib/lists/a.ts", "const x = `blocklist:$" + "{1}`;"],
    ["lib/redis/a.ts", `const x = "sluice:change";`],
    ["lib/guard/a.ts", `const x = "rack::attack";`],
    ["lib/guard/a.ts", `const x = 'customer:';`],
  ],
  "keys reach a script only through KEYS": [
    ["lua/a.lua", `-- A.\nredis.call("GET", "safelist:" .. ARGV[1])`],
  ],
  "is a name that tells nothing": [
    ["lib/lists/utils.ts", ""],
    ["lib/helpers/a.ts", ""],
    ["lib/lists/types.ts", ""],
    ["components/common/a.tsx", ""],
  ],
};

for (const [rule, wrongs] of Object.entries(breachesByRule)) {
  test.each(wrongs)(`fails where a file breaks "${rule}": %s %s`, (path, text) => {
    const found = check({ [path]: text });
    expect(found).toContainEqual(expect.stringContaining(rule));
    expect(found[0]).toMatch(new RegExp(`^${path.replaceAll(".", "\\.")}:${text.startsWith("--") ? 2 : 1} `));
  });
}
