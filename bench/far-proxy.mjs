// A TCP proxy in a process of its own that makes a Redis distant: node far-proxy.mjs <port> <ms> <stall ms> <every ms>. Each
// direction takes so long, and at the end of each period nothing passes for the time of the stall.
import { connect, createServer } from "node:net";

const [port = 0, delayMs = 0, stallMs = 0, everyMs = 0] = process.argv.slice(2).map(Number);
/** While it sleeps for whole milliseconds, a chunk may be this late. */
const tickMs = 1;
const startedAt = performance.now();

process.on("disconnect", () => process.exit(0));

const server = createServer((client) => {
  const onward = connect(port, "127.0.0.1");
  forward(client, onward);
  forward(onward, client);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.send?.({ port: address?.port });
});

/** In order, each chunk at its time. @param {import("node:net").Socket} from @param {import("node:net").Socket} to */
function forward(from, to) {
  /** @type {{ chunk: Buffer, atMs: number }[]} */
  const chunks = [];
  from.setNoDelay();
  from.on("error", () => from.destroy());
  from.on("close", () => to.destroy());
  const pass = () => {
    const now = performance.now();
    while (chunks[0] && chunks[0].atMs <= now) to.write(chunks.shift()?.chunk ?? "");
    if (chunks[0]) setTimeout(pass, tickMs);
  };
  from.on("data", (chunk) => {
    chunks.push({ chunk, atMs: afterStall(performance.now() + delayMs) });
    if (chunks.length === 1) setTimeout(pass, tickMs);
  });
}

/** @param {number} atMs */
function afterStall(atMs) {
  const intoPeriod = (atMs - startedAt) % everyMs;
  return intoPeriod < everyMs - stallMs ? atMs : atMs + everyMs - intoPeriod;
}
