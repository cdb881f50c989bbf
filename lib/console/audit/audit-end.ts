import { AuditEndWatch } from "../../manage/audit/end-watch.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { theConsole } from "../console.ts";

/** One in a process, from its start. */
export function theAuditEnd(): AuditEndWatch {
  return oncePerProcess("audit end", () => {
    const { redis, seal } = theConsole();
    return new AuditEndWatch({ redis, seal, log: console.warn }).start();
  });
}
