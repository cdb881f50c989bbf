import { expect, it } from "vitest";
import { isBad, readImport, readLines } from "./import-lines.ts";
import { messyLines, messyText } from "./vitest.messy-paste.ts";

const { ports, hostBits, bracketed, accessLog, named, defanged, spans, wildcards, comments, ...others } =
  messyLines;
const { notes, scrapers, counts, urls, addresses, v6, networks, customers, words, typos } = others;

it("takes the address of every line that has exactly one", () => {
  expect(messyText.split("\n")).toHaveLength(206);
  const read = new Set(readImport(messyText).lines.map(({ line }) => line));
  const whole = [ports, bracketed, accessLog, named, defanged, spans, notes, scrapers, counts, urls];
  const taken = [...whole, addresses, v6, networks, customers].flat();
  expect(read.size).toBe(taken.length);
  expect(taken.length).toBe(144);
  const texts = messyText.split("\n");
  expect([...read].map((line) => texts[line - 1])).toEqual(texts.filter((text) => taken.includes(text)));
});

it("takes no address of another server, of a comment, or of a line in doubt", () => {
  const taken: readonly string[] = readImport(messyText).lines.map(({ address }) => address);
  for (const address of ["192.0.2.99", "119.0.0.0", "192.0.2.1", "192.0.2.2", "192.0.2.3", "1.24.0.1"])
    expect(taken).not.toContain(address);
  expect(taken.some((address) => /^198\.1[89]\./.test(address))).toBe(false);
});

it("has a suggestion for every guess, and explains the rest", () => {
  const bad = [...readLines(messyText)].filter(isBad);
  const suggested = bad.flatMap(({ suggestions = [] }) => suggestions);
  expect(suggested).toEqual([
    ...hostBits.map((_, i) => `198.18.${i}.128/28`),
    ...wildcards.map((_, i) => `198.19.${i}.0/24`),
  ]);
  const faults = bad.filter(({ suggestions }) => !suggestions).map(({ fault }) => fault);
  expect(faults).toEqual([...words.map(() => "no-address"), ...typos.map(() => "not-an-address")]);
  expect(comments).toHaveLength(8);
});

it("takes every line once its suggestions are used", () => {
  const suggestions = new Map([...readLines(messyText)].map((line) => [line.line, line]));
  const used = messyText.split("\n").flatMap((text, i) => {
    const line = suggestions.get(i + 1);
    return line && isBad(line) && line.suggestions ? line.suggestions : [text];
  });
  expect(new Set(readImport(used.join("\n")).lines.map(({ line }) => line)).size).toBe(144 + 45);
});
