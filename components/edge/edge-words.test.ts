import { expect, it } from "vitest";
import type { EdgeDictionary, EdgeReply } from "@/lib/queries/edge.ts";
import { lookOf, sayLettingIn, sayLimited, sayRoom, saySwitching } from "./edge-words.ts";

const dictionary: EdgeDictionary = {
  ...{ kind: "varnish", name: "varnish 127.0.0.1:6082", capacity: 1_000, wished: 12, actual: 12 },
  ...{ behindSince: null, trouble: null, callsLastHour: null, callsAnHour: null },
};
const last = { at: 0, ms: 2, by: "web-1:7", found: 12, kept: 12, dictionaries: [dictionary] };
const edge = (said: Partial<EdgeReply> = {}): EdgeReply => ({
  ...{ asOf: 0, isOn: true, switched: null, mode: "enforce", coolDownMinutes: 10, limited: 12 },
  ...{ mostLetIn: 200, isNamed: true, problem: null, last, isStale: false, sweeps: [] },
  ...said,
});
const at = (...dictionaries: EdgeDictionary[]) => ({ ...last, dictionaries });
const troubled = { ...dictionary, trouble: "No answer." };
const unconnected = { isNamed: false, last: at() };

it.each([
  [{}, "12 clients denied"],
  [{ limited: 1 }, "1 client denied"],
  [{ limited: 0 }, "no client is denied now"],
  [{ isStale: true }, "edge sync is stopped: 12 clients should be denied"],
  [{ last: at(dictionary, troubled) }, "sync fails at 1 of 2 edges: 12 clients should be denied"],
  [{ limited: 0, last: at(troubled) }, "sync fails at 1 of 1 edge"],
  [
    { isOn: false, isStale: true },
    "no client is denied, because the edge is off: 12 clients would be denied",
  ],
  [{ isOn: false }, "no client is denied, because the edge is off: 12 clients would be denied"],
  [{ mode: "shadow" }, "no client is denied, because the mode is shadow: 12 clients would be denied"],
  [{ mode: "off", limited: 0 }, "no client is denied, because the mode is off"],
  [unconnected, "no edge is connected: 12 clients would be denied"],
  [{ ...unconnected, isOn: false }, "no edge is connected: 12 clients would be denied"],
  [{ isNamed: false }, "12 clients denied"],
  [{ last: null }, "12 clients denied"],
  [
    { last: null, problem: "SLUICE_EDGE: write varnish://…" },
    "no edge is connected: 12 clients would be denied",
  ],
] as const)("of %j it says: %s", (said, words) => {
  expect(sayLimited(edge(said))).toBe(words);
});

it.each([
  [{}, /^Lets in the 12 clients that are denied now/, "Switch off and let in 12"],
  [{ limited: 0 }, /^No client is denied now/, "Switch off"],
  [{ mode: "shadow" }, /^No client is denied now/, "Switch off"],
  [{ isOn: false }, /^Denies the 12 clients/, "Switch on and deny 12"],
  [{ isOn: false, mode: "shadow" }, /once an edge is connected and the mode is enforce/, "Switch on"],
  [{ isOn: false, limited: 0 }, /^Denies clients that exceed the edge limit from now on\.$/, "Switch on"],
] as const)("before %j is switched it says what that does", (said, effect, verb) => {
  expect(saySwitching(edge(said))).toMatchObject({ effect: expect.stringMatching(effect), verb });
});

it.each([
  [{}, "pass", "In sync"],
  [{ actual: null }, "plain", "Not read yet"],
  [{ behindSince: 1_000, actual: 3 }, "throttled", "Behind for 9 s"],
  [{ behindSince: 1_000, trouble: "Fastly does not answer." }, "blocked", "Sync failing for 9 s"],
] as const)("a dictionary with %j is %s: %s", (said, tone, word) => {
  expect(lookOf({ ...dictionary, ...said }, 10_000)).toEqual({ tone, word });
});

it("says who is there when not all fit", () => {
  expect(sayRoom(dictionary, 12)).toBe("1,000 fit");
  expect(sayRoom(dictionary, 100_000)).toBe("1,000 of 100,000 fit: the clients with the most requests");
});

it("promises nothing for an edge that is not in sync", () => {
  expect(sayLettingIn(edge())).toMatch(/within about 1 s/);
  expect(sayLettingIn(edge({ last: at(troubled) }))).toMatch(/as soon as it is in sync again/);
  expect(sayLettingIn(edge({ isOn: false }))).toBe("Their earlier requests no longer count.");
});
