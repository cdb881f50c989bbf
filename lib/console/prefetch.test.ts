import { hashKey } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { addEntries } from "../manage/lists/add.ts";
import { at } from "../manage/lists/vitest.context.ts";
import { entries } from "../queries/entries.ts";
import { neverBlock } from "../queries/never-block.ts";
import { query } from "../queries/query.ts";
import { users } from "../queries/users.ts";
import { eventually } from "../redis/testing.ts";
import { request, testActions } from "./actions/vitest.actions.ts";
import { theCatalogue } from "./catalogue.ts";
import { inTime } from "./in-time.ts";
import { getEntries, getNeverBlock } from "./lists/list-reads.ts";
import { firstOfPages, type PageRead, pageRead, pageWaitMs, prefetch } from "./prefetch.tsx";
import { read } from "./read.ts";
import { findSignedIn } from "./session/session.ts";
import { getUsers } from "./stored-users.ts";

vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({
    get: (name: string) => (request.cookies.has(name) ? { value: request.cookies.get(name) } : undefined),
  }),
}));
vi.mock("next/navigation", () => ({ redirect: () => {} }));

const { log, signIn } = testActions();
const list = "blocklist" as const;

async function prefetched(...reads: PageRead[]): Promise<Record<string, unknown>> {
  const who = await findSignedIn({ isActivity: false });
  if (!who) throw new Error("No user is signed in");
  const { queries } = await prefetch(who, reads);
  return Object.fromEntries(queries.map(({ queryHash, state }) => [queryHash, state.data]));
}

const protectedRanges = pageRead(neverBlock(), getNeverBlock, {});
const onlyThese = [hashKey(neverBlock().queryKey)];

it("gives a page what the route answers, under the key that the browser uses", async () => {
  await signIn("viewer");
  await addEntries(
    { ...log.signed(), protectedRanges: [] },
    { list, addresses: [at("203.0.113.9")], reason: "a test", ttlMs: null },
  );
  await eventually(() => expect(theCatalogue().sizes.blocklist).toBe(1), 30_000);
  const rows = entries({ list, q: "203.0.113.9", limit: 10 });
  const answer = await getEntries(new Request(`http://console${rows.path}`), {
    params: Promise.resolve({ list }),
  });
  const expected = {
    ...rows.parse(await answer.json()),
    asOf: expect.any(Number),
    ageMs: expect.any(Number),
  };
  await eventually(async () => {
    const known = await prefetched(pageRead(rows, getEntries, { list }));
    expect(known[hashKey(rows.queryKey)]).toEqual(expected);
    expect(known[hashKey(rows.queryKey)]).toMatchObject({ entries: [{ address: "203.0.113.9" }] });
  });
});

it("gives the first page of an infinite query in its form", async () => {
  await signIn("viewer");
  await eventually(async () => {
    const known = await prefetched(firstOfPages(["all of them"], protectedRanges));
    expect(known).toEqual({ '["all of them"]': { pages: [expect.anything()], pageParams: [undefined] } });
  });
});

it("leaves out what the role may not read, and what the schema refuses", async () => {
  await signIn("viewer");
  const tooMany = pageRead(entries({ list, limit: 1_000 }), getEntries, { list });
  await eventually(async () => {
    const known = await prefetched(protectedRanges, pageRead(users(), getUsers, {}), tooMany);
    expect(Object.keys(known)).toEqual(onlyThese);
  });
});

it("does not wait for a read that hangs", async () => {
  await signIn("viewer");
  const never = read("read", z.object({}), () => new Promise(() => {}));
  const hanging = pageRead(query(["hanging"], "/api/hanging", z.object({})), never, {});
  await eventually(async () => {
    const begun = performance.now();
    const known = await prefetched(protectedRanges, hanging);
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(Object.keys(known)).toEqual(onlyThese);
  });
});

it("gives what comes in time, and fails with it; of what hangs it gives undefined", async () => {
  expect(await inTime(Promise.resolve("known"), pageWaitMs)).toBe("known");
  await expect(inTime(Promise.reject(new Error("refused")), pageWaitMs)).rejects.toThrow("refused");
  const begun = performance.now();
  expect(await inTime(new Promise(() => {}), pageWaitMs)).toBeUndefined();
  expect(performance.now() - begun).toBeLessThan(2_000);
});
