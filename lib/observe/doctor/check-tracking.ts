import { once } from "node:events";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { bare } from "../../redis/error-kinds.ts";
import {
  isTrackingRefused,
  Notifications,
  notificationsAdvice,
  announcedWithinMs as notifiedWithinMs,
  sayFollowing,
} from "../../redis/following.ts";
import { keys } from "../../redis/keys.ts";
import { type Check, note, ok, problem } from "./finding.ts";

const channel = "__redis__:invalidate";
const announcedWithinMs = 2_000;
const probeLivesMs = 10_000;

export const tracking: Check = {
  name: "tracking",
  async run({ url }) {
    const feed = connectControl(url, "patiently", "sluice-doctor");
    const listener = connectControl(url, "listening", "sluice-doctor-listener");
    try {
      const tookMs = await probe(feed, listener);
      if (tookMs !== undefined) return [ok(`Redis announced a write within ${Math.ceil(tookMs)} ms.`)];
      const effect =
        `Redis accepted CLIENT TRACKING but did not announce a write within ${announcedWithinMs / 1_000} s. ` +
        "Nodes detect this after some seconds, and poll for changes instead.";
      const cure = "Connect without a proxy, or through one that supports CLIENT TRACKING.";
      return [problem(effect, { cure })];
    } catch (error) {
      if (!isTrackingRefused(error)) throw error;
      return [await judgeRefusal(feed, listener, bare(error.message))];
    } finally {
      feed.disconnect();
      listener.disconnect();
    }
  },
};

/** Note on what nodes with this account do instead. */
async function judgeRefusal(feed: Connection, listener: Connection, because: string) {
  const notifications = new Notifications(feed, listener, () => {});
  await notifications.look();
  if (notifications.isOn)
    return note(sayFollowing({ by: "notifications", othersWithinMs: notifiedWithinMs, because }));
  const effect =
    `Redis refuses client tracking to this account (${because}). Nodes with this account poll: ` +
    "changes by Sluice take effect within 0.5 s, writes by other programs within 30 s, or more with over 10,000 entries.";
  return note(effect, { cure: notificationsAdvice });
}

/** Time in ms until Redis announces a write of a test key. Undefined without an announcement. */
async function probe(feed: Connection, listener: Connection): Promise<number | undefined> {
  const deadline = AbortSignal.timeout(announcedWithinMs);
  if (listener.status !== "ready") {
    await once(listener, "ready", { signal: deadline }).catch((cause: unknown) => {
      throw new Error("a second connection did not open in time", { cause });
    });
  }
  const id = await listener.client("ID");
  await listener.subscribe(channel);
  await feed.call("CLIENT", "TRACKING", "ON", "REDIRECT", id, "BCAST", "PREFIX", keys.probe());
  const announced = announcement(listener);
  const written = performance.now();
  await feed.set(keys.probe(), "doctor", "PX", probeLivesMs);
  return (await announced) ? performance.now() - written : undefined;
}

function announcement(listener: Connection): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, announcedWithinMs, false);
    listener.on("messageBuffer", (_channel: Buffer, written: Buffer[] | null) => {
      if (!String(written ?? "").includes(keys.probe())) return;
      clearTimeout(timer);
      resolve(true);
    });
  });
}
