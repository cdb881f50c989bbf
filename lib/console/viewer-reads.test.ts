import { setImmediate as nextPass, setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { forgetOnce } from "../redis/once-per-process.ts";
import { eventually } from "../redis/testing.ts";
import { undoChange } from "./actions/audit.ts";
import { addLines, importText } from "./actions/lists.ts";
import { request, testActions } from "./actions/vitest.actions.ts";
import { theCatalogue } from "./catalogue.ts";
import { previewLines } from "./lists/vitest.lines-preview.ts";
import { busyScope, fillConsole, held, imported, importedAddress } from "./vitest.busy-console.ts";
import { Checks } from "./vitest.checks.ts";
import { longestTurn } from "./vitest.longest-turn.ts";
import { otherRoutes, refusedReads, routesFound, type ViewerRead, viewerReads } from "./vitest.reads.ts";

vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({
    get: (name: string) => (request.cookies.has(name) ? { value: request.cookies.get(name) } : undefined),
  }),
}));
vi.mock("next/navigation", () => ({ redirect: () => {} }));

const console = testActions();
const token = "a-token-for-the-proxies";
const list = "blocklist" as const;
const sameAtOnce = 2;
beforeAll(() => void vi.stubEnv("SLUICE_CHECK_TOKEN", token));
afterAll(() => forgetOnce("check guards"));

/** Parts of the path, the parameters of the URL, and what is posted. */
interface Asked {
  readonly params?: Record<string, string>;
  readonly search?: string;
  readonly body?: unknown;
  readonly status?: number;
}

async function ask(
  read: ViewerRead,
  { params = {}, search = "", body, status = 200 }: Asked = {},
): Promise<void> {
  const url = `http://console.example.org/api?${search}`;
  const posted = JSON.stringify(body);
  const request = body === undefined ? new Request(url) : new Request(url, post(posted));
  const answer = await viewerReads[read](request, { params: Promise.resolve(params as never) });
  const text = await answer.text();
  expect(answer.status, `${read} ${search} ${text.slice(0, 300)}`).toBe(status);
}

const post = (body: string) => ({
  ...{ method: "POST", body },
  headers: { "content-length": `${Buffer.byteLength(body)}` },
});

/** Every read that a viewer has, each time another one, so that no answer is shared. */
const everyRead: readonly (readonly [read: ViewerRead, of?: (i: number) => Asked])[] = [
  ["GET lists/[list]", (i) => ({ params: { list }, search: `q=scraper+1${i}&sort=reason&offset=900` })],
  ["GET lists/[list]", (i) => ({ params: { list }, search: `q=10.0.0.0/${10 + i}&sort=by&dir=asc` })],
  ["GET lists/[list]/expiring", (i) => ({ params: { list }, search: `withinMs=${1e9 + i}` })],
  [
    "GET lists/[list]/history",
    (i) => ({ params: { list }, search: `address=${importedAddress(20_000 + i)}` }),
  ],
  ["GET lists/[list]/export", (i) => ({ params: { list }, search: `q=${i}` })],
  ["GET audit", (i) => ({ search: `text=nothing+like+this+${i}` })],
  ["GET audit", (i) => ({ search: `target=10.200.0.${i}` })],
  ["GET audit/[n]", (i) => ({ params: { n: `${1 + i}` } })],
  ["GET audit/[n]", (i) => ({ params: { n: `${60 + i}` } })],
  ["GET audit/[n]", (i) => ({ params: { n: "1" }, search: `part=${20 + i}` })],
  ["GET audit/[n]", (i) => ({ params: { n: "1" }, search: `target=${importedAddress(imported - 1 - i)}` })],
  ["GET changes/[n]", (i) => ({ params: { n: `${60 - i}` } })],
  ["GET audit/newer", (i) => ({ search: `after=0&text=x${i}` })],
  ["GET audit/export", (i) => ({ search: `format=csv&text=${i}` })],
  ["GET audit/export", () => ({ search: "format=jsonl" })],
  ["GET audit/chain"],
  ["GET doctor", () => ({ search: "again=1" })],
  ["GET edge"],
  ["GET alarms"],
  ["GET attack-mode"],
  ["GET feeds"],
  // No feed waits for a decision.
  ["GET feeds/held", () => ({ search: "id=none&digest=none", status: 404 })],
  ["GET edge/limited", (i) => ({ search: `q=10.1.${i}&from=0&to=100` })],
  ["GET denials", (i) => ({ search: `path=/nothing-like-this-${i}` })],
  ["GET denials/export", (i) => ({ search: `format=csv&path=/nothing-like-this-${i}` })],
  ["GET denials/retention"],
  ["GET feed", () => ({ search: "most=200" })],
  ["GET feed/paths", (i) => ({ search: i % 2 ? "" : `app=app${i}` })],
  ["GET loss"],
  ["GET never-block"],
  ["GET overrides"],
  ["GET overrides/members", () => ({ search: "name=beta" })],
  ["GET links"],
  ["GET notes/[kind]/[id]", (i) => ({ params: { kind: "client", id: `10.0.0.${i}` } })],
  ["GET markers", (i) => ({ search: `seconds=${600_000 + i}` })],
  ["GET offenders", (i) => ({ search: `most=${100 - i}` })],
  ["GET overview", (i) => ({ search: `range=${i % 2 ? "24h" : "7d"}&app=app${i}` })],
  ["GET policy"],
  ["GET policy/[version]", (i) => ({ params: { version: `${1 + i}` } })],
  ["GET rates", (i) => ({ search: ratesSearch({ kind: "ip", periodSeconds: 60 + 60 * i, span: "1h" }) })],
  ["GET rates", (i) => ({ search: ratesSearch({ kind: "ip", periodSeconds: 10 + 20 * i, span: "1h" }) })],
  [
    "GET rates",
    (i) => ({ search: ratesSearch({ kind: "customer", periodSeconds: 60 + 60 * i, span: "24h" }) }),
  ],
  ["GET shadow", () => ({ search: "rule=busy" })],
  ["GET situation", (i) => ({ search: i % 2 ? "" : `app=app${i}` })],
  ["GET status"],
  ["GET customers", (i) => ({ search: `search=c${i}` })],
  ["GET customers/[id]", (i) => ({ params: { id: `c${i}` } })],
  ["GET usage", (i) => ({ search: `customer=c${i}` })],
  ["GET customers/[id]/day", (i) => ({ params: { id: `c${i}` } })],
  ["GET customers/[id]/addresses", (i) => ({ params: { id: `c${i}` } })],
  ["GET customers/[id]/changes", (i) => ({ params: { id: `c${i}` } })],
  ["GET customers/[id]/replay", (i) => ({ params: { id: `c${i}` }, search: `tier=&levels=60:${5 + i}` })],
  ["GET customers/[id]/preview", (i) => ({ params: { id: `c${i}` }, search: "tier=pro&levels=tier" })],
  ["GET clients/[client]", (i) => ({ params: { client: `10.0.0.${i}` } })],
  ["GET clients/[client]/reach", (i) => ({ params: { client: `10.${i}.0.0/16` } })],
  ["GET clients/[client]/names", (i) => ({ params: { client: `10.0.0.${i}` } })],
  ["GET clients/[client]/listings", (i) => ({ params: { client: `10.0.0.${i}` } })],
  ["POST owners", (i) => ({ body: { addresses: Array.from({ length: 250 }, (_, n) => `10.${i}.0.${n}`) } })],
  [
    "POST networks",
    (i) => ({ body: { addresses: Array.from({ length: 250 }, (_, n) => `${n}.${i}.0.0/16`) } }),
  ],
  ["POST look-up", (i) => ({ body: { q: `${i}`.padEnd(4_096, "x") } })],
  ["POST look-up", (i) => ({ body: { q: importedAddress(i) } })],
];

/** Of what `fillConsole` has filled. */
function ratesSearch({
  kind,
  periodSeconds,
  span,
}: {
  kind: string;
  periodSeconds: number;
  span: string;
}): string {
  return `scope=${busyScope}&kind=${kind}&periodSeconds=${periodSeconds}&span=${span}&limit=${1_000 + periodSeconds}`;
}

const begin = ([read, of]: (typeof everyRead)[number], i: number) => ask(read, of?.(i));

/** What a viewer may not do is refused before much is done. */
const refused: readonly (() => Promise<unknown>)[] = [
  () => previewLines({ list, text: "203.0.113.9\n".repeat(80_000), ttlMs: null, reason: "", confirmed: [] }),
  () =>
    importText({
      ...{ list, text: "203.0.113.9,never\n".repeat(50_000), ttlMs: null, reason: "", confirmed: [] },
      expected: ["203.0.113.9"],
    }),
  () =>
    addLines({
      ...{ list, ttlMs: null, reason: "", confirmed: [] },
      addresses: Array.from({ length: 20_000 }, (_, i) => `2001:db8:${(i % 9_000) + 1_000}::1`),
    }),
  () => undoChange({ n: 1 }),
  () => undoChange({ n: 1, addresses: [importedAddress(imported - 1)] }),
  () => undoChange({ changes: Array.from({ length: 100 }, (_, i) => i + 1) }),
];

/** All of it at once, as requests arrive. */
async function flood(first: number): Promise<void> {
  const answers: Promise<unknown>[] = refused.map((write) =>
    write().then((answer) => expect(answer).toMatchObject({ error: { code: "not-allowed" } })),
  );
  for (let i = first; i < first + sameAtOnce; i++) {
    for (const read of everyRead) {
      answers.push(begin(read, i));
      await nextPass();
    }
  }
  await Promise.all(answers);
}

it("measures every read: each route is one of a viewer, is refused to a viewer, or reads for no user", async () => {
  const isOther = (route: string) => otherRoutes.includes(route.replace(/^\w+ /, ""));
  const known = [...Object.keys(viewerReads), ...Object.keys(refusedReads)];
  expect(known.toSorted()).toEqual(
    routesFound()
      .filter((route) => !isOther(route))
      .toSorted(),
  );
  expect(new Set(everyRead.map(([read]) => read))).toEqual(new Set(Object.keys(viewerReads)));
  await console.signIn("viewer");
  for (const [read, route] of Object.entries(refusedReads)) {
    const answer = await route(new Request("http://console.example.org/api"), {
      params: Promise.resolve({}),
    });
    expect(answer.status, read).toBe(403);
  }
});

it("no viewer holds the process: the check answers beside the worst of reads", async () => {
  await fillConsole(console.log.client, console.log.signed());
  await eventually(() => expect(theCatalogue().sizes.blocklist).toBe(held), 30_000);
  await console.signIn("viewer");
  // What is read once in a process, is.
  for (const read of everyRead) await begin(read, 0);

  const checks = new Checks(token, console.log.client);
  const idleMs = (await checks.during(() => pause(500))).at(-1) ?? Number.POSITIVE_INFINITY;
  // The machine has other work, too: what holds the process up, or delays the check, does so each time.
  const alone: { read: string; turnMs: number; checkMs: number }[] = [];
  for (const [place, read] of everyRead.entries()) {
    const [first, second] = [
      await measured(checks, () => begin(read, 7)),
      await measured(checks, () => begin(read, 8)),
    ];
    alone.push({
      read: `${place} ${read[0]}`,
      turnMs: Math.min(first.turnMs, second.turnMs),
      checkMs: Math.min(first.checkMs, second.checkMs),
    });
  }
  const rounds: number[] = [];
  const beside = await checks.during(async () => {
    for (const i of [1, 4, 11]) rounds.push(await longestTurn(() => flood(i)));
  });
  const p99 = beside[Math.floor(beside.length * 0.99)] ?? Number.POSITIVE_INFINITY;

  const isSlow = ({ turnMs, checkMs }: (typeof alone)[number]) => turnMs > 100 || checkMs > idleMs + 100;
  expect(alone.filter(isSlow)).toEqual([]);
  expect(Math.min(...rounds)).toBeLessThan(100);
  expect(beside.length).toBeGreaterThan(50);
  expect(p99).toBeLessThan(500);
}, 240_000);

/** The longest turn of the event loop, and the slowest check, while the work is done. */
async function measured(
  checks: Checks,
  work: () => Promise<unknown>,
): Promise<{ turnMs: number; checkMs: number }> {
  let turnMs = 0;
  const latencies = await checks.during(async () => {
    turnMs = await longestTurn(work);
  });
  return { turnMs, checkMs: latencies.at(-1) ?? Number.POSITIVE_INFINITY };
}
