import { expect, it } from "vitest";
import { factsOf, joined } from "./network-facts.ts";

it.each([
  ["GeoLite2 Country", { country: { iso_code: "DE", names: { en: "Germany" } } }, { country: "DE" }],
  [
    "GeoLite2 ASN",
    { autonomous_system_number: 64500, autonomous_system_organization: "Example Hosting" },
    { asn: 64500, asName: "Example Hosting" },
  ],
  [
    "GeoIP2 Enterprise",
    { country: { iso_code: "NL" }, traits: { autonomous_system_number: 64501, is_tor_exit_node: true } },
    { country: "NL", asn: 64501, traits: ["tor"] },
  ],
  [
    "GeoIP2 Anonymous IP",
    { is_anonymous: true, is_anonymous_vpn: true, is_hosting_provider: true },
    { traits: ["hosting", "vpn"] },
  ],
  ["anonymous alone", { is_anonymous: true }, { traits: ["anonymous"] }],
  [
    "IPinfo Lite",
    { asn: "AS15169", as_name: "Google LLC", country: "United States", country_code: "US" },
    { asn: 15169, asName: "Google LLC", country: "US" },
  ],
  [
    "IPinfo country and ASN",
    { asn: "AS64500", as_name: "Example", country: "FR" },
    { asn: 64500, country: "FR" },
  ],
  ["IPinfo privacy", { hosting: "true", tor: "", vpn: "false" }, { traits: ["hosting"] }],
  ["ip-location-db", { country_code: "jp" }, { country: "JP" }],
])("reads the fields of %s", (_, record, facts) => {
  expect(factsOf(record)).toMatchObject(facts);
});

it.each([null, "DE", 7, [], {}, { country: {} }, { asn: "none" }, { asn: -1 }, { country_code: "Germany" }])(
  "takes nothing of %j",
  (record) => {
    expect(factsOf(record)).toBeUndefined();
  },
);

it("joins what two sources know, and never a name with another number", () => {
  const first = { country: "DE" };
  const second = { country: "FR", asn: 64500, asName: "Example" };
  expect(joined(first, second)).toMatchObject({ country: "DE", asn: 64500, asName: "Example" });
  expect(joined({ asn: 64501 }, second)).toMatchObject({ country: "FR", asn: 64501, asName: undefined });
  expect(joined({ asn: 64500 }, second)).toMatchObject({ asName: "Example" });
});
