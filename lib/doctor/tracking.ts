import { once } from "node:events";
import { type Connection, connectControl } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { type Check, ok, problem } from "./finding.ts";

const channel = "__redis__:invalidate";
const announcedWithinMs = 2_000;
const probeLivesMs = 10_000;

export const tracking: Check = {
  name: "tracking",
  async look({ url }) {
    const feed = connectControl(url, "patiently", "sluice-doctor");
    const listener = connectControl(url, "listening", "sluice-doctor-listener");
    try {
      const tookMs = await probe(feed, listener);
      if (tookMs !== undefined) return [ok(`Redis announced a write within ${Math.ceil(tookMs)} ms.`)];
      const effect = `Redis did not announce a write within ${announcedWithinMs / 1_000} s: nodes learn of changes late.`;
      const cure = "Connect without a proxy in between, or to one that passes CLIENT TRACKING on.";
      return [problem(effect, { cure })];
    } finally {
      feed.disconnect();
      listener.disconnect();
    }
  },
};

/** Does what every node does, with a key of its own. After how long the announcement came, if it came. */
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
