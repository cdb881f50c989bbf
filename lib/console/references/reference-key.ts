import { ensureReferenceKey } from "../../manage/references/reference-keys.ts";
import { theConsole } from "../console.ts";

/** Makes the key for references of denials where there is none: at the start, and when Redis may have come back empty. */
export function keepReferenceKey(): void {
  const { redis } = theConsole();
  // The next connection tries again.
  const ensure = () => void ensureReferenceKey(redis).catch(() => {});
  redis.on("ready", ensure);
  if (redis.status === "ready") ensure();
}
