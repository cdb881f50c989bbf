// `node bench/mixed-fleet.mjs <revision or tarball> [--seconds 600]`: nodes of an earlier package beside nodes of this code, on one
// Redis, with a console of this code. Lists, policy, mode and customers change under traffic. All nodes must give the same verdicts,
// no process may report an error, the console must read what the earlier nodes report, and `doctor` must name these.
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { killAll } from "../scripts/children.mjs";
import { listChanges, newAddress } from "./mixed-fleet-lists.mjs";
import { policyOf } from "./mixed-fleet-policy.mjs";
import { Traffic } from "./mixed-fleet-traffic.mjs";
import { leftInWindow, openWorld, untilThereIs } from "./mixed-fleet-world.mjs";
import { removeFolders } from "./packed-sluice.mjs";
import { signIn } from "./sign-in.mjs";
import { admin } from "./watched.mjs";

/** Share of requests for which the counters may answer too late, which a busy machine causes. */
const mostLate = 0.02;
const mostShown = 100;

const { values, positionals } = parseArgs({
  options: { seconds: { type: "string", default: "600" } },
  allowPositionals: true,
});
const seconds = Number(values.seconds);
const [older] = positionals;
if (older === undefined || !(seconds >= 120 && seconds <= 3_600))
  throw new Error("usage: node bench/mixed-fleet.mjs <revision or tarball> [--seconds <120 to 3600>]");

process.on("exit", () => {
  killAll();
  removeFolders();
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

let startedAt = performance.now();
const elapsed = () => Math.round((performance.now() - startedAt) / 1_000);
let differences = 0;
/** @param {string} text */
function report(text) {
  if (differences++ < mostShown) console.log(`DIFFERENCE at ${elapsed()} s: ${text}`);
}

const world = await openWorld(older, report);
const { nodes, redis, website, sent, answered, ask, nodeAt, expectAll, change, sluice } = world;
const traffic = new Traffic(world);
const first = { crowdLimit: 20 };
const second = { crowdLimit: 30, slack: 0.1 };

await change(["customer", "tier", "acme-free", "free"]);
await change(["customer", "tier", "acme-pro", "pro"]);
await change(["customer", "limit", "acme-own", "30/60s"]);
console.log(`… ${seconds} s of traffic`);
startedAt = performance.now();
const progress = setInterval(
  () => console.log(`${elapsed()} s: ${sent.requests} requests, ${differences} differences`),
  30_000,
);
const work = [traffic.send(), makeChanges(), readConsole()];
await pause(seconds * 1_000);
traffic.isOver = true;
clearInterval(progress);
await Promise.all(work);
await pause(500);

traffic.tallies.settle();
if (sent.late > mostLate * sent.requests)
  report(`the counters were late for ${sent.late} of ${sent.requests} requests`);
await askDoctor();
await Promise.all(nodes.map((node) => node.close()));
await compareTotals();
const { checked, full, left } = traffic.tallies;
console.table({ ...sent, windows: checked, "windows with denials": full, "windows left out": left });
console.log(differences === 0 ? "No difference." : `${differences} differences.`);
await world.end();
process.exitCode = differences === 0 ? 0 : 1;

/** Changes of lists and customers, one after another, and the phases of the policy in between. */
async function makeChanges() {
  const lists = Object.values(listChanges(world, () => traffic.isExact));
  const waiting = [...phases()];
  for (let i = 0; !traffic.isOver; i++) {
    const [next] = waiting;
    if (next && elapsed() >= next.share * seconds) {
      waiting.shift();
      console.log(`${elapsed()} s: ${next.name}`);
      await next.run();
    } else await lists[i % lists.length]?.();
    await pause(1_000);
  }
}

/** At which share of the time the policy changes, and how. A fresh install is in force before. */
function phases() {
  return [
    {
      share: 0.25,
      name: "a policy with fields that old nodes know",
      run: () => publish(first),
    },
    {
      share: 0.4,
      name: "another limit of a customer",
      run: () =>
        traffic.changeLimit("acme-own", 45, () => change(["customer", "limit", "acme-own", "45/60s"])),
    },
    { share: 0.5, name: "shadow, off, and back", run: switchModes },
    {
      share: 0.6,
      name: "other limits, and slack, which old nodes ignore",
      run: () => publish(second),
    },
    {
      share: 0.75,
      name: "the version before",
      async run() {
        const { versions } = await sluice(["policy", "versions"]);
        await traffic.pauseFor(() => change(["policy", "rollback", String(versions?.at(1)?.version)]));
        traffic.follow(first);
      },
    },
    { share: 0.85, name: "a rule that old nodes do not know", run: publishUnknown },
  ];
}

/** @param {typeof first | typeof second} terms */
async function publish(terms) {
  await traffic.pauseFor(() => change(["policy", "set", "-"], { input: policyOf(terms) }));
  traffic.follow(terms);
}

async function switchModes() {
  const [over, blocked] = [newAddress(), newAddress()];
  const request = { ip: over, path: "/exact/fixed" };
  const denied = /** @type {const} */ ({ outcome: "throttled", rule: "fixed" });
  const listed = /** @type {const} */ ({ outcome: "blocked", rule: `blocklist:${blocked}` });
  await change(["block", "add", blocked, "--ttl", "1h"]);
  await traffic.pauseFor(async () => {
    await untilThereIs(9_000);
    for (let i = 0; i < 6; i++) await ask(nodeAt(i), request);
    await expectAll(request, denied);
    await change(["mode", "shadow"]);
    if (leftInWindow() > 0) await expectAll(request, { outcome: "pass", shadowed: ["fixed"] });
    await expectAll({ ip: blocked, path: "/lists" }, listed);
    await change(["mode", "off"]);
    await expectAll(request, { outcome: "pass" });
    await expectAll({ ip: blocked, path: "/lists" }, { outcome: "pass" });
    await change(["mode", "enforce"]);
    await expectAll({ ip: blocked, path: "/lists" }, listed);
  });
  traffic.follow(first);
}

/** Refused with the names of old nodes, then saved all the same: these leave the rule out and enforce all others. */
async function publishUnknown() {
  const policy = policyOf(first);
  const unknown = { ...policy.rules[0], name: "unknown", match: { only: ["/unknown"] }, countWhen: "failed" };
  const input = { ...policy, rules: [...policy.rules, unknown] };
  const refused = await sluice(["policy", "set", "-"], { input });
  const text = JSON.stringify(refused);
  if (!refused.failed || !text.includes("shop@") || !text.includes("blog@"))
    report(`a policy that old nodes do not know was not refused with their names: ${text}`);
  await traffic.pauseFor(() => change(["policy", "set", "-", "--even-with-old-nodes"], { input }));
  traffic.follow(first);
}

/** What pages of the console read while both versions report. */
async function readConsole() {
  const reads = [
    ...[
      "overview?range=15m",
      "overview?range=1h&app=shop",
      "offenders?most=100",
      "offenders?most=50&app=blog",
    ],
    ...["feed?most=50", "status", "loss", "audit", "situation", "doctor", "customers", "health"],
    ...["markers?seconds=3600", "clients/12.0.6.1", "customers/acme-pro", "customers/acme-free"],
  ];
  const cookie = await signIn({ url: website.url, ...admin });
  for (let i = 0; !traffic.isOver; i++) {
    const read = reads[i % reads.length];
    const answer = await fetch(`${website.url}/api/${read}`, { headers: { cookie } });
    const text = await answer.text();
    sent.reads++;
    if (answer.status !== 200) report(`/api/${read}: ${answer.status} ${text.slice(0, 300)}`);
    await pause(500);
  }
}

async function askDoctor() {
  const { findings = [] } = await sluice(["doctor"]);
  const named = findings.find((/** @type {any} */ { says }) => /nodes? of an earlier version: /.test(says));
  console.log(`doctor: ${JSON.stringify(named, null, 2)}`);
  for (const { name, app, pid } of nodes) {
    const isNamed = String(named?.says).includes(`${app}@${hostname()}:${pid}-`);
    if (isNamed !== name.startsWith("old")) report(`doctor ${isNamed ? "names" : "does not name"} ${name}`);
  }
}

/** The statistics of all nodes are those of the answers. */
async function compareTotals() {
  const totals = await redis.hgetall("sluice:totals");
  for (const [name, count] of answered) {
    const found = Number(totals[name.replace(" ", "\0")] ?? 0);
    if (found !== count) report(`statistics: ${found} of ${name}, and ${count} were answered`);
  }
}
