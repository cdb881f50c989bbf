import { protectedRanges } from "../../enforce/lists/protected.ts";
import { type Cidr, type Ip, isCanonical } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import type { Actor } from "../audit/record.ts";
import { testLog } from "../audit/vitest.log.ts";
import type { ListContext } from "./change-entries.ts";

/** A server of this test file's own, empty before each test, and a context on it. */
export function testLists() {
  const log = testLog();
  const ranges = protectedRanges({ trustedProxies: [at("10.1.0.0/16")], neverBlock: [at("192.0.2.0/24")] });
  return {
    log,
    /** A foreign writer's hand. */
    get client() {
      return log.client;
    },
    ctx: (actor: Partial<Actor> = {}, on?: Connection): ListContext => ({
      ...log.signed(actor, on),
      protectedRanges: ranges,
    }),
    records: log.records,
    parts: log.parts,
    expectSoundChain: log.expectSoundChain,
  };
}

/** An address that the test's author knows to be canonical. */
export function at(text: string): Ip | Cidr {
  if (!isCanonical(text)) throw new Error(`${text} is not canonical`);
  return text;
}

/** The same, for a single address. */
export function ip(text: string): Ip {
  const parsed = at(text);
  if (parsed.includes("/")) throw new Error(`${text} is a range`);
  return parsed as Ip;
}

export async function collect<T>(things: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const thing of things) all.push(thing);
  return all;
}
