import fc from "fast-check";
import { expect, it } from "vitest";
import { covers, format } from "./block.ts";
import { blockOf, isCanonical, parseAddress, parseIp, readBlock } from "./parse.ts";
import { anyBlock, v6Spelling } from "./vitest.blocks.ts";

/** Times the usual number of cases. More in a search for a fault: `FUZZ=30 npm run test:unit -- lib/ip/parse.fuzz.test.ts`. */
const times = Number(process.env.FUZZ ?? 1);

const odd = fc.constantFrom(
  ..."\u0000\u001b\u007f\u0085\u200b\u202e\ufeff０１．：/%[],; \t\n-+xXoeE",
  "\ud800",
  "💥",
  "::",
  "/0",
  "/-1",
  "0x",
  "..",
);

const valid = fc.oneof(
  anyBlock.map(format),
  v6Spelling.map(({ text }) => text),
  fc.tuple(v6Spelling, fc.nat(130)).map(([{ text }, length]) => `${text}/${length}`),
);

const mutated = fc
  .tuple(
    valid,
    fc.array(fc.tuple(fc.nat(50), fc.nat(3), fc.oneof(odd, fc.string({ maxLength: 2 }))), { maxLength: 3 }),
  )
  .map(([text, changes]) =>
    changes.reduce((sum, [at, cut, put]) => sum.slice(0, at) + put + sum.slice(at + cut), text),
  );

const long = fc
  .tuple(
    fc.constantFrom("1", ":", ".", "0", " ", "1.2.3.4,", "ffff:", "/", "[", "%"),
    fc.integer({ min: 50, max: 9_000 }),
  )
  .map(([piece, times]) => piece.repeat(times));

function judge(text: string): void {
  for (const parsed of [parseAddress(text), parseIp(text)]) {
    if (parsed.ok) {
      expect(isCanonical(parsed.value)).toBe(true);
      expect(readBlock(text.trim())).toEqual(readBlock(parsed.value));
      continue;
    }
    expect(parsed.reason).toMatch(/^[ -~\ufffd…]{10,200}$/);
    expect(longestEcho(text, parsed.reason)).toBeLessThanOrEqual(60);
    if (parsed.suggestion === undefined) continue;
    expect(isCanonical(parsed.suggestion)).toBe(true);
    const written = readBlock(text.trim().split("/", 1)[0] ?? "");
    if (written?.family === blockOf(parsed.suggestion).family) {
      expect(covers(blockOf(parsed.suggestion), written)).toBe(true);
    }
  }
}

/** The reason up to the words that follow what was echoed. */
function longestEcho(text: string, reason: string): number {
  return text.trim() === "" ? 0 : (reason.split(/ is (?:not|a range|too)| begins inside/)[0]?.length ?? 0);
}

it(
  "reads any text without a crash, into a canonical address or a printable reason",
  () => {
    const runs = (usual: number) => ({ numRuns: usual * times, endOnFailure: true });
    fc.assert(fc.property(mutated, judge), runs(3_000));
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 80 }), judge), runs(400));
    fc.assert(fc.property(long, judge), runs(100));
  },
  30_000 * times,
);
