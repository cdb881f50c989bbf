import { execFileSync } from "node:child_process";
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

/** What the checker says of a project that holds these files. @param {Record<string, string>} files @param {{ track?: boolean }} [options] */
function check(files, { track = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-rooms-"));
  folders.push(folder);
  const manifests = {
    "package.json": '{"dependencies":{"ioredis":"1"}}',
    "lib/package.json": '{"dependencies":{"ioredis":"1"},"peerDependencies":{"next":"1"}}',
    "lib/redis/connect.ts": `import { Redis } from "ioredis";`,
  };
  for (const [path, text] of Object.entries({ ...manifests, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  if (track) {
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    execFileSync("git", ["add", "."], { cwd: folder });
  }
  return breaches(folder);
}

test("a tree that keeps every rule passes", () => {
  const tree = {
    "app/(console)/page.tsx": `import Link from "next/link"; import { Table } from "@/components/lists/table/table.tsx";
      import { read } from "@/lib/console/read.ts"; import { may } from "@/lib/manage/users/roles.ts";
      import type { Ip } from "@/lib/ip/parse.ts"; export default () => <p>don't spell safelist: {read}</p>;`,
    "app/api/feed/route.ts": `export { getFeed as GET } from "@/lib/console/feed.ts";`,
    "app/globals.css": "",
    "components/ui/button.tsx": `import Link from "next/link";`,
    "components/shell/frame.tsx": `import { live } from "@/components/console/live.ts";`,
    "components/lists/list-words.ts": "",
    "components/lists/table/table.tsx": `import { Button } from "@/components/ui/button.tsx"; import { url } from "../list-words.ts";
      import type { Verdict } from "@/lib/enforce/guard/verdict.ts"; import { feed } from "@/lib/queries/feed.ts";
      import { add } from "@/lib/console/actions/lists.ts"; import { parse } from "@/lib/ip/parse.ts";
      import { frame } from "@/components/shell/frame.tsx";`,
    "components/offenders/use-block.ts": `import { words } from "@/components/lists/list-words.ts";`,
    "lib/console/actions/lists.ts": `"use server"; import { add } from "../../manage/lists/add.ts"; import { headers } from "next/headers";`,
    "lib/console/actions/lists.test.ts": `import { proxy } from "@/proxy.ts";`,
    "e2e/stories.spec.ts": `import { startRedis } from "@/lib/redis/testing.ts"; const key = "safelist:x";`,
    "proxy.ts": `import { NextResponse } from "next/server"; import { guard } from "./lib/enforce/guard/guard.ts";`,
    "lib/env.ts": "export const env = process.env;",
    "lib/ip/parse.ts": `import { DomainError } from "../errors.ts";`,
    "lib/ip/parse.test.ts": `import fc from "fast-check";`,
    "lib/redis/keys.ts": 'import type { Ip } from "../ip/parse.ts"; export const key = `safelist:$' + "{1}`;",
    "lib/redis/connect.ts": `import { Redis } from "ioredis"; import { createHash } from "node:crypto";`,
    "lib/redis/connect.test.ts": `import { createGuard } from "../enforce/guard/guard.ts";`,
    "lib/enforce/lists/replica.ts": `import { readBlock } from "../../ip/parse.ts";`,
    "lib/enforce/lists/replica.test.ts": `import { addEntries } from "../../manage/lists/add.ts";`,
    "lib/enforce/guard/next.ts": `import { NextResponse } from "next/server.js"; process.env.NEXT_RUNTIME;`,
    "lib/enforce/guard/guard.ts": `export { replica } from "../lists/replica.ts"; Math.log(1);`,
    "lib/enforce/guard/startup.ts":
      "console.error(`sluice: $" + "{error.message}`); log(line); console.warn('away');",
    "lib/enforce/guard/seconds.ts": "export const pattern = /^\\s*\\d+s$/;",
    "lib/enforce/guard/seconds.test.ts": "expect(x).toMatch(/.*s/);",
    "lib/manage/audit/seal.ts": `import { keys } from "../../redis/keys.ts"; // "safelist:" in a comment`,
    "lib/manage/lists/add.ts": `import { seal } from "../audit/seal.ts"; import { env } from "../../env.ts"; throw "sluice: away";`,
    "lib/manage/lists/add.test.ts": `import { run } from "../../redis/testing.ts"; run("blocklist:1.2.3.4", process.env.X);`,
    "lib/manage/lists/restore.ts": `import { rows } from "../../observe/catalogue/rows.ts";`,
    "lib/observe/doctor/check-up.ts": `import { walk } from "../../manage/audit/walk.ts"; import { series } from "../stats/series.ts";`,
    "scripts/up.mjs": "const x = process.env.X, key = 'safelist:x', spaces = /\\s+/g;",
    "lib/queries/feed.ts": `import type { Verdict } from "../enforce/guard/verdict.ts";`,
    "lib/cli/main.ts": `import { guard } from "../enforce/guard/guard.ts"; import { add } from "../manage/lists/add.ts";`,
    "lua/hit.lua": "-- keys: safelist:x\nlocal key = KEYS[1]",
  };
  expect(check(tree)).toEqual([]);
});

/** A protected app that loads what it should not, and manifests that do not tell the truth. */
const breachesOfTrees = {
  "is loaded by protected apps": {
    "lib/package.json": '{"exports":{".":{"default":"./enforce/guard/index.js"}}}',
    "lib/enforce/guard/index.ts": `export * from "./guard.ts";`,
    "lib/enforce/guard/guard.ts": `const x = await import("../../manage/audit/commit.ts");`,
    "lib/manage/audit/commit.ts": "",
  },
  "files: fewer than": {
    "lib/package.json":
      '{"exports":{".":{"edge-light":"./enforce/guard/a0.js","default":"./enforce/guard/index.js"}}}',
    "lib/enforce/guard/index.ts": Array.from({ length: 200 }, (_, i) => `export * from "./a${i}.ts";`).join(
      "\n",
    ),
    ...Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`lib/enforce/guard/a${i}.ts`, ""])),
  },
  "names zod: nothing in lib imports it": { "lib/package.json": '{"dependencies":{"zod":"1"}}' },
  "app/_server/session.ts:1 is no route": { "app/_server/session.ts": "" },
  "app/(console)/words.tsx:1 is no route": { "app/(console)/words.tsx": "" },
  "app/notes.md:1 is no route": { "app/notes.md": "" },
  "imports node:fs: a browser loads this file": {
    "lib/manage/users/roles.ts": `import { least } from "./least.ts";`,
    "lib/manage/users/least.ts": `import { readFileSync } from "node:fs";`,
  },
  "is no server action": { "lib/console/actions/words.ts": "export const word = 1;" },
  "in another version than package.json": { "lib/package.json": '{"dependencies":{"ioredis":"2"}}' },
};

test.each(Object.entries(breachesOfTrees))("fails where a tree breaks a rule: %s", (says, files) => {
  expect(check(files)).toContainEqual(expect.stringContaining(says));
});

test("fails where a tracked file has no ending in its name", () => {
  expect(check({ "lua/keep": "" }, { track: true })).toContainEqual("lua/keep:1 has no ending in its name");
});

test("fails where no other file names a tracked one, and no module imports it", () => {
  const files = {
    "README.md": "See deploy/named.conf.",
    "deploy/named.conf": "",
    "deploy/stray.conf": "",
    "lib/redis/script.ts": "run(lua.leaseEnd);",
    "lua/lease-end.lua": "-- Ends a lease.",
    "lua/stray.lua": "-- Ends nothing.",
  };
  expect(check(files, { track: true })).toEqual(
    ["deploy/stray.conf", "lua/stray.lua"].map((path) => `${path}:1 is named by no other file`),
  );
});

const breachesByRule = {
  "nothing imports from app": [
    ["lib/manage/lists/a.ts", `import { x } from "../../../app/page.tsx";`],
    ["lib/console/a.test.ts", `import { GET } from "@/app/api/feed/route.ts";`],
    ["components/lists/a.tsx", `const x = import("../../app/page.tsx");`],
    ["proxy.ts", `import x from "@/app/page";`],
    ["e2e/a.spec.ts", `import x from "../app/page.tsx";`],
  ],
  "app imports components, lib/console, lib/queries": [
    ["app/page.tsx", `import { listUsers } from "@/lib/manage/users/users.ts";`],
    ["app/api/feed/route.ts", `export { readFeed as GET } from "@/lib/observe/stats/feed.ts";`],
    ["app/page.tsx", `import { environment } from "@/lib/env.ts";`],
  ],
  "a folder of components imports another only in the direction": [
    ["components/policy/a.tsx", `import { x } from "@/components/lists/list-words.ts";`],
    ["components/policy/a.tsx", `import type { X } from "../lists/table/rows.ts";`],
    ["components/offenders/a.tsx", `import { x } from "@/components/lists/composer/composer.tsx";`],
    ["components/overview/a.tsx", `const x = import("@/components/lists/list-screen.tsx");`],
    ["components/console/a.tsx", `import { x } from "@/components/shell/frame.tsx";`],
    ["components/shell/a.tsx", `import { x } from "@/components/lists/list-words.ts";`],
    ["components/ui/a.tsx", `import { x } from "../console/live.ts";`],
    ["components/charts/a.test.tsx", `import { x } from "@/components/console/live.ts";`],
  ],
  "lib imports nothing from outside of lib": [
    ["lib/manage/lists/a.ts", `import { x } from "../../../components/a.tsx";`],
  ],
  "lib imports itself by relative paths with their extension": [
    ["lib/manage/lists/a.ts", `import { x } from "./b";`],
    ["lib/manage/lists/a.ts", `import { x } from "@/lib/manage/lists/b.ts";`],
  ],
  "an import climbs two levels at most": [
    ["lib/enforce/limits/redis/a.ts", `import { x } from "../../../redis/keys.ts";`],
    ["components/lists/table/rows/a.ts", `import { x } from "../../../ui/button.tsx";`],
    ["app/(console)/clients/page.tsx", `import { x } from "../../../components/client/page.tsx";`],
    ["e2e/fixtures/deep/a.ts", `import { x } from "../../../lib/ip/parse.ts";`],
    ["bench/deep/more/a.mjs", `const x = await import("../../../dist/ip/parse.js");`],
  ],
  "rooms import in one direction": [
    ["lib/ip/a.ts", `import type { x } from "../redis/keys.ts";`],
    ["lib/redis/a.ts", `import { x } from "../ip/parse.ts";`],
    ["lib/redis/a.ts", `import { type X, y } from "../ip/parse.ts";`],
    ["lib/enforce/lists/a.ts", `export * from "../guard/guard.ts";`],
    ["lib/enforce/lists/a.ts", `export { x } from "../stats/nodes.ts";`],
    ["lib/enforce/guard/a.ts", `import { x } from "../../manage/lists/add.ts";`],
    ["lib/enforce/guard/a.ts", `import { x } from "../../observe/lists/search.ts";`],
    ["lib/enforce/guard/a.ts", "const x = await import(`../../cli/main.ts`);"],
    ["lib/manage/lists/a.ts", `import { x } from "../../observe/lists/search.ts";`],
    ["lib/manage/lists/a.ts", `import { x } from "../customers/set-tier.ts";`],
    ["lib/manage/lists/a.ts", `type X = import("../../observe/stats/series.ts").X;`],
    ["lib/observe/stats/a.ts", `import { x } from "../doctor/check-up.ts";`],
    ["lib/manage/lists/a.test.ts", `import { x } from "../../cli/main.ts";`],
    ["lib/queries/a.ts", `import { x } from "../manage/lists/add.ts";`],
    ["lib/enforce/guard/a.ts", `import type { X } from "../../console/read.ts";`],
    ["lib/manage/lists/a.ts", `import { x } from "../../console/catalogue.ts";`],
    ["lib/observe/stats/a.ts", `import { x } from "../../console/statistics.ts";`],
    ["lib/cli/a.ts", `import { x } from "../console/catalogue.ts";`],
    ["lib/queries/a.ts", `import type { X } from "../console/read.ts";`],
    ["lib/errors.ts", `import { x } from "./manage/lists/add.ts";`],
    ["lib/cellar/a.ts", `import { x } from "../ip/parse.ts";`],
  ],
  "components import from lib types, lib/queries, actions of lib/console": [
    ["components/lists/a.tsx", `import { x } from "@/lib/manage/lists/add.ts";`],
    ["components/lists/a.tsx", `import { x } from "@/lib/console/catalogue.ts";`],
    ["components/shell/a.tsx", `import { x } from "@/lib/env.ts";`],
  ],
  "what is being changed is known by components/console/use-mutate.ts": [
    ["components/lists/a.tsx", "const [isSaving, setIsSaving] = useState(false);"],
    ["components/policy/a.ts", "export function useA() { const [busy, setBusy] = useState(0); }"],
    ["components/shell/a.tsx", "const [isPending, start] = useTransition();"],
  ],
  "only tests import test support": [
    ["lib/manage/lists/a.ts", `import { x } from "../../redis/testing.ts";`],
    ["lib/manage/lists/a.ts", `import { x } from "./vitest.context.ts";`],
    ["lib/manage/lists/a.ts", `import { x } from "../../redis/testing-cluster.ts";`],
  ],
  "lib/ip is pure": [
    ["lib/ip/a.ts", `import { isIP } from "node:net";`],
    ["lib/ip/a.ts", `import { z } from "zod";`],
  ],
  "only lib/redis imports ioredis": [
    ["lib/manage/lists/a.ts", `import type { Redis } from "ioredis";`],
    ["app/page.tsx", `import { Redis } from "ioredis/built/index.js";`],
  ],
  "only app, components, lib/console, proxy.ts, instrumentation.ts and lib/enforce/guard/next.ts import next":
    [
      ["lib/enforce/guard/http-middleware.ts", `import { NextResponse } from "next/server.js";`],
      ["lib/manage/lists/a.ts", `import { headers } from "next/headers";`],
    ],
  "lib/enforce/frameworks knows frameworks by their types alone": [
    ["lib/enforce/frameworks/a.ts", `import { Hono } from "hono";`],
  ],
  "components, lib/api, lib/queries and lib/enforce import zod/mini, which is a third of zod": [
    ["components/lists/a.ts", `import { z } from "zod";`],
    ["lib/queries/a.ts", `import { z } from "zod";`],
    ["lib/enforce/policy/a.ts", `import { z } from "zod";`],
  ],
  "packages of lib are dependencies of lib/package.json": [
    ["lib/manage/lists/a.ts", `import ipaddr from "ipaddr.js";`],
  ],
  "only lib/env.ts reads process.env": [
    ["app/page.tsx", "const x = process.env.X;"],
    ["lib/manage/lists/a.ts", `const x = globalThis.process["env"].X;`],
    ["lib/manage/lists/a.ts", "const { env } = process;"],
    ["lib/manage/lists/a.ts", `import { env } from "node:process";`],
  ],
  "only lib/redis/keys.ts spells a key": [
    ["app/page.tsx", `const x = "safelist:1.2.3.4";`],
    ["lib/manage/lists/a.ts", "const x = `blocklist:$" + "{1}`;"],
    ["lib/redis/a.ts", `const x = "sluice:change";`],
    ["lib/enforce/guard/a.ts", `const x = "rack::attack";`],
    ["lib/enforce/guard/a.ts", `const x = 'customer:';`],
  ],
  "what repeats in a protected app is on a Schedule": [
    ["lib/enforce/stats/a.ts", "const timer = setInterval(() => {}, 1_000);"],
    ["lib/redis/a.ts", "setInterval(beat, 50).unref();"],
  ],
  "a log gets one text, and errors come into it through lib/errors.ts": [
    ["lib/enforce/guard/a.ts", `try {} catch (error) { console.warn("sluice: it failed", error); }`],
    ["app/route.ts", "try {} catch (error) { console.error(error); }"],
    ["app/route.ts", "console.error(`sluice: it failed: $" + "{error}`);"],
    ["lib/manage/edge/a.ts", "this.log(`sluice: $" + "{error.stack}`);"],
    ["lib/manage/edge/a.ts", "this.#log(`sluice: $" + "{error instanceof Error ? error.stack : error}`);"],
  ],
  "keys reach a script only through KEYS": [
    ["lua/a.lua", `-- A.\nredis.call("GET", "safelist:" .. ARGV[1])`],
  ],
  "its time grows with the square of the text": [
    ["lib/manage/lists/a.ts", `const x = (cell) => cell.replace(/\\s*#.*$/s, "");`],
    ["lib/manage/lists/a.ts", `const x = new RegExp("\\\\s+$", "m");`],
    ["app/page.tsx", "const x = z.string().regex(/\\S+@/);"],
    ["components/lists/a.tsx", `const x = text.split(/\\s*,\\s*/);`],
    ["scripts/a.mjs", "const x = /.*y/.exec(text);"],
  ],
  "a pattern is written as a literal": [
    ["lib/lists/a.ts", "const x = (word) => new RegExp(word);"],
    ["app/page.tsx", "const x = RegExp(`^$" + "{word}$`);"],
    ["scripts/a.mjs", `const x = new RegExp(["a+", "b"].join(""));`],
  ],
  "is a name that tells nothing": [
    ["lib/manage/lists/utils.ts", ""],
    ["lib/manage/helpers/a.ts", ""],
    ["lib/manage/lists/types.ts", ""],
    ["components/common/a.tsx", ""],
  ],
};

for (const [rule, wrongs] of Object.entries(breachesByRule)) {
  test.each(wrongs)(`fails where a file breaks "${rule}": %s %s`, (path, text) => {
    const found = check({ [path]: text });
    expect(found).toContainEqual(expect.stringContaining(rule));
    const place = `${path}:${text.startsWith("--") ? 2 : 1} `;
    expect(found[0]?.slice(0, place.length)).toBe(place);
  });
}
