import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { environment } from "@/lib/env.ts";
import { documentedVariables } from "../scripts/docs-blocks.mjs";
import { startGuardedRedis } from "./vitest.acl.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const compose = read("compose.yaml");

/** The lines of one service, less their indentation. YAML is not parsed: this file keeps to one simple form of it. */
function service(name: string): string[] {
  const [, body] = compose.split(`\n  ${name}:\n`);
  if (body === undefined) throw new Error(`compose.yaml has no service ${name}`);
  const lines = body.split("\n");
  const end = lines.findIndex((line) => /^ {0,2}\S/.test(line) && !line.startsWith("  #"));
  return lines.slice(0, end).map((line) => line.slice(4));
}

/** The lines below a key of a service. */
function below(name: string, key: string): string[] {
  const lines = service(name);
  const start = lines.indexOf(`${key}:`);
  if (start < 0) throw new Error(`service ${name} has no ${key}`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^\S/.test(line));
  return rest.slice(0, end < 0 ? undefined : end).map((line) => line.trim());
}

const environmentOf = (name: string) =>
  new Map(
    below(name, "environment").flatMap((line): [string, string][] => {
      const [, variable, value] = /^([A-Z_]+): "?(.*?)"?$/.exec(line) ?? [];
      return variable === undefined || value === undefined ? [] : [[variable, value]];
    }),
  );

const documented = documentedVariables();

/** Compose has another way for the port, `npm run up` alone reads the host, the demonstration alone is marked as one, and the command line alone uses the API. */
const notPassed = ["PORT", "SLUICE_HOST", "SLUICE_DEMO", "SLUICE_URL", "SLUICE_API_TOKEN"];

describe("the environment", () => {
  it("reaches the console as it is documented", () => {
    expect(documented.length).toBeGreaterThan(20);
    const passed = environmentOf("console");
    expect(documented.filter((name) => !passed.has(name) && !notPassed.includes(name))).toEqual([]);
    expect([...passed.keys()].filter((name) => !documented.includes(name))).toEqual([]);
    for (const [name, value] of passed)
      expect(value, name).toContain(`\${${name === "REDIS_URL" ? "" : name}`);
  });

  it("is documented as far as lib/env.ts reads it", () => {
    const source = read("../lib/env.ts");
    const names = [...source.matchAll(/(?:text|flag)\("([A-Z_]+)"\)/g)].map(([, name = ""]) => name);
    const ofOidc = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET"].map((name) => `OIDC_${name}`);
    expect(new Set([...names, ...ofOidc].filter((name) => !documented.includes(name)))).toEqual(new Set());
    const unread = documented.filter((name) => ![...names, ...ofOidc, ...notPassed].includes(name));
    expect(unread).toEqual([]);
  });

  it("sets nothing by an empty variable", () => {
    for (const name of documented) vi.stubEnv(name, "");
    const { oidc, isOnlyCheck, isReverseDnsOff, isDemo, alarmsToPrivate, ...rest } = environment();
    vi.unstubAllEnvs();
    expect(oidc).toBeUndefined();
    expect([isOnlyCheck, isReverseDnsOff, isDemo, alarmsToPrivate]).toEqual([false, false, false, false]);
    expect(Object.values(rest).filter((value) => value !== undefined)).toEqual([]);
  });
});

describe("the check's own process", () => {
  it("is check only, and has neither the secret nor any sign-in settings", () => {
    const passed = environmentOf("check");
    expect(passed.get("SLUICE_ONLY_CHECK")).toBe("1");
    expect([...passed.keys()].filter((name) => /NEXTAUTH|ADMIN|OIDC|EDGE|FASTLY/.test(name))).toEqual([]);
  });
});

describe("the counters' Redis", () => {
  let server: Awaited<ReturnType<typeof startGuardedRedis>>;

  beforeAll(async () => {
    const words = below("counters", "command").map((line) => line.replace(/^- "?(.*?)"?$/, "$1"));
    const settings = words.slice(words.indexOf("/sluice/start-redis.sh") + 1);
    server = await startGuardedRedis(...settings.map((word) => word.replace(/^\$\{.*\}$/, "4mb")));
  });
  afterAll(() => server?.stop());

  it("is another server than that of the lists", () => {
    expect(environmentOf("console").get("REDIS_URL")).toMatch(/@redis:6379$/);
    expect(environmentOf("console").get("COUNTERS_REDIS_URL")).toMatch(/@counters:6379\}$/);
  });

  it("keeps nothing on disk, and drops counts when its memory is full instead of refusing", async () => {
    const settings = ["appendonly", "save", "maxmemory", "maxmemory-policy"];
    await server.as("console", async (redis) => {
      const values = await Promise.all(settings.map((name) => redis.config("GET", name)));
      expect(values.flat()).toEqual([
        ...["appendonly", "no", "save", "", "maxmemory", String(4 * 1024 ** 2)],
        ...["maxmemory-policy", "allkeys-lru"],
      ]);
    });
    await server.as("guard", async (redis) => {
      const flood = redis.pipeline();
      for (let i = 0; i < 40_000; i++) flood.set(`rack::attack:1:req/ip/1:203.0.113.${i}`, "1", "PX", 60_000);
      const refused = (await flood.exec())?.filter(([error]) => error !== null) ?? [];
      expect(refused).toEqual([]);
    });
    const kept = await server.as("console", (redis) => redis.dbsize());
    expect(kept).toBeGreaterThan(1_000);
    expect(kept).toBeLessThan(40_000);
  });
});
