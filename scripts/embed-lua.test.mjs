import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkLua, embedLua } from "./embed-lua.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-lua-"));
  mkdirSync(join(folder, "lua/parts"), { recursive: true });
  mkdirSync(join(folder, "lib/redis"), { recursive: true });
  write("set-entry.lua", '-- Sets.\nreturn "`$' + '{x}`"\n');
  write("hit.lua", "-- Counts.\nreturn 1\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @param {string} name @param {string} text */
const write = (name, text) => writeFileSync(join(folder, "lua", name), text);

test("writes the scripts under the names of their files, in order and without comments", async () => {
  expect(embedLua(folder)).toBe(true);
  const { lua } = await import(join(folder, "lib/redis/lua.generated.ts"));
  expect(Object.entries(lua)).toEqual([
    ["hit", "return 1\n"],
    ["setEntry", 'return "`$' + '{x}`"\n'],
  ]);
});

test("writes nothing when nothing has changed", () => {
  embedLua(folder);
  const before = readFileSync(join(folder, "lib/redis/lua.generated.ts"), "utf8");
  expect(embedLua(folder)).toBe(false);
  expect(readFileSync(join(folder, "lib/redis/lua.generated.ts"), "utf8")).toBe(before);
});

test("the check passes on a new module, and fails after a script is changed, added or removed", () => {
  expect(() => checkLua(folder)).toThrow("node scripts/embed-lua.mjs");
  embedLua(folder);
  checkLua(folder);
  write("hit.lua", "-- Counts.\nreturn 2\n");
  expect(() => checkLua(folder)).toThrow("differs from lua/");
  embedLua(folder);
  write("new.lua", "-- New.\nreturn 3\n");
  expect(() => checkLua(folder)).toThrow("differs from lua/");
  embedLua(folder);
  rmSync(join(folder, "lua/new.lua"));
  expect(() => checkLua(folder)).toThrow("differs from lua/");
});

test("a script without a header is named", () => {
  write("bare.lua", "return 1\n");
  expect(() => embedLua(folder)).toThrow("lua/bare.lua must begin with a comment");
});

test("a part replaces its include, and is not a script of its own", async () => {
  write("weigh.lua", "-- Weighs.\nif fixed then\n  -- include: fixed.lua\nend\n");
  write("parts/fixed.lua", "-- Part of weigh.\n-- include: whole.lua\nlocal x = '$&'\n");
  write("parts/whole.lua", "-- Part of weigh.\n");
  embedLua(folder);
  const { lua } = await import(`${join(folder, "lib/redis/lua.generated.ts")}?parts`);
  expect(Object.keys(lua)).toEqual(["hit", "setEntry", "weigh"]);
  expect(lua.weigh).toBe("if fixed then\nlocal x = '$&'\nend\n");
});

test("a part that no script includes is named", () => {
  write("parts/idle.lua", "-- Part of nothing.\n");
  expect(() => embedLua(folder)).toThrow("lua/parts/idle.lua is included by no script");
});

test("an include of a missing part or in a circle is named", () => {
  write("weigh.lua", "-- Weighs.\n-- include: gone.lua\n");
  expect(() => embedLua(folder)).toThrow("lua/weigh.lua includes gone.lua");
  write("weigh.lua", "-- Weighs.\n-- include: weigh-part.lua\n");
  write("parts/weigh-part.lua", "-- Part.\n-- include: weigh-part.lua\n");
  expect(() => embedLua(folder)).toThrow("lua/parts/weigh-part.lua includes itself");
});
