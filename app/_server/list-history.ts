import { HistoryIndex } from "../../lib/lists/history-index.ts";
import { atHome } from "../../lib/redis/home.ts";
import { theConsole } from "./console.ts";

/** What the audit log says of list entries: read once in a process, and then only what is new. */
export function theHistory(): HistoryIndex {
  return atHome("list history", () => new HistoryIndex(theConsole().redis));
}
