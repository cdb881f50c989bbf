import { applyRetention } from "../../manage/denials/retention.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { theConsole } from "../console.ts";

const hourMs = 3_600_000;

/** Gives the hours of the denial log the end that the retention says, as long as this console runs. */
export function keepDenialLog(): void {
  oncePerProcess("denial-log", () => {
    const { redis } = theConsole();
    // The next hour tries again.
    const apply = () => void applyRetention(redis).catch(() => {});
    redis.once("ready", apply);
    return setInterval(apply, hourMs).unref();
  });
}
