import { expect, it } from "vitest";
import { sayNetwork } from "./network-words.ts";

it.each([
  [{ asn: 64500, asName: "Example Hosting", country: "DE" }, "AS64500 Example Hosting · DE"],
  [{ asn: 64500, asName: null, country: null }, "AS64500"],
  [{ country: "DE" }, "DE"],
  [{ asName: "Example" }, "Example"],
  [{ asn: 64500, traits: ["hosting", "tor"] as const }, "AS64500 · hosting · Tor"],
  [{ special: "private range", country: "DE" }, "private range"],
  [{ isSeveral: true, country: "DE" }, "several networks · DE"],
  [{ isSeveral: true }, "several networks"],
  [{}, "unknown network"],
])("says %j", (network, text) => {
  expect(sayNetwork(network)).toBe(text);
});
