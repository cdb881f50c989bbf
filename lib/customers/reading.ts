import { nodeScripts, type ReadingScripts } from "../redis/copy.ts";
import { keys } from "../redis/keys.ts";
import { lua } from "../redis/lua.generated.ts";
import { defineScript } from "../redis/script.ts";

const pageSize = 1_000;

type Reply = [cursor: string, lives: (string | number)[], contents: (string | number | string[])[]];

/** How a directory is loaded: customers alone, so that a million list entries are not sent to be thrown away. */
export const directoryScripts: ReadingScripts = {
  ...nodeScripts,
  loadPage: defineScript({
    lua: lua.loadPage,
    keys: () => [],
    args: (cursor: string) => [cursor, `${keys.customerPrefix()}*`, pageSize, keys.customerPrefix()],
    reply: ([cursor, lives, contents]: Reply) => ({ cursor, lives, contents }),
  }),
};
