// One node: ms from its first line to ready, the longest turn of the event loop, and how many entries it holds.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createGuard } from "../dist/enforce/guard/index.js";
import { partsOfGuard } from "../dist/enforce/guard/shared-runtime.js";

const redis = process.argv[2] ?? "";
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const startedAt = performance.now();
const options = { redis, app: "bench", log: console.warn };
const guard = createGuard(options);
await guard.ready();
const readyMs = performance.now() - startedAt;
delay.disable();
const { node } = partsOfGuard(guard);
const entries = node.state.lists.entries.blocklist;
await guard.close();
console.log(JSON.stringify({ readyMs, turnMs: delay.max / 1e6, entries }));
