import { expect } from "vitest";
import { sealFrom } from "../../manage/audit/seal.ts";
import { at } from "../../manage/lists/vitest.context.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis } from "../../redis/testing.ts";
import { createGuard, type Guard } from "./guard.ts";

export const ip = "203.0.113.9";
export const nthIp = (n: number) => `11.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

export const tenThousand = () =>
  Array.from({ length: 10_000 }, (_, n) => [keys.entry("blocklist", at(nthIp(n))), "x"]).flat();

/** A Redis of its own that refuses client tracking to the account of the nodes, and the nodes of one test. */
export async function openStage() {
  const server = await startRedis();
  await server.client.call("ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all", "-client|tracking");
  const guards = new Set<Guard>();
  const lines: string[] = [];
  const polled = () => `redis://app:secret@127.0.0.1:${server.port}`;
  const by = () => ({
    actor: { name: "ada@example.org", via: "console" as const },
    redis: server.client,
    seal: sealFrom("a secret of the tests"),
    protectedRanges: [],
  });
  const changeEntries = async (): Promise<Record<string, string>[]> => {
    const entries = await server.client.xrange(keys.changes(), "-", "+");
    return entries.map(([, fields]) =>
      Object.fromEntries(fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1] ?? ""]] : []))),
    );
  };
  /** What processes that scanned for all said of their scans. */
  const scanMarks = async () =>
    (await changeEntries()).flatMap(({ scan, since }) => (scan ? [{ kind: scan, since }] : []));
  return {
    ...{ server, guards, lines, polled, by, scanMarks },
    walks: async () => (await scanMarks()).filter(({ kind }) => kind === "walked").length,
    announcedKeys: async () =>
      (await changeEntries()).flatMap(({ keys: written }) => JSON.parse(written ?? "[]")),
    /** A check that is not blocked would count in Redis. */
    withoutRules: () =>
      setPolicy(by(), { policy: { mode: "enforce", rules: [], tiers: {} }, basedOn: 0, reason: "a test" }),
    async guarded(app: string, redis = polled()): Promise<Guard> {
      const guard = createGuard({ redis, app, log: (line) => lines.push(line) });
      guards.add(guard);
      await guard.ready();
      return guard;
    },
    async closeGuards() {
      await Promise.all([...guards].map((guard) => guard.close()));
      guards.clear();
    },
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** A stage for a test that waits beside others. */
export async function onOwnStage(test: (stage: Stage) => Promise<void>): Promise<void> {
  const own = await openStage();
  try {
    await test(own);
  } finally {
    await own.closeGuards();
    await own.server.stop();
  }
}

export const outcome = async (guard: Guard, address = ip) => (await guard.check({ ip: address })).outcome;
export const becomes = (guard: Guard, wanted: string, address = ip, withinMs = 5_000) =>
  eventually(async () => expect(await outcome(guard, address)).toBe(wanted), withinMs);

export const percentile = (took: readonly number[], share: number) =>
  took.toSorted((a, b) => a - b)[Math.ceil(took.length * share) - 1] ?? Number.NaN;
