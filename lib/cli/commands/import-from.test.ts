import { expect, it } from "vitest";
import { sluice } from "../testing.ts";

const app = `import { rateLimit } from "express-rate-limit";
app.use("/api", rateLimit({ windowMs: 60_000, limit: 100, ipv6Subnet: 64, handler: refuse }));
`;
const run = (library: string, stdin: string, ...options: string[]) =>
  sluice(["import", library, "-", ...options], { stdin });

it("prints a policy that policy check takes, and what it does not say by line", async () => {
  const { exit, stdout, stderr } = await run("express-rate-limit", app);
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    mode: "enforce",
    rules: [
      {
        ...{ name: "api", client: "ip", ipv6Prefix: 64, algorithm: "first-hit", mode: "shadow" },
        ...{ levels: [{ limit: 100, periodSeconds: 60 }], match: { only: ["/api"] } },
      },
    ],
    tiers: {},
  });
  expect(stderr.split("\n")).toEqual([
    "line 2: handler has no field in a rule.",
    "  Give the app's own answer with onDenied of createMiddleware.",
    "1 rule in shadow, 1 note.",
    "",
  ]);
  const check = await sluice(["policy", "check", "-"], { stdin: stdout });
  expect([check.exit, check.stdout]).toEqual([0, "The policy is valid: 1 rule, 0 tiers.\n"]);
});

it("prints rules and notes as one JSON document", async () => {
  const { stdout, stderr } = await run(
    "rack-attack",
    'throttle("a", limit: 5, period: 60) { |req| req.ip }',
    "--json",
  );
  expect(JSON.parse(stdout)).toMatchObject({ policy: { rules: [{ name: "a" }] }, notes: [] });
  expect(stderr).toBe("");
});

it.each(["express-rate-limit", "rate-limiter-flexible", "upstash", "rack-attack"])(
  "refuses a file without limiters of %s, and one that is not there",
  async (library) => {
    const { exit, stderr } = await run(library, "nothing");
    expect([exit, stderr]).toEqual([1, expect.stringContaining(`The file has nothing of ${library}`)]);
    const absent = await sluice(["import", library, "/nowhere/limits"], {});
    expect([absent.exit, absent.stderr]).toEqual([1, expect.stringContaining("The file cannot be read")]);
  },
);

it("refuses rules that make no valid policy", async () => {
  const many = Array.from(
    { length: 65 },
    (_, i) => `throttle("t${i}", limit: 5, period: 60) { |req| req.ip }`,
  );
  const { exit, stderr } = await run("rack-attack", many.join("\n"));
  expect([exit, stderr]).toEqual([1, expect.stringContaining("a policy has at most 64 rules")]);
});
