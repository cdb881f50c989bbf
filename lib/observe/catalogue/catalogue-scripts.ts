import { type Contents, inPairs, type ReadingScripts } from "../../redis/copy.ts";
import { keys, listed, listNames } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";

const pageSize = 1_000;

/** How the console reads the lists: with the values of entries. Contents are a value, or the type of a key that is not a string. */
export const catalogueScripts: ReadingScripts = {
  loadPage: defineScript({
    lua: lua.loadEntries,
    keys: () => [],
    args: (cursor: string) => [cursor, listed.pattern, pageSize, ...listed.own],
    reply: ([cursor, lives, contents]: [string, [], (string | number | string[])[]]) => ({
      cursor,
      lives,
      contents,
    }),
  }),
  readChanged: defineScript({
    lua: lua.readEntries,
    keys: (changed: readonly string[]) => [keys.change(), ...changed],
    args: () => [...listNames.map(keys.entryPrefix), keys.banPrefix()],
    reply: ([change, ttls, contents]: [number, number[], (number | Contents)[]]) => ({
      change,
      ttls,
      contents: new Map(inPairs(contents)),
    }),
  }),
};
