import { AuditEndWatch } from "../../manage/audit/end-watch.ts";
import { HistoryIndex } from "../../manage/audit/list-history-index.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { theConsole } from "../console.ts";

/** One in a process, from its start. */
export function theAuditEnd(): AuditEndWatch {
  return oncePerProcess("audit end", () => {
    const { redis, seal } = theConsole();
    return new AuditEndWatch({ redis, seal, log: console.warn }).start();
  });
}

/** What the audit log says of list entries: read once in a process, and then only what is new. */
export function theHistory(): HistoryIndex {
  return oncePerProcess("list history", () => new HistoryIndex(theConsole().redis));
}
