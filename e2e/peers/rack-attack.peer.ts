import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { theConsole } from "@/lib/console/console.ts";
import { readOffenders } from "@/lib/console/stats/read-offenders.ts";
import { createGuard, type Guard } from "@/lib/enforce/guard/guard.ts";
import { CounterScan } from "@/lib/observe/stats/counter-scan.ts";
import { eventually, freePort, startRedis, type TestRedis } from "@/lib/redis/testing.ts";
import { savePolicy, secret } from "../fixtures/policy.ts";
import { roomInWindow } from "../fixtures/window.ts";
import { UncountedPass, whileCounted } from "./while-counted.ts";

/** As in rack-attack.ru: S1's ladder, made short. */
const ladder = [
  { name: "req/ip/1", limit: 5, periodSeconds: 300 },
  { name: "req/ip/2", limit: 8, periodSeconds: 1_800 },
] as const;
const [first, second] = ladder;

let server: TestRedis;
let guard: Guard;
let railsUrl: string;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await startRedis();
  ends.push(() => server.stop());
  await enforceLadder();
  guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  ends.push(() => guard.close());
  await guard.ready();
  await startRails();
});

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

beforeEach(() => roomInWindow(first.periodSeconds, 20));

async function enforceLadder(): Promise<void> {
  const rule = { client: "ip", algorithm: "fixed" } as const;
  await savePolicy(server.client, {
    rules: ladder.map(({ name, limit, periodSeconds }) => ({
      ...rule,
      name,
      levels: [{ limit, periodSeconds }],
    })),
  });
}

async function startRails(): Promise<void> {
  const port = await freePort();
  railsUrl = `http://127.0.0.1:${port}`;
  const words = ["-s", "webrick", "-E", "none", "-q", "-o", "127.0.0.1", "-p", String(port)];
  const app = fileURLToPath(new URL("rack-attack.ru", import.meta.url));
  const rails = spawn("rackup", [...words, app], {
    env: { ...process.env, REDIS_URL: server.url },
    stdio: ["ignore", "ignore", "pipe"],
  });
  ends.push(() => end(rails));
  let said = "";
  rails.stderr.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  await eventually(async () => {
    if (rails.exitCode !== null) throw new Error(`rackup ended:\n${said}`);
    await fetch(railsUrl);
  }, 30_000);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

interface Answer {
  status: number;
  /** The rule that turned the request away. */
  by: string | undefined;
}

/** Rack believes X-Forwarded-For of a peer on loopback. */
async function askRails(ip: string, path = "/"): Promise<Answer> {
  const response = await fetch(railsUrl + path, { headers: { "x-forwarded-for": ip } });
  const body = await response.text();
  return { status: response.status, by: response.status === 429 ? body : undefined };
}

async function askGuard(ip: string): Promise<Answer> {
  const { status, rule, trouble } = await guard.check({ ip });
  if (trouble) throw new UncountedPass();
  return { status, by: status === 429 ? rule : undefined };
}

const stacks = { Rails: (ip: string) => askRails(ip), Sluice: askGuard };
type Turns = [one: keyof typeof stacks, other: keyof typeof stacks];
const both: Turns[] = [
  ["Rails", "Sluice"],
  ["Sluice", "Rails"],
];

/** One request after the other, to the two stacks in turn. */
async function takeTurns(ip: string, times: number, [one, other]: Turns): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < times; i++) answers.push(await stacks[i % 2 === 0 ? one : other](ip));
  return answers;
}

let clients = 0;
const newcomer = () => `203.0.113.${++clients}`;

const keyOf = ({ name, periodSeconds }: (typeof ladder)[number], ip: string) =>
  `rack::attack:${Math.floor(Date.now() / 1_000 / periodSeconds)}:${name}:${ip}`;
const countersOf = async (ip: string) => (await server.client.keys(`*:${ip}`)).sort();
const passes = (times: number): Answer[] =>
  Array.from({ length: times }, () => ({ status: 200, by: undefined }));
const denied = (by: string): Answer => ({ status: 429, by });

/** rack-attack's clock has whole seconds, and its keys live one second longer than the window. */
async function expectExpiry(rule: (typeof ladder)[number], ip: string): Promise<void> {
  const periodMs = rule.periodSeconds * 1_000;
  const windowEndsAt = (Math.floor(Date.now() / periodMs) + 1) * periodMs;
  const extraMs = (await server.client.pexpiretime(keyOf(rule, ip))) - windowEndsAt;
  expect(extraMs).toBeGreaterThan(900);
  // The rest of the whole second, and the time that a busy machine takes from reading the clock to writing the key.
  expect(extraMs).toBeLessThanOrEqual(4_000);
}

it.each(both)("%s and %s count into one counter, byte for byte", async (...turns) => {
  await whileCounted(async () => {
    const ip = newcomer();
    expect(await takeTurns(ip, 4, turns)).toEqual(passes(4));
    expect(await countersOf(ip)).toEqual(ladder.map((rule) => keyOf(rule, ip)).sort());
    for (const rule of ladder) {
      expect(await server.client.get(keyOf(rule, ip))).toBe("4");
      await expectExpiry(rule, ip);
    }
  });
});

it.each(both)("%s and %s turn away at the same request, and go on doing so", async (...turns) => {
  await whileCounted(async () => {
    const ip = newcomer();
    expect(await takeTurns(ip, 5, turns)).toEqual(passes(5));
    const [one, other] = turns;
    // The sixth, as the one would answer it and as the other would.
    expect(await stacks[other](ip)).toEqual(denied(first.name));
    expect(await stacks[one](ip)).toEqual(denied(first.name));
    expect(await takeTurns(ip, 4, turns)).toEqual(Array.from({ length: 4 }, () => denied(first.name)));
  });
});

it.each(both)("%s and %s go on to the ladder's second level together", async (...turns) => {
  await whileCounted(async () => {
    const ip = newcomer();
    const beginFirstWindow = () => server.client.del(keyOf(first, ip));
    expect(await takeTurns(ip, 4, turns)).toEqual(passes(4));
    await beginFirstWindow();
    expect(await takeTurns(ip, 4, turns)).toEqual(passes(4));
    await beginFirstWindow();
    expect(await takeTurns(ip, 2, turns)).toEqual([denied(second.name), denied(second.name)]);
  });
});

it.each(both)("%s lets 5 pass, and %s turns the next one away", async (one, other) => {
  await whileCounted(async () => {
    const ip = newcomer();
    expect(await takeTurns(ip, 5, [one, one])).toEqual(passes(5));
    for (const rule of ladder) await expectExpiry(rule, ip);
    expect(await stacks[other](ip)).toEqual(denied(first.name));
    // rack-attack counts what it turns away, and Sluice does not.
    expect(await server.client.get(keyOf(first, ip))).toBe(other === "Rails" ? "6" : "5");
    expect(await server.client.get(keyOf(second, ip))).toBe("5");
  });
});

it("obeys the safelist before the blocklist before the throttles, as Rails does", async () => {
  await whileCounted(async () => {
    const ip = newcomer();
    const statuses = async () => [(await askRails(ip)).status, (await askGuard(ip)).status];
    const become = (status: number) =>
      eventually(async () => expect(await statuses()).toEqual([status, status]));
    await takeTurns(ip, 6, ["Rails", "Sluice"]);
    await become(429);
    const counted = await server.client.mget(...ladder.map((rule) => keyOf(rule, ip)));
    await server.client.setex(`blocklist:${ip}`, 604_800, "x");
    await become(403);
    await server.client.setex(`safelist:${ip}`, 604_800, "x");
    await become(200);
    // Who is on a list is not counted by either.
    await takeTurns(ip, 6, ["Rails", "Sluice"]);
    expect(await server.client.mget(...ladder.map((rule) => keyOf(rule, ip)))).toEqual(counted);
    await server.client.del(`safelist:${ip}`);
    await become(403);
    await server.client.del(`blocklist:${ip}`);
    await become(429);
  });
});

/** What stands behind the console's pages, in this process, with the walk over all counters. */
function openConsole(): CounterScan {
  vi.stubEnv("REDIS_URL", server.url);
  vi.stubEnv("NEXTAUTH_SECRET", secret);
  const { redis, counters } = theConsole();
  const scan = new CounterScan(counters, redis);
  ends.push(async () => {
    scan.stop();
    redis.disconnect();
    counters.disconnect();
    vi.unstubAllEnvs();
  });
  return scan;
}

it("whom Rails alone throttles, the console's table names, and says how old that is", async () => {
  const logins = { name: "logins/ip", periodSeconds: 60 } as const;
  await roomInWindow(logins.periodSeconds, 40);
  const [climber, guesser] = [newcomer(), newcomer()];
  for (let i = 0; i < 7; i++) await askRails(climber);
  for (let i = 0; i < 3; i++) await askRails(guesser, "/login");
  expect(await askRails(climber)).toEqual(denied(first.name));
  expect(await askRails(guesser, "/login")).toEqual(denied(logins.name));

  const scan = openConsole();
  const offender = async (client: string) => {
    const { clients, foreignAgeMs } = await readOffenders(undefined, 100);
    return { age: foreignAgeMs, row: clients.find((one) => one.client === client) };
  };
  // No node of Sluice was ever asked about them.
  expect(await offender(climber)).toEqual({ age: null, row: undefined });
  expect(await offender(guesser)).toEqual({ age: null, row: undefined });

  void scan.run();
  await eventually(async () => expect((await offender(climber)).age).not.toBeNull());
  const unasked = { requests: 0, denied: 0, requestsPerSecond: 0, deniedPerSecond: 0, app: "" };
  const fixed = { algorithm: "fixed", isShadowed: false };
  const { age, row } = await offender(climber);
  expect(age).toBeLessThan(20_000);
  // Of a rule that both have, its limit is known, too.
  expect(row).toMatchObject({
    ...{ ...unasked, kind: "ip", standing: "throttled" },
    counter: { ...fixed, rule: first.name, used: 8, limit: 5, isOver: true },
  });
  const other = (await offender(guesser)).row;
  expect(other).toMatchObject({
    ...{ ...unasked, kind: "rule", standing: "unknown" },
    counter: { ...fixed, rule: logins.name, used: 4, limit: null, isOver: false },
  });
  expect(other?.counter?.periodSeconds).toBe(logins.periodSeconds);
  for (const { resetMs = 0, periodSeconds = 0 } of [row?.counter ?? {}, other?.counter ?? {}]) {
    expect(resetMs).toBeGreaterThan(0);
    expect(resetMs).toBeLessThanOrEqual(1_000 * periodSeconds);
  }
}, 120_000);
