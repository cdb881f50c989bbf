// Simulates ten consoles with an open Overview: node consoles.mjs <url>. Each signs in, and sends the same requests as the page
// at the same intervals.
import { setTimeout as pause } from "node:timers/promises";
import { signIn } from "./sign-in.mjs";

const [url = "", email = "", password = ""] = process.argv.slice(2);
/** Views of the consoles: most have the default, a few have a longer range or one app. */
const views = [
  ...Array.from({ length: 6 }, () => ({ range: "15m", app: "" })),
  ...[
    { range: "1h", app: "" },
    { range: "24h", app: "" },
    { range: "15m", app: "shop" },
    { range: "7d", app: "" },
  ],
];
/** Times of answers in ms, by request. @type {Map<string, number[]>} */
const took = new Map();
let isOpen = false;
let underWay = 0;

process.on("disconnect", () => process.exit(1));
process.on("message", async (asked) => {
  isOpen = asked === "open";
  if (asked === "page") await readPages();
  while (!isOpen && underWay > 0) await pause(5);
  if (asked === "tell") {
    process.send?.({ took: [...took] });
    took.clear();
  } else process.send?.({ done: asked });
});

/** Session cookies, one per console. @type {string[]} */
const cookies = [];
for (const _ of views) cookies.push(await signIn({ url, email, password }));
for (const [i, view] of views.entries())
  for (const { path, everyMs } of readsOf(view)) {
    // The consoles are not opened at the same moment.
    setTimeout(() => setInterval(() => void poll(cookies[i] ?? "", path), everyMs), Math.random() * everyMs);
  }
process.send?.({ done: "signed in" });

/** @param {{ range: string, app: string }} view */
function readsOf({ range, app }) {
  const and = app && `&app=${app}`;
  return [
    { path: `/api/overview?range=${range}${and}`, everyMs: range === "15m" ? 1_000 : 5_000 },
    { path: `/api/offenders?most=100${and}`, everyMs: 1_000 },
    { path: `/api/feed?most=12${and}`, everyMs: 1_000 },
    { path: "/api/status", everyMs: 2_000 },
    { path: "/api/loss", everyMs: 5_000 },
    { path: "/api/audit", everyMs: 5_000 },
  ];
}

/** @param {string} cookie @param {string} path */
async function poll(cookie, path) {
  if (!isOpen) return;
  underWay++;
  await read(cookie, path, path.split("?")[0] ?? "");
  underWay--;
}

/** Requests of the page itself. */
async function readPages() {
  for (const cookie of [...cookies, ...cookies, ...cookies]) await read(cookie, "/", "the page");
}

/** @param {string} cookie @param {string} path @param {string} name */
async function read(cookie, path, name) {
  const from = performance.now();
  const answer = await fetch(url + path, { headers: { cookie } });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  took.set(name, [...(took.get(name) ?? []), performance.now() - from]);
}
