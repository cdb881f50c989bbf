import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { at } from "../../at.ts";
import { formatIp, scan } from "../../ip/block.ts";
import { AsTable } from "./as-table.ts";
import { embeddedData } from "./embedded-data.ts";
import { sampleAddresses } from "./vitest.sample-addresses.ts";

/** The rows of a CSV file, read by other means than the table. */
interface Rows {
  readonly texts: readonly (readonly string[])[];
  readonly firsts: readonly string[] | Float64Array;
  readonly lasts: readonly string[] | Float64Array;
}

const hex = (groups: string) =>
  groups
    .split(":")
    .filter(Boolean)
    .map((group) => group.padStart(4, "0"));

const ofV4 = (text: string) => text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);

/** All 32 digits, whose order is that of the addresses. */
function ofV6(text: string): string {
  const [left = "", right = ""] = text.split("::");
  const zeros = "0000".repeat(8 - hex(left).length - hex(right).length);
  return `${hex(left).join("")}${zeros}${hex(right).join("")}`;
}

function rowsOf(file: string): Rows {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const texts = lines.map((line) => line.split(","));
  const column = (index: number) => texts.map((row) => row[index] ?? "");
  if (file.includes("ipv6")) return { texts, firsts: column(0).map(ofV6), lasts: column(1).map(ofV6) };
  return { texts, firsts: Float64Array.from(column(0), ofV4), lasts: Float64Array.from(column(1), ofV4) };
}

/** The last row that has each of these addresses, by a look at each row: which of the sorted addresses are between its ends. */
function rowsWith({ texts, firsts, lasts }: Rows, ips: readonly string[]) {
  const asked = ips
    .map((ip) => ({ ip, value: ip.includes(":") ? ofV6(ip) : ofV4(ip) }))
    .toSorted((one, other) => (one.value < other.value ? -1 : 1));
  const found = new Map<string, readonly string[]>();
  for (const [i, text] of texts.entries()) {
    const [first = 0, last = 0] = [firsts[i], lasts[i]];
    let [low, high] = [0, asked.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(asked, middle).value < first) low = middle + 1;
      else high = middle;
    }
    for (let one = asked[low]; one && one.value <= last; one = asked[++low]) found.set(one.ip, text);
  }
  return found;
}

const nameIn = ([, , , ...parts]: readonly string[]) => {
  const text = parts.join(",").trim();
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
};

it("finds for a thousand addresses what a scan of each line of the files finds", async () => {
  const { as } = embeddedData();
  if (!as) throw new Error("npm ci installs the data");
  const table = await AsTable.load(as.files);
  const files = as.files.map(rowsOf);
  const ends = files.flatMap(({ texts }) =>
    texts.filter((_, i) => i % 4_001 === 0).map((row) => row.slice(0, 2)),
  );
  const blocks = [...ends.flat().flatMap((text) => scan(text) ?? []), ...sampleAddresses(1_000)];
  const rowsOfFamily = ([4, 6] as const).map((family, i) => {
    const ips = blocks.filter((block) => block.family === family).map(formatIp);
    return [family, rowsWith(at(files, i), ips)] as const;
  });
  const rowsBy = new Map(rowsOfFamily);
  let known = 0;
  for (const block of blocks) {
    const ip = formatIp(block);
    const row = rowsBy.get(block.family)?.get(ip);
    if (row) known++;
    const facts = row && { asn: Number(row[2]), asName: nameIn(row) };
    expect(table.find(block), ip).toEqual(facts ? { facts } : {});
  }
  expect(blocks.length).toBeGreaterThan(1_200);
  expect(known).toBeGreaterThan(800);
}, 120_000);

it("knows the day of the data", () => {
  const { as, country } = embeddedData();
  expect([as?.madeAt, country?.madeAt]).toEqual([
    new Date("2026-06-17T19:00Z"),
    new Date("2026-06-17T19:00Z"),
  ]);
});

it("finds no packages where none are installed", () => {
  expect(embeddedData(["/"])).toEqual({ country: undefined, as: undefined });
});
