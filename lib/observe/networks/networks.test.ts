import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Block, format, scan } from "../../ip/block.ts";
import { AsTable } from "./as-table.ts";
import { Networks } from "./networks.ts";
import { mmdb } from "./vitest.mmdb.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-networks-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const block = (text: string): Block => {
  const found = scan(text);
  if (!found) throw new Error(text);
  return found;
};

function file(name: string, contents: Buffer | string): string {
  const path = join(folder, name);
  // Renamed into place, as geoipupdate does.
  writeFileSync(`${path}.new`, contents);
  renameSync(`${path}.new`, path);
  return path;
}

const csv4 = [
  '1.0.0.0,1.0.0.255,13335,"Cloudflare, Inc."',
  "1.0.1.0,1.0.1.127,64500,Example",
  "1.0.1.128,1.0.1.255,64500,Example",
  '1.0.4.0,1.0.4.255,64501,"LLC ""SPUTNIK"""',
  "2.0.0.0,2.1.0.255,64502,Wide",
  "2.1.0.0,2.1.3.255,64503,Later",
].join("\n");
const csv6 =
  "2001:200::,2001:200:1b9:ffff:ffff:ffff:ffff:ffff,2500,WIDE Project\n2001:200:1ba::,2001:200:1ba::7f,64500,Example\n";

const embeddedAs = () => ({
  country: undefined,
  as: {
    name: "as-data",
    files: [file("4.csv", csv4), file("6.csv", csv6)],
    madeAt: new Date("2026-06-17T19:00:00Z"),
  },
});

it.each([
  ["1.0.0.0", { facts: { asn: 13335, asName: "Cloudflare, Inc." } }],
  ["1.0.0.255", { facts: { asn: 13335, asName: "Cloudflare, Inc." } }],
  ["0.255.255.255", {}],
  ["1.0.2.0", {}],
  ["1.0.4.9", { facts: { asn: 64501, asName: 'LLC "SPUTNIK"' } }],
  ["1.0.1.0/24", { facts: { asn: 64500, asName: "Example" } }],
  ["1.0.0.0/23", { isSeveral: true }],
  ["1.0.2.0/23", {}],
  ["1.0.4.0/23", { isSeveral: true }],
  ["0.0.0.0/7", { isSeveral: true }],
  ["2.1.0.5", { facts: { asn: 64503, asName: "Later" } }],
  ["2.0.255.255", { facts: { asn: 64502, asName: "Wide" } }],
  ["255.255.255.255", {}],
  ["2001:200::1", { facts: { asn: 2500, asName: "WIDE Project" } }],
  ["2001:200:1b9::/48", { facts: { asn: 2500, asName: "WIDE Project" } }],
  ["2001:200:1ba::7f", { facts: { asn: 64500, asName: "Example" } }],
  ["2001:200:1ba::80", {}],
  ["2001:200:1ba::/64", { isSeveral: true }],
])("finds %s in the table of autonomous systems", async (text, found) => {
  const { as } = embeddedAs();
  const table = await AsTable.load(as.files);
  expect(table.find(block(text))).toEqual(found);
});

it("refuses a table that is cut, out of order, or something else", async () => {
  for (const [name, text] of [
    ["cut", "1.0.0.0,1.0.0.255,13335,X\n1.0.1.0,1.0"],
    ["order", "1.0.1.0,1.0.1.255,1,X\n1.0.0.0,1.0.0.255,2,Y\n"],
    ["empty-range", "1.0.1.9,1.0.1.0,1,X\n"],
    ["html", "<html>\n"],
  ] as const) {
    await expect(AsTable.load([file(name, text)]), name).rejects.toThrow(/is damaged after \d range/);
  }
});

it("reads files of the operator first, and fills what they leave out", async () => {
  const country = file(
    "country.mmdb",
    mmdb([["1.0.0.0/24", { country: { iso_code: "AU" } }]], { ipVersion: 4 }),
  );
  const anonymous = file(
    "anonymous.mmdb",
    mmdb([
      ["1.0.0.0/24", { is_tor_exit_node: true }],
      ["2001:200::/32", { autonomous_system_number: 7, autonomous_system_organization: "Seven" }],
    ]),
  );
  const networks = new Networks({ files: [country, anonymous], embedded: embeddedAs() });
  await networks.refresh();
  expect(networks.find(block("1.0.0.9"))).toEqual({
    ...{ country: "AU", asn: 13335, asName: "Cloudflare, Inc.", traits: ["tor"] },
  });
  expect(networks.find(block("2001:200::1"))).toMatchObject({ asn: 7, asName: "Seven" });
  expect(networks.find(block("10.0.0.1"))).toEqual({ special: "private range" });
  expect(networks.sources.map(({ name, isLoaded }) => [name, isLoaded])).toEqual([
    [country, true],
    [anonymous, true],
    ["as-data", true],
  ]);
});

it("does not load embedded data of which a file of the operator has all", async () => {
  const everywhere = mmdb([
    ["0.0.0.0/1", { autonomous_system_number: 1 }],
    ["128.0.0.0/1", { autonomous_system_number: 2 }],
  ]);
  const networks = new Networks({ files: [file("as.mmdb", everywhere)], embedded: embeddedAs() });
  await networks.refresh();
  expect(networks.find(block("1.0.0.9"))).toMatchObject({ asn: 1, asName: undefined });
  expect(networks.sources).toMatchObject([
    { isEmbedded: false, has: "as", madeAt: new Date(1_780_000_000_000) },
  ]);
});

it("follows changes of a file without a restart, and keeps the last contents of one that fails", async () => {
  const contents = (code: string) => mmdb([["1.0.0.0/24", { country_code: code }]]);
  const path = file("country.mmdb", contents("AU"));
  const lines: string[] = [];
  let now = 0;
  const none = { country: undefined, as: undefined };
  const networks = new Networks({
    files: [path],
    embedded: none,
    log: (line) => lines.push(line),
    now: () => now,
  });
  const country = async () => {
    now += 10_000;
    await networks.refresh();
    return networks.find(block("1.0.0.9")).country;
  };
  expect(await country()).toBe("AU");
  file("country.mmdb", contents("NZ"));
  expect(await country()).toBe("NZ");
  file("country.mmdb", contents("FR").subarray(0, 100));
  expect(await country()).toBe("NZ");
  expect(networks.sources).toMatchObject([
    { name: path, isLoaded: true, failure: expect.stringContaining("no") },
  ]);
  rmSync(path);
  expect(await country()).toBe("NZ");
  expect(await country()).toBe("NZ");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    /^sluice: SLUICE_MMDB: .*country\.mmdb failed to load\. Its last contents are used\./,
  );
  file("country.mmdb", contents("FR"));
  expect(await country()).toBe("FR");
  expect(networks.sources).toMatchObject([{ failure: undefined }]);
});

it("names a file that was never there, or that is something else, and reads the others", async () => {
  const good = file("good.mmdb", mmdb([["1.0.0.0/24", { country_code: "AU" }]]));
  const other = file("other.mmdb", "no such thing");
  const lines: string[] = [];
  const files = [join(folder, "missing.mmdb"), other, good];
  const networks = new Networks({
    files,
    embedded: { country: undefined, as: undefined },
    log: (line) => lines.push(line),
  });
  await networks.refresh();
  expect(networks.find(block("1.0.0.9"))).toMatchObject({ country: "AU" });
  expect(networks.sources.map(({ failure }) => failure !== undefined)).toEqual([true, true, false]);
  expect(lines).toHaveLength(2);
});

it("gives the ranges of an autonomous system and of a country, for feeds", async () => {
  const record = (iso_code: string) => ({ country: { iso_code } });
  const countries = mmdb([
    ["0.0.0.0/2", record("FR")],
    ["64.0.0.0/2", record("FR")],
    ["185.5.6.0/23", record("DE")],
    ["2a00:db8::/32", record("DE")],
  ]);
  const networks = new Networks({ files: [file("country.mmdb", countries)], embedded: embeddedAs() });
  await networks.refresh();
  const ranges = async (wanted: { asn: number } | { country: string }) => {
    const found: string[] = [];
    for await (const one of networks.rangesOf(wanted) ?? []) found.push(format(one));
    return found;
  };
  expect(await ranges({ asn: 64_500 })).toEqual(["1.0.1.0/25", "1.0.1.128/25", "2001:200:1ba::/121"]);
  expect(await ranges({ asn: 64_502 })).toEqual(["2.0.0.0/16", "2.1.0.0/24"]);
  expect(await ranges({ country: "DE" })).toEqual(["185.5.6.0/23", "2a00:db8::/32"]);
  expect(await ranges({ country: "SE" })).toEqual([]);
  expect(
    new Networks({ embedded: { country: undefined, as: undefined } }).rangesOf({ asn: 1 }),
  ).toBeUndefined();
});
