import { expect, it } from "vitest";
import type { SourceState } from "../networks/networks.ts";
import { judgeNetworks } from "./check-networks.ts";

const day = 86_400_000;
const madeAt = new Date("2026-06-17T19:00:00Z");
const source = (some: Partial<SourceState> = {}): SourceState => ({
  ...{
    name: "/data/country.mmdb",
    isEmbedded: false,
    has: "country",
    madeAt,
    isLoaded: true,
    failure: undefined,
  },
  ...some,
});
const judge = (sources: readonly SourceState[], ageDays = 1) =>
  judgeNetworks({ isLoaded: true, sources }, madeAt.getTime() + ageDays * day);

it("names the data that are used, and their day", () => {
  expect(judge([source()])).toEqual([
    {
      ...{ check: "networks", status: "ok", says: "Networks and countries are of the files of SLUICE_MMDB." },
      details: ["countries of 2026-06-17: /data/country.mmdb"],
    },
  ]);
});

it("says that embedded data are not current, and notes it when they are old", () => {
  const embedded = source({ isEmbedded: true, has: "as", name: "@ip-location-db/asn" });
  expect(judge([embedded])).toMatchObject([
    { status: "ok", says: expect.stringContaining("SLUICE_MMDB replaces") },
  ]);
  expect(judge([source(), embedded], 200)).toMatchObject([
    {
      status: "note",
      says: expect.stringContaining("are partly of the embedded data"),
      cure: expect.stringContaining("SLUICE_MMDB"),
    },
  ]);
});

it("names a file that failed, and whether its last contents are used", () => {
  const failure = "Error: it is not an MMDB file";
  expect(judge([source({ failure })])).toMatchObject([
    {
      status: "problem",
      says: expect.stringMatching(/country\.mmdb failed to load.*last contents are used/),
    },
    { status: "ok" },
  ]);
  expect(judge([source({ failure, isLoaded: false })])).toMatchObject([
    { status: "problem", says: expect.stringContaining("It is not used.") },
    { status: "note", says: "There are no data on networks and countries." },
  ]);
});

it("claims nothing while the data are loading", () => {
  expect(judgeNetworks({ isLoaded: false, sources: [] }, 0)).toMatchObject([
    { says: expect.stringContaining("loading") },
  ]);
});
