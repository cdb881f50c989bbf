import { expect, it } from "vitest";
import type { EdgeDictionary, EdgeReply } from "../../../lib/queries/edge.ts";
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
const troubled = { ...dictionary, trouble: "Nobody listens." };
const unconnected = { isNamed: false, last: at() };

it.each([
  [{}, "12 clients turned away"],
  [{ limited: 1 }, "1 client turned away"],
  [{ limited: 0 }, "nobody is turned away now"],
  [{ isStale: true }, "nobody sweeps: 12 clients should be turned away"],
  [{ last: at(dictionary, troubled) }, "trouble at 1 of 2 edges: 12 clients should be turned away"],
  [{ limited: 0, last: at(troubled) }, "trouble at 1 of 1 edge"],
  [
    { isOn: false, isStale: true },
    "nobody is turned away, because the edge is switched off: 12 clients would be turned away",
  ],
  [
    { isOn: false },
    "nobody is turned away, because the edge is switched off: 12 clients would be turned away",
  ],
  [{ mode: "shadow" }, "nobody is turned away, because the mode is shadow: 12 clients would be turned away"],
  [{ mode: "off", limited: 0 }, "nobody is turned away, because the mode is off"],
  [unconnected, "no edge is connected: 12 clients would be turned away"],
  [{ ...unconnected, isOn: false }, "no edge is connected: 12 clients would be turned away"],
  [{ isNamed: false }, "12 clients turned away"],
  [{ last: null }, "12 clients turned away"],
  [
    { last: null, problem: "SLUICE_EDGE: write varnish://…" },
    "no edge is connected: 12 clients would be turned away",
  ],
] as const)("of %j it says: %s", (said, words) => {
  expect(sayLimited(edge(said))).toBe(words);
});

it.each([
  [{}, /^Lets in the 12 who are turned away now/, "Switch off and let in 12"],
  [{ limited: 0 }, /^Nobody is turned away now/, "Switch off"],
  [{ mode: "shadow" }, /^Nobody is turned away now/, "Switch off"],
  [{ isOn: false }, /^Turns away the 12/, "Switch on and turn away 12"],
  [{ isOn: false, mode: "shadow" }, /as soon as nothing else stands against it/, "Switch on"],
  [{ isOn: false, limited: 0 }, /^Whoever comes too often from now on is turned away\.$/, "Switch on"],
] as const)("before %j is switched it says what that does", (said, effect, verb) => {
  expect(saySwitching(edge(said))).toMatchObject({ effect: expect.stringMatching(effect), verb });
});

it.each([
  [{}, "pass", "As wished"],
  [{ actual: null }, "plain", "Not read yet"],
  [{ behindSince: 1_000, actual: 3 }, "throttled", "Behind for 9 s"],
  [{ behindSince: 1_000, trouble: "Fastly does not answer." }, "blocked", "Trouble for 9 s"],
] as const)("a dictionary with %j is %s: %s", (said, tone, word) => {
  expect(lookOf({ ...dictionary, ...said }, 10_000)).toEqual({ tone, word });
});

it("says who is there when not all fit", () => {
  expect(sayRoom(dictionary, 12)).toBe("1,000 fit");
  expect(sayRoom(dictionary, 100_000)).toBe("1,000 of 100,000 fit: the worst are there");
});

it("promises nothing of an edge that does not follow", () => {
  expect(sayLettingIn(edge())).toMatch(/within one sweep/);
  expect(sayLettingIn(edge({ last: at(troubled) }))).toMatch(/as soon as it follows again/);
  expect(sayLettingIn(edge({ isOn: false }))).toBe("What they did until now no longer counts.");
});
