import { HistoryIndex } from "../../manage/audit/list-history-index.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { theConsole } from "../console.ts";

/** What the audit log says of list entries: read once in a process, and then only what is new. */
export function theHistory(): HistoryIndex {
  return oncePerProcess("list history", () => new HistoryIndex(theConsole().redis));
}
