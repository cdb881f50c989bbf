import { expect, it, vi } from "vitest";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { clientReply } from "../../queries/client.ts";
import { policyReply } from "../../queries/policy.ts";
import { request, testActions } from "../actions/vitest.actions.ts";
import { getClient } from "../clients/client-reads.ts";
import { endsOf, getPolicy } from "./policy-page.ts";

vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({
    get: (name: string) => (request.cookies.has(name) ? { value: request.cookies.get(name) } : undefined),
  }),
}));
vi.mock("next/navigation", () => ({ redirect: () => {} }));

const console = testActions();

it("reports what passed above each limit in the last hour, and the nodes that share its slack", async () => {
  const { client } = console.log;
  const minute = Math.floor(Date.now() / 60_000);
  await client.hset(`sluice:series:60:${minute - 3}`, "shop\0over req/ip/1", 30, "shop\0denied req/ip/1", 9);
  for (const id of ["a", "b", "c"]) await client.zadd("sluice:nodes", Date.now(), id);
  await console.signIn("viewer");

  const asked = new Request("http://console.example.org/api/policy");
  const answer = await getPolicy(asked, { params: Promise.resolve({}) });
  const { nodes, lastHour } = policyReply.parse(await answer.json());
  expect(nodes).toBe(3);
  expect(lastHour).toEqual([{ rule: "req/ip/1", denied: 9, shadowed: 0, over: 30, exempt: 0 }]);

  const url = "http://console.example.org/api/clients/203.0.113.9";
  const params = Promise.resolve({ client: "203.0.113.9" });
  const { steps } = clientReply.parse(await (await getClient(new Request(url), { params })).json());
  expect(steps.at(-1)?.slack).toEqual([
    {
      rule: "req/ip/1",
      says: "Slack of req/ip/1 is 10%: up to 30 of 300 more, with 3 nodes. In the last hour, 30 passed above its limit.",
    },
    expect.objectContaining({ rule: "req/ip/2" }),
    expect.objectContaining({ rule: "rate/ip" }),
  ]);
});

it("says what each end of the policy in force changes, in the order of time", () => {
  const signed = { by: "ada@example.org", reason: "an event" };
  const rules = defaultPolicy.rules.filter(({ name }) => name !== "rate/ip");
  const policy = { ...defaultPolicy, mode: "shadow" as const, rules };
  const rule = defaultPolicy.rules.find(({ name }) => name === "rate/ip");
  const ends = endsOf(policy, {
    ends: [
      { part: "rules", name: "rate/ip", back: rule, atMs: 2_000, ...signed },
      { part: "mode", back: "enforce", atMs: 1_000, ...signed },
    ],
  });
  expect(ends.map(({ atMs, changes }) => [atMs, changes.length])).toEqual([
    [1_000, 1],
    [2_000, 1],
  ]);
  expect(ends[0]?.changes[0]).toContain("enforce");
  expect(ends[1]?.changes[0]).toContain("rate/ip");
  expect(endsOf(defaultPolicy)).toEqual([]);
});
